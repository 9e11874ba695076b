package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_click.md
var browserClickText string

func browserClick(o Options) tool.Declaration {
	return pointerTool(o, tool.Declaration{Name: "browser_click", Title: "Click", Description: browserClickText}, o.Browser.Click)
}

// pointerTool is a tool that points at a ref, as act does.
func pointerTool(o Options, d tool.Declaration, act func(context.Context, browser.Place, browser.Pointer) (*browser.Changes, error)) tool.Declaration {
	at := []tool.Property{ref("").Require()}
	if d.Name == "browser_click" {
		at = append([]tool.Property{ref("")}, pagePoint()...)
	}
	d.Input = input(ignored("element"), append(at,
		tool.Boolean("double", "").Alias("doubleClick"),
		tool.String("button", "").OneOf("left", "right", "middle"),
		tool.Array("modifiers", "", tool.Text()),
	)...)
	d.Data = changesForm()
	d.Handler = func(ctx context.Context, c tool.Call) (tool.Result, error) {
		return changed(act(ctx, o.place(c), browser.Pointer{Ref: c.Args.String("ref"), At: pointOf(c), Double: c.Args.Bool("double"),
			Button: c.Args.String("button"), Modifiers: c.Args.Strings("modifiers")}))
	}
	return interactiveTool(d)
}

// pagePoint is the properties of a point of the page.
func pagePoint() []tool.Property {
	return []tool.Property{tool.Integer("x", "").AtLeast(0), tool.Integer("y", "").AtLeast(0)}
}

// pointOf is the point of the page that a call names; nil: none.
func pointOf(c tool.Call) *browser.Point {
	if !c.Args.Has("x") && !c.Args.Has("y") {
		return nil
	}
	return &browser.Point{X: float64(c.Args.Int("x")), Y: float64(c.Args.Int("y"))}
}

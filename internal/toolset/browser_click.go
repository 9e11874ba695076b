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
	d.Input = input(ignored("element"),
		ref("").Require(),
		tool.Boolean("double", "").Alias("doubleClick"),
		tool.String("button", "").OneOf("left", "right", "middle"),
		tool.Array("modifiers", "", tool.Text()),
	)
	d.Data = changesForm()
	d.Handler = func(ctx context.Context, c tool.Call) (tool.Result, error) {
		return changed(act(ctx, o.place(c), browser.Pointer{Ref: c.Args.String("ref"), Double: c.Args.Bool("double"),
			Button: c.Args.String("button"), Modifiers: c.Args.Strings("modifiers")}))
	}
	return interactiveTool(d)
}

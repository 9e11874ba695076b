package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_scroll.md
var browserScrollText string

func browserScroll(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_scroll",
		Title:       "Scroll",
		Description: browserScrollText,
		Input: tool.Object(
			ref(""),
			tool.String("direction", "").OneOf("up", "down", "left", "right", "top", "bottom"),
			tool.Integer("amount", "pixels").AtLeast(1),
		),
		Data: changesForm(),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return changed(o.Browser.Scroll(ctx, o.place(c), c.Args.String("ref"), c.Args.String("direction"), c.Args.Int("amount")))
		},
	})
}

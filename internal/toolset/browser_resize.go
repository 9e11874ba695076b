package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_resize.md
var browserResizeText string

func browserResize(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_resize",
		Title:       "Resize",
		Description: browserResizeText,
		Input: tool.Object(
			tool.Integer("width", "").AtLeast(0),
			tool.Integer("height", "").AtLeast(0),
			tool.String("media", "").OneOf("dark", "light", "print", "reduced-motion", "mobile"),
		),
		Data: changesForm(),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return changed(o.Browser.Resize(ctx, o.place(c), browser.Window{Width: c.Args.Int("width"), Height: c.Args.Int("height"), Media: c.Args.String("media")}))
		},
	})
}

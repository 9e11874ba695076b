package toolset

import (
	"context"
	_ "embed"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_mouse.md
var browserMouseText string

func browserMouse(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_mouse",
		Title:       "Draw, or press long",
		Description: browserMouseText,
		Input: input(ignored("element"), append(pagePoint(),
			ref(""),
			tool.Array("path", "", tool.Text()),
			tool.Integer("hold_ms", "").Between(0, 10000),
		)...),
		Data: changesForm(),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return changed(o.Browser.Mouse(ctx, o.place(c), browser.Stroke{Ref: c.Args.String("ref"), At: pointOf(c), Path: c.Args.Strings("path"),
				Hold: time.Duration(c.Args.Int("hold_ms")) * time.Millisecond}))
		},
	})
}

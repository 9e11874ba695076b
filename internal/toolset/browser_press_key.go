package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_press_key.md
var browserPressKeyText string

func browserPressKey(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_press_key",
		Title:       "Press a key",
		Description: browserPressKeyText,
		Input:       tool.Object(tool.String("key", "").Require(), ref("else the focus")),
		Data:        changesForm(),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return changed(o.Browser.PressKey(ctx, o.place(c), c.Args.String("key"), c.Args.String("ref")))
		},
	})
}

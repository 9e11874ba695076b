package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_drag.md
var browserDragText string

func browserDrag(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_drag",
		Title:       "Drag",
		Description: browserDragText,
		Input:       tool.Object(tool.String("from", "").Require(), tool.String("to", "").Require()),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, named := o.place(c)
			ch, err := o.Browser.Drag(ctx, at, c.Args.String("from"), c.Args.String("to"))
			return changed(ch, named, err)
		},
	})
}

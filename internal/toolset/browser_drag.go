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
		Input: input(ignored("startElement", "endElement"),
			tool.String("from", "").Require().Alias("startRef", "startTarget"),
			tool.String("to", "").Require().Alias("endRef", "endTarget")),
		Data: changesForm(),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return changed(o.Browser.Drag(ctx, o.place(c), c.Args.String("from"), c.Args.String("to")))
		},
	})
}

package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_fill_form.md
var browserFillFormText string

func browserFillForm(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_fill_form",
		Title:       "Fill a form",
		Description: browserFillFormText,
		Input: tool.Object(tool.Array("fields", "", input(ignored("element", "name", "type"),
			ref("").Require(),
			tool.String("value", "").Require().OrBoolean().ListTo("values"),
			tool.Array("values", "for a list of several choices", tool.Text()).Unlist(),
		)).Require()),
		Data: changesForm(),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			var args struct{ Fields []browser.Field }
			if err := c.Args.Decode(&args); err != nil {
				return tool.Result{}, err
			}
			return changed(o.Browser.FillForm(ctx, o.place(c), args.Fields))
		},
	})
}

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
		Input: tool.Object(
			tool.Array("fields", "", tool.Object(ref("").Require(), tool.String("value", "").Require())).Require(),
		),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, named := o.place(c)
			var args struct{ Fields []browser.Field }
			if err := c.Args.Decode(&args); err != nil {
				return tool.Result{}, err
			}
			ch, err := o.Browser.FillForm(ctx, at, args.Fields)
			return changed(ch, named, err)
		},
	})
}

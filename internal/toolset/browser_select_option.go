package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_select_option.md
var browserSelectOptionText string

func browserSelectOption(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_select_option",
		Title:       "Choose",
		Description: browserSelectOptionText,
		Input: input(ignored("element"), ref("").Require(),
			tool.Array("values", "", tool.Schema{Type: tool.TypeString}).Require().Alias("value")),
		Data: changesForm(),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return changed(o.Browser.Select(ctx, o.place(c), c.Args.String("ref"), c.Args.Strings("values")))
		},
	})
}

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
		Input:       tool.Object(ref("").Require(), tool.Array("values", "", tool.Schema{Type: tool.TypeString}).Require().Alias("value")),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, named := o.place(c)
			ch, err := o.Browser.Select(ctx, at, c.Args.String("ref"), c.Args.Strings("values"))
			return changed(ch, named, err)
		},
	})
}

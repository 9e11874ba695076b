package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_evaluate.md
var browserEvaluateText string

func browserEvaluate(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_evaluate",
		Title:       "Run script",
		Description: browserEvaluateText,
		Input:       input(ignored("element"), tool.String("script", "").Require().Alias("function", "expression"), ref("")),
		Data:        placeForm(tool.Member("value", "what the script came to", tool.Schema{})),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			v, where, err := o.Browser.Evaluate(ctx, o.place(c), c.Args.String("script"), c.Args.String("ref"))
			if err != nil {
				return tool.Result{}, err
			}
			return tool.Result{Text: "tab " + text.Name(where.Tab) + "; context " + text.Name(where.Context) + "\n" + tool.Fence(string(text.VisibleJSON(v))),
				Data: map[string]any{"value": v, "tab": where.Tab, "context": where.Context}}, nil
		},
	})
}

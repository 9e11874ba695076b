package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_evaluate.md
var browserEvaluateText string

func browserEvaluate(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_evaluate",
		Title:       "Run script",
		Description: browserEvaluateText,
		Input:       tool.Object(tool.String("script", "").Require().Alias("function", "expression"), ref("")),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, _ := o.place(c)
			v, err := o.Browser.Evaluate(ctx, at, c.Args.String("script"), c.Args.String("ref"))
			if err != nil {
				return tool.Result{}, err
			}
			return tool.Result{Text: tool.Fence(string(v)), Data: map[string]any{"value": v}}, nil
		},
	})
}

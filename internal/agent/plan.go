package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// planTool is the name of the tool that runs several calls.
const planTool = "run_plan"

const planText = `Runs several calls; later calls can use the results of earlier ones.

Use it when you know the calls beforehand: search, then read the first results. A step is {"id":"s1","tool":"web_search","args":{"query":"…"}}; within args, "${s1.results[0].url}" is replaced by that part of the result of step s1. The whole plan is checked before the first call.`

// plans returns the declaration of planTool. Each step of a plan counts as a call.
func (r *run) plans() tool.Declaration {
	steps := tool.NewCatalog() // without plans within plans
	for _, d := range r.catalog.List() {
		_ = steps.Register(d) // cannot fail: d comes from another catalog
	}
	return tool.Declaration{
		Name: planTool, Title: "Plan", Description: planText, Level: tool.Read,
		Input: tool.Object(tool.Array("steps", "the calls, in their order", tool.Schema{Type: tool.TypeObject, Open: true}).Require()),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			data, err := json.Marshal(map[string]any{"steps": c.Args["steps"]})
			if err != nil {
				return tool.Result{}, err
			}
			p, err := tool.ParsePlan(data)
			if err != nil {
				return tool.Result{}, err
			}
			return r.runPlan(ctx, steps, p)
		},
	}
}

func (r *run) runPlan(ctx context.Context, steps *tool.Catalog, p *tool.Plan) (tool.Result, error) {
	if problems := steps.CheckPlan(p); len(problems) > 0 {
		lines := make([]string, len(problems))
		for i := range problems {
			lines[i] = problems[i].Text()
		}
		return tool.Result{}, tool.NewError(tool.InvalidInput, "the plan is not valid, and no tool was called:\n"+strings.Join(lines, "\n"), "correct these steps")
	}
	if left := r.q.Budget.Calls - r.answer.Usage.Steps; len(p.Steps) > left {
		return tool.Result{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("the plan has %d steps, and %d calls are left", len(p.Steps), left), "make a shorter plan")
	}
	var b strings.Builder
	results, err := steps.RunPlan(ctx, p, tool.Options{}, nil)
	if err != nil && (len(results) < 2 || ctx.Err() != nil) {
		return tool.Result{}, err
	}
	for _, s := range results {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		out := s.Result.Text
		if s.Err != nil {
			// The results of earlier steps are part of the answer; the error says what
			// to do next.
			out = string(s.Err.Type) + ": " + s.Err.Text()
		}
		fmt.Fprintf(&b, "Step %s, %s:\n%s", text.Name(s.ID), text.Name(s.Tool), out)
	}
	return tool.Result{Text: b.String()}, nil
}

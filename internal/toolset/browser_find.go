package toolset

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_find.md
var browserFindText string

func browserFind(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_find",
		Title:       "Find",
		Description: browserFindText,
		Input: tool.Object(
			tool.String("text", "").Alias("query"),
			tool.String("regex", "RE2"),
		),
		Data:        browserForm(tool.String("content", "the lines that match")),
		Annotations: tool.Annotations{ReadOnly: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			f, err := o.Browser.Find(ctx, o.place(c), c.Args.String("text"), c.Args.String("regex"))
			if err != nil {
				return tool.Result{}, err
			}
			a := answerOf(f.Page, f.Text)
			notice := fmt.Sprintf("%d lines match", f.Count)
			if f.Shown < f.Count {
				notice += fmt.Sprintf("; these are the first %d: a longer text or a regex finds fewer", f.Shown)
			}
			a.Notices = append(a.Notices, notice)
			return a.result(), nil
		},
	})
}

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
		Annotations: tool.Annotations{ReadOnly: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, named := o.place(c)
			f, err := o.Browser.Find(ctx, at, c.Args.String("text"), c.Args.String("regex"))
			if err != nil {
				return tool.Result{}, err
			}
			s := seenOf(f.Page, named, f.Text)
			s.Notices = append(s.Notices, fmt.Sprintf("%d lines match", f.Count))
			return s.answer(), nil
		},
	})
}

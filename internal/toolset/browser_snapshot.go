package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_snapshot.md
var browserSnapshotText string

func browserSnapshot(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_snapshot",
		Title:       "See the page",
		Description: browserSnapshotText,
		Input: input(ignored("filename"),
			ref("only this part of the page"),
			tool.Integer("max_tokens", "").AtLeast(100).WithDefault(browser.DefaultSnapshotTokens).SetsLength(),
			tool.Boolean("diff", "what changed since").WithDefault(false),
			tool.Boolean("links", "with URLs").WithDefault(false),
		),
		Data:        browserForm(tool.String("content", "the page with refs")),
		Annotations: tool.Annotations{ReadOnly: true},
		Strengths:   []string{"what can be clicked and typed into"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			s, err := o.Browser.Snapshot(ctx, o.place(c), browser.SnapshotRequest{Ref: c.Args.String("ref"), MaxTokens: c.Args.Int("max_tokens"), Diff: c.Args.Bool("diff"), Links: c.Args.Bool("links")})
			if err != nil {
				return tool.Result{}, err
			}
			return answerOf(s.Page, s.Text).result(), nil
		},
	})
}

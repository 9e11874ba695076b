package toolset

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/recall"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Recaller is what web_recall needs of package recall.
type Recaller interface {
	Search(context.Context, recall.Query) (*result.Recall, error)
}

func webRecall(o Options) tool.Declaration {
	const defaultTokens = 1500
	return tool.Declaration{
		Name:  "web_recall",
		Title: "Recall pages",
		Input: tool.Object(
			tool.String("query", "words to look for").Require(),
			tool.String("job", "only what this crawl read"),
			tool.String("site", "only this host"),
			tool.String("since", "read since this date"),
			tool.Integer("max_tokens", "").AtLeast(1).WithDefault(defaultTokens).SetsLength(),
		),
		Data: tool.Object(
			tool.String("query", "").Require(),
			tool.Integer("searched", "pages that were searched").Require(),
			tool.Array("pages", "best first", tool.Object(
				tool.String("url", "").Require(), tool.String("title", ""), tool.String("version", "").Require(), tool.String("seen", "").Require(),
				tool.Array("passages", "", tool.Object(tool.String("text", "").Require(), tool.String("section", ""),
					tool.Integer("start", "").Require(), tool.Integer("end", "").Require(), tool.String("link", "").Require())).Require())).Require(),
		),
		Level:       tool.Search,
		Profile:     tool.Crawl,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true},
		Strengths:   []string{"finds what pages said that were read before"},
		Aliases:     []string{"recall"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			q := recall.Query{Text: c.Args.String("query"), Job: c.Args.String("job")}
			var err error
			if q.Site, err = recall.Site(c.Args.String("site")); err != nil {
				return tool.Result{}, err
			}
			if q.Since, err = crawl.ParseSince(c.Args.String("since"), time.Now()); err != nil {
				return tool.Result{}, err
			}
			ctx, stop := o.bound(ctx)
			defer stop()
			r, err := o.Recaller.Search(ctx, q)
			if err != nil {
				return tool.Result{}, err
			}
			return tool.Result{Data: r, Text: recall.Text(r, recall.View{Tokens: c.Args.Int("max_tokens"), Bytes: c.AnswerLimit()})}, nil
		},
	}
}

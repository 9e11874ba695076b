package toolset

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/budget"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The defaults and bounds of web_crawl.
const (
	crawlPages, mostCrawlPages = 30, 1000
	crawlTokens                = 2200
	crawlSeconds, mostSeconds  = 45, 110
	mostStarts                 = 12
)

// crawler runs a crawl for the caller of a context. Its error is a *tool.Error.
type crawler func(context.Context, crawl.Call) (*result.Crawl, error)

func webCrawl(o Options) tool.Declaration {
	glob := tool.Schema{Type: tool.TypeString}
	return tool.Declaration{
		Name:  "web_crawl",
		Title: "Crawl a site",
		Input: tool.Object(
			tool.String("url", "a page of the site"),
			tool.Array("urls", "several starts", tool.Schema{Type: tool.TypeString}).Rarely(),
			tool.String("query", "words of the answer; best pages first"),
			tool.Integer("max_pages", "").Clamp(1, mostCrawlPages).WithDefault(crawlPages),
			tool.Integer("max_depth", "links from the start").AtLeast(1).WithDefault(crawl.DefaultDepth).Rarely(),
			tool.Array("include", "paths to keep", glob),
			tool.Array("exclude", "paths to leave out", glob).Rarely(),
			tool.Boolean("subdomains", "add other hosts of the domain").WithDefault(false).Rarely(),
			tool.Boolean("entire_site", "also pages not below the start's path").WithDefault(false).Rarely(),
			tool.Integer("concurrency", "requests at a time to a site").AtLeast(1).Rarely(),
			tool.String("since", "an earlier job, or last: marks what changed").Rarely(),
			tool.String("render", "whether a browser runs scripts").OneOf(reader.RenderAuto, reader.RenderNever, reader.RenderAlways).WithDefault(reader.RenderAuto).Rarely(),
			tool.Integer("max_tokens", "").AtLeast(1).WithDefault(crawlTokens).SetsLength(),
			tool.Integer("deadline_s", "").Clamp(1, mostSeconds).WithDefault(crawlSeconds).Rarely(),
			stored(tool.String("job", "resume this job")),
			stored(tool.Boolean("stop", "stop the job").WithDefault(false).Rarely()),
		),
		Data: tool.Object(
			tool.String("job", "").Require(),
			tool.String("state", "").Require(),
			tool.String("stopped", ""),
			tool.Integer("read", "").Require(),
			tool.Integer("left", "").Require(),
			tool.Array("pages", "", tool.Object(tool.String("url", "").Require(), tool.String("title", ""))),
			tool.Array("passages", "", tool.Object(tool.String("url", "").Require(), tool.String("text", "").Require())),
			tool.Array("notices", "", tool.Text()),
		),
		Level:       tool.Read,
		Profile:     tool.Crawl,
		Annotations: tool.Annotations{ReadOnly: true, OpenWorld: true},
		Strengths:   []string{"reads many pages of a site", "finds the page of a site that answers"},
		Aliases:     []string{"crawl"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			q, err := crawlCall(c)
			if err != nil {
				return tool.Result{}, err
			}
			if left, ok := budget.PagesLeft(ctx); ok && int64(q.MaxPages) > left {
				q.MaxPages = int(max(left, 1))
			}
			ctx, stop := deadline.With(ctx, time.Duration(c.Args.Int("deadline_s"))*time.Second)
			defer stop()
			out, err := reported(c, &q, func() (*result.Crawl, error) { return o.Crawler(ctx, q) })
			if err != nil {
				return tool.Result{}, err
			}
			return tool.Result{Data: out, Notices: out.Notices, Noted: true, Text: crawl.CrawlText(out, o.Recaller != nil, q.Tokens, c.AnswerLimit())}, nil
		},
	}
}

// stored is a property that uses what is stored for the caller: a page could have a browser
// send it in the query of an address.
func stored(p tool.Property) tool.Property {
	p.Stored = true
	return p
}

// crawlCall reads the arguments of a crawl.
func crawlCall(c tool.Call) (crawl.Call, error) {
	q := crawl.Call{Job: c.Args.String("job"), Stop: c.Args.Bool("stop"), Tokens: c.Args.Int("max_tokens"), Options: crawl.Options{
		Query: c.Args.String("query"), MaxPages: c.Args.Int("max_pages"), MaxDepth: c.Args.Int("max_depth"), Include: c.Args.Strings("include"),
		Exclude: c.Args.Strings("exclude"), Subdomains: c.Args.Bool("subdomains"), EntireSite: c.Args.Bool("entire_site"), Concurrency: c.Args.Int("concurrency"), Since: c.Args.String("since"), Render: c.Args.String("render")}}
	starts := c.Args.Strings("urls")
	if u := c.Args.String("url"); u != "" {
		starts = append([]string{u}, starts...)
	}
	switch {
	case len(starts) == 0 && q.Job == "":
		return q, tool.NewError(tool.InvalidInput, "web_crawl needs url, or job to go on", "give the address of a page of the site")
	case len(starts) > mostStarts:
		return q, tool.NewError(tool.InvalidInput, "urls has more than 12 addresses", "crawl them in several calls")
	}
	for _, raw := range starts {
		u, err := reader.Address(raw)
		if err != nil {
			return q, err
		}
		q.URLs = append(q.URLs, u.WithoutFragment().String())
	}
	q.Run.Waits = time.Minute
	return q, nil
}

// reported runs a crawl and reports its progress from the goroutine of the call.
func reported(c tool.Call, q *crawl.Call, run func() (*result.Crawl, error)) (out *result.Crawl, err error) {
	steps := make(chan crawl.Progress, 1)
	q.Run.Progress = func(p crawl.Progress) {
		select {
		case steps <- p:
		default: // the surface is slower than the crawl, and the next step says more
		}
	}
	go func() {
		defer close(steps)
		defer tool.Recovered("tool web_crawl", &err) // here it would end the process
		out, err = run()
	}()
	for p := range steps {
		c.Report(tool.Progress{Message: p.String(), Done: p.Read, Total: int64(p.Max)})
	}
	return out, err
}

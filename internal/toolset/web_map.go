package toolset

import (
	"cmp"
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The defaults of web_map.
const mapLines, mapTokens = 50, 1500

// mapper is what web_map needs of package crawl.
type mapper interface {
	Map(context.Context, crawl.MapRequest) (*result.SiteMap, error)
}

func webMap(o Options) tool.Declaration {
	glob := tool.Schema{Type: tool.TypeString}
	return tool.Declaration{
		Name:  "web_map",
		Title: "Map a site",
		Input: tool.Object(
			tool.String("url", "a page of the site").Require(),
			tool.String("query", "words; ranks the pages"),
			tool.Array("include", "paths to keep, for example /docs/*", glob),
			tool.Array("exclude", "paths to leave out", glob),
			tool.Boolean("subdomains", "add other hosts of the domain").WithDefault(false),
			tool.Array("sources", "where to look; all if left out", tool.Schema{Type: tool.TypeString, Enum: crawl.Sources()}),
			tool.String("since", "changed since this date, for example 2026-01-31"),
			tool.Integer("limit", "most pages; 50 lines if left out").AtLeast(1).SetsLength(),
			tool.Integer("start_index", "first line").AtLeast(0).WithDefault(0),
			tool.Integer("max_tokens", "").AtLeast(1).WithDefault(mapTokens).SetsLength(),
		),
		Data: tool.Object(
			tool.Integer("total", "pages in scope").Require(),
			tool.Map("by_source", "pages by source").Require(),
			tool.Array("links", "pages", tool.Object(
				tool.String("url", "").Require(), tool.String("title", ""), tool.String("modified", ""))).Require(),
			tool.Array("files", "sitemaps and other files that were read, or not", tool.Object(tool.String("url", "").Require())),
			tool.Boolean("truncated", "the site names more").Require(),
			tool.Array("notices", "", tool.Text()),
		),
		Level:       tool.Search,
		Profile:     tool.Crawl,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true, OpenWorld: true},
		Strengths:   []string{"lists the pages of a site", "finds a page of a site by words of its address or title"},
		Aliases:     []string{"map"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			q, err := mapRequest(c.Args)
			if err != nil {
				return tool.Result{}, err
			}
			ctx, stop := o.bound(ctx)
			defer stop()
			m, err := o.Mapper.Map(ctx, q)
			if err != nil {
				return tool.Result{}, err
			}
			query := c.Args.String("query")
			m.Links = crawl.Rank(m.Links, query)
			lines, start := cmp.Or(c.Args.Int("limit"), mapLines), c.Args.Int("start_index")
			text := crawl.MapText(m, crawl.MapView{Query: query, Lines: lines, Tokens: c.Args.Int("max_tokens"), Start: start, Bytes: c.AnswerLimit()})
			if c.Args.Has("limit") { // programs get so many too
				start = min(start, len(m.Links))
				m.Links = m.Links[start:min(start+lines, len(m.Links))]
			}
			return tool.Result{Data: m, Notices: m.Notices, Noted: true, Text: text}, nil
		},
	}
}

// mapRequest reads the arguments of a map.
func mapRequest(args tool.Arguments) (crawl.MapRequest, error) {
	u, err := reader.Address(args.String("url"))
	if err != nil {
		return crawl.MapRequest{}, err
	}
	q := crawl.MapRequest{Sources: args.Strings("sources"), Scope: crawl.Scope{Start: u.WithoutFragment(), Subdomains: args.Bool("subdomains"),
		Include: args.Strings("include"), Exclude: args.Strings("exclude")}}
	q.Since, err = crawl.ParseSince(args.String("since"), time.Now())
	return q, err
}

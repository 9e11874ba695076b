package spyhop

import (
	"cmp"
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/callrecord"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
)

// MapRequest says which site is mapped. The zero value of each field but URL is
// its default.
type MapRequest struct {
	// URL is an address of the site. Required.
	URL string
	// Query ranks the pages by the words of their addresses and titles, and drops
	// those that match none; "" keeps all in the order of the sources.
	Query string
	// Include keeps only pages whose path matches one of the globs, Exclude drops
	// those that match, and wins. "*" stands for any characters; a glob without "*"
	// matches the path and all that is below it.
	Include, Exclude []string
	// Subdomains adds the other hosts of the registrable domain.
	Subdomains bool
	// Sources limits where addresses are looked for: "sitemap", "feed", "llms.txt",
	// "links". Nil means everywhere.
	Sources []string
	// Since keeps pages that changed at that time or later, according to the site.
	// The zero time keeps all.
	Since time.Time
	// Timeout bounds the call; 0 means Config.Timeout.
	Timeout time.Duration
}

// Map finds the pages of a site in its sitemaps, feeds, llms.txt and in the links
// of the page that is given; it reads none of them. A map is never empty: a site
// without any page that can be named is an error. The error is an *Error.
func (s *Client) Map(ctx context.Context, q MapRequest) (*result.SiteMap, error) {
	return operate(ctx, s, "map", func(ctx context.Context) (*result.SiteMap, error) {
		u, err := reader.Address(q.URL)
		if err != nil {
			return nil, err
		}
		u = s.guard.Local(u)
		ctx, stop := deadline.With(ctx, min(cmp.Or(max(q.Timeout, 0), s.timeout), MaxTimeout))
		defer stop()
		m, err := s.web().Map(ctx, crawl.MapRequest{Sources: q.Sources, Since: q.Since, Scope: crawl.Scope{
			Start: u.WithoutFragment(), Subdomains: q.Subdomains, Include: q.Include, Exclude: q.Exclude}})
		if err != nil {
			return nil, err
		}
		m.Links = crawl.Rank(m.Links, q.Query)
		return m, nil
	})
}

// web is how maps and crawls reach the network.
func (s *Client) web() crawl.Web {
	return crawl.Web{
		Fetch: func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
			res, err := s.get(ctx, q)
			if err != nil {
				return nil, reader.FetchError(q.URL.WithoutUserinfo().String(), err)
			}
			return res, nil
		},
		Robots: func(ctx context.Context, u weburl.URL) (fetch.Robots, error) {
			r, err := s.fetcher.Robots(ctx, u)
			if err != nil {
				return r, reader.FetchError(u.WithoutUserinfo().String(), err)
			}
			return r, nil
		},
		Page: func(ctx context.Context, q crawl.ReadRequest) (*page.Page, error) {
			_, p, err := s.reader.Page(ctx, reader.Request{URL: q.URL, Render: q.Render, Follow: true, Revalidate: q.Revalidate})
			return p, err
		},
		Read: func(ctx context.Context, q crawl.ReadRequest) (*reader.Answer, *page.Page, error) {
			request := reader.Request{URL: q.URL, Render: q.Render, NoFragment: true, Revalidate: q.Revalidate, Selector: q.Selector, Login: q.Login, Jar: q.Jar, Whole: q.Links}
			if q.Since {
				request.Since = "last"
			}
			return s.reader.Page(ctx, request)
		},
		Search: s.hits,
		Embed:  s.embed,
		Site:   fetch.Site,
		Defect: s.defect,
		Judge: func(u weburl.URL) error {
			if _, d := s.guard.Judge(u); d.Err() != nil {
				shown := u.WithoutUserinfo().String()
				return reader.FetchError(shown, fetch.Refused(shown, d.Err()))
			}
			return nil
		},
	}
}

// hits are the results of a search, for monitors.
func (s *Client) hits(ctx context.Context, query string) ([]result.Hit, error) {
	const most = 20
	answer, err := s.search.Search(ctx, search.Query{Text: query, MaxResults: most})
	if err != nil {
		return nil, err
	}
	return answer.Results, nil
}

// defect has the audit log say what a page of a crawl has met.
func (s *Client) defect(ctx context.Context, address string, err error) {
	_ = s.operation(ctx, "crawl", func(ctx context.Context) error {
		callrecord.Defect(ctx, address, err)
		return nil
	})
}

package live

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// The view Sites: the map of a site as a tree. crawls.go has the crawls.

// siteForm is which site is mapped.
type siteForm struct {
	URL, Query      string
	Crawls          []*result.Crawl // without an address
	Runs            bool            // one of them
	Monitors        []*result.Monitor
	Starts, Watches bool // crawls and batches can be started, and monitors
}

// siteResult is a map.
type siteResult struct {
	Form    siteForm
	Map     *result.SiteMap
	Facts   []fact
	Ranked  []result.MapLink // with a query
	Tree    []*branch        // without one
	NotHere int              // pages that are not shown
}

// branch is a folder of a site, or a page.
type branch struct {
	Name  string
	Page  *result.MapLink
	Below []*branch
	Count int // of pages in it
	Open  bool
	names map[string]*branch
}

// maxPages bounds the pages that the view shows, maxDepth the folders within one
// another.
const (
	maxPages = 2000
	maxDepth = 8
)

func (h *Handler) sites(w http.ResponseWriter, r *http.Request) {
	q := query(r)
	f := siteForm{URL: strings.TrimSpace(q.Get("url")), Query: strings.TrimSpace(q.Get("query"))}
	p := h.layout(r, "Sites", "/sites")
	if job := q.Get("job"); job != "" && h.o.Jobs != nil {
		h.crawl(w, r, p, job)
		return
	}
	if name := q.Get("monitor"); name != "" && h.o.Monitors != nil {
		h.monitor(w, r, p, name)
		return
	}
	if f.URL == "" {
		if h.o.Monitors != nil {
			f.Watches = true
			monitors, err := h.o.Monitors.Monitors(r.Context())
			if err != nil {
				h.refuseErr(w, r, err)
				return
			}
			f.Monitors = monitors[:min(len(monitors), maxJobs)]
		}
		if h.o.Jobs != nil {
			f.Starts = true
			jobs, err := h.o.Jobs.CrawlJobs(r.Context())
			if err != nil {
				h.refuseErr(w, r, err)
				return
			}
			f.Crawls = jobs[:min(len(jobs), maxJobs)]
			f.Runs = slices.ContainsFunc(f.Crawls, runs)
		}
		h.write(w, r, http.StatusOK, p, "site-form", f)
		return
	}
	h.writeLater(w, r, p, "site-form", f, "Mapping "+text.URL(f.URL), func(ctx context.Context) part {
		m, err := called[result.SiteMap](ctx, h, "web_map", map[string]any{"url": f.URL, "query": f.Query})
		if err != nil {
			return failed(err)
		}
		out := siteResult{Form: f, Map: m, Facts: siteFacts(m)}
		shown := m.Links[:min(len(m.Links), maxPages)]
		out.NotHere = len(m.Links) - len(shown)
		if f.Query != "" {
			out.Ranked = shown
		} else {
			out.Tree = treeOf(shown)
		}
		return part{"site-result", out, 0}
	})
}

func siteFacts(m *result.SiteMap) []fact {
	all := []fact{{"pages", text.Grouped(m.Total), ""}}
	for _, source := range []string{"sitemap", "feed", "llms.txt", "links"} {
		if n := m.BySource[source]; n > 0 {
			all = append(all, fact{"from " + source, text.Grouped(n), ""})
		}
	}
	if !m.Newest.IsZero() {
		all = append(all, fact{"newest change", m.Newest.UTC().Format("2006-01-02"), ""})
	}
	for _, c := range []struct {
		name string
		n    int
	}{{"on other hosts", m.OffSite}, {"refused by the policy", m.Refused}, {"refused by robots.txt", m.Disallowed}} {
		if c.n > 0 {
			all = append(all, fact{c.name, text.Grouped(c.n), "warn"})
		}
	}
	if m.Truncated {
		all = append(all, fact{"", "not all of the site", "warn"})
	}
	return all
}

// treeOf puts pages into folders by their paths. Folders come first, the largest
// first.
func treeOf(links []result.MapLink) []*branch {
	root := &branch{}
	for i := range links {
		// The address is canonical: scheme, host, path.
		_, rest, _ := strings.Cut(links[i].URL, "://")
		rest, query, _ := strings.Cut(rest, "?")
		parts := strings.Split(strings.TrimSuffix(rest, "/"), "/")
		if len(parts) == 1 {
			parts = append(parts, "") // the first page of the host
		}
		at := root
		for d, name := range parts {
			at.Count++
			if d == len(parts)-1 || d == maxDepth {
				name = strings.Join(parts[d:], "/")
				if query != "" {
					name += "?" + query
				}
				page := at.child(name + "\x00page") // a folder can have the name of a page
				page.Name, page.Page, page.Count = name, &links[i], 1
				break
			}
			at = at.child(name)
		}
	}
	root.sort()
	for _, host := range root.Below {
		host.Open = true
	}
	return root.Below
}

func (b *branch) child(name string) *branch {
	c := b.names[name]
	if c == nil {
		c = &branch{Name: name}
		if b.names == nil {
			b.names = make(map[string]*branch)
		}
		b.names[name] = c
		b.Below = append(b.Below, c)
	}
	return c
}

func (b *branch) sort() {
	slices.SortStableFunc(b.Below, func(x, y *branch) int {
		if (x.Page == nil) != (y.Page == nil) {
			if x.Page == nil {
				return -1
			}
			return 1
		}
		if x.Count != y.Count {
			return y.Count - x.Count
		}
		return strings.Compare(x.Name, y.Name)
	})
	const few = 12 // that are seen without opening a folder
	b.Open = len(b.Below) <= few
	for _, c := range b.Below {
		c.sort()
	}
}

package crawl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// scriptedSite answers with one page as the server sends it, and with another one in a
// browser. It returns the URLs that the browser was used for.
func scriptedSite(b *bench, served, rendered func(u weburl.URL) string) *[]string {
	var browser []string
	at := func(u weburl.URL, render string) (*reader.Answer, *page.Page, error) {
		make := served
		if render == reader.RenderAlways {
			browser = append(browser, strings.TrimPrefix(u.String(), home))
			make = rendered
		}
		s := &fakeSite{pages: map[string]string{}, make: make}
		a, p, err := s.page(u)
		if a != nil {
			a.Metadata.Rendered = render == reader.RenderAlways
		}
		return a, p, err
	}
	b.Web.Page = func(_ context.Context, q ReadRequest) (*page.Page, error) {
		_, p, err := at(q.URL, q.Render)
		return p, err
	}
	b.Web.Read = func(_ context.Context, q ReadRequest) (*reader.Answer, *page.Page, error) { return at(q.URL, q.Render) }
	return &browser
}

// TestScriptedMenu: where scripts make the links of a page, they are followed; one page of a
// template decides, and where a browser must not or cannot be used, that is counted.
func TestScriptedMenu(t *testing.T) {
	words := func(u weburl.URL) string {
		return fmt.Sprintf("orcas of group %s hunt in bay %d", u.Path(), len(u.String()))
	}
	script := func(s string) string { return strings.Replace(s, "</body>", "<script>menu()</script></body>", 1) }
	served := func(u weburl.URL) string {
		if strings.HasPrefix(u.Path(), "/leaf/") {
			return script(html("Leaf "+u.Path(), words(u)))
		}
		return script(html("Page "+u.Path(), words(u)))
	}
	rendered := func(u weburl.URL) string {
		if u.Path() == "/" {
			return html("Page /", words(u), "/leaf/1", "/leaf/2", "/leaf/3", "/leaf/4")
		}
		return served(u)
	}
	b := newBench(t, &fakeSite{})
	browser := scriptedSite(b, served, rendered)
	c := b.run(t.Context(), b.create(Options{URLs: []string{home}}))
	slices.Sort(*browser)
	if c.Read != 5 || c.Stopped != stopFinished || strings.Join(*browser, " ") != " leaf/1" && len(*browser) != 2 {
		t.Errorf("read %d, rendered %q; %+v", c.Read, *browser, c.NotFollowed)
	}
	for name, broken := range map[string]func(*bench) Options{
		"never": func(*bench) Options { return Options{URLs: []string{home}, Render: reader.RenderNever} },
		"missing": func(b *bench) Options {
			read := b.Web.Read
			b.Web.Read = func(ctx context.Context, q ReadRequest) (*reader.Answer, *page.Page, error) {
				if q.Render == reader.RenderAlways {
					return nil, nil, tool.NewError(tool.BrowserMissing, "there is no browser", "")
				}
				return read(ctx, q)
			}
			return Options{URLs: []string{home}}
		},
	} {
		b := newBench(t, &fakeSite{})
		scriptedSite(b, served, rendered)
		c := b.run(t.Context(), b.create(broken(b)))
		if c.Read != 1 || c.NotFollowed[reasonScripts] != 1 || !slices.ContainsFunc(c.Notices, func(s string) bool { return strings.Contains(s, "scripts") }) {
			t.Errorf("%s: read %d, not followed %v, %q", name, c.Read, c.NotFollowed, c.Notices)
		}
	}
}

// TestFragmentRoutes: links to routes of a page are pages of their own. Ten thousand of them
// end with the page limit, and routes that all show the same end as near-duplicates.
func TestFragmentRoutes(t *testing.T) {
	var links []string
	for i := range 10_000 {
		links = append(links, fmt.Sprintf("#/r%d", i))
	}
	for _, c := range []struct {
		name     string
		page     func(u weburl.URL) string
		max      int
		read     int64
		stopped  string
		rendered int
	}{
		{"three", func(u weburl.URL) string {
			return html("View "+u.Fragment(), fmt.Sprintf("text of %q and only of it", u.Fragment()), "#/a", "#/b", "#part")
		}, 10, 3, stopFinished, 2},
		{"many", func(u weburl.URL) string {
			if u.Fragment() == "" {
				return html("Start", "all of the views", links...)
			}
			return html("View "+u.Fragment(), fmt.Sprintf("text of %q and only of it", u.Fragment()), "#/r1", "#/r2")
		}, 20, 20, stopPageLimit, 19},
		{"all the same", func(u weburl.URL) string { return html("View", "the same text", links[:200]...) }, 50, 1, stopFinished, maxDuplicateRun},
	} {
		b := newBench(t, &fakeSite{})
		browser := scriptedSite(b, c.page, c.page)
		got := b.run(t.Context(), b.create(Options{URLs: []string{home}, MaxPages: c.max}))
		if got.Read != c.read || got.Stopped != c.stopped || len(*browser) != c.rendered {
			t.Errorf("%s: read %d, stopped %s, %d rendered", c.name, got.Read, got.Stopped, len(*browser))
		}
		if c.name == "three" && !slices.ContainsFunc(got.Pages, func(p result.CrawlPage) bool { return p.URL == home+"#/a" }) {
			t.Errorf("pages %+v", got.Pages)
		}
	}
	b := newBench(t, &fakeSite{})
	scriptedSite(b, func(weburl.URL) string { return html("View", "some text", "#/a", "#/b") }, nil)
	if got := b.run(t.Context(), b.create(Options{URLs: []string{home}, Render: reader.RenderNever})); got.Read != 1 || got.NotFollowed[reasonRoutes] != 2 {
		t.Errorf("read %d, not followed %v", got.Read, got.NotFollowed)
	}
}

package crawl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestUnreachable: a start that cannot be reached ends the crawl at once, and says why.
func TestUnreachable(t *testing.T) {
	for _, e := range []*tool.Error{
		{Type: tool.ConnectionError, Message: "Failed to connect to " + home + ": 'connection refused'", Retryable: true},
		{Type: tool.Timeout, Message: "no answer within 30s", Retryable: true},
		{Type: tool.TLSError, Message: "the server does not speak TLS", Retryable: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, &fakeSite{errors: map[string]*tool.Error{home: e}})
			begun := time.Now()
			c := b.run(t.Context(), b.create(Options{URLs: []string{home}}))
			_, reason, cut := strings.Cut(e.Message, home+": ")
			if reason = strings.Trim(reason, "'"); !cut {
				reason = e.Message
			}
			if want := []result.CrawlFailure{{URL: home, ErrorType: string(e.Type), Reason: reason}}; c.Stopped != stopUnreachable || !slices.Equal(c.Failed, want) || time.Since(begun) > 2*time.Second {
				t.Errorf("%s: %q %+v after %v", e.Type, c.Stopped, c.Failed, time.Since(begun))
			}
			if got := tool.AsError(NothingRead(c, "")); got.Type != e.Type || !strings.Contains(got.Message, reason) {
				t.Errorf("error %v", got)
			}
		})
	}
}

// TestFailures: pages that fail do not use up the page limit, and too many of them end the
// crawl. The request that is under way beside the last of them may fail too.
func TestFailures(t *testing.T) {
	site := func(missing, pages int) *fakeSite {
		s := &fakeSite{pages: map[string]string{}}
		var links []string
		for i := range missing {
			links = append(links, fmt.Sprintf("/missing-%c%c", 'a'+i/26, 'a'+i%26))
		}
		for i := range pages {
			name := fmt.Sprintf("page-%c", 'a'+i)
			links = append(links, "/"+name)
			s.pages[home+name] = html(name, fmt.Sprintf("orcas of group %c and number %d", 'a'+i, i*i))
		}
		s.pages[home] = html("Home", "whales live in the sea", links...)
		return s
	}
	b := newBench(t, site(30, 5))
	c := b.run(t.Context(), b.create(Options{URLs: []string{home}, MaxPages: 6}))
	if c.Read != 6 || c.Failures != 30 || len(c.Failed) != 30 || c.Failed[0].ErrorType != "HTTPError" || c.Failed[0].Reason != "HTTP 404" || c.Stopped != stopFinished {
		t.Errorf("%+v", c)
	}
	b = newBench(t, site(150, 5))
	c = b.run(t.Context(), b.create(Options{URLs: []string{home}, MaxPages: 6}))
	if c.Failures < 100 || c.Failures > 99+DefaultAtOnce || c.Stopped != stopTooManyFailures || len(c.Failed) != maxFailed {
		t.Errorf("%d failures; stopped: %s", c.Failures, c.Stopped)
	}
	if s := CrawlText(c, false, 100, 0); !strings.Contains(s, "stopped: too_many_failures") {
		t.Error(s)
	}
}

// TestManyOfATemplate: a crawl that may read many pages queues as many of one template.
func TestManyOfATemplate(t *testing.T) {
	b := newBench(t, &fakeSite{})
	for pages, want := range map[int]int{10: maxPerTemplate, 20_000: 20_000} {
		j, err := b.Create(t.Context(), "local", Options{URLs: []string{home}, MaxPages: pages})
		if err == nil {
			j, err = b.grow(t.Context(), j, 5)
		}
		if err != nil || j.Limits.PerTemplate != max(want, pages+5) {
			t.Errorf("%d pages: %d of a template, %v", pages, j.Limits.PerTemplate, err)
		}
	}
}

// TestRobotsNamed: a robots.txt that fails is the reason of the failure.
func TestRobotsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &fakeSite{robots: fetch.Robots{Status: 503}})
		var said []string
		begun := time.Now()
		j, err := b.Run(t.Context(), b.create(Options{URLs: []string{home}}), RunOptions{Progress: func(p Progress) { said = append(said, p.Why) }})
		if err != nil {
			t.Fatal(err)
		}
		c, err := b.answer(t.Context(), j, 100)
		const why = "robots.txt of site.example answers HTTP 503, which refuses every page to a crawl"
		if err != nil || c.Stopped != stopBlockedByRobots || len(c.Failed) != 1 || c.Failed[0].Reason != why || time.Since(begun) > 2*time.Minute {
			t.Errorf("%+v, %v after %v", c, err, time.Since(begun))
		}
		if !slices.Contains(said, why) {
			t.Errorf("said %q", said)
		}
	})
}

// TestRobotsSilent: a robots.txt that never answers ends the crawl within its limit, once.
func TestRobotsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &fakeSite{pages: map[string]string{home: html("Home", "words")}})
		b.Web.Robots = func(ctx context.Context, _ weburl.URL) (fetch.Robots, error) {
			<-ctx.Done()
			return fetch.Robots{}, tool.AsError(ctx.Err())
		}
		begun := time.Now()
		c := b.run(t.Context(), b.create(Options{URLs: []string{home}}))
		if want := []result.CrawlFailure{{URL: home, ErrorType: "Timeout", Reason: "robots.txt of site.example did not answer within 30s"}}; c.Stopped != stopUnreachable || !slices.Equal(c.Failed, want) || time.Since(begun) > fileTime+time.Second {
			t.Errorf("%q %+v after %v", c.Stopped, c.Failed, time.Since(begun))
		}
	})
}

// TestBelow: a crawl stays below the path of its start, after redirects.
func TestBelow(t *testing.T) {
	for _, c := range []struct{ start, final, link, want string }{
		{"", "", "docs/a", "/"},
		{"docs/", "", "x", "/docs/"},
		{"docs", "", "docs/a", "/docs/"}, // a folder
		{"docs", "", "other", "/"},       // a page
		{"docs", "docs/", "x", "/docs/"},
		{"docs", "manual/index.html", "x", "/manual/"},
		{"docs/index.html", "", "docs/index.html/a", "/docs/"},
		{"docs/v1.2", "", "docs/v1.2/a", "/docs/"},
		{"a/b/c", "", "a/b/c/d", "/a/b/c/"},
	} {
		s := &fakeSite{pages: map[string]string{home + c.start: html("Start", "the start", "/"+c.link)}, moved: map[string]string{}}
		if c.final != "" {
			s.moved[home+c.start] = home + c.final
			s.pages[home+c.final] = s.pages[home+c.start]
		}
		b := newBench(t, s)
		got := b.run(t.Context(), b.create(Options{URLs: []string{home + c.start}}))
		if want := []string{"https://site.example" + c.want + "*"}; !slices.Equal(got.Scope, want) {
			t.Errorf("%+v: scope %q, want %q", c, got.Scope, want)
		}
	}

	pages := map[string]string{
		home + "docs/":       html("Docs", "the first page", "/docs/a", "/docs/b/c", "/other", "/docsearch"),
		home + "docs/a":      html("A", "one of the pages"),
		home + "docs/b/c":    html("C", "another of them, which is deeper"),
		home + "other":       html("Other", "of the host, and not of the folder"),
		home + "docsearch":   html("Search", "looks like the folder and is none"),
		home + "docs/ignore": html("Ignored", "excluded by its path"),
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "docs/ docs/a docs/b/c"},
		{Options{EntireSite: true}, "docs/ docs/a docs/b/c docsearch other"},
		{Options{Include: []string{"/docs/b"}}, "docs/ docs/b/c"},
	} {
		b := newBench(t, &fakeSite{pages: pages})
		c.o.URLs = []string{home + "docs/"}
		id := b.create(c.o)
		got := b.run(t.Context(), id)
		var read []string
		for _, p := range got.Pages {
			read = append(read, strings.TrimPrefix(p.URL, home))
		}
		slices.Sort(read)
		if strings.Join(read, " ") != c.want || (got.NotFollowed[reasonOutside] == 2) != (!c.o.EntireSite && c.o.Include == nil) {
			t.Errorf("%+v: read %q, want %q; not followed %v", c.o, read, c.want, got.NotFollowed)
		}
	}
}

// TestMoved: a start that leads to another site is named.
func TestMoved(t *testing.T) {
	b := newBench(t, &fakeSite{pages: map[string]string{"https://new.example/": html("New", "another site")}, moved: map[string]string{home: "https://new.example/"}})
	c := b.run(t.Context(), b.create(Options{URLs: []string{home}}))
	if c.Read != 0 || len(c.Notices) != 1 || c.Notices[0] != "The start redirects to another site, new.example: begin the crawl there." {
		t.Errorf("%+v", c)
	}
}

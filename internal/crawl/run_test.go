package crawl

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// fakeSite is a site in the place of the network.
type fakeSite struct {
	mu     sync.Mutex
	pages  map[string]string // HTML by address; "" is a page without text
	make   func(u weburl.URL) string
	robots fetch.Robots
	errors map[string]*tool.Error
	moved  map[string]string // redirects
	reads  []string
	times  []time.Time
	block  chan struct{} // reads wait for it, where it is not nil
	atOnce int
	most   int
}

func (s *fakeSite) web() Web {
	return Web{
		Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
			return nil, &tool.Error{Type: tool.HTTPError, Message: "HTTP 404", Status: 404, Cause: &fetch.Error{Code: fetch.HTTPError, Status: 404}}
		},
		Robots: func(context.Context, weburl.URL) (fetch.Robots, error) { return s.robots, nil },
		Page: func(ctx context.Context, q ReadRequest) (*page.Page, error) {
			_, p, err := s.page(q.URL)
			return p, err
		},
		Judge: func(weburl.URL) error { return nil },
		Site:  func(u weburl.URL) string { return u.RegistrableDomain() },
		Read: func(ctx context.Context, q ReadRequest) (*reader.Answer, *page.Page, error) {
			s.mu.Lock()
			s.reads = append(s.reads, q.URL.String())
			s.times = append(s.times, time.Now())
			s.atOnce++
			s.most = max(s.most, s.atOnce)
			s.mu.Unlock()
			defer func() { s.mu.Lock(); s.atOnce--; s.mu.Unlock() }()
			if s.block != nil {
				select {
				case <-s.block:
				case <-ctx.Done():
					return nil, nil, tool.AsError(ctx.Err())
				}
			}
			return s.page(q.URL)
		},
	}
}

func (s *fakeSite) page(u weburl.URL) (*reader.Answer, *page.Page, error) {
	name := u.String()
	if e := s.errors[name]; e != nil {
		return nil, nil, e
	}
	a := &reader.Answer{Fetch: result.Fetch{Success: true, URL: name, FinalURL: name}}
	if to := s.moved[name]; to != "" {
		a.FinalURL, name = to, to
	}
	html, ok := s.pages[name]
	if s.make != nil && !ok {
		html, ok = s.make(u), true
	}
	if !ok {
		return nil, nil, &tool.Error{Type: tool.HTTPError, Message: "HTTP 404", Status: 404}
	}
	p, err := extract.HTML([]byte(html), extract.Options{URL: name})
	if err != nil {
		return nil, nil, tool.AsError(err)
	}
	a.Title = p.Meta.Title
	a.Metadata.Version = fmt.Sprintf("%012x", hashWord([]byte(markdown.Render(p, markdown.Options{}))))[:12]
	return a, p, nil
}

// html is a page with words of its own and links.
func html(title, words string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s</title></head><body><main><h1>%s</h1>", title, title)
	for i := range 3 {
		fmt.Fprintf(&b, "<p>%s. Paragraph %d of %s tells more about it, at some length, for readers who want to know.</p>", words, i, title)
	}
	for _, l := range links {
		fmt.Fprintf(&b, `<p><a href="%s">%s</a></p>`, l, strings.Trim(strings.ReplaceAll(l, "-", " "), "/"))
	}
	b.WriteString("</main></body></html>")
	return b.String()
}

type bench struct {
	t testing.TB
	*Crawler
	site *fakeSite
}

func newBench(t testing.TB, s *fakeSite) *bench {
	t.Helper()
	f, err := frontier.OpenSQLite(frontier.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return &bench{t, &Crawler{Web: s.web(), Frontier: f, Worker: "test", AtOnce: 1}, s}
}

func (b *bench) create(o Options) string {
	b.t.Helper()
	j, err := b.Create(b.t.Context(), "local", o)
	if err != nil {
		b.t.Fatal(err)
	}
	return j.ID
}

func (b *bench) run(ctx context.Context, id string) *result.Crawl {
	b.t.Helper()
	j, err := b.Run(ctx, id, RunOptions{})
	if err != nil {
		b.t.Fatal(err)
	}
	c, err := b.answer(b.t.Context(), j, 1000)
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

const home = "https://site.example/"

func TestCrawlSite(t *testing.T) {
	b := newBench(t, &fakeSite{
		pages: map[string]string{
			home:                            html("Home", "whales live in the sea", "/a", "/b", "/old", "/missing", "/private/x", "https://other.example/", "/out"),
			home + "a":                      html("Page A", "orcas hunt in groups", "/deep/1", "/a#part"),
			home + "b":                      html("Page B", "dolphins sleep with one half"),
			home + "new":                    html("New", "porpoises are small"),
			home + "deep/1":                 html("Deep", "sperm whales dive", "/deep/2"),
			home + "deep/2":                 html("Deeper", "the deepest page"),
			"https://elsewhere.example/out": html("Out", "another site"),
		},
		moved:  map[string]string{home + "old": home + "new", home + "out": "https://elsewhere.example/out"},
		robots: fetch.ParseRobots([]byte("User-agent: *\nDisallow: /private/\n")),
	})
	c := b.run(t.Context(), b.create(Options{URLs: []string{home}, MaxDepth: 2}))
	var got []string
	for _, p := range c.Pages {
		got = append(got, strings.TrimPrefix(p.URL, home)+":"+p.Error)
	}
	slices.Sort(got)
	if want := []string{":", "a:", "b:", "deep/1:", "missing:HTTP 404", "new:"}; !slices.Equal(got, want) {
		t.Errorf("pages %q, want %q", got, want)
	}
	if c.Stopped != stopFinished || c.State != "done" || c.Read != 5 || c.Failures != 1 || c.Refused != 1 || c.Left != 0 || c.Reasons[reasonOffSite] != 1 {
		t.Errorf("crawl %+v", c)
	}
	// A page is left out because of the depth, so that "finished" is not the whole truth.
	if want := []string{"Not followed, because they are too far from the start: 1 link. A larger max_depth follows them."}; !slices.Equal(c.Notices, want) {
		t.Errorf("notices %q, want %q", c.Notices, want)
	}
	if s := CrawlText(c, false, 2000, 0); !strings.HasPrefix(s, "read 5, failed 1, refused 1, left 0; stopped: finished\n\n") || !strings.Contains(s, "- Page A — https://site.example/a (") ||
		!strings.HasSuffix(s, "\nCall web_crawl with job=c1 to go on.") {
		t.Errorf("text:\n%s", s)
	}
}

// TestCrawlQuery wants the page that answers early, and a reason to stop.
func TestCrawlQuery(t *testing.T) {
	pages := map[string]string{}
	var links []string
	for i := range 60 {
		name := fmt.Sprintf("/topic-%d-about-subject", i)
		links = append(links, name)
		pages[home+name[1:]] = html(fmt.Sprint("Topic ", i), fmt.Sprintf("words of topic number%d and its parts", i))
	}
	pages[home] = html("Home", "all topics", append(links, "/krill-feeding")...)
	pages[home+"krill-feeding"] = html("How whales eat krill", "baleen whales filter krill from the water")
	b := newBench(t, &fakeSite{pages: pages})
	c := b.run(t.Context(), b.create(Options{URLs: []string{home}, Query: "krill feeding of baleen whales"}))
	if len(b.site.reads) < 2 || b.site.reads[1] != home+"krill-feeding" {
		t.Errorf("read in the order %q", b.site.reads)
	}
	if c.Stopped != stopSaturated || c.Read > 20 || c.Left == 0 {
		t.Errorf("crawl %+v", c)
	}
	if len(c.Passages) == 0 || c.Passages[0].URL != home+"krill-feeding" || !strings.Contains(c.Passages[0].Text, "filter krill") || c.Passages[0].Section == "" || c.Passages[0].Version == "" {
		t.Errorf("passages %+v", c.Passages)
	}
	if s := CrawlText(c, true, 1000, 0); !strings.HasSuffix(s, "\nCall web_crawl with job=c1 to go on, or web_recall with job=c1 and a query.") {
		t.Errorf("%s", s)
	}
	if s := CrawlText(c, true, 1000, 900); len(s) >= 900 || !strings.Contains(s, "krill") {
		t.Errorf("%d bytes:\n%s", len(s), s)
	}
}

func TestCrawlLimitAndResume(t *testing.T) {
	s := &fakeSite{make: func(u weburl.URL) string {
		return html("Page "+u.Path(), "text of "+strings.Repeat(u.Path()+" ", 20), "/p"+fmt.Sprint(len(u.Path())), "/q"+u.Path()[1:], "/r"+u.Path()[1:])
	}}
	b := newBench(t, s)
	id := b.create(Options{URLs: []string{home}, MaxPages: 4, MaxDepth: 9})
	if c := b.run(t.Context(), id); c.Stopped != stopPageLimit || c.Read != 4 || c.State != "done" {
		t.Errorf("crawl %+v", c)
	}
	j, err := b.Job(t.Context(), "local", id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Job(t.Context(), "token:x", id); err == nil {
		t.Error("another owner sees the job")
	}
	if _, err := b.grow(t.Context(), j, 3); err != nil {
		t.Fatal(err)
	}
	c := b.run(t.Context(), id)
	seen := map[string]int{}
	for _, p := range c.Pages {
		seen[p.URL]++
	}
	if c.Read != 7 || len(seen) != 7 {
		t.Errorf("crawl %+v", c)
	}
}

// TestCrawlTrap wants a maze of near-duplicates to end.
func TestCrawlTrap(t *testing.T) {
	n := 0
	s := &fakeSite{make: func(u weburl.URL) string {
		n++
		if u.Path() == "/" {
			return html("Home", "the start of all", "/calendar/2026-01", "/maze/1", "/real")
		}
		if u.Path() == "/real" {
			return html("Real", "a page of its own with other words than all of the rest")
		}
		if strings.HasPrefix(u.Path(), "/calendar/") {
			return html("Calendar", strings.Repeat("no events in this month at all ", 20), fmt.Sprintf("/calendar/%d-01", 2000+n), fmt.Sprintf("/calendar/%d-02", 2000+n))
		}
		return html("Maze", strings.Repeat("you are in a maze of little passages all alike ", 20), u.Path()+"/next", fmt.Sprintf("/maze/%d", n))
	}}
	b := newBench(t, s)
	c := b.run(t.Context(), b.create(Options{URLs: []string{home}, MaxPages: 500, MaxDepth: 400}))
	if c.Stopped != stopFinished || len(s.reads) > 250 || c.NearDuplicates < 2*maxDuplicateRun {
		t.Errorf("%d reads; crawl %+v", len(s.reads), c)
	}
	if !slices.ContainsFunc(c.Pages, func(p result.CrawlPage) bool { return p.URL == home+"real" }) {
		t.Error("the real page was not read")
	}
}

// TestCrawlEndlessTemplates wants a site to end that answers every address with the same
// page, which links to addresses of ever new templates.
func TestCrawlEndlessTemplates(t *testing.T) {
	n := 0
	s := &fakeSite{make: func(weburl.URL) string {
		links := ""
		for range 10 {
			if n++; n < 3000 { // so that the test ends
				links += "<a href=/" + strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(n)) + "/x/>on</a> "
			}
		}
		maze := html("Maze", strings.Repeat("you are in a maze of little passages all alike ", 20))
		return strings.Replace(maze, "</main>", "</main><nav>"+links+"</nav>", 1)
	}}
	b := newBench(t, s)
	c := b.run(t.Context(), b.create(Options{URLs: []string{home}, MaxPages: 5, MaxDepth: 400}))
	if c.Stopped != stopSaturated || len(s.reads) > 100 {
		t.Errorf("%d reads; crawl %+v", len(s.reads), c)
	}
}

// A crawl with a query does not go on because of pages that it cannot read, however
// much their addresses promise: those of other sites, refused ones, and missing ones.
func TestCrawlQueryUnreadable(t *testing.T) {
	pages := map[string]string{}
	var links []string
	for i := range 60 {
		name := fmt.Sprintf("/topic-%d-about-subject", i)
		links = append(links, name)
		pages[home+name[1:]] = html(fmt.Sprint("Topic ", i), fmt.Sprintf("words of topic number%d and its parts", i))
	}
	for _, c := range []struct{ name, link string }{
		{"another site", "https://other.example/krill-feeding-of-baleen-whales"},
		{"excluded", "/old/krill-feeding-of-baleen-whales"},
		{"refused by robots.txt", "/private/krill-feeding-of-baleen-whales"},
		{"missing", "/krill-feeding-of-baleen-whales"},
		{"too deep in folders", "/x/x/x/x/krill-feeding-of-baleen-whales"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pages[home] = html("Home", "all topics", append(links, "/krill-feeding", c.link)...)
			pages[home+"krill-feeding"] = html("How whales eat krill", "baleen whales filter krill from the water")
			b := newBench(t, &fakeSite{pages: pages, robots: fetch.ParseRobots([]byte("User-agent: *\nDisallow: /private/\n"))})
			got := b.run(t.Context(), b.create(Options{URLs: []string{home}, Query: "krill feeding of baleen whales", Exclude: []string{"/old"}}))
			if got.Stopped != stopSaturated || got.Read > 25 {
				t.Errorf("read %d; stopped: %s", got.Read, got.Stopped)
			}
		})
	}
}

// A job lists the first addresses that robots.txt refuses, each once, also over several
// runs, and none that is very long.
func TestRobotsListed(t *testing.T) {
	p := progress{}
	for range 2 {
		p.refuse(home + strings.Repeat("x", maxRobotsBytes))
		for i := range maxRobots + 5 {
			p.refuse(fmt.Sprint(home, i))
		}
	}
	if len(p.Robots) != maxRobots || p.Robots[0] != home+"0" || p.Robots[maxRobots-1] != fmt.Sprint(home, maxRobots-1) {
		t.Errorf("%d: %q", len(p.Robots), p.Robots)
	}
	if size := len(encode(p)); size > frontier.MaxMeta*3/4 {
		t.Errorf("%d bytes", size)
	}
}

func TestCrawlRefused(t *testing.T) {
	for _, c := range []struct {
		name, robots string
		status       int
		ignore       bool
		want, reason string
	}{
		{"robots", "User-agent: *\nDisallow: /\n", 0, false, stopBlockedByRobots, reasonRobots},
		{"signal", "User-agent: *\nContent-Signal: ai-input=no\n", 0, false, stopBlockedByRobots, reasonSignal},
		{"signal overridden", "User-agent: *\nContent-Signal: ai-input=no\n", 0, true, stopFinished, ""},
		{"other signal", "User-agent: *\nContent-Signal: ai-train=no\n", 0, false, stopFinished, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, &fakeSite{pages: map[string]string{home: html("Home", "some words")}, robots: fetch.ParseRobots([]byte(c.robots))})
			got := b.run(t.Context(), b.create(Options{URLs: []string{home}, IgnoreSignals: c.ignore}))
			if got.Stopped != c.want || c.reason != "" && (got.Reasons[c.reason] != 1 || got.Refused != 1 || len(b.site.reads) > 0) {
				t.Errorf("crawl %+v after %q", got, b.site.reads)
			}
			if refused := strings.Join(got.RobotsRefused, " "); (refused == home) != (c.reason == reasonRobots) || refused != home && refused != "" {
				t.Errorf("listed as refused by robots.txt: %q", refused)
			}
			if c.want == stopFinished && got.Pages[0].Signals == nil && strings.Contains(c.robots, "Signal") {
				t.Error("the signal is not recorded")
			}
		})
	}
}

// TestCrawlPace wants Crawl-delay, Retry-After and the pace of a site kept.
func TestCrawlPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeSite{pages: map[string]string{
			home:       html("Home", "the first page", "/a", "/b", "/c"),
			home + "a": html("A", "one thing"), home + "b": html("B", "another matter"), home + "c": html("C", "quite different")},
			robots: fetch.ParseRobots([]byte("User-agent: *\nCrawl-delay: 7\n"))}
		b := newBench(t, s)
		c := b.run(t.Context(), b.create(Options{URLs: []string{home}}))
		if c.Read != 4 || s.most != 1 {
			t.Errorf("crawl %+v, %d at a time", c, s.most)
		}
		for i := 1; i < len(s.times); i++ {
			if d := s.times[i].Sub(s.times[i-1]); d < 7*time.Second {
				t.Errorf("read %d came after %v", i, d)
			}
		}
	})
}

func TestCrawlBusySite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeSite{pages: map[string]string{home: html("Home", "the first page", "/a"), home + "a": html("A", "one thing")},
			errors: map[string]*tool.Error{home + "a": {Type: tool.HTTPError, Message: "HTTP 429", Status: http.StatusTooManyRequests, Retryable: true, RetryAfter: 10 * time.Minute}}}
		b := newBench(t, s)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		id := b.create(Options{URLs: []string{home}})
		before := time.Now()
		var waits []time.Time
		j, err := b.Run(ctx, id, RunOptions{Progress: func(p Progress) {
			if !p.Waits.IsZero() {
				waits = append(waits, p.Waits)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := b.answer(t.Context(), j, 100)
		if err != nil || c.Stopped != stopTimeLimit || c.State != "stopped" || c.Left != 1 || c.Reasons["http_429"] != 1 {
			t.Errorf("crawl %+v, %v", c, err)
		}
		// People are told once when the next request is due, and so is who goes on with the job.
		if len(waits) != 1 || waits[0].Sub(before) < 10*time.Minute || len(c.Notices) != 1 || c.Notices[0] != "The next request is due at "+waits[0].UTC().Format("15:04:05 UTC")+", because a site asks to wait or is tried again after an error; resume the job then." {
			t.Errorf("told to wait until %v; notices %q", waits, c.Notices)
		}
		before = time.Now()
		s.mu.Lock()
		delete(s.errors, home+"a")
		s.mu.Unlock()
		if c := b.run(t.Context(), id); c.Read != 2 || time.Since(before) < 8*time.Minute || c.Stopped != stopFinished || len(c.Notices) > 0 {
			t.Errorf("crawl %+v after %v", c, time.Since(before))
		}
	})
}

// A robots.txt that cannot be read for a moment does not cost the pages that only the map
// names.
func TestRobotsUnreadableAtFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &fakeSite{pages: map[string]string{home: html("Home", "words"), home + "b": html("B", "more of other words than these")}})
		begun := time.Now()
		b.Web.Robots = func(context.Context, weburl.URL) (fetch.Robots, error) {
			if time.Since(begun) < 20*time.Second {
				return fetch.Robots{Status: 503, Sitemaps: []string{home + "sitemap.xml"}}, nil
			}
			return fetch.Robots{}, nil
		}
		b.Web.Fetch = func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{URL: q.URL, Status: 200, Body: []byte("<urlset><url><loc>" + home + "b</loc></url></urlset>")}, nil
		}
		if c := b.run(t.Context(), b.create(Options{URLs: []string{home}})); c.Read != 2 || c.Refused != 0 || c.Stopped != stopFinished {
			t.Errorf("crawl %+v", c)
		}
	})
}

// TestCrawlStopped stops a job while it reads.
func TestCrawlStopped(t *testing.T) {
	s := &fakeSite{pages: map[string]string{home: html("Home", "words", "/a"), home + "a": html("A", "more")}, block: make(chan struct{})}
	b := newBench(t, s)
	id := b.create(Options{URLs: []string{home}})
	done := make(chan *result.Crawl)
	go func() { done <- b.run(t.Context(), id) }()
	s.block <- struct{}{} // the first read is under way
	if _, err := b.Stop(t.Context(), "local", id); err != nil {
		t.Fatal(err)
	}
	close(s.block)
	c := <-done
	if c.State != "stopped" || c.Stopped != StopAsked || c.Read > 2 {
		t.Errorf("crawl %+v", c)
	}
	if c = b.run(t.Context(), id); c.State != "done" || c.Read != 2 {
		t.Errorf("resumed to %+v", c)
	}
}

func TestCrawlSince(t *testing.T) {
	s := &fakeSite{pages: map[string]string{home: html("Home", "words", "/a", "/b", "/c"), home + "a": html("A", "same"), home + "b": html("B", "before"), home + "c": html("C", "goes away")}}
	b := newBench(t, s)
	first := b.create(Options{URLs: []string{home}})
	b.run(t.Context(), first)
	s.pages[home+"b"] = html("B", "after it was changed")
	s.pages[home] = html("Home", "words", "/a", "/b", "/c", "/d")
	s.pages[home+"d"] = html("D", "new here")
	delete(s.pages, home+"c")
	c := b.run(t.Context(), b.create(Options{URLs: []string{home}, Since: first}))
	change := map[string]string{}
	for _, p := range c.Pages {
		change[strings.TrimPrefix(p.URL, home)] = p.Change
	}
	if change["a"] != "unchanged" || change["b"] != "changed" || change["c"] != "gone" || change["d"] != "added" || c.Added != 1 || c.Changed != 2 || c.Gone != 1 {
		t.Errorf("changes %v; %+v", change, c)
	}
}

func TestBatch(t *testing.T) {
	s := &fakeSite{pages: map[string]string{home: html("Home", "words", "/a"), "https://other.test.example/": html("Other", "text")}}
	b := newBench(t, s)
	c := b.run(t.Context(), b.create(Options{URLs: []string{home, "https://other.test.example/", home + "gone", "not an address"}, Batch: true}))
	if c.Read != 2 || c.Failures != 1 || c.Kind != KindBatch || c.Stopped != stopFinished {
		t.Errorf("batch %+v", c)
	}
}

func TestSimHash(t *testing.T) {
	hash := func(words string) uint64 {
		return simHash(&page.Page{Blocks: []page.Block{{Text: words}}})
	}
	long := ""
	for i := range 300 {
		long += fmt.Sprintf("word%d ", i*i%173)
	}
	s := newSimilar()
	s.add("first", "v1", hash(long))
	for _, c := range []struct{ version, words, want string }{
		{"v2", long, "first"},
		{"v2", long + "one more", "first"},
		{"v1", "short", "first"},
		{"v2", "short", ""},
		{"v2", strings.ReplaceAll(long, "word1", "other"), ""},
	} {
		if got := s.find(c.version, hash(c.words)); got != c.want {
			t.Errorf("%s, %.20s…: %q, want %q", c.version, c.words, got, c.want)
		}
	}
}

func TestIsTrap(t *testing.T) {
	for _, c := range []struct {
		path string
		want bool
	}{
		{"/docs/a/b?x=1", false},
		{"/2026/03/31/title", false},
		{"/a/a/a/a", true},
		{"/" + strings.Repeat("x/", 20), true},
		{"/?a=1&b=2&c=3&d=4&e=5&f=6&g=7", true},
		{"/" + strings.Repeat("x", 1001), true},
	} {
		u, err := weburl.Parse(home + c.path[1:])
		if err != nil {
			t.Fatal(err)
		}
		if got := isTrap(u); got != c.want {
			t.Errorf("isTrap(%.40s) = %v", c.path, got)
		}
	}
}

// TestLinksOfTheHead: pages that only the head names are read too; feeds and style
// sheets are not.
func TestLinksOfTheHead(t *testing.T) {
	s := &fakeSite{pages: map[string]string{
		home: strings.Replace(html("Home", textOf(0)), "<head>", `<head><link rel=next href="/2"><link rel="alternate" hreflang="de" href="/de">
			<link rel=alternate type="application/rss+xml" href="/feed"><link rel="alternate stylesheet" href="/style"><link rel=alternate type="application/json+oembed" href="/embed"><link rel=next href="https://other.example/">`, 1),
		home + "2":  strings.Replace(html("Two", textOf(1)), "<head>", `<head><link rel=prev href="/1">`, 1),
		home + "1":  html("One", textOf(2)),
		home + "de": html("Deutsch", textOf(3)),
	}}
	b := newBench(t, s)
	b.run(t.Context(), b.create(Options{URLs: []string{home}}))
	if got := slices.Sorted(slices.Values(s.reads)); !slices.Equal(got, []string{home, home + "1", home + "2", home + "de"}) {
		t.Errorf("read: %q", got)
	}
}

// A site that is too slow for its map to be read in time: the job says so, says why so
// little was read, and reads the map when it goes on.
func TestSlowSite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pages := map[string]string{home: html("Home", "words", "/a"), home + "a": html("A", "one of the things that there are"), home + "only-in-the-map": html("B", "and a quite different matter")}
		b := newBench(t, &fakeSite{pages: pages})
		pause := 4 * time.Second
		wait := func(ctx context.Context) error {
			select {
			case <-time.After(pause):
				return nil
			case <-ctx.Done():
				return tool.AsError(ctx.Err())
			}
		}
		read, start := b.Web.Read, b.Web.Page
		b.Web.Page = func(ctx context.Context, q ReadRequest) (*page.Page, error) {
			if err := wait(ctx); err != nil {
				return nil, err
			}
			return start(ctx, q)
		}
		b.Web.Read = func(ctx context.Context, q ReadRequest) (*reader.Answer, *page.Page, error) {
			if err := wait(ctx); err != nil {
				return nil, nil, err
			}
			return read(ctx, q)
		}
		b.Web.Fetch = func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
			if err := wait(ctx); err != nil {
				return nil, err
			}
			return &fetch.Response{URL: q.URL, Status: 200, Body: []byte("<urlset><url><loc>" + home + "only-in-the-map</loc></url></urlset>")}, nil
		}
		b.Web.Robots = func(context.Context, weburl.URL) (fetch.Robots, error) {
			return fetch.Robots{Sitemaps: []string{home + "sitemap.xml"}}, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		id := b.create(Options{URLs: []string{home}})
		c := b.run(ctx, id)
		if c.Stopped != stopTimeLimit || c.Read != 2 || len(c.Notices) != 2 || !strings.HasPrefix(c.Notices[0], "The map of the site could not be read in time") ||
			c.Notices[1] != "A page took 4s: more pages need more time." {
			t.Errorf("read %d; stopped: %s; %q", c.Read, c.Stopped, c.Notices)
		}
		pause = 0
		if c := b.run(t.Context(), id); c.Stopped != stopFinished || c.Read != 3 || len(c.Notices) != 0 {
			t.Errorf("read %d; stopped: %s; %q", c.Read, c.Stopped, c.Notices)
		}
	})
}

// A batch has a record for each address, also for one that the policy refuses.
func TestBatchRefused(t *testing.T) {
	b := newBench(t, &fakeSite{pages: map[string]string{home + "a": html("A", "one thing")}})
	b.Web.Judge = func(u weburl.URL) error {
		if u.Host() == "10.0.0.1" {
			return tool.NewError(tool.Blocked, "10.0.0.1 is not a public address", "")
		}
		return nil
	}
	c := b.run(t.Context(), b.create(Options{URLs: []string{home + "a", "http://10.0.0.1/x"}, Batch: true}))
	if c.Read != 1 || c.Failures != 1 || c.Refused != 0 || !slices.ContainsFunc(c.Pages, func(p result.CrawlPage) bool { return p.URL == "http://10.0.0.1/x" && p.Error != "" }) {
		t.Errorf("read %d, failed %d, refused %d; %+v", c.Read, c.Failures, c.Refused, c.Pages)
	}
}

// A crawl whose include matches nothing says so, and one that goes on with a job says that
// it does not use a new query.
func TestCrawlSaysWhatItDoesNotUse(t *testing.T) {
	b := newBench(t, &fakeSite{pages: map[string]string{home: html("Home", "words", "/a", "/b"), home + "a": html("A", "one thing")}})
	c, err := b.Call(t.Context(), "local", Call{Options: Options{URLs: []string{home}, Include: []string{home + "a"}}})
	if err != nil || c.Read != 1 || len(c.Notices) != 1 || !strings.HasPrefix(c.Notices[0], "No URL that the map of the site names passes include and exclude") {
		t.Fatalf("%+v, %v", c, err)
	}
	c, err = b.Call(t.Context(), "local", Call{Job: c.Job, Options: Options{Query: "whales"}})
	if err != nil || len(c.Notices) != 2 || !strings.HasPrefix(c.Notices[1], "The query of this call was not used") {
		t.Errorf("%+v, %v", c, err)
	}
}

// A host that does not exist is not tried again.
func TestCrawlUnknownHost(t *testing.T) {
	client, err := fetch.New(fetch.Options{Judge: func(u weburl.URL) (weburl.URL, error) { return u, nil }, RoundTripper: noHost{}})
	if err != nil {
		t.Fatal(err)
	}
	u, _ := weburl.Parse(home)
	_, unknown := client.Get(t.Context(), fetch.Request{URL: u})
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &fakeSite{errors: map[string]*tool.Error{home: {Type: tool.ConnectionError, Message: "no such host", Retryable: true, Cause: unknown}}})
		begun := time.Now()
		if c := b.run(t.Context(), b.create(Options{URLs: []string{home}})); c.Failures != 1 || c.Stopped != stopUnreachable || time.Since(begun) > time.Second {
			t.Errorf("failed %d; stopped: %s after %v", c.Failures, c.Stopped, time.Since(begun))
		}
	})
}

type noHost struct{}

func (noHost) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
}

// Words that follow each other as in the query count more than the same words apart.
func TestFocusPairs(t *testing.T) {
	f := NewFocus("version 4.17.2")
	for _, name := range []string{"log/2_17_4", "log/4_2_17", "log/17_4_2", "log/4_17_2", "log/4_17_3", "log/4_2"} {
		u, err := weburl.Parse(home + name)
		if err != nil {
			t.Fatal(err)
		}
		f.Know(u, "")
	}
	if best := f.Next(); best != home+"log/4_17_2" {
		t.Errorf("read first: %s", best)
	}
}

// TestFocusMemory: of what pages say, a crawl remembers the words of its query only.
func TestFocusMemory(t *testing.T) {
	var words strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&words, "word%d ", i)
	}
	u, err := weburl.Parse(home)
	if err != nil {
		t.Fatal(err)
	}
	p, err := extract.HTML([]byte(html("Ferries", words.String()+"and a ferry", "/word1", "/ferry")), extract.Options{URL: home})
	if err != nil {
		t.Fatal(err)
	}
	f := NewFocus("ferry times")
	if match := f.Read(u, p, nil); match == 0 {
		t.Error("the page does not match")
	}
	if n := len(f.words.texts); n != 2 {
		t.Errorf("the frequencies of %d words are kept; the query has 2", n)
	}
	for _, p := range f.listed {
		for _, text := range append(p.anchors, p.around) {
			for _, w := range text {
				if w != "" && !slices.Contains(f.query.words, w) {
					t.Errorf("%s: the word %q of a link is kept", p.url, w)
				}
			}
		}
	}
}

// TestSiteBudget: one site cannot use up a crawl that begins on several, so that each is read.
func TestSiteBudget(t *testing.T) {
	var links []string
	pages := map[string]string{"https://two.example/": html("Two", "dolphins sleep with one half")}
	for i := range 20 {
		name := fmt.Sprintf("%c", 'a'+i)
		links = append(links, "/"+name)
		pages[home+name] = html("Page "+name, "orcas hunt in group number "+name)
	}
	pages[home] = html("Home", "whales live in the sea", links...)
	b := newBench(t, &fakeSite{pages: pages, robots: fetch.ParseRobots([]byte("User-agent: *\nDisallow: /private/\n"))})
	id := b.create(Options{URLs: []string{home, "https://two.example/", "https://three.example/private/"}, MaxPages: 4})
	c := b.run(t.Context(), id)
	const notice = "One site may take 2 of the 4 pages of this crawl, because it begins on several sites."
	if c.Read != 3 || c.Refused != 1 || c.Left != 19 || c.Stopped != stopPageLimit || !slices.Contains(c.Notices, notice) {
		t.Errorf("%+v", c)
	}
	j, err := b.Job(t.Context(), "local", id)
	if err == nil {
		_, err = b.grow(t.Context(), j, 3)
	}
	if err != nil {
		t.Fatal(err)
	}
	if c = b.run(t.Context(), id); c.Read != 6 || c.Stopped != stopPageLimit {
		t.Errorf("after three further pages: %+v", c)
	}
}

package live

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// history has versions of two pages.
type history []tool.Version

func (h history) Recent(context.Context, int) []tool.Version { return h }

func (h history) Version(_ context.Context, hash string, _ tool.Options) (tool.Version, error) {
	for _, v := range h {
		if v.Hash == hash {
			return v, nil
		}
	}
	return tool.Version{}, tool.NewError(tool.NoContent, "this version of a page is not stored for this caller", "read the page again with web_fetch")
}

// browsers has two contexts, of which one is closed.
type browsers struct{}

func (browsers) BrowserViews(context.Context) ([]result.BrowserView, <-chan struct{}) {
	return []result.BrowserView{
		{ID: "4", Context: "c1", URL: "https://a.example/<", Title: "<b>Shop", Number: 7, Steps: []result.BrowserStep{{Tool: "browser_click", Ref: `button "<i>"`, About: "to e<9>", Err: tool.BrowserError}}},
		{ID: "2", Context: "c2", Ended: true},
	}, make(chan struct{})
}

func (browsers) BrowserPicture(_ context.Context, id string) (result.BrowserPicture, error) {
	if id != "4" {
		return result.BrowserPicture{}, tool.NewError(tool.NoContent, "this browser context is not open", "open a page with navigate_to_url")
	}
	return result.BrowserPicture{JPEG: []byte("jpeg"), Width: 1280, Height: 800, Ref: `"><script>`, X: 10, Y: 20, W: 30, H: 40}, nil
}

// crawls has one job that has ended and one that ends after it was looked at.
type crawls struct{ looks int }

func (c *crawls) StartCrawl(context.Context, result.CrawlRequest) (*result.Crawl, error) {
	return nil, nil
}
func (c *crawls) StopCrawl(context.Context, string) error { return nil }

func (c *crawls) CrawlJobs(context.Context) ([]*result.Crawl, error) {
	c8 := &result.Crawl{Job: "c8", State: "running", URLs: []string{"https://b.example/"}, Read: 1}
	if c.looks++; c.looks > 1 {
		c8.State, c8.Stopped, c8.Read, c8.Failures, c8.Reasons = "done", "finished", 6, 2, map[string]int64{"http_404": 2}
	}
	return []*result.Crawl{
		c8,
		{Job: "c7", State: "done", Stopped: "saturated", URLs: []string{"https://a.example/"}, Query: "<b>fog", Read: 30, NearDuplicates: 4},
	}, nil
}

func (c *crawls) CrawlStatus(ctx context.Context, job string) (*result.Crawl, error) {
	all, _ := c.CrawlJobs(ctx)
	for _, j := range all {
		if j.Job == job {
			return j, nil
		}
	}
	return nil, tool.NewError(tool.InvalidInput, "there is no job "+job, "list the jobs")
}

func (c *crawls) CrawlPages(_ context.Context, _ string, after int64, n int, _ bool) (*result.CrawlPages, error) {
	if after != -latestPages || n != latestPages {
		return nil, errors.New("other pages are expected")
	}
	at := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	out := &result.CrawlPages{Next: 5, Pages: []result.CrawlPage{
		{URL: "https://b.example/x", Cursor: 4, FetchedAt: at, Error: "<i>gone"}, {URL: "https://b.example/y", Cursor: 5, Title: "<u>Y", Verdict: "complete", FetchedAt: at.Add(time.Second)}}}
	if c.looks > 1 {
		out.Next, out.Pages = 6, append(out.Pages, result.CrawlPage{URL: "https://b.example/6", Cursor: 6})
	}
	return out, nil
}

// newHandler is a Handler whose tools answer as call does.
func newHandler(call func(name string, args map[string]any) (any, error)) *Handler {
	var tools []tool.Declaration
	for _, name := range []string{"web_fetch", "web_search", "web_map", "web_recall", "navigate_to_url"} {
		tools = append(tools, tool.Declaration{Name: name})
	}
	then := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	return New(Options{
		Tools: tools, Owner: func(context.Context) string { return "anonymous" }, NeedsToken: func() bool { return false }, Meaning: func(tool.ErrorType) string { return "it failed" },
		Versions: history{{URL: "https://a.example/", Hash: "2", Seen: then, Text: "one <b>three"}, {URL: "https://b.example/", Hash: "9", Seen: then}, {URL: "https://a.example/", Hash: "1", Seen: then, Text: "one two"}},
		Browsers: browsers{},
		Jobs:     &crawls{},
		Compare: func(a, b string) []result.Change {
			return []result.Change{{Old: a, New: b, Section: "S <i>"}, {New: "new"}, {Old: "old"}}
		},
		Call: func(_ context.Context, name string, raw json.RawMessage) (tool.Result, error) {
			var args map[string]any
			if err := json.Unmarshal(raw, &args); err != nil {
				return tool.Result{}, err
			}
			data, err := call(name, args)
			return tool.Result{Data: data}, err
		},
	})
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w
}

// TestViews: what each view asks its tool for, and shows of the answer.
func TestViews(t *testing.T) {
	found := &result.Search{Provider: "kagi", Results: []result.Hit{{Title: "<b>Whales", URL: "https://w.example/?a=1&b=2", Snippet: "sleep <i>", Published: "2026-01-02"}, {URL: "javascript:alert(1)"}}}
	site := &result.SiteMap{Total: 3, BySource: map[string]int{"sitemap": 3}, Refused: 2, Links: []result.MapLink{
		{URL: "https://a.example/docs/x"}, {URL: "https://a.example/docs/y?z=1", Title: "<u>Y"}, {URL: "https://a.example/", Disallowed: true}},
		Files: []result.MapFile{{URL: "https://a.example/sitemap.xml", Error: "is <not> XML"}}}
	for name, c := range map[string]struct {
		path string
		args map[string]any // that the tool got; nil: none was called
		data any
		err  error
		code int
		want []string
	}{
		"search":           {"/search", nil, nil, nil, 200, []string{"Search the web"}},
		"results":          {"/search?query=whales+sleep&site=w.example&time_range=week", map[string]any{"query": "whales sleep", "site": "w.example", "time_range": "week", "max_results": 10.0}, found, nil, 200, []string{`<a href="/?url=https%3a%2f%2fw.example%2f%3fa%3d1%26b%3d2"><bdi>&lt;b&gt;Whales</bdi></a>`, "sleep &lt;i&gt;", "2 results from kagi", "<bdi>javascript:alert(1)</bdi>", `rel="noopener noreferrer nofollow"`}},
		"no results":       {"/search?query=x", map[string]any{"query": "x", "max_results": 10.0}, &result.Search{Provider: "kagi"}, nil, 200, []string{"has no results"}},
		"a failed search":  {"/search?query=x", map[string]any{"query": "x", "max_results": 10.0}, nil, tool.NewError(tool.SearchError, "kagi <does> not answer", "ask again"), 502, []string{"kagi &lt;does&gt; not answer", "Next step: ask again."}},
		"a fault":          {"/search?query=x", map[string]any{"query": "x", "max_results": 10.0}, nil, errors.New("c4n4ry"), 500, []string{"InternalError"}},
		"sites":            {"/sites", nil, nil, nil, 200, []string{"Map a site", "<code>c7</code>", "saturated", "&lt;b&gt;fog", `<td class="n">30</td>`, `<tbody data-stream="/sites/events">`}},
		"a crawl":          {"/sites?job=c8", nil, nil, nil, 200, []string{"Crawl <code>c8</code>", `data-stream="/sites/events?job=c8&amp;after=5" data-most="50"`, "<dt>pages a minute</dt><dd><bdi>60</bdi>", `<tr id="page-5">`, "&lt;u&gt;Y", "&lt;i&gt;gone"}},
		"an ended crawl":   {"/sites?job=c7", nil, nil, nil, 200, []string{"The rest of the pages look unlikely to help.", `<tbody id="pages">`}},
		"an unknown crawl": {"/sites?job=c9", nil, nil, nil, 400, []string{"there is no job c9", "Next step: list the jobs."}},
		"crawl events":     {"/sites/events?job=c8&after=5", nil, nil, nil, 200, []string{"id: 6\ndata: <tr id=\"page-6\">", `data: <div id="state"`, `>done</span> <span class="soft">finished</span> Every page was fetched.`, "<dt>http_404</dt><dd><bdi>2</bdi>", "event: over\ndata:\n\n"}},
		"events of all":    {"/sites/events", nil, nil, nil, 200, []string{`data: <tr id="job-c8">`, "finished", "event: over\n"}},
		"events of none":   {"/sites/events?job=c9", nil, nil, nil, 400, []string{"there is no job c9"}},
		"a map":            {"/sites?url=a.example", map[string]any{"url": "a.example"}, site, nil, 200, []string{`<summary><bdi>a.example</bdi> <span class="chip">3</span>`, `<summary><bdi>docs</bdi> <span class="chip">2</span>`, "&lt;u&gt;Y", "not for crawlers", "is &lt;not&gt; XML", "refused by the policy"}},
		"a ranked map":     {"/sites?url=a.example&query=y", map[string]any{"url": "a.example", "query": "y"}, site, nil, 200, []string{`<ol class="hits">`, "https://a.example/docs/x"}},
		"pages":            {"/versions", nil, nil, nil, 200, []string{`<a href="/versions?url=https%3a%2f%2fa.example%2f"><bdi>https://a.example/</bdi></a> <span class="soft">2 versions`, "1 version "}},
		"the last two":     {"/versions?url=https://a.example/", nil, nil, nil, 200, []string{"S &lt;i&gt;", "one <del>two</del><ins>&lt;b&gt;three</ins>", `<div class="added"><span class="hide">added: </span><p dir="auto"><ins>new</ins>`, "<del>old</del>", "changed 1"}},
		"only one":         {"/versions?url=https://b.example/", nil, nil, nil, 200, []string{"Compare"}},
		"recall":           {"/recall", nil, nil, nil, 200, []string{"Nothing is fetched."}},
		"recalled": {"/recall?query=fog&site=a.example", map[string]any{"query": "fog", "site": "a.example"}, &result.Recall{Searched: 9, Refused: 2, Pages: []result.RecalledPage{{URL: "https://a.example/", Title: "<b>Fog", Version: "0a1b", Passages: []result.Passage{{Text: "in <i>fog", Section: "S", Link: "https://a.example/#:~:text=in"}, {Text: "x", Link: "javascript:x"}}}}}, nil, 200,
			[]string{"found 1 of 9 pages", "2 are refused", "&lt;b&gt;Fog", "<b>S</b> in &lt;i&gt;fog", `href="https://a.example/#:~:text=in" rel="noopener noreferrer nofollow"`}},
		"nothing recalled":     {"/recall?query=fog", map[string]any{"query": "fog"}, &result.Recall{}, nil, 200, []string{"No page that was read before"}},
		"browsers":             {"/browser", nil, nil, nil, 200, []string{`src="/browser/picture?id=4&amp;n=7"`, "&lt;b&gt;Shop", "button &#34;&lt;i&gt;&#34;", "to e&lt;9&gt;", "BrowserError", "The browser of this context is closed."}},
		"a picture":            {"/browser/picture?id=4&n=7", nil, nil, nil, 200, []string{`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 800"`, "data:image/jpeg;base64,anBlZw==", `<rect x="7.0" y="17.0" width="36.0" height="46.0"`, `<text x="10.0" y="78.0"`, "&#34;&gt;&lt;script&gt;</text>"}},
		"a picture of another": {"/browser/picture?id=5", nil, nil, nil, 422, []string{"this browser context is not open"}},
		"a version of another": {"/versions?from=1&to=7", nil, nil, nil, 422, []string{"is not stored for this caller"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // a page that takes a while is begun with status 200
				var got map[string]any
				h := newHandler(func(_ string, args map[string]any) (any, error) { got = args; return c.data, c.err })
				w := get(h, c.path)
				if w.Code != c.code || !reflect.DeepEqual(got, c.args) {
					t.Errorf("%d, called with %v", w.Code, got)
				}
				for _, want := range c.want {
					if !strings.Contains(w.Body.String(), want) {
						t.Errorf("not there: %s\n%s", want, w.Body)
					}
				}
				for _, bad := range []string{`href="javascript`, "<b>Whales", "<u>Y", "c4n4ry", "could not be written", `data: <tr id="page-5">`, `data: <tr id="job-c7">`} {
					if strings.Contains(w.Body.String(), bad) {
						t.Errorf("there is %s", bad)
					}
				}
			})
		})
	}
}

// TestSlowCall: a page whose call takes time is painted before it ends, and is whole in
// the end.
func TestSlowCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHandler(func(string, map[string]any) (any, error) {
			time.Sleep(10 * time.Second)
			return nil, tool.NewError(tool.Timeout, "it took too long", "try again")
		})
		w := &flushed{ResponseRecorder: httptest.NewRecorder()}
		start := time.Now()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/search?query=x", nil))
		if w.first == "" || w.after.Sub(start) != soon || !strings.Contains(w.first, "Searching for") || strings.Contains(w.first, "it took too long") {
			t.Errorf("painted after %v: %s", w.after.Sub(start), w.first)
		}
		if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, "it took too long") || !strings.HasSuffix(body, "</html>\n") {
			t.Errorf("%d %s", w.Code, body)
		}
	})
}

// flushed remembers what was sent first.
type flushed struct {
	*httptest.ResponseRecorder
	first string
	after time.Time
}

func (f *flushed) Flush() {
	if f.first == "" {
		f.first, f.after = f.Body.String(), time.Now()
	}
}

// TestRuns: the words that two texts share.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		old, new string
		want     []run
	}{
		{"a b c", "a x c", []run{{"", "a "}, {"del", "b "}, {"ins", "x "}, {"", "c"}}},
		{"", "new", []run{{"ins", "new"}}},
		{"old", "", []run{{"del", "old"}}},
		{"same", "same", []run{{"", "same"}}},
		{"鯨は眠る", "鯨は泳ぐ", []run{{"", "鯨は"}, {"del", "眠る"}, {"ins", "泳ぐ"}}},
		{strings.Repeat("a ", maxWords+1), "b", []run{{"del", strings.Repeat("a ", maxWords+1)}, {"ins", "b"}}},
	} {
		if got := runsOf(c.old, c.new); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%.20q, %.20q: %v", c.old, c.new, got)
		}
	}
}

// TestSessions: a session ends with its time, and the oldest one when there are too
// many.
func TestSessions(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := sessions{now: func() time.Time { return now }}
	with := func(value string) *http.Request {
		r := httptest.NewRequest("GET", "/", nil)
		r.AddCookie(&http.Cookie{Name: cookieName, Value: value})
		return r
	}
	first := s.begin(Identity{Name: "a"})
	if who, ok := s.find(with(first)); !ok || who.Name != "a" {
		t.Error("the session is not found")
	}
	if _, ok := s.find(with(first + "x")); ok {
		t.Error("another value is a session")
	}
	now = now.Add(sessionAge)
	if _, ok := s.find(with(first)); ok {
		t.Error("the session has no end")
	}
	second := s.begin(Identity{Name: "b"})
	third := s.begin(Identity{Name: "c"})
	for range maxSessions {
		now = now.Add(time.Second)
		s.begin(Identity{Name: "c"})
	}
	if _, ok := s.find(with(third)); ok || len(s.all) != maxSessions {
		t.Errorf("%d sessions", len(s.all))
	}
	if _, ok := s.find(with(second)); !ok {
		t.Error("the many sessions of one end that of another")
	}
}

// TestReturned: a page of which a part is shown has the figures of both.
func TestReturned(t *testing.T) {
	page := &result.Fetch{Success: true, URL: "https://a.example/", FinalURL: "https://a.example/", Markdown: "A part.", Truncated: true,
		Metadata: result.Metadata{Tokens: 4100, Window: &result.Window{End: 700, Length: 16000, Limit: 700, FirstToken: 1, LastToken: 180}}}
	h := newHandler(func(string, map[string]any) (any, error) { return page, nil })
	for _, want := range []string{"<dt>tokens</dt><dd><bdi>4,100</bdi>", "<dt>returned</dt><dd><bdi>180 tokens</bdi>"} {
		if body := get(h, "/?url=https://a.example/").Body.String(); !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	page.Metadata.Window.LastToken = 4100
	if body := get(h, "/?url=https://a.example/").Body.String(); strings.Contains(body, "returned") {
		t.Errorf("a whole page says what was returned:\n%s", body)
	}
}

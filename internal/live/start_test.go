package live

import (
	"context"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// work remembers what was asked of it.
type work struct {
	crawls
	started []any
	stopped []string
}

func (w *work) StartCrawl(_ context.Context, q result.CrawlRequest) (*result.Crawl, error) {
	if q.URLs[0] == "http://10.0.0.1/" {
		return nil, tool.NewError(tool.Blocked, "10.0.0.1 is not a public address", "use a public host")
	}
	w.started = append(w.started, q)
	return &result.Crawl{Job: "c9"}, nil
}

func (w *work) AddMonitor(_ context.Context, q result.MonitorRequest) (*result.Monitor, error) {
	w.started = append(w.started, q)
	return &result.Monitor{Monitor: "c9"}, nil
}

func (w *work) StopCrawl(_ context.Context, job string) error {
	w.stopped = append(w.stopped, "job "+job)
	return nil
}

func (w *work) Monitors(context.Context) ([]*result.Monitor, error) {
	return []*result.Monitor{{Monitor: "m1", URLs: []string{"https://a.example/<"}, Every: "6h0m0s", Rounds: 2, Pages: 7, Changes: 3}}, nil
}

func (w *work) MonitorChanges(context.Context, string, int64, time.Time, int) (*result.PageChanges, error) {
	return &result.PageChanges{Changes: []result.PageChange{{URL: "https://a.example/y", Change: "gone"}, {URL: "https://a.example/x", Change: "changed", Title: "<b>X"}}}, nil
}

func (w *work) RemoveMonitor(_ context.Context, monitor string) error {
	w.stopped = append(w.stopped, "monitor "+monitor)
	return nil
}

// TestStart: the forms start and stop what they say, and only pages of this server can send
// them.
func TestStart(t *testing.T) {
	h, w := newHandler(nil), &work{}
	h.o.Jobs, h.o.Monitors, h.o.Counted = w, w, func(ctx context.Context, do func(context.Context) error) error { return do(ctx) }
	h = New(h.o)
	post := func(path, form string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", path, strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		out := httptest.NewRecorder()
		h.ServeHTTP(out, r)
		return out
	}
	own := []string{"Sec-Fetch-Site", "same-origin"}
	for _, c := range []struct {
		path, form string
		header     []string
		code       int
		want       string // Location, or a text of the page
	}{
		{"/sites/start", "kind=crawl&urls=https://a.example/%0ab.example&pages=5&include=/docs/*&query=fog", own, 303, "/sites?job=c9"},
		{"/sites/start", "kind=batch&urls=https://a.example/1+https://a.example/2", own, 303, "/sites?job=c9"},
		{"/sites/start", "kind=monitor&urls=a.example&every=90m", own, 303, "/sites?monitor=c9"},
		{"/sites/start", "kind=crawl&urls=http://10.0.0.1/", own, 403, "use a public host"},
		{"/sites/start", "kind=crawl&urls=", own, 400, "a URL is missing"},
		{"/sites/start", "kind=other&urls=a.example", own, 400, "choose crawl, batch or monitor"},
		{"/sites/start", "kind=crawl&urls=a.example&pages=none", own, 400, "use a number from 1 up"},
		{"/sites/start", "kind=monitor&urls=a.example&every=often", own, 400, "from 1m to 720h"},
		{"/sites/start", "kind=batch&urls=" + strings.Repeat("a.example+", maxStartBytes/8), own, 400, "256 kB"},
		{"/sites/start", "kind=crawl&urls=" + strings.Repeat("a.example+", 13), own, 400, "a crawl takes 12 starts"},
		{"/sites/start", "kind=crawl&urls=a.example", nil, 403, ""},
		{"/sites/stop", "job=c9", own, 303, "/sites?job=c9"},
		{"/sites/stop", "monitor=m1", own, 303, "/sites"},
		{"/sites/stop", "job=c9", nil, 403, ""},
	} {
		got := post(c.path, c.form, c.header...)
		if got.Code != c.code || got.Header().Get("Location") != c.want && !strings.Contains(got.Body.String(), c.want) {
			t.Errorf("%s %.60s: %d %q, want %d %q\n%s", c.path, c.form, got.Code, got.Header().Get("Location"), c.code, c.want, got.Body)
		}
	}
	want := []any{
		result.CrawlRequest{URLs: []string{"https://a.example/", "b.example"}, Query: "fog", Include: []string{"/docs/*"}, MaxPages: 5},
		result.CrawlRequest{URLs: []string{"https://a.example/1", "https://a.example/2"}, Batch: true},
		result.MonitorRequest{URLs: []string{"a.example"}, Include: []string{}, Every: 90 * time.Minute},
	}
	if !reflect.DeepEqual(w.started, want) {
		t.Errorf("started %+v", w.started)
	}
	if !reflect.DeepEqual(w.stopped, []string{"job c9", "monitor m1"}) {
		t.Errorf("stopped %q", w.stopped)
	}
	for path, want := range map[string][]string{
		"/sites":            {`action="/sites/start"`, `<a href="/sites?monitor=m1">`, "https://a.example/&lt;", "<td>6h</td>"},
		"/sites?monitor=m1": {"&lt;b&gt;X", `<span class="chip warn">gone</span>`, `href="/versions?url=https%3a%2f%2fa.example%2fx"`, `name="monitor" value="m1"`},
		"/sites?job=c8":     {`name="job" value="c8"`},
		"/sites?monitor=" + url.QueryEscape("<b>"): {"does not exist"},
	} {
		w.crawls = crawls{} // c8 runs when it is looked at first
		page := get(h, path).Body.String()
		for _, s := range want {
			if !strings.Contains(page, s) {
				t.Errorf("%s: no %s\n%s", path, s, page)
			}
		}
	}
}

// TestProbed: a map that a site does not have is no failure.
func TestProbed(t *testing.T) {
	for u, want := range map[string]bool{"https://a.example/sitemap.xml": true, "https://a.example/wp-sitemap.xml?x=1": true, "https://a.example/llms.txt": true,
		"https://a.example/page": false, "https://a.example/sitemap/": false} {
		if got := probed(result.Event{URL: u, Status: 404}); got != want {
			t.Errorf("%s: %v", u, got)
		}
		if probed(result.Event{URL: u, Status: 500}) {
			t.Errorf("%s: a failure of the server is one", u)
		}
	}
}

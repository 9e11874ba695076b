package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// fakeJobs has one job, "a.png", of the principal owner.
type fakeJobs struct {
	owner string
	state result.Crawl
	began chan string // gets the principal of each Follow
	asked chan result.CrawlRequest
	pages []result.CrawlPage
}

func (f *fakeJobs) one(ctx context.Context, job string) (*result.Crawl, error) {
	if job != f.state.Job || principal.Of(ctx).Principal() != f.owner {
		return nil, &tool.Error{Type: tool.InvalidInput, Status: 404, Message: "the job does not exist"}
	}
	state := f.state
	return &state, nil
}

func (f *fakeJobs) StartCrawl(ctx context.Context, q result.CrawlRequest) (*result.Crawl, error) {
	f.asked <- q
	state := f.state
	return &state, nil
}

func (f *fakeJobs) CrawlJobs(ctx context.Context) ([]*result.Crawl, error) {
	state := f.state
	return []*result.Crawl{&state}, nil
}

func (f *fakeJobs) CrawlStatus(ctx context.Context, job string) (*result.Crawl, error) {
	return f.one(ctx, job)
}

func (f *fakeJobs) CrawlPages(ctx context.Context, job string, after int64, n int, bodies bool) (*result.CrawlPages, error) {
	_, err := f.one(ctx, job)
	out := &result.CrawlPages{Pages: []result.CrawlPage{}, Next: after}
	for _, p := range f.pages {
		if p.Cursor > after && len(out.Pages) < n {
			out.Pages, out.Next = append(out.Pages, p), p.Cursor
		}
	}
	return out, err
}

func (f *fakeJobs) FollowCrawl(ctx context.Context, job string, after int64, each func(result.CrawlEvent) error) error {
	if err := each(result.CrawlEvent{Cursor: after, State: &result.Crawl{State: f.state.State}}); err != nil {
		return err
	}
	if f.state.State == "done" {
		return nil
	}
	f.began <- principal.Of(ctx).Principal()
	<-ctx.Done()
	return ctx.Err()
}

func (f *fakeJobs) StopCrawl(ctx context.Context, job string) error {
	_, err := f.one(ctx, job)
	return err
}
func (f *fakeJobs) DropCrawl(ctx context.Context, job string) error {
	_, err := f.one(ctx, job)
	return err
}

func withJobs(t *testing.T, f *fakeJobs, o Options) *Server {
	t.Helper()
	tools := newTestTools(t)
	if err := tools.Register(tool.Declaration{Name: "web_crawl", Title: "Crawl", Description: "Crawls.", Level: tool.Read, Profile: tool.Crawl,
		Handler: func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, nil }}); err != nil {
		t.Fatal(err)
	}
	o.Catalog, o.Jobs = tools.Catalog, f
	f.began, f.asked = make(chan string, 1000), make(chan result.CrawlRequest, 1000)
	return newServer(t, o)
}

// Every path of jobs is described, and every described operation answers; a server
// without the tool or without jobs has no such path.
func TestJobsDescribed(t *testing.T) {
	f := &fakeJobs{owner: principal.Anonymous, state: result.Crawl{Job: "a.png", Kind: "crawl", State: "done"}}
	s := withJobs(t, f, Options{})
	var d struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(do(s, "GET", "/openapi.json", "").Body.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, r := range append(s.jobRoutes(crawlKind), s.jobRoutes(batchKind)...) {
		want[r.path] = true
		for m := range r.methods() {
			if d.Paths[r.path][strings.ToLower(m)] == nil {
				t.Errorf("%s %s is not described", m, r.path)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		if (strings.HasPrefix(path, crawlsPath) || strings.HasPrefix(path, batchesPath)) && !want[path] {
			t.Errorf("%s is described and does not exist", path)
		}
	}
	for path := range want {
		for method := range d.Paths[path] {
			f.state.Kind = "crawl"
			if strings.HasPrefix(path, batchesPath) {
				f.state.Kind = "batch"
			}
			w := do(s, strings.ToUpper(method), strings.Replace(path, "{id}", "a.png", 1), `{"urls":["https://example.com/"]}`)
			if w.Code >= 300 {
				t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
			}
		}
	}
	if w := do(s, "GET", "/metrics", ""); !strings.Contains(w.Body.String(), "spyhop_job_streams 0\n") {
		t.Error("no metrics of jobs")
	}
	for _, s := range []*Server{withJobs(t, f, Options{Tools: []string{"core"}}), newServer(t, Options{})} {
		if w := do(s, "GET", "/v1/crawls", ""); w.Code != 404 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

// What a request asks for arrives; what is wrong with it is said before a job exists.
func TestJobRequests(t *testing.T) {
	f := &fakeJobs{owner: principal.Anonymous, state: result.Crawl{Job: "c1", Kind: "crawl", State: "queued"}}
	s := withJobs(t, f, Options{})
	w := do(s, "POST", "/v1/crawls", `{"url":"a.example","maxPages":"7","include":"/docs","subdomains":true,"render":"never","since":"last","query":"q","max_depth":2,"exclude":["/x"]}`)
	got := <-f.asked
	if w.Code != 202 || w.Header().Get("Location") != "/v1/crawls/c1" || got.URLs[0] != "a.example" || got.MaxPages != 7 || got.Include[0] != "/docs" || got.Exclude[0] != "/x" ||
		!got.Subdomains || got.Render != "never" || got.Since != "last" || got.Query != "q" || got.MaxDepth != 2 || got.Batch {
		t.Errorf("%d %+v", w.Code, got)
	}
	if w := do(s, "POST", "/v1/crawls", `{"url":"a.example","max_pages":1000000}`); w.Code != 202 || (<-f.asked).MaxPages != maxJobPages || !strings.Contains(w.Body.String(), "max_pages") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	many := `{"urls":["a.example"` + strings.Repeat(`,"a.example"`, maxJobStarts) + `]}`
	if w := do(s, "POST", "/v1/crawls", many); w.Code != 400 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := do(s, "POST", "/v1/batches", many); w.Code != 202 || len((<-f.asked).URLs) != maxJobStarts+1 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := do(s, "POST", "/v1/batches", `{"urls":["a"`+strings.Repeat(`,"a"`, maxJobBatch)+`]}`); w.Code != 400 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := do(s, "POST", "/v1/crawls", `{"url":"a.example"}`, "Origin", "https://evil.example"); w.Code != 403 {
		t.Errorf("a page of another site starts a job: %d", w.Code)
	}
	if len(f.asked) > 0 {
		t.Error("a wrong request has started a job")
	}
}

// Streams are bounded for each caller, and end when the server does.
func TestJobStreams(t *testing.T) {
	f := &fakeJobs{owner: "ann", state: result.Crawl{Job: "c1", Kind: "crawl", State: "running"}}
	s := withJobs(t, f, Options{Tokens: tokensOf(t, "ann=a0", "bob=b0"), Grace: time.Minute})
	url, stop := start(t, s)
	follow := func(token string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", url+"/v1/crawls/c1/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := bearer(token).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		return res
	}
	if res := follow("b0"); res.StatusCode != 404 {
		t.Errorf("another caller follows: %d", res.StatusCode)
	}
	var last *http.Response
	for range maxFollowersEach {
		if last = follow("a0"); last.StatusCode != 200 || last.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("%d %v", last.StatusCode, last.Header)
		}
		if who := <-f.began; who != "ann" {
			t.Errorf("followed as %s", who)
		}
	}
	if res := follow("a0"); res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
		t.Errorf("stream %d: %d", maxFollowersEach+1, res.StatusCode)
	}
	if res := follow("b0"); res.StatusCode != 404 { // and not 503
		t.Errorf("another caller: %d", res.StatusCode)
	}
	go stop()
	lines := bufio.NewScanner(last.Body)
	told := ""
	for lines.Scan() {
		told += lines.Text() + "\n"
	}
	if err := lines.Err(); err != nil || !strings.Contains(told, "event: status\nid: 0\ndata: {") || strings.Contains(told, "event: error") {
		t.Errorf("%v\n%s", err, told)
	}
	stop()
	if n := s.followers.count(); n != 0 || len(s.followers.of) != 0 {
		t.Errorf("%d streams are open", n)
	}
}

// Changes since a time are put together: what is different from then, each page once.
func TestSinceThen(t *testing.T) {
	var all []result.PageChange
	for i, line := range strings.Fields("a:added b:changed c:gone d:added d:gone e:added e:changed f:gone f:added g:changed g:gone") {
		url, change, _ := strings.Cut(line, ":")
		all = append(all, result.PageChange{Cursor: int64(i + 1), URL: url, Change: change})
	}
	got := sinceThen(&result.Monitor{}, all)
	names := func(list []result.PageChange) (s string) {
		for _, c := range list {
			s += c.URL + ":" + c.Change + " "
		}
		return s
	}
	if a, c, g := names(got.Added), names(got.Changed), names(got.Gone); a != "a:added e:added " || c != "b:changed f:changed " || g != "c:gone g:gone " {
		t.Errorf("added %s, changed %s, gone %s", a, c, g)
	}
}

// slowJobs gives pages to flood only when released is closed, and breaks for broken.
type slowJobs struct {
	*fakeJobs
	released chan struct{}
}

func (f slowJobs) CrawlStatus(context.Context, string) (*result.Crawl, error) {
	state := f.state
	return &state, nil
}

func (f slowJobs) CrawlPages(ctx context.Context, _ string, after int64, _ int, _ bool) (*result.CrawlPages, error) {
	switch principal.Of(ctx).Principal() {
	case "flood":
		<-f.released
	case "broken":
		panic("no pages")
	}
	return &result.CrawlPages{Pages: []result.CrawlPage{}, Next: after}, nil
}

// TestPageReaders: one caller's answers with pages leave room for another's, and one that
// breaks gives its place back.
func TestPageReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs := slowJobs{&fakeJobs{state: result.Crawl{Job: "c1", Kind: "crawl", State: "done"}}, make(chan struct{})}
		s := withJobs(t, jobs.fakeJobs, Options{Tokens: tokensOf(t, "flood=f", "other=o", "broken=b")})
		s.o.Jobs = jobs
		get := func(token string) *httptest.ResponseRecorder {
			return do(s, "GET", "/v1/crawls/c1/pages", "", "Authorization", "Bearer "+token)
		}
		for range maxPageReaders + 1 {
			func() {
				defer func() { _ = recover() }() // as net/http does
				get("b")
			}()
		}
		var flood sync.WaitGroup
		for range maxPageReaders + 2 {
			flood.Go(func() { get("f") })
		}
		synctest.Wait()
		answered := make(chan int, 1)
		go func() { answered <- get("o").Code }()
		synctest.Wait()
		select {
		case status := <-answered:
			if status != 200 {
				t.Errorf("status %d", status)
			}
		default:
			t.Error("the other caller waits for the flood")
		}
		close(jobs.released)
		flood.Wait()
	})
}

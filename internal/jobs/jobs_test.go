package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// sites are pages that wait until they are let through, in the place of the network.
type sites struct {
	mu    sync.Mutex
	gates map[string]chan struct{} // by host
	busy  map[string]time.Time     // hosts that ask to wait
	now   map[string]int           // reads that run, by owner
	most  map[string]int
	reads map[string]int
	html  map[string]string // what pages have beside their name; nil: every page is there
}

func (s *sites) set(url, html string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.html[url] = html
}

func (s *sites) drop(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.html, url)
}

// byURL sorts lines by what stands behind their first word.
func byURL(lines []string) []string {
	slices.SortFunc(lines, func(a, b string) int {
		_, a, _ = strings.Cut(a, " ")
		_, b, _ = strings.Cut(b, " ")
		return strings.Compare(a, b)
	})
	return lines
}

type ownerKey struct{}

func newSites() *sites {
	return &sites{gates: map[string]chan struct{}{}, busy: map[string]time.Time{}, now: map[string]int{}, most: map[string]int{}, reads: map[string]int{}}
}

func (s *sites) web() crawl.Web {
	return crawl.Web{
		Fetch: func(context.Context, fetch.Request) (*fetch.Response, error) {
			return nil, &tool.Error{Type: tool.HTTPError, Message: "HTTP 404", Status: 404, Cause: &fetch.Error{Code: fetch.HTTPError, Status: 404}}
		},
		Robots: func(context.Context, weburl.URL) (fetch.Robots, error) { return fetch.Robots{}, nil },
		Page: func(context.Context, crawl.ReadRequest) (*page.Page, error) {
			return nil, tool.NewError(tool.NoContent, "none", "")
		},
		Judge: func(weburl.URL) error { return nil },
		Site:  func(u weburl.URL) string { return u.Host() },
		Read:  s.read,
	}
}

func (s *sites) read(ctx context.Context, q crawl.ReadRequest) (*reader.Answer, *page.Page, error) {
	owner, _ := ctx.Value(ownerKey{}).(string)
	s.mu.Lock()
	gate, busy := s.gates[q.URL.Host()], s.busy[q.URL.Host()]
	s.now[owner]++
	s.most[owner] = max(s.most[owner], s.now[owner])
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.now[owner]--; s.mu.Unlock() }()
	if wait := time.Until(busy); wait > 0 {
		return nil, nil, &tool.Error{Type: tool.HTTPError, Message: "HTTP 429", Status: 429, Retryable: true, RetryAfter: wait}
	}
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return nil, nil, tool.AsError(ctx.Err())
		}
	}
	name := q.URL.String()
	s.mu.Lock()
	s.reads[name]++
	html, ok := s.html[name]
	ok = ok || s.html == nil
	s.mu.Unlock()
	if !ok {
		return nil, nil, &tool.Error{Type: tool.HTTPError, Message: "HTTP 404", Status: 404}
	}
	p, err := extract.HTML(fmt.Appendf(nil, "<title>%s</title><main><h1>%s</h1><p>%s</p>%s</main>", name, name, strings.Repeat("Words about "+name+", enough of them to be a page. ", 3), html), extract.Options{URL: name})
	if err != nil {
		return nil, nil, tool.AsError(err)
	}
	a := &reader.Answer{Fetch: result.Fetch{Success: true, URL: name, FinalURL: name}}
	a.Metadata.Version = name + html
	return a, p, nil
}

// running is how many reads of an owner run, and how many did at a time.
func (s *sites) running(owner string) (now, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now[owner], s.most[owner]
}

// count counts the reads of an address.
func (s *sites) count(url string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads[url]
}

type rig struct {
	t *testing.T
	f *frontier.Frontier
	s *sites
}

func newRig(t *testing.T) *rig {
	f, err := frontier.OpenSQLite(frontier.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return &rig{t, f, newSites()}
}

func (g *rig) runner(o Options) *Runner {
	o.Crawler = func() (*crawl.Crawler, error) {
		return &crawl.Crawler{Web: g.s.web(), Frontier: g.f, Worker: "w"}, nil
	}
	o.As = func(ctx context.Context, owner string) context.Context {
		return context.WithValue(ctx, ownerKey{}, owner)
	}
	if o.OnError == nil {
		o.OnError = func(err error) { g.t.Error(err) }
	}
	return New(o)
}

func batch(urls ...string) crawl.Call {
	return crawl.Call{Options: crawl.Options{Batch: true, URLs: urls}}
}

func (g *rig) start(r *Runner, owner string, urls ...string) frontier.Job {
	g.t.Helper()
	j, err := r.Start(g.t.Context(), owner, batch(urls...))
	if err != nil {
		g.t.Fatal(err)
	}
	return j
}

func (g *rig) job(id string) frontier.Job {
	g.t.Helper()
	j, err := g.f.Job(g.t.Context(), "", id)
	if err != nil {
		g.t.Fatal(err)
	}
	return j
}

// run runs a runner until the test says stop, which waits for its end.
func (g *rig) run(r *Runner) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); r.Run(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	g.t.Cleanup(stop)
	return stop
}

// One owner has a bounded number of jobs and of places; another one finds room.
func TestOwners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		gate := make(chan struct{})
		for i := range maxOpen + 1 {
			g.s.gates[fmt.Sprintf("h%d.example.com", i)] = gate
		}
		r := g.runner(Options{Most: 4})
		stop := g.run(r)
		for i := range maxOpen {
			g.start(r, "ann", fmt.Sprintf("https://h%d.example.com/", i))
		}
		_, err := r.Start(t.Context(), "ann", batch("https://h0.example.com/more"))
		if e := tool.AsError(err); err == nil || e.Type != tool.Busy || e.HTTPStatus() != http.StatusTooManyRequests || e.RetryAfter == 0 {
			t.Errorf("job %d: %v", maxOpen+1, err)
		}
		synctest.Wait()
		if n := r.Running(); n != 3 {
			t.Errorf("%d jobs of one owner run", n)
		}
		b := g.start(r, "bob", fmt.Sprintf("https://h%d.example.com/", maxOpen))
		synctest.Wait()
		if now, _ := g.s.running("bob"); r.Running() != 4 || now != 1 {
			t.Errorf("%d jobs run, of bob %d", r.Running(), now)
		}
		jobs, err := g.f.Jobs(t.Context(), frontier.JobQuery{DueBy: time.Now()})
		if err != nil || len(jobs) != maxOpen-3 {
			t.Errorf("%d jobs wait, %v", len(jobs), err)
		}
		close(gate)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if j := g.job(b.ID); j.State != frontier.Done || !j.Due.IsZero() {
			t.Errorf("%+v", j)
		}
		stop()
		if _, most := g.s.running("ann"); len(g.s.reads) != maxOpen+1 || most > 3 {
			t.Errorf("%d pages, %d at a time", len(g.s.reads), most)
		}
	})
}

// A job whose process is gone is taken over when its claim has passed, and one whose
// process has ended at once; nothing is recorded twice.
func TestTakeOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		gate := make(chan struct{})
		g.s.gates["slow.example.com"] = gate
		first := g.runner(Options{})
		stop := g.run(first)
		j := g.start(first, "ann", "https://a.example.com/", "https://slow.example.com/")
		time.Sleep(time.Minute) // longer than a claim: it is held
		if j = g.job(j.ID); !j.Due.After(time.Now()) {
			t.Errorf("the claim of a job that runs has ended: %v", j.Due)
		}
		stop()
		if j = g.job(j.ID); j.State != frontier.Running || j.Due.After(time.Now()) {
			t.Errorf("after the end of the process: %+v", j)
		}
		// Somebody claims it and is never heard of again.
		j.Due = time.Now().Add(defaultClaim)
		if _, err := g.f.Update(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		close(gate)
		second := g.runner(Options{})
		defer g.run(second)()
		time.Sleep(defaultClaim - 2*time.Second)
		if g.s.count("https://slow.example.com/") != 0 {
			t.Error("taken over before the claim has passed")
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if j := g.job(j.ID); j.State != frontier.Done {
			t.Errorf("%+v", j)
		}
		if g.s.count("https://a.example.com/") != 1 || g.s.count("https://slow.example.com/") != 1 {
			t.Error("a page was read twice, or not at all")
		}
	})
}

// A job whose sites ask to wait leaves its place to another, and goes on later.
func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.s.busy["busy.example.com"] = time.Now().Add(10 * time.Minute)
		r := g.runner(Options{Most: 1})
		defer g.run(r)()
		j := g.start(r, "ann", "https://busy.example.com/")
		time.Sleep(12 * time.Second)
		other := g.start(r, "ann", "https://a.example.com/")
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if o := g.job(other.ID); o.State != frontier.Done {
			t.Errorf("the other job waits: %+v", o)
		}
		if j := g.job(j.ID); j.State != frontier.Running || len(j.Progress) == 0 {
			t.Errorf("%+v", j)
		}
		time.Sleep(15 * time.Minute)
		synctest.Wait()
		if j := g.job(j.ID); j.State != frontier.Done || g.s.count("https://busy.example.com/") != 1 {
			t.Errorf("%+v", j)
		}
	})
}

// A further place is taken at once; one place less lets what runs go on.
func TestSetMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		for _, h := range []string{"a", "b", "c"} {
			g.s.gates[h+".example.com"] = make(chan struct{})
		}
		r := g.runner(Options{Most: 1})
		defer g.run(r)()
		g.start(r, "ann", "https://a.example.com/")
		g.start(r, "bob", "https://b.example.com/")
		g.start(r, "eve", "https://c.example.com/")
		synctest.Wait()
		for _, c := range []struct{ most, run int }{{1, 1}, {2, 2}, {1, 2}, {3, 3}} {
			r.SetMost(c.most)
			synctest.Wait()
			if r.Running() != c.run || r.Most() != c.most {
				t.Errorf("%d of %d run, want %d of %d", r.Running(), r.Most(), c.run, c.most)
			}
		}
		for _, gate := range g.s.gates {
			close(gate)
		}
	})
}

// A stop is heard at once here, and within a claim from another process; a job that
// is stopped before its turn is not run.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		for _, h := range []string{"a", "b", "c"} {
			g.s.gates[h+".example.com"] = make(chan struct{})
		}
		r := g.runner(Options{Most: 2})
		defer g.run(r)()
		c := &crawl.Crawler{Web: g.s.web(), Frontier: g.f}
		a, b := g.start(r, "ann", "https://a.example.com/"), g.start(r, "bob", "https://b.example.com/")
		waits := g.start(r, "eve", "https://c.example.com/")
		synctest.Wait()
		for _, j := range []frontier.Job{a, b, waits} {
			if _, err := c.Stop(t.Context(), j.Owner, j.ID); err != nil {
				t.Fatal(err)
			}
		}
		r.Stop(a.ID)
		synctest.Wait()
		if now, _ := g.s.running("ann"); r.Running() != 1 || now != 0 {
			t.Errorf("%d run", r.Running())
		}
		time.Sleep(defaultClaim)
		synctest.Wait()
		if _, most := g.s.running("eve"); r.Running() != 0 || most != 0 {
			t.Errorf("%d run", r.Running())
		}
		for _, j := range []frontier.Job{a, b, waits} {
			if j := g.job(j.ID); j.State != frontier.Stopped || j.Reason != crawl.StopAsked || !j.Due.IsZero() {
				t.Errorf("%+v", j)
			}
		}
		// One that is dropped while it runs ends too.
		d := g.start(r, "ann", "https://a.example.com/")
		synctest.Wait()
		if err := c.Drop(t.Context(), "ann", d.ID); err != nil {
			t.Fatal(err)
		}
		r.Stop(d.ID)
		synctest.Wait()
		if r.Running() != 0 {
			t.Errorf("%d run", r.Running())
		}
	})
}

// Old jobs of a server are dropped, those of the command stay; a job that cannot be
// read is not tried for ever; what fails is said once.
func TestKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		r := g.runner(Options{Keep: time.Minute})
		defer g.run(r)()
		j := g.start(r, "ann", "https://a.example.com/")
		c := &crawl.Crawler{Web: g.s.web(), Frontier: g.f}
		own, err := c.Create(t.Context(), "local", crawl.Options{Batch: true, URLs: []string{"https://b.example.com/"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Run(t.Context(), own.ID, crawl.RunOptions{}); err != nil {
			t.Fatal(err)
		}
		strange, err := g.f.Create(t.Context(), frontier.Job{Owner: "ann", Kind: crawl.KindCrawl, Options: []byte("?"), Due: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if s := g.job(strange.ID); s.State != frontier.Stopped || s.Reason != crawl.StopAsked || !s.Due.IsZero() {
			t.Errorf("%+v", s)
		}
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		if _, err := g.f.Job(t.Context(), "", j.ID); frontier.CodeOf(err) != frontier.NotFound {
			t.Errorf("an old job: %v", err)
		}
		if _, err := g.f.Job(t.Context(), "", own.ID); err != nil {
			t.Errorf("a job of the command: %v", err)
		}

		said := 0
		var opened int
		broken := New(Options{As: func(ctx context.Context, _ string) context.Context { return ctx }, OnError: func(error) { said++ },
			Crawler: func() (*crawl.Crawler, error) { opened++; return nil, errors.New("no disk") }})
		stop := g.run(broken)
		time.Sleep(time.Minute)
		stop()
		if said != 1 || opened < 30 {
			t.Errorf("said %d times in %d tries", said, opened)
		}
		unused := New(Options{As: broken.o.As, Used: func() bool { return false }, Crawler: func() (*crawl.Crawler, error) {
			t.Error("opened a frontier that nobody uses")
			return nil, errors.New("")
		}})
		stop = g.run(unused)
		time.Sleep(time.Minute)
		stop()
	})
}

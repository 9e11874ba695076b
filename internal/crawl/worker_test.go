package crawl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/tool"
)

// worker is a process with a frontier of its own over the same place.
func (b *bench) worker(name, dir string) *Crawler {
	f, err := frontier.OpenSQLite(frontier.Options{Dir: dir})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { f.Close() })
	return &Crawler{Web: b.Web, Frontier: f, Worker: name, AtOnce: 1}
}

// TestWorkers has three workers share one job: one maps the site, each page is read
// once, the end is said once, and workers that leave do not stop it.
func TestWorkers(t *testing.T) {
	s := &fakeSite{pages: map[string]string{}}
	starts := []string{}
	for site := range 3 {
		root := fmt.Sprintf("https://s%d.com/", site)
		starts = append(starts, root)
		links := ""
		for i := range 12 {
			address := fmt.Sprintf("%sp%d", root, i)
			links += fmt.Sprintf(`<a href="%s">page %d</a> `, address, i)
			s.pages[address] = fmt.Sprintf("<h1>Page %d of %d</h1><p>%s</p>", i, site, textOf(site*100+i))
		}
		s.pages[root] = "<h1>Start</h1><p>" + textOf(1000+site) + "</p>" + links
	}
	dir := t.TempDir()
	b := &bench{t: t, Crawler: &Crawler{Web: s.web()}, site: s}
	first := b.worker("first", dir)
	j, err := first.Create(t.Context(), "token:a", Options{URLs: starts, MaxPages: 1000})
	if err != nil {
		t.Fatal(err)
	}
	// A worker that leaves early: the job goes on.
	left, leave := context.WithCancel(t.Context())
	leave()
	if _, err := b.worker("left", dir).Run(left, j.ID, RunOptions{Keep: true}); err != nil && tool.AsError(err).Type != tool.Cancelled {
		t.Fatal(err)
	}
	var mu sync.Mutex
	owners := map[string]bool{}
	var wg sync.WaitGroup
	for i := range 3 {
		c := b.worker(fmt.Sprint("w", i), dir)
		wg.Go(func() {
			w := Worker{Job: j.ID, Sites: 2, Open: func(context.Context) (*Crawler, error) { return c, nil },
				For: func(ctx context.Context, owner string) context.Context {
					mu.Lock()
					defer mu.Unlock()
					owners[owner] = true
					return ctx
				}}
			if err := w.Work(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	state, err := first.Job(t.Context(), "", j.ID)
	if err != nil || state.State != frontier.Done || state.Reason != stopFinished {
		t.Errorf("the job is %s for %q, %v", state.State, state.Reason, err)
	}
	slices.Sort(s.reads)
	if n := len(slices.Compact(slices.Clone(s.reads))); n != 39 || len(s.reads) != 39 {
		t.Errorf("%d reads of %d pages, want 39 of 39: %v", len(s.reads), n, s.reads)
	}
	if len(owners) != 1 || !owners["token:a"] {
		t.Errorf("read for %v", owners)
	}
	// A worker does not begin a job again that has ended.
	if j, err := first.Run(t.Context(), j.ID, RunOptions{Keep: true}); err != nil || j.State != frontier.Done || len(s.reads) != 39 {
		t.Errorf("joined a job that is %s, %v", j.State, err)
	}
}

func textOf(n int) string {
	s := ""
	for i := range 60 {
		s += fmt.Sprintf("word%d ", n*61+i*7)
	}
	return s
}

// TestWorkerTrouble wants a worker to try again while the database is away, and to end
// where that cannot help.
func TestWorkerTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		tries, told := 0, 0
		w := Worker{Open: func(context.Context) (*Crawler, error) {
			if tries++; tries == 2 {
				cancel()
			}
			return nil, OpenError(&frontier.Error{Code: frontier.Unavailable, What: "test"}, "")
		}, Trouble: func(error) { told++ }}
		if err := w.Work(ctx); err != nil || tries != 2 || told != 1 {
			t.Errorf("%v after %d tries, told %d times", err, tries, told)
		}
		w.Open = func(context.Context) (*Crawler, error) {
			return nil, OpenError(&frontier.Error{Code: frontier.Newer, What: "test"}, "")
		}
		if err := w.Work(t.Context()); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

// TestMapper wants a second worker to leave a job alone while the first one maps it.
func TestMapper(t *testing.T) {
	s := &fakeSite{pages: map[string]string{"https://a.com/": "<p>" + textOf(1) + "</p>"}}
	b := &bench{t: t, Crawler: &Crawler{Web: s.web()}, site: s}
	dir := t.TempDir()
	one, two := b.worker("one", dir), b.worker("two", dir)
	j, err := one.Create(t.Context(), "local", Options{URLs: []string{"https://a.com/"}})
	if err != nil {
		t.Fatal(err)
	}
	j.Progress = encode(progress{Mapper: "one", MappedBy: time.Now().Add(time.Hour)})
	if j, err = one.Frontier.Update(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if got, err := two.Run(t.Context(), j.ID, RunOptions{Keep: true}); err != nil || got.State != frontier.Running || len(s.reads) != 0 {
		t.Errorf("state %s, %d reads, %v", got.State, len(s.reads), err)
	}
	if got, err := one.Run(t.Context(), j.ID, RunOptions{Keep: true}); err != nil || got.State != frontier.Done || len(s.reads) != 1 {
		t.Errorf("state %s, %d reads, %v", got.State, len(s.reads), err)
	}
}

// TestLongPage: a page that takes longer than a turn lasts stays with its worker.
func TestLongPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeSite{pages: map[string]string{"https://a.com/": "<p>" + textOf(1) + "</p>"}, block: make(chan struct{})}
		b := &bench{t: t, Crawler: &Crawler{Web: s.web()}, site: s}
		dir := t.TempDir()
		one, two := b.worker("one", dir), b.worker("two", dir)
		j, err := one.Create(t.Context(), "local", Options{URLs: []string{"https://a.com/"}})
		if err != nil {
			t.Fatal(err)
		}
		var running sync.WaitGroup
		for _, c := range []*Crawler{one, two} {
			running.Go(func() {
				w := Worker{Job: j.ID, Open: func(context.Context) (*Crawler, error) { return c, nil }, For: func(ctx context.Context, _ string) context.Context { return ctx }}
				if err := w.Work(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(5 * TurnTime)
		close(s.block)
		running.Wait()
		if j, err = one.Job(t.Context(), "", j.ID); err != nil || j.Reason != stopFinished || len(s.reads) != 1 {
			t.Errorf("%q after %d reads, %v", j.Reason, len(s.reads), err)
		}
	})
}

// TestWorkersNearDuplicates wants a worker to recognise a near-duplicate of a page that
// another one has recorded after its own start.
func TestWorkersNearDuplicates(t *testing.T) {
	s := &fakeSite{pages: map[string]string{}, block: make(chan struct{})}
	starts := []string{"https://a.com/", "https://b.com/"}
	long := ""
	for i := range 30 {
		long += textOf(100 + i)
	}
	for i, root := range starts {
		s.pages[root] = "<p>" + textOf(i) + `</p><a href="/copy">copy</a>`
		s.pages[root+"copy"] = "<h1>Of " + root + "</h1><p>" + long + "</p>"
	}
	dir := t.TempDir()
	b := &bench{t: t, Crawler: &Crawler{Web: s.web()}, site: s}
	slow := b.worker("slow", dir)
	reading := make(chan struct{}, 10)
	wait := slow.Web.Read
	slow.Web.Read = func(ctx context.Context, q ReadRequest) (*reader.Answer, *page.Page, error) {
		reading <- struct{}{}
		return wait(ctx, q)
	}
	quick := b.worker("quick", dir)
	quick.Web.Read = func(_ context.Context, q ReadRequest) (*reader.Answer, *page.Page, error) { return s.page(q.URL) }
	j, err := slow.Create(t.Context(), "local", Options{URLs: starts})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		if _, err := slow.Run(t.Context(), j.ID, RunOptions{Keep: true, Sites: 1}); err != nil {
			t.Error(err)
		}
	})
	<-reading // the start of one site; the other site is free
	ctx, leave := context.WithCancel(t.Context())
	if _, err := quick.Run(ctx, j.ID, RunOptions{Keep: true, Sites: 1, Progress: func(p Progress) {
		if p.Read == 2 { // the start and the copy of the other site
			leave()
		}
	}}); err != nil {
		t.Fatal(err)
	}
	close(s.block)
	running.Wait()
	if j, err = slow.Job(t.Context(), "local", j.ID); err != nil {
		t.Fatal(err)
	}
	state, err := slow.Status(t.Context(), j)
	if err != nil || state.Read != 3 || state.NearDuplicates != 1 {
		t.Errorf("%+v, %v", state, err)
	}
}

// A job whose process has ended without a word is said to be stopped, and goes on when it is asked for
// again. One that is mapped, or whose page is being read, runs.
func TestStateOfAbandonedJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &fakeSite{})
		id := b.create(Options{URLs: []string{home}})
		want := func(state, stopped string) {
			t.Helper()
			j, err := b.Job(t.Context(), "local", id)
			if err != nil {
				t.Fatal(err)
			}
			if c, err := b.Status(t.Context(), j); err != nil || c.State != state || c.Stopped != stopped {
				t.Errorf("the job is %s, %q, want %s, %q; %v", c.State, c.Stopped, state, stopped, err)
			}
		}
		want("running", "")
		time.Sleep(2 * forsaken)
		want("stopped", StopAsked)
		if _, err := Change(t.Context(), b.Frontier, id, func(j *frontier.Job) {
			j.Progress = encode(progress{Mapper: "one", MappedBy: time.Now().Add(time.Hour)})
		}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * forsaken)
		want("running", "")
		time.Sleep(time.Hour)
		want("stopped", StopAsked)
		turns, err := b.Frontier.Lease(t.Context(), frontier.LeaseRequest{Job: id, Worker: "w", Sites: 1, PerSite: 1, TTL: time.Hour})
		if err != nil || len(turns) != 1 {
			t.Fatal(len(turns), err)
		}
		time.Sleep(2 * forsaken)
		want("running", "")
	})
}

// A job that waits for a server or a worker is queued, and runs while one reads it:
// workers do not claim a job.
func TestStateOfWorkersJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &fakeSite{})
		id := b.create(Options{URLs: []string{home, "https://two.example/"}, Background: true})
		if _, err := Change(t.Context(), b.Frontier, id, func(j *frontier.Job) { j.Due = time.Now() }); err != nil {
			t.Fatal(err)
		}
		want := func(state string) {
			t.Helper()
			j, err := b.Job(t.Context(), "local", id)
			if err != nil {
				t.Fatal(err)
			}
			if c, err := b.Status(t.Context(), j); err != nil || c.State != state {
				t.Errorf("the job is %s, want %s; %v", c.State, state, err)
			}
		}
		time.Sleep(time.Minute)
		want(stateQueued)
		turns, err := b.Frontier.Lease(t.Context(), frontier.LeaseRequest{Job: id, Worker: "w", Sites: 1, PerSite: 1, TTL: TurnTime})
		if err != nil || len(turns) != 1 {
			t.Fatal(len(turns), err)
		}
		want("running")
		if _, err := b.Frontier.Commit(t.Context(), []frontier.Commit{{Turn: turns[0], Outcomes: []frontier.Outcome{{URL: turns[0].Tasks[0].URL, End: frontier.Skipped}}}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		want(stateQueued)
	})
}

package frontiertest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
)

// TestShared has three clients, as three machines would, read one crawl of a site
// through one database, with the egress policy as it is. Each page is asked for once,
// and the site by no more of them at a time than the crawl allows: one, or two, which is
// the default.
func TestShared(t *testing.T) {
	t.Parallel()
	place := postgresPlace(t)
	for concurrency, limit := range map[int]int{1: 1, 0: 2} {
		t.Run(fmt.Sprint("concurrency ", concurrency), func(t *testing.T) { testShared(t, place, concurrency, limit) })
	}
}

func testShared(t *testing.T, place string, concurrency, limit int) {
	const pages = 25
	var mu sync.Mutex
	asked, now, most := map[string]int{}, 0, 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isPage := r.URL.Path == "/" || strings.HasPrefix(r.URL.Path, "/p")
		if !isPage {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		asked[r.URL.Path]++
		now++
		most = max(most, now)
		mu.Unlock()
		defer func() { mu.Lock(); now--; mu.Unlock() }()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<html><title>%s</title><main><h1>Page %[1]s</h1><p>%s</p>", r.URL.Path, strings.Repeat("The words of "+r.URL.Path+" and others. ", 20))
		for i := range pages - 1 {
			fmt.Fprintf(w, `<p><a href="/p%c%d">page %[2]d</a></p>`, 'a'+i, i)
		}
	}))
	defer site.Close()
	open := func() *spyhop.Client {
		c, err := spyhop.New(spyhop.Config{Frontier: place, DataDir: t.TempDir(), AllowPrivate: []string{strings.TrimPrefix(site.URL, "http://")}, HostRate: spyhop.NoLimit})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	first := open()
	job, err := first.StartCrawl(t.Context(), spyhop.CrawlRequest{URLs: []string{site.URL + "/"}, Concurrency: concurrency})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 3 {
		c := open()
		wg.Go(func() {
			if err := c.CrawlWorker(t.Context(), spyhop.WorkRequest{Job: job.Job, OnTrouble: func(err error) { t.Error(err) }}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	state, err := first.CrawlStatus(t.Context(), job.Job)
	if err != nil || state.State != "done" || state.Stopped != "finished" || state.Read != pages {
		t.Errorf("state %+v, %v", state, err)
	}
	list, err := first.CrawlPages(t.Context(), job.Job, 0, 100, true)
	if err != nil || len(list.Pages) != pages {
		t.Errorf("%d pages, %v", len(list.Pages), err)
	}
	for path, n := range asked {
		if path != "/" && n != 1 { // the map reads the start too
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	if most > limit {
		t.Errorf("%d requests at a time, %d allowed", most, limit)
	}
	// The database is reached by the frontier only.
	db := "http://" + strings.SplitN(place[strings.LastIndexByte(place, '@')+1:], "/", 2)[0] + "/"
	if _, err := first.Fetch(t.Context(), spyhop.FetchRequest{URL: db}); err == nil || !strings.Contains(err.Error(), "not a public address") && !strings.Contains(err.Error(), "port") {
		t.Errorf("the database can be fetched: %v", err)
	}
}

const childHost = "SPYHOP_FRONTIER_HOST" // of the site that a child crawls

// crawlChild is a worker in a process of its own.
func crawlChild(place, job, host string) error {
	dir, err := os.MkdirTemp("", "worker")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := spyhop.New(spyhop.Config{Frontier: place, DataDir: dir, AllowPrivate: []string{host}, HostRate: spyhop.NoLimit})
	if err != nil {
		return err
	}
	defer c.Close()
	return c.CrawlWorker(context.Background(), spyhop.WorkRequest{Job: job})
}

// TestTakeOver kills a worker (kill -9) that reads a page, and wants another one to ask for
// it within 15 seconds.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	place := postgresPlace(t)
	asked := make(chan bool, 10)
	hang := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt", "/sitemap.xml":
			http.NotFound(w, r)
			return
		case "/slow":
			asked <- true
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<html><title>%s</title><main><h1>Page</h1><p>%s</p><p><a href=/slow>slow</a></p></main>", r.URL.Path, strings.Repeat("Words of "+r.URL.Path+" and others. ", 20))
	}))
	defer site.Close()
	host := strings.TrimPrefix(site.URL, "http://")
	c, err := spyhop.New(spyhop.Config{Frontier: place, DataDir: t.TempDir(), AllowPrivate: []string{host}, HostRate: spyhop.NoLimit})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	job, err := c.StartCrawl(t.Context(), spyhop.CrawlRequest{URLs: []string{site.URL + "/"}, Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childPlace+"="+place, childJob+"="+job.Job, childHost+"="+host)
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	child.Process.Kill()
	child.Wait()
	killed := time.Now()
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := c.CrawlWorker(t.Context(), spyhop.WorkRequest{Job: job.Job}); err != nil {
			t.Error(err)
		}
	})
	<-asked
	if took := time.Since(killed); took > 15*time.Second {
		t.Errorf("another worker asked after %v", took)
	}
	close(hang)
	wg.Wait()
	if state, err := c.CrawlStatus(t.Context(), job.Job); err != nil || state.Stopped != "finished" || state.Read != 2 {
		t.Errorf("state %+v, %v", state, err)
	}
}

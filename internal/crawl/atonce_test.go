package crawl

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/tool"
)

// manyPages is a site of n pages, all of which the start links to.
func manyPages(n int) *fakeSite {
	s := &fakeSite{pages: map[string]string{}}
	var links []string
	for i := range n {
		name := fmt.Sprintf("page-%c%c", 'a'+i/26, 'a'+i%26)
		links = append(links, "/"+name)
		s.pages[home+name] = html(name, fmt.Sprintf("orcas of group %s and number %d swim in bay %d", name, i, i*i))
	}
	s.pages[home] = html("Home", "whales live in the sea", links...)
	return s
}

// delayed has the pages of a site take as long as d says for so many at a time.
func delayed(web *Web, s *fakeSite, d func(atOnce int) (time.Duration, error)) {
	busy := 0
	var mu sync.Mutex
	web.Read = func(ctx context.Context, q ReadRequest) (*reader.Answer, *page.Page, error) {
		mu.Lock()
		busy++
		s.most = max(s.most, busy)
		took, err := d(busy)
		mu.Unlock()
		time.Sleep(took)
		mu.Lock()
		busy--
		s.reads = append(s.reads, q.URL.String())
		s.times = append(s.times, time.Now())
		mu.Unlock()
		if err != nil {
			return nil, nil, err
		}
		return s.page(q.URL)
	}
}

// TestConcurrency: a site gets as many requests at a time as the job says, each page once.
func TestConcurrency(t *testing.T) {
	for _, n := range []int{0, 1, 8} {
		synctest.Test(t, func(t *testing.T) {
			s := manyPages(80)
			b := newBench(t, s)
			b.AtOnce = 3
			delayed(&b.Web, s, func(int) (time.Duration, error) { return 100 * time.Millisecond, nil })
			begun := time.Now()
			c := b.run(t.Context(), b.create(Options{URLs: []string{home}, Concurrency: n}))
			want := max(n, 3)
			if n == 1 {
				want = 1
			}
			if c.Read != 81 || len(s.reads) != 81 || s.most != want {
				t.Errorf("concurrency %d: read %d in %d requests, %d at a time", n, c.Read, len(s.reads), s.most)
			}
			if took := time.Since(begun); took > time.Duration(81/want+4)*100*time.Millisecond {
				t.Errorf("concurrency %d: %v", n, took)
			}
		})
	}
}

// TestConcurrencyRefused: a site that answers 429 where it gets two requests at a time is read
// one page at a time, and no page is lost.
func TestConcurrencyRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := manyPages(40)
		b := newBench(t, s)
		delayed(&b.Web, s, func(atOnce int) (time.Duration, error) {
			if atOnce > 1 {
				return 10 * time.Millisecond, &tool.Error{Type: tool.HTTPError, Message: "HTTP 429", Status: http.StatusTooManyRequests, Retryable: true}
			}
			return 100 * time.Millisecond, nil
		})
		begun := time.Now()
		c := b.run(t.Context(), b.create(Options{URLs: []string{home}, Concurrency: 16}))
		if c.Read != 41 || c.Failures != 0 || c.Stopped != stopFinished {
			t.Errorf("%+v", c)
		}
		if took := time.Since(begun); took > 5*time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}

// TestConcurrencySlower: a site that gets slower with each request at a time gets fewer.
func TestConcurrencySlower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := manyPages(200)
		b := newBench(t, s)
		late := 0
		delayed(&b.Web, s, func(atOnce int) (time.Duration, error) {
			if len(s.reads) > 100 && atOnce > 8 {
				late++
			}
			return time.Duration(atOnce) * 100 * time.Millisecond, nil
		})
		c := b.run(t.Context(), b.create(Options{URLs: []string{home}, Concurrency: 16}))
		if c.Read != 201 || s.most != 16 {
			t.Errorf("read %d, %d at a time", c.Read, s.most)
		}
		if late > 40 {
			t.Errorf("%d of the last 100 pages were asked for beside more than 7 others", late)
		}
	})
}

// TestCachedPages: a page of the cache does not wait for the pace of its site.
func TestCachedPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := manyPages(30)
		b := newBench(t, s)
		f, err := frontier.OpenSQLite(frontier.Options{Dir: t.TempDir(), Pace: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		b.Frontier = f
		read := b.Web.Read
		b.Web.Read = func(ctx context.Context, q ReadRequest) (*reader.Answer, *page.Page, error) {
			a, p, err := read(ctx, q)
			if a != nil {
				a.Metadata.Cached = q.URL.String() != home+"page-ab"
			}
			return a, p, err
		}
		begun := time.Now()
		if c := b.run(t.Context(), b.create(Options{URLs: []string{home}})); c.Read != 31 || time.Since(begun) < time.Minute || time.Since(begun) > 2*time.Minute {
			t.Errorf("read %d in %v, want one pace", c.Read, time.Since(begun))
		}
	})
}

package reader

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestLargePagesInTurn: of the pages of one call, large ones are made one after another, from
// their bytes to their answers, and small ones beside them.
func TestLargePagesInTurn(t *testing.T) {
	large := "<p>" + strings.Repeat("The ferry leaves at six. ", admission.LargePage/25+1)
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		working, most, together := map[string]int{}, 0, false // places by page
		r := New(Options{
			Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
				body := large + q.URL.String()
				if strings.Contains(q.URL.String(), "small") {
					body = "<p>The ferry leaves at six.</p>" + q.URL.String()
				}
				return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Body: []byte(body)}, nil
			},
			Admit: func(_ context.Context, bytes int, work func()) error {
				kind := "small"
				if bytes >= admission.LargePage {
					kind = "large"
				}
				count := func(n int) {
					mu.Lock()
					defer mu.Unlock()
					working[kind] += n
					most = max(most, working["large"])
					together = together || working["large"] > 0 && working["small"] > 0
				}
				count(1)
				time.Sleep(time.Second)
				work()
				count(-1)
				return nil
			},
		})
		var urls []string
		for i := range 3 {
			urls = append(urls, fmt.Sprintf("https://example.com/large%d", i), fmt.Sprintf("https://example.com/small%d", i))
		}
		for _, a := range r.ReadAll(t.Context(), urls, Request{Timeout: time.Hour}).Results {
			if a.Error != nil {
				t.Errorf("%s: %v", a.URL, a.Error)
			}
		}
		if most != 1 || !together {
			t.Errorf("%d large pages at a time, small ones beside them: %v", most, together)
		}
	})
}

// TestTurnUntilStored: a large page has its turn until its version is compressed and its words
// are found, so that these are never in memory for two pages at a time.
func TestTurnUntilStored(t *testing.T) {
	large := "<p>" + strings.Repeat("The ferry leaves at six. ", admission.LargePage/25+1)
	synctest.Test(t, func(t *testing.T) {
		slow := &slowShelf{}
		var parsedDuring atomic.Int32
		r := New(Options{
			Versions: slow,
			Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
				return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Body: []byte(large + q.URL.String())}, nil
			},
			Admit: func(_ context.Context, _ int, work func()) error {
				if slow.preparing.Load() > 0 {
					parsedDuring.Add(1)
				}
				work()
				return nil
			},
		})
		var urls []string
		for i := range 4 {
			urls = append(urls, fmt.Sprintf("https://example.com/%d", i))
		}
		began := time.Now()
		for _, a := range r.ReadAll(t.Context(), urls, Request{Timeout: time.Hour}).Results {
			if a.Error != nil {
				t.Errorf("%s: %v", a.URL, a.Error)
			}
		}
		if took := time.Since(began); took >= 4*time.Second {
			t.Errorf("%v: the answer has waited for the last version", took)
		}
		slow.all.Wait()
		if n := parsedDuring.Load(); n > 0 || slow.most.Load() != 1 {
			t.Errorf("%d times a page was made while another one was stored, %d versions at a time", n, slow.most.Load())
		}
	})
}

// slowShelf takes a second to prepare a version.
type slowShelf struct {
	shelf
	preparing, most atomic.Int32
	all             sync.WaitGroup
}

func (s *slowShelf) Put(ctx context.Context, v Version) {
	s.all.Go(func() {
		ctx, over := admission.OwnTurn(ctx)
		defer over()
		_ = admission.WaitTurn(ctx, len(v.Text))
		s.most.Store(max(s.most.Load(), s.preparing.Add(1)))
		time.Sleep(time.Second)
		s.preparing.Add(-1)
	})
}

// TestWhyLate: a page whose time runs out while it waits for other pages says so.
func TestWhyLate(t *testing.T) {
	const (
		others = "the call timed out after 30 seconds while the page waited for its turn behind other large pages: try again when this server has less to do, or ask for fewer pages at a time"
		turns  = "the call timed out after 30 seconds while the page waited for the other large pages of the call: request fewer URLs at a time"
		slow   = "the call timed out after 30 seconds: try again"
	)
	large := "<p>" + strings.Repeat("The ferry leaves at six. ", admission.LargePage/25+1)
	for _, c := range []struct {
		name  string
		busy  bool // the only place of the gate belongs to another call
		takes time.Duration
		want  []string // of all pages
	}{
		{"pages of others", true, 0, []string{others}},
		{"pages of the call", false, time.Hour, []string{turns, turns, slow}},
		{"a page", false, time.Hour, []string{slow}},
		{"none", false, 0, []string{"", "", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gate := admission.New(admission.Options{Slots: 1})
				if c.busy {
					done, err := gate.Enter(t.Context(), "other", 10<<20)
					if err != nil {
						t.Fatal(err)
					}
					defer done()
				}
				r := New(Options{
					Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
						return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Body: []byte(large + q.URL.String())}, nil
					},
					Admit: func(ctx context.Context, bytes int, work func()) error {
						return gate.Do(ctx, "one", int64(bytes), func() {
							select {
							case <-time.After(c.takes):
							case <-ctx.Done():
							}
							work()
						})
					},
				})
				var urls, got []string
				for i := range c.want {
					urls = append(urls, fmt.Sprintf("https://example.com/%d", i))
				}
				for _, a := range r.ReadAll(t.Context(), urls, Request{Timeout: 30 * time.Second}).Results {
					switch e := a.Error; {
					case e == nil:
						got = append(got, "")
					case e.Type != tool.Timeout || !e.Retryable:
						t.Errorf("%+v", e)
					default:
						got = append(got, e.Message+": "+e.Hint)
					}
				}
				slices.SortFunc(got, func(a, b string) int { return strings.Compare(b, a) })
				slices.SortFunc(c.want, func(a, b string) int { return strings.Compare(b, a) })
				if !slices.Equal(got, c.want) {
					t.Errorf("%q", got)
				}
			})
		})
	}
}

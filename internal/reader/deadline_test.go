package reader

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/tool"
)

// sitting is a site whose pages come after a while.
func sitting(d time.Duration, page string) func(context.Context, fetch.Request) (*fetch.Response, error) {
	return func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
		select {
		case <-time.After(d):
			return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Charset: "utf-8", Body: []byte(page), FetchedAt: time.Now()}, nil
		case <-ctx.Done():
			return nil, &fetch.Error{Code: fetch.Timeout, Cause: deadline.Err(ctx)}
		}
	}
}

// A time-out says that more time helps where the caller can allow more, and
// nowhere else.
func TestHintOfTimeout(t *testing.T) {
	const more = "try again, or allow more time, at most 120 seconds"
	late := func(ctx context.Context, _ fetch.Request) (*fetch.Response, error) {
		<-ctx.Done()
		return nil, &fetch.Error{Code: fetch.Timeout}
	}
	early := func(e *fetch.Error) func(context.Context, fetch.Request) (*fetch.Response, error) {
		return func(context.Context, fetch.Request) (*fetch.Response, error) { return nil, e }
	}
	for _, c := range []struct {
		name    string
		fetch   func(context.Context, fetch.Request) (*fetch.Response, error)
		caller  bool
		limit   time.Duration // of the request; the reader's is 30 s
		context time.Duration
		hint    string
		took    time.Duration
	}{
		{"the caller's", late, true, 0, 0, more, 30 * time.Second},
		{"the caller's, shorter", late, true, 5 * time.Second, 0, more, 5 * time.Second},
		{"the caller's, longer", late, true, time.Minute, 0, more, time.Minute},
		{"the most", late, true, 2 * time.Minute, 0, "try again", 2 * time.Minute},
		{"nobody's to choose", late, false, 0, 0, "try again", 30 * time.Second},
		{"that of a context around it", late, true, 0, 5 * time.Second, "try again", 5 * time.Second},
		{"the network gave up", early(&fetch.Error{Code: fetch.Timeout}), true, 0, 0, "try again", 0},
		{"no turn in time", early(&fetch.Error{Code: fetch.Timeout, Hint: "ask less"}), true, 0, 0, "ask less, or allow more time, at most 120 seconds", 0},
		{"no turn in time, nobody's to choose", early(&fetch.Error{Code: fetch.Timeout, Hint: "ask less"}), false, 0, 0, "ask less", 0},
		{"another error", early(&fetch.Error{Code: fetch.ConnectionError}), true, 0, 0, "check the URL, or try again later", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.context > 0 {
					var stop context.CancelFunc
					ctx, stop = context.WithTimeout(ctx, c.context)
					defer stop()
				}
				begun := time.Now()
				_, err := New(Options{Fetch: c.fetch}).Read(ctx, Request{URL: mustURL(t, "https://example.com/"), Timeout: c.limit, Asked: c.caller})
				if e := tool.AsError(err); e == nil || e.Hint != c.hint || time.Since(begun) != c.took {
					t.Errorf("%+v after %v", e, time.Since(begun))
				}
			})
		})
	}
}

// Addresses of one call share its limit. Those that wait for room are read too
// when the ones before them are slow.
func TestReadAllHasOneDeadline(t *testing.T) {
	for _, c := range []struct {
		addresses int
		site      time.Duration
		fail      int
		took      time.Duration
	}{
		{4, 12 * time.Second, 0, 12 * time.Second},
		{4, time.Hour, 4, 30 * time.Second},
		{8, 14 * time.Second, 0, 28 * time.Second},
		{12, 9 * time.Second, 0, 27 * time.Second},
		{12, time.Hour, 12, 30 * time.Second},
	} {
		t.Run(fmt.Sprint(c.addresses, c.site), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := make(chan string, 20)
				r := New(Options{Fetch: func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
					asked <- q.URL.String()
					return sitting(c.site, testPage)(ctx, q)
				}})
				var urls []string
				for i := range c.addresses {
					urls = append(urls, fmt.Sprintf("https://example.com/%d", i))
				}
				begun := time.Now()
				all := r.ReadAll(t.Context(), urls, Request{})
				failed := 0
				for _, a := range all.Results {
					if a.Error != nil {
						failed++
					}
				}
				if took := time.Since(begun); len(asked) != c.addresses || failed != c.fail || took != c.took {
					t.Errorf("%d asked, %d failed, after %v", len(asked), failed, took)
				}
			})
		})
	}
}

// slowModel answers after a while.
type slowModel time.Duration

func (m slowModel) Complete(ctx context.Context, _ tool.Question) (string, error) {
	select {
	case <-time.After(time.Duration(m)):
		return "In fog.", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// A model has the time that the page has left.
func TestPromptHasWhatIsLeft(t *testing.T) {
	for _, c := range []struct {
		page, model, limit, took time.Duration
		message                  string
	}{
		{12 * time.Second, 12 * time.Second, 0, 24 * time.Second, ""},
		{12 * time.Second, time.Minute, 0, 30 * time.Second, "the call timed out after 30 seconds"},
		{12 * time.Second, time.Minute, 2 * time.Minute, 72 * time.Second, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := New(Options{Fetch: sitting(c.page, testPage), Model: slowModel(c.model)})
			begun := time.Now()
			_, err := r.Read(t.Context(), Request{URL: mustURL(t, "https://example.com/"), Prompt: "When?", Timeout: c.limit})
			if e := tool.AsError(err); (e != nil) != (c.message != "") || e != nil && (e.Message != c.message || e.Type != tool.Timeout) || time.Since(begun) != c.took {
				t.Errorf("%v after %v", err, time.Since(begun))
			}
		})
	}
}

// A browser has the time that the server has left, and no limit of its own.
func TestRenderHasWhatIsLeft(t *testing.T) {
	const shell = `<html><body><div id="root"></div><script src="/app.js"></script></body></html>`
	for _, c := range []struct {
		limit, end time.Duration
	}{{0, 30 * time.Second}, {time.Minute, time.Minute}} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			var end time.Time
			r := New(Options{Fetch: sitting(12*time.Second, shell), Render: func(ctx context.Context, q RenderRequest) (*Rendered, error) {
				u := q.URL
				end, _ = ctx.Deadline()
				return &Rendered{URL: u, Status: 200, HTML: []byte(testPage)}, nil
			}})
			a, err := r.Read(t.Context(), Request{URL: mustURL(t, "https://example.com/"), Timeout: c.limit})
			if err != nil || !a.Metadata.Rendered || end.Sub(begun) != c.end {
				t.Errorf("%v, until %v", err, end.Sub(begun))
			}
		})
	}
}

// What came of a page before the deadline is compared with its earlier version.
func TestCutPageIsCompared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := testPage
		r := New(Options{Versions: &timedShelf{}, Fetch: func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
			res, err := sitting(0, page)(ctx, q)
			if page != testPage {
				<-ctx.Done()
				res.Truncated, res.TruncatedWhy = true, "timed out after 30 seconds"
			}
			return res, err
		}})
		q := Request{URL: mustURL(t, "https://example.com/"), Since: last}
		if _, err := r.Read(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		page = strings.Replace(testPage, "ferry", "tug", 1)
		a, err := r.Read(t.Context(), q)
		if err != nil || !strings.Contains(a.Body(), "tug") || strings.Contains(strings.Join(a.Notices, ""), "No earlier version") {
			t.Errorf("%v, %q, %q", err, a.Notices, a.Body())
		}
	})
}

// timedShelf keeps versions for contexts that have not ended, as a database.
type timedShelf struct{ shelf }

func (s *timedShelf) Put(ctx context.Context, v Version) {
	if ctx.Err() == nil {
		s.shelf.Put(ctx, v)
	}
}

func (s *timedShelf) List(ctx context.Context, owner, url string) []Version {
	if ctx.Err() != nil {
		return nil
	}
	return s.shelf.List(ctx, owner, url)
}

package fetch

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The same page asked for a hundred times at once is one request (T19).
func TestEqualRequestsAreOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked, shared atomic.Int32
		c := bubble(t, Options{}, func(r *http.Request) (*http.Response, error) {
			asked.Add(1)
			time.Sleep(time.Second)
			return answer(200, "some text"), nil
		})
		begun := time.Now()
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				res, err := c.Get(t.Context(), Request{URL: parse(t, "https://example.com/"), Header: http.Header{"Accept": {"a/b"}}})
				if err != nil || string(res.Body) != "some text" || time.Since(begun) != time.Second {
					t.Errorf("%+v, %v", res, err)
					return
				}
				if res.Shared {
					shared.Add(1)
				}
			})
		}
		wg.Wait()
		if asked.Load() != 1 || shared.Load() != 99 {
			t.Errorf("%d requests, %d shared", asked.Load(), shared.Load())
		}
		if _, err := c.Get(t.Context(), Request{URL: parse(t, "https://example.com/"), Header: http.Header{"Accept": {"a/b"}}}); err != nil || asked.Load() != 2 {
			t.Errorf("a later request was not sent: %v", err)
		}
	})
}

// What decides the answer keeps requests apart, credentials above all.
func TestRequestKey(t *testing.T) {
	u := parse(t, "https://example.com/")
	requests := []Request{
		{URL: u},
		{URL: parse(t, "https://example.com/#a")},
		{URL: u, Redirects: Follow},
		{URL: u, MaxBytes: 1},
		{URL: u, Robots: true},
		{URL: u, maxRedirects: 256},
		{URL: u, Header: http.Header{"A": {"b"}}},
		{URL: u, Header: http.Header{"A": {"b", "c"}}},
		{URL: u, Header: http.Header{"A": {"b"}, "C": {}}},
		{URL: u, Header: http.Header{"Ab": {""}}},
		{URL: u, Auth: &Auth{}},
		{URL: u, Auth: &Auth{Username: "a", Password: "b"}},
		{URL: u, Auth: &Auth{Username: "ab"}},
		{URL: u, Auth: &Auth{Bearer: "a"}},
		{URL: u, Auth: &Auth{Cookies: []*http.Cookie{{Name: "a", Value: "b"}}}},
		{URL: u, Auth: &Auth{Cookies: []*http.Cookie{{Name: "a", Value: "b", Domain: "example.com"}}}},
	}
	seen := map[requestKey]int{}
	for i, r := range requests {
		if j, ok := seen[r.key()]; ok {
			t.Errorf("requests %d and %d are taken for equal", j, i)
		}
		seen[r.key()] = i
	}
	// How long one waits does not.
	if a, b := (&Request{URL: u}).key(), (&Request{URL: u, Timeout: 1, Fresh: true}).key(); a != b {
		t.Error("the time limit keeps requests apart")
	}
}

// Each call leaves by itself: the others get their answer, also when it was
// the first that left.
func TestOneLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		c := bubble(t, Options{}, func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(10 * time.Second):
				return answer(200, "some text"), nil
			case <-r.Context().Done():
				ended <- r.Context().Err()
				return nil, r.Context().Err()
			}
		})
		get := func(ctx context.Context, timeout time.Duration) (time.Duration, error) {
			begun := time.Now()
			res, err := c.Get(ctx, Request{URL: parse(t, "https://example.com/"), Timeout: timeout})
			if err == nil && string(res.Body) != "some text" {
				t.Errorf("body %q", res.Body)
			}
			return time.Since(begun), err
		}
		var wg sync.WaitGroup
		first, leaveFirst := context.WithCancel(t.Context())
		second, leaveSecond := context.WithCancel(t.Context())
		wg.Go(func() {
			if took, err := get(first, 0); failure(t, err, Cancelled) == nil || took != time.Second {
				t.Errorf("the first after %v", took)
			}
		})
		synctest.Wait()
		wg.Go(func() {
			if took, err := get(second, 0); failure(t, err, Cancelled) == nil || took != 2*time.Second {
				t.Errorf("the second after %v", took)
			}
		})
		wg.Go(func() {
			if took, err := get(t.Context(), 3*time.Second); failure(t, err, Timeout).Error() != "timed out after 3 seconds" || took != 3*time.Second {
				t.Errorf("the third after %v: %v", took, err)
			}
		})
		wg.Go(func() {
			if took, err := get(t.Context(), 0); err != nil || took != 10*time.Second {
				t.Errorf("the fourth after %v: %v", took, err)
			}
		})
		time.Sleep(time.Second)
		leaveFirst()
		time.Sleep(time.Second)
		leaveSecond()
		wg.Wait()
		select {
		case err := <-ended:
			t.Errorf("the request was ended: %v", err)
		default:
		}

		// When all have left, it ends, and before the last call returns.
		alone, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		if took, err := get(alone, 0); failure(t, err, Cancelled) == nil || took != time.Second || len(ended) != 1 {
			t.Errorf("after %v, %d ended", took, len(ended))
		}
		if n := c.inflight.Len(); n != 0 {
			t.Errorf("%d requests are in flight", n)
		}
	})
}

// A panic reaches the callers, where somebody can recover it.
func TestPanicReachesTheCaller(t *testing.T) {
	c := bubble(t, Options{}, func(*http.Request) (*http.Response, error) { panic("bug") })
	defer func() {
		if p := recover(); p != "bug" {
			t.Errorf("recovered %v", p)
		}
	}()
	_, _ = c.Get(t.Context(), Request{URL: parse(t, "https://example.com/")})
}

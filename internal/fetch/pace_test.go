package fetch

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
)

// answer makes a response without a server.
func answer(status int, body string, header ...string) *http.Response {
	h := http.Header{"Content-Type": {"text/plain"}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

// bubble returns a client in a bubble of testing/synctest, where time is free,
// with a function as the network.
func bubble(t *testing.T, o Options, network func(*http.Request) (*http.Response, error)) *Client {
	o.RoundTripper = roundTrip(network)
	return client(t, o)
}

// A model asks for a hundred pages of a site at once (T19): four connections
// at a time, five requests a second after the first ten; and who could not
// come in time hears it at once.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		var mu sync.Mutex
		var starts []time.Duration
		begun := time.Now()
		c := bubble(t, Options{HostRate: DefaultHostRate}, func(r *http.Request) (*http.Response, error) {
			most.Store(max(most.Load(), now.Add(1)))
			mu.Lock()
			starts = append(starts, time.Since(begun))
			mu.Unlock()
			time.Sleep(100 * time.Millisecond)
			now.Add(-1)
			return answer(200, "x"), nil
		})
		var busy atomic.Int32
		var wg sync.WaitGroup
		for i := range 300 {
			wg.Go(func() {
				asked := time.Now()
				_, err := c.Get(t.Context(), Request{URL: parse(t, fmt.Sprintf("https://a%d.example.com/%d", i%7, i))})
				if err == nil {
					return
				}
				e := failure(t, err, Timeout)
				if e.Error() != errBusy.Error() || e.Hint == "" || time.Since(asked) > DefaultTimeout {
					t.Errorf("after %v: %v %q", time.Since(asked), e, e.Hint)
				}
				busy.Add(1)
			})
		}
		wg.Wait()
		if most.Load() != defaultHostConcurrency {
			t.Errorf("%d at a time", most.Load())
		}
		// In thirty seconds: the burst of ten, then five a second.
		if n := len(starts); n < 158 || n > 161 || int(busy.Load()) != 300-n {
			t.Errorf("%d requests, %d refused", n, busy.Load())
		}
		for i, at := range starts {
			if earliest := time.Duration(i-9) * 200 * time.Millisecond; at < earliest {
				t.Errorf("request %d at %v", i, at)
			}
		}
		// Another site does not wait, and neither does this one after a rest.
		time.Sleep(2 * time.Second)
		for _, u := range []string{"https://example.org/", "https://example.com/", "https://192.0.2.1/", "https://192.0.2.1:8443/"} {
			asked := time.Now()
			if _, err := c.Get(t.Context(), Request{URL: parse(t, u)}); err != nil || time.Since(asked) != 100*time.Millisecond {
				t.Errorf("%s: %v after %v", u, err, time.Since(asked))
			}
		}
	})
}

func TestSiteOf(t *testing.T) {
	for u, want := range map[string]string{
		"https://www.example.com/":   "example.com",
		"https://a.b.example.co.uk/": "example.co.uk",
		"https://who.github.io/":     "who.github.io",
		"http://127.0.0.1:8080/":     "127.0.0.1:8080",
		"http://[::1]/":              "[::1]:80",
		"http://localhost:81/":       "localhost:81",
	} {
		if got := Site(parse(t, u)); got != want {
			t.Errorf("%s: %s, want %s", u, got, want)
		}
	}
}

// Who stops waiting for a turn leaves no trace.
func TestPaceCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := bubble(t, Options{HostConcurrency: 1, HostRate: 1}, func(r *http.Request) (*http.Response, error) {
			time.Sleep(5 * time.Second)
			return answer(200, "x"), nil
		})
		get := func(ctx context.Context, path string) error {
			_, err := c.Get(ctx, Request{URL: parse(t, "https://example.com/"+path)})
			return err
		}
		var wg sync.WaitGroup
		wg.Go(func() { _ = get(t.Context(), "1") })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		failure(t, get(ctx, "2"), Timeout)
		gone, cancel := context.WithCancel(t.Context())
		wg.Go(func() { failure(t, get(gone, "3"), Cancelled) })
		synctest.Wait()
		cancel()
		wg.Wait()
		s, _ := c.pace.sites.Get("example.com")
		if s.waiting != 0 || len(s.turns) != 0 {
			t.Errorf("%d wait, %d have a turn", s.waiting, len(s.turns))
		}
		if err := get(t.Context(), "4"); err != nil {
			t.Error(err)
		}
	})
}

// The memory of sites is bounded.
func TestPaceIsBounded(t *testing.T) {
	p := newPace(Options{})
	for i := range 2 * maxSites {
		leave, err := p.enter(t.Context(), fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		leave()
	}
	if p.sites.Len() != maxSites {
		t.Errorf("%d sites", p.sites.Len())
	}
}

// Retry-After (T20): heeded once where there is time, reported where not.
func TestRetryAfterIsHeeded(t *testing.T) {
	for _, c := range []struct {
		name, value string
		status      int
		timeout     time.Duration
		asked       int           // requests
		took        time.Duration // of the call
		fails       bool
		hint        string
	}{
		{"seconds", "7", 429, 0, 2, 7 * time.Second, false, ""},
		{"unavailable", "7", 503, 0, 2, 7 * time.Second, false, ""},
		{"a date", "Sat, 01 Jan 2000 00:00:07 GMT", 503, 0, 2, 7 * time.Second, false, ""},
		{"no time for it", "7", 429, 7 * time.Second, 1, 0, true, "the site asks to wait 7 seconds before the next try"},
		{"years", "999999999", 429, 0, 1, 0, true, "the site asks to wait 86400 seconds before the next try"},
		{"a date in the past", "Sat, 01 Jan 1990 00:00:00 GMT", 503, 0, 1, 0, true, ""},
		{"nonsense", "soon", 503, 0, 1, 0, true, ""},
		{"negative", "-5", 503, 0, 1, 0, true, ""},
		{"now", "0", 503, 0, 1, 0, true, ""},
		{"another status", "7", 500, 0, 1, 0, true, "the site asks to wait 7 seconds before the next try"},
		{"twice", "7", 529, 0, 1, 0, true, "the site asks to wait 7 seconds before the next try"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				client := bubble(t, Options{}, func(r *http.Request) (*http.Response, error) {
					if asked++; asked == 1 {
						return answer(c.status, "sorry", "Retry-After", c.value), nil
					}
					return answer(200, "x"), nil
				})
				begun := time.Now()
				_, err := client.Get(t.Context(), Request{URL: parse(t, "https://example.com/"), Timeout: c.timeout})
				if took := time.Since(begun); asked != c.asked || took != c.took || (err != nil) != c.fails {
					t.Errorf("%d requests in %v: %v", asked, took, err)
				}
				if c.fails {
					if e := failure(t, err, HTTPError); e.Hint != c.hint {
						t.Errorf("hint %q", e.Hint)
					}
				}
			})
		})
	}
	// A server that always asks for more time gets one more try, not two.
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		client := bubble(t, Options{}, func(r *http.Request) (*http.Response, error) {
			asked++
			return answer(503, "sorry", "Retry-After", "3"), nil
		})
		_, err := client.Get(t.Context(), Request{URL: parse(t, "https://example.com/")})
		if e := failure(t, err, HTTPError); asked != 2 || e.RetryAfter != 3*time.Second {
			t.Errorf("%d requests, %+v", asked, e)
		}
	})
	// The wait can be cancelled.
	synctest.Test(t, func(t *testing.T) {
		client := bubble(t, Options{}, func(r *http.Request) (*http.Response, error) {
			return answer(503, "sorry", "Retry-After", "10"), nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(2*time.Second, cancel)
		begun := time.Now()
		_, err := client.Get(ctx, Request{URL: parse(t, "https://example.com/")})
		if failure(t, err, Cancelled); time.Since(begun) != 2*time.Second {
			t.Errorf("after %v", time.Since(begun))
		}
	})
}

// The requests of a crawl keep the Crawl-delay of a site: not redirects, other sites, or
// requests that are no part of a crawl.
func TestCrawlDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var asked []string
		c := bubble(t, Options{HostRate: -1, Timeout: 5 * time.Second}, func(r *http.Request) (*http.Response, error) {
			asked = append(asked, fmt.Sprint(r.URL.Host, r.URL.Path, " ", time.Since(begun)))
			if r.URL.Path == "/old" {
				return answer(301, "", "Location", "/new"), nil
			}
			return answer(200, "fine"), nil
		})
		crawl := WithCrawlDelay(t.Context(), 20*time.Second)
		for _, q := range []struct {
			ctx context.Context
			url string
		}{{crawl, "https://a.example.com/1"}, {crawl, "https://b.example.com/old"}, {t.Context(), "https://a.example.com/2"}, {crawl, "https://example.org/3"}, {crawl, "https://a.example.com/4"}} {
			if _, err := c.Get(q.ctx, Request{URL: parse(t, q.url)}); err != nil {
				t.Error(err)
			}
		}
		if got, want := fmt.Sprint(asked), "[a.example.com/1 0s b.example.com/old 20s b.example.com/new 20s a.example.com/2 20s example.org/3 20s a.example.com/4 40s]"; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		short, stop := context.WithTimeout(crawl, 3*time.Second)
		defer stop()
		_, err := c.Get(short, Request{URL: parse(t, "https://a.example.com/5")})
		failure(t, err, Timeout)
	})
}

// A host that asks for a longer pause than the client keeps: what the error says is what
// the host has asked for.
func TestHostRestsForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		c := bubble(t, Options{NegativeTTL: time.Minute, HostRate: -1}, func(*http.Request) (*http.Response, error) {
			sent++
			return answer(429, "", "Retry-After", "7200"), nil
		})
		get := func(u string) *Error {
			_, err := c.Get(t.Context(), Request{URL: parse(t, u), Timeout: 5 * time.Second})
			return failure(t, err, HTTPError)
		}
		get("https://example.com/a")
		time.Sleep(50 * time.Second)
		if e := get("https://example.com/b"); !e.Remembered || e.RetryAfter != 7150*time.Second || !strings.Contains(e.Hint, "wait 7150 seconds") || sent != 1 {
			t.Errorf("%+v, %d sent", e, sent)
		}
		time.Sleep(10 * time.Second)
		if e := get("https://example.com/b"); e.Remembered || sent != 2 {
			t.Errorf("%+v, %d sent", e, sent)
		}
	})
}

// A pause that a host asks for counts for all of its addresses and for no other host: a
// call that has the time waits, another one fails at once, and Fresh asks.
func TestHostRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var asked []string
		down := true
		c := bubble(t, Options{NegativeTTL: time.Minute, HostRate: -1}, func(r *http.Request) (*http.Response, error) {
			asked = append(asked, fmt.Sprint(r.URL.Host, r.URL.Path, " ", time.Since(begun)))
			if down && r.URL.Host == "example.com" {
				return answer(503, "", "Retry-After", "20"), nil
			}
			return answer(200, "fine"), nil
		})
		get := func(u string, timeout time.Duration, fresh bool) error {
			_, err := c.Get(t.Context(), Request{URL: parse(t, u), Timeout: timeout, Fresh: fresh})
			return err
		}
		failure(t, get("https://example.com/a", 5*time.Second, false), HTTPError)
		time.Sleep(5 * time.Second)
		e := failure(t, get("https://example.com/b", 5*time.Second, false), HTTPError)
		if !e.Remembered || e.Status != 503 || e.RetryAfter != 15*time.Second || !strings.Contains(e.Hint, "wait 15 seconds") || !e.Retryable() {
			t.Errorf("%+v", e)
		}
		failure(t, get("https://example.com/fresh", 5*time.Second, true), HTTPError) // the pause begins again
		if err := get("https://other.example.com/", 5*time.Second, false); err != nil {
			t.Error(err)
		}
		down = false
		if err := get("https://example.com/c", 30*time.Second, false); err != nil {
			t.Error(err)
		}
		if got, want := fmt.Sprint(asked), "[example.com/a 0s example.com/fresh 5s other.example.com/ 5s example.com/c 25s]"; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
	})
}

// A call that waits for a site leaves its turn to another call of the same principal.
func TestPauseAtSite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Options{Processors: 1})
		gate.Seen("a")
		gate.Seen("b")
		ctx, end := gate.Turn(t.Context(), "a")
		defer end()
		waited := time.Hour
		client, closed := piped(t, func(c net.Conn) {
			begin := time.Now()
			_, end := gate.Turn(t.Context(), "a")
			waited = time.Since(begin)
			end()
			say("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi")(c)
		}, Options{})
		if _, err := client.Get(ctx, Request{URL: parse(t, "http://example.com/")}); err != nil {
			t.Error(err)
		}
		closed()
		if waited != 0 {
			t.Errorf("another call waited %v", waited)
		}
	})
}

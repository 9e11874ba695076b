package fetch

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
)

// The call's limit is the only one, wherever a server is slow: what comes within
// it succeeds, and a message names it (SPEC section 4, "one deadline").
func TestOneDeadline(t *testing.T) {
	head := ok + "Content-Length: 9\r\n\r\n"
	after := func(d time.Duration, first, then string) func(net.Conn) {
		return func(c net.Conn) {
			_, _ = io.WriteString(c, first)
			time.Sleep(d)
			_, _ = io.WriteString(c, then)
		}
	}
	hang := func(first string) func(net.Conn) {
		return func(c net.Conn) {
			_, _ = io.WriteString(c, first)
			_, _ = c.Read(make([]byte, 1))
		}
	}
	trickle := func(text string, pause time.Duration) func(net.Conn) {
		return func(c net.Conn) {
			_, _ = io.WriteString(c, ok+fmt.Sprintf("Content-Length: %d\r\n\r\n", len(text)))
			slowly(text, pause)(c)
		}
	}
	// Each hop takes 40 % of limit; the n-th answers.
	hops := func(limit time.Duration, n int32) func(net.Conn) {
		var i atomic.Int32
		return func(c net.Conn) {
			time.Sleep(limit * 2 / 5)
			if hop := i.Add(1); hop < n {
				fmt.Fprintf(c, "HTTP/1.1 302 no\r\nConnection: close\r\nLocation: /%d\r\nContent-Length: 0\r\n\r\n", hop)
				return
			}
			_, _ = io.WriteString(c, head+"some text")
		}
	}
	const s = time.Second
	for _, c := range []struct {
		name  string
		serve func(net.Conn)
		limit time.Duration // 0: the default, 30 s
		took  time.Duration
		code  Code
		body  string
		why   string // the error, or why the body is cut
	}{
		{"first byte after 12 s", after(12*s, "", head+"some text"), 0, 12 * s, "", "some text", ""},
		{"first byte after 12 s", after(12*s, "", head+"some text"), 30 * s, 12 * s, "", "some text", ""},
		{"first byte after 12 s", after(12*s, "", head+"some text"), 5 * s, 5 * s, Timeout, "", "timed out after 5 seconds while waiting for the first byte"},
		{"first byte after 100 s", after(100*s, "", head+"some text"), 120 * s, 100 * s, "", "some text", ""},
		{"no first byte", hang(""), 0, 30 * s, Timeout, "", "timed out after 30 seconds while waiting for the first byte"},
		{"no first byte", hang(""), 50 * time.Millisecond, 50 * time.Millisecond, Timeout, "", "timed out after 0.05 seconds while waiting for the first byte"},
		{"head that trickles", slowly("HTTP/1.1 200 OK\r\nX-A: "+strings.Repeat("a", 2000), s), 20 * s, 20 * s, Timeout, "", "timed out after 20 seconds while waiting for the first byte"},
		{"head, then nothing", hang(head), 5 * s, 5 * s, Timeout, "", "timed out after 5 seconds while reading the body"},

		{"body that trickles", trickle("some text", 3*s), 0, 27 * s, "", "some text", ""},
		{"body that trickles", trickle("some text", 3*s), 20 * s, 20 * s, "", "some t", "timed out after 20 seconds while reading the body"},
		{"body that stalls for 25 s", after(25*s, head+"some ", "text"), 30 * s, 25 * s, "", "some text", ""},
		{"body that stalls for 25 s", after(25*s, head+"some ", "text"), 5 * s, 5 * s, "", "some ", "timed out after 5 seconds while reading the body"},
		{"body that stalls for ever", hang(head + "some "), 0, 30 * s, "", "some ", "timed out after 30 seconds while reading the body"},
		{"document that stalls for 25 s", after(25*s, ok+"Content-Length: 13\r\n\r\n%PDF-1.7\n", "rest"), 30 * s, 25 * s, "", "%PDF-1.7\nrest", ""},
		{"document that stalls", hang(ok + "Content-Length: 13\r\n\r\n%PDF-1.7\n"), 5 * s, 5 * s, Timeout, "", "timed out after 5 seconds while reading the body"},
		{"body without end", func(c net.Conn) {
			_, _ = io.WriteString(c, ok+"\r\n")
			forever("", "")(slowConn{c, 1100 * time.Millisecond, strings.Repeat("x", 4096)})
		}, 0, 30 * s, "", strings.Repeat("x", 27*4096), "timed out after 30 seconds while reading the body"},

		// The page of an HTTP error is a help: it gets a third of the time.
		{"error page that stalls", hang("HTTP/1.1 503 no\r\n\r\nsorry"), 30 * s, 10 * s, HTTPError, "", "HTTP 503 Service Unavailable"},
		// The body of a redirect gets a twentieth.
		{"redirect whose body stalls", hang("HTTP/1.1 302 no\r\nLocation: http://other.example/\r\nContent-Length: 10\r\n\r\n"), 30 * s, 1500 * time.Millisecond, "", "", ""},

		{"two hops of 40 %", hops(30*s, 2), 30 * s, 24 * s, "", "some text", ""},
		{"three hops of 40 %", hops(30*s, 3), 30 * s, 30 * s, Timeout, "", "timed out after 30 seconds while waiting for the first byte"},
		{"three hops of 40 %", hops(5*s, 3), 5 * s, 5 * s, Timeout, "", "timed out after 5 seconds while waiting for the first byte"},
	} {
		t.Run(fmt.Sprintf("%s, %v", c.name, c.limit), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, end := piped(t, c.serve, Options{})
				defer end()
				begun := time.Now()
				res, err := client.Get(t.Context(), Request{URL: parse(t, "http://example.com/"), Timeout: c.limit})
				if took := time.Since(begun); took != c.took {
					t.Errorf("took %v, want %v", took, c.took)
				}
				if c.code != "" {
					if e := failure(t, err, c.code); e.Error() != c.why || c.code == Timeout && !e.Retryable() {
						t.Errorf("%q", e.Error())
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if string(res.Body) != c.body || res.TruncatedWhy != c.why || res.Truncated != (c.why != "") {
					t.Errorf("%d bytes, %q", len(res.Body), res.TruncatedWhy)
				}
			})
		})
	}
}

// TestNoHandshake: a server that takes connections and speaks no TLS.
func TestNoHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, end := piped(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }, Options{})
		defer end()
		_, err := client.Get(t.Context(), Request{URL: parse(t, "https://example.com/")})
		if e := failure(t, err, Timeout); e.Error() != "timed out after 30 seconds during the TLS handshake" {
			t.Errorf("%q", e.Error())
		}
	})
}

// The deadline of the context and that of the client hold as well, and the
// message names the time that ran.
func TestWhoseDeadline(t *testing.T) {
	for _, c := range []struct {
		name                 string
		contexts, client, of int // seconds, 0 for none
		took                 time.Duration
		why                  string
	}{
		{"the client's", 0, 7, 0, 7 * time.Second, "timed out after 7 seconds"},
		{"the request's, longer", 0, 7, 60, 60 * time.Second, "timed out after 60 seconds"},
		{"the request's, shorter", 0, 7, 2, 2 * time.Second, "timed out after 2 seconds"},
		{"the context's", 3, 7, 60, 3 * time.Second, "timed out after 3 seconds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := bubble(t, Options{Timeout: time.Duration(c.client) * time.Second}, func(r *http.Request) (*http.Response, error) {
					<-r.Context().Done()
					return nil, r.Context().Err()
				})
				ctx := t.Context()
				if c.contexts > 0 {
					var stop context.CancelFunc
					ctx, stop = context.WithTimeout(ctx, time.Duration(c.contexts)*time.Second)
					defer stop()
				}
				begun := time.Now()
				_, err := client.Get(ctx, Request{URL: parse(t, "https://example.com/"), Timeout: time.Duration(c.of) * time.Second})
				if e := failure(t, err, Timeout); !strings.HasPrefix(e.Error(), c.why) || time.Since(begun) != c.took {
					t.Errorf("%v after %v", e, time.Since(begun))
				}
			})
		})
	}
}

// Waiting for a turn, for the time that a server asks for and for robots.txt is
// within the limit too.
func TestDeadlineOfWaits(t *testing.T) {
	for _, c := range []struct {
		name  string
		o     Options
		limit time.Duration
		serve roundTrip
		took  time.Duration
		code  Code
		why   string
	}{
		{"robots.txt after 12 s", Options{Robots: true}, 30 * time.Second, pause(12 * time.Second), 24 * time.Second, "", ""},
		{"robots.txt after 12 s", Options{Robots: true}, 5 * time.Second, pause(12 * time.Second), 5 * time.Second, Timeout,
			"timed out after 5 seconds while"},
		{"the page after robots.txt", Options{Robots: true}, 20 * time.Second, pause(12 * time.Second), 20 * time.Second, Timeout,
			"timed out after 20 seconds while"},
		{"the answer after Retry-After", Options{}, 20 * time.Second, func(r *http.Request) (*http.Response, error) {
			if r.Header.Get("Authorization") != "" { // the other one
				return answer(200, "x"), nil
			}
			if _, err := pause(5 * time.Second)(r); err != nil {
				return nil, err
			}
			return answer(503, "sorry", "Retry-After", "12"), nil
		}, 20 * time.Second, Timeout, "timed out after 20 seconds while"},
	} {
		t.Run(fmt.Sprintf("%s, %v", c.name, c.limit), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := bubble(t, c.o, c.serve)
				begun := time.Now()
				_, err := client.Get(t.Context(), Request{URL: parse(t, "https://example.com/"), Timeout: c.limit})
				if took := time.Since(begun); took != c.took {
					t.Errorf("took %v: %v", took, err)
				}
				if c.code == "" {
					if err != nil {
						t.Error(err)
					}
					return
				}
				if e := failure(t, err, c.code); !strings.HasPrefix(e.Error(), c.why) {
					t.Errorf("%q", e.Error())
				}
			})
		})
	}
}

// pause answers after a while.
func pause(d time.Duration) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		if err := deadline.Sleep(r.Context(), d); err != nil {
			return nil, err
		}
		return answer(200, "some text"), nil
	}
}

// The message says how far the request came. Where the policy has made https of
// http, and no connection came about, plain http could have helped.
func TestDeadlineOfStages(t *testing.T) {
	for _, c := range []struct {
		stage    func(*httptrace.ClientTrace)
		why      string
		upgraded Code
		hint     string
	}{
		{func(*httptrace.ClientTrace) {}, "while connecting", Timeout, ""},
		{func(h *httptrace.ClientTrace) { h.DNSStart(httptrace.DNSStartInfo{}) }, "while looking up the host", Timeout, ""},
		{func(h *httptrace.ClientTrace) {
			h.DNSStart(httptrace.DNSStartInfo{})
			h.DNSDone(httptrace.DNSDoneInfo{Err: context.Canceled})
		}, "while looking up the host", Timeout, ""},
		{func(h *httptrace.ClientTrace) {
			h.DNSStart(httptrace.DNSStartInfo{})
			h.DNSDone(httptrace.DNSDoneInfo{})
		}, "while connecting", ConnectionError, hintPlainHTTP},
		{func(h *httptrace.ClientTrace) { h.ConnectStart("tcp", "") }, "while connecting", ConnectionError, hintPlainHTTP},
		{func(h *httptrace.ClientTrace) {
			h.ConnectStart("tcp", "")
			h.TLSHandshakeStart()
			h.DNSStart(httptrace.DNSStartInfo{}) // of another attempt
		}, "during the TLS handshake", ConnectionError, hintPlainHTTP},
		{func(h *httptrace.ClientTrace) {
			h.GotConn(httptrace.GotConnInfo{})
			h.ConnectStart("tcp", "") // of an attempt that is not needed any more
		}, "while waiting for the first byte", Timeout, ""},
	} {
		for _, upgraded := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				o, code, hint := Options{}, Timeout, ""
				if upgraded {
					o.Judge, code, hint = upgrade, c.upgraded, c.hint
				}
				client := bubble(t, o, func(r *http.Request) (*http.Response, error) {
					c.stage(httptrace.ContextClientTrace(r.Context()))
					<-r.Context().Done()
					return nil, r.Context().Err()
				})
				_, err := client.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
				if e := failure(t, err, code); e.Error() != "timed out after 30 seconds "+c.why || e.Hint != hint || !e.Retryable() {
					t.Errorf("upgraded %v: %v, %q", upgraded, e, e.Hint)
				}
			})
		}
	}
}

// Where two requests come of one call of a Cache, they share its limit.
func TestDeadlineOfRevalidation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		client := bubble(t, Options{}, func(r *http.Request) (*http.Response, error) {
			if asked++; asked == 1 {
				return answer(200, "some text", "ETag", `"1"`), nil
			}
			if err := deadline.Sleep(r.Context(), 20*time.Second); err != nil {
				return nil, err
			}
			return answer(304, "", "ETag", `"2"`), nil // of something else: it is asked again
		})
		cache, err := NewCache(client, CacheOptions{Store: new(memory)})
		if err != nil {
			t.Fatal(err)
		}
		req := Request{URL: parse(t, "https://example.com/"), MaxAge: new(time.Duration)}
		if _, err := cache.Get(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		begun := time.Now()
		_, err = cache.Get(t.Context(), req)
		if e := failure(t, err, Timeout); asked != 3 || time.Since(begun) != DefaultTimeout || !strings.HasPrefix(e.Error(), "timed out after 30 seconds") {
			t.Errorf("%d requests, %v after %v", asked, e, time.Since(begun))
		}
	})
}

// A call that joins a request in flight keeps its own time: it neither fails
// when that of the first one is over, nor waits beyond its own.
func TestJoinedCallsHaveTheirOwnTime(t *testing.T) {
	const s = time.Second
	type call struct {
		at, limit time.Duration
		took      time.Duration
		why       string // the error, or why the body is cut
	}
	for _, c := range []struct {
		name   string
		robots bool
		answer time.Duration // after the first request; the body after as long again
		calls  []call
	}{
		{"the second has more", false, 6 * s, []call{
			{0, 5 * s, 5 * s, "timed out after 5 seconds"},
			{1 * s, 30 * s, 11 * s, ""},
		}},
		{"the second has just enough", false, 6 * s, []call{
			{0, 5 * s, 5 * s, "timed out after 5 seconds"},
			{1 * s, 12 * s, 11 * s, ""},
		}},
		{"the second has less", false, 6 * s, []call{
			{0, 30 * s, 12 * s, ""},
			{1 * s, 2 * s, 2 * s, "timed out after 2 seconds"},
		}},
		{"the third has most", false, 6 * s, []call{
			{0, 2 * s, 2 * s, "timed out after 2 seconds"},
			{1 * s, 3 * s, 3 * s, "timed out after 3 seconds"},
			{3 * s, 10 * s, 9 * s, ""},
		}},
		{"nobody has enough", false, 6 * s, []call{
			{0, 2 * s, 2 * s, "timed out after 2 seconds"},
			{1 * s, 4 * s, 4 * s, "timed out after 4 seconds while waiting for the first byte"},
		}},
		// Those whose time ends with that of the request get what has come.
		{"all at once", false, 6 * s, []call{
			{0, 8 * s, 8 * s, "timed out after 8 seconds while reading the body"},
			{0, 8 * s, 8 * s, "timed out after 8 seconds while reading the body"},
			{0, 8 * s, 8 * s, "timed out after 8 seconds while reading the body"},
		}},
		{"robots.txt for the first is robots.txt for the second", true, 6 * s, []call{
			{0, 5 * s, 5 * s, "timed out after 5 seconds"},
			{1 * s, 30 * s, 23 * s, ""},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked atomic.Int32
				client, end := piped(t, func(conn net.Conn) {
					asked.Add(1)
					time.Sleep(c.answer)
					_, _ = io.WriteString(conn, ok+"Connection: close\r\nContent-Length: 9\r\n\r\nsome ")
					time.Sleep(c.answer)
					_, _ = io.WriteString(conn, "text")
				}, Options{Robots: c.robots})
				defer end()
				var wg sync.WaitGroup
				for i, call := range c.calls {
					wg.Go(func() {
						time.Sleep(call.at)
						begun := time.Now()
						res, err := client.Get(t.Context(), Request{URL: parse(t, "http://example.com/"), Timeout: call.limit})
						if took := time.Since(begun); took != call.took {
							t.Errorf("call %d took %v", i, took)
						}
						switch why := call.why; {
						case err != nil:
							if e := failure(t, err, Timeout); !strings.HasPrefix(e.Error(), why) || why == "" {
								t.Errorf("call %d: %v", i, e)
							}
						case why != "":
							if res.TruncatedWhy != why {
								t.Errorf("call %d: %q", i, res.TruncatedWhy)
							}
						case string(res.Body) != "some text" || res.Truncated:
							t.Errorf("call %d: %q, %q", i, res.Body, res.TruncatedWhy)
						}
					})
				}
				wg.Wait()
				want := int32(1)
				if c.robots {
					want = 2
				}
				if asked.Load() != want {
					t.Errorf("%d requests", asked.Load())
				}
				if n := client.inflight.Len(); n != 0 {
					t.Errorf("%d requests are in flight", n)
				}
			})
		})
	}
}

package fetch

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Which failures are remembered, and for how long.
func TestFailuresAreRemembered(t *testing.T) {
	status := func(n int, header ...string) func() (*http.Response, error) {
		return func() (*http.Response, error) { return answer(n, "sorry", header...), nil }
	}
	fails := func(err error) func() (*http.Response, error) {
		return func() (*http.Response, error) { return nil, err }
	}
	for _, c := range []struct {
		name  string
		reply func() (*http.Response, error)
		lasts time.Duration
		hint  string // part of it
	}{
		{"200", status(200), 0, ""},
		{"404", status(404), time.Minute, "search for the page"},
		{"410", status(410), time.Minute, "search for the page"},
		{"403", status(403), time.Minute, "look for another source"},
		{"451", status(451), time.Minute, "look for another source"},
		{"500", status(500), 0, ""},
		{"500 for 40 s", status(500, "Retry-After", "40"), 40 * time.Second, "wait, or look"},
		{"501", status(501), 0, ""},
		{"408", status(408), 0, ""},
		{"425", status(425), 0, ""},
		{"429", status(429), 0, ""},
		{"502", status(502), 0, ""},
		{"503", status(503), 0, ""},
		{"429 for years", status(429, "Retry-After", "999999999"), time.Minute, "wait, or look"},
		{"503 for 40 s", status(503, "Retry-After", "40"), 40 * time.Second, "wait, or look"},
		{"no such host", fails(&net.DNSError{Err: "no such host", IsNotFound: true}), time.Minute, "spelling"},
		{"no answer from DNS", fails(&net.DNSError{Err: "timeout", IsTimeout: true}), 0, ""},
		{"refused", fails(errConnRefused()), time.Minute, "spelling"},
		{"reset", fails(errors.New("connection reset")), 0, ""},
		{"certificate", fails(x509.UnknownAuthorityError{}), time.Minute, "safely"},
		{"circle", status(302, "Location", "/"), time.Minute, "another address"},
		{"policy", fails(refusal{}), 0, ""},
		{"cancelled", fails(context.Canceled), 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				client := bubble(t, Options{NegativeTTL: defaultNegativeTTL}, func(*http.Request) (*http.Response, error) {
					asked++
					return c.reply()
				})
				get := func(r Request) (*Response, *Error, bool) {
					before := asked
					r.URL = parse(t, "https://example.com/")
					res, err := client.Get(t.Context(), r)
					var e *Error
					errors.As(err, &e)
					return res, e, asked > before
				}
				_, first, _ := get(Request{})
				if c.lasts == 0 {
					if _, _, sent := get(Request{}); !sent {
						t.Error("it was remembered")
					}
					return
				}
				time.Sleep(c.lasts / 2)
				_, e, sent := get(Request{Timeout: time.Second})
				if sent || !e.Remembered || e.Code != first.Code || e.Status != first.Status || e.Error() != first.Error() || e.Retryable() != first.Retryable() {
					t.Fatalf("sent %v, %+v", sent, e)
				}
				half := c.lasts.Seconds() / 2
				if want := fmt.Sprintf("this failed %.0f seconds ago and is not asked again for %.0f: ", half, half); !strings.HasPrefix(e.Hint, want) || !strings.Contains(e.Hint, c.hint) {
					t.Errorf("hint %q", e.Hint)
				}
				// A pause that the server asks for is the host's, else the failure is the request's.
				pause := first.Status == 429 || first.Status == 503
				if _, _, sent := get(Request{Header: http.Header{"Accept": {"a/b"}}, Timeout: time.Second}); sent == pause {
					t.Errorf("another request: sent %v", sent)
				}
				if _, _, sent := get(Request{Fresh: true}); !sent {
					t.Error("Fresh was not heeded")
				}
				time.Sleep(c.lasts) // counted from the fresh one
				if _, _, sent := get(Request{}); !sent {
					t.Error("it was remembered for too long")
				}
			})
		})
	}
}

// A success makes the failure forgotten, and the memory is bounded.
func TestFailuresAreForgotten(t *testing.T) {
	status := 404
	c := bubble(t, Options{NegativeTTL: time.Hour}, func(*http.Request) (*http.Response, error) { return answer(status, ""), nil })
	get := func(u string, fresh bool) error {
		_, err := c.Get(t.Context(), Request{URL: parse(t, u), Fresh: fresh})
		return err
	}
	failure(t, get("https://example.com/", false), HTTPError)
	status = 200
	failure(t, get("https://example.com/", false), HTTPError)
	if get("https://example.com/", true) != nil || get("https://example.com/", false) != nil {
		t.Error("the failure is still remembered")
	}
	status = 404
	for i := range maxFailures + 10 {
		_ = get(fmt.Sprintf("https://example.com/%d", i), false)
	}
	if n := c.failures.all.Len(); n != maxFailures {
		t.Errorf("%d failures", n)
	}
}

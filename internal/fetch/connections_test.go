package fetch

import (
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
)

// TestDropped: a request that was given a connection that another one has dropped is sent
// on the next one. What fails on a connection of its own is not tried again.
func TestDropped(t *testing.T) {
	for name, c := range map[string]struct {
		conns []bool // of each connection: whether it was used before; all fail
		asked int
		fails bool
	}{
		"none":              {nil, 1, false},
		"one":               {[]bool{true}, 2, false},
		"two":               {[]bool{true, true}, 3, false},
		"a new one":         {[]bool{false}, 1, true},
		"then a new one":    {[]bool{true, false}, 2, true},
		"more than allowed": {[]bool{true, true, true, true, true, true, true, true}, maxConnections, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				client := bubble(t, Options{}, func(r *http.Request) (*http.Response, error) {
					asked++
					if asked <= len(c.conns) {
						httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{Reused: c.conns[asked-1]})
						return nil, &net.OpError{Op: "write", Net: "tcp", Err: net.ErrClosed}
					}
					return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/plain"}}, Body: io.NopCloser(strings.NewReader("some text"))}, nil
				})
				res, err := client.Get(t.Context(), Request{URL: parse(t, "https://example.com/")})
				if c.fails {
					failure(t, err, ConnectionError)
				} else if err != nil || string(res.Body) != "some text" {
					t.Errorf("%+v, %v", res, err)
				}
				if asked != c.asked {
					t.Errorf("asked %d times, want %d", asked, c.asked)
				}
			})
		})
	}
}

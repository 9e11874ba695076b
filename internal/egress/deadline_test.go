package egress

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// slowResolver answers after a while.
type slowResolver struct {
	after time.Duration
	addrs []netip.Addr
}

func (r slowResolver) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	if err := rest(ctx, r.after); err != nil {
		return nil, err
	}
	return r.addrs, nil
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A connection has as much time as the request that it is made for, wherever it
// is slow; when the request ends, so does the work for it.
func TestConnectionHasTheTimeOfItsRequest(t *testing.T) {
	const s, never = time.Second, time.Hour
	for _, c := range []struct {
		name    string
		url     string
		lookup  time.Duration
		connect []time.Duration // by address
		serve   func(net.Conn)
		limit   time.Duration // 0: none
		took    time.Duration
		fails   bool
	}{
		{"slow lookup", "http://a.com/", 12 * s, []time.Duration{0}, respond(0), 30 * s, 12 * s, false},
		{"slow lookup", "http://a.com/", 12 * s, []time.Duration{0}, respond(0), 5 * s, 5 * s, true},
		{"slow connection", "http://a.com/", 0, []time.Duration{12 * s}, respond(0), 30 * s, 12 * s, false},
		{"slow connection", "http://a.com/", 0, []time.Duration{12 * s}, respond(0), 5 * s, 5 * s, true},
		{"the first address never answers", "http://a.com/", 0, []time.Duration{never, 0}, respond(0), 30 * s, attemptDelay, false},
		{"both are slow", "http://a.com/", 0, []time.Duration{never, 12 * s}, respond(0), 30 * s, 12*s + attemptDelay, false},
		{"both are slow", "http://a.com/", 0, []time.Duration{never, 12 * s}, respond(0), 5 * s, 5 * s, true},
		{"TLS that never answers", "https://a.com/", 0, []time.Duration{0}, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }, 20 * s, 20 * s, true},
		{"TLS that never answers", "https://a.com/", 0, []time.Duration{0}, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }, 5 * s, 5 * s, true},
		{"slow headers", "http://a.com/", 0, []time.Duration{0}, respond(100 * s), 120 * s, 100 * s, false},
		{"slow headers", "http://a.com/", 0, []time.Duration{0}, respond(100 * s), 5 * s, 5 * s, true},
		{"nothing connects, and there is no limit", "http://a.com/", 0, []time.Duration{never}, respond(0), 0, maxDial, true},
		{"no handshake, and there is no limit", "https://a.com/", 0, []time.Duration{0}, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }, 0, maxDial, true},
	} {
		t.Run(c.name+", "+c.limit.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var servers sync.WaitGroup
				var connecting atomic.Int32
				resolver := slowResolver{after: c.lookup}
				for i := range c.connect {
					resolver.addrs = append(resolver.addrs, netip.AddrFrom4([4]byte{8, 8, 8, byte(i)}))
				}
				g, err := New(Policy{HTTP: HTTPAllow, Resolver: resolver})
				if err != nil {
					t.Fatal(err)
				}
				g.dialTCP = func(ctx context.Context, _ *net.Dialer, address string) (net.Conn, error) {
					connecting.Add(1)
					defer connecting.Add(-1)
					i := address[len("8.8.8."):strings.IndexByte(address, ':')][0] - '0'
					if err := rest(ctx, c.connect[i]); err != nil {
						return nil, err
					}
					ours, theirs := net.Pipe()
					servers.Go(func() {
						defer theirs.Close()
						c.serve(theirs)
					})
					return ours, nil
				}
				ctx, cancel := context.WithCancel(t.Context())
				if c.limit > 0 {
					ctx, cancel = context.WithTimeout(t.Context(), c.limit)
				}
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url, nil)
				if err != nil {
					t.Fatal(err)
				}
				begun := time.Now()
				resp, err := g.RoundTripper().RoundTrip(req)
				if took := time.Since(begun); took != c.took || (err != nil) != c.fails {
					t.Errorf("%v after %v", err, took)
				}
				if c.fails && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v", err)
				}
				if err == nil {
					_ = resp.Body.Close()
				}
				cancel()
				g.CloseIdle()
				synctest.Wait()
				if n := connecting.Load(); n > 0 {
					t.Errorf("%d attempts to connect go on", n)
				}
				servers.Wait()
				if took := time.Since(begun); strings.HasPrefix(c.url, "https:") && took != c.took {
					t.Errorf("the handshake went on until %v", took)
				}
			})
		})
	}
}

// respond answers a request after a while.
func respond(after time.Duration) func(net.Conn) {
	return func(c net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			return
		}
		time.Sleep(after)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	}
}

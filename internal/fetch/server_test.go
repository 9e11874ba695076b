package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

func parse(t testing.TB, s string) weburl.URL {
	t.Helper()
	u, err := weburl.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// allow is the policy of most tests.
func allow(u weburl.URL) (weburl.URL, error) { return u, nil }

// upgrade makes https of http, as the default policy does.
func upgrade(u weburl.URL) (weburl.URL, error) {
	if u.Scheme() == "http" {
		return u.WithScheme("https"), nil
	}
	return u, nil
}

// noLeak fails a test that leaves goroutines behind.
func noLeak(t testing.TB) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		after := 0
		for range 4000 { // twenty seconds, which only a leak needs
			if after = runtime.NumGoroutine(); after <= before {
				return
			}
			time.Sleep(5 * time.Millisecond) // until closed connections have been noticed
		}
		buf := make([]byte, 64<<10)
		t.Errorf("%d goroutines before, %d after\n%s", before, after, buf[:runtime.Stack(buf, true)])
	})
}

// dialer returns a transport that reaches the same server whatever the host.
func dialer(dial func() (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext:            func(context.Context, string, string) (net.Conn, error) { return dial() },
		TLSClientConfig:        &tls.Config{InsecureSkipVerify: true},
		DisableCompression:     true,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// site serves a handler and returns a client for which it is every http host,
// and, with a certificate that nobody checks, every https host.
func site(t testing.TB, h http.Handler, o Options) *Client {
	t.Helper()
	noLeak(t)
	plain, secure := httptest.NewServer(h), httptest.NewUnstartedServer(h)
	secure.StartTLS()
	tr := dialer(nil)
	tr.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		var d net.Dialer
		if strings.HasSuffix(addr, ":443") {
			return d.DialContext(ctx, network, secure.Listener.Addr().String())
		}
		return d.DialContext(ctx, network, plain.Listener.Addr().String())
	}
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		plain.Close()
		secure.Close()
	})
	o.RoundTripper = tr
	return client(t, o)
}

func client(t testing.TB, o Options) *Client {
	t.Helper()
	if o.Judge == nil {
		o.Judge = allow
	}
	// Most tests ask one server many times, and for what fails again and again.
	if o.HostRate == 0 {
		o.HostRate = -1
	}
	if o.NegativeTTL == 0 {
		o.NegativeTTL = -1
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// raw runs a server that speaks TCP as the test wants, one connection after
// the other.
func raw(t testing.TB, serve func(net.Conn), o Options) *Client {
	t.Helper()
	noLeak(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			readRequest(c)
			serve(c)
			_ = c.Close()
		}
	}()
	tr := dialer(func() (net.Conn, error) { return net.Dial("tcp", l.Addr().String()) })
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		_ = l.Close()
		<-done
	})
	o.RoundTripper = tr
	return client(t, o)
}

// piped is raw without TCP, for bubbles of testing/synctest, where time is
// free. The returned function ends it.
func piped(t testing.TB, serve func(net.Conn), o Options) (*Client, func()) {
	t.Helper()
	var servers sync.WaitGroup
	tr := dialer(func() (net.Conn, error) {
		ours, theirs := net.Pipe()
		servers.Go(func() {
			readRequest(theirs)
			serve(theirs)
			_ = theirs.Close()
		})
		return ours, nil
	})
	o.RoundTripper = tr
	return client(t, o), func() {
		tr.CloseIdleConnections()
		servers.Wait()
	}
}

// readRequest reads the head of a request, byte by byte.
func readRequest(c net.Conn) {
	var last [4]byte
	b := make([]byte, 1)
	for string(last[:]) != "\r\n\r\n" {
		if _, err := c.Read(b); err != nil {
			return
		}
		copy(last[:], last[1:])
		last[3] = b[0]
	}
}

// say returns a server that sends a text and closes.
func say(s string) func(net.Conn) {
	return func(c net.Conn) { _, _ = io.WriteString(c, s) }
}

// forever sends a text until nobody listens any more.
func forever(head, s string) func(net.Conn) {
	return func(c net.Conn) {
		_, err := io.WriteString(c, head)
		for err == nil {
			_, err = io.WriteString(c, s)
		}
	}
}

// failure returns the *Error in err, and fails the test when it is another.
func failure(t testing.TB, err error, code Code) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want one with code %s", err, code)
	}
	if e.Code != code {
		t.Fatalf("code %s (%s; %v), want %s", e.Code, e, e.Cause, code)
	}
	if strings.Contains(e.Error(), "127.0.0.1") || strings.Contains(e.Error(), "[::1]") {
		t.Errorf("the error shows an address: %s", e)
	}
	return e
}

// errConnRefused is what a dial returns, with the address that was dialled.
func errConnRefused() error {
	return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1},
		Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
}

// http2Site serves a handler over HTTP/2.
func http2Site(t testing.TB, h http.Handler) (*Client, func()) {
	t.Helper()
	noLeak(t)
	srv := httptest.NewUnstartedServer(h)
	srv.EnableHTTP2 = true
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	tr := dialer(func() (net.Conn, error) { return net.Dial("tcp", srv.Listener.Addr().String()) })
	tr.ForceAttemptHTTP2 = true
	return client(t, Options{RoundTripper: tr}), func() {
		tr.CloseIdleConnections()
		srv.Close()
	}
}

package fetch

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// hostileTLS is a server on loopback whose connections are served by a hostile
// function until it is told to be good, and a client with the real guard that
// may reach it.
type hostileTLS struct {
	url         weburl.URL
	client      *Client
	certificate tls.Certificate
	good        atomic.Bool
	connections atomic.Int32
}

func newHostileTLS(t *testing.T, serve func(*hostileTLS, net.Conn)) *hostileTLS {
	t.Helper()
	noLeak(t)
	// The certificate of package httptest is for 127.0.0.1.
	lender := httptest.NewUnstartedServer(nil)
	lender.StartTLS()
	h := &hostileTLS{certificate: lender.TLS.Certificates[0]}
	roots := x509.NewCertPool()
	roots.AddCert(lender.Certificate())
	lender.Close()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.url = parse(t, "https://"+l.Addr().String()+"/")
	exception, err := egress.ParseException(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	guard, err := egress.New(egress.Policy{Private: []egress.Exception{exception}, RootCAs: roots})
	if err != nil {
		t.Fatal(err)
	}
	var conns sync.WaitGroup
	var open sync.Map
	conns.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			h.connections.Add(1)
			open.Store(c, nil)
			conns.Go(func() {
				defer c.Close()
				if h.good.Load() {
					s := tls.Server(c, &tls.Config{Certificates: []tls.Certificate{h.certificate}})
					readRequest(s)
					_, _ = io.WriteString(s, ok+"Connection: close\r\n\r\ngood")
					_ = s.Close()
					return
				}
				serve(h, c)
			})
		}
	})
	t.Cleanup(func() {
		guard.CloseIdle()
		_ = l.Close()
		open.Range(func(c, _ any) bool { return c.(net.Conn).Close() != nil || true })
		conns.Wait()
	})
	h.client = client(t, Options{
		RoundTripper: guard.RoundTripper(),
		Judge: func(u weburl.URL) (weburl.URL, error) {
			u, d := guard.Judge(u)
			return u, d.Err()
		},
	})
	return h
}

// afterwards shows that the next call works, and that memory did not grow.
func (h *hostileTLS) afterwards(t *testing.T, heapBefore, most uint64) {
	t.Helper()
	h.good.Store(true)
	res, err := h.client.Get(t.Context(), Request{URL: h.url})
	if err != nil && err.(*Error).Code == ConnectionError {
		// It met a connection that the server was just closing.
		res, err = h.client.Get(t.Context(), Request{URL: h.url})
	}
	if err != nil || string(res.Body) != "good" {
		t.Errorf("the next call: %v, %v", res, err)
	}
	if grown := int64(heapSys()) - int64(heapBefore); grown > int64(most) {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
}

// heapSys is the memory that the heap took from the system, which it seldom
// gives back.
func heapSys() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapSys
}

// TLS servers that are none (T15). Renegotiation needs no row: package
// crypto/tls refuses it unless it is told otherwise, and nobody does.
func TestHostileTLS(t *testing.T) {
	record := func(kind byte, payload []byte) []byte {
		return append([]byte{kind, 3, 3, byte(len(payload) >> 8), byte(len(payload))}, payload...)
	}
	endless := func(b []byte) func(*hostileTLS, net.Conn) {
		return func(_ *hostileTLS, c net.Conn) {
			for {
				if _, err := c.Write(b); err != nil {
					return
				}
			}
		}
	}
	// A server that negotiates one protocol and speaks the other.
	speaks := func(protocol, text string) func(*hostileTLS, net.Conn) {
		return func(h *hostileTLS, c net.Conn) {
			s := tls.Server(c, &tls.Config{Certificates: []tls.Certificate{h.certificate}, NextProtos: []string{protocol}})
			if s.Handshake() == nil {
				_, _ = io.WriteString(s, text)
				_, _ = io.Copy(io.Discard, s)
			}
		}
	}
	for _, c := range []struct {
		name  string
		serve func(*hostileTLS, net.Conn)
		code  Code
		why   string
	}{
		{"never answers", func(_ *hostileTLS, c net.Conn) { _, _ = io.Copy(io.Discard, c) }, Timeout, ""}, // the words: TestNoHandshake
		{"closes at once", func(_ *hostileTLS, c net.Conn) {}, ConnectionError, ""},
		{"plain http", func(_ *hostileTLS, c net.Conn) { _, _ = io.WriteString(c, ok+"\r\n") }, TLSError, "the server does not speak TLS"},
		{"endless handshake message", endless(record(22, append([]byte{11, 0xff, 0xff, 0xff}, make([]byte, 16000)...))), TLSError, ""},
		{"endless warnings", endless(record(21, []byte{1, 90})), TLSError, ""},
		{"endless empty records", endless(record(22, nil)), TLSError, ""},
		{"endless change of cipher", endless(record(20, []byte{1})), TLSError, ""},
		{"record beyond its limit", endless(record(22, make([]byte, 0xffff))), TLSError, ""},
		{"certificate chain of 10 MB", func(h *hostileTLS, c net.Conn) {
			chain := tls.Certificate{PrivateKey: h.certificate.PrivateKey, Certificate: [][]byte{h.certificate.Certificate[0]}}
			for range 10 {
				chain.Certificate = append(chain.Certificate, bytes.Repeat([]byte{'x'}, 1<<20))
			}
			_ = tls.Server(c, &tls.Config{Certificates: []tls.Certificate{chain}}).Handshake()
		}, TLSError, ""},
		{"agrees on HTTP/2, speaks HTTP/1.1", speaks("h2", ok+"\r\nx"), ConnectionError, ""},
		{"agrees on HTTP/1.1, speaks HTTP/2", speaks("http/1.1", "\x00\x00\x00\x04\x00\x00\x00\x00\x00\r\n\r\n"), ConnectionError, ""},
		{"agrees on nothing of ours", func(h *hostileTLS, c net.Conn) {
			_ = tls.Server(c, &tls.Config{Certificates: []tls.Certificate{h.certificate}, NextProtos: []string{"spdy/3"}}).Handshake()
		}, TLSError, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHostileTLS(t, c.serve)
			before := heapSys()
			limit := 20 * time.Second
			if c.code == Timeout {
				limit = 700 * time.Millisecond
			}
			_, err := h.client.Get(t.Context(), Request{URL: h.url, Timeout: limit})
			if e := failure(t, err, c.code); c.why != "" && e.Error() != c.why {
				t.Errorf("%q (%v)", e.Error(), e.Cause)
			}
			h.afterwards(t, before, 128<<20) // the server's own ten megabytes are in it several times
		})
	}
}

package egress

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"golang.org/x/net/http2"
)

// A response with lines that are no headers is read as browsers read it, on a connection
// of its own.
func TestBrokenHeaderLines(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"without a colon", "HTTP/1.1 200 OK\r\nno colon here\r\nX-A: 1\r\nContent-Length: 4\r\n\r\n", "1"},
		{"a space in the name", "HTTP/1.1 200 OK\r\nX-A: 1\r\nBad Name: 2\r\nContent-Length: 4\r\n\r\n", "1"},
		{"line feeds only", "HTTP/1.1 200 OK\nbroken\nX-A: 1\nContent-Length: 4\n\n", "1"},
		{"after an interim response", "HTTP/1.1 103 Early Hints\r\nbroken\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nbroken\r\nX-A: 1\r\nContent-Length: 4\r\n\r\n", "1"},
		{"a body without a length", "HTTP/1.1 200 OK\r\nbroken\r\nX-A: 1\r\n\r\n", "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
						_, _ = io.WriteString(conn, c.head+"body")
					}
					_ = conn.Close()
				}
			}()
			g := newGuard(t, Policy{HTTP: HTTPAllow, Private: exceptions(t, l.Addr().String())})
			req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+l.Addr().String()+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := g.RoundTripper().RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err != nil || string(body) != "body" || resp.Header.Get("X-A") != c.want || resp.StatusCode != 200 {
				t.Errorf("%q %v %v", body, resp.Header, err)
			}
		})
	}
}

// However the bytes are cut, the same lines are left out, and what is after the head stays.
func TestHeadConnPieces(t *testing.T) {
	const in = "HTTP/1.1 200 OK\r\nbroken\r\nA: 1\r\n folded\r\n\r\nbody\r\nbroken\r\n"
	const want = "HTTP/1.1 200 OK\r\nA: 1\r\n folded\r\n\r\nbody\r\nbroken\r\n"
	for name, r := range map[string]io.Reader{"whole": strings.NewReader(in), "bytes": iotest.OneByteReader(strings.NewReader(in)), "end": iotest.DataErrReader(strings.NewReader(in))} {
		got, err := io.ReadAll(&headConn{Conn: readConn{Reader: r}})
		if err != nil || string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	long := bytes.Repeat([]byte("x"), 2*maxHeaderBytes)
	got, err := io.ReadAll(&headConn{Conn: readConn{Reader: bytes.NewReader(long)}})
	if err != nil || !bytes.Equal(got, long) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

type readConn struct {
	net.Conn
	io.Reader
}

func (c readConn) Read(p []byte) (int, error) { return c.Reader.Read(p) }

// A server that asks for HTTP/1.1 in the middle of HTTP/2 (RFC 9113 section 7) gets it.
func TestHTTP11Required(t *testing.T) {
	s := &site{Server: httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) }))}
	s.TLS = &tls.Config{NextProtos: []string{"h2", "http/1.1"}}
	var refused atomic.Int32
	s.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){"h2": func(_ *http.Server, conn *tls.Conn, _ http.Handler) {
		if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
			return
		}
		f := http2.NewFramer(conn, conn)
		_ = f.WriteSettings()
		for {
			frame, err := f.ReadFrame()
			if err != nil {
				return
			}
			if h, ok := frame.(*http2.HeadersFrame); ok {
				refused.Add(1)
				_ = f.WriteRSTStream(h.StreamID, http2.ErrCodeHTTP11Required)
			}
		}
	}}
	s.StartTLS()
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	addr := s.Listener.Addr().String()
	g := newGuard(t, Policy{Private: exceptions(t, addr), RootCAs: roots})
	req, err := http.NewRequestWithContext(t.Context(), "GET", "https://"+addr+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := g.RoundTripper().RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "HTTP/1.1" || refused.Load() != 1 {
		t.Errorf("%q, refused %d times, %v", body, refused.Load(), err)
	}
}

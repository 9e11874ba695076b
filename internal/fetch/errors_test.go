package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// slow is an error that says it is a time-out.
type slow string

func (s slow) Error() string { return string(s) }
func (slow) Timeout() bool   { return true }
func (slow) Temporary() bool { return true }

// What the network says, the words that come of it, and whether plain http
// could have helped.
func TestClassify(t *testing.T) {
	inner := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 443}
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Addr: inner, Err: err} }
	read := func(err error) error {
		return &net.OpError{Op: "read", Net: "tcp", Source: inner, Addr: inner, Err: err}
	}
	for _, c := range []struct {
		err      error
		code     Code
		words    string
		upgraded Code // the code when the hop was upgraded; "" means the same without hint
	}{
		{&net.DNSError{Err: "no such host", Name: "a", Server: "10.0.0.7:53", IsNotFound: true}, ConnectionError, "no such host", ""},
		{dial(&net.DNSError{Err: "x", Server: "10.0.0.7:53", IsTimeout: true}), Timeout, "timed out looking up the host", ""},
		{&net.DNSError{Err: "server misbehaving", Server: "10.0.0.7:53"}, ConnectionError, "the host could not be looked up", ""},
		{dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), ConnectionError, "connection refused", ConnectionError},
		{dial(os.NewSyscallError("connect", syscall.EHOSTUNREACH)), ConnectionError, "host unreachable", ConnectionError},
		{dial(os.NewSyscallError("connect", syscall.ETIMEDOUT)), Timeout, "timed out connecting", ConnectionError},
		{dial(slow("i/o timeout")), Timeout, "timed out connecting", ConnectionError},
		{dial(context.DeadlineExceeded), Timeout, "timed out connecting", ConnectionError},
		{read(slow("i/o timeout")), Timeout, "timed out", ""},
		{read(os.NewSyscallError("read", syscall.ECONNRESET)), ConnectionError, "connection reset", ConnectionError},
		{&url.Error{Op: "Get", URL: "https://10.0.0.7/", Err: io.EOF}, ConnectionError, "the server closed the connection", ConnectionError},
		{errors.New("stream error: stream ID 1; PROTOCOL_ERROR"), ConnectionError, "HTTP/2 protocol error", ConnectionError},
		{errors.New("http2: server sent GOAWAY"), ConnectionError, "HTTP/2 protocol error", ConnectionError},
		{errors.New("net/http: server response headers exceeded 65536 bytes; aborted"), TooLarge, "the response headers are too long", ""},
		{errors.New("malformed HTTP response \"10.0.0.7\""), ConnectionError, causeMalformed, ConnectionError},
		{errors.New("dial tcp 10.0.0.7:443: strange"), ConnectionError, "the connection failed", ConnectionError},
		{x509.HostnameError{Certificate: &x509.Certificate{}, Host: "10.0.0.7"}, TLSError, "TLS certificate is not valid for the host", ConnectionError},
		{fmt.Errorf("x: %w", x509.UnknownAuthorityError{}), TLSError, "TLS certificate is not signed by a known authority", ConnectionError},
		{x509.CertificateInvalidError{Reason: x509.Expired}, TLSError, "TLS certificate has expired or is not valid yet", ConnectionError},
		{x509.CertificateInvalidError{Reason: x509.TooManyIntermediates}, TLSError, "TLS certificate is not valid", ConnectionError},
		{tls.RecordHeaderError{Msg: "first record"}, TLSError, "the server does not speak TLS", ConnectionError},
		{&net.OpError{Op: "remote error", Err: tls.AlertError(40)}, TLSError, "TLS handshake failed", ConnectionError},
		{errors.New("tls: server selected unsupported protocol version 301"), TLSError, "TLS handshake failed", ConnectionError},
	} {
		for _, upgraded := range []bool{false, true} {
			rt := roundTrip(func(*http.Request) (*http.Response, error) { return nil, c.err })
			o := Options{RoundTripper: rt}
			if upgraded {
				o.Judge = upgrade
			}
			_, err := client(t, o).Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
			code, hint := c.code, tlsHint(c.err)
			if upgraded && c.upgraded != "" {
				code, hint = c.upgraded, hintPlainHTTP
			}
			e := failure(t, err, code)
			if e.Error() != c.words || e.Hint != hint || !errors.Is(e, c.err) {
				t.Errorf("%v, upgraded %v: %q, hint %q", c.err, upgraded, e.Error(), e.Hint)
			}
			if strings.Contains(e.Error()+e.Hint, "10.0.0.7") {
				t.Errorf("%v: shows an address: %s", c.err, e)
			}
		}
	}
}

// The caller's own deadline is a time-out, and wins over whatever came.
func TestCallersDeadline(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	c := client(t, Options{RoundTripper: roundTrip(func(r *http.Request) (*http.Response, error) { return nil, r.Context().Err() })})
	_, err := c.Get(ctx, Request{URL: parse(t, "http://example.com/")})
	failure(t, err, Timeout)
}

// A policy whose error has no words of its own for models still refuses.
func TestRefusalWithoutWords(t *testing.T) {
	c := client(t, Options{
		RoundTripper: roundTrip(func(*http.Request) (*http.Response, error) { panic("sent") }),
		Judge:        func(u weburl.URL) (weburl.URL, error) { return u, errors.New("not today") },
	})
	_, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
	if e := failure(t, err, Blocked); e.Error() != "not today" {
		t.Errorf("%v", e)
	}
}

// What a person can do about TLS is said: name a private authority, or ask for http.
func TestTLSHints(t *testing.T) {
	for err, want := range map[error]string{
		fmt.Errorf("x: %w", x509.UnknownAuthorityError{}): "SSL_CERT_FILE",
		tls.RecordHeaderError{Msg: "first record"}:        "write http:// instead of https://",
	} {
		c := client(t, Options{RoundTripper: roundTrip(func(*http.Request) (*http.Response, error) { return nil, err })})
		_, got := c.Get(t.Context(), Request{URL: parse(t, "https://example.com/")})
		if e := failure(t, got, TLSError); !strings.Contains(e.Hint, want) {
			t.Errorf("%v: %q", err, e.Hint)
		}
	}
	// A URL that was written without a scheme may be one of http.
	c := client(t, Options{RoundTripper: roundTrip(func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNREFUSED })})
	u, err := weburl.ParseLenient("example.com/page")
	if err != nil {
		t.Fatal(err)
	}
	_, got := c.Get(t.Context(), Request{URL: u})
	if e := failure(t, got, ConnectionError); e.Hint != hintNoScheme {
		t.Errorf("%q", e.Hint)
	}
}

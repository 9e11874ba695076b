package egress

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

const (
	idleTimeout    = 60 * time.Second // of a connection that no request uses
	maxHeaderBytes = 64 << 10
	maxIdle        = 64
	maxIdlePerHost = 4
	// maxInterim bounds the 1xx answers before the real one. net/http bounds
	// the bytes of all headers together and no longer their number, and gives
	// each one that a trace sees a new allowance of maxHeaderBytes.
	maxInterim = 5
)

// errInterim ends a request if the server sends too many 1xx answers.
var errInterim = errors.New("more than 5 interim responses")

// roundTripper judges each request and sends it with a transport that can dial
// judged addresses only.
type roundTripper struct {
	guard     *Guard
	transport *http.Transport
	fallback  *http.Transport
	endpoint  weburl.URL // zero: no endpoint, but the web
}

func (g *Guard) newRoundTripper(endpoint weburl.URL) *roundTripper {
	isEndpoint := !endpoint.IsZero()
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true) // by ALPN only: no cleartext HTTP/2, no upgrade to it
	var t *http.Transport
	t = &http.Transport{
		Proxy: nil, // not http.ProxyFromEnvironment: a proxy would resolve for us
		DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			return g.dial(requestOf(ctx), addr, isEndpoint)
		},
		DialTLSContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			return g.dialTLS(requestOf(ctx), addr, isEndpoint, t.TLSClientConfig)
		},
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: g.policy.RootCAs, NextProtos: []string{"h2", "http/1.1"}},
		// The handshake and the wait for headers have no limit of their own: the
		// request's context ends both.
		DisableCompression:     true, // the reader of the body bounds what it decodes
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		IdleConnTimeout:        idleTimeout,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: maxHeaderBytes, // HTTP/2 announces the same
		Protocols:              protocols,
		// What a site sends before it is read: over HTTP/2 it would be 4 MB of each body.
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 1 << 20},
	}
	f := newFallback(t)
	f.DialContext = headed(t.DialContext)
	f.DialTLSContext = headed(func(ctx context.Context, _, addr string) (net.Conn, error) {
		return g.dialTLS(requestOf(ctx), addr, isEndpoint, f.TLSClientConfig)
	})
	return &roundTripper{guard: g, transport: t, fallback: f, endpoint: endpoint}
}

// requestKey is the context key of a request's own context.
type requestKey struct{}

// requestOf returns the context of the request that needs the connection. The
// context that net/http gives to a dialer does not end with the request, so that a
// later request can use the connection. With that one, an attempt to reach a
// server that does not answer would go on after the request, and would need its
// own limit.
func requestOf(dial context.Context) context.Context {
	if request, ok := dial.Value(requestKey{}).(context.Context); ok {
		return request
	}
	return dial
}

// RoundTrip implements http.RoundTripper. See Guard.RoundTripper.
func (rt *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	u, d := rt.judge(req)
	if !d.Allowed {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		rt.guard.observe(d)
		return nil, d.Err()
	}

	interim := 0
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			if a, err := netip.ParseAddrPort(info.Conn.RemoteAddr().String()); err == nil {
				d = rt.guard.dialled(d, targetOf(u), a.Addr().Unmap())
			}
		},
		Got1xxResponse: func(int, textproto.MIMEHeader) error {
			if interim++; interim > maxInterim {
				return errInterim
			}
			return nil
		},
	})
	// The request is sent with the judged URL; its own URL, Opaque and Host could
	// name another host.
	out := req.WithContext(context.WithValue(ctx, requestKey{}, ctx))
	out.URL = wireURL(u)
	out.Host = ""

	resp, err := rt.transport.RoundTrip(out)
	if wantsFallback(out, err) {
		resp, err = rt.fallback.RoundTrip(out)
	}
	if refusal := (*Error)(nil); errors.As(err, &refusal) {
		d = refusal.Decision.in(d)
		err = d.Err()
	}
	rt.guard.observe(d)
	if err != nil {
		return nil, err
	}
	// net/http prefers an answer to the end of the request. A server that notices
	// that its client leaves can still answer, with nothing.
	if err := context.Cause(ctx); err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	shownURL := *out.URL
	shownURL.Opaque = ""
	resp.Request = req.WithContext(req.Context())
	resp.Request.URL, resp.Request.Host = &shownURL, ""
	return resp, nil
}

// judge returns the URL to be used for a request, and the decision.
func (rt *roundTripper) judge(req *http.Request) (weburl.URL, Decision) {
	if req.URL == nil {
		return weburl.URL{}, Decision{}.refuse(ruleURL, "the request has no URL", "")
	}
	raw := req.URL.String()
	if len(raw) > maxURLBytes {
		return weburl.URL{}, refuseLength(Decision{URL: unparsed(raw)})
	}
	u, err := weburl.Parse(raw)
	if err != nil {
		return weburl.URL{}, Decision{URL: unparsed(raw)}.refuse(ruleURL,
			"this is not an absolute URL", "write it as https://host/path")
	}
	if rt.endpoint.IsZero() {
		return rt.guard.judge(u)
	}
	d := begin(u)
	switch {
	case u.Origin() != rt.endpoint.Origin():
		return u, d.refuse(ruleEndpoint, shown(d.Host)+" is not the endpoint "+rt.endpoint.Origin(), "")
	case u.HasUserinfo():
		return u, d.refuse(ruleUserinfo, "the URL for "+shown(d.Host)+" holds a user name or a password",
			"give the key of the endpoint in its own setting")
	}
	return u, d.allow(ruleEndpoint)
}

// wireURL returns u in the form for which package net/http sends the path of u
// unchanged, where that is possible.
func wireURL(u weburl.URL) *url.URL {
	w := u.NetURL()
	// net/http sends a path in Opaque unchanged, but reads a host from one that
	// begins with "//".
	if w.Opaque != "" && !strings.HasPrefix(u.Path(), "//") {
		w.Opaque = u.Path()
	}
	return w
}

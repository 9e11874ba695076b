package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// upstream is the proxy of Policy.Proxy.
type upstream struct {
	target        target
	tls           bool
	authorization string // of Proxy-Authorization; empty: none
}

// ProxyVariables are the variables that name a proxy for other programs, in the order in
// which WEB_PROXY=env looks for one. The Guard itself ignores them.
func ProxyVariables() []string {
	return []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"}
}

// parseUpstream parses Policy.Proxy; nil for "". Errors do not contain it, because
// it can contain a password.
func parseUpstream(raw string) (*upstream, error) {
	if raw == "" {
		return nil, nil
	}
	u, err := weburl.Parse(raw)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" || u.Host() == "" || u.Oddities() != 0 ||
		u.Path() != "/" || u.RawQuery() != "" || u.Fragment() != "" {
		return nil, errors.New("the upstream proxy of WEB_PROXY is none: use http://host:port or https://host:port")
	}
	p := &upstream{target: targetOf(u), tls: u.Scheme() == "https"}
	p.target.endpoint, p.target.upstream = true, true
	if p.target.addr.IsValid() && classify(p.target.addr) == metadata || isMetadataName(p.target.host) {
		return nil, errors.New("the upstream proxy of WEB_PROXY is a cloud's metadata service: use another host")
	}
	if u.HasUserinfo() {
		if p.authorization, err = basicAuth(u); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// basicAuth returns the user name and the password of a URL as a header value.
func basicAuth(u weburl.URL) (string, error) {
	// In canonical form, what stands before the @ holds no other one.
	_, after, _ := strings.Cut(u.String(), "://")
	info, _, _ := strings.Cut(after, "@")
	name, password, _ := strings.Cut(info, ":")
	name, err := url.PathUnescape(name)
	if err == nil {
		password, err = url.PathUnescape(password)
	}
	if err != nil || strings.Contains(name, ":") {
		return "", errors.New("the user name or password of WEB_PROXY is malformed: write special characters as %XX")
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password)), nil
}

// viaUpstream asks the upstream proxy for a tunnel to a judged address. The proxy
// gets the address and not the name, which it could resolve to another address.
func (g *Guard) viaUpstream(ctx context.Context, t target, pinned netip.AddrPort) (net.Conn, error) {
	conn, err := g.dialTarget(ctx, g.upstream.target)
	if err != nil {
		return nil, t.proxyError(err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	tunnel, err := g.upstream.open(ctx, g, conn, pinned)
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = conn.Close()
		return nil, t.proxyError(err)
	}
	return tunnel, nil
}

// open asks for the tunnel on a connection to the proxy.
func (p *upstream) open(ctx context.Context, g *Guard, conn net.Conn, pinned netip.AddrPort) (net.Conn, error) {
	if p.tls {
		secure := tls.Client(conn, &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: g.policy.RootCAs, ServerName: p.target.host})
		if err := secure.HandshakeContext(ctx); err != nil {
			return nil, err
		}
		conn = secure
	}
	head := "CONNECT " + pinned.String() + " HTTP/1.1\r\nHost: " + pinned.String() + "\r\n"
	if p.authorization != "" {
		head += "Proxy-Authorization: " + p.authorization + "\r\n"
	}
	if _, err := io.WriteString(conn, head+"\r\n"); err != nil {
		return nil, err
	}
	bounded := &io.LimitedReader{R: conn, N: maxHeaderBytes}
	in := bufio.NewReader(bounded)
	for range maxInterim + 1 {
		resp, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
		if err != nil {
			return nil, err
		}
		switch resp.StatusCode / 100 {
		case 1:
		case 2:
			bounded.N = math.MaxInt64
			return &readAheadConn{conn, in}, nil
		default:
			return nil, fmt.Errorf("the upstream proxy of WEB_PROXY answered %d", resp.StatusCode)
		}
	}
	return nil, errInterim
}

// proxyError is a failure to connect through the upstream proxy. It contains the
// name of the target and the cause, not the address of the proxy.
func (t target) proxyError(err error) error {
	var op *net.OpError
	var refusal *Error
	switch {
	case errors.As(err, &refusal): // of the proxy, not of the target
		err = errors.New("the upstream proxy of WEB_PROXY is not allowed")
	case errors.As(err, &op):
		err = op.Err
	}
	return &net.OpError{Op: "proxyconnect", Net: "tcp", Addr: hostAddr(t.hostPort()), Err: err}
}

// readAheadConn is a connection whose first bytes have been read already.
type readAheadConn struct {
	net.Conn
	in *bufio.Reader
}

func (c *readAheadConn) Read(p []byte) (int, error) { return c.in.Read(p) }

func (c *readAheadConn) CloseWrite() error {
	if half, ok := c.Conn.(closeWriter); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// ProxyAddress returns Policy.Proxy for display, without user name and
// password; empty if none is given or it is malformed.
func (p *Policy) ProxyAddress() string {
	u, err := weburl.Parse(p.Proxy)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.WithoutUserinfo().String(), "/")
}

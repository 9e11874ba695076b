package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// An internet is a guard and two servers of one handler, to which the dialer
// leads all public addresses: port 443 to the one with TLS. Each name resolves
// to a public address of its own, unless answers says otherwise. What is not
// public is dialled in earnest, should it ever come to that.
type internet struct {
	*Guard
	t       testing.TB
	answers map[string]string // addresses of a name, apart by spaces
	mu      sync.Mutex
	dialed  []string // names, by the address that was dialled
	names   map[netip.Addr]string
	seen    []*http.Request
}

func newInternet(t testing.TB, p Policy, h http.HandlerFunc) *internet {
	n := &internet{t: t, answers: map[string]string{}, names: map[netip.Addr]string{}}
	handler := func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		n.seen = append(n.seen, r.Clone(context.Background()))
		n.mu.Unlock()
		if h != nil {
			h(w, r)
		}
	}
	plain, secure := newSite(t, false, handler), newSite(t, true, handler)
	p.Resolver = n
	n.Guard = newGuard(t, p)
	n.web.transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true} // one certificate for all
	n.dialTCP = func(ctx context.Context, d *net.Dialer, address string) (net.Conn, error) {
		// The control function has its say, as it has for a real dial.
		if err := d.ControlContext(ctx, "tcp", address, nil); err != nil {
			return nil, err
		}
		to := netip.MustParseAddrPort(address)
		n.mu.Lock()
		n.dialed = append(n.dialed, orAddr(n.names[to.Addr()], to))
		n.mu.Unlock()
		if !classify(to.Addr()).Global() && classify(to.Addr()) != nat64 {
			return d.DialContext(ctx, "tcp", address)
		}
		site := plain
		if to.Port() == 443 {
			site = secure
		}
		return (&net.Dialer{}).DialContext(ctx, "tcp", site.Listener.Addr().String())
	}
	return n
}

func orAddr(name string, a netip.AddrPort) string {
	if name == "" {
		return a.String()
	}
	return fmt.Sprintf("%s:%d", name, a.Port())
}

func (n *internet) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	name := strings.TrimSuffix(host, ".")
	var addrs []netip.Addr
	for _, s := range strings.Fields(n.answers[name]) {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	if addrs == nil {
		addrs = []netip.Addr{addressOf(name)}
	}
	for _, a := range addrs {
		n.names[a.Unmap()] = name
	}
	return addrs, nil
}

// get fetches as the tools do.
func (n *internet) get(req fetch.Request) (*fetch.Response, error) {
	n.t.Helper()
	c, err := fetch.New(fetch.Options{RoundTripper: n.RoundTripper(), Judge: func(u weburl.URL) (weburl.URL, error) {
		u, d := n.Judge(u)
		return u, d.Err()
	}})
	if err != nil {
		n.t.Fatal(err)
	}
	req.Redirects = fetch.Follow
	return c.Get(context.Background(), req)
}

func (n *internet) url(raw string) fetch.Request { return fetch.Request{URL: mustURL(n.t, raw)} }

// browse asks through a proxy as a browser does, and follows redirects.
func (n *internet) browse(raw string) (status int, err error) {
	n.t.Helper()
	p := newSession(n.t, n.Guard, ProxyOptions{})
	c := &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: p.Addr(), User: url.UserPassword("spyhop", p.Token())}), DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	resp, err := c.Get(raw)
	if err != nil {
		return 0, err
	}
	_ = resp.Body.Close()
	return resp.StatusCode, nil
}

// wantDialed compares and forgets what was dialled.
func (n *internet) wantDialed(want ...string) {
	n.t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Equal(n.dialed, want) {
		n.t.Errorf("dialled %q, want %q", n.dialed, want)
	}
	n.dialed = nil
}

func wantCode(t testing.TB, err error, want fetch.Code) {
	t.Helper()
	var e *fetch.Error
	if !errors.As(err, &e) || e.Code != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// leadsTo is a scenario: a page answers each status with a Location, and what
// that names is never dialled.
func leadsTo(location string, statuses ...int) func(*testing.T) {
	return func(t *testing.T) {
		for _, status := range statuses {
			n := newInternet(t, Policy{HTTP: HTTPAllow}, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", location)
				w.WriteHeader(status)
			})
			_, err := n.get(n.url("http://a.com/"))
			switch status {
			case 301, 302, 303, 307, 308:
				if code := new(fetch.Error); !errors.As(err, &code) || code.Code != fetch.Blocked && code.Code != fetch.InvalidURL {
					t.Errorf("%d: %v", status, err)
				}
			}
			n.wantDialed("a.com:80")
			if got, err := n.browse("http://a.com/"); err == nil && got != 502 && got != status {
				t.Errorf("%d: through the proxy %d", status, got)
			}
			n.wantDialed("a.com:80")
		}
	}
}

// fromChromium is a scenario: a page makes the browser ask for inner hosts, and
// the proxy refuses; nobody is dialled.
func fromChromium(method, dest, mode, more string) func(*testing.T) {
	return func(t *testing.T) {
		canary := newSite(t, false, nil)
		n := newInternet(t, Policy{HTTP: HTTPAllow}, nil)
		p := newSession(t, n.Guard, ProxyOptions{})
		head := " HTTP/1.1\r\nHost: a.com\r\nSec-Fetch-Dest: " + dest + "\r\nSec-Fetch-Mode: " + mode + "\r\nSec-Fetch-Site: cross-site\r\nReferer: http://a.com/\r\n" + more + "\r\n"
		for _, host := range []string{"127.0.0.1:" + canary.port, "[::1]:" + canary.port, "localhost:" + canary.port, "0.0.0.0:" + canary.port, "169.254.169.254", "10.0.0.1:8080"} {
			asked := []string{method + " http://" + host + "/x", "CONNECT " + host}
			if !strings.Contains(strings.TrimPrefix(host, "["), ":") {
				asked[1] += ":80"
			}
			for i, line := range asked {
				if i == 1 {
					head = " HTTP/1.1\r\nHost: a.com\r\nProxy-Connection: keep-alive\r\n\r\n"
				}
				if got := p.say(t, line+head); got != answerRefused {
					t.Errorf("%s: %q", line, got)
				}
				if x := p.next(t); x.Decision.Allowed {
					t.Errorf("%s: heard of %+v", line, x)
				}
			}
		}
		n.wantDialed()
		if canary.conns.Load() != 0 {
			t.Error("the canary was reached")
		}
	}
}

// ofChromium is a scenario: an ordinary page loads something public.
func ofChromium(dest, mode string) func(*testing.T) {
	return func(t *testing.T) {
		n := newInternet(t, Policy{HTTP: HTTPAllow}, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "hello") })
		p := newSession(t, n.Guard, ProxyOptions{})
		got := p.say(t, "GET http://cdn.com/x HTTP/1.1\r\nHost: cdn.com\r\nSec-Fetch-Dest: "+dest+"\r\nSec-Fetch-Mode: "+mode+"\r\n\r\n")
		if !strings.HasPrefix(got, "HTTP/1.1 200 OK\r\n") || !strings.HasSuffix(got, "hello") {
			t.Errorf("%q", got)
		}
		if status, err := n.browse("https://cdn.com/"); status != 200 {
			t.Errorf("%d, %v", status, err)
		}
		n.wantDialed("cdn.com:80", "cdn.com:443")
	}
}

// scenarios holds a test for each scenario of the address cases that does not
// need a browser. Where the guard is one part of what a scenario asks for, the
// part that needs the browser is in needBrowser too.
var scenarios = map[string]func(*testing.T){
	"redir-001": leadsTo("http://169.254.169.254/latest/", 301),
	"redir-002": leadsTo("http://169.254.169.254/latest/", 302, 303),
	"redir-004": leadsTo("http://169.254.169.254/latest/", 307),
	"redir-005": leadsTo("http://169.254.169.254/latest/", 308),
	"redir-006": leadsTo("http://127.0.0.1/", 300, 304, 305, 306),
	"redir-009": leadsTo("file:///etc/passwd", 301, 302, 303, 307, 308),
	"redir-011": func(t *testing.T) {
		leadsTo("data:text/html,<h1>x</h1>", 301, 302, 303, 307, 308)(t)
		leadsTo("javascript:alert(1)", 301, 302, 303, 307, 308)(t)
	},
	"redir-012": func(t *testing.T) {
		for _, location := range []string{"http://127.0.0.1/\r X: y", "http://127.0.0.1/\x00", "http://b.com\x00.127.0.0.1/", "http://b.\x01com/", "http://b.com\t/", "/\x7f@127.0.0.1", "http://127.0.0.1%0d%0a/"} {
			n := newInternet(t, Policy{HTTP: HTTPAllow}, func(w http.ResponseWriter, r *http.Request) {
				conn, _, _ := w.(http.Hijacker).Hijack()
				if r.URL.Path == "/" {
					_, _ = io.WriteString(conn, "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "+location+"\r\n\r\n")
				} else {
					_, _ = io.WriteString(conn, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
				}
				_ = conn.Close()
			})
			if resp, err := n.get(n.url("http://a.com/")); err == nil {
				t.Errorf("%q: status %d", location, resp.Status)
			}
			for _, to := range n.dialed {
				if to != "a.com:80" {
					t.Errorf("%q: dialled %s", location, to)
				}
			}
		}
	},
	"redir-014": func(t *testing.T) {
		n := newInternet(t, Policy{HTTP: HTTPAllow}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Refresh", "0;url=http://127.0.0.1/")
			_, _ = io.WriteString(w, `<meta http-equiv="refresh" content="0;url=http://127.0.0.1/">`)
		})
		if _, err := n.get(n.url("http://a.com/")); err != nil {
			t.Error(err)
		}
		if status, err := n.browse("http://127.0.0.1/"); status != 502 {
			t.Errorf("the browser's next request: %d, %v", status, err)
		}
		n.wantDialed("a.com:80")
	},
	"redir-016": fromChromium("GET", "document", "navigate", "Upgrade-Insecure-Requests: 1\r\n"),
	"redir-017": func(t *testing.T) {
		n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
			var to string
			switch r.Host {
			case "chain.com":
				to = r.URL.Path + "x"
			case "a.com":
				to = "https://b.com/"
			case "b.com":
				to = "https://a.com/"
			case "self.com":
				to = "/?" + r.URL.RawQuery + "x"
			}
			http.Redirect(w, r, to, http.StatusFound)
		})
		for _, host := range []string{"chain.com", "a.com", "self.com"} {
			_, err := n.get(n.url("https://" + host + "/"))
			wantCode(t, err, fetch.TooManyRedirects)
		}
		if len(n.seen) > 11+2+11 {
			t.Errorf("%d requests", len(n.seen))
		}
	},
	"redir-018": downgrade,
	"redir-019": func(t *testing.T) {
		n := newInternet(t, Policy{HTTP: HTTPAllow}, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.TLS == nil:
				http.Redirect(w, r, "https://example.com", http.StatusMovedPermanently)
			case r.Host == "example.com":
				http.Redirect(w, r, "https://www.example.com/", http.StatusMovedPermanently)
			}
		})
		resp, err := n.get(n.url("http://example.com/"))
		if err != nil || resp.URL.String() != "https://www.example.com/" {
			t.Errorf("%v, %v", resp, err)
		}
		n.wantDialed("example.com:80", "example.com:443", "www.example.com:443")
		if status, err := n.browse("http://example.com"); status != 200 {
			t.Errorf("through the proxy: %d, %v", status, err)
		}
	},
	"redir-020": func(t *testing.T) {
		n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
			if to := map[string]string{"/a/b": "/next", "/next": "../x", "/x": "?q"}[r.URL.Path]; to != "" && r.URL.RawQuery == "" {
				w.Header().Set("Location", to)
				w.WriteHeader(http.StatusFound)
			}
		})
		resp, err := n.get(n.url("https://a.com/a/b"))
		if err != nil || resp.URL.String() != "https://a.com/x?q" {
			t.Errorf("%v, %v", resp, err)
		}
	},
	"redir-021": func(t *testing.T) {
		n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
			if r.Host == "t.co" {
				http.Redirect(w, r, "https://news.com/a", http.StatusMovedPermanently)
			}
		})
		resp, err := n.get(n.url("https://t.co/x"))
		if err != nil || resp.URL.String() != "https://news.com/a" || len(resp.Hops) != 2 {
			t.Errorf("%v, %v", resp, err)
		}
		n.wantDialed("t.co:443", "news.com:443")
	},
	"redir-022": leadsTo("http://a.com:6379/", 302),

	"rebind-001": func(t *testing.T) {
		TestRebindBetweenCheckAndRequest(t)
		n := newInternet(t, Policy{}, nil)
		p := newSession(t, n.Guard, ProxyOptions{})
		if _, d := n.Check(t.Context(), mustURL(t, "https://a.com/")); !d.Allowed {
			t.Fatalf("%+v", d)
		}
		n.answers["a.com"] = "127.0.0.1"
		if got := p.say(t, "CONNECT a.com:443 HTTP/1.1\r\n\r\n"); got != answerRefused {
			t.Errorf("%q", got)
		}
		n.wantDialed()
	},
	"rebind-002": func(t *testing.T) {
		n := newInternet(t, Policy{HTTP: HTTPAllow}, nil)
		p := newSession(t, n.Guard, ProxyOptions{})
		const get = "GET http://a.com/ HTTP/1.1\r\nHost: a.com\r\nConnection: keep-alive\r\n\r\n"
		if got := p.say(t, get); !strings.HasPrefix(got, "HTTP/1.1 200") {
			t.Errorf("the navigation: %q", got)
		}
		n.answers["a.com"] = "127.0.0.1"
		for _, raw := range []string{get, "CONNECT a.com:80 HTTP/1.1\r\n\r\n", "CONNECT a.com:443 HTTP/1.1\r\n\r\n"} {
			if got := p.say(t, raw); got != answerRefused {
				t.Errorf("the page's own request: %q", got)
			}
		}
		n.wantDialed("a.com:80")
	},
	"rebind-003": func(t *testing.T) {
		for _, answer := range []string{"93.184.215.14 0.0.0.0", "0.0.0.0 93.184.215.14", "93.184.215.14 ::1", "2606:4700::1111 ::ffff:127.0.0.1"} {
			n := newInternet(t, Policy{}, nil)
			n.answers["a.com"] = answer
			_, err := n.get(n.url("https://a.com/"))
			wantCode(t, err, fetch.Blocked)
			if got := newSession(t, n.Guard, ProxyOptions{}).say(t, "CONNECT a.com:443 HTTP/1.1\r\n\r\n"); got != answerRefused {
				t.Errorf("%s: %q", answer, got)
			}
			n.wantDialed()
		}
	},
	"rebind-008": func(t *testing.T) {
		g, dns := withNameServer(t, nil)
		if _, d := g.Check(t.Context(), mustURL(t, "https://wiki.team/")); d.Allowed || d.Rule != ruleResolve {
			t.Errorf("%+v", d)
		}
		for _, q := range dns.questions() {
			if q.name != "wiki.team." {
				t.Errorf("asked for %s", q.name)
			}
		}
		if len(dns.questions()) == 0 {
			t.Error("nobody was asked")
		}
	},
	"rebind-012": func(t *testing.T) {
		// An HTTPS record with ipv4hint=127.0.0.1 beside the address (RFC 9460).
		hint := []byte{0xc0, 12, 0, 65, 0, 1, 0, 0, 0, 0, 0, 11, 0, 1, 0, 0, 4, 0, 4, 127, 0, 0, 1}
		g, dns := withNameServer(t, hint)
		n := newInternet(t, Policy{}, nil)
		g.dialTCP = n.dialTCP
		if _, d := g.Check(t.Context(), mustURL(t, "https://a.com/")); !d.Allowed || d.Addr.String() != "93.184.215.14" {
			t.Errorf("%+v", d)
		}
		for _, q := range dns.questions() {
			if q.kind != 1 && q.kind != 28 {
				t.Errorf("asked for a record of type %d", q.kind)
			}
		}
	},
	"rebind-014": func(t *testing.T) {
		for _, on := range []bool{false, true} {
			n := newInternet(t, Policy{NAT64: on}, nil)
			n.answers["v4only.com"] = "64:ff9b::5db8:d70e"
			_, err := n.get(n.url("https://v4only.com/"))
			if (err == nil) != on {
				t.Errorf("with the option %v: %v", on, err)
			}
		}
	},

	"proxyenv-001": TestEnvironmentProxyIsIgnored,
	"proxyenv-004": func(t *testing.T) {
		n := newInternet(t, Policy{HTTP: HTTPAllow}, nil)
		p := newSession(t, n.Guard, ProxyOptions{})
		for _, host := range []string{"wpad", "wpad.corp", "wpad.home.arpa", "wpad.localdomain"} {
			if got := p.say(t, "GET http://"+host+"/wpad.dat HTTP/1.1\r\n\r\n"); got != answerRefused {
				t.Errorf("%s: %q", host, got)
			}
		}
		n.wantDialed()
	},
	"proxyenv-007": TestProxyToken,
	"proxyenv-009": func(t *testing.T) {
		n := newInternet(t, Policy{HTTP: HTTPAllow}, nil)
		p := newSession(t, n.Guard, ProxyOptions{})
		for _, host := range []string{"internal", "127.0.0.1", "169.254.169.254", "other.com"} {
			if got := p.say(t, "GET http://good.com/ HTTP/1.1\r\nHost: "+host+"\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.1 200") {
				t.Errorf("%q", got)
			}
			n.wantDialed("good.com:80")
			if got := n.seen[len(n.seen)-1].Host; got != "good.com" {
				t.Errorf("the site is asked for %s", got)
			}
		}
	},
	"proxyenv-010": TestProxyMalformed,

	"h2-003": func(t *testing.T) {
		n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
			if pusher, ok := w.(http.Pusher); ok && pusher.Push("/pushed", nil) == nil {
				t.Error("the client takes pushes")
			}
			w.Header().Set("Link", "<http://127.0.0.1/>; rel=preload; as=script")
			w.WriteHeader(http.StatusEarlyHints)
		})
		if _, err := n.get(n.url("https://a.com/")); err != nil {
			t.Error(err)
		}
		n.wantDialed("a.com:443")
		TestProxyHostileSite(t) // where hints of plain http end
	},

	"subres-001": fromChromium("GET", "image", "no-cors", ""),
	"subres-003": fromChromium("GET", "image", "no-cors", "Accept: image/avif\r\n"),
	"subres-004": fromChromium("GET", "style", "no-cors", ""),
	"subres-005": ofChromium("style", "no-cors"),
	"subres-008": fromChromium("GET", "script", "no-cors", ""),
	"subres-009": ofChromium("script", "no-cors"),
	"subres-010": fromChromium("GET", "script", "cors", "Origin: http://a.com\r\n"),
	"subres-011": fromChromium("GET", "iframe", "navigate", ""),
	"subres-012": ofChromium("iframe", "navigate"),
	"subres-013": fromChromium("GET", "image", "no-cors", "Referer: about:srcdoc\r\n"),
	"subres-015": fromChromium("GET", "video", "no-cors", "Range: bytes=0-\r\n"),
	"subres-016": fromChromium("GET", "image", "no-cors", "Purpose: favicon\r\n"),
	"subres-017": fromChromium("GET", "manifest", "cors", ""),
	"subres-021": fromChromium("GET", "font", "cors", "Origin: http://a.com\r\n"),
	"subres-022": fromChromium("GET", "document", "navigate", "Sec-Purpose: prefetch;prerender\r\n"),
	"subres-023": fromChromium("POST", "empty", "no-cors", "Ping-From: http://a.com/\r\nContent-Type: text/ping\r\nContent-Length: 0\r\n"),
	"subres-026": ofChromium("empty", "no-cors"),
	"subres-027": fromChromium("GET", "empty", "cors", "Origin: http://a.com\r\n"),
	"subres-028": fromChromium("GET", "empty", "cors", "Accept: text/event-stream\r\n"),
	"subres-029": fromChromium("GET", "websocket", "websocket", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n"),
	"subres-032": fromChromium("GET", "worker", "same-origin", ""),
	"subres-033": fromChromium("GET", "sharedworker", "same-origin", ""),
	"subres-034": fromChromium("GET", "serviceworker", "same-origin", "Service-Worker: script\r\n"),
	"subres-038": fromChromium("POST", "report", "no-cors", "Content-Type: application/reports+json\r\nContent-Length: 0\r\n"),
	"subres-039": fromChromium("POST", "document", "navigate", "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n"),
	"subres-040": fromChromium("GET", "document", "navigate", ""),
	"subres-042": fromChromium("GET", "image", "no-cors", "Accept: image/svg+xml\r\n"),
	"subres-043": fromChromium("GET", "xslt", "same-origin", ""),
	"subres-045": fromChromium("GET", "object", "navigate", ""),
	"subres-047": fromChromium("GET", "script", "cors", "Origin: http://a.com\r\nAccept: text/javascript\r\n"),

	"browser-001": func(t *testing.T) {
		n := newInternet(t, Policy{HTTP: HTTPAllow}, nil)
		p := newSession(t, n.Guard, ProxyOptions{})
		for _, raw := range []string{"file:///etc/passwd", "chrome://settings", "view-source:http://a.com/", "devtools://devtools/x", "javascript:1", "data:text/html,x", "blob:http://a.com/x", "filesystem:http://a.com/x"} {
			if _, d := n.CheckRaw(t.Context(), raw); d.Allowed {
				t.Errorf("%s is allowed", raw)
			}
			if got := p.say(t, "GET "+raw+" HTTP/1.1\r\n\r\n"); got != answerRefused {
				t.Errorf("%s: %q", raw, got)
			}
		}
		n.wantDialed()
	},
	"browser-003": func(t *testing.T) {
		n := newInternet(t, Policy{HTTP: HTTPAllow}, nil)
		p := newSession(t, n.Guard, ProxyOptions{})
		for _, raw := range []string{"GET http://127.0.0.1:9222/json/version", "CONNECT 127.0.0.1:9222", "CONNECT localhost:9222", "CONNECT a.com:9222"} {
			if got := p.say(t, raw+" HTTP/1.1\r\n\r\n"); got != answerRefused {
				t.Errorf("%s: %q", raw, got)
			}
		}
		n.wantDialed()
	},
	"browser-005": TestProxyCallsHome,
	"browser-006": TestProxyLimits,
	"browser-007": fromChromium("OPTIONS", "empty", "cors", "Origin: http://a.com\r\nAccess-Control-Request-Private-Network: true\r\n"),

	"cred-001": func(t *testing.T) {
		n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
			for _, c := range []string{"a=1", "b=2; Domain=.com", "c=3; Domain=co.uk", "d=4; Domain=a.com"} {
				w.Header().Add("Set-Cookie", c)
			}
		})
		for _, raw := range []string{"https://a.com/", "https://a.com/", "https://b.com/", "https://x.co.uk/", "https://www.a.com/"} {
			if _, err := n.get(n.url(raw)); err != nil {
				t.Error(err)
			}
		}
		for _, r := range n.seen {
			if len(r.Cookies()) > 0 {
				t.Errorf("%s gets %v", r.Host, r.Cookies())
			}
		}
	},
	"cred-003": func(t *testing.T) {
		for _, to := range []string{"https://b.com/", "https://a.com:8443/", "https://www.a.com/", "http://a.com:8080/"} {
			n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/from" {
					http.Redirect(w, r, to, http.StatusTemporaryRedirect)
				}
			})
			req := n.url("https://a.com/from")
			req.Auth = &fetch.Auth{Username: "u", Password: "p", Cookies: []*http.Cookie{{Name: "s", Value: "1"}, {Name: "t", Value: "2", Domain: "a.com"}}}
			req.Header = http.Header{"X-Api-Key": {"k"}, "Cookie": {"z=1"}, "Authorization": {"x"}}
			_, _ = n.get(req)
			for i, r := range n.seen {
				given := r.Header.Get("Authorization") + r.Header.Get("Cookie") + r.Header.Get("X-Api-Key")
				if (given != "") != (i == 0) {
					t.Errorf("%s: %s gets %v", to, r.Host, r.Header)
				}
			}
		}
	},
	"cred-004": downgrade,
	"cred-005": func(t *testing.T) {
		n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
			if r.Host == "a.com" {
				http.Redirect(w, r, "https://b.com/", http.StatusFound)
			}
		})
		req := n.url("https://a.com/?token=secret")
		req.Header = http.Header{"Referer": {"https://a.com/?token=secret"}}
		if _, err := n.get(req); err != nil {
			t.Error(err)
		}
		if got := n.seen[1].Header.Get("Referer"); got != "" {
			t.Errorf("b.com gets Referer %s", got)
		}
	},
	"cred-009": func(t *testing.T) {
		home := t.TempDir()
		for _, name := range []string{".netrc", "_netrc"} {
			if err := os.WriteFile(filepath.Join(home, name), []byte("default login u password p\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME"} {
			t.Setenv(name, home)
		}
		t.Setenv("NETRC", filepath.Join(home, ".netrc"))
		n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
		})
		_, err := n.get(n.url("https://a.com/"))
		wantCode(t, err, fetch.HTTPError)
		for _, r := range n.seen {
			if r.Header.Get("Authorization")+r.Header.Get("Proxy-Authorization") != "" {
				t.Errorf("%v", r.Header)
			}
		}
	},
	"cred-010": func(t *testing.T) {
		n := newInternet(t, Policy{Endpoints: []weburl.URL{mustURL(t, "https://api.search.com/")}}, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.com/", http.StatusTemporaryRedirect)
		})
		rt, err := n.Endpoint(mustURL(t, "https://api.search.com/v1"))
		if err != nil {
			t.Fatal(err)
		}
		rt.(*roundTripper).transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
		for _, raw := range []string{"https://api.search.com/v1", "https://evil.com/", "https://api.search.com.evil.com/", "http://api.search.com/", "https://api.search.com:8443/"} {
			req, _ := http.NewRequestWithContext(t.Context(), "GET", raw, nil)
			req.Header.Set("X-Api-Key", "k")
			_, _ = (&http.Client{Transport: rt}).Do(req)
		}
		n.wantDialed("api.search.com:443")
	},

	"exfil-005": func(t *testing.T) {
		TestProxyRefusesAlike(t)
		TestCheck(t)
	},

	"file-002": func(t *testing.T) {
		n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1/robots.txt", http.StatusFound)
		})
		_, err := n.get(n.url("https://a.com/robots.txt"))
		wantCode(t, err, fetch.Blocked)
		n.wantDialed("a.com:443")
	},
	"file-007": fetchesOnce(`<meta property="og:image" content="http://127.0.0.1/a.png"><link rel="alternate" type="application/json+oembed" href="http://127.0.0.1/oembed"><script type="application/ld+json">{"image":"http://127.0.0.1/b.png"}</script>`),
	"file-008": fetchesOnce(`<link rel="canonical" href="http://127.0.0.1/"><link rel="amphtml" href="http://127.0.0.1/amp"><link rel="next" href="http://127.0.0.1/2"><a rel="next" href="http://127.0.0.1/2">next</a>`),

	"mcp-002": func(t *testing.T) {
		n := newInternet(t, Policy{HTTP: HTTPAllow}, nil)
		p := newSession(t, n.Guard, ProxyOptions{})
		names := []string{"X-Atlassian-Jira-Url", "X-Forwarded-Host", "X-Original-Url", "X-Rewrite-Url", "Forwarded", "X-Target-Url", "Proxy", "Host"}
		var head string
		req := n.url("https://a.com/")
		req.Header = http.Header{}
		for _, name := range names {
			req.Header.Set(name, "http://127.0.0.1/")
			head += name + ": http://127.0.0.1/\r\n"
		}
		if _, err := n.get(req); err != nil {
			t.Error(err)
		}
		if got := p.say(t, "GET http://a.com/ HTTP/1.1\r\n"+head+"\r\n"); !strings.HasPrefix(got, "HTTP/1.1 200") {
			t.Errorf("%q", got)
		}
		n.wantDialed("a.com:443", "a.com:80")
		for _, r := range n.seen {
			if r.Host != "a.com" {
				t.Errorf("asked for %s", r.Host)
			}
		}
	},
	"mcp-005": allowList("docs.python.org", true,
		"docs.python.org", "DOCS.PYTHON.ORG.", "docs.python.org.", "x.docs.python.org", "ｄocs.python.org"),
	"mcp-006": allowList("example.com", false,
		"evil-example.com", "example.com.evil.com", "example.com@evil.com", "xn--exmple-cua.com", "exаmple.com", "com", "notexample.com", "example.co", "example.com%2eevil.com"),
}

// downgrade is a scenario: https redirects to http.
func downgrade(t *testing.T) {
	h := func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil {
			http.Redirect(w, r, "http://a.com/", http.StatusFound)
		}
	}
	auth := fetch.Request{Auth: &fetch.Auth{Bearer: "sesame", Cookies: []*http.Cookie{{Name: "s", Value: "1", Secure: true}}}}
	n := newInternet(t, Policy{HTTP: HTTPAllow}, h)
	auth.URL = mustURL(t, "https://a.com/")
	if _, err := n.get(auth); err != nil {
		t.Error(err)
	}
	n.wantDialed("a.com:443", "a.com:80")
	if h := n.seen[1].Header; n.seen[0].Header.Get("Authorization") == "" || h.Get("Authorization")+h.Get("Cookie") != "" {
		t.Errorf("the second request has %v", h)
	}
	// By default plain http is not spoken at all.
	n = newInternet(t, Policy{}, h)
	_, err := n.get(auth)
	wantCode(t, err, fetch.ConnectionError)
	n.wantDialed("a.com:443")
}

// fetchesOnce is a scenario: of a page that names inner addresses, only the
// page is fetched.
func fetchesOnce(body string) func(*testing.T) {
	return func(t *testing.T) {
		n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html>"+body)
		})
		if _, err := n.get(n.url("https://a.com/")); err != nil {
			t.Error(err)
		}
		n.wantDialed("a.com:443")
	}
}

// allowList is a scenario: with one entry, all of the hosts are allowed, or
// none is.
func allowList(entry string, allowed bool, names ...string) func(*testing.T) {
	return func(t *testing.T) {
		n := newInternet(t, Policy{Allow: hosts(t, entry)}, nil)
		p := newSession(t, n.Guard, ProxyOptions{})
		for _, host := range names {
			if _, d := n.CheckRaw(t.Context(), "https://"+host+"/"); d.Allowed != allowed {
				t.Errorf("%s: allowed %v by %q", host, d.Allowed, d.Rule)
			}
			if strings.ContainsFunc(host, func(r rune) bool { return r >= 0x7f }) {
				continue
			}
			connect(p, host+":443")
			if got := len(n.dialed) > 0; got != allowed {
				t.Errorf("%s through the proxy: dialled %q", host, n.dialed)
			}
			n.dialed = nil
		}
	}
}

// needBrowser are the scenarios of which a part, or all, can only be seen with
// a running browser, and the test of internal/browser that sees it.
var needBrowser = map[string]string{
	"proxyenv-002": "TestScriptedNavigation: the browser's environment",
	"proxyenv-004": "TestNothingGoesAround: --proxy-server turns discovery off",
	"rebind-002":   "TestNothingGoesAround: the browser's own cache of connections",
	"rebind-012":   "TestNothingGoesAround: the browser makes no DNS queries",
	"redir-016":    "TestScriptedNavigation",
	"h2-003":       "TestScriptedNavigation: hints",
	"subres-020":   "TestNothingGoesAround",
	"subres-031":   "TestNothingGoesAround",
	"webrtc-001":   "TestNothingGoesAround",
	"webrtc-002":   "TestNothingGoesAround: datagrams",
	"browser-001":  "TestPolicy: navigations of the browser",
	"browser-002":  "TestFilesStayClosed",
	"browser-003":  "TestNothingGoesAround; --remote-debugging-pipe opens no port",
	"browser-005":  "flags keep most calls away",
	"browser-006":  "TestHostilePages: downloads",
	"browser-007":  "TestHostilePages: prompts",
}

// elsewhere are the scenarios that other packages answer for, or that this
// version does not claim.
var elsewhere = map[string]string{
	"exfil-002": "TestStrictProvenance",
	"exfil-003": "internal/reader: pictures are text for a model",
	"exfil-004": "internal/provenance: TestJudge",
	"file-003":  "TestLayers: extract can open neither connections nor files",
	"file-005":  "TestLayers: extract can open neither connections nor files",
	"file-009":  "TestLayers: extract can open neither connections nor files",
}

func TestScenario(t *testing.T) {
	for id, test := range scenarios {
		t.Run(id, test)
	}
}

// TestScenariosCovered compares the table with the file that SPYHOP_SSRF names.
func TestScenariosCovered(t *testing.T) {
	name := os.Getenv("SPYHOP_SSRF")
	if name == "" {
		t.Skip("SPYHOP_SSRF names no file of address cases")
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	urls, tested, browser, other := 0, 0, 0, 0
	var left []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct{ ID, Scenario string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		switch {
		case row.Scenario == "":
			urls++
		case scenarios[row.ID] != nil:
			if tested++; needBrowser[row.ID] != "" {
				left = append(left, row.ID)
			}
		case needBrowser[row.ID] != "":
			browser++
			left = append(left, row.ID)
		case elsewhere[row.ID] != "":
			other++
		default:
			t.Errorf("%s has no test: %s", row.ID, row.Scenario)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(left)
	t.Logf("%d addresses; scenarios: %d tested here, %d for the browser alone, %d elsewhere; a part is left to the browser: %s",
		urls, tested, browser, other, strings.Join(left, " "))
	if tested < 60 {
		t.Errorf("only %d of the file's scenarios are tested", tested)
	}
}

// A nameServer answers on loopback, by UDP, and writes down what it is asked.
type nameServer struct {
	mu    sync.Mutex
	asked []question
}

type question struct {
	name string
	kind uint16
}

func (s *nameServer) questions() []question {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// withNameServer returns a guard whose resolver is Go's own and asks a name
// server that knows no name when extra is nil; else each name has the address
// 93.184.215.14, and extra is one more record of the answer.
func withNameServer(t *testing.T, extra []byte) (*Guard, *nameServer) {
	t.Helper()
	s := &nameServer{}
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	work.Go(func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if answer := s.answer(buf[:n], extra); answer != nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	})
	t.Cleanup(func() { _ = conn.Close(); work.Wait() })
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
	return newGuard(t, Policy{Resolver: resolver}), s
}

// answer reads the one question of a query (RFC 1035 section 4.1).
func (s *nameServer) answer(query, extra []byte) []byte {
	if len(query) < 12 {
		return nil
	}
	i, name := 12, ""
	for i < len(query) && query[i] != 0 {
		name += string(query[i+1:i+1+int(query[i])]) + "."
		i += 1 + int(query[i])
	}
	end := i + 5
	kind := binary.BigEndian.Uint16(query[i+1:])
	s.mu.Lock()
	s.asked = append(s.asked, question{name, kind})
	s.mu.Unlock()
	answer := append([]byte(nil), query[:end]...)
	answer[2], answer[3] = 0x81, 0x80
	binary.BigEndian.PutUint16(answer[4:], 1)
	clear(answer[6:12])
	switch {
	case extra == nil:
		answer[3] |= 3 // no such name
	case kind == 1:
		answer[7] = 2
		answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 93, 184, 215, 14)
		answer = append(answer, extra...)
	default:
		answer[7] = 1
		answer = append(answer, extra...)
	}
	return answer
}

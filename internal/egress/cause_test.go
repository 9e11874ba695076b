package egress

import (
	"context"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// One test for each cause of the published holes of 2024 to 2026 in tools that
// fetch for a model. C11 and C13 are about what a caller may say, and have
// their tests beside the catalog of tools, in the root package; C10 has a
// second one there, on the imports of all packages (TestBoundaries).

// ways are all the entry points of a guard that lead out. Each asks for a URL
// and returns an error when it was not got.
func (n *internet) ways() map[string]func(raw string) error {
	proxied := func(request func(raw, hostport string) string) func(string) error {
		return func(raw string) error {
			u, err := weburl.Parse(raw)
			if err != nil {
				return err
			}
			got := newSession(n.t, n.Guard, ProxyOptions{}).begin(n.t, request(raw, u.HostPort())+"\r\n")
			if !strings.HasPrefix(got, "HTTP/1.1 200") {
				return errStatus
			}
			return nil
		}
	}
	endpoint := mustURL(n.t, "https://api.service.com/")
	return map[string]func(string) error{
		"fetch": func(raw string) error { _, err := n.get(n.url(raw)); return err },
		"round tripper": func(raw string) error {
			resp, err := (&http.Client{Transport: n.RoundTripper()}).Get(raw)
			if err == nil {
				_ = resp.Body.Close()
			}
			return err
		},
		"endpoint": func(raw string) error {
			rt, err := n.Endpoint(endpoint)
			if err != nil {
				return err
			}
			resp, err := (&http.Client{Transport: rt}).Get(raw)
			if err == nil {
				_ = resp.Body.Close()
			}
			return err
		},
		"check": func(raw string) error { _, d := n.CheckRaw(context.Background(), raw); return d.Err() },
		"proxy, absolute form": proxied(func(raw, _ string) string {
			return "GET " + raw + " HTTP/1.1\r\n"
		}),
		"proxy, tunnel": proxied(func(_, hostport string) string { return "CONNECT " + hostport + " HTTP/1.1\r\n" }),
		"proxy, web socket": proxied(func(raw, _ string) string {
			return "GET " + raw + " HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
		}),
	}
}

// refusedEverywhere asks each way for each URL, and wants nothing dialled.
func refusedEverywhere(t *testing.T, p Policy, answers map[string]string, urls ...string) {
	t.Helper()
	p.Endpoints = []weburl.URL{mustURL(t, "https://api.service.com/")}
	n := newInternet(t, p, nil)
	n.answers = answers
	for name, ask := range n.ways() {
		for _, raw := range urls {
			if ask(raw) == nil {
				t.Errorf("%s: %s is not refused", name, raw)
			}
		}
	}
	n.wantDialed()
}

func TestCauseC01NoCheckAtAll(t *testing.T) {
	refusedEverywhere(t, Policy{}, nil,
		"http://169.254.169.254/latest/meta-data/", "http://127.0.0.1:8080/", "http://10.0.0.1/", "http://192.168.1.1/", "http://[::1]/",
		"http://metadata.google.internal/computeMetadata/v1/", "http://localhost:3000/", "http://168.63.129.16/", "http://100.100.100.200/")
}

// The zero policy is the whole guard: no option has to be switched on.
func TestCauseC02OffByDefault(t *testing.T) {
	g, err := New(Policy{})
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{"http://127.0.0.1/", "http://169.254.169.254/", "https://localhost/", "file:///etc/passwd"} {
		if _, d := g.CheckRaw(t.Context(), raw); d.Allowed {
			t.Errorf("%s is allowed", raw)
		}
	}
	p, err := g.Proxy(ProxyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Token() == "" || !strings.HasPrefix(p.Addr(), "127.0.0.1:") {
		t.Errorf("by default a proxy listens on %s, with the token %q", p.Addr(), p.Token())
	}
}

func TestCauseC03OnlyFirstURLChecked(t *testing.T) {
	for _, to := range []string{"http://169.254.169.254/", "http://redis:6379/", "//127.0.0.1/", "http://2130706433/", "http://inner.com/"} {
		n := newInternet(t, Policy{}, func(w http.ResponseWriter, r *http.Request) {
			if r.Host == "a.com" {
				http.Redirect(w, r, "https://b.com/", http.StatusFound)
				return
			}
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		})
		n.answers["inner.com"] = "10.0.0.1"
		_, err := n.get(n.url("https://a.com/"))
		wantCode(t, err, fetch.Blocked)
		n.wantDialed("a.com:443", "b.com:443")
	}
}

// Below a browser's interception there is only the proxy, which sees each hop.
func TestCauseC04BrowserRedirects(t *testing.T) {
	n := newInternet(t, Policy{HTTP: HTTPAllow}, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1/", http.StatusFound)
	})
	if status, err := n.browse("http://a.com/"); status != http.StatusBadGateway {
		t.Errorf("%d, %v", status, err)
	}
	if status, err := n.browse("https://a.com/"); status != http.StatusBadGateway {
		t.Errorf("%d, %v", status, err)
	}
	n.wantDialed("a.com:80", "a.com:443")
}

func TestCauseC05ResolvedAgainAtConnect(t *testing.T) {
	for _, name := range []string{"fetch", "round tripper", "check", "proxy, tunnel"} {
		n := newInternet(t, Policy{}, nil)
		r := &answers{rest: []string{"93.184.215.14", "127.0.0.1"}}
		n.policy.Resolver = r
		if err := n.ways()[name]("https://a.com/"); err != nil || r.questions() != 1 {
			t.Errorf("%s: %v after %d questions", name, err, r.questions())
		}
		if err := n.ways()[name]("https://a.com:8443/"); err == nil {
			t.Errorf("%s: the second answer is dialled", name)
		}
	}
}

func TestCauseC06NamesNotResolved(t *testing.T) {
	refusedEverywhere(t, Policy{HTTP: HTTPAllow}, map[string]string{
		"127.0.0.1.nip.io": "127.0.0.1", "localtest.me": "127.0.0.1", "x.example.com": "::1", "meta.example.com": "169.254.169.254",
	}, "http://127.0.0.1.nip.io/", "http://localtest.me/", "https://x.example.com/", "http://meta.example.com:8080/")
}

func TestCauseC07SpellingsOfIPv6(t *testing.T) {
	var urls []string
	for _, a := range []string{
		"::ffff:127.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:ffff:7f00:0001", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1",
		"2002:7f00:1::", "::ffff:0:127.0.0.1", "2001::80ff:fffe", "2606:4700::5efe:127.0.0.1", "fec0::1", "fe80::1", "fd00:ec2::254",
	} {
		urls = append(urls, "http://["+a+"]/", "https://["+a+"]:8443/")
	}
	refusedEverywhere(t, Policy{HTTP: HTTPAllow, NAT64: true}, nil, urls...)
}

// Whatever package net/http, a person or a browser would read from these.
func TestCauseC08TwoParsers(t *testing.T) {
	for _, raw := range []string{
		`http://a.com\@127.0.0.1/`, `http://127.0.0.1\@a.com/`, "http://a.com#@127.0.0.1/", "http://a.com?@127.0.0.1/", "http://a.com:80@127.0.0.1/",
		"http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://0x7f.1/", "http://017700000001/", "http://2130706433/", "http://local\u00adhost/",
		"http://%31%32%37.0.0.1/", "http://127.0.0.1%2f@a.com/", "http:/127.0.0.1/", "http:127.0.0.1", "http://[::1]@a.com/", "http://a.com\t.127.0.0.1/",
	} {
		n := newInternet(t, Policy{HTTP: HTTPAllow}, nil)
		for name, ask := range n.ways() {
			if name != "check" {
				if _, err := weburl.Parse(raw); err != nil {
					continue
				}
			}
			_ = ask(raw)
		}
		for _, to := range n.dialed {
			if to != "a.com:80" {
				t.Errorf("%q: dialled %s", raw, to)
			}
		}
	}
}

func TestCauseC09AllowListByPrefix(t *testing.T) {
	refusedEverywhere(t, Policy{HTTP: HTTPAllow, Allow: hosts(t, "docs.python.org", "=modelcontextprotocol.io")}, nil,
		"https://docs.python.org.evil.com/", "https://evil-docs.python.org/", "https://docs.python.orgevil.com/", "https://docs.python.org@evil.com/",
		"https://x.modelcontextprotocol.io/", "https://modelcontextprotocol.io.evil.com/", "https://python.org/")
}

// All that leads out of this package refuses the same. That no other package
// leads out is TestBoundaries's to show.
func TestCauseC10EntryPointForgotten(t *testing.T) {
	refusedEverywhere(t, Policy{HTTP: HTTPAllow, Block: hosts(t, "evil.com")}, map[string]string{"inner.com": "93.184.215.14 10.0.0.1"},
		"http://evil.com/", "https://www.evil.com/", "http://u:p@127.0.0.1/", "http://a.com:25/", "http://inner.com/", "http://a.internal/", "ftp://a.com/")
}

func TestCauseC12FileAndOtherSchemes(t *testing.T) {
	urls := []string{
		"file:///etc/passwd", "file://localhost/etc/passwd", "ftp://a.com/", "gopher://a.com:70/1", "data:text/plain,x", "javascript:1",
		"view-source:file:///etc/passwd", "chrome://version", "blob:https://a.com/x", "ws://a.com/", "jar:http://a.com!/", "dict://a.com:2628/",
	}
	n := newInternet(t, Policy{HTTP: HTTPAllow}, nil)
	for name, ask := range n.ways() {
		for _, raw := range urls {
			if name == "proxy, tunnel" {
				continue // a tunnel has no scheme
			}
			if ask(raw) == nil {
				t.Errorf("%s: %s is not refused", name, raw)
			}
		}
	}
	n.wantDialed()
}

// A refusal does not tell what a name resolved to, nor whether it did.
func TestCauseC14OracleInErrors(t *testing.T) {
	n := newInternet(t, Policy{HTTP: HTTPAllow}, nil)
	n.answers = map[string]string{"x.com": "10.11.12.13"}
	answer := func() string {
		return newSession(t, n.Guard, ProxyOptions{}).say(t, "GET http://x.com/ HTTP/1.1\r\n\r\n")
	}
	texts := map[string]bool{}
	for _, a := range []string{"10.11.12.13", "127.0.0.1", "169.254.169.254", "93.184.215.14 10.11.12.13", "fd00::1"} {
		n.answers["x.com"] = a
		_, err := n.get(n.url("https://x.com/"))
		texts[err.Error()] = true
		for _, one := range strings.Fields(a) {
			if strings.Contains(err.Error(), one) {
				t.Errorf("%s: %v", a, err)
			}
		}
		if got := answer(); got != answerRefused {
			t.Errorf("%s: %q", a, got)
		}
	}
	if len(texts) != 1 {
		t.Errorf("refusals differ: %v", texts)
	}
	n.policy.Resolver = failing{io.ErrUnexpectedEOF}
	if got := answer(); got != answerRefused {
		t.Errorf("no such name: %q", got)
	}
}

// What cannot be read is refused, everywhere.
func TestCauseC15FailOpen(t *testing.T) {
	g := newGuard(t, Policy{})
	for _, raw := range []string{
		"", "http://", "http://[", "http://[::1", "http://]/", "http://127.0.0.256/", "http://1.2.3.4.5/", "http://0x/", "http://a..b/",
		"http://a.com:99999/", "http://a.com:x/", "http://exa mple.com/", "http://%zz/", "http://\x00/", "http://[fe80::1%25eth0]/", "http://1.2.3.4x/",
	} {
		if _, d := g.CheckRaw(t.Context(), raw); d.Allowed || d.Rule == RuleNone {
			t.Errorf("%q: %+v", raw, d)
		}
	}
	// Nor do failures further down open anything.
	if classify(netip.Addr{}) != invalid || invalid.Global() || (Decision{}).Allowed {
		t.Error("the zero values allow something")
	}
	refusedEverywhere(t, Policy{HTTP: HTTPAllow}, map[string]string{"many.com": strings.Repeat("93.184.215.14 ", maxAnswers+1)}, "http://many.com/")
}

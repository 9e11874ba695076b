package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A site is a loopback server with names of its own, and counts what reaches
// it. Names lead to it by exceptions and a resolver of the test.
type site struct {
	*httptest.Server
	port  string
	conns atomic.Int32
	hits  atomic.Int32
	roots *x509.CertPool
}

func newSite(t testing.TB, secure bool, h http.HandlerFunc) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.hits.Add(1)
		if h != nil {
			h(w, r)
		}
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Config.ConnState = func(_ net.Conn, st http.ConnState) {
		if st == http.StateNew {
			s.conns.Add(1)
		}
	}
	if secure {
		s.EnableHTTP2 = true
		s.StartTLS()
		s.roots = x509.NewCertPool()
		s.roots.AddCert(s.Certificate())
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	_, s.port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return s
}

// url returns a URL of the site under the given name.
func (s *site) url(name, path string) string {
	scheme := "http"
	if s.roots != nil {
		scheme = "https"
	}
	return scheme + "://" + name + ":" + s.port + path
}

// answers is a resolver that gives each of its answers once, the last one for
// ever, and counts the questions.
type answers struct {
	mu    sync.Mutex
	rest  []string // addresses of one answer stand apart by spaces
	asked []string
}

func (r *answers) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, host)
	var addrs []netip.Addr
	for _, s := range strings.Fields(r.rest[0]) {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	if len(r.rest) > 1 {
		r.rest = r.rest[1:]
	}
	return addrs, nil
}

func (r *answers) questions() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.asked)
}

func get(t *testing.T, rt http.RoundTripper, raw string) (*http.Response, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	return send(t, rt, req)
}

func send(t *testing.T, rt http.RoundTripper, req *http.Request) (*http.Response, error) {
	t.Helper()
	resp, err := rt.RoundTrip(req)
	if err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	return resp, err
}

func wantRule(t *testing.T, err error, want Rule) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("want a refusal by %q, got %v", want, err)
	}
	if e.Decision.Rule != want || e.Decision.URL == "" || e.Decision.Host == "" {
		t.Errorf("want a refusal by %q, got %+v", want, e.Decision)
	}
}

// rebind-001: public when it is checked, loopback when it is dialled.
func TestRebindBetweenCheckAndRequest(t *testing.T) {
	s := newSite(t, false, nil)
	r := &answers{rest: []string{"93.184.215.14", "127.0.0.1"}}
	g := newGuard(t, Policy{Resolver: r})
	u := mustURL(t, s.url("a.example.com", "/"))
	if _, d := g.Check(t.Context(), u); !d.Allowed {
		t.Fatalf("the public answer is refused: %+v", d)
	}
	_, err := get(t, g.RoundTripper(), u.String())
	wantRule(t, err, RuleAddress)
	if s.conns.Load() != 0 {
		t.Error("the inner server was reached")
	}
	if strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("the refusal tells the address: %v", err)
	}
}

// rebind-001: the dialled address is the judged one, and the name is asked for
// once, absolutely (rebind-008).
func TestDialsTheJudgedAddress(t *testing.T) {
	s := newSite(t, false, nil)
	r := &answers{rest: []string{"127.0.0.1", "10.0.0.1"}}
	var heard []Decision
	g := newGuard(t, Policy{
		Resolver: r, Private: exceptions(t, "127.0.0.0/8:"+s.port),
		Observe: func(d Decision) { heard = append(heard, d) },
	})
	if _, err := get(t, g.RoundTripper(), s.url("a.example.com", "/")); err != nil {
		t.Fatal(err)
	}
	if len(r.asked) != 1 || r.asked[0] != "a.example.com." {
		t.Errorf("asked for %q, want a.example.com. once", r.asked)
	}
	if len(heard) != 1 || !heard[0].Allowed || heard[0].Addr.String() != "127.0.0.1" || heard[0].Host != "a.example.com" || heard[0].Rule != ruleException {
		t.Errorf("heard of %+v", heard)
	}
}

// The socket's real address is compared, whatever was asked of the dialer.
func TestRecheck(t *testing.T) {
	g := newGuard(t, Policy{Private: exceptions(t, "10.0.0.7:80", "10.0.0.8")})
	for _, c := range []struct {
		pinned, actual string
		ok             bool
	}{
		{"93.184.215.14:443", "93.184.215.14:443", true},
		{"93.184.215.14:443", "[::ffff:93.184.215.14]:443", true},
		{"93.184.215.14:443", "93.184.215.15:443", false},
		{"93.184.215.14:443", "93.184.215.14:80", false},
		{"93.184.215.14:443", "127.0.0.1:443", false},
		{"127.0.0.1:443", "127.0.0.1:443", false},
		{"169.254.169.254:80", "169.254.169.254:80", false},
		{"10.0.0.7:80", "10.0.0.7:80", true},
		{"10.0.0.7:81", "10.0.0.7:81", false},
		{"10.0.0.8:81", "10.0.0.8:81", true},
		{"93.184.215.14:443", "nonsense", false},
	} {
		pinned := netip.MustParseAddrPort(c.pinned)
		tg := target{host: "example.com", port: int(pinned.Port())}
		if err := g.recheck(tg, pinned, c.actual); (err == nil) != c.ok {
			t.Errorf("recheck(%s, %s) = %v", c.pinned, c.actual, err)
		}
	}
}

// connect refuses by the recheck alone, when nothing before it did.
func TestConnectRefusesUnjudged(t *testing.T) {
	s := newSite(t, false, nil)
	g := newGuard(t, Policy{})
	port, _ := strconv.Atoi(s.port)
	tg := target{host: "example.com", port: port}
	conn, err := g.connect(t.Context(), tg, netip.MustParseAddr("127.0.0.1"))
	var e *Error
	if conn != nil || !errors.As(err, &e) || s.conns.Load() != 0 {
		t.Errorf("connect = %v, %v with %d connections", conn, err, s.conns.Load())
	}
}

// rebind-003: one bad address refuses the name, and no other is dialled.
func TestMixedAnswers(t *testing.T) {
	s := newSite(t, false, nil)
	for _, answer := range []string{
		"93.184.215.14 127.0.0.1", "127.0.0.1 93.184.215.14", "93.184.215.14 0.0.0.0",
		"2606:4700:4700::1111 ::ffff:127.0.0.1", "93.184.215.14 ::1",
	} {
		g := newGuard(t, Policy{Resolver: &answers{rest: []string{answer}}})
		_, err := get(t, g.RoundTripper(), s.url("mix.example.com", "/"))
		wantRule(t, err, RuleAddress)
	}
	// Nor when the bad one is excepted for its own sake.
	g := newGuard(t, Policy{
		Resolver: &answers{rest: []string{"127.0.0.1 93.184.215.14"}}, Private: exceptions(t, "127.0.0.1"),
	})
	_, err := get(t, g.RoundTripper(), s.url("mix.example.com", "/"))
	wantRule(t, err, RuleAddress)
	if s.conns.Load() != 0 {
		t.Error("the inner server was reached")
	}
}

// A kept connection leads to the address that was judged; a new one is judged
// anew.
func TestKeepAliveAndRebinding(t *testing.T) {
	s := newSite(t, false, nil)
	r := &answers{rest: []string{"127.0.0.1", "10.0.0.1"}}
	g := newGuard(t, Policy{Resolver: r, Private: exceptions(t, "127.0.0.1:"+s.port)})
	for range 3 {
		if _, err := get(t, g.RoundTripper(), s.url("a.example.com", "/")); err != nil {
			t.Fatal(err)
		}
	}
	if s.conns.Load() != 1 || r.questions() != 1 {
		t.Errorf("%d connections and %d questions for 3 requests, want 1 and 1", s.conns.Load(), r.questions())
	}
	g.CloseIdle()
	_, err := get(t, g.RoundTripper(), s.url("a.example.com", "/"))
	wantRule(t, err, RuleAddress)
}

// A connection that one host may use is of no use to another: by name, port
// spelling, or list.
func TestReuseIsJudged(t *testing.T) {
	s := newSite(t, false, nil)
	g := newGuard(t, Policy{
		Resolver: StaticResolver(map[string][]string{"a.example.com": {"127.0.0.1"}, "b.example.com": {"127.0.0.1"}}, netip.Addr{}),
		Private:  exceptions(t, "a.example.com:"+s.port),
		Block:    hosts(t, "blocked.example.com"),
	})
	rt := g.RoundTripper()
	if _, err := get(t, rt, s.url("a.example.com", "/")); err != nil {
		t.Fatal(err)
	}
	for raw, rule := range map[string]Rule{
		s.url("b.example.com", "/"):       RuleAddress, // same address, no exception
		s.url("127.0.0.1", "/"):           RuleAddress,
		s.url("blocked.example.com", "/"): ruleBlocklist,
		s.url("u:p@a.example.com", "/"):   ruleUserinfo,
	} {
		_, err := get(t, rt, raw)
		wantRule(t, err, rule)
	}
	if s.hits.Load() != 1 || s.conns.Load() != 1 {
		t.Errorf("%d hits by %d connections, want 1 by 1", s.hits.Load(), s.conns.Load())
	}
}

// Concurrent requests share nothing that a refusal or a reuse could mix up.
func TestConcurrentRequests(t *testing.T) {
	s := newSite(t, false, nil)
	var observed atomic.Int32
	g := newGuard(t, Policy{
		Resolver: StaticResolver(map[string][]string{"a.example.com": {"127.0.0.1"}, "b.example.com": {"127.0.0.1"}}, netip.Addr{}),
		Private:  exceptions(t, "a.example.com:"+s.port),
		Observe:  func(Decision) { observed.Add(1) },
	})
	const n = 40
	var wg sync.WaitGroup
	for i := range n {
		host, allowed := "a.example.com", i%2 == 0
		if !allowed {
			host = "b.example.com"
		}
		wg.Go(func() {
			_, err := get(t, g.RoundTripper(), s.url(host, "/"))
			if (err == nil) != allowed {
				t.Errorf("%s: %v", host, err)
			}
		})
	}
	wg.Wait()
	if s.hits.Load() != n/2 || observed.Load() != n {
		t.Errorf("%d hits and %d decisions, want %d and %d", s.hits.Load(), observed.Load(), n/2, n)
	}
}

// redir-001: the answer comes back as it is, its target is not asked.
func TestRedirectsAreNotFollowed(t *testing.T) {
	inner := newSite(t, false, nil)
	for _, status := range []int{301, 302, 303, 307, 308, 300, 305} {
		s := newSite(t, false, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", inner.url("127.0.0.1", "/"))
			w.Header().Set("Set-Cookie", "a=b")
			w.WriteHeader(status)
		})
		g := newGuard(t, Policy{Private: exceptions(t, "127.0.0.1:"+s.port)})
		resp, err := get(t, g.RoundTripper(), s.URL)
		if err != nil || resp.StatusCode != status {
			t.Fatalf("%d: %v %v", status, resp, err)
		}
		// A client that follows them is stopped at the next hop.
		_, err = (&http.Client{Transport: g.RoundTripper()}).Get(s.URL)
		if status != 300 && status != 305 {
			wantRule(t, err, RuleAddress)
		}
	}
	if inner.conns.Load() != 0 {
		t.Error("the inner server was reached")
	}
}

// proxyenv-001: proxies of the environment are not asked. Package net/http
// reads the environment once, so the test runs in a process of its own.
func TestEnvironmentProxyIsIgnored(t *testing.T) {
	const inner = "EGRESS_TEST_PROXY"
	proxy := os.Getenv(inner)
	if proxy == "" {
		p := newSite(t, false, nil)
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestEnvironmentProxyIsIgnored$")
		cmd.Env = append(os.Environ(), inner+"="+p.URL)
		for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
			cmd.Env = append(cmd.Env, name+"="+p.URL)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		if p.conns.Load() != 0 {
			t.Errorf("%d connections to the proxy", p.conns.Load())
		}
		return
	}
	s := newSite(t, false, nil)
	endpoint := mustURL(t, s.url("b.example.com", "/"))
	g := newGuard(t, Policy{
		Resolver: &answers{rest: []string{"127.0.0.1"}}, Private: exceptions(t, "a.example.com:"+s.port),
		Endpoints: []weburl.URL{endpoint},
	})
	rt, err := g.Endpoint(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	for name, rt := range map[string]http.RoundTripper{"a.example.com": g.RoundTripper(), "b.example.com": rt} {
		if _, err := get(t, rt, s.url(name, "/")); err != nil {
			t.Error(err)
		}
	}
	if s.hits.Load() != 2 {
		t.Errorf("%d hits at the site, want 2", s.hits.Load())
	}
}

// What goes over the wire is the judged URL: no Host, Opaque, cookie or
// encoding of the caller's or of net/http's making.
func TestTheWireSaysWhatWasJudged(t *testing.T) {
	var mu sync.Mutex
	var host, target string
	var header http.Header
	s := newSite(t, false, func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		host, target, header = r.Host, r.RequestURI, r.Header
	})
	g := newGuard(t, Policy{
		Resolver: &answers{rest: []string{"127.0.0.1"}}, Private: exceptions(t, "a.example.com:"+s.port),
	})
	origin := s.url("A.Example.COM", "")
	for _, c := range []struct{ path, want string }{
		{"/", "/"}, {"/a%2Fb/%7Bx%7D?q=a+b%20c&x[]=1", "/a%2Fb/%7Bx%7D?q=a+b%20c&x[]=1"},
		{"/a|b", "/a|b"}, {"//double//slash", "//double//slash"}, {"/x?", "/x"}, {"/a/../b#frag", "/b"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", origin+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "inner.corp"
		resp, err := send(t, g.RoundTripper(), req)
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		if want := "a.example.com:" + s.port; host != want {
			t.Errorf("Host: %s, want %s", host, want)
		}
		// net/http may write a character as its escape, which is the same URL.
		if got := strings.ReplaceAll(target, "%7C", "|"); strings.TrimSuffix(got, "?") != c.want {
			t.Errorf("%s is sent as %s, want %s", c.path, target, c.want)
		}
		for name := range header {
			if name != "User-Agent" {
				t.Errorf("header %s: %s", name, header[name])
			}
		}
		mu.Unlock()
		if got := resp.Request.URL.Host; got != "a.example.com:"+s.port {
			t.Errorf("the answer is of %s", resp.Request.URL)
		}
		if req.Host != "inner.corp" || req.URL.Host != "A.Example.COM:"+s.port {
			t.Error("the caller's request was changed")
		}
	}
	// An opaque URL has two hosts; the one that is written is judged.
	req := &http.Request{Method: "GET", Header: http.Header{}, URL: &url.URL{
		Scheme: "http", Host: "a.example.com:" + s.port, Opaque: "//10.0.0.1/x",
	}}
	_, err := send(t, g.RoundTripper(), req.WithContext(t.Context()))
	wantRule(t, err, RuleAddress)
}

// A "%" without digits is legal in a URL of the web, and goes out as it is.
func TestWireURL(t *testing.T) {
	for _, c := range []struct{ raw, uri string }{
		{"https://example.com/100%", "/100%"},
		{"https://example.com/%zz?a=%", "/%zz?a=%"},
		{"https://example.com/a%2fb", "/a%2fb"},
		{"https://example.com//%zz", "https://example.com//%zz"}, // the absolute form
		{"https://[2606:4700::1]:8443/", "/"},
	} {
		u := mustURL(t, c.raw)
		w := wireURL(u)
		if got := w.RequestURI(); got != c.uri {
			t.Errorf("wireURL(%s) asks for %s, want %s", c.raw, got, c.uri)
		}
		if w.Hostname() != u.Host() || w.Port() != u.Port() {
			t.Errorf("wireURL(%s) asks %s", c.raw, w.Host)
		}
	}
}

func TestTLS(t *testing.T) {
	s := newSite(t, true, nil)
	r := &answers{rest: []string{"127.0.0.1"}}
	private := exceptions(t, "example.com:"+s.port, "other.com:"+s.port)
	g := newGuard(t, Policy{Resolver: r, Private: private, RootCAs: s.roots})
	for _, name := range []string{"example.com", "EXAMPLE.com."} {
		resp, err := get(t, g.RoundTripper(), s.url(name, "/"))
		if err != nil {
			t.Fatal(err)
		}
		if resp.ProtoMajor != 2 {
			t.Errorf("%s: HTTP/%d, want 2", name, resp.ProtoMajor)
		}
	}
	_, err := get(t, g.RoundTripper(), s.url("other.com", "/"))
	var cert *tls.CertificateVerificationError
	var name x509.HostnameError
	if !errors.As(err, &cert) || !errors.As(err, &name) || name.Host != "other.com" {
		t.Errorf("another host's certificate: %v", err)
	}
	_, err = get(t, newGuard(t, Policy{Resolver: r, Private: private}).RoundTripper(), s.url("example.com", "/"))
	if !errors.As(err, &cert) {
		t.Errorf("an unknown authority: %v", err)
	}
}

// Failures of the network are not refusals, keep their types, and tell no
// address.
func TestNetworkErrors(t *testing.T) {
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		conn, _, _ := w.(http.Hijacker).Hijack()
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	})
	closed := newSite(t, false, nil)
	closed.Close()
	g := newGuard(t, Policy{
		Resolver: StaticResolver(map[string][]string{"up.example.com": {"127.0.0.1"}, "down.example.com": {"127.0.0.1"}}, netip.Addr{}),
		Private:  exceptions(t, "up.example.com", "down.example.com"),
	})
	var dns *net.DNSError
	var op *net.OpError
	_, err := get(t, g.RoundTripper(), "https://nowhere.example.com/")
	if !errors.As(err, &dns) || !dns.IsNotFound || dns.Server != "" {
		t.Errorf("no such name: %v", err)
	}
	_, err = get(t, g.RoundTripper(), closed.url("down.example.com", "/"))
	if !errors.As(err, &op) || !errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("refused: %v", err)
	}
	_, err = get(t, g.RoundTripper(), s.url("up.example.com", "/"))
	if err == nil || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("reset: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req, _ := http.NewRequestWithContext(ctx, "GET", s.url("up.example.com", "/"), nil)
	if _, err = send(t, g.RoundTripper(), req); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

type failing struct{ err error }

func (f failing) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return nil, f.err
}

// A resolver's error is told by kind, never with the server that it names.
func TestResolverErrors(t *testing.T) {
	for _, c := range []struct {
		err                error
		notFound, timedOut bool
	}{
		{&net.DNSError{Err: "no such host", Name: "x", Server: "10.0.0.53:53", IsNotFound: true}, true, false},
		{&net.DNSError{Err: "server misbehaving", Name: "x", Server: "10.0.0.53:53", IsTemporary: true}, false, false},
		{&net.DNSError{Err: "i/o timeout", Server: "10.0.0.53:53", IsTimeout: true}, false, true},
		{context.DeadlineExceeded, false, true},
		{errors.New("read udp 10.0.0.2:999->10.0.0.53:53: refused"), false, false},
		{nil, true, false}, // an empty answer
	} {
		g := newGuard(t, Policy{Resolver: failing{c.err}})
		_, err := get(t, g.RoundTripper(), "https://x.example.com/")
		var dns *net.DNSError
		if !errors.As(err, &dns) || dns.IsNotFound != c.notFound || dns.IsTimeout != c.timedOut || strings.Contains(err.Error(), "10.0.") {
			t.Errorf("%v becomes %#v", c.err, err)
		}
	}
}

// The next address is tried when one does not answer.
func TestTriesAddressesInTurn(t *testing.T) {
	s := newSite(t, false, nil)
	g := newGuard(t, Policy{
		Resolver: &answers{rest: []string{"127.0.0.2 ::1 127.0.0.1"}}, Private: exceptions(t, "a.example.com:"+s.port),
	})
	if _, err := get(t, g.RoundTripper(), s.url("a.example.com", "/")); err != nil {
		t.Error(err)
	}
}

func TestInterleave(t *testing.T) {
	var in []netip.Addr
	for _, s := range strings.Fields("2001:db8::1 2001:db8::2 2001:db8::3 192.0.2.1 192.0.2.2") {
		in = append(in, netip.MustParseAddr(s))
	}
	var out []string
	for _, a := range interleave(in) {
		out = append(out, a.String())
	}
	if got, want := strings.Join(out, " "), "2001:db8::1 192.0.2.1 2001:db8::2 192.0.2.2 2001:db8::3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if n := len(interleave(make([]netip.Addr, 50))); n != maxAttempts {
		t.Errorf("%d attempts, want %d", n, maxAttempts)
	}
}

// The server's say before the body is bounded: headers in bytes, interim
// answers in number, with both protocols.
func TestHeaderBounds(t *testing.T) {
	for _, secure := range []bool{false, true} {
		s := newSite(t, secure, func(w http.ResponseWriter, r *http.Request) {
			n, _ := strconv.Atoi(r.URL.Query().Get("n"))
			if r.URL.Path == "/header" {
				w.Header().Set("X", strings.Repeat("x", n))
				return
			}
			for range n {
				w.WriteHeader(http.StatusEarlyHints)
			}
		})
		g := newGuard(t, Policy{
			Resolver: &answers{rest: []string{"127.0.0.1"}}, Private: exceptions(t, "example.com:"+s.port), RootCAs: s.roots,
		})
		for path, ok := range map[string]bool{
			"/header?n=32768": true, "/header?n=131072": false, "/interim?n=5": true, "/interim?n=6": false,
		} {
			if _, err := get(t, g.RoundTripper(), s.url("example.com", path)); (err == nil) != ok {
				t.Errorf("tls %v: %s: %v", secure, path, err)
			}
		}
	}
}

// Every request is heard of once, with the verdict that ended it.
func TestObserve(t *testing.T) {
	s := newSite(t, false, nil)
	var heard []Decision
	g := newGuard(t, Policy{
		Resolver: StaticResolver(map[string][]string{"in.example.com": {"10.0.0.1"}}, netip.Addr{}),
		Private:  exceptions(t, "127.0.0.1:"+s.port),
		Observe:  func(d Decision) { heard = append(heard, d) },
	})
	for _, c := range []struct {
		url     string
		allowed bool
		rule    Rule
		addr    string
	}{
		{s.URL + "/", true, ruleException, "127.0.0.1"},
		{"http://localhost/", false, ruleName, ""},
		{"http://in.example.com/", false, RuleAddress, "10.0.0.1"},
		{"http://none.example.com/", true, RuleNone, ""}, // allowed, and then not found
		{"ftp://example.com/", false, ruleScheme, ""},
		{"relative", false, ruleURL, ""},
	} {
		heard = nil
		body := &closeCounter{}
		req, err := http.NewRequestWithContext(t.Context(), "POST", c.url, body)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = send(t, g.RoundTripper(), req)
		if len(heard) != 1 || heard[0].Allowed != c.allowed || heard[0].Rule != c.rule || heard[0].URL == "" {
			t.Errorf("%s: heard %+v", c.url, heard)
			continue
		}
		if c.addr != "" && heard[0].Addr.String() != c.addr || c.addr == "" && heard[0].Addr.IsValid() {
			t.Errorf("%s: heard of address %s, want %q", c.url, heard[0].Addr, c.addr)
		}
		if !c.allowed && body.closed.Load() == 0 {
			t.Errorf("%s: the body stays open", c.url)
		}
	}
}

type closeCounter struct{ closed atomic.Int32 }

func (*closeCounter) Read([]byte) (int, error) { return 0, io.EOF }
func (c *closeCounter) Close() error           { c.closed.Add(1); return nil }

// A server answers with an empty page when it notices that its client has left: that
// is not its answer to the request.
func TestAnswerAfterTheEnd(t *testing.T) {
	s := newSite(t, false, nil)
	ctx, cancel := context.WithCancel(t.Context())
	g := newGuard(t, Policy{
		Private: exceptions(t, "127.0.0.1:"+s.port),
		Observe: func(Decision) { cancel() }, // the answer is there by now
	})
	req, err := http.NewRequestWithContext(ctx, "GET", s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := send(t, g.RoundTripper(), req); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
	if s.hits.Load() != 1 {
		t.Errorf("%d requests, want 1", s.hits.Load())
	}
}

// A list that changes counts for the next request, of an open connection too.
func TestSetLists(t *testing.T) {
	s := newSite(t, false, nil)
	g := newGuard(t, Policy{Private: exceptions(t, "127.0.0.1:"+s.port)})
	rt := g.RoundTripper()
	list := func(host string) weburl.HostList {
		l, err := weburl.ParseHostList([]string{host})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, c := range []struct {
		block, allow weburl.HostList
		want         Rule
	}{
		{nil, nil, RuleNone},
		{list("127.0.0.1"), nil, ruleBlocklist},
		{nil, list("example.com"), ruleAllowlist},
		{nil, list("127.0.0.1"), RuleNone},
	} {
		g.SetLists(c.block, c.allow)
		_, err := get(t, rt, s.URL)
		if c.want != RuleNone {
			wantRule(t, err, c.want)
		} else if err != nil {
			t.Error(err)
		}
		if g.ListsAdmit("127.0.0.1") != (c.want == RuleNone) {
			t.Errorf("%v: ListsAdmit is %t", c, c.want != RuleNone)
		}
	}
	if s.hits.Load() != 2 || s.conns.Load() != 1 {
		t.Errorf("%d requests on %d connections, want 2 on 1", s.hits.Load(), s.conns.Load())
	}
}

// An endpoint is reached by its own transport and by nobody else.
func TestEndpoint(t *testing.T) {
	s, other := newSite(t, false, nil), newSite(t, false, nil)
	endpoint := mustURL(t, s.url("localhost", "/v1/"))
	meta := mustURL(t, "http://meta.example.com:8080/")
	r := &answers{rest: []string{"169.254.169.254"}}
	g := newGuard(t, Policy{
		Endpoints: []weburl.URL{endpoint, meta}, Resolver: r,
		HTTP: HTTPRefuse, Allow: hosts(t, "example.com"),
	})
	rt, err := g.Endpoint(mustURL(t, s.url("localhost", "/v1/chat")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := get(t, rt, s.url("localhost", "/v1/models?x=y")); err != nil {
		t.Fatal(err)
	}
	for raw, rule := range map[string]Rule{
		other.url("localhost", "/"):     ruleEndpoint,
		s.url("127.0.0.1", "/"):         ruleEndpoint,
		"https://localhost:" + s.port:   ruleEndpoint,
		s.url("u:p@localhost", "/"):     ruleUserinfo,
		"http://169.254.169.254/latest": ruleEndpoint,
	} {
		_, err := get(t, rt, raw)
		wantRule(t, err, rule)
	}
	_, err = get(t, g.RoundTripper(), endpoint.String())
	wantRule(t, err, ruleAllowlist)
	_, err = g.Endpoint(mustURL(t, other.url("localhost", "/")))
	wantRule(t, err, ruleEndpoint)

	// Not even the configuration reaches a metadata service.
	rt, err = g.Endpoint(meta)
	if err != nil {
		t.Fatal(err)
	}
	_, err = get(t, rt, meta.String())
	wantRule(t, err, RuleAddress)
	if r.asked[0] != "meta.example.com" {
		t.Errorf("an endpoint is asked for as %q", r.asked[0])
	}
}

package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A session is a proxy under test and what was heard of it.
type session struct {
	*Proxy
	mu    sync.Mutex
	ended []Exchange
	more  chan struct{}
}

func newSession(t testing.TB, g *Guard, o ProxyOptions) *session {
	t.Helper()
	s := &session{more: make(chan struct{}, 1000)}
	o.Observe = func(x Exchange) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended = append(s.ended, x)
		s.more <- struct{}{}
	}
	p, err := g.Proxy(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Proxy = p
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// next waits for the end of an exchange.
func (s *session) next(t testing.TB) Exchange {
	t.Helper()
	select {
	case <-s.more:
	case <-time.After(20 * time.Second):
		t.Fatal("no exchange has ended")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.ended[0]
	s.ended = s.ended[1:]
	return x
}

func (s *session) dial(t testing.TB) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	return conn
}

// credentials is the header line with the proxy's token.
func (s *session) credentials() string {
	if s.Token() == "" {
		return ""
	}
	return "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("spyhop:"+s.Token())) + "\r\n"
}

// say sends raw bytes, with the token after the first line, and returns the
// raw answer.
func (s *session) say(t testing.TB, raw string) string {
	t.Helper()
	conn := s.dial(t)
	first, rest, _ := strings.Cut(raw, "\r\n")
	if _, err := io.WriteString(conn, first+"\r\n"+s.credentials()+rest); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%q is not answered", raw)
	}
	_ = conn.Close()
	return string(answer)
}

// begin is say for an answer without an end: it returns the first line.
func (s *session) begin(t testing.TB, raw string) string {
	t.Helper()
	conn := s.dial(t)
	first, rest, _ := strings.Cut(raw, "\r\n")
	_, _ = io.WriteString(conn, first+"\r\n"+s.credentials()+rest)
	line, _ := bufio.NewReader(conn).ReadString('\n')
	_ = conn.Close()
	return line
}

// client is an ordinary client that uses the proxy for everything.
func (s *session) client(t testing.TB, site *site) *http.Client {
	t.Helper()
	address := &url.URL{Scheme: "http", Host: s.Addr()}
	if s.Token() != "" {
		address.User = url.UserPassword("spyhop", s.Token())
	}
	tr := &http.Transport{Proxy: http.ProxyURL(address), DisableCompression: true}
	if site.roots != nil {
		tr.TLSClientConfig = &tls.Config{RootCAs: site.roots}
	}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// open is a policy under which the sites are reached by the given names.
func open(sites []*site, names ...string) Policy {
	p := Policy{Resolver: &answers{rest: []string{"127.0.0.1"}}}
	for _, s := range sites {
		for _, n := range names {
			e, err := ParseException(n + ":" + s.port)
			if err != nil {
				panic(err)
			}
			p.Private = append(p.Private, e)
		}
	}
	return p
}

// noLeak fails a test that leaves goroutines behind.
func noLeak(t *testing.T) {
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

func TestProxyForward(t *testing.T) {
	noLeak(t)
	type seen struct {
		method, host, target, body string
		header                     http.Header
	}
	got := make(chan seen, 1)
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- seen{r.Method, r.Host, r.RequestURI, string(body), r.Header}
		w.Header().Set("Keep-Alive", "timeout=5")
		w.Header().Set("Proxy-Authenticate", "Basic")
		w.Header().Set("X-End", "1")
		if r.URL.Path == "/stream" {
			w.(http.Flusher).Flush() // no Content-Length
		}
		_, _ = io.WriteString(w, "hello")
	})
	var decisions []Decision
	var mu sync.Mutex
	p := open([]*site{s}, "a.example.com")
	p.Observe = func(d Decision) { mu.Lock(); decisions = append(decisions, d); mu.Unlock() }
	proxy := newSession(t, newGuard(t, p), ProxyOptions{Session: "tab"})
	base := s.url("a.example.com", "")
	for _, c := range []struct {
		name, request string
		want          seen
		up            int64
		status, body  string
	}{
		{"get", "GET " + base + "/p|q?a=b HTTP/1.1\r\nHost: other.example.com\r\nProxy-Connection: keep-alive\r\nConnection: X-Mine, close\r\nX-Mine: 1\r\nTE: trailers\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\nCookie: a=b\r\n\r\n",
			seen{"GET", "a.example.com:" + s.port, "/p|q?a=b", "", http.Header{"Cookie": {"a=b"}, "Connection": {"close"}}}, 0, "200 OK", "\r\n\r\nhello"},
		{"post", "POST " + base + "/ HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nUser-Agent: me\r\n\r\nabc",
			seen{"POST", "a.example.com:" + s.port, "/", "abc", http.Header{"Content-Length": {"3"}, "User-Agent": {"me"}, "Connection": {"close"}}}, 3, "200 OK", "\r\n\r\nhello"},
		{"chunked", "PUT " + base + "/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;ext=1\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
			seen{"PUT", "a.example.com:" + s.port, "/", "abc", http.Header{"Connection": {"close"}}}, 3, "200 OK", "\r\n\r\nhello"},
		{"continue", "POST " + base + "/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\na",
			seen{"POST", "a.example.com:" + s.port, "/", "a", http.Header{"Content-Length": {"1"}, "Connection": {"close"}}}, 1, "100 Continue", "\r\n\r\nhello"},
		{"head", "HEAD " + base + "/ HTTP/1.1\r\nHost: x\r\n\r\n",
			seen{"HEAD", "a.example.com:" + s.port, "/", "", http.Header{"Connection": {"close"}}}, 0, "200 OK", "\r\n\r\n"},
		{"length unknown", "GET " + base + "/stream HTTP/1.1\r\n\r\n",
			seen{"GET", "a.example.com:" + s.port, "/stream", "", http.Header{"Connection": {"close"}}}, 0, "200 OK", "\r\n\r\n5\r\nhello\r\n0\r\n\r\n"},
		{"length unknown, HTTP/1.0", "GET " + base + "/stream HTTP/1.0\r\n\r\n",
			seen{"GET", "a.example.com:" + s.port, "/stream", "", http.Header{"Connection": {"close"}}}, 0, "200 OK", "\r\n\r\nhello"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := proxy.say(t, c.request)
			if !strings.HasPrefix(answer, "HTTP/1.1 "+c.status) || !strings.HasSuffix(answer, c.body) || !strings.Contains(answer, "X-End: 1") {
				t.Errorf("answer %q", answer)
			}
			if strings.Contains(answer, "Proxy-") || strings.Contains(answer, "Keep-Alive") {
				t.Errorf("the answer has headers of the connection: %q", answer)
			}
			g := <-got
			g.target = strings.ReplaceAll(g.target, "%7C", "|")
			if fmt.Sprint(g) != fmt.Sprint(c.want) {
				t.Errorf("the site saw %+v, want %+v", g, c.want)
			}
			x := proxy.next(t)
			if x.Session != "tab" || !x.Decision.Allowed || x.Decision.Rule != ruleException || x.Decision.Addr.String() != "127.0.0.1" ||
				x.Up != c.up || x.Err != nil || x.Status != 200 || x.Duration <= 0 || x.Down != int64(len("hello")) && c.name != "head" {
				t.Errorf("heard of %+v", x)
			}
			mu.Lock()
			defer mu.Unlock()
			if len(decisions) != 1 || decisions[0] != x.Decision {
				t.Errorf("the policy's observer heard of %+v", decisions)
			}
			decisions = nil
		})
	}
}

// An answer without an end goes on as it comes.
func TestProxyStreams(t *testing.T) {
	noLeak(t)
	more := make(chan struct{})
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		for {
			_, _ = io.WriteString(w, "data: x\n\n")
			w.(http.Flusher).Flush()
			select {
			case <-more:
			case <-r.Context().Done():
				return
			}
		}
	})
	proxy := newSession(t, newGuard(t, open([]*site{s}, "a.example.com")), ProxyOptions{})
	resp, err := proxy.client(t, s).Get(s.url("a.example.com", "/"))
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(resp.Body)
	for range 3 {
		if line, err := in.ReadString('\n'); err != nil || line != "data: x\n" {
			t.Fatalf("%q, %v", line, err)
		}
		_, _ = in.ReadString('\n')
		more <- struct{}{}
	}
	_ = resp.Body.Close()                                    // the client goes away,
	if x := proxy.next(t); x.Down < 3*9 || x.Status != 200 { // and the exchange ends
		t.Errorf("heard of %+v", x)
	}
}

func TestProxyConnect(t *testing.T) {
	noLeak(t)
	s := newSite(t, true, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "" {
			t.Error("the site sees the token")
		}
		_, _ = io.Copy(w, r.Body)
	})
	proxy := newSession(t, newGuard(t, open([]*site{s}, "example.com")), ProxyOptions{})
	c := proxy.client(t, s)
	big := strings.Repeat("x", 1<<20)
	resp, err := c.Post(s.url("example.com", "/"), "text/plain", strings.NewReader(big))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || string(body) != big {
		t.Errorf("%d bytes, %v", len(body), err)
	}
	_ = resp.Body.Close()
	c.CloseIdleConnections()
	x := proxy.next(t)
	if x.Method != "CONNECT" || !x.Decision.Allowed || x.Decision.Addr.String() != "127.0.0.1" || x.Up < 1<<20 || x.Down < 1<<20 {
		t.Errorf("heard of %+v", x)
	}
	if s.conns.Load() != 1 {
		t.Errorf("%d connections", s.conns.Load())
	}
}

// webSocket is the handler of an echo, without frames: what is switched to is
// no matter to a proxy.
func webSocket(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != "websocket" || !strings.Contains(r.Header.Get("Connection"), "pgrade") {
		w.WriteHeader(http.StatusUpgradeRequired)
		return
	}
	conn, rw, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n")
	_ = rw.Flush()
	_, _ = io.Copy(conn, rw)
}

func TestProxyWebSocket(t *testing.T) {
	noLeak(t)
	s := newSite(t, false, webSocket)
	proxy := newSession(t, newGuard(t, open([]*site{s}, "a.example.com")), ProxyOptions{})
	const upgrade = "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: y\r\n\r\n"
	for name, open := range map[string]string{
		"absolute form": "GET " + s.url("a.example.com", "/") + " HTTP/1.1\r\nHost: x\r\n" + proxy.credentials() + upgrade,
		"tunnel": "CONNECT a.example.com:" + s.port + " HTTP/1.1\r\n" + proxy.credentials() + "\r\n" +
			"GET / HTTP/1.1\r\nHost: a.example.com\r\n" + upgrade,
	} {
		t.Run(name, func(t *testing.T) {
			conn := proxy.dial(t)
			in := bufio.NewReader(conn)
			if _, err := io.WriteString(conn, open+"early "); err != nil {
				t.Fatal(err)
			}
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasPrefix(line, "HTTP/1.1 101") {
					break
				}
			}
			for line := ""; line != "\r\n"; {
				line, _ = in.ReadString('\n')
			}
			if _, err := io.WriteString(conn, "and late"); err != nil {
				t.Fatal(err)
			}
			_ = conn.(*net.TCPConn).CloseWrite()
			echo, err := io.ReadAll(in)
			if err != nil || string(echo) != "early and late" {
				t.Errorf("%q, %v", echo, err)
			}
			if x := proxy.next(t); x.Err != nil || x.Up < 14 || x.Down < 14 {
				t.Errorf("heard of %+v", x)
			}
		})
	}
	t.Run("not asked for", func(t *testing.T) {
		odd := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
			r.Header.Set("Upgrade", "websocket")
			r.Header.Set("Connection", "upgrade")
			webSocket(w, r)
		})
		proxy := newSession(t, newGuard(t, open([]*site{odd}, "a.example.com")), ProxyOptions{})
		if got := proxy.say(t, "GET "+odd.url("a.example.com", "/")+" HTTP/1.1\r\n\r\n"); got != answerRefused {
			t.Errorf("answer %q", got)
		}
	})
}

// proxyenv-007: nobody else may use it.
func TestProxyToken(t *testing.T) {
	noLeak(t)
	s := newSite(t, false, nil)
	g := newGuard(t, open([]*site{s}, "a.example.com"))
	proxy, other := newSession(t, g, ProxyOptions{}), newSession(t, g, ProxyOptions{})
	if proxy.Token() == other.Token() || len(proxy.Token()) < 26 {
		t.Errorf("tokens %q and %q", proxy.Token(), other.Token())
	}
	request := func(line string) string {
		return "GET " + s.url("a.example.com", "/") + " HTTP/1.1\r\n" + line + "\r\n"
	}
	basic := func(s string) string {
		return "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(s)) + "\r\n"
	}
	for _, line := range []string{
		"", other.credentials(), basic("spyhop:"), basic("spyhop"), basic(proxy.Token()), basic("x:" + proxy.Token()),
		basic("spyhop:" + proxy.Token() + "x"), "Proxy-Authorization: Bearer " + proxy.Token() + "\r\n",
		strings.Replace(proxy.credentials(), "Proxy-", "", 1), "Proxy-Authorization: \r\n",
	} {
		for _, method := range []string{"GET", "CONNECT"} {
			conn := proxy.dial(t)
			raw := request(line)
			if method == "CONNECT" {
				raw = "CONNECT a.example.com:" + s.port + " HTTP/1.1\r\n" + line + "\r\n"
			}
			_, _ = io.WriteString(conn, raw)
			answer, _ := io.ReadAll(conn)
			_ = conn.Close()
			if string(answer) != answerToken {
				t.Errorf("%s with %q: %q", method, line, answer)
			}
			if x := proxy.next(t); x.Decision.Rule != ruleToken || x.Status != 407 {
				t.Errorf("heard of %+v", x)
			}
		}
	}
	if s.conns.Load() != 0 {
		t.Fatal("the site was reached")
	}
	conn := proxy.dial(t)
	_, _ = io.WriteString(conn, request(proxy.credentials()))
	if answer, _ := io.ReadAll(conn); !strings.HasPrefix(string(answer), "HTTP/1.1 200") {
		t.Errorf("with the token: %q", answer)
	}
	// Only a policy of its own name lets everybody in.
	anyone := newSession(t, g, ProxyOptions{UnsafeNoToken: true})
	if got := anyone.say(t, request("")); anyone.Token() != "" || !strings.HasPrefix(got, "HTTP/1.1 200") {
		t.Errorf("without a token: %q", got)
	}
}

// exfil-005: whatever the cause, a client gets the same bytes.
func TestProxyRefusesAlike(t *testing.T) {
	noLeak(t)
	s := newSite(t, false, nil)
	closed := newSite(t, false, nil)
	closed.Close()
	table := map[string][]string{
		"in.example.com": {"10.1.2.3"}, "lo.example.com": {"127.0.0.1"}, "meta.example.com": {"169.254.169.254"},
		"mixed.example.com": {"93.184.215.14", "127.0.0.1"}, "down.example.com": {"127.0.0.1"}, "nowhere.example.com": {},
	}
	p := Policy{Resolver: StaticResolver(table, netip.Addr{}), Private: exceptions(t, "down.example.com:"+closed.port), Block: hosts(t, "bad.example.com")}
	proxy := newSession(t, newGuard(t, p), ProxyOptions{})
	for _, c := range []struct {
		hostport string
		rule     Rule
	}{
		{"127.0.0.1:" + s.port, RuleAddress}, {"[::1]:" + s.port, RuleAddress}, {"[::ffff:127.0.0.1]:" + s.port, RuleAddress},
		{"169.254.169.254:8080", ruleMetadata}, {"10.0.0.1:8080", RuleAddress}, {"localhost:" + s.port, ruleName},
		{"wpad:8080", ruleName}, {"in.example.com:8080", RuleAddress}, {"lo.example.com:" + s.port, RuleAddress},
		{"meta.example.com:8080", RuleAddress}, {"mixed.example.com:" + s.port, RuleAddress}, {"nowhere.example.com:8080", RuleNone},
		{"down.example.com:" + closed.port, ruleException}, {"bad.example.com:8080", ruleBlocklist}, {"example.com:6379", rulePort},
		{"0x7f.1:" + s.port, ruleSpelling}, {"127。0。0。1:" + s.port, ""}, {"update.googleapis.com:443", ruleCallHome},
		{"a@127.0.0.1:" + s.port, ruleUserinfo},
	} {
		for _, raw := range []string{"CONNECT " + c.hostport, "GET http://" + c.hostport + "/x", "POST http://" + c.hostport + "/"} {
			got := proxy.say(t, raw+" HTTP/1.1\r\nHost: example.com\r\n\r\n")
			x := proxy.next(t)
			if strings.Contains(c.hostport, "。") {
				if got != answerMalformed {
					t.Errorf("%s: %q", raw, got)
				}
				continue
			}
			if got != answerRefused || x.Status != 502 {
				t.Errorf("%s: %q", raw, got)
			}
			rule := c.rule
			if strings.HasPrefix(raw, "CONNECT") && rule == ruleUserinfo {
				rule = ruleURL
			}
			if rule == ruleException {
				// Allowed, and then nobody was there: only the log tells.
				if x.Err == nil || strings.Contains(x.Err.Error(), "127.0.0.1") || !x.Decision.Allowed {
					t.Errorf("%s: heard of %+v", raw, x)
				}
			} else if x.Decision.Rule != rule {
				t.Errorf("%s: refused by %q, want %q", raw, x.Decision.Rule, rule)
			}
		}
	}
	if s.conns.Load() != 0 {
		t.Error("the inner server was reached")
	}
	for _, word := range []string{"127", "blocked", "policy", "resolve"} {
		if strings.Contains(answerRefused, word) {
			t.Errorf("the refusal says %q", word)
		}
	}
	if _, body, _ := strings.Cut(answerRefused, "\r\n\r\n"); !strings.Contains(answerRefused, fmt.Sprintf("Content-Length: %d\r\n", len(body))) {
		t.Errorf("the length of the refusal is wrong")
	}
}

// Plain http by the policy: a redirect for requests, TLS or nothing in tunnels.
func TestProxyPlainHTTP(t *testing.T) {
	noLeak(t)
	const hello = "\x16\x03\x01 a hello" // the beginning of a TLS handshake
	s := newSite(t, false, nil)
	reach := func(ctx context.Context, d *net.Dialer, address string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", s.Listener.Addr().String())
	}
	for _, c := range []struct {
		mode         httpMode
		request      string
		status, rule string // of the answer; of the refusal
		plain        bool   // plain bytes go through the tunnel
	}{
		{httpUpgrade, "GET http://example.com/a?b", "307", "", false},
		{httpUpgrade, "POST http://example.com:80/a?b", "307", "", false},
		{httpUpgrade, "GET http://example.com:8080/", "200", "", false},
		{httpUpgrade, "CONNECT example.com:80", "502", "http", false},
		{httpUpgrade, "CONNECT example.com:0080", "502", "http", false},
		{httpUpgrade, "CONNECT example.com:443", "200", "", false},
		{httpUpgrade, "CONNECT example.com:00443", "200", "", false},
		{httpUpgrade, "CONNECT example.com:8443", "200", "", true},
		{HTTPAllow, "GET http://example.com/a?b", "200", "", false},
		{HTTPAllow, "CONNECT example.com:80", "200", "", true},
		{HTTPAllow, "CONNECT example.com:443", "200", "", true},
		{HTTPRefuse, "GET http://example.com/a?b", "502", "http", false},
		{HTTPRefuse, "GET http://example.com:8080/", "502", "http", false},
		{HTTPRefuse, "CONNECT example.com:80", "502", "http", false},
		{HTTPRefuse, "CONNECT example.com:443", "200", "", false},
		{HTTPRefuse, "CONNECT example.com:8443", "200", "", false},
		{httpUpgrade, "GET https://example.com/", "502", "scheme", false},
		{HTTPAllow, "TRACE http://example.com/", "502", "url", false},
		{HTTPAllow, "GET /", "502", "url", false},
		{HTTPAllow, "GET ws://example.com/", "502", "scheme", false},
		{HTTPAllow, "OPTIONS *", "502", "url", false},
		{HTTPAllow, "CONNECT example.com", "502", "url", false},
		{HTTPAllow, "CONNECT example.com:443/", "502", "url", false},
		{HTTPAllow, "CONNECT example.com:", "502", "url", false},
		{HTTPAllow, "CONNECT example.com:https", "400", "url", false},
		{HTTPAllow, "CONNECT example.com:99999", "502", "url", false},
	} {
		g := newGuard(t, Policy{HTTP: c.mode})
		g.dialTCP = reach
		proxy := newSession(t, g, ProxyOptions{})
		s.hits.Store(0)
		answer := proxy.say(t, c.request+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /plain HTTP/1.0\r\n\r\n")
		x := proxy.next(t)
		if !strings.HasPrefix(answer, "HTTP/1.1 "+c.status) || c.rule != "" && string(x.Decision.Rule) != c.rule {
			t.Errorf("%v %s: %q by %q, want %s by %q", c.mode, c.request, answer, x.Decision.Rule, c.status, c.rule)
		}
		if c.status == "307" && !strings.Contains(answer, "\r\nLocation: https://example.com/a?b\r\n") {
			t.Errorf("%v %s: %q", c.mode, c.request, answer)
		}
		if !strings.HasPrefix(c.request, "CONNECT") || c.status != "200" {
			continue
		}
		if got := s.hits.Load() == 1; got != c.plain || !c.plain && !errors.Is(x.Err, errPlain) {
			t.Errorf("%v %s: plain http goes through: %v, want %v (%v)", c.mode, c.request, got, c.plain, x.Err)
		}
		conn := proxy.dial(t)
		_, _ = io.WriteString(conn, c.request+" HTTP/1.1\r\n"+proxy.credentials()+"\r\n"+hello)
		_ = conn.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, conn)
		if x := proxy.next(t); x.Up != int64(len(hello)) || errors.Is(x.Err, errPlain) {
			t.Errorf("%v %s: TLS does not go through: %+v", c.mode, c.request, x)
		}
	}
}

// browser-005: the browser's own calls; Admit opens what pages need as well.
func TestProxyCallsHome(t *testing.T) {
	g := newGuard(t, Policy{})
	proxy := newSession(t, g, ProxyOptions{})
	own := func(host string) bool {
		_, d := proxy.judgeAuthority(host + ":443")
		if !d.Allowed && d.Rule != ruleCallHome {
			t.Errorf("%s is refused by %q", host, d.Rule)
		}
		return !d.Allowed
	}
	if len(homeRows()) < 50 {
		t.Errorf("%d rows", len(homeRows()))
	}
	for i, r := range homeRows() {
		if strings.TrimSuffix(mustURL(t, "https://"+r.host+"/").Host(), ".") != r.host || r.use == "" {
			t.Errorf("row %d is not canonical: %+v", i, r)
		}
		for _, host := range []string{r.host, "x." + r.host, strings.ToUpper(r.host), r.host + "."} {
			if !own(host) {
				t.Errorf("%s is allowed", host)
			}
		}
		if own("x" + r.host) {
			t.Errorf("x%s is refused", r.host)
		}
		if _, d := g.Judge(mustURL(t, "https://"+r.host+"/")); !d.Allowed {
			t.Errorf("%s is refused outside of a browser", r.host)
		}
	}
	for _, host := range []string{"google.com", "www.google.com", "www.googleapis.com", "fonts.googleapis.com", "ajax.googleapis.com", "microsoft.com", "login.microsoftonline.com", "youtube.com"} {
		if own(host) {
			t.Errorf("%s is refused", host)
		}
	}
	proxy.Admit(hosts(t, "google.com", "googleapis.com"))
	if own("accounts.google.com") || !own("update.googleapis.com") || !own("clients2.google.com") {
		t.Error("Admit opens too little or too much")
	}
	if !newSession(t, g, ProxyOptions{}).isCallHome("accounts.google.com") {
		t.Error("another session was opened")
	}
}

// proxyenv-010: what two programs could read in two ways is read in none.
func TestProxyMalformed(t *testing.T) {
	noLeak(t)
	s := newSite(t, false, nil)
	proxy := newSession(t, newGuard(t, open([]*site{s}, "a.example.com")), ProxyOptions{UnsafeNoToken: true})
	get := "GET " + s.url("a.example.com", "/") + " HTTP/1.1\r\n"
	post := "POST " + s.url("a.example.com", "/") + " HTTP/1.1\r\n"
	for name, raw := range map[string]string{
		"CL and TE":             post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://127.0.0.1/ HTTP/1.1\r\n\r\n",
		"TE and CL":             post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
		"two CL":                post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na",
		"CL list":               post + "Content-Length: 1, 1\r\n\r\na",
		"CL sign":               post + "Content-Length: +1\r\n\r\na",
		"CL too big":            post + "Content-Length: 99999999999999999999\r\n\r\na",
		"two TE":                post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"TE list":               post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
		"TE identity":           post + "Transfer-Encoding: identity\r\n\r\n",
		"TE with HTTP/1.0":      strings.Replace(post, "1.1", "1.0", 1) + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"TE with a tab":         post + "Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
		"space before colon":    post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
		"folded line":           get + "X: a\r\n b\r\n\r\n",
		"first line folded":     get + " X: a\r\n\r\n",
		"two Hosts":             get + "Host: a\r\nHost: b\r\n\r\n",
		"bare LF":               "GET " + s.url("a.example.com", "/") + " HTTP/1.1\nHost: a\n\n",
		"bare LF in a header":   get + "X: a\nY: b\r\n\r\n",
		"bare CR":               get + "X: a\rY: b\r\n\r\n",
		"NUL":                   get + "X: a\x00\r\n\r\n",
		"no colon":              get + "X\r\n\r\n",
		"empty name":            get + ": a\r\n\r\n",
		"name with a space":     get + "X Y: a\r\n\r\n",
		"tab in the first line": strings.Replace(get, " ", "\t", 1) + "\r\n",
		"four words":            strings.Replace(get, " HTTP", " x HTTP", 1) + "\r\n",
		"HTTP/2":                strings.Replace(get, "1.1", "2.0", 1) + "\r\n",
		"HTTP/0.9":              "GET " + s.url("a.example.com", "/") + "\r\n\r\n",
		"HTTP/2 preface":        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"TLS":                   "\x16\x03\x01\x00\x05hello\r\n\r\n",
		"SOCKS":                 "\x05\x01\x00\r\n\r\n",
		"bytes in the target":   strings.Replace(get, "/ ", "/\xff ", 1) + "\r\n",
		"too long":              get + "X: " + strings.Repeat("x", maxHeaderBytes) + "\r\n\r\n",
		"too many lines":        get + strings.Repeat("X: y\r\n", maxHeaderBytes/5) + "\r\n",
		"CONNECT with a body":   "CONNECT a.example.com:" + s.port + " HTTP/1.1\r\nContent-Length: 1\r\n\r\na",
		"breaks off":            get + "X: a",
	} {
		conn := proxy.dial(t)
		_, _ = io.WriteString(conn, raw)
		_ = conn.(*net.TCPConn).CloseWrite()
		answer, _ := io.ReadAll(conn)
		if string(answer) != answerMalformed {
			t.Errorf("%s: %q", name, answer)
		}
		if x := proxy.next(t); x.Decision.Allowed || x.Status != 400 || x.Err == nil {
			t.Errorf("%s: heard of %+v", name, x)
		}
	}
	if s.conns.Load() != 0 {
		t.Error("the site was reached")
	}
	// What stands behind a request is not another one.
	conn := proxy.dial(t)
	_, _ = io.WriteString(conn, get+"\r\n"+get+"\r\n")
	answer, _ := io.ReadAll(conn)
	if strings.Count(string(answer), "HTTP/1.1") != 1 || s.hits.Load() != 1 {
		t.Errorf("%d hits, %q", s.hits.Load(), answer)
	}
}

// What a site answers cannot upset the proxy or speak in its name.
func TestProxyHostileSite(t *testing.T) {
	noLeak(t)
	for name, c := range map[string]struct{ raw, want string }{
		"407":             {"HTTP/1.1 407 X\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n", answerRefused},
		"garbage":         {"hello\r\n\r\n", answerRefused},
		"nothing":         {"", answerRefused},
		"long head":       {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", maxHeaderBytes) + "\r\n\r\n", answerRefused},
		"status 99":       {"HTTP/1.1 099 X\r\n\r\n", answerRefused},
		"interim answers": {strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: <http://127.0.0.1/>\r\n\r\n", 6) + "HTTP/1.1 200 OK\r\n\r\n", answerRefused},
		"a few of them":   {strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: <http://127.0.0.1/>\r\n\r\n", 5) + "HTTP/1.1 204 X\r\n\r\n", "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"},
		"hop by hop":      {"HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nUpgrade: h2c\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"},
		"two lengths":     {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", answerRefused},
		"breaks off":      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"},
		"reason":          {"HTTP/1.1 200 <script>\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"},
	} {
		s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			_, _ = io.WriteString(conn, c.raw)
			_ = conn.Close()
		})
		proxy := newSession(t, newGuard(t, open([]*site{s}, "a.example.com")), ProxyOptions{})
		if got := proxy.say(t, "GET "+s.url("a.example.com", "/")+" HTTP/1.1\r\n\r\n"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestProxyLimits(t *testing.T) {
	noLeak(t)
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/silent" {
			<-r.Context().Done()
			return
		}
		_, _ = io.WriteString(w, strings.Repeat("x", 1000))
	})
	g := newGuard(t, open([]*site{s}, "a.example.com"))
	get := "GET " + s.url("a.example.com", "/") + " HTTP/1.1\r\n\r\n"
	t.Run("connections", func(t *testing.T) {
		proxy := newSession(t, g, ProxyOptions{MaxConns: 2})
		held := []net.Conn{proxy.dial(t), proxy.dial(t)}
		for len(proxy.slots) < 2 {
			runtime.Gosched()
		}
		if answer := proxy.say(t, get); answer != "" {
			t.Errorf("a third connection gets %q", answer)
		}
		_ = held[0].Close()
		for len(proxy.slots) > 1 {
			runtime.Gosched()
		}
		if answer := proxy.say(t, get); !strings.HasPrefix(answer, "HTTP/1.1 200") {
			t.Errorf("after one has left: %q", answer)
		}
	})
	t.Run("bytes", func(t *testing.T) { // browser-006
		proxy := newSession(t, g, ProxyOptions{MaxBytes: 1500})
		if answer := proxy.say(t, get); !strings.HasSuffix(answer, "x") {
			t.Errorf("the first: %q", answer)
		}
		if x := proxy.next(t); x.Err != nil || x.Down != 1000 {
			t.Errorf("heard of %+v", x)
		}
		if answer := proxy.say(t, get); strings.Count(answer, "x") >= 1000 {
			t.Errorf("the second is whole")
		}
		if x := proxy.next(t); !errors.Is(x.Err, errSpent) {
			t.Errorf("heard of %+v", x)
		}
		conns := s.conns.Load()
		if answer := proxy.say(t, get); answer != answerRefused || s.conns.Load() != conns {
			t.Errorf("the third: %q", answer)
		}
	})
	t.Run("silence", func(t *testing.T) {
		proxy := newSession(t, g, ProxyOptions{IdleTimeout: 20 * time.Millisecond})
		for _, raw := range []string{
			"GET " + s.url("a.example.com", "/silent") + " HTTP/1.1\r\n\r\n",
			"CONNECT a.example.com:" + s.port + " HTTP/1.1\r\n\r\n",
		} {
			_ = proxy.say(t, raw)
			if x := proxy.next(t); x.Err == nil {
				t.Errorf("heard of %+v", x)
			}
		}
	})
	t.Run("negative", func(t *testing.T) {
		if p, err := g.Proxy(ProxyOptions{MaxBytes: -1}); err == nil {
			_ = p.Close()
			t.Error("a negative limit is taken")
		}
	})
}

// Close leaves nothing, whatever was under way.
func TestProxyClose(t *testing.T) {
	noLeak(t)
	arrived := make(chan struct{}, 10)
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "x")
		w.(http.Flusher).Flush()
		arrived <- struct{}{}
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	proxy := newSession(t, newGuard(t, open([]*site{s}, "a.example.com")), ProxyOptions{})
	for _, raw := range []string{
		"GET " + s.url("a.example.com", "/") + " HTTP/1.1\r\n" + proxy.credentials() + "\r\n",
		"POST " + s.url("a.example.com", "/") + " HTTP/1.1\r\nContent-Length: 5\r\n" + proxy.credentials() + "\r\nab",
		"CONNECT a.example.com:" + s.port + " HTTP/1.1\r\n" + proxy.credentials() + "\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		_, _ = io.WriteString(proxy.dial(t), raw)
		<-arrived
	}
	_ = proxy.dial(t) // without a word
	for len(proxy.slots) < 4 {
		runtime.Gosched()
	}
	for range 2 {
		if err := proxy.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(proxy.slots) != 0 {
		t.Errorf("%d exchanges go on", len(proxy.slots))
	}
	if conn, err := net.Dial("tcp", proxy.Addr()); err == nil {
		_ = conn.Close()
		t.Error("somebody still listens")
	}
}

// A child process that honours the variables goes through the proxy.
func TestProxyEnviron(t *testing.T) {
	proxy := newSession(t, newGuard(t, Policy{}), ProxyOptions{})
	env := strings.Join(proxy.Environ(), "\n")
	for _, want := range []string{"HTTP_PROXY=http://spyhop:" + proxy.Token() + "@127.0.0.1:", "\nhttps_proxy=http://", "\nALL_PROXY=http://", "\nNO_PROXY=\n"} {
		if !strings.Contains(env, want) {
			t.Errorf("no %q in %q", want, env)
		}
	}
	for _, line := range proxy.Environ() {
		_, address, _ := strings.Cut(line, "=")
		if _, err := weburl.Parse(address); address != "" && err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

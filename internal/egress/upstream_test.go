package egress

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// upstreamProxy is a proxy for CONNECT that leads everything to one site, and
// tells what it was asked.
type upstreamProxy struct {
	*site
	mu     sync.Mutex
	asked  []string // targets
	header http.Header
	status int
}

func newUpstream(t *testing.T, secure bool, to *site) *upstreamProxy {
	p := &upstreamProxy{status: 200}
	p.site = newSite(t, false, nil)
	p.site.Close()
	handler := func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked, p.header = append(p.asked, r.RequestURI), r.Header
		status := p.status
		p.mu.Unlock()
		if status != 200 || r.Method != http.MethodConnect {
			w.WriteHeader(status)
			return
		}
		far, err := net.Dial("tcp", to.Listener.Addr().String())
		if err != nil {
			return
		}
		defer far.Close()
		conn, rw, _ := w.(http.Hijacker).Hijack()
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		var back sync.WaitGroup
		back.Go(func() { _, _ = io.Copy(conn, far); _ = conn.Close() })
		_, _ = io.Copy(far, rw)
		_ = far.Close()
		back.Wait()
	}
	p.site = newSite(t, false, handler)
	if secure {
		p.site = newSite(t, true, handler)
		p.TLS.NextProtos = []string{"http/1.1"}
	}
	return p
}

func (p *upstreamProxy) targets() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.asked, " ")
}

func TestUpstream(t *testing.T) {
	s, near := newSite(t, true, nil), newSite(t, false, nil)
	table := map[string][]string{
		"example.com": {"93.184.215.14"}, "in.example.com": {"10.0.0.1"}, "mixed.example.com": {"93.184.215.14", "10.0.0.1"},
		"proxy.corp": {"127.0.0.1"}, "near.corp": {"127.0.0.1"}, "six.example.com": {"2606:4700::1111"},
	}
	for _, secure := range []bool{false, true} {
		up := newUpstream(t, secure, s)
		roots := s.roots
		name := "proxy.corp"
		if secure {
			name = "example.com" // what the test's certificate is for
			roots = s.roots
			table["example.com"] = []string{"127.0.0.1"}
			table["www.example.com"] = []string{"93.184.215.14"}
		}
		scheme := map[bool]string{false: "http", true: "https"}[secure]
		target := map[bool]string{false: "example.com", true: "www.example.com"}[secure]
		endpoint := mustURL(t, near.url("near.corp", "/"))
		var heard []Decision
		g := newGuard(t, Policy{
			Proxy: scheme + "://us%65r:p%40ss@" + name + ":" + up.port, Resolver: StaticResolver(table, netip.Addr{}),
			RootCAs: roots, Private: exceptions(t, "127.0.0.1:"+near.port), Endpoints: []weburl.URL{endpoint},
			Observe: func(d Decision) { heard = append(heard, d) },
		})
		rt := g.RoundTripper()
		if secure {
			// The certificate holds for example.com and 127.0.0.1 alone.
			g.web.transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
		}
		if _, err := get(t, rt, "https://"+target+"/"); err != nil {
			t.Fatal(err)
		}
		// The proxy is told the judged address, never the name.
		if got := up.targets(); got != "93.184.215.14:443" {
			t.Errorf("secure %v: the proxy is asked for %q", secure, got)
		}
		up.mu.Lock()
		r := http.Request{Header: http.Header{"Authorization": up.header["Proxy-Authorization"]}}
		up.mu.Unlock()
		if user, password, _ := r.BasicAuth(); user != "user" || password != "p@ss" {
			t.Errorf("the proxy is given %q and %q", user, password)
		}
		if len(heard) != 1 || heard[0].Addr.String() != "93.184.215.14" || !heard[0].Allowed || heard[0].Rule != RuleNone {
			t.Errorf("heard of %+v", heard)
		}
		if secure {
			continue
		}
		// What is refused never comes to the proxy.
		for _, host := range []string{"in.example.com", "mixed.example.com", "169.254.169.254", "proxy.corp"} {
			var refusal *Error
			if _, err := get(t, rt, "https://"+host+"/"); !errors.As(err, &refusal) {
				t.Errorf("%s: %v", host, err)
			}
		}
		// Exceptions and endpoints are near, and dialled directly.
		if _, err := get(t, rt, near.URL); err != nil {
			t.Error(err)
		}
		ert, err := g.Endpoint(endpoint)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := get(t, ert, endpoint.String()); err != nil {
			t.Error(err)
		}
		if got := up.targets(); got != "93.184.215.14:443" {
			t.Errorf("the proxy is asked for %q", got)
		}
		_, _ = get(t, rt, "https://six.example.com/")
		if got := up.targets(); !strings.HasSuffix(got, " [2606:4700::1111]:443") {
			t.Errorf("the proxy is asked for %q", got)
		}
		// The guarded proxy goes through it as well.
		session := newSession(t, g, ProxyOptions{})
		conn := session.dial(t)
		_, _ = io.WriteString(conn, "CONNECT example.com:8443 HTTP/1.1\r\n"+session.credentials()+"\r\n")
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, " 200 ") {
			t.Errorf("%q, %v", line, err)
		}
		_ = conn.Close()
		// Its refusal is a failure of the network, with neither address.
		up.mu.Lock()
		up.status = 403
		up.mu.Unlock()
		g.CloseIdle()
		_, err = get(t, rt, "https://example.com/")
		var op *net.OpError
		if !errors.As(err, &op) || !strings.Contains(err.Error(), "answered 403") || strings.Contains(err.Error(), "93.") || strings.Contains(err.Error(), "127.") {
			t.Errorf("%v", err)
		}
		up.Close()
		_, err = get(t, rt, "https://example.com/")
		if !errors.As(err, &op) || strings.Contains(err.Error(), "127.") || strings.Contains(err.Error(), "p@ss") {
			t.Errorf("%v", err)
		}
	}
}

func TestParseUpstream(t *testing.T) {
	for raw, ok := range map[string]bool{
		"": true, "http://proxy:3128": true, "https://proxy.corp": true, "http://10.0.0.1:3128/": true, "http://[::1]:3128": true,
		"http://user:pass@proxy:3128": true,
		"proxy:3128":                  false, "socks5://proxy:1080": false, "http://": false, "http://proxy/path": false, "http://proxy/?q": false,
		"http://0x7f.1:3128": false, "http://169.254.169.254:3128": false, "http://metadata.google.internal": false,
		"http://a%3Ab:c@proxy": false, "http://secret%zz@proxy": false,
	} {
		p, err := parseUpstream(raw)
		if (err == nil) != ok || (p == nil) != (!ok || raw == "") {
			t.Errorf("parseUpstream(%q) = %v, %v", raw, p, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error tells the password: %v", err)
		}
	}
	p := Policy{Proxy: "http://user:pass@proxy:3128"}
	if got := p.ProxyAddress(); got != "http://proxy:3128" {
		t.Errorf("shown as %q", got)
	}
}

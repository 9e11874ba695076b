package egress

import (
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Whatever a client sends: the proxy answers or hangs up, dials nothing that
// was not judged, and asks for no name that is none.
func FuzzProxy(f *testing.F) {
	for _, s := range []string{
		"GET http://a.com/ HTTP/1.1\r\nHost: a.com\r\n\r\n",
		"CONNECT a.com:443 HTTP/1.1\r\n\r\n\x16\x03\x01",
		"CONNECT 127.0.0.1:443 HTTP/1.1\r\n\r\n",
		"CONNECT [::ffff:7f00:1]:443 HTTP/1.1\r\n\r\n",
		"CONNECT a.com:80@127.0.0.1:443 HTTP/1.1\r\n\r\n",
		"POST http://a.com:8080/ HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
		"POST http://a.com:8080/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",                                              // a body without a length
		"POST http://a.com:8080/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",                                   // smuggling
		"GET http://a.com:8080/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",                                                   // a web socket
		"GET http://0x7f.1/ HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "OPTIONS * HTTP/1.1\r\n\r\n", "\x16\x03\x01\r\n\r\n", // no business here
		"GET http://a.com/ HTTP/1.1\r\nX: a\r\n b\r\n\r\n", "GET\thttp://a.com/ HTTP/1.1\r\n\r\n", "GET http://a.com/ HTTP/1.1\n\n",
	} {
		f.Add([]byte(s))
	}
	w := newWorld(f, Policy{HTTP: HTTPAllow})
	p := newSession(f, w.Guard, ProxyOptions{UnsafeNoToken: true})
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = append(raw[:len(raw):len(raw)], "\r\n\r\n"...) // a head that goes on waits for the rest
		near, far := net.Pipe()
		done := make(chan string)
		go func() {
			_ = near.SetDeadline(time.Now().Add(time.Second))
			go func() {
				if _, err := near.Write(raw); err == nil { // all was read: who waits for more waits in vain
					_ = near.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
				}
			}()
			answer := make([]byte, 4096)
			n, _ := io.ReadAtLeast(near, answer, 12)
			_ = near.Close()
			done <- string(answer[:n])
		}()
		p.serve(far)
		_ = far.Close()
		answer := <-done
		select {
		case <-p.more:
		default:
		}
		p.mu.Lock()
		ended := p.ended
		p.ended = nil
		p.mu.Unlock()
		asked, dialed := w.take()
		for _, a := range dialed {
			if !classify(a.Addr()).Global() || isBadPort(int(a.Port())) {
				t.Errorf("%q: dialled %s", raw, a)
			}
		}
		for _, name := range asked {
			if host := strings.TrimSuffix(name, "."); !wellFormed(host) || reserved(host).reason != "" {
				t.Errorf("%q: asked for %q", raw, name)
			}
		}
		for _, x := range ended {
			if x.Decision.Allowed && len(dialed) != 1 || !x.Decision.Allowed && len(dialed) != 0 {
				t.Errorf("%q: %+v, and dialled %v", raw, x.Decision, dialed)
			}
			if !strings.HasPrefix(answer, "HTTP/1.1 502 ") && !strings.HasPrefix(answer, "HTTP/1.1 400 ") && !strings.HasPrefix(answer, "HTTP/1.1 100 ") && answer != "" {
				t.Errorf("%q: %q", raw, answer)
			}
		}
	})
}

// Each address has a class, whatever the form, and no form makes an inner
// address public.
func FuzzClassify(f *testing.F) {
	for _, s := range []string{"127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2606:4700::5efe:10.0.0.1", "fe80::1"} {
		a := netip.MustParseAddr(s)
		b := a.As16()
		f.Add(b[:])
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) < 16 {
			return
		}
		a := netip.AddrFrom16([16]byte(raw[:16]))
		c := classify(a)
		if c == invalid || c.String() == "invalid" || c != classify(a.Unmap()) || classify(a.WithZone("x")) == public {
			t.Errorf("%s is %v", a, c)
		}
		if a.Is4In6() {
			return
		}
		if c.Global() && raw[0]>>5 != 1 {
			t.Errorf("%s is public outside of 2000::/3", a)
		}
		// The last four bytes as IPv4, in each form that ends with it.
		v4 := netip.AddrFrom4([4]byte(raw[12:16]))
		if classify(v4).Global() {
			return
		}
		for _, prefix := range []string{"::ffff:", "::", "::ffff:0:", "64:ff9b::", "2606:4700::5efe:", "2606:4700::200:5efe:"} {
			if e := netip.MustParseAddr(prefix + v4.String()); classify(e).Global() || classify(e) == nat64 {
				t.Errorf("%s is %v, and %s is %v", e, classify(e), v4, classify(v4))
			}
		}
	})
}

// An exception reads back as what it prints, and never opens metadata.
func FuzzParseException(f *testing.F) {
	for _, s := range []string{"wiki.corp:8080", "10.0.0.0/8:443", "[fd00::/8]:443", "::1", "[::1]:80", "169.254.0.0/16", "bücher.intranet", "a:0", "0.0.0.0/0", "%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := ParseException(s)
		if err != nil {
			return
		}
		again, err := ParseException(e.String())
		if err != nil || again != e || e == (Exception{}) {
			t.Fatalf("ParseException(%q) = %q, which is %v, %v", s, e, again, err)
		}
		p := Policy{Private: []Exception{e}, Resolver: StaticResolver(nil, netip.AddrFrom4([4]byte{169, 254, 169, 254}))}
		g, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range []string{"http://169.254.169.254/", "http://metadata.google.internal/", "http://[fd00:ec2::254]/", "https://rebound.com/"} {
			u, err := weburl.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			if _, d := g.Check(t.Context(), u); d.Allowed {
				t.Errorf("with the exception %q, %s is allowed", s, raw)
			}
		}
	})
}

// An entry of a list matches itself, in every spelling that it was given, and
// nothing that only looks like it.
func FuzzHostList(f *testing.F) {
	for _, s := range []string{"example.com", "=example.com", "*.example.com", "EXAMPLE.com.", "bücher.de", "10.0.0.1", "[::1]", "::1", "0x7f.1", "a..b", "com", "..", "a.."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, err := weburl.ParseHostList([]string{s})
		if err != nil || len(l) == 0 {
			return
		}
		again, err := weburl.ParseHostList([]string{l[0].String()})
		if err != nil || again[0] != l[0] {
			t.Fatalf("%q is %q, which is %v, %v", s, l[0], again, err)
		}
		host := strings.TrimLeft(l[0].String(), "=*.")
		for _, other := range []string{"x" + host, host + "x", "x-" + host, host + ".evil.com"} {
			if _, hit := l.Match(other); hit && !strings.HasSuffix(other, "."+host) {
				t.Errorf("%q matches %q", s, other)
			}
		}
	})
}

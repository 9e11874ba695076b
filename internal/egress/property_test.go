package egress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A world is a guard whose names all resolve, each to a public address of its
// own, and whose dialer only writes down what it is to dial.
type world struct {
	*Guard
	mu     sync.Mutex
	asked  []string
	dialed []netip.AddrPort
}

var errWorld = errors.New("the dialer records only")

func newWorld(t testing.TB, p Policy) *world {
	w := &world{}
	p.Resolver = w
	w.Guard = newGuard(t, p)
	w.dialTCP = func(ctx context.Context, d *net.Dialer, address string) (net.Conn, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.dialed = append(w.dialed, netip.MustParseAddrPort(address))
		return nil, errWorld
	}
	return w
}

// addressOf is the address of a name: in 20.0.0.0/8, which is public.
func addressOf(name string) netip.Addr {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.TrimSuffix(name, ".")))
	n := h.Sum32()
	return netip.AddrFrom4([4]byte{20, byte(n >> 16), byte(n >> 8), byte(n)})
}

func (w *world) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, host)
	return []netip.Addr{addressOf(host)}, nil
}

// take returns what was asked and dialled since the last time.
func (w *world) take() (asked []string, dialed []netip.AddrPort) {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked, dialed, w.asked, w.dialed = w.asked, w.dialed, nil, nil
	return asked, dialed
}

// checkDialed compares what was dialled with what is to be dialled for a raw
// URL, by the guard's own judgement.
func (w *world) checkDialed(t *testing.T, way, raw string, wantPort int) {
	t.Helper()
	asked, dialed := w.take()
	u, d := w.CheckRaw(context.Background(), raw)
	w.take()
	if !d.Allowed {
		if len(asked) > 0 && d.Rule != RuleAddress || len(dialed) > 0 {
			t.Errorf("%s: %q is refused by %q, and yet asked %v and dialled %v", way, raw, d.Rule, asked, dialed)
		}
		return
	}
	if len(dialed) != 1 {
		t.Errorf("%s: %q is allowed as %s, and dialled %v", way, raw, u, dialed)
		return
	}
	want, literal := u.Addr()
	if !literal {
		if want = addressOf(u.Host()); len(asked) != 1 || asked[0] != strings.TrimSuffix(u.Host(), ".")+"." {
			t.Errorf("%s: %q is judged as %s, and asked %v", way, raw, u, asked)
		}
	}
	if wantPort == 0 {
		wantPort = u.EffectivePort()
	}
	if got := dialed[0]; got.Addr() != want.Unmap() || int(got.Port()) != wantPort || !classify(got.Addr()).Global() {
		t.Errorf("%s: %q is judged as %s, and dialled %s", way, raw, u, got)
	}
}

// generator writes hosts in every way that some program understands.
type generator struct{ *rand.Rand }

func (g generator) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g generator) number(n uint32) string {
	switch g.IntN(5) {
	case 0:
		return fmt.Sprintf("%#x", n)
	case 1:
		return fmt.Sprintf("0%o", n)
	case 2:
		return fmt.Sprintf("%0*d", 1+g.IntN(12), n)
	case 3:
		return fmt.Sprintf("0X%0*X", 1+g.IntN(12), n)
	}
	return fmt.Sprint(n)
}

func (g generator) address() uint32 {
	if g.IntN(2) == 0 {
		return g.Uint32()
	}
	r := v4Rows[g.IntN(len(v4Rows))] // inside of a row, or just beside it
	return r.base + uint32(g.Uint64N(1<<(32-r.bits)+2)) - 1
}

func (g generator) ipv4(n uint32) string {
	a, b, c, d := n>>24, n>>16&0xff, n>>8&0xff, n&0xff
	switch g.IntN(6) {
	case 0:
		return g.number(n)
	case 1:
		return g.number(a) + "." + g.number(n&0xffffff)
	case 2:
		return g.number(a) + "." + g.number(b) + "." + g.number(n&0xffff)
	case 3:
		return g.number(a) + "." + g.number(b) + "." + g.number(c) + "." + g.number(d)
	}
	return fmt.Sprintf("%d.%d.%d.%d", a, b, c, d)
}

func (g generator) ipv6() string {
	n := g.address()
	hi, lo, dotted := n>>16, n&0xffff, fmt.Sprintf("%d.%d.%d.%d", n>>24, n>>16&0xff, n>>8&0xff, n&0xff)
	switch g.IntN(9) {
	case 0:
		return "[::ffff:" + dotted + "]"
	case 1:
		return fmt.Sprintf("[::%x:%x]", hi, lo)
	case 2:
		return "[::ffff:0:" + dotted + "]"
	case 3:
		return g.pick("[64:ff9b::", "[64:ff9b:1::", "[2606:4700::5efe:", "[2606:4700::200:5efe:") + dotted + "]"
	case 4:
		return fmt.Sprintf("[2002:%x:%x::%x]", hi, lo, g.IntN(9))
	case 5:
		return fmt.Sprintf("[2001::%x:%x]", ^n>>16, ^n&0xffff)
	case 6:
		return fmt.Sprintf("[64:ff9b:1:%x:%x:%x::]", hi, n>>8&0xff, n<<8&0xffff)
	case 7:
		r := v6Rows[g.IntN(len(v6Rows))]
		var b [16]byte
		for i := range 8 {
			b[i], b[8+i] = byte(r.hi>>(56-8*i)), byte(r.lo>>(56-8*i))
		}
		b[15] += byte(g.IntN(3))
		return "[" + netip.AddrFrom16(b).StringExpanded() + "]"
	}
	var b [16]byte
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	b[0] = b[0]&0x1f | 0x20 // 2000::/3
	return "[" + netip.AddrFrom16(b).String() + g.pick("", "", "", "%25eth0", "%1") + "]"
}

func (g generator) name() string {
	labels := []string{"example", "a", "www", "xn--bcher-kva", "bücher", "faß", "ex_ample", "1", "metadata", "ＥＸ", "☃", "a\u200db", "x--y"}
	var parts []string
	for range g.IntN(4) {
		parts = append(parts, g.pick(labels...))
	}
	return strings.Join(append(parts, g.pick("example", "b"), g.pick("com", "COM", "org", "internal", "corp", "xn--p1ai", "рф", "local", "test")), ".")
}

// disguise changes how a host is written.
func (g generator) disguise(host string) string {
	each := func(f func(r rune) string) string {
		var b strings.Builder
		for _, r := range host {
			if g.IntN(3) == 0 {
				b.WriteString(f(r))
			} else {
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	switch g.IntN(12) {
	case 0:
		return each(func(r rune) string { return "%" + fmt.Sprintf("%02X", string(r)[0]) })
	case 1: // full width
		return each(func(r rune) string {
			if r > 0x20 && r < 0x7f {
				r += 0xfee0
			}
			return string(r)
		})
	case 2: // circled
		return each(func(r rune) string {
			switch {
			case r == '0':
				r = '⓪'
			case r > '0' && r <= '9':
				r += '①' - '1'
			case r >= 'a' && r <= 'z':
				r += 'ⓐ' - 'a'
			}
			return string(r)
		})
	case 3:
		dot := g.pick("。", "．", "｡", "%2e", "%E3%80%82", "․", "..")
		return strings.Replace(host, ".", dot, 1+g.IntN(3))
	case 4:
		return host + g.pick(".", "。", "..", "%2e", "%00", "\t", ":", ":80", ":443", ":8443", ":08080", ":99999", ":6379")
	case 5:
		return each(func(r rune) string { return strings.ToUpper(string(r)) })
	case 6:
		return each(func(r rune) string { return string(r) + g.pick("\u00ad", "\u200b", "\u2060", "\ufe0f", "\t", "\n") })
	case 7:
		return g.pick("user@", "user:pass@", "example.com@", `example.com\@`, "example.com%40", "example.com#@", "example.com?@", "@") + host
	}
	return host
}

func (g generator) url() string {
	var host string
	switch g.IntN(3) {
	case 0:
		host = g.ipv4(g.address())
	case 1:
		host = g.ipv6()
	default:
		host = g.name()
	}
	return g.pick("http://", "https://", "https://", "HTTP://", "https:", "https:///", `https:\\`, "https:/\t/") +
		g.disguise(host) + g.pick("/", "", "/path", "?q", "#f", `\x`)
}

// The host that is judged is the host that is dialled, however it is written
// and whichever way the request takes: as a URL of package net/http, which has
// a parser and a mapping of names of its own, or through the proxy.
func TestJudgedIsDialed(t *testing.T) {
	w := newWorld(t, Policy{})
	proxy := newSession(t, w.Guard, ProxyOptions{})
	n := 30_000
	if testing.Short() {
		n = 3000
	}
	g := generator{rand.New(rand.NewPCG(1, 2))}
	allowed := 0
	for range n {
		raw := g.url()
		// By the judged URL, as fetch asks.
		if u, d := w.Judge(parsed(raw)); d.Allowed {
			allowed++
			_, _ = w.RoundTripper().RoundTrip(&http.Request{Method: "GET", Header: http.Header{}, URL: u.NetURL()})
			w.checkDialed(t, "judged", raw, 0)
		}
		// By what net/http makes of the text.
		if std, err := url.Parse(raw); err == nil {
			_, _ = w.RoundTripper().RoundTrip(&http.Request{Method: "GET", Header: http.Header{}, URL: std})
			w.checkDialed(t, "net/http", std.String(), 0)
		}
		// Through the proxy, whose clients have parsers too.
		if target, ok := authority(raw); ok {
			connect(proxy, target)
			// The first line of a request has no room for other bytes.
			odd := strings.ContainsFunc(target, func(r rune) bool { return r <= ' ' || r >= 0x7f })
			if u, d := proxy.judgeAuthority(target); d.Allowed && !odd {
				w.checkDialed(t, "CONNECT", "https://"+u.HostPort()+"/", u.EffectivePort())
			} else if asked, dialed := w.take(); len(asked)+len(dialed) > 0 {
				t.Errorf("CONNECT %q is refused by %q, and yet asked %v and dialled %v", target, d.Rule, asked, dialed)
			}
		}
	}
	t.Logf("%d URLs, %d allowed", n, allowed)
	if allowed < n/20 || allowed > n*19/20 {
		t.Errorf("%d of %d URLs are allowed: the test says little", allowed, n)
	}
}

// parsed is zero for what does not parse, which every guard refuses.
func parsed(raw string) weburl.URL {
	u, _ := weburl.Parse(raw)
	return u
}

// authority is what stands between the slashes, with a port.
func authority(raw string) (string, bool) {
	_, rest, ok := strings.Cut(raw, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, ':'); i < 0 || !isDigits(rest[i+1:]) {
		rest += ":443"
	}
	return rest, ok && rest != ""
}

// connect asks the proxy for a tunnel, without a socket in between.
func connect(p *session, target string) {
	near, far := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.WriteString(near, "CONNECT "+target+" HTTP/1.1\r\n"+p.credentials()+"\r\n")
		_, _ = bufio.NewReader(near).ReadString('\n')
		_ = near.Close()
	}()
	p.serve(far)
	_ = far.Close()
	<-done
	<-p.more
}

package egress

import (
	"context"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// deadConn is a connection that costs nothing.
type deadConn struct{ net.Conn }

func (deadConn) Close() error { return nil }

// What the guard adds to a connection: parse, judge, judging the answers of
// the DNS, the race of addresses, and the comparison at the socket. The network
// and the DNS cost nothing here.
func BenchmarkOverhead(b *testing.B) {
	for name, answer := range map[string][]string{
		"one address":     {"93.184.215.14"},
		"eight addresses": {"93.184.215.14", "93.184.215.15", "93.184.215.16", "93.184.215.17", "2606:4700::1", "2606:4700::2", "2606:4700::3", "2606:4700::4"},
	} {
		b.Run(name, func(b *testing.B) {
			g := newGuard(b, Policy{
				Resolver: StaticResolver(map[string][]string{"www.example.co.uk": answer}, publicAddr),
				Block:    hosts(b, "ads.example.com", "*.tracker.net", "=example.org"), Private: exceptions(b, "wiki.corp:8080", "10.0.0.0/8:443"),
			})
			g.dialTCP = func(ctx context.Context, d *net.Dialer, address string) (net.Conn, error) {
				return deadConn{}, d.ControlContext(ctx, "tcp", address, nil)
			}
			took := make([]time.Duration, 0, b.N)
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				u, err := weburl.Parse("http://www.example.co.uk/a/b?c=d")
				if err != nil {
					b.Fatal(err)
				}
				u, d := g.judge(u)
				conn, err := g.dial(b.Context(), u.HostPort(), false)
				if err != nil || !d.Allowed {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
				_ = conn.Close()
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
		})
	}
}

// A tunnel through the proxy on loopback: how long until it stands, and how
// fast it carries.
func BenchmarkProxy(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(io.Discard, conn); _ = conn.Close() }()
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	g := newGuard(b, Policy{Private: exceptions(b, "127.0.0.1:"+port)})
	p, err := g.Proxy(ProxyOptions{UnsafeNoToken: true})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	open := func() net.Conn {
		conn, err := net.Dial("tcp", p.Addr())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.WriteString(conn, "CONNECT 127.0.0.1:"+port+" HTTP/1.1\r\n\r\n"); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(conn, make([]byte, len(answerTunnel))); err != nil {
			b.Fatal(err)
		}
		return conn
	}
	b.Run("tunnel", func(b *testing.B) {
		for b.Loop() {
			_ = open().Close()
		}
	})
	b.Run("carry", func(b *testing.B) {
		conn := open()
		defer conn.Close()
		chunk := make([]byte, 64<<10)
		b.SetBytes(int64(len(chunk)))
		for b.Loop() {
			if _, err := conn.Write(chunk); err != nil {
				b.Fatal(err)
			}
		}
	})
}

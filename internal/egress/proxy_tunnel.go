package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// errExpired ends a request or a tunnel that carries no byte for too long.
var errExpired = errors.New("nothing was carried for too long")

// errPlain ends a tunnel that carries plain http where the policy wants https.
var errPlain = errors.New("a tunnel without TLS, where the policy does not allow plain http")

// tunnel answers CONNECT (RFC 9110 section 9.3.6).
//
// The content of a tunnel is not checked, with one exception: where the policy does
// not allow plain http, the first byte of the client must begin a TLS record, or
// nothing is sent. Otherwise "ws://host:443" would be plain http.
func (x *exchange) tunnel() {
	u, d := x.proxy.judgeAuthority(x.req.RequestURI)
	if !d.Allowed {
		x.refuse(d)
		return
	}
	far, ok := x.dial(u, d)
	if !ok {
		return
	}
	defer far.Close()
	x.Status = http.StatusOK
	if _, x.Err = io.WriteString(x.conn, answerTunnel); x.Err != nil {
		return
	}
	x.join(far, far, x.proxy.guard.wantsTLS(x.Decision, u))
}

// dial connects to an allowed target and reports the decision to Policy.Observe.
// ok is false when it failed and the failure was answered. It stops when the
// client closes its connection.
func (x *exchange) dial(u weburl.URL, d Decision) (net.Conn, bool) {
	if err := x.proxy.spend(0); err != nil {
		x.failed(d, err)
		return nil, false
	}
	ctx, cancel := context.WithCancelCause(x.proxy.ctx)
	defer cancel(nil)
	var gone *watcher
	if x.bodyless() {
		gone = watchClient(x, cancel)
	}
	conn, err := x.proxy.guard.dial(ctx, u.HostPort(), false)
	gone.end()
	if err != nil {
		x.failed(d, err)
		return nil, false
	}
	if a, err := netip.ParseAddrPort(conn.RemoteAddr().String()); err == nil {
		d = x.proxy.guard.dialled(d, targetOf(u), a.Addr().Unmap())
	}
	x.decided(d)
	return conn, true
}

// judgeAuthority judges the target of CONNECT, "host:port". Port 80 is plain
// http, as Chromium asks for "ws:" there; a tunnel cannot be upgraded.
func (p *Proxy) judgeAuthority(authority string) (weburl.URL, Decision) {
	scheme := "https"
	i := strings.LastIndexByte(authority, ':')
	if strings.TrimLeft(authority[i+1:], "0") == "80" {
		scheme = "http"
	}
	raw := scheme + "://" + authority + "/"
	if i < 0 || !isDigits(authority[i+1:]) || strings.ContainsAny(authority, "/?#@\\") {
		return weburl.URL{}, Decision{URL: unparsed(raw)}.refuse(ruleURL, "a tunnel wants host:port", "")
	}
	u, d := p.judge(raw)
	if d.Allowed && u.Scheme() != scheme {
		return u, d.refuse(ruleHTTP, "plain http to "+shown(d.Host)+" is not allowed", "use https")
	}
	return u, d
}

// wantsTLS reports whether a tunnel must carry TLS because of Policy.HTTP.
func (g *Guard) wantsTLS(d Decision, u weburl.URL) bool {
	switch {
	case d.Rule == ruleException:
		return false
	case g.policy.HTTP == HTTPRefuse:
		return true
	}
	return g.policy.HTTP == httpUpgrade && u.EffectivePort() == 443
}

// join carries bytes between the client and far, from which in reads, until
// both have ended.
func (x *exchange) join(far io.ReadWriteCloser, in io.Reader, tls bool) {
	j := join{
		near: x.conn, fromNear: x.in, far: far, fromFar: in,
		idle: x.proxy.options.IdleTimeout, spend: x.proxy.spend, tls: tls, up: &x.up, down: &x.down,
	}
	x.Err = j.run()
}

// A join carries bytes between two ends.
type join struct {
	near, far         io.WriteCloser
	fromNear, fromFar io.Reader
	idle              time.Duration
	spend             func(int64) error
	tls               bool // near has to begin with a TLS record
	up, down          *atomic.Int64

	once sync.Once
	err  error // why it was cut off
}

// run returns when both directions have ended: nil, or the reason why it was cut
// off.
func (j *join) run() error {
	watch := newIdleWatch(j.idle, func() { j.cut(errExpired) })
	defer watch.stop()
	var back sync.WaitGroup
	back.Go(func() { j.carry(j.near, j.fromFar, j.down, watch, false) })
	j.carry(j.far, j.fromNear, j.up, watch, j.tls)
	back.Wait()
	j.cut(nil)
	return j.err
}

// cut closes both ends; the first reason is kept.
func (j *join) cut(why error) {
	j.once.Do(func() {
		j.err = why
		_ = j.near.Close()
		_ = j.far.Close()
	})
}

// closeWriter is a connection that can end one direction.
type closeWriter interface{ CloseWrite() error }

// buffers are lent to directions. 32 KiB is two TLS records.
var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// carry copies one direction to its end, and then closes dst for writing.
func (j *join) carry(dst io.Writer, src io.Reader, count *atomic.Int64, watch *idleWatch, tls bool) {
	lent := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(lent)
	for {
		n, err := src.Read(lent[:])
		if n > 0 {
			watch.touch()
			count.Add(int64(n))
			if tls && lent[0] != 0x16 { // RFC 8446 section 5.1: handshake
				j.cut(errPlain)
				return
			}
			tls = false
			if spent := j.spend(int64(n)); spent != nil {
				j.cut(spent)
				return
			}
			if _, e := dst.Write(lent[:n]); e != nil {
				j.cut(e)
				return
			}
		}
		if errors.Is(err, io.EOF) {
			if half, ok := dst.(closeWriter); ok && half.CloseWrite() == nil {
				return
			}
			j.cut(nil)
			return
		}
		if err != nil {
			j.cut(err)
			return
		}
	}
}

// An idleWatch calls a function when touch was not called for a time.
type idleWatch struct {
	limit time.Duration
	last  atomic.Int64 // nanoseconds since start
	start time.Time
	timer *time.Timer
}

func newIdleWatch(limit time.Duration, expired func()) *idleWatch {
	w := &idleWatch{limit: limit, start: time.Now()}
	ready := make(chan struct{})
	w.timer = time.AfterFunc(limit, func() {
		<-ready
		if left := w.limit - (time.Since(w.start) - time.Duration(w.last.Load())); left > 0 {
			w.timer.Reset(left)
			return
		}
		expired()
	})
	close(ready)
	return w
}

func (w *idleWatch) touch() { w.last.Store(int64(time.Since(w.start))) }
func (w *idleWatch) stop()  { w.timer.Stop() }

package egress

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http/httptrace"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// maxDial bounds a connection of a request that has no deadline: the longest
	// that a call can be given.
	maxDial = 2 * time.Minute
	// attemptDelay is RFC 8305 section 5: how long an attempt to connect stays
	// alone before the next address is tried beside it.
	attemptDelay = 250 * time.Millisecond
	// maxAttempts bounds the addresses of one name that are tried.
	maxAttempts = 8
)

// dial connects to "host:port": it resolves the host once, judges every
// answer, and connects to one of those addresses.
func (g *Guard) dial(ctx context.Context, hostport string, endpoint bool) (net.Conn, error) {
	host, service, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil {
		return nil, err
	}
	t := target{host: strings.TrimSuffix(host, "."), port: int(port), endpoint: endpoint}
	if a, err := netip.ParseAddr(host); err == nil {
		t.addr = a.Unmap()
		t.host = host
	}
	return g.dialTarget(ctx, t)
}

// dialTLS is dial with a TLS handshake for the host that was asked for.
func (g *Guard) dialTLS(ctx context.Context, hostport string, endpoint bool, config *tls.Config) (net.Conn, error) {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	conn, err := g.dial(ctx, hostport, endpoint)
	if err != nil {
		return nil, err
	}
	if trace := httptrace.ContextClientTrace(ctx); trace != nil && trace.TLSHandshakeStart != nil {
		trace.TLSHandshakeStart() // net/http calls it when this has returned
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	config = config.Clone()
	config.ServerName = host
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return secure, nil
}

// dialTarget resolves, judges and connects. The attempts at several addresses
// go on at the same time, so that each of them may take all of the time that the
// request has left.
func (g *Guard) dialTarget(ctx context.Context, t target) (net.Conn, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	addrs, _, err := g.resolve(ctx, t)
	if err != nil {
		return nil, err
	}
	return g.race(ctx, t, interleave(addrs))
}

// bounded returns ctx with an end.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, maxDial)
}

// interleave orders addresses by RFC 8305 section 4: the resolver's order,
// with the families taking turns.
func interleave(addrs []netip.Addr) []netip.Addr {
	var first, second []netip.Addr
	for _, a := range addrs {
		if a.Is4() == addrs[0].Is4() {
			first = append(first, a)
		} else {
			second = append(second, a)
		}
	}
	mixed := make([]netip.Addr, 0, len(addrs))
	for i := 0; len(mixed) < len(addrs); i++ {
		if i < len(first) {
			mixed = append(mixed, first[i])
		}
		if i < len(second) {
			mixed = append(mixed, second[i])
		}
	}
	return mixed[:min(len(mixed), maxAttempts)]
}

// race connects to the first address that answers. It starts the next attempt
// when one has failed or after attemptDelay, and returns when all attempts
// that it started have ended.
func (g *Guard) race(ctx context.Context, t target, addrs []netip.Addr) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		conn net.Conn
		err  error
	}
	results := make(chan result)
	started, ended := 0, 0
	start := func() {
		a := addrs[started]
		started++
		go func() {
			conn, err := g.connect(ctx, t, a)
			results <- result{conn, err}
		}()
	}
	timer := time.NewTimer(attemptDelay)
	defer timer.Stop()

	var won net.Conn
	var failed error
	start()
	for ended < started {
		select {
		case <-timer.C:
			if won == nil && started < len(addrs) && ctx.Err() == nil {
				start()
				timer.Reset(attemptDelay)
			}
		case r := <-results:
			ended++
			switch {
			case r.err == nil && won == nil:
				won = r.conn
				cancel()
			case r.err == nil:
				_ = r.conn.Close() // two were fast; nobody has written to this one
			case failed == nil:
				failed = r.err
			}
			if won == nil && started < len(addrs) && ctx.Err() == nil {
				start()
				timer.Reset(attemptDelay)
			}
		}
	}
	if won == nil {
		return nil, failed
	}
	return won, nil
}

// connect reaches one judged address, through the upstream proxy where there
// is one and the address is not a near one.
func (g *Guard) connect(ctx context.Context, t target, a netip.Addr) (net.Conn, error) {
	pinned := netip.AddrPortFrom(a, uint16(t.port))
	var conn net.Conn
	var err error
	if g.upstream != nil && g.judgeAddr(t, a) == RuleNone && !t.upstream {
		conn, err = g.viaUpstream(ctx, t, pinned)
	} else {
		conn, err = g.connectDirect(ctx, t, pinned)
	}
	if err != nil {
		return nil, err
	}
	return &namedConn{conn, t, pinned}, nil
}

// connectDirect dials one judged address. The socket's own idea of the address is
// compared with it before the first packet: whatever went wrong above, nothing
// is dialled that was not judged.
func (g *Guard) connectDirect(ctx context.Context, t target, pinned netip.AddrPort) (net.Conn, error) {
	dialer := net.Dialer{
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			return g.recheck(t, pinned, address)
		},
	}
	dialer.SetMultipathTCP(false) // more subflows, more addresses
	conn, err := g.dialTCP(ctx, &dialer, pinned.String())
	if err != nil {
		return nil, t.mask(err)
	}
	return conn, nil
}

// dialled completes the decision about a connection with its address. A name
// shows only now that it leads to an excepted one.
func (g *Guard) dialled(d Decision, t target, a netip.Addr) Decision {
	d.Addr = a
	if d.Rule == RuleNone {
		d.Rule = g.judgeAddr(t, a)
	}
	return d
}

// recheck refuses a socket address that is not the pinned one, or whose
// address the policy refuses.
func (g *Guard) recheck(t target, pinned netip.AddrPort, address string) error {
	actual, err := netip.ParseAddrPort(address)
	if err == nil && actual.Addr().Unmap() == pinned.Addr() && actual.Port() == pinned.Port() {
		if rule := g.judgeAddr(t, actual.Addr()); rule == RuleNone || rule == RuleException {
			return nil
		}
	}
	return refuseAddr(Decision{Host: t.host, Addr: actual.Addr()}, t, RuleAddress).Err()
}

// mask replaces the addresses in an error of package net by the name that was
// asked for. It keeps the cause, so that errors.Is finds ECONNREFUSED and
// net.Error tells a time-out.
func (t target) mask(err error) error {
	var op *net.OpError
	if !errors.As(err, &op) {
		return err
	}
	return &net.OpError{Op: op.Op, Net: op.Net, Addr: hostAddr(t.hostPort()), Err: op.Err}
}

// hostAddr is a net.Addr that shows a name.
type hostAddr string

func (hostAddr) Network() string  { return "tcp" }
func (a hostAddr) String() string { return string(a) }

// namedConn is a connection whose errors show the name that was dialled, and
// whose remote address is the judged one, which a proxy in between would hide.
type namedConn struct {
	net.Conn
	target target
	pinned netip.AddrPort
}

func (c *namedConn) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(c.pinned) }

// CloseWrite ends what is sent and leaves what is received open.
func (c *namedConn) CloseWrite() error {
	if half, ok := c.Conn.(closeWriter); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func (c *namedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		err = c.target.mask(err)
	}
	return n, err
}

func (c *namedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if err != nil {
		err = c.target.mask(err)
	}
	return n, err
}

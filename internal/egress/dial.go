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
	// attemptDelay is the Connection Attempt Delay of RFC 8305 section 5: how long
	// after one attempt to connect the next address is tried too.
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
		trace.TLSHandshakeStart() // net/http calls it only after this function
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	config = config.Clone()
	config.ServerName = host
	if !endpoint && g.Unchecked(strings.TrimSuffix(host, ".")) {
		config.InsecureSkipVerify = true
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return secure, nil
}

// dialTarget resolves, judges and connects. The attempts to connect to several
// addresses run at the same time, so that each may take all of the remaining time
// of the request.
func (g *Guard) dialTarget(ctx context.Context, t target) (net.Conn, error) {
	if g.policy.Offline && !t.endpoint {
		return nil, Decision{Host: t.host}.refuse(ruleOffline, "an archive is replayed, and nothing else is reached", "leave --replay out to use the network").Err()
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	addrs, _, err := g.resolve(ctx, t)
	if err != nil {
		return nil, err
	}
	return g.race(ctx, t, interleave(addrs))
}

// bounded returns ctx with a deadline: its own, or maxDial where it has none.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, maxDial)
}

// interleave orders addresses by RFC 8305 section 4: in the order of the resolver,
// alternating between IPv6 and IPv4.
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
				_ = r.conn.Close() // another connection was faster; this one is unused
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

// connect connects to one judged address: through the upstream proxy, if one is
// configured and the address is public; else directly.
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

// connectDirect dials one judged address. Before the first packet, the address of
// the socket is compared with the judged one: even after an error in the code
// above, no other address is dialled.
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

// dialled returns the decision about a connection with its address. For a name,
// only the address shows whether an exception applies.
func (g *Guard) dialled(d Decision, t target, a netip.Addr) Decision {
	d.Addr = a
	if d.Rule == RuleNone {
		d.Rule = g.judgeAddr(t, a)
	}
	return d
}

// recheck refuses the address of a socket that is not the pinned one, or that the
// policy refuses.
func (g *Guard) recheck(t target, pinned netip.AddrPort, address string) error {
	actual, err := netip.ParseAddrPort(address)
	if err == nil && actual.Addr().Unmap() == pinned.Addr() && actual.Port() == pinned.Port() {
		if rule := g.judgeAddr(t, actual.Addr()); rule == RuleNone || rule == ruleException {
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

// namedConn is a connection whose errors contain the name that was dialled, and
// whose remote address is the judged one, also through an upstream proxy.
type namedConn struct {
	net.Conn
	target target
	pinned netip.AddrPort
}

func (c *namedConn) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(c.pinned) }

// CloseWrite closes the sending direction only.
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

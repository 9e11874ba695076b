package egress

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// The proxy's rules:
//
//   - One proxy for each session. The proxy knows the session by its port, not by
//     headers that a client could forge.
//   - One request for each connection. The connection ends with the request, so
//     that no remaining bytes can be read as another request (smuggling).
//   - One refusal. The answer for blocked, unknown and unreachable hosts has the
//     same bytes, so that a page learns nothing from it.
const (
	// defaultProxyConns bounds the connections of a proxy that are served at
	// once. Chromium opens 32 to a proxy for pages and 255 for web sockets.
	defaultProxyConns = 320
	// defaultProxyIdle is how long a request or a tunnel may carry no byte.
	defaultProxyIdle = 5 * time.Minute

	proxyHeadTimeout = time.Minute // Chromium connects before it has a request
	lingerTimeout    = 500 * time.Millisecond
	lingerBytes      = 256 << 10
	proxyUser        = "spyhop"
)

// The answers of the proxy itself. They contain nothing of the request, of the
// policy or of the network.
const (
	answerRefused   = "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\nContent-Length: 24\r\nCache-Control: no-store\r\nConnection: close\r\n\r\nThis address has failed\n"
	answerMalformed = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	answerToken     = "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"spyhop\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	answerTunnel    = "HTTP/1.1 200 Connection established\r\n\r\n"
)

// ProxyOptions configure a [Proxy]. The zero value is safe.
type ProxyOptions struct {
	// Session is the value of Exchange.Session for all requests.
	Session string
	// Listener replaces the port on loopback. Only processes of the session may
	// reach it, for example one of [NamespaceListeners]; such a proxy therefore
	// needs no token. The proxy closes it.
	Listener net.Listener
	// UnsafeNoToken lets every process of this machine use the proxy, with all
	// that the policy allows, private exceptions included. Its requests are
	// reported under this session.
	UnsafeNoToken bool
	// MaxConns bounds the connections that are served at once; further ones
	// are closed. 0 means defaultProxyConns.
	MaxConns int
	// MaxBytes bounds what the session may send and receive, in bytes of
	// bodies and tunnels; then every request is refused. 0 means no bound.
	MaxBytes int64
	// IdleTimeout ends a request or a tunnel that carries no byte for so long.
	// 0 means defaultProxyIdle.
	IdleTimeout time.Duration
	// Observe gets each request and tunnel when it has ended, after
	// Policy.Observe got the decision. It may be called from several
	// goroutines. Nil: no function is called.
	Observe func(Exchange)
	// Failing hears of each request and tunnel that the proxy answers with 502 in
	// place of a server, before the client gets that answer. It may be called from
	// several goroutines and must not block. Nil: nothing is told.
	Failing func(Exchange)
}

// Exchange is the record of one request or tunnel.
type Exchange struct {
	Session  string
	Method   string   // CONNECT for a tunnel; empty when no request could be read
	Decision Decision // as Policy.Observe got it, which gets requests of the session only
	Status   int      // of the answer to the client
	Up, Down int64    // bytes of the body or the tunnel, from the client and to it
	Duration time.Duration
	// Err is what ended an allowed one before its end, such as a failed
	// connection. For the audit log; its text holds no resolved address.
	Err error
}

// Proxy is a forward proxy (RFC 9110 section 3.7) on a loopback port or a unix
// socket. It takes CONNECT and requests in absolute form, web sockets
// included, and applies to each the rules, the resolver, the dialer and the
// comparison at the socket of its Guard. Make one with [Guard.Proxy];
// its methods may be called from several goroutines.
type Proxy struct {
	guard    *Guard
	options  ProxyOptions
	listener net.Listener
	token    string // empty: none is asked for
	slots    chan struct{}
	ctx      context.Context
	stop     context.CancelFunc
	work     sync.WaitGroup
	carried  atomic.Int64

	mu       sync.Mutex
	conns    map[net.Conn]struct{} // nil after Close
	admitted weburl.HostList
}

// Proxy opens a proxy for one session. The caller closes it. It fails when it
// cannot listen.
func (g *Guard) Proxy(o ProxyOptions) (*Proxy, error) {
	if o.MaxConns < 0 || o.MaxBytes < 0 || o.IdleTimeout < 0 {
		return nil, errors.New("a limit of the proxy is negative")
	}
	if o.MaxConns == 0 {
		o.MaxConns = defaultProxyConns
	}
	if o.IdleTimeout == 0 {
		o.IdleTimeout = defaultProxyIdle
	}
	p := &Proxy{guard: g, options: o, listener: o.Listener, conns: make(map[net.Conn]struct{}), slots: make(chan struct{}, o.MaxConns)}
	if p.listener == nil {
		var err error
		if p.listener, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil {
			return nil, err
		}
		if !o.UnsafeNoToken {
			p.token = rand.Text()
		}
	}
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.work.Go(p.accept)
	return p, nil
}

// Addr is the address of the proxy: "127.0.0.1:port". For a listener of a network
// namespace, it is an address in that namespace.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Token is the password that Proxy-Authorization has to give for the user
// "spyhop"; empty when none is asked for.
func (p *Proxy) Token() string { return p.token }

// Environ returns the environment variables that make a child process use the
// proxy, in the form of os.Environ. They contain the token. It is empty for a
// proxy with ProxyOptions.Listener.
func (p *Proxy) Environ() []string {
	if p.options.Listener != nil {
		return nil
	}
	address := "http://"
	if p.token != "" {
		address += proxyUser + ":" + p.token + "@"
	}
	address += p.Addr()
	var env []string
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		env = append(env, name+"="+address, strings.ToLower(name)+"="+address)
	}
	return append(env, "NO_PROXY=", "no_proxy=")
}

// Admit allows hosts that are refused as requests of the browser itself although
// pages need them too, for example accounts.google.com; see [CallsHome]. It has no
// effect on other hosts. The browser admits the host of each navigation that a
// caller requests.
func (p *Proxy) Admit(hosts weburl.HostList) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.admitted = append(p.admitted[:len(p.admitted):len(p.admitted)], hosts...)
}

// Close ends all requests and returns when no listener, connection or goroutine
// is left. It may be called more than once.
func (p *Proxy) Close() error {
	p.stop()
	err := p.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	p.mu.Lock()
	for c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
	p.mu.Unlock()
	p.work.Wait()
	return err
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			if p.ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			// Probably no file descriptor is free: wait until some are closed.
			select {
			case <-p.ctx.Done():
				return
			case <-time.After(50 * time.Millisecond):
			}
			continue
		}
		select {
		case p.slots <- struct{}{}:
		default:
			_ = conn.Close()
			continue
		}
		if !p.hold(conn) {
			return
		}
		p.work.Go(func() {
			defer func() { <-p.slots }()
			defer p.release(conn)
			p.serve(conn)
		})
	}
}

// hold registers a connection for Close; it closes the connection at once if the
// proxy is closed.
func (p *Proxy) hold(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conns == nil {
		_ = c.Close()
		return false
	}
	p.conns[c] = struct{}{}
	return true
}

func (p *Proxy) release(c net.Conn) {
	_ = c.Close()
	p.mu.Lock()
	delete(p.conns, c)
	p.mu.Unlock()
}

// serve answers the one request of a connection.
func (p *Proxy) serve(conn net.Conn) {
	started := time.Now()
	_ = conn.SetDeadline(started.Add(proxyHeadTimeout))
	in := bufio.NewReaderSize(conn, 4<<10)
	req, err := readProxyRequest(in)
	if errors.Is(err, io.EOF) {
		return // the client has connected and left
	}
	_ = conn.SetDeadline(time.Time{})
	x := &exchange{proxy: p, conn: conn, in: in, req: req}
	x.Session = p.options.Session
	switch {
	case err != nil:
		x.Decision = Decision{}.refuse(ruleURL, "this is not a request to a proxy", "")
		x.Err = err
		x.answer(http.StatusBadRequest, answerMalformed)
	case !p.authorized(req.Header):
		x.Method = req.Method
		x.Decision = Decision{}.refuse(ruleToken, "the request does not hold the proxy's token", "")
		x.answer(http.StatusProxyAuthRequired, answerToken)
	case req.Method == http.MethodConnect:
		x.Method = req.Method
		x.tunnel()
	default:
		x.Method = req.Method
		x.forward()
	}
	x.Up, x.Down = x.up.Load(), x.down.Load()
	if x.Duration = time.Since(started); p.options.Observe != nil {
		p.options.Observe(x.Exchange)
	}
}

// exchange is an Exchange that has not ended.
type exchange struct {
	Exchange
	proxy *Proxy
	conn  net.Conn
	in    *bufio.Reader // what conn sends
	req   *http.Request

	up, down atomic.Int64
}

// decided reports the decision to Policy.Observe. It is called once.
func (x *exchange) decided(d Decision) {
	x.Decision = d
	x.proxy.guard.observe(d)
}

// refuse answers with the constant refusal.
func (x *exchange) refuse(d Decision) {
	x.decided(d)
	x.answer(http.StatusBadGateway, answerRefused)
}

// failed answers a request that was allowed and whose target could not be dialled.
// err can be a refusal of the addresses.
func (x *exchange) failed(d Decision, err error) {
	if refusal := (*Error)(nil); errors.As(err, &refusal) {
		d = refusal.Decision.in(d)
	} else {
		x.Err = err
	}
	x.refuse(d)
}

// answer sends an answer of the proxy itself and waits a moment for the client to
// read it: closing a connection with unread bytes resets it.
func (x *exchange) answer(status int, raw string) {
	x.Status = status
	if status == http.StatusBadGateway && x.proxy.options.Failing != nil {
		x.proxy.options.Failing(x.Exchange)
	}
	_ = x.conn.SetDeadline(time.Now().Add(proxyHeadTimeout))
	if _, err := io.WriteString(x.conn, raw); err != nil {
		return
	}
	x.linger()
}

func (x *exchange) linger() {
	if half, ok := x.conn.(closeWriter); ok && half.CloseWrite() == nil {
		_ = x.conn.SetReadDeadline(time.Now().Add(lingerTimeout))
		_, _ = io.CopyN(io.Discard, x.conn, lingerBytes)
	}
}

// authorized checks the token in constant time.
func (p *Proxy) authorized(h http.Header) bool {
	if p.token == "" {
		return true
	}
	r := http.Request{Header: http.Header{"Authorization": h["Proxy-Authorization"]}}
	user, given, ok := r.BasicAuth()
	got, want := sha256.Sum256([]byte(user+":"+given)), sha256.Sum256([]byte(proxyUser+":"+p.token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && ok
}

// judge judges the target of a request as text, so that no other parser reads it.
func (p *Proxy) judge(raw string) (weburl.URL, Decision) {
	if len(raw) > maxURLBytes {
		return weburl.URL{}, refuseLength(Decision{URL: unparsed(raw)})
	}
	u, err := weburl.Parse(raw)
	if err != nil {
		return weburl.URL{}, Decision{URL: unparsed(raw)}.refuse(ruleURL, "this is not an absolute URL", "")
	}
	if p.isCallHome(u.Host()) {
		d := begin(u)
		return u, d.refuse(ruleCallHome, shown(d.Host)+" is a service of the browser's maker", "")
	}
	return p.guard.judge(u)
}

func (p *Proxy) isCallHome(host string) bool {
	own, shared := CallsHome(host)
	if !shared {
		return own
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, open := p.admitted.Match(host)
	return !open
}

// spend takes n bytes from the session's allowance.
func (p *Proxy) spend(n int64) error {
	if carried := p.carried.Add(n); p.options.MaxBytes > 0 && carried > p.options.MaxBytes {
		return errSpent
	}
	return nil
}

var errSpent = errors.New("the session has used up its bytes")

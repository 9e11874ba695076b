package egress

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// httpMode says what happens to plain http.
type httpMode uint8

const (
	// httpUpgrade, the default, turns an http URL without a port, or with port
	// 80, into https. Other ports stay as they are.
	httpUpgrade httpMode = iota
	// HTTPAllow leaves http URLs as they are.
	HTTPAllow
	// HTTPRefuse refuses them.
	HTTPRefuse
)

// String returns the mode as WEB_HTTP spells it.
func (m httpMode) String() string {
	switch m {
	case httpUpgrade:
		return "upgrade"
	case HTTPAllow:
		return "allow"
	case HTTPRefuse:
		return "refuse"
	}
	return "invalid"
}

// Policy is what may be reached. The zero value is the default policy: public
// addresses by http and https, http upgraded.
type Policy struct {
	// HTTP says what happens to plain http. Private exceptions and endpoints
	// keep the scheme that they were given.
	HTTP httpMode
	// Block and Allow are lists of hosts; Block wins. If Allow is not empty, only
	// its hosts are allowed. Both apply to the canonical host, before any DNS
	// query, and also to hosts of Private, but not to Endpoints.
	Block, Allow weburl.HostList
	// Private exempts hosts, addresses and networks from the rules of names
	// and addresses, and from the port rule for a port that they name.
	Private []Exception
	// Endpoints are the services of the configuration, by scheme, host and port.
	// They may be private and plain http, but only for requests of Guard.Endpoint.
	Endpoints []weburl.URL
	// Databases are servers of the configuration that speak another protocol than
	// http: only host and port of the https URLs count. They may be private, and have
	// any port, but only for Guard.DialDatabase.
	Databases []weburl.URL
	// Offline dials nothing but Endpoints and Databases: answers come from an archive.
	Offline bool
	// Proxy is an upstream proxy that takes CONNECT, as http://host:port or
	// https://host:port, with a user name and a password where it wants them.
	// Public addresses are reached through it; addresses that only an exception or
	// an endpoint allows are dialled directly. Names are still resolved and judged
	// here, and the proxy gets the judged address, never a name: see the package's
	// Limits. Empty: none.
	Proxy string
	// NAT64 accepts 64:ff9b::/96 when it embeds a public IPv4 address, for
	// networks that have no other way to IPv4.
	NAT64 bool
	// Observe gets each decision about a request: once for each request of a
	// round tripper, after its headers or its failure; once for each request or
	// tunnel of a Proxy, after the attempt to connect; and each refusal by Judge.
	// It may be called from several goroutines. Nil: nothing is reported.
	Observe func(Decision)
	// Resolver looks up names. Nil means Go's own resolver; that of the C library
	// is not used, because it reads more numbers as addresses than URLs do.
	Resolver Resolver
	// RootCAs are the certificate authorities; nil means those of the system.
	RootCAs *x509.CertPool
	// Unchecked are hosts whose certificates are not checked: test machines.
	Unchecked weburl.HostList
}

// Guard applies the policy and dials the addresses that it allows. It is safe for
// concurrent use. Make one with [New]; the zero value does not work.
type Guard struct {
	policy    Policy // without its lists
	lists     atomic.Pointer[lists]
	upstream  *upstream // nil: none
	web       *roundTripper
	dialTCP   func(ctx context.Context, d *net.Dialer, address string) (net.Conn, error) // tests record it
	endpoints map[string]*roundTripper                                                   // by origin
}

// lists are Block and Allow of a Policy.
type lists struct{ block, allow weburl.HostList }

// New returns a guard for the policy, which must not be changed afterwards. It
// fails for an unknown HTTP mode, an empty exception, an endpoint without an http
// or https origin, and a malformed proxy.
func New(p Policy) (*Guard, error) {
	if p.HTTP > HTTPRefuse {
		return nil, fmt.Errorf("http mode %d is unknown: use upgrade, allow or refuse", p.HTTP)
	}
	up, err := parseUpstream(p.Proxy)
	if err != nil {
		return nil, err
	}
	for _, e := range p.Private {
		if e == (Exception{}) {
			return nil, errors.New("a private exception is empty: make it with ParseException")
		}
	}
	if p.Resolver == nil {
		p.Resolver = systemResolver()
	}
	g := &Guard{policy: p, upstream: up, endpoints: make(map[string]*roundTripper, len(p.Endpoints))}
	g.SetLists(p.Block, p.Allow)
	g.dialTCP = func(ctx context.Context, d *net.Dialer, address string) (net.Conn, error) {
		return d.DialContext(ctx, "tcp", address)
	}
	g.web = g.newRoundTripper(weburl.URL{})
	for _, e := range p.Endpoints {
		if s := e.Scheme(); s != "http" && s != "https" || e.Host() == "" {
			return nil, fmt.Errorf("endpoint %q has no http or https origin: use the form https://host:port", e.WithoutUserinfo())
		}
		if g.endpoints[e.Origin()] == nil {
			g.endpoints[e.Origin()] = g.newRoundTripper(e)
		}
	}
	for _, u := range p.Databases {
		if u.Scheme() != "https" || u.Host() == "" || u.HasUserinfo() {
			return nil, errors.New("a database is given as https://host:port, without a user name")
		}
	}
	return g, nil
}

// SetLists replaces Block and Allow of the policy. Requests that are judged later,
// those of open connections too, obey the new lists.
func (g *Guard) SetLists(block, allow weburl.HostList) { g.lists.Store(&lists{block, allow}) }

// ListsAdmit reports whether the lists of the policy let a canonical host through. The
// other rules are not applied.
func (g *Guard) ListsAdmit(host string) bool { return g.lists.Load().judge(host) == RuleNone }

func (l *lists) judge(host string) Rule {
	if _, hit := l.block.Match(host); hit {
		return ruleBlocklist
	}
	if _, hit := l.allow.Match(host); !hit && len(l.allow) > 0 {
		return ruleAllowlist
	}
	return RuleNone
}

// RoundTripper returns the transport for all requests of models, pages and
// persons. Each request is judged separately; its URL is replaced by the judged
// one, which is in Response.Request. Redirects are returned to the caller. A refusal is an [*Error]; a name without an address a
// *net.DNSError, a failed connection a *net.OpError, failed TLS the error of
// crypto/tls: none of their texts holds a resolved address. Looking up,
// connecting, the TLS handshake and the wait for headers together last as long
// as the request's context does. All calls return the same transport.
func (g *Guard) RoundTripper() http.RoundTripper { return g.web }

// Endpoint returns the transport for one service of Policy.Endpoints, given by
// a URL of the same origin. It takes requests to that origin only, exempt from
// all rules but those of metadata services. It shares no connection with
// RoundTripper. It fails with an [*Error] when the origin was not configured.
func (g *Guard) Endpoint(origin weburl.URL) (http.RoundTripper, error) {
	if rt := g.endpoints[origin.Origin()]; rt != nil {
		return rt, nil
	}
	return nil, begin(origin).refuse(ruleEndpoint,
		shown(origin.Host())+" is not a configured endpoint", "").Err()
}

// DialDatabase connects to a server of Policy.Databases, given by a URL of the same
// host and port. The connection is exempt from all rules but those of metadata
// services; no other package can use it for another address. It fails with an
// [*Error] when the server was not configured, else with the errors of
// RoundTripper.
func (g *Guard) DialDatabase(ctx context.Context, server weburl.URL) (net.Conn, error) {
	d := begin(server.WithoutUserinfo())
	if !slices.ContainsFunc(g.policy.Databases, func(u weburl.URL) bool { return u.HostPort() == server.HostPort() }) {
		d = d.refuse(ruleEndpoint, shown(server.Host())+" is not a configured database", "")
		g.observe(d)
		return nil, d.Err()
	}
	t := targetOf(server)
	t.endpoint = true
	conn, err := g.dialTarget(ctx, t)
	d = d.allow(ruleEndpoint)
	if refusal := (*Error)(nil); errors.As(err, &refusal) {
		d = refusal.Decision.in(d)
		err = d.Err()
	}
	g.observe(d)
	return conn, err
}

// Unchecked reports whether the certificate of a host is not checked.
func (g *Guard) Unchecked(host string) bool {
	_, hit := g.policy.Unchecked.Match(host)
	return hit
}

// TrustsCertificate reports whether the certificate of an https URL's server passes the checks
// of the round tripper. It connects to the server and sends no request.
func (g *Guard) TrustsCertificate(ctx context.Context, u weburl.URL) bool {
	u, d := g.Judge(u)
	if !d.Allowed || u.Scheme() != "https" {
		return false
	}
	conn, err := g.dialTLS(ctx, u.HostPort(), false, g.web.transport.TLSClientConfig)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// CloseIdle closes the connections that are kept alive and not in use.
func (g *Guard) CloseIdle() {
	g.web.transport.CloseIdleConnections()
	for _, rt := range g.endpoints {
		rt.transport.CloseIdleConnections()
	}
}

func (g *Guard) observe(d Decision) {
	if g.policy.Observe != nil {
		g.policy.Observe(d)
	}
}

// Exception is one entry of Policy.Private: a host, or a network of one or
// more addresses, with a port or for all ports. The zero value is not valid; make
// one with [ParseException]. Exceptions are comparable.
type Exception struct {
	host   string // canonical, without a trailing dot; "" for a network
	prefix netip.Prefix
	port   uint16 // 0: any
}

// ParseException reads "host", "address" or "network", each with an optional
// ":port"; IPv6 with a port stands in brackets: "wiki.corp:8080", "10.0.0.7",
// "10.0.0.0/8:443", "fd00::/8", "[fd00::/8]:443". A host means itself, not its
// subdomains. It fails for metadata services, which no exception allows.
func ParseException(s string) (Exception, error) {
	fail := func(why string) (Exception, error) {
		return Exception{}, fmt.Errorf("exception %q %s: use host, address or network, with :port if only one is meant", s, why)
	}
	target, port, ok := cutPort(strings.TrimSpace(s))
	if !ok {
		return fail("has no port between 1 and 65535 after its colon")
	}
	e, problem := Exception{}, ""
	if strings.Contains(target, "/") {
		e.prefix, problem = exceptedNetwork(target)
	} else {
		e.host, e.prefix, problem = exceptedHost(target)
	}
	if problem != "" {
		return fail(problem)
	}
	e.port = port
	return e, nil
}

const neverReached = "is a metadata service, which is never reached"

// exceptedNetwork reads a network, or says what is wrong with it.
func exceptedNetwork(s string) (p netip.Prefix, problem string) {
	p, err := netip.ParsePrefix(s)
	switch {
	case err != nil || p.Addr().Is4In6():
		return p, "is not a network"
	case p.Bits() < 7 || p.Addr().Is4() && p.Bits() < 8:
		// A typing error must not open everything; 10.0.0.0/8 and fc00::/7 are the
		// widest private networks.
		return p, "is too wide: it would open much more than a private network"
	}
	return p.Masked(), ""
}

// exceptedHost reads a name, or an address as a network of one, or says what is
// wrong with it.
func exceptedHost(s string) (name string, p netip.Prefix, problem string) {
	a, err := netip.ParseAddr(s)
	if err != nil {
		u, err := weburl.Parse("http://" + s + "/")
		if err != nil || u.Path() != "/" || u.Port() != "" || u.HasUserinfo() ||
			u.RawQuery() != "" || u.Fragment() != "" || u.Oddities() != 0 {
			return "", p, "is not a host"
		}
		literal := false
		if a, literal = u.Addr(); !literal {
			name = strings.TrimSuffix(u.Host(), ".")
			switch {
			case !wellFormed(name):
				return "", p, "is not a host"
			case isMetadataName(name):
				return "", p, neverReached
			}
			return name, p, ""
		}
	}
	a = a.Unmap()
	switch classify(a) {
	case invalid:
		return "", p, "has a zone"
	case metadata:
		return "", p, neverReached
	}
	return "", netip.PrefixFrom(a, a.BitLen()), ""
}

// cutPort splits a trailing port off; port is 0 when there is none.
func cutPort(s string) (target string, port uint16, ok bool) {
	target, digits := s, ""
	if inner, rest, found := strings.Cut(s, "]"); found && strings.HasPrefix(s, "[") {
		if target = inner[1:]; rest == "" {
			return target, 0, true
		}
		if rest[0] != ':' {
			return "", 0, false
		}
		digits = rest[1:]
	} else {
		// Without brackets, one colon separates a port; IPv6 has two or more.
		i := strings.LastIndexByte(s, ':')
		if i < 0 || strings.IndexByte(s, ':') != i {
			return target, 0, true
		}
		target, digits = s[:i], s[i+1:]
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	return target, uint16(n), err == nil && n != 0
}

// String returns the exception in the form that ParseException reads.
func (e Exception) String() string {
	s := e.host
	if s == "" {
		if s = e.prefix.String(); e.prefix.IsSingleIP() {
			s = e.prefix.Addr().String()
		}
		if e.port != 0 && e.prefix.Addr().Is6() {
			s = "[" + s + "]"
		}
	}
	if e.port != 0 {
		s += ":" + strconv.Itoa(int(e.port))
	}
	return s
}

// hostException reports whether the host is excepted on the port, and whether
// an exception names the port.
func (p *Policy) hostException(host string, port int) (excepted, named bool) {
	for _, e := range p.Private {
		if e.host != "" && e.host == host && (e.port == 0 || int(e.port) == port) {
			excepted, named = true, named || e.port != 0
		}
	}
	return excepted, named
}

// addrException is hostException for an address without a zone.
func (p *Policy) addrException(a netip.Addr, port int) (excepted, named bool) {
	for _, e := range p.Private {
		if e.host == "" && e.prefix.Contains(a) && (e.port == 0 || int(e.port) == port) {
			excepted, named = true, named || e.port != 0
		}
	}
	return excepted, named
}

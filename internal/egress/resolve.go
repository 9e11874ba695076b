package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http/httptrace"
	"net/netip"
	"strings"
)

// maxAnswers bounds the addresses of one name. Large sites give eight.
const maxAnswers = 100

// Resolver looks up the addresses of names; *net.Resolver implements it. The
// network is always "ip". Names end with a dot, so that no search list is used;
// only names of endpoints use the search list of the machine.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// systemResolver is Go's own resolver: the C library reads "0x7f.1" and
// "2130706433" as addresses.
func systemResolver() Resolver { return &net.Resolver{PreferGo: true} }

// StaticResolver answers from a table of names without trailing dots. A name
// with an empty list has no address; a name that is not in the table has the
// fallback's, or none when that is the zero address. An entry that is not
// an address fails the lookup. The table must not be changed afterwards.
func StaticResolver(table map[string][]string, fallback netip.Addr) Resolver {
	return staticResolver{table, fallback}
}

type staticResolver struct {
	table    map[string][]string
	fallback netip.Addr
}

func (r staticResolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	host = strings.TrimSuffix(host, ".")
	answers, known := r.table[host]
	if !known && r.fallback.IsValid() {
		return []netip.Addr{r.fallback}, nil
	}
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	addrs := make([]netip.Addr, 0, len(answers))
	for _, s := range answers {
		a, err := netip.ParseAddr(s)
		if err != nil {
			return nil, &net.DNSError{Err: fmt.Sprintf("answer %q is not an address", s), Name: host, UnwrapErr: err}
		}
		addrs = append(addrs, a)
	}
	return addrs, nil
}

// resolve returns the addresses of a target, all of them judged, in the order
// in which to dial them. The rule is RuleNone, or what excepted them. The
// error is an *Error when one of them is refused, or else a *net.DNSError,
// which tells the name and not the server that was asked.
func (g *Guard) resolve(ctx context.Context, t target) ([]netip.Addr, Rule, error) {
	addrs, err := g.lookup(ctx, t)
	if err != nil {
		return nil, "", err
	}
	d := Decision{Host: t.host}
	if len(addrs) > maxAnswers {
		return nil, "", d.refuse(ruleResolve, shown(t.host)+" has too many addresses", "use another host").Err()
	}
	named, _ := g.policy.hostException(t.host, t.port)
	public, excepted := false, false
	for i, a := range addrs {
		addrs[i] = a.Unmap()
		rule := g.judgeAddr(t, a)
		switch {
		case rule == RuleNone:
			public = true
		case rule == ruleException:
			excepted = true
		}
		// A name with public and private addresses is an attack on such checks.
		// Only an excepted host or an endpoint may have both.
		mixed := public && excepted && !named && !t.endpoint
		if rule == ruleMetadata || rule == RuleAddress || mixed {
			d.Addr = a
			return nil, "", refuseAddr(d, t, rule).Err()
		}
	}
	switch {
	case t.endpoint:
		return addrs, ruleEndpoint, nil
	case excepted || named:
		return addrs, ruleException, nil
	}
	return addrs, RuleNone, nil
}

// lookup returns one address or more.
func (g *Guard) lookup(ctx context.Context, t target) ([]netip.Addr, error) {
	if t.addr.IsValid() {
		return []netip.Addr{t.addr}, nil
	}
	// RFC 6761 section 6.3: these names are never looked up. Only exceptions and
	// endpoints get here with one.
	if t.host == "localhost" || strings.HasSuffix(t.host, ".localhost") {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	}
	name := t.host + "."
	if t.endpoint {
		name = t.host
	}
	// Not every Resolver tells the trace of a request.
	trace := httptrace.ContextClientTrace(ctx)
	if trace != nil && trace.DNSStart != nil {
		trace.DNSStart(httptrace.DNSStartInfo{Host: t.host})
	}
	addrs, err := g.policy.Resolver.LookupNetIP(ctx, "ip", name)
	if err == nil && len(addrs) > 0 {
		if trace != nil && trace.DNSDone != nil {
			trace.DNSDone(httptrace.DNSDoneInfo{})
		}
		return append([]netip.Addr(nil), addrs...), nil
	}
	return nil, t.lookupError(err)
}

// lookupError is the error of a name without addresses. It names the host only:
// the resolver's own text names its server, an inner address.
func (t target) lookupError(err error) *net.DNSError {
	if err == nil {
		return &net.DNSError{Err: "no such host", Name: t.host, IsNotFound: true}
	}
	failed := &net.DNSError{Err: "lookup failed", Name: t.host, IsTemporary: true}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		failed.IsNotFound, failed.IsTemporary, failed.IsTimeout = dns.IsNotFound, dns.IsTemporary, dns.IsTimeout
		if dns.IsNotFound {
			failed.Err = "no such host"
		}
	}
	if failed.IsTimeout || errors.Is(err, context.DeadlineExceeded) {
		failed.Err, failed.IsTimeout = "lookup timed out", true
	}
	if errors.Is(err, context.Canceled) {
		failed.UnwrapErr = context.Canceled
	}
	return failed
}

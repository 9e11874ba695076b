package egress

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// maxURLBytes is the longest URL that is judged.
const maxURLBytes = 8 << 10

// Judge applies every rule that needs no DNS. It returns the URL to be used,
// which differs from u after an upgrade to https, or u itself when it refuses. No
// packet is sent.
func (g *Guard) Judge(u weburl.URL) (weburl.URL, Decision) {
	u, d := g.judge(u)
	if !d.Allowed {
		g.observe(d)
	}
	return u, d
}

// Local returns a URL that was written without a scheme with http, where an exception
// allows its host for that: servers on this machine and in a private network mostly have no
// certificate. It returns other URLs as they are.
func (g *Guard) Local(u weburl.URL) weburl.URL {
	if !u.SchemeAssumed() {
		return u
	}
	plain := u.WithScheme("http")
	t := targetOf(plain)
	excepted, _ := g.policy.hostException(t.host, t.port)
	if t.addr.IsValid() {
		excepted, _ = g.policy.addrException(t.addr, t.port)
	}
	if excepted {
		return plain
	}
	return u
}

// Check is Judge, and then judges all addresses that the host resolves to. It is
// not a request: Policy.Observe does not get the decision, and a later connection
// is judged again.
func (g *Guard) Check(ctx context.Context, u weburl.URL) (weburl.URL, Decision) {
	u, d := g.judge(u)
	if !d.Allowed {
		return u, d
	}
	t := targetOf(u)
	addrs, rule, err := g.resolve(ctx, t)
	if refusal := (*Error)(nil); errors.As(err, &refusal) {
		return u, refusal.Decision.in(d)
	} else if err != nil {
		return u, d.refuse(ruleResolve, shown(t.host)+" has no address", "check the spelling of the host")
	}
	d.Addr = addrs[0]
	return u, d.allow(rule)
}

// CheckRaw is Check for text. A URL that does not parse is refused by RuleURL, one
// that is too long by RuleLength.
func (g *Guard) CheckRaw(ctx context.Context, raw string) (weburl.URL, Decision) {
	if len(raw) > maxURLBytes {
		return weburl.URL{}, refuseLength(Decision{URL: unparsed(raw)})
	}
	u, err := weburl.Parse(raw)
	if err != nil {
		return weburl.URL{}, Decision{URL: unparsed(raw)}.refuse(ruleURL, "this is not an absolute URL",
			"write it as https://host/path")
	}
	return g.Check(ctx, u)
}

// begin returns the decision about u before any rule.
func begin(u weburl.URL) Decision {
	s := u.WithoutUserinfo().String()
	if len(s) > maxURLBytes {
		s = s[:maxURLBytes]
	}
	return Decision{URL: s, Host: u.Host()}
}

// unparsed returns text that was not parsed in the form in which a decision shows
// it: without a possible password, and bounded.
func unparsed(raw string) string {
	if i := strings.LastIndexByte(raw, '@'); i >= 0 {
		raw = "…" + raw[i:]
	}
	return strings.ToValidUTF8(raw[:min(len(raw), maxURLBytes)], "")
}

// judge applies the rules that need no DNS, in their fixed order.
func (g *Guard) judge(u weburl.URL) (weburl.URL, Decision) {
	u = g.Local(u)
	d := begin(u)
	if !judgeForm(&d, u) {
		return u, d
	}
	excepted, ok := g.judgeHost(&d, targetOf(u))
	switch {
	case !ok:
		return u, d
	case excepted:
		return u, d.allow(ruleException)
	case u.Scheme() == "http" && g.policy.HTTP == HTTPRefuse:
		return u, d.refuse(ruleHTTP, "plain http to "+shown(d.Host)+" is not allowed", "use https")
	case u.Scheme() == "http" && g.policy.HTTP == httpUpgrade && u.Port() == "":
		u = u.WithScheme("https")
		d = begin(u)
	}
	return u, d.allow(RuleNone)
}

// judgeForm applies the rules about the URL itself: length, spelling, scheme and
// user information. It completes d where it returns false.
func judgeForm(d *Decision, u weburl.URL) bool {
	switch scheme := u.Scheme(); {
	case u.IsZero():
		*d = d.refuse(ruleURL, "this is not an absolute URL", "write it as https://host/path")
	case len(u.String()) > maxURLBytes:
		*d = refuseLength(*d)
	case u.Oddities() != 0:
		*d = d.refuse(ruleSpelling,
			"this is an obfuscated spelling of "+shown(d.Host)+"; URL parsers disagree about it",
			"write the host plainly, without backslashes, control characters, percent signs or unusual numbers")
	case scheme != "http" && scheme != "https":
		*d = d.refuse(ruleScheme, "the scheme "+shown(scheme)+" is not read", "use http or https")
	case u.HasUserinfo():
		*d = d.refuse(ruleUserinfo, "the URL for "+shown(d.Host)+" holds a user name or a password",
			"remove what is before the @; credentials are given apart from the URL")
	default:
		return true
	}
	return false
}

// judgeHost applies the lists and the rules about names, ports and literal
// addresses. excepted says that Policy.Private has the target. It completes d
// where ok is false.
func (g *Guard) judgeHost(d *Decision, t target) (excepted, ok bool) {
	if !g.judgeLists(d, t.host) {
		return false, false
	}
	excepted, portNamed := g.policy.hostException(t.host, t.port)
	if t.addr.IsValid() {
		excepted, portNamed = g.policy.addrException(t.addr, t.port)
	} else if !judgeName(d, t, excepted) {
		return false, false
	}
	if isBadPort(t.port) && !portNamed {
		*d = d.refuse(rulePort, "port "+strconv.Itoa(t.port)+" of "+shown(d.Host)+" does not serve web pages",
			"use the site's web port; the operator can allow this one with WEB_ALLOW_PRIVATE="+shown(t.hostPort()))
		return false, false
	}
	if t.addr.IsValid() {
		if rule := g.judgeAddr(t, t.addr); rule != RuleNone && rule != ruleException {
			d.Addr = t.addr
			*d = refuseAddr(*d, t, rule)
			return false, false
		}
	}
	return excepted, true
}

// judgeLists applies Block and Allow. It completes d where it returns false.
func (g *Guard) judgeLists(d *Decision, host string) bool {
	rule := g.lists.Load().judge(host)
	switch rule {
	case ruleBlocklist:
		*d = d.refuse(rule, shown(host)+" is on the block list",
			"use another site; the operator's list is WEB_DOMAIN_BLOCKLIST")
	case ruleAllowlist:
		*d = d.refuse(rule, shown(host)+" is not on the allow list",
			"use a site of the operator's list, WEB_DOMAIN_ALLOWLIST")
	}
	return rule == RuleNone
}

// judgeName applies the rules of names to a host that is not an address. It
// completes d where it returns false.
func judgeName(d *Decision, t target, excepted bool) bool {
	switch {
	case !wellFormed(t.host):
		*d = d.refuse(ruleName, shown(t.host)+" is not a name of the DNS", "check the spelling of the host")
		return false
	case isMetadataName(t.host):
		*d = refuseMetadata(*d, t)
		return false
	case excepted:
		return true
	}
	r := reserved(t.host)
	if r.reason == "" {
		return true
	}
	hint := "use a public host"
	switch {
	case t.host == "http": // of http//example.com
		hint = "the colon after http is missing: write http://"
	case t.host == "https":
		hint = "the colon after https is missing: write https://"
	case r.private:
		hint += "; the operator can allow this one with WEB_ALLOW_PRIVATE=" + t.hostPort()
	}
	*d = d.refuse(ruleName, shown(t.host)+" "+r.reason, hint)
	return false
}

// judgeAddr judges one address that a target is or resolves to: RuleNone and
// RuleException allow it, RuleMetadata and RuleAddress refuse it.
func (g *Guard) judgeAddr(t target, a netip.Addr) Rule {
	switch class := classify(a); {
	case class == metadata:
		return ruleMetadata
	case class == invalid:
		return RuleAddress // it has a zone, which exceptions cannot contain
	case class.Global(), class == nat64 && g.policy.NAT64:
		return RuleNone
	}
	if t.endpoint {
		return ruleException
	}
	if ok, _ := g.policy.hostException(t.host, t.port); ok {
		return ruleException
	}
	if ok, _ := g.policy.addrException(a.Unmap(), t.port); ok {
		return ruleException
	}
	return RuleAddress
}

// A target is the part of a URL that a connection is made to.
type target struct {
	host     string     // canonical, without a trailing dot, IPv6 without brackets
	addr     netip.Addr // set when host is an address
	port     int
	endpoint bool // an endpoint of the configuration, used as such
	upstream bool // the upstream proxy itself
}

func targetOf(u weburl.URL) target {
	t := target{host: u.Host(), port: u.EffectivePort()}
	if a, ok := u.Addr(); ok {
		t.addr = a.Unmap()
	} else {
		t.host = strings.TrimSuffix(t.host, ".")
	}
	return t
}

func (t target) hostPort() string { return net.JoinHostPort(t.host, strconv.Itoa(t.port)) }

// refuseAddr refuses a target whose addresses may not be dialled. For a name, the
// reason and the rule are the same for every class of address.
func refuseAddr(d Decision, t target, rule Rule) Decision {
	hint := "use a public host; the operator can allow this one with WEB_ALLOW_PRIVATE=" + t.hostPort()
	if !t.addr.IsValid() {
		return d.refuse(RuleAddress, shown(t.host)+" does not resolve to public addresses only", hint)
	}
	if rule == ruleMetadata {
		return refuseMetadata(d, t)
	}
	return d.refuse(rule, shown(t.host)+" is not a public address", hint)
}

func refuseMetadata(d Decision, t target) Decision {
	return d.refuse(ruleMetadata, shown(t.host)+" is a cloud's metadata service", "use another host; no setting allows this one")
}

func refuseLength(d Decision) Decision {
	return d.refuse(ruleLength, "the URL is longer than "+strconv.Itoa(maxURLBytes)+" bytes", "use a shorter URL")
}

// in returns the decision d, which was made while dialling, as the decision about
// the request that needed the connection.
func (d Decision) in(request Decision) Decision {
	d.URL, d.Host = request.URL, request.Host
	return d
}

package egress

import (
	"net/netip"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Rule names the rule that decided. The set is closed.
type Rule string

const (
	// RuleNone: no rule refused it.
	RuleNone Rule = ""
	// ruleException: allowed by Policy.Private.
	ruleException Rule = "private_exception"
	// ruleEndpoint: allowed as an endpoint of the configuration, or refused
	// because the request leaves the endpoint's origin.
	ruleEndpoint Rule = "endpoint"
	// ruleOffline: Policy.Offline.
	ruleOffline Rule = "offline"

	// ruleURL: not an absolute URL.
	ruleURL Rule = "url"
	// ruleLength: longer than maxURLBytes.
	ruleLength Rule = "length"
	// ruleSpelling: an obfuscated spelling, in which two programs could read two
	// different hosts.
	ruleSpelling Rule = "spelling"
	// ruleScheme: neither http nor https.
	ruleScheme Rule = "scheme"
	// ruleUserinfo: the URL contains a user name or a password.
	ruleUserinfo Rule = "userinfo"
	// ruleBlocklist: the host is on Policy.Block.
	ruleBlocklist Rule = "blocklist"
	// ruleAllowlist: Policy.Allow is not empty and does not have the host.
	ruleAllowlist Rule = "allowlist"
	// ruleName: a reserved name, a single label, or not a name of the DNS.
	ruleName Rule = "name"
	// rulePort: a port that does not serve web pages.
	rulePort Rule = "port"
	// RuleAddress: an address that is not public.
	RuleAddress Rule = "address"
	// ruleMetadata: a cloud's metadata service, by name or by address.
	ruleMetadata Rule = "metadata"
	// ruleHTTP: plain http where Policy.HTTP refuses it.
	ruleHTTP Rule = "http"
	// ruleCallHome: a request of the browser itself to its vendor, see CallsHome.
	ruleCallHome Rule = "call_home"
	// ruleToken: a request to a proxy without the proxy's token.
	ruleToken Rule = "token"
	// ruleResolve: the name has no address, or too many.
	ruleResolve Rule = "resolve"
)

// Decision is what the policy says about one URL. It is plain data.
type Decision struct {
	// Allowed is the decision; the zero Decision refuses.
	Allowed bool
	// Rule is the rule that decided.
	Rule Rule
	// Reason says why it was refused, for a model or a person. It names the host
	// of the request and no other. Empty when allowed.
	Reason string
	// Hint is the next step, for the same reader; may be empty.
	Hint string
	// URL is the URL that was judged, without user information and cut at
	// maxURLBytes.
	URL string
	// Host is the canonical host that was judged.
	Host string
	// Addr is the address that was refused or dialled, when there was one. For
	// the audit log only: it must not reach a model or a page.
	Addr netip.Addr
}

// Error is a refusal. Round trippers return it, possibly wrapped.
type Error struct{ Decision Decision }

// Error returns "blocked by policy (rule): reason".
func (e *Error) Error() string {
	return "blocked by policy (" + string(e.Decision.Rule) + "): " + e.Decision.Reason
}

// BlockedByPolicy returns the parts of the refusal, for packages that do not
// import this one.
func (e *Error) BlockedByPolicy() (rule, reason, hint string) {
	return string(e.Decision.Rule), e.Decision.Reason, e.Decision.Hint
}

// Err returns nil when the decision allows, else an *Error with it.
func (d Decision) Err() error {
	if d.Allowed {
		return nil
	}
	return &Error{Decision: d}
}

// refuse returns d as a refusal.
func (d Decision) refuse(r Rule, reason, hint string) Decision {
	d.Allowed, d.Rule, d.Reason, d.Hint = false, r, reason, hint
	return d
}

// allow returns d as an allowed decision.
func (d Decision) allow(r Rule) Decision {
	d.Allowed, d.Rule, d.Reason, d.Hint = true, r, "", ""
	return d
}

// shown returns a host as messages show it: no longer than a name can be.
func shown(host string) string {
	if host == "" {
		return "the URL"
	}
	return text.Name(host)
}

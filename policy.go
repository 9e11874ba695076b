package spyhop

import (
	"context"
	"net/netip"
)

// Decision is what the policy decides about an address.
type Decision struct {
	// Allowed reports whether the address may be read.
	Allowed bool
	// Rule names the rule that decided, for example "metadata", "blocklist",
	// "address" (not a public one) or "private_exception"; "" when nothing
	// objected.
	Rule string
	// Reason says why the address was refused, for a model or a person; "" when
	// it is allowed.
	Reason string
	// Hint is the next step, for the same reader; may be empty.
	Hint string
	// URL is the address that was judged, without user name and password, and
	// Host its canonical host.
	URL, Host string
	// Address is the network address that was refused, when there was one. It
	// must not reach a model or a page: it would tell about the inner network.
	Address netip.Addr
}

// Check judges an address as Fetch would, after it has resolved the name, and
// returns the address in the form in which it would be requested; "" when it is
// not a URL. Nothing is sent to the address.
func (s *Client) Check(ctx context.Context, url string) (string, Decision) {
	u, d := s.guard.CheckRaw(ctx, url)
	return u.String(), Decision{Allowed: d.Allowed, Rule: string(d.Rule), Reason: d.Reason, Hint: s.hints.text(d.Hint), URL: d.URL, Host: d.Host, Address: d.Addr}
}

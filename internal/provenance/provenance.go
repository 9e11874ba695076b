// Package provenance provides a record of where addresses came from. With it, a
// model can read only addresses that a person or a search gave it, and cannot
// send data out in an address that it makes up.
//
//	ledger := provenance.New(configured...)
//	ledger.Give(ctx, u) // the user typed it, or a search found it
//	if err := ledger.Judge(ctx, other); err != nil {
//		return err // always an *Error, which says what to do
//	}
//
// An address is known when the user, the configuration or a search gave it.
// Scheme, fragment, user information and tracking parameters are ignored. An
// address that was not given is allowed when it is in the registrable domain of a
// known address, has no query or a query that was given for that domain, and has
// no subdomain that is long enough to carry data. An address that
// one principal gave is not known for another.
//
// # Guarantees
//
// A nil Ledger allows everything. A Ledger stores digests, not addresses, and a
// bounded number of them; it forgets the oldest ones first, whose addresses are
// then refused. Addresses that were passed to [New] are never forgotten. A Ledger
// is safe for concurrent use.
//
// # Limits
//
// Within a known domain a model can choose paths and short subdomains freely, so
// the owner of such a domain can read data from them. Links of a page are not
// given by the page: a link to another domain, or with a query, is refused.
package provenance

import (
	"context"
	"crypto/sha256"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

const (
	// Rule is the name of the rule in refusals.
	Rule = "provenance"

	maxGiven = 8192 // addresses, and as many domains and queries
)

// Ledger remembers addresses. It is safe for concurrent use; a nil Ledger allows
// everything. Make one with [New].
type Ledger struct {
	mu    sync.Mutex
	fixed map[digest]struct{} // from New, never forgotten
	given *lru.Map[digest, struct{}]
}

// digest stands for an address, a domain, or a query of a domain.
type digest [sha256.Size]byte

// New returns a Ledger that never forgets these addresses.
func New(given ...weburl.URL) *Ledger {
	l := &Ledger{fixed: make(map[digest]struct{}), given: lru.New[digest, struct{}](3 * maxGiven)}
	for _, u := range given {
		for _, d := range digests("", u) {
			l.fixed[d] = struct{}{}
		}
	}
	return l
}

// Give makes addresses known for the principal of a context: those of the user and
// those of search results.
func (l *Ledger) Give(ctx context.Context, given ...weburl.URL) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, u := range given {
		if u.IsZero() {
			continue
		}
		for _, d := range digests(principal.Of(ctx).Name, u) {
			l.given.Put(d, struct{}{})
		}
	}
}

// Knows reports whether this address itself was given to the principal of a context.
func (l *Ledger) Knows(ctx context.Context, u weburl.URL) bool {
	return l == nil || l.has(ctx, u, address)
}

// Judge returns nil when the principal of a context may read an address, else an
// *refusal.
func (l *Ledger) Judge(ctx context.Context, u weburl.URL) error {
	if l == nil {
		return nil
	}
	switch {
	case l.has(ctx, u, address):
		return nil
	case !l.has(ctx, u, domain):
		return &refusal{reason: u.Host() + " was neither given by the user nor found by a search"}
	case carries(u):
		return &refusal{reason: "the name " + u.Host() + " is long enough to carry data, and was neither given by the user nor found by a search"}
	case u.RawQuery() != "" && !l.has(ctx, u, query):
		return &refusal{reason: "the query of this address of " + u.Host() + " was neither given by the user nor found by a search"}
	}
	return nil
}

// longLabel is the length in bytes from which a label of a subdomain is refused:
// it can carry data, and the owner of the domain already reads it in the DNS
// query.
const longLabel = 25

func carries(u weburl.URL) bool {
	sub, _ := strings.CutSuffix(u.Host(), u.RegistrableDomain())
	for label := range strings.SplitSeq(sub, ".") {
		if len(label) >= longLabel {
			return true
		}
	}
	return strings.Count(sub, ".") > 4
}

// has reports whether a part of an address is known for all, or for the principal of
// a context.
func (l *Ledger) has(ctx context.Context, u weburl.URL, p part) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.fixed[digests("", u)[p]]; ok {
		return true
	}
	_, ok := l.given.Get(digests(principal.Of(ctx).Name, u)[p])
	return ok
}

// part is a part of an address with a digest of its own, as an index of digests.
type part int

const (
	address part = iota
	domain       // the registrable domain
	query        // the query, for that domain
)

// digests returns the digests of the parts of an address that was given to a
// principal, or to all of them if owner is "".
func digests(owner string, u weburl.URL) [3]digest {
	u, _ = u.WithoutFragment().WithoutUserinfo().Clean()
	if u.Scheme() == "http" {
		u = u.WithScheme("https")
	}
	site := u.RegistrableDomain()
	// The first byte distinguishes the parts; names of principals have no line end,
	// domains no "?".
	return [3]digest{
		address: sha256.Sum256([]byte("a" + owner + "\n" + u.String())),
		domain:  sha256.Sum256([]byte("d" + owner + "\n" + site)),
		query:   sha256.Sum256([]byte("q" + owner + "\n" + site + "?" + u.RawQuery())),
	}
}

// refusal is a refusal.
type refusal struct{ reason string }

// Error returns the reason.
func (e *refusal) Error() string { return e.reason }

// BlockedByPolicy returns the rule, the reason and the next step. Packages that
// do not import this one recognize a refusal by this method.
func (e *refusal) BlockedByPolicy() (rule, reason, hint string) {
	return Rule, e.reason, "search for the page, or ask the user for the address; the operator can name it in WEB_URL_GIVEN"
}

// Package corpus provides the address cases that the guard of package egress must
// decide correctly, and runs them. They ship with the program, so that users can
// test their copy.
//
//	results, err := corpus.Run(ctx, egress.Policy{})
//	for _, r := range results {
//		if !r.Right() {
//			fmt.Println(r.ID, r.URL, r.Decision.Rule)
//		}
//	}
//
// A case is an address, the answers of the DNS for its names, and whether the
// address is allowed. cases.jsonl has one case and its reason on each line. A long
// repetition in an address is written as "{}"; the text and the number of
// repetitions are further members.
//
// # Guarantees
//
// A run makes no connection and no DNS request: names have the addresses of their
// case, or a public address.
//
// # Limits
//
// The cases test the decision, not the connection; the tests of package egress show
// that connections follow the decision. The cases are ordered by kind.
package corpus

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/packed"
)

// cases are those of cases.jsonl; the test of package packed writes them with -update.
//
//go:embed cases.jsonl.gz
var cases string

// Case is an address and what is to become of it under the default policy.
type Case struct {
	ID    string              // "kind-number"
	URL   string              // as a user may write it
	DNS   map[string][]string // addresses by name; other names have a public one
	Allow bool
	Why   string
}

// Kind is the group that a case belongs to, such as "ipv6".
func (c Case) Kind() string {
	kind, _, _ := strings.Cut(c.ID, "-")
	return kind
}

// Cases returns all cases, in the order of the file.
func Cases() ([]Case, error) {
	lines, err := packed.Text(cases)
	if err != nil {
		return nil, err
	}
	var all []Case
	for line := range bytes.Lines(lines) {
		var row struct {
			Case
			Repeat string
			Times  int
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, fmt.Errorf("case %d: %w", len(all)+1, err)
		}
		if row.Repeat != "" {
			row.URL = strings.Replace(row.URL, "{}", strings.Repeat(row.Repeat, row.Times), 1)
		}
		all = append(all, row.Case)
	}
	return all, nil
}

// Result is a case and what the guard made of it.
type Result struct {
	Case
	Decision egress.Decision
}

// Right reports whether the guard did as the case says.
func (r Result) Right() bool { return r.Decision.Allowed == r.Allow }

// Run judges all cases by a policy, whose Resolver is replaced. It stops early
// when the context ends.
func Run(ctx context.Context, p egress.Policy) ([]Result, error) {
	all, err := Cases()
	if err != nil {
		return nil, err
	}
	results := make([]Result, 0, len(all))
	for _, c := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// A public address of IANA's example hosts; nothing is dialled.
		p.Resolver = egress.StaticResolver(c.DNS, netip.AddrFrom4([4]byte{93, 184, 215, 14}))
		guard, err := egress.New(p)
		if err != nil {
			return nil, err
		}
		_, d := guard.CheckRaw(ctx, c.URL)
		results = append(results, Result{c, d})
	}
	return results, nil
}

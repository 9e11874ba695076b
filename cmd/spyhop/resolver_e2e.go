//go:build spyhop_e2e

package main

import (
	"net/netip"
	"os"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/egress"
)

// resolver answers names from SPYHOP_E2E_NAMES: a public address for all names,
// and after it name=address for those that have another. It is nil when the
// variable is empty. Only the build tag of the end-to-end tests takes this file
// in.
func resolver() spyhop.Resolver {
	all := os.Getenv("SPYHOP_E2E_NAMES")
	if all == "" {
		return nil
	}
	entries := strings.Split(all, ",")
	table := make(map[string][]string)
	for _, entry := range entries[1:] {
		name, address, _ := strings.Cut(entry, "=")
		table[name] = nil // no such host
		if address != "" {
			table[name] = []string{address}
		}
	}
	return egress.StaticResolver(table, netip.MustParseAddr(entries[0]))
}

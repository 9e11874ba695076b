//go:build !spyhop_e2e

package main

import "github.com/spyhop-dev/spyhop"

// resolver is how names are resolved: nil is Go's own way. The program that the
// end-to-end tests build has another (resolver_e2e.go).
func resolver() spyhop.Resolver { return nil }

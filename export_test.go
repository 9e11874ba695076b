package spyhop

import (
	"crypto/x509"

	"github.com/spyhop-dev/spyhop/internal/egress"
)

// WithInternet returns the configuration with another way to resolve names and
// other certificate authorities.
func (c Config) WithInternet(r egress.Resolver, roots *x509.CertPool) Config {
	c.resolver, c.roots = r, roots
	return c
}

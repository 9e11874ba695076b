package crawl

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Scope says which addresses belong to a site. The zero Scope holds nothing.
type Scope struct {
	// Start is an address of the site. An address is in scope when it has the same
	// host ("www." and the scheme do not count) and the same port.
	Start weburl.URL
	// Subdomains adds all hosts of the same registrable domain.
	Subdomains bool
	// Include keeps only paths that one of the globs matches, where there are any;
	// Exclude drops those that one of its globs matches, and wins. See [MatchPath].
	Include, Exclude []string
}

// Holds reports whether an address is in scope.
func (s Scope) Holds(u weburl.URL) bool {
	if s.Start.IsZero() || !s.OnSite(u) {
		return false
	}
	path := u.Path()
	if q := u.RawQuery(); q != "" {
		path += "?" + q
	}
	for _, glob := range s.Exclude {
		if MatchPath(glob, path) {
			return false
		}
	}
	for _, glob := range s.Include {
		if MatchPath(glob, path) {
			return true
		}
	}
	return len(s.Include) == 0
}

// OnSite is Holds without the globs.
func (s Scope) OnSite(u weburl.URL) bool {
	// A canonical URL has no default port, so http and https differ in the scheme only.
	if u.Scheme() != "http" && u.Scheme() != "https" || u.Port() != s.Start.Port() {
		return false
	}
	return weburl.SameHost(s.Start, u) || s.Subdomains && weburl.SameSite(s.Start, u)
}

// MatchPath reports whether a glob matches a path with its query. "*" stands for
// any characters, a slash among them; no other character has a meaning. A glob
// without "*" matches the path itself and all that is below it: "/docs" matches
// "/docs", "/docs/a" and "/docs?x=1", and not "/docsearch". A glob without a slash
// at its beginning gets one. It takes linear time.
func MatchPath(glob, path string) bool {
	if !strings.HasPrefix(glob, "/") && !strings.HasPrefix(glob, "*") {
		glob = "/" + glob
	}
	part, rest, star := strings.Cut(glob, "*")
	if !star {
		below, ok := strings.CutPrefix(path, strings.TrimSuffix(part, "/"))
		return ok && (below == "" || below[0] == '/' || below[0] == '?')
	}
	path, ok := strings.CutPrefix(path, part)
	for ok && star {
		// Between stars, the first place where a part fits is as good as any other.
		part, rest, star = strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(path, part)
		}
		_, path, ok = strings.Cut(path, part)
	}
	return ok
}

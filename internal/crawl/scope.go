package crawl

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// Scope says which addresses belong to a site. The zero Scope holds nothing.
type Scope struct {
	// Start is an address of the site. An address is in scope when it has the same
	// host ("www." and the scheme do not count) and the same port.
	Start weburl.URL
	// Subdomains adds all hosts of the same registrable domain, External all other hosts.
	Subdomains, External bool
	// Below holds only this path and what is below it: "/docs/"; "" holds every path.
	Below string
	// Include keeps only paths that one of the globs matches, where there are any;
	// Exclude drops those that one of its globs matches, and wins. See [matchPath].
	Include, Exclude []string
	// Match and Omit do the same with regular expressions, which are compared with the
	// path and its query, or with FullURL with the URL.
	Match, Omit []*regexp.Regexp
	FullURL     bool
}

// holds reports whether an address is in scope.
func (s Scope) holds(u weburl.URL) bool {
	if s.Start.IsZero() || !s.onSite(u) {
		return false
	}
	path := u.Path()
	if s.Below != "" && weburl.SameHost(s.Start, u) && !strings.HasPrefix(path, s.Below) && path+"/" != s.Below {
		return false
	}
	if q := u.RawQuery(); q != "" {
		path += "?" + q
	}
	for _, glob := range s.Exclude {
		if matchPath(glob, path) {
			return false
		}
	}
	subject := path
	if s.FullURL {
		subject = u.String()
	}
	matches := func(x *regexp.Regexp) bool { return x.MatchString(subject) }
	if slices.ContainsFunc(s.Omit, matches) || len(s.Match) > 0 && !slices.ContainsFunc(s.Match, matches) {
		return false
	}
	for _, glob := range s.Include {
		if matchPath(glob, path) {
			return true
		}
	}
	return len(s.Include) == 0
}

// maxExpressions bounds the regular expressions of a crawl, in bytes together.
const maxExpressions = 16 << 10

// expressions compiles regular expressions as package regexp has them: they take time
// linear in the length of a URL. The error is a *tool.Error.
func expressions(list []string) (out []*regexp.Regexp, err error) {
	if len(strings.Join(list, "")) > maxExpressions {
		return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("the regular expressions have more than %d bytes", maxExpressions), "give fewer or shorter ones")
	}
	for _, s := range list {
		x, err := regexp.Compile(s)
		if err != nil {
			return nil, tool.NewError(tool.InvalidInput, text.Quoted(s)+" is not a regular expression that is supported", "use the syntax of RE2: no lookahead, no backreferences")
		}
		out = append(out, x)
	}
	return out, nil
}

// scope is what the options say of a start.
func (o Options) scope(start weburl.URL) (Scope, error) {
	s := Scope{Start: start, Subdomains: o.Subdomains, External: o.External, Include: o.Include, Exclude: o.Exclude, FullURL: o.FullURL}
	var err error
	if s.Match, err = expressions(o.Match); err == nil {
		s.Omit, err = expressions(o.Omit)
	}
	return s, err
}

// settle limits a start to the path that it names, as soon as its page is known: start, or
// nil if it could not be read.
func (r *run) settle(i int, start *page.Page) Scope {
	s := &r.scopes[i]
	if !r.o.EntireSite && s.Below == "" {
		s.Below = below(s.Start, start)
	}
	return *s
}

// settled remembers the paths of the starts for further runs.
func (r *run) settled() {
	r.p.Below = r.p.Below[:0]
	for i := range r.scopes {
		r.p.Below = append(r.p.Below, r.settle(i, nil).Below)
	}
}

// below limits the starts to paths that an earlier run has found.
func (r *run) below(paths []string) {
	for i := range min(len(paths), len(r.scopes)) {
		r.scopes[i].Below = paths[i]
	}
}

// below is the path that a crawl from a start stays below, after redirects: the path itself
// if it ends in "/", or if its last segment has no extension and a link of the page lies
// below it; else its parent.
func below(u weburl.URL, start *page.Page) string {
	if start != nil {
		if final, err := weburl.Parse(start.URL); err == nil && weburl.SameHost(u, final) {
			u = final
		}
	}
	path := u.Path()
	if strings.HasSuffix(path, "/") {
		return path
	}
	slash := strings.LastIndexByte(path, '/')
	if start != nil && !strings.Contains(path[slash+1:], ".") {
		for _, l := range start.Found() {
			if to, err := weburl.Parse(l.URL); err == nil && weburl.SameHost(u, to) && strings.HasPrefix(to.Path(), path+"/") {
				return path + "/"
			}
		}
	}
	return path[:slash+1]
}

// scopeOf are the URLs that scopes hold, as globs.
func scopeOf(scopes []Scope) (out []string) {
	for _, s := range scopes {
		if s.Below != "" {
			out = append(out, s.Start.Origin()+s.Below+"*")
		}
	}
	return out
}

// onSite is holds without paths and globs.
func (s Scope) onSite(u weburl.URL) bool {
	// A canonical URL has no default port, so http and https differ in the scheme only.
	if u.Scheme() != "http" && u.Scheme() != "https" || u.Port() != s.Start.Port() && !s.External {
		return false
	}
	return s.External || weburl.SameHost(s.Start, u) || s.Subdomains && weburl.SameSite(s.Start, u)
}

// matchPath reports whether a glob matches a path with its query. "*" stands for
// any characters, a slash among them; no other character has a meaning. A glob
// without "*" matches the path itself and all that is below it: "/docs" matches
// "/docs", "/docs/a" and "/docs?x=1", and not "/docsearch". A glob without a slash
// at its beginning gets one. It takes linear time.
func matchPath(glob, path string) bool {
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

// mapSources are the sources of the map of a site; nil: all.
func (o Options) mapSources() []string {
	switch o.Map {
	case MapSkip:
		return []string{sourceLinks}
	case MapOnly:
		return []string{sourceSitemap}
	}
	return nil
}

// plain is a URL as the job fetches it.
func (o Options) plain(u weburl.URL) weburl.URL {
	if o.DropQuery && !u.IsZero() {
		return u.WithoutQuery()
	}
	return u
}

package crawl

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A trap is a part of a site that makes new addresses without end: calendars, sums
// of filters, folders that contain themselves. What an address alone shows is not
// added; what only its pages show (near-duplicates in a row) closes its template.
const (
	maxPathBytes    = 1000
	maxSegments     = 14
	maxParameters   = 6
	maxRepeated     = 3 // times that one segment may stand in a path
	maxPerTemplate  = 5000
	maxDuplicateRun = 8
)

// isTrap reports whether an address looks like one of endlessly many.
func isTrap(u weburl.URL) bool {
	path, query := u.Path(), u.RawQuery()
	if len(path)+len(query) > maxPathBytes || strings.Count(path, "/") > maxSegments || query != "" && strings.Count(query, "&") >= maxParameters {
		return true
	}
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, s := range segments {
		n := 1
		for _, t := range segments[:i] {
			if s != "" && s == t {
				n++
			}
		}
		if n > maxRepeated {
			return true
		}
	}
	return false
}

// templateOf names what addresses have in common that one program makes: the
// beginning of the path with digits as "#", the number of its segments, and the
// names of the parameters.
func templateOf(u weburl.URL) uint64 {
	var b strings.Builder
	b.WriteString(u.HostPort())
	segments := strings.Split(strings.Trim(u.Path(), "/"), "/")
	for i, s := range segments {
		b.WriteByte('/')
		switch {
		case strings.ContainsAny(s, "0123456789"):
			b.WriteByte('#')
		case i < 2 && i < len(segments)-1:
			b.WriteString(s)
		}
	}
	var names []string
	for p := range strings.SplitSeq(u.RawQuery(), "&") {
		name, _, _ := strings.Cut(p, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	b.WriteString("?" + strings.Join(names, "&"))
	return cmp.Or(mixed(hashWord([]byte(b.String()))), 1)
}

package search

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// selection splits a selection into names in lower case, each once. fuse reports
// whether "fuse" was among them; it is not in names.
func selection(s string) (names []string, fuse bool) {
	for part := range strings.SplitSeq(strings.ToLower(s), ",") {
		switch part = strings.TrimSpace(part); {
		case part == "" || slices.Contains(names, part):
		case part == "fuse":
			fuse = true
		default:
			names = append(names, part)
		}
	}
	return names, fuse
}

// CheckSelection returns a *tool.Error (InvalidInput) when a selection contains
// an unknown name. Valid selections are "", "auto", "none", "fuse", the names of
// [Names], and lists of names separated by commas; "fuse" in a list merges the
// results of the other providers in it.
func CheckSelection(s string) error { return checkSelection(s, providers[:]) }

func checkSelection(s string, rows []row) error {
	names, fuse := selection(s)
	all := namesOf(rows, func(row) bool { return true })
	for _, n := range names {
		_, known := rowOf(rows, n)
		alone := (n == "auto" || n == "none") && len(names) == 1 && !fuse
		if !known && !alone {
			e := invalid("use auto, none, fuse, or a list of "+strings.Join(all, ", "), "search provider %s is unknown", text.Quoted(n))
			if n == "auto" || n == "none" {
				e.Message = "search provider " + text.Name(n) + " cannot be part of a list"
			}
			if near := tool.Nearest(n, all); near != "" {
				e.Hint = "did you mean " + text.Name(near) + "?"
			}
			return e
		}
	}
	return nil
}

// pick returns the names of the providers of a selection, in the order in which
// they are asked.
func (s *Searcher) pick(text string) (names []string, fuse bool, err error) {
	if err := checkSelection(text, s.rows); err != nil {
		return nil, false, err
	}
	names, fuse = selection(text)
	switch {
	case fuse && len(names) > 0:
		return names, true, nil
	case fuse:
		return s.configuredOrder(), true, nil
	case len(names) == 0, names[0] == "auto":
		return s.configuredOrder()[:1], false, nil
	case names[0] == "none":
		return nil, false, tool.NewError(tool.SearchError, "searching is switched off",
			"set WEB_SEARCH_PROVIDER to auto, or to one of "+strings.Join(Names(), ", "))
	}
	return names, false, nil
}

// off reports whether the operator has switched searching off. A query cannot
// override that by naming a provider.
func (s *Searcher) off() bool {
	names, _ := selection(s.o.Selection)
	return len(names) > 0 && names[0] == "none"
}

// configuredOrder returns the names of the providers of "auto" that are
// configured, in order: first those of the program. It is never empty: the last provider needs nothing.
func (s *Searcher) configuredOrder() []string {
	return namesOf(s.rows, func(r row) bool { return !r.byName && s.configured(r) })
}

// configured reports whether the operator has configured what a provider needs.
func (s *Searcher) configured(r row) bool {
	switch r.needs {
	case needsServer:
		return s.bridge != nil
	case needsInstance:
		return !s.o.Searxng.IsZero()
	case needsKey:
		return s.o.Keys[r.name] != ""
	}
	return true
}

// missing is the error for a provider that is not configured.
func (r *row) missing() *Error {
	out := &Error{Provider: r.name, Code: codeUnsupported}
	switch r.needs {
	case needsServer:
		out.Cause, out.Hint = "no server is configured", "set WEB_SEARCH_MCP"
	case needsInstance:
		out.Cause, out.Hint = "no instance is configured", "set SEARXNG_URL"
	case needsKey:
		out.Code, out.Cause = codeBadKey, "none is configured"
		out.Hint = "set " + KeyName(r.name) + ", or name another provider"
	}
	return out
}

// provider returns a provider that is ready to be asked, and its definition.
func (s *Searcher) provider(name string) (searchProvider, definition, error) {
	r, ok := rowOf(s.rows, name)
	if !ok {
		return nil, definition{}, &Error{Provider: name, Code: codeUnsupported, Cause: "there is no such provider"}
	}
	d := r.define()
	if !s.configured(r) {
		return nil, d, r.missing()
	}
	switch {
	case r.own != nil:
		return r.own, d, nil
	case r.needs == needsServer:
		return s.bridge, d, nil
	}
	p := &service{definition: d, name: name, keyed: r.needs == needsKey, transport: s.o.RoundTripper, userAgent: s.o.UserAgent,
		account: account{key: s.o.Keys[name], now: s.o.Now()}}
	if r.needs == needsInstance {
		p.transport = s.o.SearxngRoundTripper
		p.account.base = s.o.Searxng.Origin() + strings.TrimSuffix(s.o.Searxng.Path(), "/")
	}
	return p, d, nil
}

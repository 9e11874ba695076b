package dom

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file reads what only the scripts of a page can follow.

// The bounds of what is read of one page.
const (
	maxRoutes   = 5000
	maxScripted = 200
	maxHandler  = 2 << 10 // bytes of an attribute
)

// ReadScripted reads the links to views that scripts make (page.Routes), the addresses in
// what happens when an element is clicked (page.Scripted), and whether there are scripts.
func ReadScripted(doc *html.Node, r *Resolver) (routes []page.Link, scripted []string, scripts bool) {
	seen := map[string]bool{}
	for n := range Below(doc) {
		if n.Type != html.ElementNode {
			continue
		}
		if n.DataAtom == atom.Script && runs(Attr(n, "type")) {
			scripts = true
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "href" && n.DataAtom == atom.A:
				if code, ok := cutScheme(a.Val); ok {
					scripted = r.quoted(scripted, code, seen)
				} else if _, fragment, ok := strings.Cut(a.Val, "#"); ok && page.IsRoute(fragment) && len(routes) < maxRoutes {
					if u := r.absolute(a.Val).whole; isWebAddress(u) && !seen[u] {
						seen[u] = true
						routes = append(routes, page.Link{URL: u, Text: anchorText(n), Count: 1})
					}
				}
			case a.Key == "onclick":
				scripted = r.quoted(scripted, a.Val, seen)
			case a.Key == "data-href" || a.Key == "data-url" || a.Key == "data-link":
				scripted = r.scripted(scripted, a.Val, seen)
			}
		}
	}
	return routes, scripted, scripts
}

// cutScheme returns the code of an address "javascript:…".
func cutScheme(href string) (string, bool) {
	const scheme = "javascript:"
	href = strings.TrimSpace(href)
	if len(href) < len(scheme) || !strings.EqualFold(href[:len(scheme)], scheme) {
		return "", false
	}
	return href[len(scheme):], true
}

// quoted adds the quoted strings of a piece of code that are addresses.
func (r *Resolver) quoted(to []string, code string, seen map[string]bool) []string {
	code = code[:min(len(code), maxHandler)]
	for {
		i := strings.IndexAny(code, "'\"`")
		if i < 0 {
			return to
		}
		rest := code[i+1:]
		end := strings.IndexByte(rest, code[i])
		if end < 0 {
			return to
		}
		to = r.scripted(to, rest[:end], seen)
		code = rest[end+1:]
	}
}

// scripted adds an address, if a string is one: a path from the root or the page, or a whole
// address.
func (r *Resolver) scripted(to []string, s string, seen map[string]bool) []string {
	whole := strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
	path := strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasSuffix(s, ".html") || strings.HasSuffix(s, ".htm") || strings.HasSuffix(s, ".php")
	if !whole && !path || len(s) < 2 || strings.ContainsAny(s, " <>{}$\\") || len(to) >= maxScripted {
		return to
	}
	u := r.absolute(s).clean
	if u, _, _ = strings.Cut(u, "#"); !isWebAddress(u) || seen[u] {
		return to
	}
	seen[u] = true
	return append(to, u)
}

package crawl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
)

// A prefix is a part of a site: the pages whose paths begin alike.
type Prefix struct {
	Path     string // as "/docs/api/"; with the host, where the site has several
	Depth    int    // 0 for the topmost that are listed
	Pages    int
	Examples []string // two addresses at most, as paths where Path is one
}

// Tree summarizes addresses by the beginnings of their paths in at most so many
// lines, in the order of paths. Every address is counted by exactly one topmost
// prefix. The largest prefixes are taken apart first, as long as there are lines.
func Tree(links []result.MapLink, lines int) []Prefix {
	root := &branch{}
	origins := map[string]bool{}
	parsed := make([]weburl.URL, len(links))
	for i, l := range links {
		if u, err := weburl.Parse(l.URL); err == nil {
			parsed[i] = u
			origins[u.Host()] = true
		}
	}
	for _, u := range parsed {
		if u.IsZero() {
			continue
		}
		path := u.Path()
		if len(origins) > 1 {
			path = strings.TrimPrefix(u.Origin(), u.Scheme()+":") + path
		}
		root.add(path, u.RawQuery())
	}
	root.fold()
	// Open the largest branch until the lines are used up. A branch stands for one
	// line, an opened one for its own and those of its children.
	open := map[*branch]bool{root: true}
	shown := slices.Clone(root.children)
	used := len(shown)
	for {
		var largest *branch
		for _, b := range shown {
			if !open[b] && len(b.children) > 1 && used+len(b.children) <= lines && (largest == nil || b.pages > largest.pages) {
				largest = b
			}
		}
		if largest == nil {
			break
		}
		open[largest] = true
		shown = append(shown, largest.children...)
		used += len(largest.children)
	}
	var out []Prefix
	root.write(open, lines, -1, &out)
	return out
}

// branch is a prefix with the prefixes below it.
type branch struct {
	path     string
	pages    int
	children []*branch
	byName   map[string]*branch
	examples []string
	own      []string // examples of pages that no child holds
}

// maxBranches bounds the children of a branch: a folder of a hundred thousand
// pages is one line.
const maxBranches = 2000

func (b *branch) add(path, query string) {
	whole := path
	if query != "" {
		whole += "?" + query
	}
	at := b
	at.count(whole)
	rest := path
	for done := 0; ; {
		skip := 1
		if strings.HasPrefix(rest, "//") && done == 0 {
			skip = 2
		}
		if len(rest) < skip {
			return
		}
		i := strings.IndexByte(rest[skip:], '/')
		if i < 0 { // the last segment is a page, not a prefix
			if len(at.own) < 2 {
				at.own = append(at.own, whole)
			}
			return
		}
		done += skip + i
		name := path[:done+1]
		child := at.byName[name]
		if child == nil {
			if len(at.children) == maxBranches {
				return
			}
			child = &branch{path: name}
			if at.byName == nil {
				at.byName = map[string]*branch{}
			}
			at.byName[name] = child
			at.children = append(at.children, child)
		}
		child.count(whole)
		at, rest = child, path[done:]
	}
}

func (b *branch) count(page string) {
	b.pages++
	if len(b.examples) < 2 && page != b.path {
		b.examples = append(b.examples, page)
	}
}

// fold joins a branch with its only child where both have the same pages, and
// sorts the children: most pages first.
func (b *branch) fold() {
	b.byName = nil
	for i, c := range b.children {
		for len(c.children) == 1 && c.children[0].pages == c.pages {
			c = c.children[0]
		}
		b.children[i] = c
		c.fold()
	}
	slices.SortStableFunc(b.children, func(x, y *branch) int { return cmp.Compare(y.pages, x.pages) })
}

// write lists the children of an opened branch, and what none of them holds.
func (b *branch) write(open map[*branch]bool, lines, depth int, out *[]Prefix) {
	if depth >= 0 {
		*out = append(*out, Prefix{Path: b.path, Depth: depth, Pages: b.pages, Examples: b.examples})
	}
	if !open[b] {
		return
	}
	own := b.pages
	children := b.children
	if depth < 0 && len(children) > lines-1 {
		children = children[:max(lines-1, 1)] // the rest is one line
	}
	for _, c := range children {
		own -= c.pages
		c.write(open, lines, depth+1, out)
	}
	if depth < 0 && own > 0 {
		*out = append(*out, Prefix{Path: "/", Depth: 0, Pages: own, Examples: b.own})
	}
}

// String is a line of the tree: "/docs/api/ (120): /docs/api/a, /docs/api/b".
func (p Prefix) String() string {
	s := fmt.Sprintf("%s%s (%d)", strings.Repeat("  ", p.Depth), p.Path, p.Pages)
	if len(p.Examples) > 0 {
		s += ": " + strings.Join(p.Examples, ", ")
	}
	return s
}

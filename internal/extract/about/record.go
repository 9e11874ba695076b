package about

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/date"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds on the search for records: levels above a date, siblings on each side, nodes
// within one, and nodes for all dates of a page.
const (
	maxRecordUp     = 10
	maxRecordBeside = 3
	maxRecordNodes  = 400
	maxRecordLooks  = 40_000
)

// isOfRecord reports whether a date is that of one of the records that a page lists, such as
// teasers, products or reviews, and not that of the page: the one heading beside the date is a
// link to another page, and not the only one of the page, or an element that does not have the
// title has two siblings of its kind, each with a title and a date of its own.
func (r *reader) isOfRecord(n *html.Node) bool {
	alone := true // no heading yet
	for range maxRecordUp {
		if n == nil || n.DataAtom == atom.Body || r.title != nil && isWithinNode(r.title, n) {
			return false
		}
		if n.Type == html.ElementNode {
			if slices.Contains(r.lists, n.Parent) {
				return true
			}
			if alone {
				headings, links := r.headings(n)
				if headings == 1 && links == 1 {
					return r.title != nil || !r.hasOneHeading() // of a page whose title is another one
				}
				alone = headings == 0
			}
			if r.isRecord(n) && r.recordsBeside(n) > 1 {
				r.lists = append(r.lists, n.Parent)
				return true
			}
		}
		n = n.Parent
	}
	return false
}

// isWithinNode reports whether a node is another one or within it.
func isWithinNode(n, around *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == around {
			return true
		}
	}
	return false
}

// recordsBeside counts the nearest siblings of an element that are records.
func (r *reader) recordsBeside(n *html.Node) (found int) {
	class, _, _ := strings.Cut(dom.Attr(n, "class"), " ")
	for _, step := range [...]func(*html.Node) *html.Node{previous, following} {
		k := 0
		for s := step(n); s != nil && k < maxRecordBeside; s = step(s) {
			if s.Type != html.ElementNode || s.Data != n.Data {
				continue
			}
			if as, _, _ := strings.Cut(dom.Attr(s, "class"), " "); as == class {
				if k++; r.isRecord(s) {
					found++
				}
			}
		}
	}
	return found
}

func previous(n *html.Node) *html.Node  { return n.PrevSibling }
func following(n *html.Node) *html.Node { return n.NextSibling }

// isRecord reports whether an element has a date and a title: a heading, or a link with
// words to another page.
func (r *reader) isRecord(of *html.Node) bool {
	titled, dated, left := false, false, maxRecordNodes
	for n := range dom.Below(of) {
		if left--; left < 0 || r.looks > maxRecordLooks || titled && dated {
			break
		}
		r.looks++
		switch {
		case n.Type == html.TextNode:
			if !dated && date.HasDigit(n.Data) {
				t := metaText(n.Data, 100)
				dated = isShort(t) && date.IsPlain(t)
			}
		case n.Type == html.ElementNode:
			dated = dated || n.DataAtom == atom.Time || kindOfClass(dom.Attr(n, "class"))&(classDate|classPublished) != 0
			titled = titled || (isHeading(n) || n.DataAtom == atom.A && r.leadsAway(n)) && r.isTitle(n)
		}
	}
	return titled && dated
}

func isHeading(n *html.Node) bool {
	return dom.HeadingLevel(n) > 0 || dom.Attr(n, "role") == "heading"
}

// headings counts the headings within an element, and those that are links to another page.
func (r *reader) headings(of *html.Node) (all, linked int) {
	left := maxRecordNodes
	for n := range dom.Below(of) {
		if left--; left < 0 || r.looks > maxRecordLooks || all > 1 {
			break
		}
		r.looks++
		if n.Type == html.ElementNode && isHeading(n) {
			if all++; n.DataAtom != atom.H1 && r.isLinked(n) && r.isTitle(n) {
				linked++
			}
		}
	}
	return all, linked
}

// hasOneHeading reports whether the page has no heading but one.
func (r *reader) hasOneHeading() bool {
	if r.body == nil {
		return false
	}
	all, _ := r.headings(r.body)
	return all == 1
}

// isLinked reports whether a heading is in a link to another page, or has one.
func (r *reader) isLinked(heading *html.Node) bool {
	for n := heading; n != nil; n = n.Parent {
		if n.DataAtom == atom.A {
			return r.leadsAway(n)
		}
	}
	for n := range dom.Below(heading) {
		if n.DataAtom == atom.A {
			return r.leadsAway(n)
		}
	}
	return false
}

// leadsAway reports whether a link leads to another page.
func (r *reader) leadsAway(a *html.Node) bool {
	href := dom.Attr(a, "href")
	if href == "" || href[0] == '#' || dom.HasPrefixFold(href, "javascript:") || dom.HasToken(dom.Attr(a, "rel"), "nofollow") {
		return false
	}
	to, err := r.base.Resolve(href)
	return err != nil || to.Path() != r.base.Path() // a link within a thread has another query or fragment
}

// isTitle reports whether a text has more words than the name of an author, and is not the
// page's title again, perhaps with "Re:", as the headings of posts are.
func (r *reader) isTitle(n *html.Node) bool {
	const words, most, reply = 4, 20, 4
	t := metaText(dom.NodeText(n, 200), 100)
	if utf8.RuneCountInString(t) < most && len(strings.Fields(t)) < words {
		return false
	}
	if r.title == nil {
		return true
	}
	before, again := strings.CutSuffix(letters(t), letters(headingText(r.title)))
	return !again || len(before) > reply
}

package about

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isOfRecord reports whether an element is part of one of the records that a page lists,
// such as teasers, and not of the page: the one heading around it is a link to another
// page, and not the only heading of the page.
func (r *reader) isOfRecord(n *html.Node) bool {
	for range maxRecordUp {
		if n == nil || n.DataAtom == atom.Body || r.title != nil && isInside(r.title, n) {
			break
		}
		if all, linked := r.headings(n); all > 0 {
			if r.title == nil {
				pageHas, _ := r.headings(r.body)
				linked = linked && pageHas > 1
			}
			return all == 1 && linked
		}
		n = n.Parent
	}
	return false
}

// isRepeated reports whether an element is one of several of one kind, each in an element
// of its own, as the dates and the authors of reviews and teasers are; none of them is at
// the title.
func (r *reader) isRepeated(n *html.Node, among []candidate) bool {
	if n.Type == html.TextNode {
		n = n.Parent
	}
	alike := 0
	var last *html.Node
	for _, c := range among {
		if c.node.Parent != last && kindOf(c.node) == kindOf(n) && kindOf(c.node.Parent) == kindOf(n.Parent) {
			if alike++; r.isAtTitle(c.node) {
				return false
			}
		}
		last = c.node.Parent
	}
	return alike >= fewRecords
}

// isAtTitle reports whether the title is in one of the nearest elements around n.
func (r *reader) isAtTitle(n *html.Node) bool {
	for range maxTitleUp {
		if n = n.Parent; n == nil || n.DataAtom == atom.Body || n.DataAtom == atom.Main {
			return false
		}
		if r.title != nil && isInside(r.title, n) {
			return true
		}
	}
	return false
}

// kindOf is the name of an element and the first of its classes.
func kindOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	class, _, _ := strings.Cut(dom.Attr(n, "class"), " ")
	return n.Data + "." + class
}

func isInside(n, around *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == around {
			return true
		}
	}
	return false
}

func isHeading(n *html.Node) bool {
	return dom.HeadingLevel(n) > 0 || dom.Attr(n, "role") == "heading"
}

// headings counts the headings within an element, and reports whether the last one is a
// link to another page.
func (r *reader) headings(of *html.Node) (all int, linked bool) {
	left := maxRecordNodes
	for n := range dom.Below(of) {
		if r.looks++; left < 0 || r.looks > maxRecordLooks || all > 1 {
			break
		}
		if left--; n.Type == html.ElementNode && isHeading(n) {
			all++
			linked = n.DataAtom != atom.H1 && r.isLinked(n) && r.isOther(n)
		}
	}
	return all, linked
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
	if href == "" || href[0] == '#' || dom.HasPrefixFold(href, "javascript:") {
		return false
	}
	to, err := r.base.Resolve(href)
	return err != nil || to.Path() != r.base.Path() // a link within a thread has another query or fragment
}

// isOther reports whether a heading has more words than the name of an author, and does not
// end with the title of the page, as the headings of posts do: "Re: Which rope?".
func (r *reader) isOther(heading *html.Node) bool {
	t := headingText(heading)
	isName := len(strings.Fields(t)) < maxNameWords && len(t) < maxNameBytes
	return !isName && (r.title == nil || !strings.HasSuffix(letters(t), letters(headingText(r.title))))
}

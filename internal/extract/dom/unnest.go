package dom

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Unnest puts elements that lie within each other because their end tags are missing side
// by side: cards, rows and posts, which then are found as records. A parser of HTML, and a
// browser, puts each of them into the one before it; what is read, and its order, stay as
// they are.
func Unnest(body *html.Node) {
	for n := body.FirstChild; n != nil; n = Following(n, body) {
		if n.Parent != nil && mayRepeat(n) && isNest(n) {
			unnest(n)
		}
	}
}

// mayRepeat reports whether an element is of a kind that pages write records with.
func mayRepeat(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.Section, atom.Article:
		return firstClass(n) != ""
	}
	return false
}

func firstClass(n *html.Node) string {
	class := Attr(n, "class")
	for i := 0; i < len(class) && class[i] > ' ' && class[i] < utf8.RuneSelf; i++ {
		if i+1 == len(class) || class[i+1] == ' ' {
			return class[:i+1]
		}
	}
	for c := range strings.FieldsSeq(class) {
		return c
	}
	return ""
}

// isNest reports whether n is the first of enough elements that lie within each other.
func isNest(n *html.Node) bool {
	class := firstClass(n)
	for range leastNested - 1 {
		if n = nested(n, class); n == nil {
			return false
		}
	}
	return true
}

// nested returns the first child of the kind of n, if text stands before it.
func nested(n *html.Node, class string) *html.Node {
	kin := n.FirstChild
	for kin != nil && (kin.Type != html.ElementNode || kin.DataAtom != n.DataAtom || firstClass(kin) != class) {
		kin = kin.NextSibling
	}
	if kin == nil {
		return nil // as most
	}
	for c := n.FirstChild; c != kin; c = c.NextSibling {
		if c.Type == html.TextNode && IsWordy(c) || c.Type == html.ElementNode && holdsWords(c) {
			return kin
		}
	}
	return nil
}

// unnest makes the elements of the kind of n that lie within it its siblings, with what
// follows them.
func unnest(n *html.Node) {
	class := firstClass(n)
	for c := nested(n, class); c != nil; c = nested(n, class) {
		before := n.NextSibling
		for c != nil {
			next := c.NextSibling
			n.RemoveChild(c)
			n.Parent.InsertBefore(c, before)
			c = next
		}
		n = n.NextSibling
	}
}

// holdsWords reports whether an element contains text that could be seen.
func holdsWords(n *html.Node) bool {
	for c := range Below(n) {
		if IsWordy(c) && !IsDropped(c.Parent.DataAtom) {
			return true
		}
	}
	return paintsAttribute(n)
}

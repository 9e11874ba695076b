package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// listings are the classes of boxes whose lines are elements: Doxygen writes code so.
const listings = "fragment listing code codeblock code-block source sourceCode highlight"

// isListing reports whether an element is code without a pre element: a box of lines.
func isListing(n *html.Node) bool {
	named := false
	for class := range strings.FieldsSeq(Attr(n, "class")) {
		named = named || HasToken(listings, class)
	}
	if !named {
		return false
	}
	lines := 0
	for k := range n.ChildNodes() {
		switch {
		case IsWordy(k):
			return false
		case k.DataAtom == atom.Div && HasToken(Attr(k, "class"), "line"):
			lines++
		case k.Type == html.ElementNode && !isTooltip(k):
			return false
		}
	}
	return lines > 0
}

// isTooltip reports whether an element of a listing is shown when a name in it is pointed at.
func isTooltip(n *html.Node) bool { return HasToken(Attr(n, "class"), "ttc") }

// asPre makes a pre element of a listing.
func asPre(n *html.Node) {
	n.Data, n.DataAtom = "pre", atom.Pre
	for k, next := n.FirstChild, (*html.Node)(nil); k != nil; k = next {
		next = k.NextSibling
		if k.Type != html.ElementNode || isTooltip(k) {
			n.RemoveChild(k)
		}
	}
}

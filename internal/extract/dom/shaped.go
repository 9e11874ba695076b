package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file makes code and tables of boxes that only a sheet makes such: Doxygen writes code as
// a box of lines, Javadoc a table as a grid of boxes.

// shape gives a box the element that says what it is.
func shape(n *html.Node) {
	switch class := Attr(n, "class"); {
	case class == "":
	case isListing(n, class):
		asPre(n)
	case isGrid(n):
		asTable(n)
	}
}

// isListing reports whether an element is code without a pre element: a box of lines.
func isListing(n *html.Node, class string) bool {
	if !strings.Contains(class, "fragment") || !HasToken(class, "fragment") {
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

// lastColumn is the class of the last box of a row of a grid.
const lastColumn = "col-last"

// isGrid reports whether the children of an element are the cells of a table, row by row.
func isGrid(n *html.Node) bool {
	rows, open := 0, false
	for k := range n.ChildNodes() {
		switch class := Attr(k, "class"); {
		case IsWordy(k):
			return false
		case k.Type != html.ElementNode:
		case !strings.Contains(class, "col-"):
			return false
		case HasToken(class, lastColumn):
			rows, open = rows+1, false
		default:
			open = true
		}
	}
	return rows > 1 && !open
}

// asTable makes a table of a grid.
func asTable(n *html.Node) {
	n.Data, n.DataAtom = "table", atom.Table
	var rows []*html.Node
	ended := true
	for n.FirstChild != nil {
		k := n.FirstChild
		if n.RemoveChild(k); k.Type != html.ElementNode {
			continue
		}
		if ended {
			rows = append(rows, Element(atom.Tr, ""))
		}
		class := Attr(k, "class")
		k.Data, k.DataAtom = "td", atom.Td
		if HasToken(class, "table-header") {
			k.Data, k.DataAtom = "th", atom.Th
		}
		rows[len(rows)-1].AppendChild(k)
		ended = HasToken(class, lastColumn)
	}
	for _, row := range rows {
		n.AppendChild(row)
	}
}

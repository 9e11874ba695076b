package dom

import (
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Attributes of our own are in a namespace that the parser gives to no attribute of
// a page, so that no page can write them.
const (
	ownSpace = "spyhop"
	markAttr = "spyhop-mark"
	treeAttr = "spyhop-tree"
)

func ownAttr(n *html.Node, key string) string {
	for i := len(n.Attr) - 1; i >= 0; i-- {
		if a := &n.Attr[i]; a.Namespace == ownSpace && a.Key == key {
			return a.Val
		}
	}
	return ""
}

func setOwnAttr(n *html.Node, key, value string) {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Namespace == ownSpace && a.Key == key {
			a.Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Namespace: ownSpace, Key: key, Val: value})
}

// MarkOf returns the mark of an element that [RemoveHidden] kept though it is not
// painted.
func MarkOf(n *html.Node) page.Mark {
	switch ownAttr(n, markAttr) {
	case "collapsed":
		return page.Collapsed
	case "not-shown":
		return page.NotShown
	case "unknown":
		return page.VisibilityUnknown
	}
	return page.NoMark
}

func setMarks(all []*html.Node, m page.Mark) {
	for _, n := range all {
		setMark(n, m)
	}
}

// setMark marks a node for the converter. What is in a marked element needs no mark
// of its own.
func setMark(n *html.Node, m page.Mark) {
	for up := n.Parent; up != nil; up = up.Parent {
		if above := MarkOf(up); above == m || above != page.NoMark && above != page.VisibilityUnknown {
			return
		}
	}
	switch {
	case n.Type == html.TextNode:
		span := Element(atom.Span, "")
		n.Parent.InsertBefore(span, n)
		n.Parent.RemoveChild(n)
		span.AppendChild(n)
		n = span
	case n.DataAtom == atom.Tr || n.DataAtom == atom.Tbody || n.DataAtom == atom.Thead || n.DataAtom == atom.Tfoot:
		// The cells are converted, not what groups them.
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				setMark(c, m)
			}
		}
		return
	}
	value := "unknown"
	switch m {
	case page.Collapsed:
		value = "collapsed"
	case page.NotShown:
		value = "not-shown"
	}
	setOwnAttr(n, markAttr, value)
}

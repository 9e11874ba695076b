package dom

import (
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

// Attributes of our own are in a namespace that the parser gives to no attribute of
// a page, so that no page can write them.
const (
	ownSpace      = "spyhop"
	collapsedAttr = "spyhop-collapsed"
	treeAttr      = "spyhop-tree"
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

// MarkOf returns the mark of an element that [RemoveHidden] kept because a control of the page
// shows it.
func MarkOf(n *html.Node) page.Mark {
	if ownAttr(n, collapsedAttr) != "" {
		return page.Collapsed
	}
	return page.NoMark
}

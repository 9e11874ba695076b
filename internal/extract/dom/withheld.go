package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Withheld is prose that a page hides in a way that its scripts can undo: papers hide the
// text of an article until a script has counted what the reader has read.
type Withheld struct {
	In   *html.Node // the element in sight that holds what is hidden
	Text string     // of a paragraph, without links
}

// withhold adds the prose of a hidden node to out.
func (h hiddenNode) withhold(out []Withheld) []Withheld {
	top := h.node
	switch {
	case !h.why.Waits():
		return out
	case top.Type != html.TextNode:
	default:
		top = paragraphOf(top)
	}
	if top == nil || top.Parent == nil {
		return out
	}
	in := top.Parent
	if h.node.Type == html.TextNode {
		return appendProse(out, in, h.node)
	}
	for c := range Below(top) {
		out = appendProse(out, in, c)
	}
	return out
}

// appendProse adds a text of a paragraph to out; other nodes are none.
func appendProse(out []Withheld, in, n *html.Node) []Withheld {
	if len(out) < mostWithheld && n.Type == html.TextNode && len(n.Data) >= leastProse && paragraphOf(n) != nil {
		if t := strings.TrimSpace(n.Data); len(t) >= leastProse {
			out = append(out, Withheld{in, t})
		}
	}
	return out
}

// paragraphOf returns the paragraph that holds a text outside of links, nil for none.
func paragraphOf(n *html.Node) *html.Node {
	for up := n.Parent; up != nil && (IsInline(up.DataAtom) || up.DataAtom == atom.P) && up.DataAtom != atom.A; up = up.Parent {
		if up.DataAtom == atom.P {
			return up
		}
	}
	return nil
}

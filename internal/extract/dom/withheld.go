package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Withheld is prose that a page hides in a way that its scripts can undo: papers hide the
// text of an article until a script has counted what the reader has read.
type Withheld struct {
	In    *html.Node // the element in sight that holds what is hidden
	Bytes int        // of its paragraphs, without links
}

// leastProse is how many bytes of text make a hidden paragraph prose.
const leastProse = 60

// withhold adds the prose of a hidden node to out.
func (h hiddenNode) withhold(out []Withheld) []Withheld {
	top, n := h.node, 0
	switch {
	case !h.waits:
		return out
	case top.Type == html.TextNode:
		n = proseBytes(top)
		if h.whole != nil {
			top = h.whole
		} else {
			top = paragraphOf(top)
		}
	default:
		for c := range Below(top) {
			n += proseBytes(c)
		}
	}
	if n == 0 || top == nil || top.Parent == nil {
		return out
	}
	if last := len(out) - 1; last >= 0 && out[last].In == top.Parent {
		out[last].Bytes += n
		return out
	}
	return append(out, Withheld{In: top.Parent, Bytes: n})
}

// proseBytes is the size of a text of a paragraph, 0 for other nodes.
func proseBytes(n *html.Node) int {
	if n.Type != html.TextNode || len(n.Data) < leastProse {
		return 0
	}
	size := len(strings.TrimSpace(n.Data))
	if p := paragraphOf(n); size < leastProse || p == nil {
		return 0
	}
	return size
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

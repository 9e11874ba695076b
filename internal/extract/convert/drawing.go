package convert

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
)

// This file converts text in drawings. Colours and places are not compared: white letters on
// nothing, and letters outside of the drawing, are read, on long pages with a mark.

// saysSentence reports whether there is a sentence in an SVG drawing.
func saysSentence(n *html.Node) bool {
	for k := range dom.Below(n) {
		if (k.Data == "text" || k.Data == "foreignObject") && isSentence(dom.NodeText(k, maxOptionBytes)) {
			return true
		}
	}
	return false
}

// drawing converts the text elements of an SVG drawing, a paragraph each.
func (c *converter) drawing(n *html.Node, outer ink) {
	in, painted := outer.of(n)
	if !painted {
		return
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode {
			continue
		}
		switch k.Data {
		case "defs", "symbol", "clipPath", "mask", "pattern", "marker", "title", "desc", "metadata", "script", "style":
		case "text":
			if c.o.Drawings || isSentence(dom.NodeText(k, maxOptionBytes)) {
				c.flush()
				c.letters(k, in)
				c.flush()
			}
		case "foreignObject":
			c.flush()
			c.children(k, dom.KeepAll)
			c.flush()
		case "use":
			c.copied(k, in)
		default:
			c.drawing(k, in)
		}
	}
}

// drawnParts are the parts of one drawing by their identifiers, for the elements that show
// copies of them; made at the first of these.
type drawnParts struct {
	drawing *html.Node
	byID    map[string]*html.Node
}

// copied converts a use element: what it names in its drawing, if that is text. Further
// copies say nothing new.
func (c *converter) copied(n *html.Node, in ink) {
	top := n
	for up := n.Parent; up != nil && up.Namespace == "svg"; up = up.Parent {
		top = up
	}
	if c.parts.drawing != top {
		c.parts = drawnParts{drawing: top, byID: make(map[string]*html.Node)}
		for k := range dom.Below(top) {
			if id := dom.Attr(k, "id"); id != "" && k.Data == "text" && c.parts.byID[id] == nil {
				c.parts.byID[id] = k
			}
		}
	}
	id, ok := strings.CutPrefix(dom.Attr(n, "href"), "#")
	if part := c.parts.byID[id]; ok && part != nil {
		delete(c.parts.byID, id)
		c.flush()
		c.letters(part, in)
		c.flush()
	}
}

// letters converts a text element of SVG. A part of it with its own position is a
// separate word, also if the markup has no white space.
func (c *converter) letters(n *html.Node, outer ink) {
	in, painted := outer.of(n)
	if !painted {
		return
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch {
		case k.Type == html.TextNode && !in.hidden && (!in.empty || in.stroked) && !in.tiny:
			c.textNode(k.Data)
		case k.Type == html.ElementNode && k.Data != "title" && k.Data != "desc":
			if dom.HasAttr(k, "x") || dom.HasAttr(k, "y") || dom.HasAttr(k, "dx") || dom.HasAttr(k, "dy") {
				c.space = true
			}
			c.letters(k, in)
		}
	}
}

// ink is what the presentation attributes of SVG elements say about the text in
// them, as it is inherited. Style sheets and style attributes are applied before,
// with the rest of the page.
type ink struct {
	hidden bool // visibility
	empty  bool // nothing fills the letters
	tiny   bool
	// stroked says that the letters have an outline.
	stroked bool
}

// minPainted is the least opacity, size of letters and size of a drawing that a
// person can see.
const minPainted = .1

// of returns the ink of an element in an element with ink in. It reports false when
// nothing in the element is painted.
func (in ink) of(n *html.Node) (ink, bool) {
	for i := range n.Attr {
		v := strings.ToLower(strings.TrimSpace(n.Attr[i].Val))
		f, err := strconv.ParseFloat(strings.TrimRight(v, "abcdefghijklmnopqrstuvwxyz%"), 64)
		small := err == nil && f < minPainted
		switch n.Attr[i].Key {
		case "display":
			if v == "none" {
				return in, false
			}
		case "opacity", "width", "height":
			if small {
				return in, false
			}
		case "visibility":
			in.hidden = v == "hidden" || v == "collapse"
		case "fill":
			in.empty = v == "none" || v == "transparent"
		case "stroke":
			in.stroked = v != "none" && v != "transparent"
		case "fill-opacity":
			in.empty = in.empty || small
		case "font-size":
			in.tiny = small
		}
	}
	return in, true
}

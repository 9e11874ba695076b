package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file knows text for screen readers that repeats what is painted beside it.

// holdsFormula reports whether an element contains nothing but a formula in MathML, which sites
// hide beside a picture or typeset letters of it: the MathML says more.
func holdsFormula(n *html.Node) bool {
	math := n
	if n.DataAtom != atom.Math {
		math = nil
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.DataAtom == atom.Math && math == nil:
				math = c
			case IsWordy(c), c.Type == html.ElementNode:
				return false
			}
		}
	}
	if math == nil || !paintsFormula(n.NextSibling) && !paintsFormula(n.PrevSibling) {
		return false
	}
	letters := 0
	for c := range Below(math) {
		if c.Type == html.TextNode && !strings.HasPrefix(c.Parent.Data, "annotation") {
			if t := strings.TrimSpace(c.Data); len(t) > maxSymbol || c.Parent.DataAtom == atom.Mtext {
				letters += len(t)
			}
		}
	}
	return letters <= maxProse
}

// paintsFormula reports whether what is beside a formula can be a picture or typeset letters of
// it: an element within the line.
func paintsFormula(n *html.Node) bool {
	return n != nil && n.Type == html.ElementNode && (n.DataAtom == 0 || n.DataAtom == atom.Svg || IsInline(n.DataAtom))
}

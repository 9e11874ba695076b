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

// isSpokenCopy reports whether an element repeats for screen readers what the element before it
// shows to everyone else: that one is hidden from screen readers, a part of this one's class is
// for them, and it ends with the same text, as "Price $ 79.00" beside $79.00. The style sheet
// that hides it may be missing.
func isSpokenCopy(n *html.Node) bool {
	if n.DataAtom != atom.Span || !hasSpokenPart(Attr(n, "class")) {
		return false
	}
	shown := n.PrevSibling
	for shown != nil && shown.Type == html.TextNode && !IsWordy(shown) {
		shown = shown.PrevSibling
	}
	if shown == nil || Attr(shown, "aria-hidden") != "true" {
		return false
	}
	text := strings.Join(strings.Fields(NodeText(shown, maxSpoken)), "")
	copied := strings.Join(strings.Fields(NodeText(n, maxSpoken)), "")
	return text != "" && len(copied) < maxSpoken && strings.HasSuffix(copied, text)
}

// hasSpokenPart reports whether a part of a class, such as "sr" in price__sr-text, is a name for
// what is only for screen readers.
func hasSpokenPart(class string) bool {
	if len(class) > maxSpoken {
		return false
	}
	for part := range strings.FieldsFuncSeq(class, func(r rune) bool { return r == ' ' || r == '-' || r == '_' }) {
		switch part {
		case "sr", "sronly", "srOnly", "offscreen", "a11y", "accessible", "screenreader", "hidden":
			return true
		}
	}
	return false
}

package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isPhantom reports whether MathML paints nothing of an element: of a maction, it
// paints the first child only.
func isPhantom(n *html.Node) bool {
	switch n.Data {
	case "mphantom", "annotation-xml":
		return true
	}
	if n.Parent.Data != "maction" {
		return false
	}
	for c := n.PrevSibling; c != nil; c = c.PrevSibling {
		if c.Type == html.ElementNode {
			return true
		}
	}
	return false
}

// streamed begins the identifiers of hidden elements in which React streams
// content that its script moves at once.
const streamed = "S:"

// holdsFormula reports whether an element holds nothing but a formula in MathML
// that is painted beside it: sites hide it for screen readers beside a picture, or
// beside the letters.
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
	if math == nil || proseIn(math) > maxProse {
		return false
	}
	for _, step := range [...]func(*html.Node) *html.Node{
		func(n *html.Node) *html.Node { return n.NextSibling },
		func(n *html.Node) *html.Node { return n.PrevSibling },
	} {
		for c := step(n); c != nil; c = step(c) {
			if c.Type == html.ElementNode && c.DataAtom != atom.Script && c.DataAtom != atom.Style {
				return paintsFormula(c)
			}
		}
	}
	return false
}

// maxProse is how many letters of plain text a formula that is not painted may hold.
const maxProse = 40

// proseIn counts the letters in the text elements of a formula.
func proseIn(math *html.Node) (letters int) {
	for c := range Below(math) {
		if c.Type == html.TextNode && !strings.HasPrefix(c.Parent.Data, "annotation") {
			if t := strings.TrimSpace(c.Data); len(t) > 8 || c.Parent.DataAtom == atom.Mtext {
				letters += len(t)
			}
		}
	}
	return letters
}

// paintsFormula reports whether an element shows a formula: as a picture, or as the
// letters that a typesetter has placed.
func paintsFormula(n *html.Node) bool {
	if n.DataAtom == atom.Img || n.DataAtom == atom.Svg || n.DataAtom == atom.Picture || strings.HasPrefix(n.Data, "mjx-") || strings.Contains(Attr(n, "class"), "katex") || strings.Contains(Attr(n, "class"), "MathJax") || strings.Contains(Attr(n, "class"), "mjx-") {
		return true
	}
	for c := range Below(n) {
		if c.DataAtom == atom.Img || c.DataAtom == atom.Svg {
			return true
		}
	}
	return false
}

// formula looks inside a formula that is painted beside a hidden element.
func (f *hiddenFinder) formula(n *html.Node) {
	f.view.Reset()
	f.inside(n)
}

// isSpokenCopy reports whether an element says for screen readers what the element before
// it shows to everyone else: that one is hidden from screen readers, a part of this one's
// class is for them, and it ends with the same text, as "Price $ 79.00" beside $79.00.
// The style sheet that hides it may be missing.
func isSpokenCopy(n *html.Node, class string) bool {
	const longest = 200 // bytes of the copy
	if n.DataAtom != atom.Span || len(class) > 200 || !hasSpokenPart(class) {
		return false
	}
	shown := n.PrevSibling
	for shown != nil && shown.Type == html.TextNode && strings.TrimSpace(shown.Data) == "" {
		shown = shown.PrevSibling
	}
	if shown == nil || Attr(shown, "aria-hidden") != "true" {
		return false
	}
	text := strings.Join(strings.Fields(NodeText(shown, longest)), "")
	copied := strings.Join(strings.Fields(NodeText(n, longest)), "")
	return text != "" && len(copied) < longest && strings.HasSuffix(copied, text)
}

// hasSpokenPart reports whether a part of a class, such as "sr" in price__sr-text, stands
// for what is only for screen readers.
func hasSpokenPart(class string) bool {
	for part := range strings.FieldsFuncSeq(class, func(r rune) bool { return r == ' ' || r == '-' || r == '_' }) {
		switch part {
		case "sr", "sronly", "srOnly", "offscreen", "a11y", "accessible", "screenreader", "hidden":
			return true
		}
	}
	return false
}

// forScreenReaders reports whether a class is one of the established names for
// text that is only for screen readers.
func forScreenReaders(class string) bool {
	if len(class) > 200 || !strings.Contains(class, "sr-only") && !strings.Contains(class, "hidden") && !strings.Contains(class, "screen-reader") {
		return false
	}
	for c := range strings.FieldsSeq(class) {
		switch c {
		case "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only", "u-visually-hidden":
			return true
		}
	}
	return false
}

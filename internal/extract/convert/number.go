package convert

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Pieces of text that only style keeps apart or joins: raised signs, fields
// side by side, and what is written once for the eye and once for screen readers.

// scriptAsText writes a superscript or a subscript as plain text where its position
// adds nothing: a sign such as ®, the ending of 20th, the currency or the cents of a
// price, the parts of a fraction. It reports whether n is one.
func (c *converter) scriptAsText(n *html.Node, v dom.Choice) bool {
	s := shortTextOf(n)
	switch {
	case s == "":
		return false
	case n.DataAtom == atom.Sup && dom.HasToken("® ™ ℠ ©", s):
	case n.DataAtom == atom.Sup && dom.HasToken("st nd rd th er ère ème", s) && endsInDigit(textOf(n.PrevSibling)):
	case n.DataAtom == atom.Sup && strings.Trim(s, "$€£¥₹₩₽¢") == "":
	case isCents(n):
	case isNumber(s) && n.DataAtom == atom.Sup && isFractionBar(n.NextSibling):
		c.space = c.space || endsInDigit(textOf(n.PrevSibling)) // 1½ is not 11⁄2
	case isNumber(s) && isFractionBar(n.PrevSibling):
	default:
		return false
	}
	c.children(n, v)
	return true
}

// isCents reports whether n is the cents of a price, raised: 39<sup>.99</sup>.
func isCents(n *html.Node) bool {
	s := shortTextOf(n)
	return len(s) > 1 && n.DataAtom == atom.Sup && (s[0] == '.' || s[0] == ',') && isNumber(s[1:])
}

// isFractionBar reports whether n is the sign of a fraction between a superscript and a subscript.
func isFractionBar(n *html.Node) bool {
	if n == nil || n.Type != html.TextNode {
		return false
	}
	next := n.NextSibling
	return (n.Data == "⁄" || n.Data == "/" || n.Data == "∕") && next != nil && next.DataAtom == atom.Sub || strings.HasPrefix(n.Data, "⁄")
}

func anyText(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	return dom.NodeText(n, labelBytes)
}

// beginsField reports whether n is another field than the element directly before it, e.g.
// <span class="name">size</span><span class="type">integer</span>, or <a>olga</a><span>wrote</span>:
// pages keep both apart by style. Of two links, and of a link and another element, both are
// fields; elsewhere no text is beside them, and each is more than a letter or a digit.
func beginsField(n *html.Node) bool {
	p := n.PrevSibling
	if p == nil || p.Type != html.ElementNode || !isFieldTag(p.DataAtom) || !isFieldTag(n.DataAtom) {
		return false
	}
	link := p.DataAtom == atom.A || n.DataAtom == atom.A
	if !link && p.DataAtom == n.DataAtom && (dom.Attr(p, "class") == "" || dom.Attr(n, "class") == "") {
		return false
	}
	before, after := text.Line(dom.NodeText(p, labelBytes)), text.Line(dom.NodeText(n, labelBytes))
	last, lastSize := utf8.DecodeLastRuneInString(before)
	first, firstSize := utf8.DecodeRuneInString(after)
	if lastSize == len(before) || firstSize == len(after) {
		return false
	}
	if endsInDigit(before) && (unicode.IsDigit(first) || unicode.Is(unicode.Sc, first)) {
		return true
	}
	return isLetterOrDigit(last) && isLetterOrDigit(first) && (link || !hasWords(n.Parent))
}

// isFieldTag reports whether an element of a line can be a field of its own.
func isFieldTag(a atom.Atom) bool {
	switch a {
	case atom.A, atom.Span, atom.Label, atom.Time, atom.Strong, atom.B, atom.Small:
		return true
	}
	return false
}

// isSpokenNext reports whether the element after n, for screen readers, begins with the
// text of n, which only the eye sees, e.g. "44" before "44 gold badges".
func isSpokenNext(n *html.Node) bool {
	if dom.Attr(n, "aria-hidden") != "true" {
		return false
	}
	next, t := nextElement(n), shortTextOf(n)
	return next != nil && t != "" && dom.Attr(next, "aria-hidden") != "true" && len(text.Line(dom.NodeText(next, labelBytes))) > len(t) &&
		strings.HasPrefix(text.Line(dom.NodeText(next, labelBytes)), t)
}

// isMachineText reports whether the text of an element is for machines: a URL or an ISO date
// of a property, or a timestamp beside the same date as people write it.
func isMachineText(n *html.Node) bool {
	property := dom.HasAttr(n, "itemprop")
	if !property && n.DataAtom != atom.Span && n.DataAtom != atom.Time && n.DataAtom != atom.Abbr {
		return false
	}
	first := n
	for first.FirstChild != nil {
		first = first.FirstChild
	}
	if begin := strings.TrimSpace(textOf(first)); begin == "" || !isNumber(begin[:1]) && begin[0] != 'h' {
		return false
	}
	t := strings.TrimSpace(dom.NodeText(n, labelBytes))
	if property && (strings.HasPrefix(t, "https://") || strings.HasPrefix(t, "http://")) {
		return n.DataAtom != atom.A && !strings.Contains(t, " ")
	}
	date, clock, _ := strings.Cut(t, "T")
	year, _, dashed := strings.Cut(date, "-")
	if !dashed || len(date) != len(time.DateOnly) || strings.Trim(date, "0123456789-") != "" || strings.Trim(clock, "0123456789:.+-Z") != "" || !property && clock == "" {
		return false
	}
	prev := n.PrevSibling
	for prev != nil && prev.Type == html.TextNode && !dom.IsWordy(prev) {
		prev = prev.PrevSibling
	}
	next := nextElement(n)
	return prev != nil && strings.Contains(anyText(prev), year) || next != nil && strings.Contains(anyText(next), year)
}

// textOf is the text of a text node, "" for others.
func textOf(n *html.Node) string {
	if n == nil || n.Type != html.TextNode {
		return ""
	}
	return n.Data
}

// shortTextOf is the text of a node if it is as short as a number, else "".
func shortTextOf(n *html.Node) string {
	if n != nil {
		if s := text.Line(dom.NodeText(n, shortText+1)); len(s) <= shortText {
			return s
		}
	}
	return ""
}

func endsInDigit(s string) bool { return s != "" && isNumber(s[len(s)-1:]) }

package convert

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// scriptAsText writes a superscript or a subscript as plain text where its place on the
// line adds nothing to what it says: a sign such as ®, the ending of a number such as
// 20th, the currency and the cents of a price, and the two parts of a fraction. It
// reports whether n is one.
func (c *converter) scriptAsText(n *html.Node, v dom.Choice) bool {
	s := textOf(n)
	if s == "" {
		return false
	}
	switch {
	case n.DataAtom == atom.Sup && (isSign(s) || isOrdinalEnding(s) && endsInDigit(textBefore(n))):
	case n.DataAtom == atom.Sup && isCents(s) && (endsInDigit(textOf(n.PrevSibling)) || endsPrice(n)):
	case n.DataAtom == atom.Sup && isCurrency(s) && (beginsWithDigit(textAfter(n)) || beginsWithDigit(textOf(n.NextSibling))):
	case isNumber(s) && isNumerator(n):
		if endsInDigit(textBefore(n)) {
			c.space = true // 1½ is not 11⁄2
		}
	case isNumber(s) && isDenominator(n):
	default:
		return false
	}
	c.children(n, v)
	return true
}

func isSign(s string) bool { return s == "®" || s == "™" || s == "℠" || s == "©" }

func isOrdinalEnding(s string) bool {
	switch strings.ToLower(s) {
	case "st", "nd", "rd", "th", "er", "ère", "ème":
		return true
	}
	return false
}

// isCents reports whether s is a point or a comma and two digits.
func isCents(s string) bool { return len(s) == 3 && (s[0] == '.' || s[0] == ',') && isNumber(s[1:]) }

// endsPrice reports whether the text right before n is a number with a currency beside
// it: before the number, in an element before the text, or behind n. Without one, a
// raised .25 is an exponent.
func endsPrice(n *html.Node) bool {
	if !endsInDigit(textBefore(n)) {
		return false
	}
	before := strings.TrimSpace(strings.TrimRight(textBefore(n), "0123456789.,"))
	if before == "" && isCurrency(textOf(n.PrevSibling.PrevSibling)) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(strings.TrimSpace(textAfter(n)))
	return unicode.Is(unicode.Sc, last) || unicode.Is(unicode.Sc, next)
}

// isCurrency reports whether s is the sign of a currency.
func isCurrency(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return size == len(s) && unicode.Is(unicode.Sc, r)
}

// beforeCents reports whether n holds the whole part of a price whose cents stand raised
// behind it: a mark around one half of a number says nothing.
func beforeCents(n *html.Node) bool {
	c := n.NextSibling
	return c != nil && c.DataAtom == atom.Sup && isCents(textOf(c)) && endsInDigit(textOf(n))
}

// beginsNumber reports whether an element holds another number or price than the element
// right before it, with which it would be one: pages keep both apart by style. Elements of a
// digit each are one number.
func beginsNumber(n *html.Node) bool {
	p := n.PrevSibling
	if p == nil || p.DataAtom != n.DataAtom || dom.Attr(p, "class") == "" {
		return false
	}
	before, after := textOf(p), textOf(n)
	if !endsInDigit(before) || after == "" || len(before)+len(after) <= 2 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(after)
	return beginsWithDigit(after) || unicode.Is(unicode.Sc, r)
}

// textOf is the text of a node if it is as short as a number; "" for none.
func textOf(n *html.Node) string {
	const longest = 16 // bytes
	if n == nil {
		return ""
	}
	if s := text.Line(dom.NodeText(n, longest+1)); len(s) <= longest {
		return s
	}
	return ""
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

func endsInDigit(s string) bool { return s != "" && isNumber(s[len(s)-1:]) }

func beginsWithDigit(s string) bool { return s != "" && isNumber(s[:1]) }

// isNumerator reports whether the sign of a fraction and a subscript stand behind a
// superscript.
func isNumerator(n *html.Node) bool {
	bar := n.NextSibling
	return n.DataAtom == atom.Sup && isBar(bar) && bar.NextSibling != nil && bar.NextSibling.DataAtom == atom.Sub ||
		n.DataAtom == atom.Sup && bar != nil && bar.Type == html.TextNode && strings.HasPrefix(bar.Data, "⁄")
}

// isDenominator reports whether a superscript and the sign of a fraction stand before a
// subscript.
func isDenominator(n *html.Node) bool {
	bar := n.PrevSibling
	return n.DataAtom == atom.Sub && isBar(bar) && bar.PrevSibling != nil && bar.PrevSibling.DataAtom == atom.Sup
}

func isBar(n *html.Node) bool {
	return n != nil && n.Type == html.TextNode && (n.Data == "⁄" || n.Data == "/" || n.Data == "∕")
}

// textBefore is the text right before a node, "" for none.
func textBefore(n *html.Node) string {
	if p := n.PrevSibling; p != nil && p.Type == html.TextNode {
		return p.Data
	}
	return ""
}

// textAfter is the text right behind a node, "" for none.
func textAfter(n *html.Node) string {
	if f := n.NextSibling; f != nil && f.Type == html.TextNode {
		return f.Data
	}
	return ""
}

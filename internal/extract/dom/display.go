package dom

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// IsDropped reports whether an element never holds content that can be read.
func IsDropped(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Template, atom.Svg, atom.Iframe, atom.Head, atom.Object,
		atom.Embed, atom.Canvas, atom.Audio, atom.Video, atom.Noscript, atom.Select,
		atom.Textarea, atom.Datalist, atom.Input, atom.Meta, atom.Link, atom.Title, atom.Source,
		atom.Track, atom.Param, atom.Noembed, atom.Noframes, atom.Frameset, atom.Progress, atom.Meter:
		return true
	}
	return false
}

// IsInline reports whether an element is displayed inline by default and does
// not end a block of text.
func IsInline(a atom.Atom) bool {
	switch a {
	case atom.A, atom.Span, atom.B, atom.Strong, atom.Em, atom.I, atom.U, atom.S, atom.Small,
		atom.Big, atom.Sub, atom.Sup, atom.Code, atom.Kbd, atom.Var, atom.Samp, atom.Abbr,
		atom.Cite, atom.Q, atom.Mark, atom.Time, atom.Font, atom.Label, atom.Bdi, atom.Bdo,
		atom.Ins, atom.Del, atom.Tt, atom.Img, atom.Wbr, atom.Acronym, atom.Strike, atom.Data,
		atom.Output, atom.Dfn, atom.Ruby, atom.Rb, atom.Rt, atom.Rtc, atom.Rp, atom.Picture, atom.Nobr, atom.Input,
		atom.Math, atom.Mi, atom.Mo, atom.Mn, atom.Ms, atom.Mtext, atom.Annotation, atom.Br,
		atom.Map, atom.Area:
		return true
	}
	return false
}

// InSentence reports whether an element that HTML does not know is a part of a line: it stands
// next to text, or it is a piece of an amount. Such elements are inline by default, but most
// that pages define are boxes.
func InSentence(n *html.Node) bool {
	return IsWordy(n.PrevSibling) || IsWordy(n.NextSibling) || isPiece(n)
}

// MidSentence reports whether an element stands between two texts of a paragraph or of a list
// item. A button there is a word of the sentence that opens its definition.
func MidSentence(n *html.Node) bool {
	if p := n.Parent; p == nil || p.DataAtom != atom.P && p.DataAtom != atom.Li {
		return false
	}
	if n.PrevSibling == nil || n.PrevSibling.Type != html.TextNode || n.NextSibling == nil || n.NextSibling.Type != html.TextNode {
		return false
	}
	before, after := strings.TrimSpace(n.PrevSibling.Data), strings.TrimSpace(n.NextSibling.Data)
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return before != "" && after != "" && (unicode.IsLetter(last) || strings.ContainsRune(",;(“\"'", last)) && (unicode.IsLetter(next) || strings.ContainsRune(".,;:!?)”\"'", next))
}

// isPiece reports whether an element is a piece of an amount with its currency that several
// elements hold, as in <price><dollars>$12</dollars><cents>.50</cents></price>.
func isPiece(n *html.Node) bool {
	if n.Parent == nil || n.PrevSibling == nil && n.NextSibling == nil {
		return false
	}
	var buf [maxAmount]byte
	text, nodes := buf[:0], 0
	for c := range Below(n.Parent) {
		if nodes++; nodes > maxAmountNodes {
			return false
		}
		switch {
		case c.Type == html.ElementNode && c.DataAtom != 0 && !IsInline(c.DataAtom):
			return false
		case c.Type == html.TextNode:
			t := strings.TrimSpace(c.Data)
			if t == "" {
				continue
			}
			if len(text)+len(t) > maxAmount || len(text) > 0 && isDigit(text[len(text)-1]) && isDigit(t[0]) {
				return false
			}
			text = append(text, t...)
		}
	}
	return isAmount(string(text))
}

// isAmount reports whether a text is one number with a sign of a currency: "$1,299.50". Two
// numbers without a mark between them are none.
func isAmount(s string) bool {
	sign, digits := false, 0
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case unicode.Is(unicode.Sc, r):
			if sign || digits > 0 && i+utf8.RuneLen(r) < len(s) {
				return false
			}
			sign = true
		case r != '.' && r != ',' || digits == 0:
			return false
		}
	}
	return sign && digits > 0
}

// IsWordy reports whether a node is text other than white space.
func IsWordy(n *html.Node) bool {
	if n == nil || n.Type != html.TextNode {
		return false
	}
	for i := 0; i < len(n.Data); i++ {
		if !IsSpace(n.Data[i]) {
			return true
		}
	}
	return false
}

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
// next to text. Such elements are inline by default, but most
// that pages define are boxes.
func InSentence(n *html.Node) bool {
	return IsWordy(n.PrevSibling) || IsWordy(n.NextSibling)
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

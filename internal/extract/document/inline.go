package document

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file builds the inlines of all formats.

func plain(s string) []page.Inline { return []page.Inline{{Kind: page.Text, Text: s}} }

// linked makes a link of inlines where the address is one.
func (b *builder) linked(address string, in []page.Inline) []page.Inline {
	u, err := weburl.Parse(address)
	label := page.InlineText(in)
	if err != nil || strings.TrimSpace(label) == "" {
		return in
	}
	b.link(u, label)
	return []page.Inline{{Kind: page.LinkInline, URL: u.String(), Children: in}}
}

// link notes an address that the document links to.
func (b *builder) link(u weburl.URL, label string) {
	if len(b.Links) < maxLinks {
		b.Links = append(b.Links, page.Link{URL: u.WithoutFragment().String(), Text: text.Line(label), Count: 1})
	}
}

// picture represents a picture by its alternative text; none without one.
func (b *builder) picture(alt string) []page.Inline {
	if alt = b.clean(alt); alt == "" {
		return nil
	}
	return []page.Inline{{Kind: page.ImageInline, Text: alt}}
}

// isEmpty reports whether inlines have neither text nor pictures nor notes.
func isEmpty(in []page.Inline) bool {
	for _, i := range in {
		if i.Kind == page.ImageInline || i.Kind == page.FootnoteRef || !isEmpty(i.Children) {
			return false
		}
	}
	return page.InlineText(in) == ""
}

// joined puts neighbours of one kind together: programs split words into runs.
func joined(in []page.Inline) []page.Inline {
	var out []page.Inline
	for len(in) > 0 {
		n := 1
		for n < len(in) && in[n].Kind == in[0].Kind {
			n++
		}
		same := in[:n]
		in = in[n:]
		switch kind := same[0].Kind; kind {
		case page.Text, page.CodeSpan:
			var b strings.Builder
			for _, i := range same {
				b.WriteString(i.Text)
			}
			out = append(out, page.Inline{Kind: kind, Text: b.String()})
		case page.Strong, page.Emphasis, page.Strike, page.Sub, page.Sup:
			var children []page.Inline
			for _, i := range same {
				children = append(children, i.Children...)
			}
			out = append(out, page.Inline{Kind: kind, Children: joined(children)})
		default:
			out = append(out, same...)
		}
	}
	return out
}

// asCode makes a code span of text in a monospaced font within other text.
func asCode(in []page.Inline, mono bool) []page.Inline {
	s := ""
	for _, i := range in {
		mono = mono && i.Kind == page.Text
		s += i.Text
	}
	if !mono || strings.TrimSpace(s) == "" {
		return in
	}
	return []page.Inline{{Kind: page.CodeSpan, Text: s}}
}

// marks are the kinds of emphasis in the order in which they are nested, the innermost
// first.
var marks = [...]page.InlineKind{page.Strong, page.Emphasis, page.Strike, page.Sup, page.Sub}

// marked emphasizes inlines in the ways that are set, in the order of marks.
func marked(in []page.Inline, set ...bool) []page.Inline {
	for i, on := range set {
		if on {
			in = []page.Inline{{Kind: marks[i], Children: in}}
		}
	}
	return in
}

// onlyFormula is the formula that a paragraph consists of, or "".
func onlyFormula(in []page.Inline) string {
	out := ""
	for _, i := range in {
		switch {
		case i.Kind == page.MathInline && out == "":
			out = i.Text
		case i.Kind != page.Text || strings.TrimSpace(i.Text) != "":
			return ""
		}
	}
	return out
}

// fold folds white space and keeps one space at the ends, since a run may end
// in the middle of a sentence.
func (b *builder) fold(s string) string {
	c := b.clean(s)
	switch {
	case s == "":
		return ""
	case c == "":
		return " "
	}
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsSpace(first) {
		c = " " + c
	}
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsSpace(last) {
		c += " "
	}
	return c
}

package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// holdsMath reports whether inlines contain a formula. Beside one, a parser would
// take an unescaped dollar sign for a delimiter.
func holdsMath(in []page.Inline) bool {
	for i := range in {
		if in[i].Kind == page.MathInline || len(in[i].Children) > 0 && holdsMath(in[i].Children) {
			return true
		}
	}
	return false
}

// inlines writes inlines; after is the rune that will follow the last of them,
// 0 for the end of the line.
func (w *writer) inlines(in []page.Inline, after rune) {
	for i := range in {
		x := &in[i]
		switch x.Kind {
		case page.Text:
			next := after
			if i+1 < len(in) {
				next = w.firstRune(in[i+1:], after)
			}
			w.text(x.Text, next)
		case page.Emphasis, page.Strong, page.Strike:
			next := w.firstRune(in[i+1:], after)
			if x.Kind == page.Strong && w.bold > 0 {
				w.inlines(x.Children, next)
				continue
			}
			w.mark(x, next)
		case page.Sub:
			w.tagged("sub", x)
		case page.Sup:
			w.tagged("sup", x)
		case page.CodeSpan:
			w.codeSpan(x.Text)
		case page.LinkInline:
			w.link(x)
		case page.ImageInline:
			w.image(x)
		case page.MathInline:
			w.math(x.Text)
		case page.Break:
			w.lineBreak(in[i+1:])
		case page.FootnoteRef:
			w.b = append(w.b, "[^"...)
			w.label(x.Text)
			w.b = append(w.b, ']')
		}
	}
}

// firstRune returns the first rune that inlines will write.
func (w *writer) firstRune(in []page.Inline, after rune) rune {
	for i := range in {
		if r := w.begins(&in[i]); r != 0 {
			return r
		}
	}
	return after
}

// opening has the first rune of what an inline with children is written as.
var opening = map[page.InlineKind]rune{page.Emphasis: '*', page.Strong: '*', page.Strike: '~', page.Sub: '<', page.Sup: '<'}

// begins returns the first rune that an inline will write, 0 for none.
func (w *writer) begins(x *page.Inline) rune {
	switch x.Kind {
	case page.Text:
		if x.Text != "" {
			r, _ := utf8.DecodeRuneInString(x.Text)
			return r
		}
	case page.CodeSpan:
		return '`'
	case page.LinkInline, page.FootnoteRef:
		return '['
	case page.ImageInline:
		if w.o.Images && x.URL != "" {
			return '!'
		}
		if x.Text != "" {
			return '['
		}
	case page.MathInline:
		return '$'
	case page.Break:
		return ' '
	default:
		if len(x.Children) > 0 {
			return opening[x.Kind]
		}
	}
	return 0
}

// lineBreak writes a line break of the author. At the end of a block it writes
// nothing.
func (w *writer) lineBreak(rest []page.Inline) {
	w.trim(w.bol)
	if len(w.b) == w.bol || len(rest) == 0 {
		return
	}
	switch {
	case w.inHead:
		w.b = append(w.b, ' ')
	case w.inCell:
		w.b = append(w.b, "<br>"...)
	default:
		w.b = append(w.b, '\\', '\n')
		w.pad() // a line that goes on with a paragraph can be without
		w.bol = len(w.b)
		w.first = false
	}
}

func (w *writer) tagged(tag string, x *page.Inline) {
	if len(x.Children) == 0 {
		return
	}
	w.b = append(w.b, '<')
	w.b = append(w.b, tag...)
	w.b = append(w.b, '>')
	w.inlines(x.Children, '<')
	w.b = append(w.b, "</"...)
	w.b = append(w.b, tag...)
	w.b = append(w.b, '>')
}

// codeSpan writes code with delimiters that do not occur in it.
func (w *writer) codeSpan(s string) {
	if s == "" {
		return
	}
	// A run of backticks right before would join the delimiter.
	if n := len(w.b); n > w.bol && w.b[n-1] == '`' && !w.escaped() {
		w.b = append(w.b, ' ')
	}
	n := longerRun(s, 1)
	for range n {
		w.b = append(w.b, '`')
	}
	first, last := s[0], s[len(s)-1]
	pad := first == '`' || last == '`' || isSpace(rune(first)) && isSpace(rune(last)) && strings.Trim(s, " \n") != ""
	if pad {
		w.b = append(w.b, ' ')
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n' || c == '\r':
			w.b = append(w.b, ' ')
		case c == '|' && w.inCell:
			w.b = append(w.b, '\\', '|')
		default:
			w.b = append(w.b, c)
		}
	}
	if pad {
		w.b = append(w.b, ' ')
	}
	for range n {
		w.b = append(w.b, '`')
	}
}

// label writes the label of a footnote: no white space, no brackets.
func (w *writer) label(s string) {
	n := 0
	for _, r := range s {
		switch {
		case r <= ' ' || r == '[' || r == ']' || r == '\\' || r == '`' || r == '<' || r == '|' || r == '&' || r == '*' || r == '_' || r == '^':
			continue
		}
		w.b = utf8.AppendRune(w.b, r)
		if n++; n > maxLabel {
			break
		}
	}
	if n == 0 {
		w.b = append(w.b, '0')
	}
}

func (w *writer) math(tex string) {
	if tex == "" {
		return
	}
	w.b = append(w.b, '$')
	at := len(w.b)
	w.tex(tex, false)
	w.trim(at)
	w.b = append(w.b, '$')
}

// tex writes TeX. A parser without support for formulas must not find links, tags
// or fences in it, and no parser may end the formula early; the inserted spaces that
// prevent this have no meaning in TeX.
func (w *writer) tex(s string, block bool) {
	at := len(w.b)
	prev := byte(0)
	for i := 0; i < len(s); i++ {
		w.texByte(s[i], prev)
		if len(w.b) > at {
			prev = w.b[len(w.b)-1]
		}
	}
	if n := len(w.b); !block && n > at && w.b[n-1] == '\\' {
		w.b = append(w.b, "backslash"...)
	}
}

// texByte writes a byte of TeX; prev is the one before, 0 at the beginning.
func (w *writer) texByte(c, prev byte) {
	switch {
	case c == '\n' || c == ' ' || c == '\t' || c == '\r':
		if prev != 0 && prev != ' ' {
			w.b = append(w.b, ' ')
		}
	case c == '$' && prev != '\\':
		w.b = append(w.b, '\\', '$')
	case c == '`':
		w.b = append(w.b, '\'')
	case (c == '(' || c == '[' || c == ':') && prev == ']', prev == '<' && c != ' ', c == '~' && prev == '~':
		w.b = append(w.b, ' ', c)
	case c == '|' && w.inCell:
		w.b = append(w.b, `\vert `...)
	default:
		w.b = append(w.b, c)
	}
}

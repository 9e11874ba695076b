package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// mark writes a mark with delimiters that a CommonMark parser recognizes. The
// parser checks the characters on both sides of a delimiter, so white space and
// punctuation at the edges may have to be outside of the delimiters. Where that does
// not help, the mark is lost and its text stays.
func (w *writer) mark(x *page.Inline, after rune) {
	lead, in, tail := splitSpace(x.Children)
	if lead {
		w.text(" ", 'x')
	}
	if len(in) == 0 {
		return
	}
	if tail {
		after = ' '
	}
	before := w.before()
	opens, closes := canOpen(before, w.firstRune(runStart(in), 0)), canClose(lastRune(runEnd(in)), after)
	moved := ""
	if !opens {
		var punct string
		if punct, in = cutPunct(in); punct != "" {
			w.text(punct, w.firstRune(in, '*'))
			before = w.before()
			opens = len(in) > 0 && canOpen(before, w.firstRune(in, 0))
		}
	}
	if opens && !closes {
		if moved, in = cutLastPunct(in); moved != "" {
			closes = len(in) > 0 && canClose(lastRune(in), firstOf(moved))
		}
	}
	next := after
	if moved != "" {
		next = firstOf(moved)
	}
	switch {
	case len(in) == 0:
	case !opens || !closes || w.firstRune(in, 0) == 0:
		w.inlines(in, next)
	default:
		w.delimited(x.Kind, in, before, next)
	}
	if moved != "" {
		w.text(moved, after)
	}
	if tail {
		w.text(" ", 0)
	}
}

// delimited writes a mark between its delimiters.
func (w *writer) delimited(kind page.InlineKind, in []page.Inline, before, after rune) {
	delim := "*"
	switch {
	case kind == page.Strong:
		delim = "**"
	case kind == page.Strike:
		delim = "~~"
	case needsUnderscore(in, before == '*' && !w.escaped(), before, after):
		delim = "_"
	}
	w.b = append(w.b, delim...)
	w.inlines(in, rune(delim[0]))
	w.trim(0)
	w.b = append(w.b, delim...)
}

// needsUnderscore reports whether the asterisks of emphasis would form one run with
// adjacent ones. The other delimiter separates them, where it is allowed.
// Strong text never needs it: a run of three is read as emphasis around strong text.
func needsUnderscore(in []page.Inline, star bool, before, after rune) bool {
	if isWordRune(before) || isWordRune(after) || before == '_' {
		return false
	}
	return star || after == '*' || in[0].Kind == page.Emphasis || in[len(in)-1].Kind == page.Emphasis
}

// runStart returns the inlines behind the delimiters of marks at the start: they join those before
// them to one run, and a parser looks at the characters around the run. runEnd is the
// same for the end.
func runStart(in []page.Inline) []page.Inline {
	for len(in) > 0 && (in[0].Kind == page.Emphasis || in[0].Kind == page.Strong) {
		in = in[0].Children
	}
	return in
}

func runEnd(in []page.Inline) []page.Inline {
	for n := len(in); n > 0 && (in[n-1].Kind == page.Emphasis || in[n-1].Kind == page.Strong); n = len(in) {
		in = in[n-1].Children
	}
	return in
}

// splitSpace splits the white space off the edges of inlines.
func splitSpace(in []page.Inline) (lead bool, rest []page.Inline, tail bool) {
	rest = in
	if n := len(in); n == 0 || !(in[0].Kind == page.Text && strings.HasPrefix(in[0].Text, " ")) && !(in[n-1].Kind == page.Text && strings.HasSuffix(in[n-1].Text, " ")) {
		return false, in, false
	}
	rest = slices.Clone(in)
	for len(rest) > 0 && rest[0].Kind == page.Text {
		t := strings.TrimLeft(rest[0].Text, " ")
		lead = lead || t != rest[0].Text
		if rest[0].Text = t; t != "" {
			break
		}
		rest = rest[1:]
	}
	for n := len(rest); n > 0 && rest[n-1].Kind == page.Text; n = len(rest) {
		t := strings.TrimRight(rest[n-1].Text, " ")
		tail = tail || t != rest[n-1].Text
		if rest[n-1].Text = t; t != "" {
			break
		}
		rest = rest[:n-1]
	}
	return lead, rest, tail
}

// cutPunct splits the punctuation off the start of inlines.
func cutPunct(in []page.Inline) (punct string, rest []page.Inline) {
	if len(in) == 0 || in[0].Kind != page.Text {
		return "", in
	}
	t := strings.TrimLeftFunc(in[0].Text, isPunctOrSpace)
	if t == "" {
		return in[0].Text, in[1:]
	}
	rest = slices.Clone(in)
	rest[0].Text = t
	return in[0].Text[:len(in[0].Text)-len(t)], rest
}

// cutLastPunct splits the punctuation off the end of inlines.
func cutLastPunct(in []page.Inline) (punct string, rest []page.Inline) {
	n := len(in) - 1
	if n < 0 || in[n].Kind != page.Text {
		return "", in
	}
	t := strings.TrimRightFunc(in[n].Text, isPunctOrSpace)
	if t == "" {
		return in[n].Text, in[:n]
	}
	rest = slices.Clone(in)
	rest[n].Text = t
	return in[n].Text[len(t):], rest
}

func isPunctOrSpace(r rune) bool { return r == ' ' || isPunct(r) }

func firstOf(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// before returns the last rune of the output, ' ' at the start of a line.
func (w *writer) before() rune {
	if len(w.b) <= w.bol {
		return ' '
	}
	r, _ := utf8.DecodeLastRune(w.b)
	return r
}

// escaped reports whether the last character is escaped.
func (w *writer) escaped() bool {
	n := 0
	for i := len(w.b) - 2; i >= w.bol && w.b[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// lastRune returns the last rune that inlines write.
func lastRune(in []page.Inline) rune {
	for i := len(in) - 1; i >= 0; i-- {
		x := &in[i]
		if x.Kind != page.Text {
			return closing[x.Kind]
		}
		if x.Text != "" {
			r, _ := utf8.DecodeLastRuneInString(x.Text)
			return r
		}
	}
	return 0
}

// closing has the last rune of what an inline is written as.
var closing = [...]rune{
	page.Emphasis: '*', page.Strong: '*', page.Strike: '~', page.Sub: '>', page.Sup: '>', page.CodeSpan: '`',
	page.LinkInline: ')', page.ImageInline: ']', page.FootnoteRef: ']', page.MathInline: '$', page.Break: ' ',
}

// canOpen reports whether a run of * between two runes is left-flanking, and
// canClose whether it is right-flanking (CommonMark 0.31, section 6.2).
func canOpen(before, next rune) bool {
	if isSpace(next) || next == 0 {
		return false
	}
	return !isPunct(next) || isSpace(before) || before == 0 || isPunct(before)
}

func canClose(before, next rune) bool { return canOpen(next, before) }

func isSpace(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r > 0x7f && unicode.IsSpace(r)
}

func isPunct(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
	}
	return unicode.IsPunct(r) || unicode.IsSymbol(r)
}

func isWordRune(r rune) bool { return r != 0 && !isSpace(r) && !isPunct(r) }

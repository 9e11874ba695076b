package markdown

import (
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// emphasis writes a mark with delimiters that a CommonMark parser recognizes. The
// parser checks the characters on both sides of a delimiter, so white space and
// punctuation at the edges may have to be outside of the delimiters.
func (w *writer) emphasis(x *page.Inline, after rune) {
	if len(x.Children) == 0 {
		return
	}
	if x.Kind == page.Strong && w.bold > 0 {
		w.inlines(x.Children, after)
		return
	}
	w.mark(x, after)
}

// mark writes the delimiters and what is between them.
func (w *writer) mark(x *page.Inline, after rune) {
	// Spaces at the edges are written outside.
	lead, in, tail := splitSpace(x.Children)
	if lead {
		w.text(" ", 'x')
	}
	if len(in) == 0 {
		return
	}
	if tail != "" {
		after = ' '
	}
	switch e := w.edgesOf(in, after); {
	case w.firstRune(in, 0) == 0:
		w.inlines(in, after) // nothing comes of it
	case e.opens && e.closes:
		w.delimited(x.Kind, in, e)
	default:
		w.undelimited(x.Kind, in, e)
	}
	if tail != "" {
		w.text(tail, 0)
	}
}

// edges says how the content of a mark stands between the runes around it.
type edges struct {
	before, after rune
	opens, closes bool // delimiters are recognized at the start, at the end
	// run is set where delimiters join those of a mark inside: adjacent delimiters of
	// one kind form one run, and the characters around the whole run count.
	run bool
}

func (w *writer) edgesOf(in []page.Inline, after rune) edges {
	e := edges{before: w.before(), after: after}
	first := w.firstRune(in, 0)
	e.opens, e.closes = canOpen(e.before, first), canClose(lastRune(in), after)
	if !e.opens && startsWithMark(in) && canOpen(e.before, deepRune(in, false)) {
		e.opens, e.run = true, true
	}
	if !e.closes && endsWithMark(in) && canClose(deepRune(in, true), after) {
		e.closes, e.run = true, true
	}
	return e
}

// undelimited writes a mark whose delimiters would not be recognized: punctuation at
// the edges goes outside if that helps, else the mark is lost.
func (w *writer) undelimited(kind page.InlineKind, in []page.Inline, e edges) {
	if !e.opens {
		if p, rest, ok := moveLead(in, e.before); ok {
			w.text(p, w.firstRune(rest, '*'))
			w.mark(&page.Inline{Kind: kind, Children: rest}, e.after)
			return
		}
	} else if p, rest, ok := moveTail(in, e.after); ok {
		w.mark(&page.Inline{Kind: kind, Children: rest}, firstOf(p))
		w.text(p, e.after)
		return
	}
	w.inlines(in, e.after)
}

// delimited writes a mark between its delimiters.
func (w *writer) delimited(kind page.InlineKind, in []page.Inline, e edges) {
	delim := "*"
	switch {
	case kind == page.Strong:
		delim = "**"
	case kind == page.Strike:
		delim = "~~"
	case w.needsUnderscore(in, e):
		delim = "_"
	}
	if e.run {
		w.star++
	}
	w.b = append(w.b, delim...)
	w.inlines(in, rune(delim[0]))
	w.trim(0)
	if e.run {
		w.star--
	}
	w.b = append(w.b, delim...)
}

// needsUnderscore reports whether the asterisks of emphasis would form one run with
// adjacent ones. The other delimiter character separates them, where it is allowed.
// Strong text never needs that: a run of three is parsed as emphasis around strong
// text.
func (w *writer) needsUnderscore(in []page.Inline, e edges) bool {
	if isWordRune(e.before) || isWordRune(e.after) || e.run || w.star != 0 || e.before == '_' && !w.escaped() {
		return false
	}
	return e.before == '*' && !w.escaped() || e.after == '*' || startsWithKind(in, page.Emphasis) || endsWithKind(in, page.Emphasis)
}

// deepRune returns the first or last rune within nested marks.
func deepRune(in []page.Inline, last bool) rune {
	for len(in) > 0 {
		k := 0
		if last {
			k = len(in) - 1
		}
		x := &in[k]
		if x.Kind == page.Emphasis || x.Kind == page.Strong {
			in = x.Children
			continue
		}
		if last {
			return lastRune(in)
		}
		if x.Kind == page.Text && x.Text != "" {
			r, _ := utf8.DecodeRuneInString(x.Text)
			return r
		}
		return '<' // all others begin with punctuation
	}
	return 0
}

func startsWithMark(in []page.Inline) bool {
	return len(in) > 0 && (in[0].Kind == page.Emphasis || in[0].Kind == page.Strong)
}

func endsWithMark(in []page.Inline) bool {
	k := len(in) - 1
	return k >= 0 && (in[k].Kind == page.Emphasis || in[k].Kind == page.Strong)
}

func startsWithKind(in []page.Inline, k page.InlineKind) bool { return len(in) > 0 && in[0].Kind == k }

func endsWithKind(in []page.Inline, k page.InlineKind) bool {
	return len(in) > 0 && in[len(in)-1].Kind == k
}

func firstOf(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// splitSpace splits the white space off the edges of inlines.
func splitSpace(in []page.Inline) (lead bool, rest []page.Inline, tail string) {
	copied := false
	own := func() {
		if !copied {
			in = append([]page.Inline(nil), in...)
			copied = true
		}
	}
	for len(in) > 0 && in[0].Kind == page.Text {
		t := in[0].Text
		i := 0
		for i < len(t) && t[i] == ' ' {
			i++
		}
		if i == 0 {
			break
		}
		lead = true
		if i == len(t) {
			in = in[1:]
			continue
		}
		own()
		in[0].Text = t[i:]
		break
	}
	for k := len(in) - 1; k >= 0 && in[k].Kind == page.Text; k = len(in) - 1 {
		t := in[k].Text
		i := len(t)
		for i > 0 && t[i-1] == ' ' {
			i--
		}
		if i == len(t) {
			break
		}
		tail = " "
		if i == 0 {
			in = in[:k]
			continue
		}
		own()
		in[k].Text = t[:i]
		break
	}
	return lead, in, tail
}

// moveLead splits the punctuation off the start of inlines.
func moveLead(in []page.Inline, before rune) (punct string, rest []page.Inline, ok bool) {
	if in[0].Kind != page.Text {
		return "", nil, false
	}
	t := in[0].Text
	i := 0
	for i < len(t) {
		r, size := utf8.DecodeRuneInString(t[i:])
		if !isPunct(r) && r != ' ' {
			break
		}
		i += size
	}
	if i == 0 {
		return "", nil, false
	}
	if i == len(t) {
		return t, in[1:], len(in) > 1
	}
	rest = append([]page.Inline(nil), in...)
	rest[0].Text = t[i:]
	return t[:i], rest, true
}

// moveTail splits the punctuation off the end of inlines.
func moveTail(in []page.Inline, after rune) (punct string, rest []page.Inline, ok bool) {
	k := len(in) - 1
	if in[k].Kind != page.Text {
		return "", nil, false
	}
	t := in[k].Text
	i := len(t)
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(t[:i])
		if !isPunct(r) && r != ' ' {
			break
		}
		i -= size
	}
	if i == len(t) {
		return "", nil, false
	}
	if i == 0 {
		return t, in[:k], k > 0
	}
	rest = append([]page.Inline(nil), in...)
	rest[k].Text = t[:i]
	return t[i:], rest, true
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
		switch x.Kind {
		case page.Text:
			if x.Text != "" {
				r, _ := utf8.DecodeLastRuneInString(x.Text)
				return r
			}
		case page.Emphasis, page.Strong:
			return '*'
		case page.Strike:
			return '~'
		case page.Sub, page.Sup:
			return '>'
		case page.CodeSpan:
			return '`'
		case page.LinkInline:
			return ')'
		case page.ImageInline, page.FootnoteRef:
			return ']'
		case page.MathInline:
			return '$'
		case page.Break:
			return ' '
		}
	}
	return 0
}

// canOpen reports whether a run of * between two runes is left-flanking, and
// canClose whether it is right-flanking (CommonMark 0.31, section 6.2).
func canOpen(before, next rune) bool {
	if isSpace(next) || next == 0 {
		return false
	}
	return !isPunct(next) || isSpace(before) || before == 0 || isPunct(before)
}

func canClose(before, next rune) bool {
	if isSpace(before) || before == 0 {
		return false
	}
	return !isPunct(before) || isSpace(next) || next == 0 || isPunct(next)
}

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

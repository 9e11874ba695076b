package snapshot

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// words adds a page's text to the line.
func (w *writer) words(s string) {
	w.text = true
	w.add(s)
}

// add writes text with single spaces, without invisible characters, and without
// text that looks like a ref.
func (w *writer) add(s string) {
	for i, r := range s {
		switch class := text.ClassOf(r); {
		case r == '\n' && w.pre:
			w.brk()
			w.text = true
		case class == text.Space && w.keep && len(w.buf) == 0 && len(w.indent) < mostIndent:
			w.indent = append(w.indent, s[i:i+utf8.RuneLen(r)]...)
		case class == text.Space:
			w.space = true
		case isGlyph(r):
		case class != text.Plain && (w.space || !text.Keeps(w.buf, r, s[i+utf8.RuneLen(r):])):
		default:
			if w.space && len(w.buf) > 0 {
				w.buf = append(w.buf, ' ')
			}
			w.space = false
			if r == '(' && len(w.buf) > 0 && w.buf[len(w.buf)-1] == ']' {
				w.buf = append(w.buf, ' ')
			}
			w.buf = utf8.AppendRune(w.buf, r)
		}
	}
}

// isGlyph reports whether a character is for private use: a sign of an icon font,
// which says nothing as text.
func isGlyph(r rune) bool { return r >= 0xe000 && r <= 0xf8ff || r >= 0xf0000 }

// raw writes text of the snapshot's own notation.
func (w *writer) raw(s string) {
	if w.space && len(w.buf) > 0 && s[0] != ' ' {
		w.buf = append(w.buf, ' ')
	}
	w.space = false
	w.buf = append(w.buf, s...)
}

// numbered reports whether a line begins with the number of an entry, as "12. ".
func numbered(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	return len(rest) < len(s) && (rest == "." || strings.HasPrefix(rest, ". "))
}

// number is the number of a list's entry that waits for its first words.
func (w *writer) number() string {
	if numbered(w.prefix) {
		return w.prefix
	}
	return ""
}

// brk ends the line.
func (w *writer) brk() {
	w.space = false
	text, indent := strings.TrimRight(string(w.buf), " |"), string(w.indent)
	w.buf, w.indent = w.buf[:0], w.indent[:0]
	l := w.line
	if text == "" {
		w.line = Line{Level: l.Level}
		return
	}
	w.line, w.told, w.ended = Line{}, "", 0
	prefix := w.prefix
	w.prefix = ""
	if prefix == "- " && (!w.text || numbered(text)) {
		prefix = "" // a control needs no bullet, nor does what has a number
	}
	w.text = false
	if prefix == "" {
		prefix = indent
	}
	l.Text = prefix + text
	for k := range l.later {
		l.later[k].at += len(prefix)
	}
	l.Region = w.region
	l.behind = w.folds() && !l.front && w.inDialog == 0
	w.openRegion(w.region, l.behind)
	if all := w.page.Lines; len(all) == cap(all) {
		w.page.Lines = slices.Grow(all, len(all)/2+16) // append copies long lists more often
	}
	w.page.Lines = append(w.page.Lines, l)
}

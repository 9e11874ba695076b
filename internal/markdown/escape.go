package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// text writes text, and escapes it where a parser would recognize markup. next is
// the rune that will follow it, 0 at the end of the line.
//
// The common case, a run of letters and spaces, is copied as it is.
func (w *writer) text(s string, next rune) {
	if n := len(w.b); len(s) > 0 && s[0] == ' ' && (n == w.bol || w.b[n-1] == ' ' || w.inCell && bytes.HasSuffix(w.b, []byte("<br>"))) {
		s = s[1:]
	}
	if s == "" {
		return
	}
	if len(w.b) == w.bol {
		s = w.lineStart(s, next)
	} else if n := len(w.b); w.b[n-1] == ']' && (s[0] == '(' || s[0] == ':' || s[0] == '[') {
		// After a bracket of the writer, this would be a link destination.
		w.b = append(w.b, '\\', s[0])
		s = s[1:]
	}
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || !special[c] {
			continue
		}
		switch c {
		case '*', '_', '~':
			// A run is judged as one.
			end := i + 1
			for end < len(s) && s[end] == c {
				end++
			}
			if w.delimiter(s, i, end, next) {
				w.b = append(w.b, s[from:i]...)
				for range end - i {
					w.b = append(w.b, '\\', c)
				}
				from = end
			}
			i = end - 1
		case '\n':
			// Producers collapse white space; a stray newline must not begin a line.
			w.b = append(w.b, s[from:i]...)
			w.b = append(w.b, ' ')
			from = i + 1
		default:
			if w.escapes(s, i, next) {
				w.b = append(w.b, s[from:i]...)
				w.b = append(w.b, '\\')
				from = i
			}
		}
	}
	w.b = append(w.b, s[from:]...)
}

// escapes reports whether the special character s[i] needs an escape, unless it is a
// delimiter of emphasis.
func (w *writer) escapes(s string, i int, next rune) bool {
	last := i+1 == len(s)
	after := next // the first byte of what follows
	if !last {
		after = rune(s[i+1])
	}
	switch s[i] {
	case '\\':
		return isPunct(after) || last && (next == 0 || isSpace(next))
	case '`':
		return true
	case '[':
		return w.inLink > 0 || !last && after == '^'
	case ']':
		return w.inLink > 0 || after == '(' || after == '[' || after == ':'
	case '<':
		if last {
			return next != 0 && !isSpace(next)
		}
		return beginsTag(s[i+1]) || isMail(s[i+1:], next)
	case '&':
		return isEntity(s[i:])
	case '$':
		return w.isDollar(s, i, next)
	case '|':
		return w.inCell
	}
	return false
}

// beginsTag reports whether a byte behind < begins a tag, a comment or a declaration.
func beginsTag(c byte) bool {
	letter := c | 0x20
	return letter >= 'a' && letter <= 'z' || c == '/' || c == '!' || c == '?'
}

// special marks the characters that may need escaping.
var special = [utf8.RuneSelf]bool{'\\': true, '`': true, '*': true, '_': true, '~': true, '[': true, ']': true, '<': true, '&': true, '$': true, '|': true, '\n': true}

// delimiter reports whether the run of delimiters s[lo:hi] could open or close
// emphasis.
func (w *writer) delimiter(s string, lo, hi int, next rune) bool {
	c := s[lo]
	before := rune(' ')
	if lo > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:lo])
	} else if len(w.b) > w.bol {
		before, _ = utf8.DecodeLastRune(w.b)
		if rune(c) == before {
			return true
		}
	}
	after := next
	if hi < len(s) {
		after, _ = utf8.DecodeRuneInString(s[hi:])
	}
	if rune(c) == after {
		return true
	}
	opens, closes := canOpen(before, after), canClose(before, after)
	switch c {
	case '_':
		// Within a word an underscore is one.
		if opens && closes && !isPunct(before) && !isPunct(after) {
			return false
		}
	case '~':
		if hi-lo > 2 {
			return false
		}
		if hi-lo == 1 {
			return closes // what is never closed needs no escape
		}
	}
	return opens || closes
}

// isDollar reports whether a dollar sign could delimit a formula: it opens one
// before text, or closes one after text and not before a digit.
func (w *writer) isDollar(s string, i int, next rune) bool {
	if w.hasMath {
		return true
	}
	after := next
	if i+1 < len(s) {
		after = rune(s[i+1])
	}
	before := rune(' ')
	if i > 0 {
		before = rune(s[i-1])
	} else if len(w.b) > w.bol {
		before = rune(w.b[len(w.b)-1])
	}
	if before == '$' || after == '$' {
		return true
	}
	if w.dollar && !isSpace(before) && (after < '0' || after > '9') {
		return true
	}
	if after != 0 && !isSpace(after) {
		w.dollar = true
	}
	return false
}

// isMail reports whether an e-mail address in angle brackets may begin here: no
// white space up to an @, which can be in the text that follows s.
func isMail(s string, next rune) bool {
	for i := 0; i < len(s) && i < maxMail; i++ {
		switch s[i] {
		case '@':
			return true
		case ' ', '<', '>':
			return false
		}
	}
	return next != 0 && !isSpace(next) && len(s) < maxMail
}

// isEntity reports whether s begins with what may be a character reference.
func isEntity(s string) bool {
	i := 1
	if i < len(s) && s[i] == '#' {
		i++
	}
	n := 0
	for i < len(s) && n < maxEntity {
		c := s[i]
		if c == ';' {
			return n > 0
		}
		if l := c | 0x20; !(l >= 'a' && l <= 'z' || c >= '0' && c <= '9') {
			return false
		}
		i++
		n++
	}
	return false
}

// lineStart writes the beginning of a line, escaped where it would start a block,
// and returns the rest of s.
func (w *writer) lineStart(s string, next rune) string {
	if s[0] >= '0' && s[0] <= '9' {
		at := 1
		for at < len(s) && at < maxMarker && s[at] >= '0' && s[at] <= '9' {
			at++
		}
		if at >= len(s) || s[at] != '.' && s[at] != ')' || !endsMarker(s, at+1, next) {
			return s
		}
		w.b = append(w.b, s[:at]...)
		s = s[at:]
	} else if !w.startsBlock(s, next) {
		return s
	}
	w.b = append(w.b, '\\', s[0])
	return s[1:]
}

// startsBlock reports whether a line that begins with s would start another block than
// a paragraph or a numbered list.
func (w *writer) startsBlock(s string, next rune) bool {
	switch c := s[0]; c {
	case '>':
		return true
	case '#':
		i := 0
		for i < len(s) && s[i] == '#' {
			i++
		}
		return i <= maxLevel && endsMarker(s, i, next)
	case '+', '-', '*':
		return endsMarker(s, 1, next) || only(s, c)
	case '_':
		return only(s, c)
	case '=':
		return only(s, c) && next == 0
	case '~':
		return strings.HasPrefix(s, "~~~")
	case '|', ':':
		return !w.first && only(s, 0)
	case '[':
		// A task, where an item begins.
		return w.item != 0 && len(s) > 2 && s[2] == ']'
	}
	return false
}

// endsMarker reports whether the marker of a block ends before s[i].
func endsMarker(s string, i int, next rune) bool {
	if i < len(s) {
		return s[i] == ' '
	}
	return next == 0 || isSpace(next)
}

// only reports whether s consists of c and spaces; c = 0 means the characters of
// the delimiter row of a table.
func only(s string, c byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == ' ' || s[i] == c || c == 0 && (s[i] == '-' || s[i] == '|' || s[i] == ':') || (c == '-') && (s[i] == '|' || s[i] == ':') {
			continue
		}
		return false
	}
	return true
}

package dom

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// IsSpace reports whether a byte is white space of HTML.
func IsSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

// CutTitle takes the FirstNonBlank part off a title: parts are set apart by a dash or
// the like with space on both sides.
func CutTitle(t string) (part, rest string) {
	best, size := len(t), 0
	for _, sep := range [...]string{" - ", " – ", " — ", " | ", " · ", " • ", " » ", " :: ", "｜"} {
		if i := strings.Index(t, sep); i >= 0 && i < best {
			best, size = i, len(sep)
		}
	}
	return t[:best], t[best+size:]
}

// PlainWords is s in lower case, with single spaces in the place of
// punctuation and without apostrophes.
func PlainWords(s string) string {
	w := plainWriter{}
	w.Grow(len(s))
	for i := 0; i < len(s); i++ {
		run := i
		for run < len(s) && (s[run]-'a' < 26 || s[run]-'0' < 10) { // bytes are unsigned
			run++
		}
		if run > i {
			w.separate()
			w.WriteString(s[i:run])
			if i = run; i == len(s) {
				break
			}
		}
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			w.wide(r)
			i += size - 1
		case c >= 'A' && c <= 'Z':
			w.separate()
			w.WriteByte(c | 0x20)
		default:
			w.space = w.space || c != '\''
		}
	}
	return w.String()
}

// plainWriter writes plain words.
type plainWriter struct {
	strings.Builder
	space bool // one is due before the next character
}

// separate writes the space that is due.
func (w *plainWriter) separate() {
	if w.space && w.Len() > 0 {
		w.WriteByte(' ')
	}
	w.space = false
}

// wide writes a character beyond ASCII.
func (w *plainWriter) wide(r rune) {
	switch {
	case r == '’' || r == 'ʼ' || text.ClassOf(r).Invisible():
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		w.separate()
		w.WriteRune(unicode.ToLower(r))
	default:
		w.space = true
	}
}

// HoldsWords reports whether words stand in s, at its word bounds; scripts
// that do without spaces have none.
func HoldsWords(s, words string) bool {
	from := 0
	for {
		i := strings.Index(s[from:], words)
		if i < 0 {
			return false
		}
		i += from
		j := i + len(words)
		first, _ := utf8.DecodeRuneInString(words)
		if text.IsCJK(first) || (i == 0 || s[i-1] == ' ') && (j == len(s) || s[j] == ' ') {
			return true
		}
		from = j
	}
}

// HasPrefixFold reports whether s begins with prefix, in any case.
func HasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// FirstNonBlank returns the first of the values that is not empty.
func FirstNonBlank(values ...string) string {
	for _, v := range values {
		if strings.TrimSpace(v) != "" {
			return v
		}
	}
	return ""
}

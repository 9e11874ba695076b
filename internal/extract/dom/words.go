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
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case r == '\'' || r == '’' || r == 'ʼ' || r >= utf8.RuneSelf && text.ClassOf(r).Invisible():
		case r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9'), r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)), r >= 'A' && r <= 'Z':
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(unicode.ToLower(r))
		default:
			space = true
		}
	}
	return b.String()
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

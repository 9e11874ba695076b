package text

import (
	"strings"
	"unicode/utf8"
)

// Marks of our own carry a code with a part of a text within the program. They are made
// of noncharacters (Unicode Standard, section 23.7), which stand for nothing in any
// document: whoever writes marks first takes them out of all foreign text with
// WithoutOwnMarks, so that nobody else can write them.
const (
	firstOwnMark = '\ufdd0'
	endOwnMark   = '\ufdef'
	// ownCodes is how many codes there are, from 0 on.
	ownCodes = int(endOwnMark - firstOwnMark)
)

// OwnMark returns s between marks with a code below [ownCodes].
func OwnMark(code int, s string) string {
	return string(firstOwnMark+rune(code)) + s + string(endOwnMark)
}

// CutOwnMark cuts a text around its first part between marks. found is false where it
// has none; then before is the text.
func CutOwnMark(s string) (before string, code int, marked, after string, found bool) {
	for i, r := range s {
		if r >= firstOwnMark && r < endOwnMark {
			marked, after, _ = strings.Cut(s[i+utf8.RuneLen(r):], string(endOwnMark))
			return s[:i], int(r - firstOwnMark), marked, after, true
		}
	}
	return s, 0, "", "", false
}

// WithoutOwnMarks returns a text without the characters that marks are made of.
func WithoutOwnMarks(s string) string {
	if strings.IndexFunc(s, isOwnMark) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isOwnMark(r) {
			return -1
		}
		return r
	}, s)
}

func isOwnMark(r rune) bool { return r >= firstOwnMark && r <= endOwnMark }

package text

import (
	"strings"
	"unicode/utf8"
)

// ByteOrderMark is U+FEFF, with which a text may begin.
const ByteOrderMark = "\ufeff"

// SoftHyphen says where a word can be divided; nobody sees it, except in a PDF, which draws it.
const SoftHyphen = "\u00ad"

// layout says what becomes of white space.
type layout uint8

const (
	// OneLine makes each run of white space one space, and none at the ends.
	OneLine layout = iota
	// Verbatim keeps spaces, tabs and line ends. A line ends in \n. Other
	// spaces become a space, but for the ideographic one, which is as wide as a
	// character.
	Verbatim
)

// Removed counts the characters that were removed, by class. The zero value is
// ready for use.
type Removed [classes]int

// Total returns how many characters of all classes were removed.
func (n *Removed) Total() int {
	sum := 0
	for _, k := range n {
		sum += k
	}
	return sum
}

// Line makes one line of s: [Clean] without counts.
func Line(s string) string { return Clean(s, OneLine, nil) }

// Clean returns s without characters that a person cannot see, save where
// [Keeps] says so, and with the white space of a layout. Bytes that are not
// UTF-8 become U+FFFD. removed, if it is not nil, counts what was removed; a
// byte order mark at the start is not counted.
func Clean(s string, l layout, removed *Removed) string {
	s = strings.TrimPrefix(s, ByteOrderMark)
	i := intact(s, l)
	if i == len(s) {
		return s
	}
	b := make([]byte, i, len(s))
	copy(b, s)
	if l == Verbatim {
		return string(appendVerbatim(b, s[i:], removed))
	}
	return string(appendLine(b, s[i:], removed))
}

// intact returns how many bytes of s Clean takes over as they are.
func intact(s string, l layout) int {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c > ' ' && c < 0x7f:
			i++
		case c == ' ' && (l == Verbatim || i > 0 && i+1 < len(s) && s[i-1] != ' '), l == Verbatim && (c == '\n' || c == '\t'):
			i++
		case c < utf8.RuneSelf:
			return i
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || ClassOf(r) != Plain {
				return i
			}
			i += size
		}
	}
	return len(s)
}

func appendLine(b []byte, s string, removed *Removed) []byte {
	space := false
	if n := len(b); n > 0 && b[n-1] == ' ' {
		b, space = b[:n-1], true
	}
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		switch c := ClassOf(r); {
		case c == Space:
			space = true
		case c == Plain, !space && Keeps(b, r, s[i:]):
			if space && len(b) > 0 {
				b = append(b, ' ')
			}
			space = false
			b = utf8.AppendRune(b, r)
		default:
			removed.count(c)
		}
	}
	return b
}

func appendVerbatim(b []byte, s string, removed *Removed) []byte {
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		switch c := ClassOf(r); {
		case c == Space:
			b = appendSpace(b, r, i < len(s) && s[i] == '\n')
		case c == Plain, Keeps(b, r, s[i:]):
			b = utf8.AppendRune(b, r)
		default:
			removed.count(c)
		}
	}
	return b
}

// AppendVerbatim appends s to b as [Clean] does with [Verbatim]. What b holds
// is the text before s.
func AppendVerbatim(b []byte, s string, removed *Removed) []byte {
	i := intact(s, Verbatim)
	return appendVerbatim(append(b, s[:i]...), s[i:], removed)
}

// appendSpace appends the white space r. beforeEnd says that \n follows, of
// which \r is a part.
func appendSpace(b []byte, r rune, beforeEnd bool) []byte {
	switch r {
	case ' ', '\t', '\n', 0x3000:
		return utf8.AppendRune(b, r)
	case '\r':
		if beforeEnd {
			return b
		}
		return append(b, '\n')
	case '\v', '\f', 0x85, 0x2028, 0x2029: // mandatory breaks: UAX #14, table 1
		return append(b, '\n')
	}
	return append(b, ' ')
}

// count counts a character; n may be nil.
func (n *Removed) count(c Class) {
	if n != nil {
		n[c]++
	}
}

// WithoutControls returns s as valid UTF-8 with \n at the ends of lines, and
// without control characters other than tab and byte order marks. Everything
// else stays, invisible or not: what is asked for unfiltered is served so, and
// only what would steer a terminal goes.
func WithoutControls(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\t' || r == '\n':
			return r
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0xfeff:
			return -1
		}
		return r
	}, s)
}

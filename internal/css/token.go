package css

import (
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file has the rules of CSS Syntax Module Level 3 that parsing needs: strings, comments,
// brackets and escapes.

const space = " \t\n\r\f"

func isSpace(c byte) bool { return strings.IndexByte(space, c) >= 0 }

func isNameByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= utf8.RuneSelf
}

// skipString returns the index after the string that begins at i. A string ends with its line.
func skipString(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch s[i] {
		case quote:
			return i + 1
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return len(s)
}

// skipBracket returns the index after the bracket that closes the one at i.
func skipBracket(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			i = skipString(s, i) - 1
		case '\\':
			i++
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// until returns the index of the first byte at or after i that is in stop, outside of strings and
// brackets; len(s) for none.
func until(s string, i int, stop string) int {
	for i < len(s) {
		switch c := s[i]; {
		case isNameByte(c):
			i++
		case strings.IndexByte(stop, c) >= 0:
			return i
		case c == '"' || c == '\'':
			i = skipString(s, i)
		case c == '(' || c == '[':
			i = skipBracket(s, i)
		case c == '\\':
			i += 2
		default:
			i++
		}
	}
	return len(s)
}

// splitTop divides a text at a separator outside of strings and brackets.
func splitTop(s string, sep string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			end := until(s, 0, sep)
			if !yield(strings.TrimSpace(s[:end])) || end == len(s) {
				return
			}
			s = s[end+1:]
		}
	}
}

// fields divides a value at white space outside of strings and brackets.
func fields(s string) (out []string) {
	for s = strings.TrimLeft(s, space); s != ""; s = strings.TrimLeft(s, space) {
		end := until(s, 0, space)
		out = append(out, s[:end])
		s = s[end:]
	}
	return out
}

// withoutComments puts a space in the place of each comment.
func withoutComments(s string) string {
	before, rest, found := strings.Cut(s, "/*")
	if !found {
		return s
	}
	var b strings.Builder
	for found {
		b.WriteString(before)
		b.WriteByte(' ')
		_, rest, _ = strings.Cut(rest, "*/")
		before, rest, found = strings.Cut(rest, "/*")
	}
	b.WriteString(before)
	return b.String()
}

// unescape resolves the escapes of a text: "no\6e e" is "none".
func unescape(s string) string {
	before, rest, found := strings.Cut(s, `\`)
	if !found {
		return s
	}
	var b strings.Builder
	for found {
		b.WriteString(before)
		digits := 0
		for digits < min(len(rest), len("10ffff")) && strings.IndexByte("0123456789abcdefABCDEF", rest[digits]) >= 0 {
			digits++
		}
		if n, err := strconv.ParseUint(rest[:digits], 16, 32); err == nil {
			b.WriteRune(rune(n))
			if rest = rest[digits:]; rest != "" && isSpace(rest[0]) {
				rest = rest[1:]
			}
		} else if rest != "" {
			b.WriteByte(rest[0])
			rest = rest[1:]
		}
		before, rest, found = strings.Cut(rest, `\`)
	}
	b.WriteString(before)
	return b.String()
}

package css

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// This file has the few rules of CSS Syntax Module Level 3 that parsing needs: strings,
// comments, brackets and escapes.

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

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

// skipComment returns the index after the comment that begins at i.
func skipComment(s string, i int) int {
	if end := strings.Index(s[i+2:], "*/"); end >= 0 {
		return i + 2 + end + 2
	}
	return len(s)
}

// skipURL returns the index after the ")" of an address without quotes, or i where there is a
// quote or no address before the parenthesis at i.
func skipURL(s string, i int) int {
	if i < 3 || !strings.EqualFold(s[i-3:i], "url") {
		return i
	}
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] == ')':
			return j + 1
		case s[j] == '\\':
			j++
		case s[j] == '"' || s[j] == '\'':
			return i
		}
	}
	return len(s)
}

// skipBracket returns the index after the bracket that closes the one at i.
func skipBracket(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '"', '\'':
			i = skipString(s, i)
			continue
		case '\\':
			i++
		case '(', '[':
			if end := skipURL(s, i); end > i {
				i = end
				if depth == 0 {
					return i
				}
				continue
			}
			depth++
		case ')', ']':
			if depth--; depth <= 0 {
				return i + 1
			}
		}
		i++
	}
	return len(s)
}

// until returns the index of the first byte at or after i that stop contains, outside of strings,
// brackets and comments; len(s) for none.
func until(s string, i int, stop string) int {
	for i < len(s) {
		c := s[i]
		switch {
		case isNameByte(c) || isSpace(c):
			i++
		case strings.IndexByte(stop, c) >= 0:
			return i
		case c == '"' || c == '\'':
			i = skipString(s, i)
		case c == '\\':
			i += 2
		case c == '/' && strings.HasPrefix(s[i:], "/*"):
			i = skipComment(s, i)
		case c == '(' || c == '[':
			i = skipBracket(s, i)
		default:
			i++
		}
	}
	return len(s)
}

// splitTop divides a text at a separator outside of strings and brackets.
func splitTop(s string, sep byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for start := 0; ; {
			end := until(s, start, string(sep))
			if end >= len(s) {
				yield(s[min(start, len(s)):])
				return
			}
			if !yield(s[start:end]) {
				return
			}
			start = end + 1
		}
	}
}

// fields divides a value at white space outside of strings and brackets.
func fields(s string) (out []string) {
	for i := 0; i < len(s); {
		if isSpace(s[i]) {
			i++
			continue
		}
		end := i
		for end < len(s) && !isSpace(s[end]) {
			switch s[end] {
			case '(', '[':
				end = skipBracket(s, end)
			case '"', '\'':
				end = skipString(s, end)
			default:
				end++
			}
		}
		out = append(out, s[i:end])
		i = end
	}
	return out
}

// withoutComments puts a space in the place of each comment.
func withoutComments(s string) string {
	if !strings.Contains(s, "/*") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == '"' || s[i] == '\'':
			end := skipString(s, i)
			b.WriteString(s[i:end])
			i = end
		case strings.HasPrefix(s[i:], "/*"):
			b.WriteByte(' ')
			i = skipComment(s, i)
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

// unescapeAt reads the escape at i and returns its character and the index after it.
func unescapeAt(s string, i int) (r rune, end int) {
	const hexDigits = 6
	i++
	value, digits := rune(0), 0
	for ; digits < hexDigits && i < len(s); digits++ {
		d := strings.IndexByte("0123456789abcdef", s[i]|0x20)
		if s[i] < 0x20 || d < 0 {
			break
		}
		value, i = value<<4|rune(d), i+1
	}
	if digits == 0 {
		if i >= len(s) {
			return utf8.RuneError, i
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		return r, i + size
	}
	if i < len(s) && isSpace(s[i]) {
		i++
	}
	if value == 0 || !utf8.ValidRune(value) {
		value = utf8.RuneError
	}
	return value, i
}

// unescape resolves the escapes of a text.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) {
			var r rune
			r, i = unescapeAt(s, i)
			b.WriteRune(r)
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

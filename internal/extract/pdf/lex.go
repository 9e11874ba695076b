package pdf

import (
	"strconv"
	"strings"
)

// This file cuts content streams and CMaps into tokens: ISO 32000-1, sections
// 7.2 and 7.3. Arrays come as '[' and ']' tokens; the interpreter keeps their
// numbers and strings as operands.

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokNumber
	tokString
	tokName
	tokOpen  // [ or <<
	tokClose // ] or >>
	tokWord
)

type token struct {
	kind tokenKind
	num  float64
	text []byte // string: unescaped; name: without the slash; word
	dict bool   // tokOpen, tokClose: << or >>
}

type lexer struct {
	b  []byte
	at int
}

func isWhite(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == 0 || c == '\f'
}

func isDelimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

func (l *lexer) next() token {
	for l.at < len(l.b) {
		c := l.b[l.at]
		switch {
		case isWhite(c), c == '{', c == '}', c == ')':
			l.at++
		case c == '%':
			l.skipComment()
		case c == '(':
			return token{kind: tokString, text: l.literal()}
		case c == '[':
			l.at++
			return token{kind: tokOpen}
		case c == ']':
			l.at++
			return token{kind: tokClose}
		case c == '<':
			if l.at+1 < len(l.b) && l.b[l.at+1] == '<' {
				l.at += 2
				return token{kind: tokOpen, dict: true}
			}
			return token{kind: tokString, text: l.hex()}
		case c == '>':
			l.at++
			if l.at < len(l.b) && l.b[l.at] == '>' {
				l.at++
				return token{kind: tokClose, dict: true}
			}
		case c == '/':
			l.at++
			return token{kind: tokName, text: unescapeName(l.regular())}
		default:
			return l.word()
		}
	}
	return token{}
}

// word reads a number or an operator.
func (l *lexer) word() token {
	w := l.regular()
	if n, ok := parseNumber(w); ok {
		return token{kind: tokNumber, num: n}
	}
	return token{kind: tokWord, text: w}
}

func (l *lexer) skipComment() {
	for l.at < len(l.b) && l.b[l.at] != '\n' && l.b[l.at] != '\r' {
		l.at++
	}
}

func (l *lexer) regular() []byte {
	from := l.at
	for l.at < len(l.b) && !isWhite(l.b[l.at]) && !isDelimiter(l.b[l.at]) {
		l.at++
	}
	return l.b[from:l.at]
}

func unescapeName(b []byte) []byte {
	for i := range b {
		if b[i] != '#' {
			continue
		}
		out := append([]byte(nil), b[:i]...)
		for ; i < len(b); i++ {
			if b[i] == '#' && i+2 < len(b) && hexDigit(b[i+1]) >= 0 && hexDigit(b[i+2]) >= 0 {
				out = append(out, byte(hexDigit(b[i+1])<<4|hexDigit(b[i+2])))
				i += 2
				continue
			}
			out = append(out, b[i])
		}
		return out
	}
	return b
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// parseNumber reads what PDF has for numbers, and what writers make of them:
// "--5" is -5, and "1.2.3" is 1.2.
func parseNumber(w []byte) (float64, bool) {
	if len(w) == 0 || len(w) > 64 || w[0] > '9' || strings.IndexByte("+-.0123456789", w[0]) < 0 {
		return 0, false
	}
	s := strings.TrimLeft(string(w), "+-")
	if i := strings.IndexByte(s, '.'); i >= 0 {
		if k := strings.IndexAny(s[i+1:], ".-"); k >= 0 {
			s = s[:i+1+k]
		}
	} else if k := strings.IndexByte(s, '-'); k > 0 && s[k-1] != 'e' && s[k-1] != 'E' {
		s = s[:k]
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n > maxNumber || strings.ContainsAny(s, "xXpP_iInN") {
		return 0, false
	}
	if w[0] == '-' {
		n = -n
	}
	return n, true
}

// literal reads (…), section 7.3.4.2.
func (l *lexer) literal() []byte {
	l.at++
	depth := 1
	var out []byte
	for l.at < len(l.b) {
		c := l.b[l.at]
		l.at++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return out
			}
		case '\r':
			if l.at < len(l.b) && l.b[l.at] == '\n' {
				l.at++
			}
			c = '\n'
		case '\\':
			if l.at >= len(l.b) {
				return out
			}
			var ok bool
			if c, ok = l.escape(); !ok {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// escape reads what follows a backslash; a line end gives nothing.
func (l *lexer) escape() (c byte, ok bool) {
	e := l.b[l.at]
	l.at++
	switch e {
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case '\r':
		if l.at < len(l.b) && l.b[l.at] == '\n' {
			l.at++
		}
		return 0, false
	case '\n':
		return 0, false
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := int(e - '0')
		for k := 0; k < 2 && l.at < len(l.b) && l.b[l.at] >= '0' && l.b[l.at] <= '7'; k++ {
			n = n<<3 | int(l.b[l.at]-'0')
			l.at++
		}
		return byte(n), true
	}
	return e, true
}

// hex reads <…>, section 7.3.4.3.
func (l *lexer) hex() []byte {
	l.at++
	var out []byte
	half := -1
	for l.at < len(l.b) {
		c := l.b[l.at]
		l.at++
		if c == '>' {
			break
		}
		d := hexDigit(c)
		switch {
		case d < 0:
		case half < 0:
			half = d
		default:
			out = append(out, byte(half<<4|d))
			half = -1
		}
	}
	if half >= 0 {
		out = append(out, byte(half<<4))
	}
	return out
}

// skipImage goes past the data of an inline image, which ends at EI between
// white space. Data can hold such bytes by chance: what follows has to look
// like content.
func (l *lexer) skipImage() {
	for i := l.at + 1; i+1 < len(l.b); i++ {
		if l.b[i] != 'E' || l.b[i+1] != 'I' || !isWhite(l.b[i-1]) || i+2 < len(l.b) && !isWhite(l.b[i+2]) {
			continue
		}
		plain := true
		for _, c := range l.b[i+2 : min(i+12, len(l.b))] {
			plain = plain && (c < 0x7f && c >= ' ' || isWhite(c))
		}
		if plain {
			l.at = i + 2
			return
		}
	}
	l.at = len(l.b)
}

package about

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// kind is the kind of a value in a script.
type kind uint8

const (
	otherKind  kind = iota // null and unknown values; of true and false, str is the name
	numberKind             // str is its source
	stringKind
	listKind
	objectKind
)

// value is a value of JSON, or of the literals of JavaScript. An object keeps
// the order of its members.
type value struct {
	kind kind
	str  string
	keys []string // of an object
	list []value  // members of a list or an object
}

// get returns a member of an object, or nil.
func (v *value) get(key string) *value {
	if v != nil && v.kind == objectKind {
		for i, k := range v.keys {
			if k == key {
				return &v.list[i]
			}
		}
	}
	return nil
}

// text returns a string member, or "".
func (v *value) text(key string) string {
	if m := v.get(key); m != nil && m.kind == stringKind {
		return m.str
	}
	return ""
}

// scalar returns a string, the digits of a number, or "true" or "false".
func (v *value) scalar() (s string, ok bool) {
	return v.str, v.kind == stringKind || v.kind == numberKind || v.kind == otherKind && v.str != ""
}

// budget is what may still be read of the scripts of a page.
type budget struct{ bytes, nodes int }

// literal parses values up to the first syntax that it does not know, and keeps
// those before it. It evaluates nothing. Commas too many or too few, comments and
// the marks that wrap scripts in old pages count as white space.
type literal struct {
	s      string
	i      int
	budget *budget
	failed bool
}

// parse parses the value at the beginning of s. It returns how many bytes it has,
// and whether it is complete.
func (b *budget) parse(s string) (v value, n int, ok bool) {
	l := literal{s: s[:min(len(s), maxValueBytes, max(b.bytes, 0))], budget: b}
	v = l.value(0)
	b.bytes -= l.i
	return v, l.i, !l.failed
}

// wrappers are the marks around scripts in old pages.
var wrappers = [...]string{"<!--", "-->", "<![CDATA[", "]]>", text.ByteOrderMark}

func (l *literal) space() {
next:
	for l.i < len(l.s) {
		switch l.s[l.i] {
		case ' ', '\t', '\n', '\r', '\f', ',', ';':
			l.i++
			continue
		case '/':
			n := 1
			if strings.HasPrefix(l.s[l.i:], "/*") {
				if n = strings.Index(l.s[l.i:], "*/") + len("*/"); n < len("/**/") {
					n = len(l.s) - l.i
				}
			}
			l.i += n
			continue
		case '<', '-', ']', text.ByteOrderMark[0]:
			for _, w := range wrappers {
				if strings.HasPrefix(l.s[l.i:], w) {
					l.i += len(w)
					continue next
				}
			}
		}
		return
	}
}

func (l *literal) fail() value {
	l.failed = true
	return value{}
}

func (l *literal) value(depth int) value {
	l.space()
	l.budget.nodes--
	if l.i >= len(l.s) || depth > maxDepth || l.budget.nodes < 0 {
		return l.fail()
	}
	switch c := l.s[l.i]; {
	case c == '{':
		return l.object(depth)
	case c == '[':
		return l.members(depth, ']')
	case c == '"' || c == '\'' || c == '`':
		return value{kind: stringKind, str: l.quoted(c)}
	case isDigit(c) || c == '-' || c == '+' || c == '.':
		from := l.i
		for l.i < len(l.s) && (isIdent(l.s[l.i]) || strings.IndexByte("+-.", l.s[l.i]) >= 0) {
			l.i++
		}
		return value{kind: numberKind, str: l.s[from:l.i]}
	case c == '!':
		l.i++
		l.value(depth + 1)
		return value{}
	case isIdent(c):
		return l.name(depth)
	}
	return l.fail()
}

func isIdent(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || isDigit(c) || c == '_' || c == '$' || c >= utf8.RuneSelf
}

func (l *literal) ident() string {
	from := l.i
	for l.i < len(l.s) && (isIdent(l.s[l.i]) || l.s[l.i] == '.') {
		l.i++
	}
	return l.s[from:l.i]
}

// name parses a literal, a known name, or a call: of its arguments the first is
// the value, for example in new Date("…") and Object.freeze({…}).
func (l *literal) name(depth int) value {
	switch name := l.ident(); name {
	case "true", "false":
		return value{str: name}
	case "null", "undefined", "NaN", "Infinity":
		return value{}
	case "void", "new":
		return l.value(depth + 1)
	case "function", "async", "class":
		return l.fail()
	default:
		l.space()
		if l.i < len(l.s) && l.s[l.i] == '(' {
			args := l.members(depth, ')')
			if len(args.list) == 0 {
				return value{}
			}
			if v := args.list[0]; name != "JSON.parse" || v.kind != stringKind {
				return v
			} else if inner, _, _ := l.budget.parse(v.str); true {
				return inner
			}
		}
		return value{}
	}
}

// members parses the values of a list, or the arguments of a call.
func (l *literal) members(depth int, end byte) value {
	v := value{kind: listKind}
	for l.i++; !l.failed; {
		if l.space(); l.i < len(l.s) && l.s[l.i] == end {
			l.i++
			break
		}
		if m := l.value(depth + 1); !l.failed || m.kind != otherKind {
			v.list = append(v.list, m)
		}
	}
	return v
}

func (l *literal) object(depth int) value {
	v := value{kind: objectKind}
	for l.i++; !l.failed; {
		l.space()
		if l.i >= len(l.s) {
			l.failed = true
			break
		}
		var key string
		switch c := l.s[l.i]; {
		case c == '}':
			l.i++
			return v
		case c == '"' || c == '\'':
			key = l.quoted(c)
		case isIdent(c):
			key = l.ident()
		}
		if l.space(); l.i >= len(l.s) || l.s[l.i] != ':' {
			l.failed = true
			break
		}
		l.i++
		v.keys, v.list = append(v.keys, key), append(v.list, l.value(depth+1))
	}
	return v
}

// quoted parses a string from its opening quote on. One that does not end is "".
func (l *literal) quoted(quote byte) string {
	l.i++
	from := l.i
	for l.i < len(l.s) && l.s[l.i] != quote && l.s[l.i] != '\\' {
		l.i++
	}
	if l.i < len(l.s) && l.s[l.i] == quote {
		l.i++
		return l.s[from : l.i-1]
	}
	var b strings.Builder
	b.WriteString(l.s[from:l.i])
	for l.i < len(l.s) {
		c := l.s[l.i]
		l.i++
		switch {
		case c == quote:
			return b.String()
		case c != '\\':
			b.WriteByte(c)
		case l.i < len(l.s):
			l.escape(&b)
		}
	}
	l.failed = true
	return ""
}

func (l *literal) escape(b *strings.Builder) {
	c := l.s[l.i]
	l.i++
	switch c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'b', 'f', 'v', '0', '\n':
		b.WriteByte(' ')
	case 'x':
		b.WriteRune(l.hex(2))
	case 'u':
		u := l.hex(4)
		if utf16.IsSurrogate(u) && strings.HasPrefix(l.s[l.i:], `\u`) {
			l.i += len(`\u`)
			u = utf16.DecodeRune(u, l.hex(4))
		}
		b.WriteRune(u)
	default:
		b.WriteByte(c)
	}
}

// hex parses n hexadecimal digits; the character of others is U+FFFD.
func (l *literal) hex(n int) rune {
	digits := l.s[l.i:min(l.i+n, len(l.s))]
	u, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) < n {
		return utf8.RuneError
	}
	l.i += n
	return rune(u)
}

package pagestate

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds on the data in scripts. The data of a page is read with one budget of
// bytes, which values that fail to parse use up as well: no input is read more
// than a few times.
const (
	maxStateValue  = 2 << 20  // bytes of one value
	maxStateBudget = 12 << 20 // bytes of a page, those read twice counted twice
	maxStateDepth  = 96
	maxStateNodes  = 300_000
)

// jsKind is the kind of a value in a script.
type jsKind uint8

const (
	jsOther  jsKind = iota // null, booleans (str is "true"), unknown values
	jsNumber               // str is its source
	jsString
	jsList
	jsObject
)

// Value is a value of JSON, or of the literals of JavaScript. An object keeps
// the order of its members.
type Value struct {
	kind jsKind
	str  string
	keys []string // of an object
	list []Value  // members of a list or an object
}

// get returns a member of an object, or nil.
func (v *Value) get(key string) *Value {
	if v != nil && v.kind == jsObject {
		for i, k := range v.keys {
			if k == key {
				return &v.list[i]
			}
		}
	}
	return nil
}

// text returns a string member, or "".
func (v *Value) text(key string) string {
	if m := v.get(key); m != nil && m.kind == jsString {
		return m.str
	}
	return ""
}

// jsReader reads values up to the first syntax that it does not know, and keeps
// those before it. It evaluates nothing.
type jsReader struct {
	s      string
	i      int
	budget *stateBudget
	vars   map[string]Value // names with a known value: parameters of a wrapper
	failed bool
}

type stateBudget struct{ bytes, nodes int }

// readJS reads the value at the beginning of s, and says how many bytes it has
// and whether it was read to its end.
func readJS(s string, b *stateBudget) (v Value, n int, ok bool) {
	r := jsReader{s: s[:min(len(s), maxStateValue, max(b.bytes, 0))], budget: b}
	v = r.value(0)
	b.bytes -= r.i
	return v, r.i, !r.failed
}

func (r *jsReader) space() {
	for r.i < len(r.s) {
		switch r.s[r.i] {
		case ' ', '\t', '\n', '\r':
			r.i++
		case '/':
			if !strings.HasPrefix(r.s[r.i:], "/*") {
				return
			}
			n := strings.Index(r.s[r.i:], "*/")
			if n < 0 {
				r.i = len(r.s)
				return
			}
			r.i += n + 2
		default:
			return
		}
	}
}

func (r *jsReader) fail() Value {
	r.failed = true
	return Value{}
}

func (r *jsReader) value(depth int) Value {
	r.space()
	r.budget.nodes--
	if r.i >= len(r.s) || depth > maxStateDepth || r.budget.nodes < 0 {
		return r.fail()
	}
	switch c := r.s[r.i]; {
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.array(depth, ']')
	case c == '"' || c == '\'' || c == '`':
		return Value{kind: jsString, str: r.string(c)}
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		from := r.i
		for r.i < len(r.s) && (isIdent(r.s[r.i]) || strings.IndexByte("+-.", r.s[r.i]) >= 0) {
			r.i++
		}
		return Value{kind: jsNumber, str: r.s[from:r.i]}
	case c == '!':
		r.i++
		r.value(depth + 1)
		return Value{}
	case isIdent(c):
		return r.name(depth)
	}
	return r.fail()
}

func isIdent(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= utf8.RuneSelf
}

// name reads a literal, a known name, or a call: of its arguments the first is
// the value, for example in new Date("…") and Object.freeze({…}).
func (r *jsReader) name(depth int) Value {
	from := r.i
	for r.i < len(r.s) && (isIdent(r.s[r.i]) || r.s[r.i] == '.') {
		r.i++
	}
	switch name := r.s[from:r.i]; name {
	case "true":
		return Value{str: name}
	case "null", "false", "undefined", "NaN", "Infinity":
		return Value{}
	case "void", "new":
		return r.value(depth + 1)
	case "function", "async", "class":
		return r.fail()
	default:
		r.space()
		if r.i < len(r.s) && r.s[r.i] == '(' {
			args := r.array(depth, ')')
			if len(args.list) == 0 {
				return Value{}
			}
			if v := args.list[0]; name != "JSON.parse" || v.kind != jsString {
				return v
			} else if inner, _, _ := readJS(v.str, r.budget); true {
				return inner
			}
		}
		if v, ok := r.vars[name]; ok {
			return v
		}
		return Value{}
	}
}

func (r *jsReader) array(depth int, end byte) Value {
	v := Value{kind: jsList}
	r.i++
	for {
		r.space()
		switch {
		case r.i >= len(r.s):
			r.failed = true
			return v
		case r.s[r.i] == end:
			r.i++
			return v
		case r.s[r.i] == ',':
			r.i++
			continue
		}
		m := r.value(depth + 1)
		v.list = append(v.list, m)
		if r.failed || !r.follows(end) {
			r.failed = true
			return v
		}
	}
}

// follows reports whether a comma or the end comes next.
func (r *jsReader) follows(end byte) bool {
	r.space()
	return r.i < len(r.s) && (r.s[r.i] == ',' || r.s[r.i] == end)
}

func (r *jsReader) object(depth int) Value {
	v := Value{kind: jsObject}
	r.i++
	for {
		r.space()
		if r.i >= len(r.s) {
			r.failed = true
			return v
		}
		var key string
		switch c := r.s[r.i]; {
		case c == '}':
			r.i++
			return v
		case c == ',':
			r.i++
			continue
		case c == '"' || c == '\'':
			key = r.string(c)
		case isIdent(c):
			from := r.i
			for r.i < len(r.s) && isIdent(r.s[r.i]) {
				r.i++
			}
			key = r.s[from:r.i]
		default:
			r.failed = true
			return v
		}
		if r.space(); r.i >= len(r.s) || r.s[r.i] != ':' {
			r.failed = true
			return v
		}
		r.i++
		m := r.value(depth + 1)
		v.keys, v.list = append(v.keys, key), append(v.list, m)
		if r.failed || !r.follows('}') {
			r.failed = true
			return v
		}
	}
}

// string reads a string literal; r.i is the offset of its first quote.
func (r *jsReader) string(quote byte) string {
	r.i++
	from := r.i
	for r.i < len(r.s) && r.s[r.i] != quote && r.s[r.i] != '\\' {
		r.i++
	}
	if r.i < len(r.s) && r.s[r.i] == quote {
		r.i++
		return r.s[from : r.i-1]
	}
	var b strings.Builder
	b.WriteString(r.s[from:r.i])
	for r.i < len(r.s) {
		c := r.s[r.i]
		r.i++
		switch {
		case c == quote:
			return b.String()
		case c != '\\':
			b.WriteByte(c)
		case r.i < len(r.s):
			r.escape(&b)
		}
	}
	r.failed = true
	return b.String()
}

func (r *jsReader) escape(b *strings.Builder) {
	c := r.s[r.i]
	r.i++
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
		b.WriteRune(r.hex(2))
	case 'u':
		u := r.hex(4)
		if utf16.IsSurrogate(u) && strings.HasPrefix(r.s[r.i:], `\u`) {
			r.i += 2
			u = utf16.DecodeRune(u, r.hex(4))
		}
		b.WriteRune(u)
	default:
		b.WriteByte(c)
	}
}

func (r *jsReader) hex(n int) rune {
	if r.i+n > len(r.s) {
		r.i = len(r.s)
		return utf8.RuneError
	}
	u, err := strconv.ParseUint(r.s[r.i:r.i+n], 16, 32)
	if err != nil {
		return utf8.RuneError
	}
	r.i += n
	return rune(u)
}

// index is the number of a value as an index of a list of n, or -1.
func (v *Value) index(n int) int {
	if v.kind != jsNumber {
		return -1
	}
	i, err := strconv.Atoi(v.str)
	if err != nil || i < 0 || i >= n {
		return -1
	}
	return i
}

// flat is a list in which values name each other by index, as devalue (Nuxt,
// SvelteKit) and turbo-stream (React Router) write it. Each list and object is
// unfolded once: a second place that names it gets nothing, so that circles
// end and nothing grows.
type flat struct {
	list []Value
	done []bool
}

// unfold returns the value that such a list encodes, and other lists unchanged.
func unfold(v Value) Value {
	if v.kind != jsList || len(v.list) < 4 {
		return v
	}
	switch first := &v.list[0]; first.kind {
	case jsObject:
		for i := range first.list {
			if first.list[i].kind != jsNumber {
				return v
			}
		}
		if len(first.list) == 0 {
			return v
		}
	case jsList:
		if len(first.list) < 2 || first.list[0].kind != jsString || first.list[1].index(len(v.list)) < 0 {
			return v
		}
	default:
		return v
	}
	f := flat{v.list, make([]bool, len(v.list))}
	return f.at(0, 0)
}

// wrapped unfolds ["Reactive", 3], ["Date", "…"] or ["Map", 4, 5, …].
func (f *flat) wrapped(v *Value, depth int) Value {
	out := Value{kind: jsList}
	for k := 1; k < len(v.list); k++ {
		m := v.list[k]
		if j := m.index(len(f.list)); j >= 0 {
			m = f.at(j, depth+1)
		}
		if len(v.list) == 2 {
			return m
		}
		out.list = append(out.list, m)
	}
	return out
}

func (f *flat) at(i, depth int) Value {
	v := &f.list[i]
	if v.kind != jsList && v.kind != jsObject {
		return *v
	}
	if f.done[i] || depth > maxStateDepth {
		return Value{}
	}
	f.done[i] = true
	if v.kind == jsList && len(v.list) > 0 && v.list[0].kind == jsString {
		return f.wrapped(v, depth)
	}
	out := Value{kind: v.kind, list: make([]Value, len(v.list))}
	for k := range v.list {
		if v.kind == jsObject {
			key := v.keys[k]
			if n, err := strconv.Atoi(strings.TrimPrefix(key, "_")); err == nil && key[0] == '_' && n >= 0 && n < len(f.list) {
				key = f.list[n].str
			}
			out.keys = append(out.keys, key)
		}
		if j := v.list[k].index(len(f.list)); j >= 0 {
			out.list[k] = f.at(j, depth+1)
		}
	}
	return out
}

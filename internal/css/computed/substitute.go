package computed

import (
	"strings"

	"golang.org/x/net/html"
)

// registration is an @property rule (CSS Properties and Values API Level 1).
type registration struct {
	initial  string
	syntax   string
	inherits bool
}

// substitute replaces var(), env(), if(), attr() and custom functions (CSS Values
// and Units Level 5, section 9; CSS Custom Properties Level 1, section 3). It gives
// up on cycles, and on values that grow beyond a bound.
func (v *values) substitute(value string, from *scope, depth int, left *int) (string, bool) {
	if depth > 16 {
		return "", false
	}
	var b strings.Builder
	for {
		i, name := nextSubstitution(value)
		if i < 0 {
			break
		}
		open := i + len(name)
		end := closing(value, open)
		if !v.s.spend(end - open) {
			return "", false
		}
		args := value[open+1 : max(end, open+1)]
		got, ok := v.replace(name, args, from, depth, left)
		if !ok {
			return "", false
		}
		b.WriteString(value[:i])
		b.WriteString(got)
		if rest := value[min(end+1, len(value)):]; rest != "" && isName(rest[0]) {
			b.WriteByte(' ') // a name or a unit behind it stays a token of its own
		}
		if *left -= i + len(got); *left < 0 {
			return "", false
		}
		value = value[min(end+1, len(value)):]
	}
	b.WriteString(value)
	return b.String(), true
}

// nextSubstitution returns the place and the name of the first function that is
// replaced, or -1.
func nextSubstitution(s string) (int, string) {
	for i := 0; i < len(s); i++ {
		if s[i] == '"' || s[i] == '\'' {
			i = skipString(s, i) - 1
			continue
		}
		if s[i] != '(' {
			continue
		}
		start := i
		for start > 0 && isName(s[start-1]) {
			start--
		}
		switch name := s[start:i]; strings.ToLower(name) {
		case "var", "env", "if", "attr", "inherit":
			return start, name
		default:
			if strings.HasPrefix(name, "--") {
				return start, name
			}
		}
	}
	return -1, ""
}

// replace returns what one function stands for.
func (v *values) replace(name, args string, from *scope, depth int, left *int) (string, bool) {
	switch strings.ToLower(name) {
	case "if":
		return v.choose(args, from, depth, left)
	case "attr":
		return v.attribute(args, from, depth, left)
	}
	first, fallback, has := cutTop(args, ',')
	first = strings.TrimSpace(first)
	got, ok := "", false
	switch strings.ToLower(name) {
	case "var":
		if strings.Contains(first, "(") {
			if first, ok = v.substitute(first, from, depth+1, left); !ok {
				return "", false
			}
		}
		got, ok = v.variable(first, from, depth, left)
	case "inherit":
		if from != nil {
			got, ok = v.variable(first, from.up, depth, left)
		}
	case "env":
		word, _, _ := strings.Cut(strings.ToLower(first), " ")
		if ok = strings.HasPrefix(word, "safe-area-inset-") || strings.HasPrefix(word, "safe-area-max-inset-") || strings.HasPrefix(word, "keyboard-inset-") || strings.HasPrefix(word, "titlebar-area-"); ok {
			got = "0px"
			ok = !strings.HasPrefix(word, "titlebar-area-")
		}
	default:
		f, known := v.s.functions[name]
		if !known {
			return "", false
		}
		result := f.result
		inner := &scope{up: from}
		n := 0
		for arg := range splitTop(args, ',') {
			if arg = strings.TrimSpace(arg); arg != "" && n < len(f.params) {
				if isSubstituted(arg) {
					if arg, ok = v.substitute(arg, from, depth+1, left); !ok {
						return "", false
					}
				}
				inner.vars = append(inner.vars, variable{name: f.params[n].name, value: arg})
			}
			n++
		}
		for i := len(inner.vars); i < len(f.params); i++ {
			inner.vars = append(inner.vars, variable{name: f.params[i].name, value: f.params[i].value})
		}
		inner.vars = append(inner.vars, f.locals...)
		return v.substitute(result, inner, depth+1, left)
	}
	if ok {
		return got, true
	}
	if !has {
		return "", false
	}
	return v.substitute(fallback, from, depth+1, left)
}

// function is an @function rule (CSS Functions and Mixins Module).
type function struct {
	params []variable // with their defaults
	locals []variable
	result string
}

// variable returns the value of a custom property. Its own var() are resolved
// where it is set.
func (v *values) variable(name string, at *scope, depth int, left *int) (string, bool) {
	reg, registered := v.s.registered[name]
	for ; at != nil; at = at.up {
		if found := at.find(name); found != nil && (at.owner == v.node || !registered || reg.inherits) {
			x := found.value
			switch word := strings.ToLower(strings.TrimSpace(x)); word {
			case "initial":
				return reg.initial, registered
			case "inherit", "unset":
				continue
			}
			if isSubstituted(x) {
				var ok bool
				if x, ok = v.substitute(x, at, depth+1, left); !ok {
					return reg.initial, registered
				}
			}
			if registered && !fitsSyntax(reg.syntax, x) {
				return reg.initial, true
			}
			return x, true
		}
		if v.s.steps++; v.s.steps > maxSteps {
			return "", false
		}
	}
	return reg.initial, registered && reg.initial != ""
}

// fitsSyntax reports whether a value is of the syntax of a registered property, as
// far as the syntax is one of the common ones.
func fitsSyntax(syntax, x string) bool {
	x = strings.TrimSpace(plain(x))
	q, ok := simple(x)
	switch syntax {
	case "<number>", "<integer>":
		return ok && q.dim == isNumber
	case "<length>":
		return ok && (q.dim == isLength || q.dim == isNumber && q.v == 0)
	case "<percentage>":
		return ok && q.dim == isPercent
	case "<length-percentage>":
		return ok && (q.dim == isLength || q.dim == isPercent || q.dim == isNumber && q.v == 0)
	case "<color>":
		_, ok := palette{current: black}.parse(x)
		return ok
	}
	return true
}

// choose evaluates if(): the value of the first condition that holds.
func (v *values) choose(args string, from *scope, depth int, left *int) (string, bool) {
	for branch := range splitTop(args, ';') {
		cond, value, ok := cutTop(branch, ':')
		if !ok {
			continue
		}
		t := yes
		if cond = strings.TrimSpace(cond); !strings.EqualFold(cond, "else") {
			t = condition(cond, func(s string) truth { return unknown }, 0, func(name, arg string) truth {
				return v.test(name, arg, from, depth, left)
			})
		}
		switch t {
		case yes:
			return v.substitute(strings.TrimSpace(value), from, depth+1, left)
		case unknown:
			v.unknown = true
		}
	}
	return "", false
}

// test evaluates a function in the condition of if().
func (v *values) test(name, arg string, from *scope, depth int, left *int) truth {
	switch strings.ToLower(name) {
	case "media":
		if !strings.HasPrefix(strings.TrimSpace(arg), "(") && strings.ContainsAny(arg, ":<>=") {
			arg = "(" + arg + ")"
		}
		return is(matchMedia(arg))
	case "supports":
		if !strings.HasPrefix(strings.TrimSpace(arg), "(") && strings.Contains(arg, ":") {
			arg = "(" + arg + ")"
		}
		return is(matchSupports(arg))
	case "style":
		return condition("("+arg+")", func(s string) truth { return v.styleQuery(s, from, depth, left) }, 0, nil)
	}
	return unknown
}

// styleQuery compares a custom property with a value.
func (v *values) styleQuery(s string, at *scope, depth int, left *int) truth {
	name, want, given := strings.Cut(s, ":")
	if name = strings.TrimSpace(name); !strings.HasPrefix(name, "--") {
		if strings.ContainsAny(s, "<>=") {
			return v.styleRange(s, at, depth, left)
		}
		return unknown // of other properties, which browsers do not all know
	}
	got, ok := v.variable(name, at, depth+1, left)
	if !given {
		return is(ok)
	}
	if isSubstituted(want) {
		var fine bool
		if want, fine = v.substitute(want, at, depth+1, left); !fine {
			return no
		}
	}
	if !ok {
		return is(strings.TrimSpace(want) == "initial")
	}
	return is(sameValue(got, want))
}

// sameValue compares two values as tokens: white space and the form of numbers do
// not count.
func sameValue(a, b string) bool {
	a, b = strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " ")
	if a == b {
		return true
	}
	x, ok1 := simple(plain(a))
	y, ok2 := simple(plain(b))
	return ok1 && ok2 && x == y
}

// styleRange evaluates a range in a style query, such as --x > 1.
func (v *values) styleRange(s string, at *scope, depth int, left *int) truth {
	return rangeOf(s, func(part string) (float64, bool) {
		if strings.HasPrefix(part, "--") {
			got, ok := v.variable(part, at, depth+1, left)
			if !ok {
				return 0, false
			}
			part = got
		}
		q, ok := simple(plain(part))
		return q.v, ok
	})
}

// attribute evaluates attr().
func (v *values) attribute(args string, from *scope, depth int, left *int) (string, bool) {
	what, fallback, has := cutTop(args, ',')
	name, kind, _ := strings.Cut(strings.TrimSpace(what), " ")
	kind = strings.TrimSpace(kind)
	if v.node != nil {
		if x, ok := attrOf(v.node, strings.ToLower(name)); ok {
			inner, typed := call(kind, "type")
			switch {
			case kind == "" || kind == "raw-string" || kind == "string":
				return `"` + strings.ReplaceAll(x, `"`, "") + `"`, true
			case typed && (strings.TrimSpace(inner) == "*" || fitsSyntax(strings.TrimSpace(inner), x)):
				return x, len(x) < maxStyle && !isSubstituted(x)
			case !typed:
				if q, ok := simple(plain(x)); ok && q.dim == isNumber {
					if kind != "number" {
						x = strings.TrimSpace(x) + kind
					}
					return x, true
				}
			}
		}
	}
	if !has {
		return "", false
	}
	return v.substitute(fallback, from, depth+1, left)
}

// clipBy judges a clip-path, which may refer to an element of the page.
func (s *Sheets) clipBy(x string, n *html.Node) clipped {
	ref, ok := call(x, "url")
	if !ok {
		return clipOf(x)
	}
	c := s.named(ref, n)
	switch {
	case s.steps > maxSteps:
		return clipsUnknown
	case c == nil || !strings.EqualFold(c.Data, "clipPath"):
		return clipsSome
	}
	for shape := range c.Descendants() {
		if shape.Type == html.ElementNode && !emptyShape(shape) {
			return clipsUnknown
		}
	}
	return clipsEverything
}

// named returns the element that a reference names in the document of n, or nil. Where the
// budget is spent, it returns n.
func (s *Sheets) named(ref string, n *html.Node) *html.Node {
	id, ok := strings.CutPrefix(strings.Trim(strings.TrimSpace(ref), `"'`), "#")
	if !ok {
		return nil
	}
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	for c := range root.Descendants() {
		if s.steps++; s.steps > maxSteps {
			return n
		}
		if has, _ := attrOf(c, "id"); c.Type == html.ElementNode && strings.EqualFold(has, id) {
			return c
		}
	}
	return nil
}

// emptyShape reports whether an SVG shape has no area.
func emptyShape(n *html.Node) bool {
	attrs := [...]string{"width", "height"}
	switch n.Data {
	case "rect":
	case "circle":
		attrs = [...]string{"r", "r"}
	case "ellipse":
		attrs = [...]string{"rx", "ry"}
	default:
		return false
	}
	for _, a := range attrs {
		x, _ := attrOf(n, a)
		if q, ok := simple(x); !ok || q.v <= 0 {
			return true
		}
	}
	return false
}

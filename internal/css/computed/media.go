package computed

import (
	"strconv"
	"strings"
)

// The screen for which media queries are evaluated, in CSS pixels.
const (
	screenWidth  = 1280
	screenHeight = 800
)

// truth is a value of the three-valued logic of conditions: an unknown condition
// does not apply, negated or not (Media Queries Level 4, section 3.1).
type truth int8

const (
	no truth = iota
	yes
	unknown
)

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

func is(b bool) truth {
	if b {
		return yes
	}
	return no
}

// matchMedia evaluates a list of media queries.
func matchMedia(list string) bool {
	if len(list) > maxStyle {
		return false
	}
	for q := range splitTop(strings.Map(oneSpace, plain(list)), ',') {
		q = strings.TrimSpace(q)
		negate := false
		if rest, ok := strings.CutPrefix(q, "not "); ok && !strings.HasPrefix(strings.TrimSpace(rest), "(") {
			negate, q = true, strings.TrimSpace(rest)
		}
		q = strings.TrimSpace(strings.TrimPrefix(q, "only "))
		t := yes
		if q != "" && q[0] != '(' && !strings.HasPrefix(q, "not") {
			kind, rest, more := strings.Cut(q, " ")
			t = is(kind == "all" || kind == "screen")
			if q = strings.TrimSpace(rest); more && q != "" {
				if rest, ok := cutWord(q, "and"); ok && rest != "" {
					q = rest
				} else {
					t, negate = no, false // browsers drop the query
				}
			}
		}
		if t == yes && q != "" {
			t = condition(q, mediaFeature, 0, nil)
		}
		if negate {
			t = t.not()
		}
		if t == yes {
			return true
		}
	}
	return false
}

// cutWord returns what follows a word. A bracket right behind it would make it the name of a
// function.
func cutWord(s, word string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(s, word)
	if !ok || rest != "" && !isSpace(rest[0]) {
		return s, false
	}
	return strings.TrimSpace(rest), true
}

// condition evaluates not, and, or and brackets; leaf evaluates the text in the
// innermost brackets, and function what follows a name; without it, functions are
// unknown.
func condition(s string, leaf func(string) truth, depth int, function func(name, args string) truth) truth {
	if depth > 16 {
		return unknown
	}
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "not"); ok && rest != "" && (isSpace(rest[0]) || rest[0] == '(') {
		return condition(rest, leaf, depth+1, function).not()
	}
	result, op, first := unknown, "", true
	for s != "" {
		name := s
		k := strings.IndexByte(s, '(')
		if k < 0 {
			return unknown
		}
		name = strings.TrimSpace(s[:k])
		end := closing(s, k)
		inner := s[k+1 : max(end, k+1)]
		s = strings.TrimSpace(s[min(end+1, len(s)):])
		var t truth
		switch {
		case name != "":
			if t = unknown; function != nil {
				t = function(name, inner)
			}
		case strings.HasPrefix(strings.TrimSpace(inner), "(") || strings.HasPrefix(strings.TrimSpace(inner), "not ") || strings.HasPrefix(strings.TrimSpace(inner), "not("):
			t = condition(inner, leaf, depth+1, function)
		default:
			t = leaf(inner)
		}
		switch {
		case first:
			result, first = t, false
		case op == "and":
			if result == no || t == no {
				result = no
			} else if result != yes || t != yes {
				result = unknown
			}
		default:
			if result == yes || t == yes {
				result = yes
			} else if result != no || t != no {
				result = unknown
			}
		}
		if s == "" {
			break
		}
		if rest, ok := cutWord(s, "and"); ok {
			op, s = "and", rest
		} else if rest, ok := cutWord(s, "or"); ok {
			op, s = "or", rest
		} else {
			return unknown
		}
		if rest, ok := strings.CutPrefix(s, "not"); ok {
			t := condition(rest, leaf, depth+1, function).not()
			if op == "and" {
				return is(result == yes && t == yes)
			}
			return is(result == yes || t == yes)
		}
	}
	return result
}

// closing returns the offset of the bracket that closes the one at i, or the
// length of s.
func closing(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			i = skipString(s, i) - 1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

func mediaFeature(s string) truth {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "<>=") && !strings.Contains(s, ":") {
		return mediaRange(s)
	}
	name, value, given := strings.Cut(s, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	name = strings.TrimPrefix(name, "-webkit-")
	bound := 0 // 1: at least, -1: at most
	if rest, ok := strings.CutPrefix(name, "min-"); ok {
		name, bound = rest, 1
	} else if rest, ok := strings.CutPrefix(name, "max-"); ok {
		name, bound = rest, -1
	}
	if have, ok := mediaNumber(name); ok {
		return mediaBound(have, bound, value, given)
	}
	return mediaKeyword(name, value, given)
}

// mediaBound compares a number of the screen with a value: bound 1 means at least,
// -1 at most, 0 equal. Without a value, the feature must not be 0.
func mediaBound(have float64, bound int, value string, given bool) truth {
	if !given {
		return is(have != 0)
	}
	want, ok := mediaValue(value)
	if !ok {
		return unknown
	}
	switch bound {
	case 1:
		return is(have >= want)
	case -1:
		return is(have <= want)
	}
	return is(have == want)
}

// mediaKeyword compares a feature with keywords as values.
func mediaKeyword(name, value string, given bool) truth {
	want := ""
	switch name {
	case "orientation":
		want = "landscape"
	case "prefers-color-scheme":
		want = "light"
	case "prefers-reduced-motion", "prefers-reduced-transparency", "prefers-reduced-data", "prefers-contrast":
		want = "no-preference"
	case "forced-colors", "inverted-colors":
		want = "none"
	case "hover", "any-hover":
		want = "hover"
	case "pointer", "any-pointer":
		want = "fine"
	case "scripting":
		want = "enabled"
	case "update":
		want = "fast"
	case "color-gamut":
		want = "srgb"
	case "display-mode":
		want = "browser"
	case "dynamic-range":
		want = "standard"
	case "overflow-block", "overflow-inline":
		want = "scroll"
	default:
		return unknown
	}
	if !given {
		return is(want != "no-preference" && want != "none")
	}
	return is(value == want)
}

func mediaNumber(name string) (float64, bool) {
	switch name {
	case "width", "device-width":
		return screenWidth, true
	case "height", "device-height":
		return screenHeight, true
	case "aspect-ratio", "device-aspect-ratio":
		return float64(screenWidth) / screenHeight, true
	case "resolution", "device-pixel-ratio":
		return 1, true
	case "color":
		return 8, true
	case "color-index", "monochrome", "grid":
		return 0, true
	}
	return 0, false
}

// mediaValue reads a number, a ratio, a length or a resolution.
func mediaValue(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if a, b, ok := strings.Cut(s, "/"); ok {
		x, err1 := strconv.ParseFloat(strings.TrimSpace(a), 64)
		y, err2 := strconv.ParseFloat(strings.TrimSpace(b), 64)
		return x / y, err1 == nil && err2 == nil && y != 0
	}
	if v, unit, ok := number(s); ok {
		switch unit {
		case "dppx", "x":
			return v, true
		case "dpi":
			return v / 96, true
		case "dpcm":
			return v * 2.54 / 96, true
		}
	}
	q, ok := simple(s)
	return q.v, ok && (q.dim == isLength || q.dim == isNumber)
}

// mediaRange evaluates ranges such as width >= 600px and 400px < width <= 700px.
func mediaRange(s string) truth {
	return rangeOf(s, func(p string) (float64, bool) {
		if v, ok := mediaNumber(p); ok {
			return v, true
		}
		return mediaValue(p)
	})
}

// rangeOf evaluates comparisons of two or three values.
func rangeOf(s string, value func(string) (float64, bool)) truth {
	var parts, ops []string
	for s != "" {
		k := strings.IndexAny(s, "<>=")
		if k < 0 {
			parts, s = append(parts, s), ""
			break
		}
		end := k + 1
		if end < len(s) && s[end] == '=' {
			end++
		}
		parts, ops = append(parts, s[:k]), append(ops, s[k:end])
		s = s[end:]
	}
	if len(ops) == 0 || len(ops) > 2 || len(parts) != len(ops)+1 {
		return unknown
	}
	v := make([]float64, len(parts))
	for i, p := range parts {
		var ok bool
		if v[i], ok = value(strings.TrimSpace(p)); !ok {
			return unknown
		}
	}
	for i, op := range ops {
		if !compare(v[i], op, v[i+1]) {
			return no
		}
	}
	return yes
}

func compare(a float64, op string, b float64) bool {
	switch op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "=":
		return a == b
	}
	return false
}

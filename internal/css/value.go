package css

import (
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// invisible is the opacity or scale up to which text is not readable.
const invisible = .05

// plain normalizes a value: it resolves comments and escapes, and converts to lower
// case.
func plain(s string) string {
	if strings.IndexByte(s, '\\') < 0 && !strings.Contains(s, "/*") {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			i = skipComment(s, i)
		case s[i] == '\\' && i+1 < len(s):
			var r rune
			r, i = escape(s, i)
			b.WriteRune(r)
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return strings.ToLower(b.String())
}

// escape reads the escape at i and returns the place behind it (CSS Syntax
// Module Level 3, section 4.3.7).
func escape(s string, i int) (rune, int) {
	j := i + 1
	for j < len(s) && j < i+7 && isHexDigit(s[j]) {
		j++
	}
	if j == i+1 {
		r, size := utf8.DecodeRuneInString(s[j:])
		return r, j + size
	}
	n, _ := strconv.ParseUint(s[i+1:j], 16, 32)
	if j < len(s) && isSpace(s[j]) {
		j++
	}
	if n == 0 || n > 0x10FFFF {
		n = utf8.RuneError
	}
	return rune(n), j
}

func isHexDigit(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// splitTop splits at sep outside of strings and brackets.
func splitTop(s string, sep byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		depth, start := 0, 0
		for i := 0; i < len(s); i++ {
			switch c := s[i]; {
			case c == '"' || c == '\'':
				i = skipString(s, i) - 1
			case c == '\\':
				i++
			case c == '(' || c == '[':
				depth++
			case c == ')' || c == ']':
				depth = max(depth-1, 0)
			case c == sep && depth == 0:
				if !yield(s[start:i]) {
					return
				}
				start = i + 1
			}
		}
		yield(s[start:])
	}
}

func cssNumber(s string) (float64, bool) {
	if s == "" {
		return 0, false // most often: the property is not there
	}
	v, unit, ok := number(strings.TrimSpace(s))
	switch {
	case !ok || unit != "" && unit != "%":
		return 0, false
	case unit == "%":
		v /= 100
	}
	return v, true
}

// number splits a dimension into its number and its unit.
func number(s string) (v float64, unit string, ok bool) {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' || i == 0 && (s[i] == '-' || s[i] == '+')) {
		i++
	}
	if i+1 < len(s) && s[i] == 'e' && (s[i+1] >= '0' && s[i+1] <= '9' || s[i+1] == '-') {
		for i++; i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '-'); i++ {
		}
	}
	if i == 0 {
		return 0, "", false
	}
	v, err := strconv.ParseFloat(s[:i], 64)
	return v, s[i:], err == nil
}

// pixels returns a length in approximate pixels; a number without a unit is not a
// length, except 0.
func pixels(s string) (float64, bool) {
	if s == "" {
		return 0, false
	}
	v, unit, ok := number(strings.TrimSpace(s))
	if !ok {
		return 0, false
	}
	switch unit {
	case "px":
	case "pt":
		v *= 4. / 3
	case "em", "rem", "ch", "ex", "lh", "rlh":
		v *= 16
	case "vw", "%", "dvw", "svw", "lvw", "vi", "cqw":
		v *= screenWidth / 100.
	case "vh", "dvh", "svh", "lvh", "vb", "vmin", "vmax", "cqh":
		v *= screenHeight / 100.
	case "cm":
		v *= 96 / 2.54
	case "mm":
		v *= 9.6 / 2.54
	case "in":
		v *= 96
	case "pc":
		v *= 16
	case "":
		return v, v == 0
	default:
		return 0, false
	}
	return v, true
}

// reckon evaluates a calc() with one sum of lengths; it returns other values
// unchanged.
func reckon(s string) string {
	args, ok := call(s, "calc")
	if !ok || strings.IndexByte(args, '(') >= 0 || !strings.HasPrefix(s, "calc(") {
		return s
	}
	sum, sign, scale := 0.0, 1.0, 1.0
	for f := range strings.FieldsSeq(args) {
		switch f {
		case "+":
			sign = 1
		case "-":
			sign = -1
		case "*":
			scale = -1 // the next one is a factor
		default:
			v, ok := pixels(f)
			if n, isNumber := cssNumber(f); isNumber && !strings.HasSuffix(f, "%") {
				v, ok = n, true
			}
			if !ok {
				return s
			}
			if scale < 0 {
				sum, scale = sum*v, 1
				continue
			}
			sum += sign * v
		}
	}
	return strconv.FormatFloat(sum, 'f', 3, 64) + "px"
}

// farAway reports whether an offset moves something beyond the left or upper edge.
func farAway(s string) bool {
	v, ok := pixels(s)
	return ok && v <= -900 || ok && v <= -screenHeight && strings.HasSuffix(s, "h")
}

// zeroRect reports whether a clip shows nothing.
func zeroRect(s string) bool {
	args, ok := call(s, "rect")
	if !ok {
		return false
	}
	v := make([]float64, 0, 4)
	for _, a := range strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' }) {
		x, ok := pixels(a)
		if !ok {
			return false
		}
		v = append(v, x)
	}
	return len(v) == 4 && (math.Abs(v[2]-v[0]) <= 1 || math.Abs(v[1]-v[3]) <= 1)
}

func clipsAll(s string) bool {
	if args, ok := call(s, "inset"); ok {
		v, ok := cssNumber(strings.Fields(args + " x")[0])
		return ok && strings.Contains(args, "%") && v >= .5
	}
	for _, f := range [...]string{"circle", "ellipse"} {
		if args, ok := call(s, f); ok {
			v, ok := pixels(strings.Fields(args + " x")[0])
			return ok && v == 0
		}
	}
	if args, ok := call(s, "polygon"); ok {
		// No area: all corners are one.
		first := ""
		for corner := range strings.SplitSeq(args, ",") {
			corner = strings.Join(strings.Fields(corner), " ")
			if first == "" {
				first = corner
			} else if corner != first {
				return false
			}
		}
		return true
	}
	return false
}

// collapses reports whether a transform leaves nothing to see on the screen.
func collapses(p property, s string) bool {
	switch p {
	case propScale:
		return isTinyScale(strings.Fields(s + " x")[0])
	case propTranslate:
		for part := range strings.FieldsSeq(s) {
			if farAway(part) {
				return true
			}
		}
		return false
	case propRotate:
		f := strings.Fields(s)
		return len(f) == 2 && (f[0] == "x" || f[0] == "y") && edgeOn(f[1])
	}
	if anyArgument(s, isTinyScale, "scale", "scalex", "scaley", "scale3d") ||
		anyArgument(s, farAway, "translate", "translatex", "translatey", "translate3d") {
		return true
	}
	for _, f := range [...]string{"rotatex", "rotatey"} {
		if args, ok := call(s, f); ok && edgeOn(args) {
			return true
		}
	}
	if args, ok := call(s, "matrix"); ok {
		v := components(args)
		return len(v) == 6 && math.Abs(v[0]*v[3]-v[1]*v[2]) <= invisible*invisible
	}
	return false
}

func isTinyScale(s string) bool {
	v, ok := cssNumber(s)
	return ok && math.Abs(v) <= invisible
}

// anyArgument reports whether an argument of one of the functions in a value fits.
func anyArgument(s string, fits func(string) bool, functions ...string) bool {
	for _, f := range functions {
		if args, ok := call(s, f); ok {
			for a := range strings.SplitSeq(args, ",") {
				if fits(strings.TrimSpace(a)) {
					return true
				}
			}
		}
	}
	return false
}

// edgeOn reports whether a turn shows the edge of what is turned.
func edgeOn(s string) bool {
	v, unit, ok := number(strings.TrimSpace(s))
	switch unit {
	case "deg":
	case "turn":
		v *= 360
	case "rad":
		v *= 180 / math.Pi
	default:
		return false
	}
	return ok && math.Abs(math.Mod(math.Abs(v), 180)-90) < .5
}

// masksAll reports whether a mask is a gradient from transparent to
// transparent.
func masksAll(s string) bool {
	args, ok := call(s, "linear-gradient")
	if !ok {
		args, ok = call(s, "radial-gradient")
	}
	if !ok {
		return false
	}
	for a := range splitTop(args, ',') {
		a = strings.TrimSpace(a)
		if c, ok := parseColor(a); ok && !c.clear || !ok && strings.HasPrefix(a, "var") {
			return false
		}
	}
	return strings.Contains(args, "transparent") || strings.Contains(args, "rgba(")
}

func filtersAll(s string) bool {
	args, ok := call(s, "opacity")
	if !ok {
		return false
	}
	v, ok := cssNumber(strings.TrimSpace(args))
	return ok && v <= invisible
}

// call returns the arguments of a function in a value.
func call(s, name string) (args string, ok bool) {
	for from := 0; ; {
		i := strings.Index(s[from:], name)
		if i < 0 {
			return "", false
		}
		i += from
		from = i + len(name)
		if from < len(s) && s[from] == '(' && (i == 0 || !isName(s[i-1])) {
			return s[from+1 : max(closing(s, from), from+1)], true
		}
	}
}

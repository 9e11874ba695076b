package computed

import (
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// invisible is the opacity or scale up to which text is not readable.
const invisible = .05

// partOpaque is the opacity or scale up to which several together may hide.
const partOpaque = .22

// plain normalizes a value: it resolves comments and escapes, and converts to lower
// case.
func plain(s string) string {
	if isPlain(s) {
		return s
	}
	if strings.IndexByte(s, '\\') < 0 && !strings.Contains(s, "/*") {
		return withAddresses(strings.ToLower(s), s)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			if i = skipComment(s, i); b.Len() > 0 && i < len(s) && (isName(s[i]) || s[i] == '(') && isName(b.String()[b.Len()-1]) {
				b.WriteByte(' ') // it parts two words
			}
		case s[i] == '\\' && i+1 < len(s):
			var r rune
			if r, i = escape(s, i); r <= ' ' { // a part of a name: it does not end one
				r = utf8.RuneError
			}
			b.WriteRune(r)
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return strings.ToLower(b.String())
}

// isPlain reports whether plain returns s itself; most values are so.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c == '\\' || c == '*' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
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
		ends := asciiSet(string(sep))
		for start := 0; ; {
			end := nextTop(s, start, &ends)
			if !yield(s[start:end]) || end == len(s) {
				return
			}
			start = end + 1
		}
	}
}

// asciiBits is a set of ASCII characters.
type asciiBits [2]uint64

func asciiSet(chars string) (set asciiBits) {
	for i := range len(chars) {
		set[chars[i]>>6] |= 1 << (chars[i] & 63)
	}
	return set
}

// nextTop returns where the first of some characters stands outside of strings and
// brackets that begin at or behind start; the length of s if none does.
func nextTop(s string, start int, ends *asciiBits) int {
	depth := 0
	for i := start; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\'':
			i = skipString(s, i) - 1
		case c == '\\':
			i++
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth = max(depth-1, 0)
		case depth == 0 && c < 128 && ends[c>>6]>>(c&63)&1 != 0:
			return i
		}
	}
	return len(s)
}

// cssNumber returns a number or a percentage, 1 for 100 %.
func cssNumber(s string) (float64, bool) {
	if s == "" {
		return 0, false // most often: the property is not there
	}
	q, ok := simple(s)
	return q.v, ok && (q.dim == isNumber || q.dim == isPercent)
}

// simple returns a number with its unit: without the calculator where there is
// nothing to calculate.
func simple(s string) (quantity, bool) {
	s = strings.TrimSpace(s)
	if strings.IndexByte(s, '(') >= 0 {
		return calculate(s)
	}
	v, unit, ok := number(s)
	if !ok {
		return quantity{}, false
	}
	return inUnit(v, unit)
}

// number splits a dimension into its number and what follows it.
func number(s string) (v float64, unit string, ok bool) {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	start := i
	i = skipDigits(s, i)
	digits := i - start
	if i < len(s) && s[i] == '.' {
		if end := skipDigits(s, i+1); end > i+1 {
			digits += end - i - 1
			i = end
		}
	}
	if digits == 0 {
		return 0, "", false
	}
	if i+1 < len(s) && s[i]|0x20 == 'e' {
		j := i + 1
		if s[j] == '-' || s[j] == '+' {
			j++
		}
		if end := skipDigits(s, j); end > j {
			i = end
		}
	}
	v, err := strconv.ParseFloat(s[:i], 64)
	if err != nil { // out of range
		v = math.Max(-1e9, math.Min(v, 1e9))
	}
	return v, s[i:], true
}

// skipDigits returns the offset behind the digits at i.
func skipDigits(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// pixels returns a length in approximate pixels; a number without a unit is not a
// length, except 0. Percentages are of the screen's width.
func pixels(s string) (float64, bool) {
	if s == "" {
		return 0, false
	}
	return along(s, screenWidth)
}

// How far beyond the edges of the screen something is out of sight, in CSS pixels.
// To the right there is more room: a page can be scrolled there.
const (
	farLeft  = 900
	farUp    = 900
	farRight = 2000
)

// farAway reports whether an offset moves something beyond the left or upper edge.
func farAway(s string) bool {
	v, ok := pixels(s)
	return ok && v <= -farLeft || ok && v <= -screenHeight && strings.HasSuffix(s, "h")
}

// farOff reports whether an offset is at least limit.
func farOff(s string, limit float64) bool {
	v, ok := pixels(s)
	return ok && v >= limit
}

// mayCollapse reports whether a value of a transform property may leave nothing to
// see, or moves something.
func mayCollapse(p property, s string) bool {
	if s == "none" || s == "" {
		return false
	}
	if p == propTransform && !containsAny(s, "translate", "scale", "matrix", "rotatex", "rotatey", "3d", "perspective", "skew") {
		return false
	}
	m, ok := transformOfProperty(p, s)
	if !ok {
		return false
	}
	x, y := math.Hypot(m[0][0], m[1][0]), math.Hypot(m[0][1], m[1][1])
	return m.unseen() != InSight || x < partOpaque || y < partOpaque || m[2][2] < 0 || m[2][3] >= nearEye ||
		math.Abs(m[0][3]) >= boxWidth || math.Abs(m[1][3]) >= boxHeight && strings.Contains(s, "%")
}

func containsAny(s string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// masksAll reports whether a mask leaves nothing to see: a gradient that is
// transparent everywhere, or black where the mask goes by luminance.
func masksAll(s string, luminance bool) bool {
	if strings.Contains(s, "url(") {
		return false
	}
	found := false
	for layer := range splitTop(s, ',') {
		c, ok := flatImage(layer, palette{})
		if !ok {
			if !isPicture(layer) {
				continue // none, or how a layer before it is repeated
			}
			return false
		}
		if !c.clear && !(luminance && near(c, black)) {
			return false
		}
		found = true
	}
	return found
}

// withAddresses returns a value in lower case with the addresses in it as they were.
func withAddresses(lower, s string) string {
	if len(lower) != len(s) || !strings.Contains(lower, "url(") {
		return lower
	}
	b := []byte(lower)
	for at := 0; ; {
		open := strings.Index(lower[at:], "url(")
		if open < 0 {
			return string(b)
		}
		at += open + len("url(")
		end := strings.IndexByte(lower[at:], ')')
		if end < 0 {
			return string(b)
		}
		copy(b[at:at+end], s[at:])
		at += end
	}
}

// flatImage returns the colour of a gradient whose stops all look the same; of
// several layers, that of the uppermost which is not transparent.
func flatImage(s string, p palette) (rgb, bool) {
	out, found := rgb{clear: true, known: true, thin: true}, false
	for layer := range splitTop(s, ',') {
		if strings.TrimSpace(layer) == "none" {
			continue
		}
		var c rgb
		args, ok := gradient(layer)
		switch {
		case strings.Contains(layer, "url("):
			c, ok = flatPicture(layer)
		case ok:
			c, ok = p.flatStops(args)
		case !isPicture(layer):
			continue // the last layer may have a colour only
		}
		if !ok {
			return rgb{}, false
		}
		found = true
		if out.clear {
			out = c
		}
	}
	return out, found
}

// gradient returns the arguments of the gradient in a layer.
func gradient(layer string) (args string, ok bool) {
	for _, f := range [...]string{"gradient", "linear-gradient", "radial-gradient", "conic-gradient", "repeating-linear-gradient", "repeating-radial-gradient", "repeating-conic-gradient", "-webkit-linear-gradient", "image"} {
		if args, ok = call(layer, f); ok {
			return args, true
		}
	}
	return "", false
}

// flatStops returns the colour of all stops of a gradient; false if they differ.
func (p palette) flatStops(args string) (first rgb, ok bool) {
	n := 0
	for stop := range splitTop(args, ',') {
		words := splitSpace(stop)
		c, ok := p.among(words)
		if !ok {
			if len(words) == 0 || n == 0 && !isDirection(words[0]) {
				return rgb{}, false
			}
			if _, isHint := pixels(strings.TrimSpace(stop)); n > 0 && !isHint {
				return rgb{}, false
			}
			continue // a direction
		}
		if n++; n == 1 {
			first = c
		} else if first.clear != c.clear || !first.clear && !near(first, c) || first.thin != c.thin {
			return rgb{}, false
		}
	}
	return first, n > 0
}

// isDirection reports whether a word may begin what a gradient says before its colours.
func isDirection(word string) bool {
	switch word {
	case "to", "from", "at", "in", "circle", "ellipse", "left", "right", "top", "bottom", "center", "contain", "cover":
		return true
	}
	_, ok := simple(word)
	return ok || strings.HasPrefix(word, "closest-") || strings.HasPrefix(word, "farthest-")
}

// among returns the first word that is a colour.
func (p palette) among(words []string) (rgb, bool) {
	for _, word := range words {
		if c, ok := p.parse(word); ok {
			return c, true
		}
	}
	return rgb{}, false
}

// backgroundColor returns the colour in a value of background, which stands in the
// last layer.
func backgroundColor(s string, p palette) (rgb, bool) {
	if c, ok := p.parse(s); ok {
		return c, true
	}
	last := s
	for layer := range splitTop(s, ',') {
		last = layer
	}
	return p.among(splitSpace(last))
}

// farBlur is the radius of a blur that leaves one grey of a line of text.
const farBlur = 60

// filtersAll reports whether a filter leaves nothing to see.
func filtersAll(s string) bool {
	if args, ok := call(s, "blur"); ok {
		if n, ok := pixels(strings.TrimSpace(args)); ok && n >= farBlur {
			return true
		}
	}
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

// formatNumber writes a number as CSS reads it.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

package extract

import (
	"math"
	"strconv"
	"strings"
)

// declarations are those of one style attribute that can hide: by property,
// the value that wins, in lower case and without escapes and comments.
type declarations map[string]string

// maxStyle bounds what is read of a style attribute.
const maxStyle = 4096

// parseStyle parses a list of declarations (CSS Syntax Module Level 3, section
// 5.4.5), as far as hiding goes: strings and blocks are kept together, escapes
// and comments are resolved, !important wins, then the later one.
func parseStyle(s string) declarations {
	if len(s) > maxStyle {
		s = s[:maxStyle]
	}
	d := declarations{}
	important := map[string]bool{}
	for _, decl := range splitTop(plainCSS(s), ';') {
		name, value, ok := strings.Cut(decl, ":")
		if !ok {
			continue
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		bang := false
		if i := strings.LastIndexByte(value, '!'); i >= 0 && strings.TrimSpace(value[i+1:]) == "important" {
			bang, value = true, strings.TrimSpace(value[:i])
		}
		if value == "" || important[name] && !bang {
			continue
		}
		d[name] = value
		important[name] = important[name] || bang
	}
	return d
}

// plainCSS resolves comments and escapes and lowers the case.
func plainCSS(s string) string {
	if strings.IndexByte(s, '\\') < 0 && !strings.Contains(s, "/*") {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i+2:], "*/")
			if end < 0 {
				return strings.ToLower(b.String())
			}
			i += end + 4
		case s[i] == '\\' && i+1 < len(s):
			j := i + 1
			for j < len(s) && j < i+7 && isHexDigit(s[j]) {
				j++
			}
			if j == i+1 {
				b.WriteByte(s[j])
				i = j + 1
				continue
			}
			n, _ := strconv.ParseUint(s[i+1:j], 16, 32)
			b.WriteRune(rune(n))
			if j < len(s) && isSpace(s[j]) {
				j++
			}
			i = j
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return strings.ToLower(b.String())
}

func isHexDigit(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// splitTop splits at sep outside of strings and brackets.
func splitTop(s string, sep byte) []string {
	var out []string
	depth, quote, start := 0, byte(0), 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth = max(depth-1, 0)
		case c == sep && depth == 0:
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}

// hides says by what the declarations take the element, with all that is in
// it, out of sight.
func (d declarations) hides() cause {
	if d["display"] == "none" || d["content-visibility"] == "hidden" {
		return byDisplay
	}
	if v, ok := cssNumber(d["opacity"]); ok && v <= .05 {
		return byOpacity
	}
	if v, ok := cssNumber(d["zoom"]); ok && v <= .05 || collapses(d["transform"]) || d["scale"] == "0" {
		return byOpacity
	}
	if strings.HasPrefix(d["overflow"], "hidden") || strings.HasPrefix(d["overflow"], "clip") {
		for _, k := range [...]string{"width", "height", "max-width", "max-height"} {
			if v, ok := pixels(d[k]); ok && v <= 1 {
				return byPlace
			}
		}
	}
	if d["position"] == "absolute" || d["position"] == "fixed" {
		for _, k := range [...]string{"left", "right", "top", "bottom"} {
			if farAway(d[k]) {
				return byPlace
			}
		}
		if zeroRect(d["clip"]) {
			return byPlace
		}
	}
	if farAway(d["text-indent"]) || farAway(d["margin-left"]) || farAway(d["margin-top"]) || clipsAll(d["clip-path"]) {
		return byPlace
	}
	return inSight
}

// inherit applies what is inherited: visibility, font size, colours.
func (d declarations) inherit(p paint) paint {
	switch d["visibility"] {
	case "hidden", "collapse":
		p.invisible = true
	case "visible", "initial":
		p.invisible = false
	}
	size := d["font-size"]
	if f, ok := d["font"]; ok && size == "" {
		for part := range strings.FieldsSeq(f) {
			part, _, _ = strings.Cut(part, "/")
			if _, ok := pixels(part); ok {
				size = part
				break
			}
		}
	}
	if v, ok := pixels(size); ok {
		p.tiny = v < 2
	}
	if c, ok := parseColor(d["-webkit-text-fill-color"]); ok {
		p.color = c
	} else if v, ok := d["color"]; ok && v != "inherit" && v != "currentcolor" {
		p.color, _ = parseColor(v)
	}
	back, given := d["background-color"]
	if !given {
		back, given = d["background"]
	}
	if given {
		switch c, ok := parseColor(back); {
		case ok && c.clear:
			// what lies behind shines through
		case ok:
			p.back = c
		default:
			p.back = rgb{} // a picture or a gradient
		}
	}
	p.flat = p.color.known && (p.color.clear || p.back.known && near(p.color, p.back))
	return p
}

// near reports whether two colours cannot be told apart.
func near(a, b rgb) bool {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return d(a.r, b.r)+d(a.g, b.g)+d(a.b, b.b) <= 24
}

func cssNumber(s string) (float64, bool) {
	if s == "" {
		return 0, false // most often: the property is not there
	}
	s = strings.TrimSpace(s)
	scale := 1.0
	if strings.HasSuffix(s, "%") {
		s, scale = s[:len(s)-1], .01
	}
	v, err := strconv.ParseFloat(s, 64)
	return v * scale, err == nil
}

// pixels reads a length in about pixels; a bare number other than 0 is none.
func pixels(s string) (float64, bool) {
	if s == "" {
		return 0, false
	}
	s = strings.TrimSpace(s)
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' || s[i] == '-' || s[i] == '+') {
		i++
	}
	v, err := strconv.ParseFloat(s[:i], 64)
	if err != nil {
		return 0, false
	}
	switch s[i:] {
	case "px", "pt":
	case "em", "rem", "ch", "ex":
		v *= 16
	case "vw", "vh", "%":
		v *= 12
	case "":
		return v, v == 0
	default:
		return 0, false
	}
	return v, true
}

func farAway(s string) bool {
	v, ok := pixels(s)
	return ok && v <= -900
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
			first := strings.Fields(args + " x")[0]
			v, ok := pixels(first)
			return ok && v == 0
		}
	}
	return false
}

func collapses(s string) bool {
	for _, f := range [...]string{"scale", "scalex", "scaley", "scale3d"} {
		if args, ok := call(s, f); ok {
			v, ok := cssNumber(strings.SplitN(args, ",", 2)[0])
			return ok && math.Abs(v) <= .05
		}
	}
	for _, f := range [...]string{"translate", "translatex", "translatey", "translate3d"} {
		if args, ok := call(s, f); ok {
			for _, a := range strings.Split(args, ",") {
				if farAway(a) {
					return true
				}
			}
		}
	}
	for _, f := range [...]string{"rotatex", "rotatey"} {
		if args, ok := call(s, f); ok {
			v, ok := cssNumber(strings.TrimSuffix(strings.TrimSpace(args), "deg"))
			return ok && math.Mod(math.Abs(v), 180) == 90
		}
	}
	return false
}

// call returns the arguments of a function in a value.
func call(s, name string) (args string, ok bool) {
	i := strings.Index(s, name+"(")
	if i < 0 || i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
		return "", false
	}
	args, _, ok = strings.Cut(s[i+len(name)+1:], ")")
	return args, ok
}

// parseColor reads a colour: names that hide text, hexadecimal, rgb and hsl.
// In a background the first colour of the value counts, and a picture makes it
// unknown.
func parseColor(s string) (rgb, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Contains(s, "url(") || strings.Contains(s, "gradient(") {
		return rgb{}, false
	}
	if args, ok := call(s, "rgb"); ok {
		return rgbOf(args)
	}
	if args, ok := call(s, "rgba"); ok {
		return rgbOf(args)
	}
	for _, f := range [...]string{"hsl", "hsla"} {
		if args, ok := call(s, f); ok {
			return hslOf(args)
		}
	}
	s = strings.Fields(s)[0]
	if s[0] == '#' {
		return hexOf(s[1:])
	}
	switch s {
	case "transparent":
		return rgb{clear: true, known: true}, true
	case "white":
		return rgb{255, 255, 255, false, true}, true
	case "black":
		return rgb{0, 0, 0, false, true}, true
	case "snow", "ghostwhite", "ivory", "mintcream", "floralwhite", "azure":
		return rgb{250, 250, 250, false, true}, true
	}
	return rgb{}, false
}

func hexOf(s string) (rgb, bool) {
	if len(s) == 3 || len(s) == 4 {
		long := make([]byte, 0, 8)
		for i := 0; i < len(s); i++ {
			long = append(long, s[i], s[i])
		}
		s = string(long)
	}
	if len(s) != 6 && len(s) != 8 {
		return rgb{}, false
	}
	v, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		return rgb{}, false
	}
	clear := false
	if len(s) == 8 {
		clear = v&0xff <= 8
		v >>= 8
	}
	return rgb{uint8(v >> 16), uint8(v >> 8), uint8(v), clear, true}, true
}

// components reads numbers apart by commas, spaces or a slash.
func components(args string) []float64 {
	var v []float64
	for _, a := range strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' || r == '/' }) {
		x, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSuffix(a, "deg"), "%"), 64)
		if err != nil {
			return nil
		}
		v = append(v, x)
	}
	return v
}

func rgbOf(args string) (rgb, bool) {
	v := components(args)
	if len(v) < 3 {
		return rgb{}, false
	}
	if strings.Contains(args, "%") {
		for i := range 3 {
			v[i] *= 2.55
		}
	}
	return rgb{channel(v[0]), channel(v[1]), channel(v[2]), len(v) > 3 && v[3] <= .05, true}, true
}

func hslOf(args string) (rgb, bool) {
	v := components(args)
	if len(v) < 3 {
		return rgb{}, false
	}
	h, s, l := v[0]/60, v[1]/100, v[2]/100
	f := func(n float64) uint8 {
		k := math.Mod(n+h*2, 12)
		a := s * math.Min(l, 1-l)
		return channel(255 * (l - a*math.Max(-1, math.Min(math.Min(k-3, 9-k), 1))))
	}
	return rgb{f(0), f(8), f(4), len(v) > 3 && v[3] <= .05, true}, true
}

func channel(v float64) uint8 { return uint8(math.Round(math.Max(0, math.Min(255, v)))) }

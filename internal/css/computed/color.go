package computed

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// rgb is a colour. The zero value is unknown.
type rgb struct {
	r, g, b uint8
	clear   bool // transparent
	known   bool
	thin    bool // partly transparent
}

var (
	white = rgb{r: 255, g: 255, b: 255, known: true}
	black = rgb{known: true}
	// The canvas and its text in a dark colour scheme, as Chromium paints them.
	darkCanvas = rgb{r: 0x12, g: 0x12, b: 0x12, known: true}
	darkButton = rgb{r: 0x6b, g: 0x6b, b: 0x6b, known: true}
	linkBlue   = rgb{b: 0xee, known: true}
	markBack   = rgb{r: 0xff, g: 0xff, known: true}
)

// opaque is the alpha from which a colour counts as opaque.
const opaque = .9

// near reports whether two colours look the same.
func near(a, b rgb) bool {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return d(a.r, b.r)+d(a.g, b.g)+d(a.b, b.b) <= 24
}

// colorSet is an approximate set of colours: it divides the colour space into cells
// of 16 steps.
type colorSet [64]uint64

func (s *colorSet) add(c rgb) {
	lo := func(v uint8) int { return int(max(v, 24)-24) >> 4 }
	hi := func(v uint8) int { return int(min(v, 231)+24) >> 4 }
	for r := lo(c.r); r <= hi(c.r); r++ {
		for g := lo(c.g); g <= hi(c.g); g++ {
			for b := lo(c.b); b <= hi(c.b); b++ {
				s[r<<2|g>>2] |= 1 << (g&3<<4 | b)
			}
		}
	}
}

func (s *colorSet) has(c rgb) bool {
	r, g, b := c.r>>4, c.g>>4, c.b>>4
	return s[r<<2|g>>2]&(1<<(g&3<<4|b)) != 0
}

// palette is what a colour can depend on besides its value. The zero value is that
// of a light page whose currentcolor is unknown.
type palette struct {
	current rgb
	dark    bool // the colour scheme
}

// parseColor parses one colour that depends on nothing but its value.
func parseColor(s string) (rgb, bool) { return palette{}.parse(s) }

// parse parses one colour in lower case (CSS Color Module Levels 4 and 5).
func (p palette) parse(s string) (rgb, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return rgb{}, false
	}
	if s[0] == '#' {
		return hexOf(s[1:])
	}
	if strings.IndexByte(s, '(') < 0 {
		return p.named(s)
	}
	c, ok := p.shade(s, 0)
	if !ok {
		return rgb{}, false
	}
	return c.rgb(), true
}

func (p palette) named(s string) (rgb, bool) {
	switch s {
	case "transparent":
		return rgb{clear: true, known: true, thin: true}, true
	case "currentcolor":
		return p.current, p.current.known
	case "canvas", "field", "window", "background":
		if p.dark {
			return darkCanvas, true
		}
	case "buttonface":
		if p.dark {
			return darkButton, true
		}
	case "canvastext", "fieldtext", "buttontext", "text", "windowtext":
		if p.dark {
			return white, true
		}
	}
	v, ok := namedColor(s)
	return rgb{r: uint8(v >> 16), g: uint8(v >> 8), b: uint8(v), known: ok}, ok
}

func hexOf(s string) (rgb, bool) {
	if len(s) == 3 || len(s) == 4 {
		var long [8]byte
		for i := 0; i < len(s); i++ {
			long[2*i], long[2*i+1] = s[i], s[i]
		}
		s = string(long[:2*len(s)])
	}
	if len(s) != 6 && len(s) != 8 {
		return rgb{}, false
	}
	v, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		return rgb{}, false
	}
	alpha := 1.0
	if len(s) == 8 {
		alpha = float64(v&0xff) / 255
		v >>= 8
	}
	return rgb{uint8(v >> 16), uint8(v >> 8), uint8(v), alpha <= invisible, true, alpha < opaque}, true
}

// shade is a colour in sRGB with components from 0 to 1, which colours outside of
// sRGB exceed, and its alpha.
type shade struct {
	c [3]float64
	a float64
}

func (c shade) rgb() rgb {
	return rgb{channel(255 * c.c[0]), channel(255 * c.c[1]), channel(255 * c.c[2]), c.a <= invisible, true, c.a < opaque}
}

func channel(v float64) uint8 { return uint8(math.Round(math.Max(0, math.Min(255, v)))) }

// shade parses a colour of any form.
func (p palette) shade(s string, depth int) (shade, bool) {
	s = strings.TrimSpace(s)
	open := strings.IndexByte(s, '(')
	if open < 0 || s == "" || s[0] == '#' {
		c, ok := p.parse(s)
		a := 1.0
		if c.clear {
			a = 0
		}
		if len(s) == 9 && s[0] == '#' {
			v, _ := strconv.ParseUint(s[7:], 16, 8)
			a = float64(v) / 255
		}
		return shade{[3]float64{float64(c.r) / 255, float64(c.g) / 255, float64(c.b) / 255}, a}, ok
	}
	if end := closing(s, open); depth > 8 || end < len(s)-1 {
		return shade{}, false
	}
	name, args := s[:open], strings.TrimSuffix(s[open+1:], ")")
	switch name {
	case "color-mix":
		return p.mix(args, depth)
	case "light-dark":
		light, dark, ok := cutTop(args, ',')
		if p.dark {
			light = dark
		}
		if !ok {
			return shade{}, false
		}
		return p.shade(light, depth+1)
	case "contrast-color":
		c, ok := p.shade(args, depth+1)
		v := 1.0
		if xyz := toXYZ("srgb", c.c); xyz[1] > .18 {
			v = 0
		}
		return shade{[3]float64{v, v, v}, 1}, ok
	}
	return p.function(name, args, depth)
}

// cutTop cuts at the first sep outside of brackets.
func cutTop(s string, sep byte) (before, after string, found bool) {
	for part := range splitTop(s, sep) {
		if len(part) == len(s) {
			break
		}
		return part, s[len(part)+1:], true
	}
	return s, "", false
}

// spaceOf returns the colour space of a function, the names of its channels in
// relative colours, and for each channel what a plain number and 100 % are of it.
func spaceOf(name string) (space string, channels [3]string, one, full [3]float64) {
	switch name {
	case "rgb", "rgba":
		return "srgb", [3]string{"r", "g", "b"}, [3]float64{1. / 255, 1. / 255, 1. / 255}, [3]float64{1, 1, 1}
	case "hsl", "hsla":
		return "hsl", [3]string{"h", "s", "l"}, [3]float64{1, .01, .01}, [3]float64{360, 1, 1}
	case "hwb":
		return "hwb", [3]string{"h", "w", "b"}, [3]float64{1, .01, .01}, [3]float64{360, 1, 1}
	case "lab":
		return "lab", [3]string{"l", "a", "b"}, [3]float64{1, 1, 1}, [3]float64{100, 125, 125}
	case "lch":
		return "lch", [3]string{"l", "c", "h"}, [3]float64{1, 1, 1}, [3]float64{100, 150, 360}
	case "oklab":
		return "oklab", [3]string{"l", "a", "b"}, [3]float64{1, 1, 1}, [3]float64{1, .4, .4}
	case "oklch":
		return "oklch", [3]string{"l", "c", "h"}, [3]float64{1, 1, 1}, [3]float64{1, .4, 360}
	case "srgb", "srgb-linear", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020", "display-p3-linear":
		return name, [3]string{"r", "g", "b"}, [3]float64{1, 1, 1}, [3]float64{1, 1, 1}
	case "xyz", "xyz-d65", "xyz-d50":
		return name, [3]string{"x", "y", "z"}, [3]float64{1, 1, 1}, [3]float64{1, 1, 1}
	}
	return "", channels, one, full
}

// function parses a colour function with three channels, and alpha after a slash
// or a comma.
func (p palette) function(name, args string, depth int) (shade, bool) {
	parts, fits := colorArguments(name, args)
	if !fits {
		return shade{}, false
	}
	var origin *shade
	if len(parts) > 1 && parts[0] == "from" {
		c, ok := p.shade(parts[1], depth+1)
		if !ok {
			return shade{}, false
		}
		origin, parts = &c, parts[2:]
	}
	if name == "color" && len(parts) > 0 {
		name, parts = parts[0], parts[1:]
	}
	space, channels, one, full := spaceOf(name)
	if space == "" || len(parts) != 3 && len(parts) != 4 {
		return shade{}, false
	}
	var names func(string) (float64, bool)
	var ok bool
	out := shade{a: 1}
	if origin != nil {
		from := fromXYZ(space, toXYZ("srgb", origin.c))
		out.a = origin.a
		names = func(n string) (float64, bool) {
			if i := slices.Index(channels[:], n); i >= 0 {
				return from[i] / one[i], true
			}
			return origin.a, n == "alpha"
		}
	}
	for i := range 3 {
		if out.c[i], ok = channelIn(parts[i], names, one[i], full[i]); !ok {
			return shade{}, false
		}
	}
	if len(parts) == 4 {
		q, ok := channelOf(parts[3], names)
		if !ok {
			return shade{}, false
		}
		out.a = q.v
	}
	if space != "srgb" {
		out.c = fromXYZ("srgb", toXYZ(space, out.c))
	}
	return out, true
}

// argumentEnds are what stands between the arguments of a colour function.
var argumentEnds = asciiSet(",/ \t\n\r\f")

// colorArguments splits the arguments of a colour function at white space, commas and
// a slash. It reports whether the separators are right (CSS Color Module Level 4, section 4):
// either commas between all, which only rgb()
// and hsl() have, for channels of one kind, or a slash before alpha.
func colorArguments(name, args string) (parts []string, fits bool) {
	parts = make([]string, 0, 8)
	commas, slashes, slash := 0, 0, 0
	for start := 0; start <= len(args); {
		end := nextTop(args, start, &argumentEnds)
		if end > start && len(parts) < 12 {
			parts = append(parts, args[start:end])
		}
		if end < len(args) {
			switch args[end] {
			case ',':
				commas++
			case '/':
				slashes, slash = slashes+1, len(parts)
			}
		}
		start = end + 1
	}
	switch {
	case commas > 0:
		fits = slashes == 0 && commas == len(parts)-1 && len(parts) > 2
		percents := [3]bool{}
		for i := 0; i < 3 && fits; i++ {
			q, known := simple(parts[i])
			percents[i], fits = q.dim == isPercent, known
		}
		switch {
		case strings.HasPrefix(name, "rgb"):
			fits = fits && percents[0] == percents[1] && percents[1] == percents[2]
		default:
			fits = fits && percents == [3]bool{1: true, 2: true} && strings.HasPrefix(name, "hsl")
		}
	case len(parts) == 3:
		fits = slashes == 0
	default: // with alpha, or the name of a space, or an origin
		fits = slashes == 0 && len(parts) != 4 || slashes == 0 && name == "color" || slashes == 1 && slash == len(parts)-1
	}
	return parts, fits
}

// channelIn reads a channel; one is the unit of a plain number, full that of 100 %.
func channelIn(s string, names func(string) (float64, bool), one, full float64) (float64, bool) {
	q, ok := channelOf(s, names)
	switch q.dim {
	case isPercent:
		return q.v * full, ok
	case isAngle:
		return q.v, ok
	case isNumber:
		return q.v * one, ok
	}
	return 0, false
}

func oneSpace(r rune) rune {
	if r == '\n' || r == '\t' || r == '\r' || r == '\f' {
		return ' '
	}
	return r
}

func channelOf(s string, names func(string) (float64, bool)) (quantity, bool) {
	if s == "none" {
		return quantity{}, true
	}
	return calculateWith(s, names)
}

// mix evaluates the arguments of color-mix().
func (p palette) mix(args string, depth int) (shade, bool) {
	space := "oklab"
	var c [2]shade
	share := [2]float64{-1, -1}
	n := 0
	for part := range splitTop(args, ',') {
		part = strings.TrimSpace(part)
		if rest, ok := strings.CutPrefix(part, "in "); ok && n == 0 {
			space, _, _ = strings.Cut(strings.TrimSpace(rest), " ")
			continue
		}
		if n == 2 {
			return shade{}, false
		}
		var color string
		color, share[n] = mixed(part)
		var ok bool
		if c[n], ok = p.shade(color, depth+1); !ok {
			return shade{}, false
		}
		n++
	}
	if n != 2 {
		return shade{}, false
	}
	switch {
	case share[0] < 0 && share[1] < 0:
		share = [2]float64{.5, .5}
	case share[0] < 0:
		share[0] = 1 - share[1]
	case share[1] < 0:
		share[1] = 1 - share[0]
	}
	sum := share[0] + share[1]
	if sum <= 0 {
		return shade{}, false
	}
	out := blend(space, c, share[0]/sum, share[1]/sum)
	out.a *= math.Min(sum, 1)
	return out, true
}

// mixed reads a colour of color-mix() and its share, less than 0 for none.
func mixed(part string) (color string, share float64) {
	share = -1
	for word := range splitTop(part, ' ') {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		if q, ok := simple(word); ok && q.dim == isPercent {
			share = q.v
		} else {
			color = word
		}
	}
	return color, share
}

// hues are the channels that are angles; they are mixed along the shorter arc.
var hues = map[string]int{"hsl": 0, "hwb": 0, "lch": 2, "oklch": 2}

// blend mixes two colours in a colour space, by weights.
func blend(space string, c [2]shade, w0, w1 float64) shade {
	a, b := fromXYZ(space, toXYZ("srgb", c[0].c)), fromXYZ(space, toXYZ("srgb", c[1].c))
	out := shade{a: c[0].a*w0 + c[1].a*w1}
	for i := range 3 {
		if h, ok := hues[space]; ok && h == i {
			d := math.Mod(b[i]-a[i]+540, 360) - 180
			out.c[i] = a[i] + w1*d
			continue
		}
		if out.a > 0 { // mixed premultiplied
			out.c[i] = (a[i]*c[0].a*w0 + b[i]*c[1].a*w1) / out.a
		}
	}
	out.c = fromXYZ("srgb", toXYZ(space, out.c))
	return out
}

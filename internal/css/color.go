package css

import (
	"math"
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

// parseColor parses a colour: hexadecimal, rgb, hsl, and the names that matter for
// hidden text. Of a background, it returns the first colour.
func parseColor(s string) (rgb, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return rgb{}, false
	}
	if strings.IndexByte(s, '(') >= 0 {
		for _, f := range [...]string{"rgb", "rgba"} {
			if args, ok := call(s, f); ok {
				return rgbOf(args)
			}
		}
		for _, f := range [...]string{"hsl", "hsla"} {
			if args, ok := call(s, f); ok {
				return hslOf(args)
			}
		}
		if isPicture(s) {
			return rgb{}, false
		}
	}
	if i := strings.IndexByte(s, ' '); i > 0 {
		for part := range strings.FieldsSeq(s) {
			if c, ok := parseColor(part); ok {
				return c, true
			}
		}
		return rgb{}, false
	}
	if s[0] == '#' {
		return hexOf(s[1:])
	}
	return namedColor(s)
}

// namedColor returns a colour by its name, for the names that matter for hidden
// text.
func namedColor(s string) (rgb, bool) {
	switch s {
	case "transparent":
		return rgb{clear: true, known: true}, true
	case "white":
		return white, true
	case "black":
		return black, true
	case "snow", "ghostwhite", "ivory", "mintcream", "floralwhite", "azure":
		return rgb{r: 250, g: 250, b: 250, known: true}, true
	}
	return rgb{}, false
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
	if strings.Contains(strings.SplitN(args, "/", 2)[0], "%") {
		for i := range 3 {
			v[i] *= 2.55
		}
	}
	return rgb{channel(v[0]), channel(v[1]), channel(v[2]), len(v) > 3 && v[3] <= invisible, true, len(v) > 3 && v[3] < opaque}, true
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
	return rgb{f(0), f(8), f(4), len(v) > 3 && v[3] <= invisible, true, len(v) > 3 && v[3] < opaque}, true
}

func channel(v float64) uint8 { return uint8(math.Round(math.Max(0, math.Min(255, v)))) }

package css

import (
	"math"
	"strconv"
	"strings"
)

// color is an sRGB colour. The zero value is unknown.
type color struct {
	r, g, b uint8
	alpha   float64
	known   bool
}

var (
	white = color{r: 0xff, g: 0xff, b: 0xff, alpha: 1, known: true}
	black = color{alpha: 1, known: true}
)

func (c color) isClear() bool { return c.known && c.alpha <= faint }

// near reports whether two colours are known and look the same.
func (c color) near(d color) bool {
	apart := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return c.known && d.known && apart(c.r, d.r)+apart(c.g, d.g)+apart(c.b, d.b) <= nearColor
}

// parseColor parses a colour in lower case: names, hexadecimal digits, rgb() and hsl(). Of
// others, such as lab() and color-mix(), nothing is known.
func parseColor(s string) color {
	switch {
	case s == "transparent":
		return color{known: true}
	case strings.HasPrefix(s, "#"):
		return hexColor(s[1:])
	case strings.HasSuffix(s, ")"):
		name, args, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
		return functionColor(name, arguments(args))
	}
	return hexColor(namedColors[s])
}

func hexColor(s string) color {
	const short, long = 4, 8 // digits, with those of the alpha channel
	if len(s) <= short {
		doubled := make([]byte, 0, long)
		for i := range len(s) {
			doubled = append(doubled, s[i], s[i])
		}
		s = string(doubled)
	}
	if len(s) == long-2 {
		s += "ff"
	}
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != long {
		return color{}
	}
	return color{uint8(n >> 24), uint8(n >> 16), uint8(n >> 8), float64(n&0xff) / 0xff, true}
}

// functionColor makes a colour of the arguments of rgb() or hsl(). Of hsl(), only colours without
// hue are known.
func functionColor(name string, args []string) color {
	if len(args) < 3 || len(args) > 4 {
		return color{}
	}
	var v [4]float64
	v[3] = 1
	for i, arg := range args {
		n, err := strconv.ParseFloat(strings.TrimRight(arg, "%deg"), 64)
		if err != nil || math.IsNaN(n) {
			return color{}
		}
		if strings.HasSuffix(arg, "%") {
			n /= fullBox
		} else if i < 3 {
			n /= 0xff
		}
		v[i] = min(max(n, 0), 1)
	}
	switch name {
	case "rgb", "rgba":
	case "hsl", "hsla":
		if v[3] > faint && v[1] > 0 && v[2] > 0 && v[2] < 1 {
			return color{}
		}
		v[0], v[1] = v[2], v[2]
	default:
		return color{}
	}
	return color{uint8(v[0]*0xff + .5), uint8(v[1]*0xff + .5), uint8(v[2]*0xff + .5), v[3], true}
}

// groundColor finds the colour in a background. Of pictures and gradients nothing is known.
func groundColor(value string) (c color) {
	for _, f := range fields(value) {
		if strings.Contains(f, "(") && !parseColor(f).known {
			return color{}
		}
		if one := parseColor(f); one.known {
			c = one
		}
	}
	return c
}

// namedColors are the usual ones of CSS Color Module Level 4, section 6.1.
var namedColors = map[string]string{
	"black": "000000", "silver": "c0c0c0", "gray": "808080", "white": "ffffff", "maroon": "800000", "red": "ff0000", "purple": "800080",
	"fuchsia": "ff00ff", "green": "008000", "lime": "00ff00", "olive": "808000", "yellow": "ffff00", "navy": "000080", "blue": "0000ff", "teal": "008080",
	"aqua": "00ffff", "orange": "ffa500", "grey": "808080", "lightgray": "d3d3d3", "lightgrey": "d3d3d3", "darkgray": "a9a9a9", "darkgrey": "a9a9a9",
	"dimgray": "696969", "whitesmoke": "f5f5f5", "gainsboro": "dcdcdc", "snow": "fffafa", "ivory": "fffff0", "ghostwhite": "f8f8ff",
	"floralwhite": "fffaf0", "aliceblue": "f0f8ff", "azure": "f0ffff", "mintcream": "f5fffa", "honeydew": "f0fff0", "seashell": "fff5ee",
	"beige": "f5f5dc", "linen": "faf0e6", "cornsilk": "fff8dc", "lightyellow": "ffffe0", "lavender": "e6e6fa", "midnightblue": "191970",
	"darkblue": "00008b", "darkslategray": "2f4f4f", "slategray": "708090", "steelblue": "4682b4", "crimson": "dc143c", "darkred": "8b0000",
	"darkgreen": "006400", "brown": "a52a2a", "canvas": "ffffff", "canvastext": "000000",
}

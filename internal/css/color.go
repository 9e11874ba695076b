package css

import (
	"math"
	"strconv"
	"strings"
	"sync"
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
	return hexColor(namedColors()[s])
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

var namedColors = sync.OnceValue(func() map[string]string {
	words := strings.Fields(colorNames)
	names := make(map[string]string, len(words)/2)
	for i := 0; i+1 < len(words); i += 2 {
		names[words[i]] = words[i+1]
	}
	return names
})

// colorNames are those of CSS Color Module Level 4, sections 6.1 and 6.2, the system colours
// as Chromium paints them.
const colorNames = `
-webkit-link 0000ee activetext ff0000 aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 
black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 buttonface efefef buttontext 000000 cadetblue 5f9ea0 
canvas ffffff canvastext 000000 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff 
darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b 
darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b 
darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 
dodgerblue 1e90ff field ffffff fieldtext 000000 firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc 
ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 graytext 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 
indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 
lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 
lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 
lime 00ff00 limegreen 32cd32 linen faf0e6 linktext 0000ee magenta ff00ff marktext 000000 maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd 
mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc 
mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 
olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee 
palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 
red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d 
silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c 
teal 008080 thistle d8bfd8 threedface efefef tomato ff6347 turquoise 40e0d0 violet ee82ee visitedtext 551a8b wheat f5deb3 white ffffff 
whitesmoke f5f5f5 window ffffff windowtext 000000 yellow ffff00 yellowgreen 9acd32
`

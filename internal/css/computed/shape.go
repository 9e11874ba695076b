package computed

import (
	"math"
	"strconv"
	"strings"
)

// The box that percentages of basic shapes are taken of; only its proportions to
// the offsets in the shape matter.
const (
	shapeWidth  = 1000
	shapeHeight = 200
)

// clipped is what a clip-path leaves of a box.
type clipped uint8

const (
	clipsSome clipped = iota
	clipsEverything
	clipsUnknown
)

// clipOf says what a clip-path leaves to see (CSS Shapes Module Levels 1 and 2).
func clipOf(s string) clipped {
	for _, shape := range shapes {
		if args, ok := call(s, shape.name); ok {
			if shape.isEmpty(args) {
				return clipsEverything
			}
			return clipsSome
		}
	}
	if strings.HasPrefix(s, "shape(") {
		return clipsUnknown
	}
	return clipsSome
}

// shapes report whether a basic shape with these arguments shows nothing of the box.
// Arguments that are not understood show all of it.
var shapes = [...]struct {
	name    string
	isEmpty func(args string) bool
}{
	{"inset", noInset},
	{"rect", noRect},
	{"xywh", noXYWH},
	{"circle", noCircle},
	{"ellipse", noEllipse},
	{"polygon", noPolygon},
	{"path", noPath},
}

func noInset(args string) bool {
	args, _, _ = strings.Cut(args, "round")
	f := splitSpace(args)
	if len(f) == 0 || len(f) > 4 {
		return false
	}
	var v [4]float64
	for side := range v {
		base := [2]float64{shapeHeight, shapeWidth}[side%2]
		var ok bool
		if v[side], ok = along(f[ofSide(side, len(f))], base); !ok {
			return false
		}
	}
	return v[0]+v[2] >= shapeHeight || v[1]+v[3] >= shapeWidth
}

func noRect(args string) bool {
	args, _, _ = strings.Cut(args, "round")
	f := splitSpace(args)
	if len(f) != 4 {
		return false
	}
	base := [4]float64{shapeHeight, shapeWidth, shapeHeight, shapeWidth}
	edge := [4]float64{0, shapeWidth, shapeHeight, 0}
	for i := range f {
		if v, ok := along(f[i], base[i]); ok {
			edge[i] = v
		} else if f[i] != "auto" {
			return false
		}
	}
	return outside(edge[3], edge[0], edge[1], edge[2])
}

func noXYWH(args string) bool {
	args, _, _ = strings.Cut(args, "round")
	v, n := lengths(args, []float64{shapeWidth, shapeHeight, shapeWidth, shapeHeight})
	return n == 4 && outside(v[0], v[1], v[0]+v[2], v[1]+v[3])
}

func noCircle(args string) bool {
	radii, center, _ := strings.Cut(" "+args, " at ")
	r := [2]float64{shapeWidth / 2, shapeHeight / 2}
	for i, word := range splitSpace(radii) {
		if v, ok := along(word, math.Hypot(shapeWidth, shapeHeight)/math.Sqrt2); ok && i < 2 {
			r[i], r[1] = v, v
		}
	}
	return aroundNothing(r, center)
}

func noEllipse(args string) bool {
	radii, center, _ := strings.Cut(" "+args, " at ")
	return aroundNothing(pair(radii), center)
}

// aroundNothing reports whether the rectangle around an ellipse has no area.
func aroundNothing(r [2]float64, center string) bool {
	c := pair(center)
	return outside(c[0]-r[0], c[1]-r[1], c[0]+r[0], c[1]+r[1])
}

// pair reads two lengths; the one that is left out is half of the box.
func pair(s string) [2]float64 {
	out := [2]float64{shapeWidth / 2, shapeHeight / 2}
	for i, word := range splitSpace(s) {
		if v, ok := along(word, [2]float64{shapeWidth, shapeHeight}[min(i, 1)]); ok && i < 2 {
			out[i] = v
		}
	}
	return out
}

func noPolygon(args string) bool {
	var x, y []float64
	for corner := range splitTop(args, ',') {
		v, n := lengths(corner, []float64{shapeWidth, shapeHeight})
		if n == 2 {
			x, y = append(x, v[0]), append(y, v[1])
		} else if len(x) > 0 {
			return false
		}
	}
	return len(x) > 0 && noArea(x, y)
}

// outside reports whether a rectangle has no area within the box.
func outside(left, top, right, bottom float64) bool {
	w := math.Min(right, shapeWidth) - math.Max(left, 0)
	h := math.Min(bottom, shapeHeight) - math.Max(top, 0)
	return w <= 1 || h <= 1
}

// noArea reports whether a polygon has no area within the box.
func noArea(x, y []float64) bool {
	left, right, top, bottom, area := x[0], x[0], y[0], y[0], 0.0
	for i := range x {
		j := (i + 1) % len(x)
		area += x[i]*y[j] - x[j]*y[i]
		left, right = math.Min(left, x[i]), math.Max(right, x[i])
		top, bottom = math.Min(top, y[i]), math.Max(bottom, y[i])
	}
	return math.Abs(area) <= 4 || outside(left, top, right, bottom)
}

// noPath reports whether the outline of an SVG path has no area: it bounds the
// coordinates of absolute commands, and does not judge relative ones.
func noPath(args string) bool {
	i := strings.IndexAny(args, `"'`)
	if i < 0 {
		return false
	}
	d := strings.Trim(args[i:], `"' `)
	if strings.TrimSpace(d) == "" {
		return true
	}
	var x, y []float64
	var v []float64
	for i := 0; i < len(d); {
		switch c := d[i] | 0x20; {
		case c >= 'a' && c <= 'z' && c != 'e':
			if c != 'z' && c != 'm' && d[i]&0x20 != 0 || c == 'h' || c == 'v' || c == 'a' || c == 'c' || c == 's' || c == 'q' || c == 't' {
				// Relative and curved: only a path without any extent is judged.
				for _, f := range strings.FieldsFunc(d, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }) {
					if n, err := strconv.ParseFloat(f, 64); err != nil || n != 0 {
						return false
					}
				}
				return true
			}
			i++
		case d[i] == ' ' || d[i] == ',' || d[i] == '\n' || d[i] == '\t':
			i++
		default:
			n, rest, ok := number(d[i:])
			if !ok {
				return false
			}
			i = len(d) - len(rest)
			if v = append(v, n); len(v) == 2 {
				x, y, v = append(x, v[0]), append(y, v[1]), v[:0]
			}
		}
	}
	return len(x) == 0 || noArea(x, y)
}

// lengths reads lengths apart by spaces; base is what their percentages
// are of. It returns how many there are, 0 when one cannot be read.
func lengths(s string, base []float64) (v []float64, n int) {
	v = make([]float64, len(base))
	for _, f := range splitSpace(s) {
		if n == len(base) {
			return v, 0
		}
		x, ok := along(f, base[n])
		if !ok {
			return v, 0
		}
		v[n] = x
		n++
	}
	return v, n
}

// ofSide returns which of n values is that of a side of a box, from the top
// clockwise.
func ofSide(side, n int) int {
	switch {
	case side < n:
		return side
	case side == 3 && n > 1:
		return 1
	}
	return 0
}

// splitSpace splits at white space outside of brackets.
func splitSpace(s string) []string {
	var out []string
	for f := range splitTop(strings.Map(oneSpace, s), ' ') {
		if f != "" {
			out = append(out, f)
		}
	}
	return out
}

// far is beyond every edge.
const far = 1e9

// zeroRect reports whether a clip shows nothing.
func zeroRect(s string) bool {
	args, ok := call(s, "rect")
	if !ok {
		return false
	}
	v := make([]float64, 0, 4)
	for a := range splitTop(strings.ReplaceAll(args, ",", " "), ' ') {
		if a == "" {
			continue
		}
		x, ok := pixels(a)
		if !ok && a != "auto" {
			return false
		}
		if !ok { // the edge of the box
			x = [4]float64{0, far, far, 0}[min(len(v), 3)]
		}
		v = append(v, x)
	}
	return len(v) == 4 && (v[2]-v[0] <= 1 || v[1]-v[3] <= 1)
}

package computed

import (
	"math"
	"strings"
)

// matrix4 is a transform (CSS Transforms Module Level 2), row by row.
type matrix4 [4][4]float64

func identity() matrix4 {
	return matrix4{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
}

func (a *matrix4) times(b matrix4) {
	var out matrix4
	for i := range 4 {
		for j := range 4 {
			for k := range 4 {
				out[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	*a = out
}

// A percentage of a translation is of the element's own box, which is not known:
// blocks are about as wide as the screen, and less high.
const (
	boxWidth  = screenWidth
	boxHeight = 200
)

func along(s string, percent float64) (float64, bool) {
	q, ok := simple(s)
	switch q.dim {
	case isLength:
		return q.v, ok
	case isPercent:
		return q.v * percent, ok
	case isNumber:
		return q.v, ok && q.v == 0
	}
	return 0, false
}

func angle(s string) (float64, bool) {
	q, ok := simple(s)
	return q.v * math.Pi / 180, ok && (q.dim == isAngle || q.dim == isNumber && q.v == 0)
}

// translation returns the matrix of translate(), or of the property.
func translation(args []string) (matrix4, bool) {
	m := identity()
	percent := [3]float64{boxWidth, boxHeight, 0}
	for i, a := range args {
		v, ok := along(a, percent[min(i, 2)])
		if !ok || i > 2 {
			return m, false
		}
		m[i][3] = v
	}
	return m, len(args) > 0
}

func scaling(args []string) (matrix4, bool) {
	m := identity()
	for i, a := range args {
		v, ok := cssNumber(a)
		if !ok || i > 2 {
			return m, false
		}
		m[i][i] = v
		if len(args) == 1 {
			m[1][1] = v
		}
	}
	return m, len(args) > 0
}

// rotation returns the matrix of a turn around an axis.
func rotation(x, y, z, a float64) matrix4 {
	m := identity()
	n := math.Sqrt(x*x + y*y + z*z)
	if n == 0 {
		return m
	}
	x, y, z = x/n, y/n, z/n
	sin, cos := math.Sincos(a)
	k := 1 - cos
	m[0] = [4]float64{cos + x*x*k, x*y*k - z*sin, x*z*k + y*sin, 0}
	m[1] = [4]float64{y*x*k + z*sin, cos + y*y*k, y*z*k - x*sin, 0}
	m[2] = [4]float64{z*x*k - y*sin, z*y*k + x*sin, cos + z*z*k, 0}
	return m
}

// transformOf evaluates a list of transform functions.
func transformOf(s string) (matrix4, bool) {
	out := identity()
	if s = strings.TrimSpace(s); s == "none" || s == "" {
		return out, true
	}
	for s != "" {
		open := strings.IndexByte(s, '(')
		if open < 0 {
			return out, false
		}
		end := closing(s, open)
		var args []string
		for a := range splitTop(s[open+1:max(end, open+1)], ',') {
			args = append(args, strings.TrimSpace(a))
		}
		m, ok := transformFunction(strings.TrimSpace(s[:open]), args)
		if !ok {
			return out, false
		}
		out.times(m)
		s = strings.TrimSpace(s[min(end+1, len(s)):])
	}
	return out, true
}

// transformFunctions are the transform functions by their names. Each gets at least
// one argument.
var transformFunctions = map[string]func(args []string) (matrix4, bool){
	"translate":   translation,
	"translate3d": func(args []string) (matrix4, bool) { m, ok := translation(args); return m, ok && len(args) == 3 },
	"translatex":  func(args []string) (matrix4, bool) { return translation(args[:1]) },
	"translatey":  func(args []string) (matrix4, bool) { return translation([]string{"0", args[0]}) },
	"translatez":  func(args []string) (matrix4, bool) { return translation([]string{"0", "0", args[0]}) },
	"scale":       scaling,
	"scale3d":     func(args []string) (matrix4, bool) { m, ok := scaling(args); return m, ok && len(args) == 3 },
	"scalex":      func(args []string) (matrix4, bool) { return scaling([]string{args[0], "1"}) },
	"scaley":      func(args []string) (matrix4, bool) { return scaling([]string{"1", args[0]}) },
	"scalez":      func(args []string) (matrix4, bool) { return scaling([]string{"1", "1", args[0]}) },
	"rotate":      func(args []string) (matrix4, bool) { return turned(args[0], 0, 0, 1) },
	"rotatez":     func(args []string) (matrix4, bool) { return turned(args[0], 0, 0, 1) },
	"rotatex":     func(args []string) (matrix4, bool) { return turned(args[0], 1, 0, 0) },
	"rotatey":     func(args []string) (matrix4, bool) { return turned(args[0], 0, 1, 0) },
	"rotate3d":    rotate3D,
	"skew":        skew,
	"skewx":       skew,
	"skewy":       func(args []string) (matrix4, bool) { y, ok := angle(args[0]); return skewed(0, y), ok },
	"perspective": perspective,
	"matrix":      matrix2D,
	"matrix3d":    matrix3D,
}

func transformFunction(name string, args []string) (matrix4, bool) {
	if f := transformFunctions[name]; f != nil {
		return f(args)
	}
	return identity(), false
}

// turned is a rotation around an axis.
func turned(by string, x, y, z float64) (matrix4, bool) {
	a, ok := angle(by)
	return rotation(x, y, z, a), ok
}

func rotate3D(args []string) (matrix4, bool) {
	axis, ok := numbers(args[:len(args)-1])
	if !ok || len(axis) != 3 {
		return identity(), false
	}
	return turned(args[3], axis[0], axis[1], axis[2])
}

func skew(args []string) (matrix4, bool) {
	x, ok := angle(args[0])
	y := 0.0
	if len(args) > 1 && ok {
		y, ok = angle(args[1])
	}
	return skewed(x, y), ok
}

func skewed(x, y float64) matrix4 {
	m := identity()
	m[0][1], m[1][0] = math.Tan(x), math.Tan(y)
	return m
}

func perspective(args []string) (matrix4, bool) {
	m := identity()
	if args[0] == "none" {
		return m, true
	}
	d, ok := along(args[0], 0)
	m[3][2] = -1 / math.Max(d, 1)
	return m, ok
}

func matrix2D(args []string) (matrix4, bool) {
	m := identity()
	v, ok := numbers(args)
	if !ok || len(v) != 6 {
		return m, false
	}
	m[0][0], m[1][0], m[0][1], m[1][1], m[0][3], m[1][3] = v[0], v[1], v[2], v[3], v[4], v[5]
	return m, true
}

func matrix3D(args []string) (matrix4, bool) {
	m := identity()
	v, ok := numbers(args)
	if !ok || len(v) != 16 {
		return m, false
	}
	for i, x := range v {
		m[i%4][i/4] = x
	}
	return m, true
}

func numbers(args []string) ([]float64, bool) {
	v := make([]float64, len(args))
	for i, a := range args {
		var ok bool
		if v[i], ok = cssNumber(a); !ok {
			return nil, false
		}
	}
	return v, true
}

// ofProperty evaluates a value of transform, translate, rotate or scale.
func transformOfProperty(p property, s string) (matrix4, bool) {
	if s == "none" || s == "" {
		return identity(), true
	}
	var args []string
	if p != propTransform {
		for a := range splitTop(s, ' ') {
			if a = strings.TrimSpace(a); a != "" {
				args = append(args, a)
			}
		}
	}
	switch p {
	case propTranslate:
		return translation(args)
	case propScale:
		return scaling(args)
	case propRotate:
		return rotated(args)
	}
	return transformOf(s)
}

// rotated is the value of the property rotate: an angle, and perhaps an axis.
func rotated(args []string) (matrix4, bool) {
	axis := [3]float64{0, 0, 1}
	var v []float64
	a, ok := 0.0, false
	for _, arg := range args {
		switch arg {
		case "x":
			axis = [3]float64{1, 0, 0}
		case "y":
			axis = [3]float64{0, 1, 0}
		case "z":
		default:
			if n, isAxis := cssNumber(arg); isAxis && !(len(v) == 3) {
				v = append(v, n)
			} else if a, ok = angle(arg); !ok {
				return identity(), false
			}
		}
	}
	if len(v) == 3 {
		axis = [3]float64(v)
	}
	return rotation(axis[0], axis[1], axis[2], a), ok || len(v) == 1
}

// endless is from which scale on browsers draw nothing: skewed by a right angle.
const endless = 1e6

// around is the transform with another origin, which is x and y away from the middle of
// the box.
func (m matrix4) around(x, y float64) matrix4 {
	m[0][3] += x - m[0][0]*x - m[0][1]*y
	m[1][3] += y - m[1][0]*x - m[1][1]*y
	return m
}

// originAt is how far an origin is from the middle of the box, as far as it is outside of
// the box.
func (v *values) originAt(origin string) (x, y float64) {
	at, size := [2]float64{}, [2]float64{v.statedWidth(), usualLine}
	if size[0] == 0 {
		size[0] = boxWidth
	}
	for i, w := range splitSpace(origin) {
		switch q, _ := simple(w); {
		case i > 1:
		case q.dim == isLength:
			at[i] = q.v - size[i]/2
		case q.dim == isPercent && (q.v < 0 || q.v > 1):
			at[i] = (q.v - .5) * size[i]
		}
	}
	return at[0], at[1]
}

// unseen reports why nothing is seen of a box with this transform: its size, its
// place, or InSight.
func (m *matrix4) unseen() Reason {
	w := m[3][3]
	if w <= 1e-9 { // behind the eye
		return Size
	}
	x, y := math.Hypot(m[0][0], m[1][0])/w, math.Hypot(m[0][1], m[1][1])/w
	if x >= endless || y >= endless {
		return Size
	}
	area := math.Abs(m[0][0]*m[1][1]-m[0][1]*m[1][0]) / (w * w)
	if x <= invisible || y <= invisible || area <= invisible*invisible || m[0][2] == 0 && m[1][2] == 0 && m[2][2] == 0 { // no depth: it cannot be inverted
		return Size
	}
	if dx, dy := m[0][3]/w, m[1][3]/w; dx <= -farLeft || dy <= -farUp || dx >= farRight {
		return Place
	}
	return InSight
}

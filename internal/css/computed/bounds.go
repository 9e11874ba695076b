package computed

import (
	"math"
	"strings"
)

// Edges are the sides of a part of a box, from its upper left corner.
type Edges struct{ Left, Top, Right, Bottom float64 }

// ClipRect returns the part of a box of this size that the clip property leaves to see;
// false where it cannot be read (CSS Masking Module Level 1, section 8).
func ClipRect(value string, width, height float64) (Edges, bool) {
	args, ok := call(value, "rect")
	if !ok {
		return Edges{}, false
	}
	side := [4]float64{0, width, height, 0}
	f := splitSpace(strings.ReplaceAll(args, ",", " "))
	if len(f) != 4 {
		return Edges{}, false
	}
	for i := range f {
		if n, ok := pixels(f[i]); ok {
			side[i] = n
		} else if f[i] != "auto" {
			return Edges{}, false
		}
	}
	return Edges{side[3], side[0], side[1], side[2]}, true
}

// ClipBounds returns the rectangle around what a computed clip-path leaves to see of a
// box of this size; false where it cannot be read (CSS Shapes Module Level 1, section 3).
func ClipBounds(value string, width, height float64) (Edges, bool) {
	if args, ok := call(value, "inset"); ok {
		return insetBounds(args, width, height)
	}
	if args, ok := call(value, "polygon"); ok {
		return polygonBounds(args, width, height)
	}
	for _, name := range [...]string{"circle", "ellipse"} {
		if args, ok := call(value, name); ok {
			return ellipseBounds(args, name == "circle", width, height)
		}
	}
	return Edges{}, false
}

func insetBounds(args string, width, height float64) (Edges, bool) {
	args, _, _ = strings.Cut(args, "round")
	f := splitSpace(args)
	if len(f) == 0 || len(f) > 4 {
		return Edges{}, false
	}
	var v [4]float64
	for side := range v {
		var ok bool
		if v[side], ok = along(f[ofSide(side, len(f))], [2]float64{height, width}[side%2]); !ok {
			return Edges{}, false
		}
	}
	return Edges{v[3], v[0], width - v[1], height - v[2]}, true
}

func polygonBounds(args string, width, height float64) (Edges, bool) {
	out := Edges{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	n := 0
	for corner := range splitTop(args, ',') {
		v, k := lengths(corner, []float64{width, height})
		if k != 2 {
			if n > 0 {
				return Edges{}, false
			}
			continue // the fill rule
		}
		n++
		out = Edges{min(out.Left, v[0]), min(out.Top, v[1]), max(out.Right, v[0]), max(out.Bottom, v[1])}
	}
	return out, n > 0
}

func ellipseBounds(args string, circle bool, width, height float64) (Edges, bool) {
	radii, center, _ := strings.Cut(" "+args+" ", " at ")
	base := [2]float64{width, height}
	if circle {
		base[0] = math.Hypot(width, height) / math.Sqrt2
		base[1] = base[0]
	}
	// Without lengths, the sides bound the shape; larger than the box is all of it.
	r, c := [2]float64{width, height}, [2]float64{width / 2, height / 2}
	for i, word := range splitSpace(radii) {
		n, ok := along(word, base[min(i, 1)])
		if i > 1 {
			return Edges{}, false
		}
		if ok && circle {
			r = [2]float64{n, n}
		} else if ok {
			r[i] = n
		}
	}
	at := splitSpace(center)
	for i, word := range at {
		n, ok := along(word, [2]float64{width, height}[min(i, 1)])
		if !ok || len(at) > 2 {
			return Edges{}, false
		}
		c[i] = n
	}
	return Edges{c[0] - r[0], c[1] - r[1], c[0] + r[0], c[1] + r[1]}, true
}

package browser

import (
	"math"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/dom"
)

// An offset is a place in an element, which a ref may name: k3@10,20 is ten pixels
// right of and twenty below its upper left corner, k3@50%,100% the middle of its
// lower edge. Offsets beyond the element are for drags.
type offset struct {
	x, y               float64
	xPercent, yPercent bool
}

// cutOffset takes the offset from a ref; ok is false where it cannot be read.
func cutOffset(ref string) (_ string, _ *offset, ok bool) {
	ref, rest, has := strings.Cut(ref, "@")
	if !has {
		return ref, nil, true
	}
	left, right, ok := strings.Cut(rest, ",")
	s := new(offset)
	if ok {
		s.x, s.xPercent, ok = length(left)
	}
	if ok {
		s.y, s.yPercent, ok = length(right)
	}
	return ref, s, ok
}

// length reads a number of pixels, or of hundredths.
func length(s string) (n float64, percent, ok bool) {
	s, percent = strings.CutSuffix(strings.TrimSpace(s), "%")
	n, err := strconv.ParseFloat(strings.TrimSuffix(s, "px"), 64)
	return n, percent, err == nil && math.Abs(n) < 1e6
}

// A box is the place of an element in the window.
type box struct{ x, y, w, h float64 }

// boxOf is the box around a quadrilateral; the zero value where there is none.
func boxOf(q dom.Quad) box {
	if len(q) != 8 {
		return box{}
	}
	left, top := min(q[0], q[2], q[4], q[6]), min(q[1], q[3], q[5], q[7])
	return box{left, top, max(q[0], q[2], q[4], q[6]) - left, max(q[1], q[3], q[5], q[7]) - top}
}

// holds reports whether a point is in the box.
func (b box) holds(p point) bool {
	return p.x >= b.x && p.y >= b.y && p.x < b.x+b.w && p.y < b.y+b.h
}

// in is the offset's place in a box. The whole of a side is its last pixel; more is beyond the box.
func (s *offset) in(b box) point {
	p := point{b.x + s.x, b.y + s.y}
	if s.xPercent {
		p.x = b.x + share(s.x, b.w)
	}
	if s.yPercent {
		p.y = b.y + share(s.y, b.h)
	}
	return p
}

// share is a percentage of the side of a box.
func share(percent, side float64) float64 {
	at := side * percent / 100
	if percent <= 100 {
		return min(at, max(side-1, 0))
	}
	return at
}

// whole rounds a point to a pixel: pages compute with the places of events, and a
// real mouse reports whole pixels.
func (p point) whole() point { return point{math.Round(p.x), math.Round(p.y)} }

// A point is a place in the window, in CSS pixels.
type point struct{ x, y float64 }

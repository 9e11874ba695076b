package browser

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/dom"

	"github.com/spyhop-dev/spyhop/tool"
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

// boxOf is the box around quadrilaterals.
func boxOf(quads []dom.Quad) (box, bool) {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, q := range quads {
		for i := 0; i+1 < len(q); i += 2 {
			left, right = min(left, q[i]), max(right, q[i])
			top, bottom = min(top, q[i+1]), max(bottom, q[i+1])
		}
	}
	return box{left, top, right - left, bottom - top}, left <= right && top <= bottom
}

// in is the offset's place in a box. The whole of a side is its last pixel.
func (s *offset) in(b box) point {
	p := point{b.x + s.x, b.y + s.y}
	if s.xPercent {
		p.x = b.x + min(b.w*s.x/100, max(b.w-1, 0))
	}
	if s.yPercent {
		p.y = b.y + min(b.h*s.y/100, max(b.h-1, 0))
	}
	return p
}

// whole rounds a point to a pixel: pages compute with the places of events, and a
// real mouse reports whole pixels.
func (p point) whole() point { return point{math.Round(p.x), math.Round(p.y)} }

// A point is a place in the window, in CSS pixels.
type point struct{ x, y float64 }

// A Point is a place on a page, in CSS pixels from its upper left corner. A picture of the
// full page has the same coordinates; one of the window begins where the page is scrolled to.
type Point struct{ X, Y float64 }

// pointOf returns where a point of the page is in the window.
func (t *tab) pointOf(ctx context.Context, at Point) (point, error) {
	var is [4]float64
	if err := t.ask(ctx, &is, fmt.Sprintf("%s(%g, %g)", script("point"), at.X, at.Y)); err != nil {
		return point{}, err
	}
	if at.X < 0 || at.Y < 0 || at.X >= is[0] || at.Y >= is[1] {
		return point{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("the point %g,%g is not on the page, which is %g pixels wide and %g high", at.X, at.Y, is[0], is[1]),
			"take_web_screenshot with full_page shows the page in these pixels")
	}
	return point{is[2], is[3]}.whole(), nil
}

package snapshot

import (
	"slices"

	"github.com/spyhop-dev/spyhop/internal/css"
)

// What is painted over a text hides it: opaque backgrounds, borders, outlines and shadows,
// and backdrop filters. All of them are rectangles here; several can cover a text together.

// A cover is a rectangle that hides what is painted before it.
type cover struct {
	rect
	node, order int
	// under is the order of what the box is painted over if it is painted before the
	// content that it belongs to: with a negative z-index.
	under int
}

// findCovers notes what an element covers.
func (d *doc) findCovers(i int) {
	if d.kind(i) != element || d.layout[i] == 0 || int(d.layout[i]) > len(d.src.Layout.Order) || len(d.boxes.covers) >= maxBoxes {
		return
	}
	parts := d.opaqueParts(i)
	if len(parts) == 0 || !d.paintsSolid(i) || !d.overText(i) {
		return
	}
	order := d.order(i)
	under := d.underOf(i, order)
	for _, r := range parts {
		switch port := d.viewed[i].port; {
		case d.style(i, stylePosition) == "fixed":
			if !d.coversWindow(r) {
				continue
			}
			r = rect{} // wherever the page is scrolled to
		case port.bounded:
			r = r.cut(port)
		}
		d.boxes.covers = append(d.boxes.covers, cover{r, i, order, under})
	}
}

// paintsSolid reports whether what an element paints stands where its box is, with the
// colours that its styles name.
func (d *doc) paintsSolid(i int) bool {
	v := &d.viewed[i]
	return d.style(i, styleVisibility) == "visible" && v.opacity >= 1 && (v.why == css.InSight || v.why == css.Color) && !v.unknown && d.style(i, styleClipPath) == "none"
}

// opaqueParts returns the rectangles of an element through which nothing is seen.
func (d *doc) opaqueParts(i int) (out []rect) {
	x, y, w, h, _ := d.box(i)
	own := rect{x, y, x + w, y + h, true}
	put := func(r, clip rect) {
		if r = r.cut(clip); r.width() >= leastSize && r.height() >= leastSize {
			out = append(out, r)
		}
	}
	clip := d.clipAround(i)
	if css.Opaque(d.style(i, styleBackColor)) || css.OpaqueImage(d.style(i, styleBackImage)) && d.style(i, styleBackSize) == "auto" || css.Washes(d.style(i, styleBackdrop)) {
		put(own, clip)
	}
	frame := func(f css.Frame) {
		for _, r := range ring(f, x, y) {
			put(r, clip)
		}
	}
	if f, ok := css.BorderFrame(d.style(i, styleBorderWidth), d.style(i, styleBorderColor), w, h); ok {
		frame(f)
	}
	if v := d.style(i, styleShadow); v != "none" && v != "" {
		for _, f := range css.ShadowFrames(v, w, h) {
			frame(f)
		}
	}
	if f, ok := css.OutlineFrame(d.style(i, styleOutline), d.style(i, styleOutlineOffset), w, h); ok {
		frame(f)
	}
	return out
}

// clipAround is what the elements around an element clip of it.
func (d *doc) clipAround(i int) rect {
	up := d.up(i)
	if up < 0 {
		return rect{}
	}
	switch d.style(i, stylePosition) {
	case "fixed":
		return rect{}
	case "absolute":
		return d.viewed[up].positioned
	}
	return d.viewed[up].clip
}

// ring returns what a frame covers of the page, for a box that stands at x and y.
func ring(f css.Frame, x, y float64) []rect {
	outer, hole := at(f.Outer, x, y), at(f.Hole, x, y).cut(at(f.Outer, x, y))
	return outer.without(hole, nil)
}

func at(e css.Edges, x, y float64) rect {
	return rect{x + e.Left, y + e.Top, x + e.Right, y + e.Bottom, true}
}

// without appends the parts of r that are outside of o to a list.
func (r rect) without(o rect, to []rect) []rect {
	if o.left >= o.right || o.top >= o.bottom || o.left >= r.right || o.right <= r.left || o.top >= r.bottom || o.bottom <= r.top {
		return append(to, r)
	}
	for _, part := range [...]rect{
		{r.left, r.top, r.right, o.top, true},
		{r.left, o.bottom, r.right, r.bottom, true},
		{r.left, max(r.top, o.top), o.left, min(r.bottom, o.bottom), true},
		{o.right, max(r.top, o.top), r.right, min(r.bottom, o.bottom), true},
	} {
		if part.width() >= leastSize && part.height() >= leastSize {
			to = append(to, part)
		}
	}
	return to
}

// maxParts bounds the parts of a text that are looked at while boxes cover it.
const maxParts = 32

// covered reports whether what is painted later hides all of a text.
func (d *doc) covered(i int, x, y, w, h float64) bool {
	if int(d.layout[i]) > len(d.src.Layout.Order) {
		return false
	}
	text, order, all := rect{x, y, x + w, y + h, true}, d.order(i), d.findBoxes().covers
	for k := range all {
		if c := &all[k]; c.meets(text) && c.over(d, i, order) {
			return d.coveredBy(all[k:], i, text)
		}
	}
	return false
}

// coveredBy reports whether some covers hide all of a text together.
func (d *doc) coveredBy(all []cover, i int, text rect) bool {
	var space [2][maxParts]rect
	left, next, order := append(space[0][:0], text), space[1][:0], d.order(i)
	for k := range all {
		c := &all[k]
		if !c.meets(text) || !c.over(d, i, order) {
			continue
		}
		if !c.bounded {
			return true
		}
		next = next[:0]
		for _, r := range left {
			next = r.without(c.rect, next)
		}
		if left, next = next, left; len(left) == 0 {
			return true
		}
		if len(left) > maxParts {
			return false
		}
	}
	return false
}

// meets reports whether a cover and a rectangle have something in common.
func (c *cover) meets(r rect) bool {
	return !c.bounded || c.left < r.right && c.right > r.left && c.top < r.bottom && c.bottom > r.top
}

// over reports whether a cover is painted over a node of this order.
func (c *cover) over(d *doc, i, order int) bool {
	before := order < c.order && order > c.under || order == c.order && i < c.node
	return before && !d.within(i, c.node)
}

// beneath reports whether something covers a text and all of the window, wherever the page
// is scrolled to.
func (d *doc) beneath(i int) bool {
	if int(d.layout[i]) > len(d.src.Layout.Order) {
		return false
	}
	order := d.order(i)
	return slices.ContainsFunc(d.findBoxes().covers, func(c cover) bool { return !c.bounded && c.over(d, i, order) })
}

// overText reports whether the background of an element is painted over text that comes
// before the element: it is a layer of its own, or an atomic box.
func (d *doc) overText(i int) bool {
	up := d.up(i)
	for up > 0 && d.layout[up] == 0 {
		up = d.up(up)
	}
	if up < 0 || d.layout[up] == 0 {
		return false
	}
	if d.style(i, stylePosition) == "sticky" {
		return false // it stands elsewhere when the page is scrolled
	}
	if int(d.layout[up]) > len(d.src.Layout.Order) || d.order(up) != d.order(i) {
		return true
	}
	switch d.style(i, styleDisplay) {
	case "inline-block", "inline-flex", "inline-grid", "inline-table":
		return true
	}
	switch d.style(up, styleDisplay) {
	case "flex", "grid", "inline-flex", "inline-grid":
		return true
	}
	return false
}

// underOf returns the order of the layer that a layer with a negative z-index is painted
// into the ground of: the content of that layer is painted over it. It is -1 for others.
func (d *doc) underOf(i, order int) int {
	if z := d.style(i, styleZIndex); len(z) == 0 || z[0] != '-' {
		return -1
	}
	most := -1
	for up := d.up(i); up >= 0; up = d.up(up) {
		if d.layout[up] > 0 && int(d.layout[up]) <= len(d.src.Layout.Order) && d.order(up) < order {
			most = max(most, d.order(up))
		}
	}
	return most
}

// coversWindow reports whether a box covers all of the window.
func (d *doc) coversWindow(r rect) bool {
	left, top := d.src.ScrollX, d.src.ScrollY
	return d.window.Width > 0 && r.left <= left && r.top <= top && r.right >= left+d.window.Width && r.bottom >= top+d.window.Height
}

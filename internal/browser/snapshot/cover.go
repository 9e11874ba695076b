package snapshot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
)

// What is painted over a text hides it: opaque backgrounds, borders, outlines and shadows,
// and backdrop filters. All of them are rectangles here; several can cover a text together.

// A cover is a rectangle that hides what is painted before it.
type cover struct {
	rect
	node, rank int
	plain      bool // painted before the text of its layer
	last       bool // painted after all of its layer: an outline
	picture    bool // something may show through: a picture, or another document
	pinned     bool // it stays in its place of the window
	dialog     int  // pinned, in this modal dialog; 0: in none
}

// covers are those of a document, by where they stand: those over the whole window, those
// that are high, and the others by the bands of the page that they reach into.
type covers struct {
	whole, high []cover
	bands       map[int][]cover
	count       int
}

const (
	bandHeight = 256
	mostBands  = 8
)

func (c *covers) add(n cover) {
	c.count++
	first, last := int(n.top)/bandHeight, int(n.bottom)/bandHeight
	switch {
	case !n.bounded:
		c.whole = append(c.whole, n)
	case last-first >= mostBands:
		c.high = append(c.high, n)
	default:
		if c.bands == nil {
			c.bands = make(map[int][]cover)
		}
		for b := first; b <= last; b++ {
			c.bands[b] = append(c.bands[b], n)
		}
	}
}

// near visits the covers that may stand over a box, some of them more than once, until visit
// returns false.
func (c *covers) near(top, bottom float64, visit func(c *cover) bool) {
	each := func(all []cover) bool {
		for k := range all {
			if !visit(&all[k]) {
				return false
			}
		}
		return true
	}
	if !each(c.whole) || !each(c.high) {
		return
	}
	first, last := int(top)/bandHeight, int(bottom)/bandHeight
	for b := first; b <= last && b-first < 4*mostBands; b++ {
		if !each(c.bands[b]) {
			return
		}
	}
}

// findCovers notes what an element covers.
func (d *doc) findCovers(i int) {
	if d.kind(i) != element || d.layout[i] == 0 || int(d.layout[i]) > len(d.src.Layout.Order) || d.boxes.covers.count >= maxBoxes || isRoot(d.tag(i)) {
		return
	}
	if d.backdrop(i) {
		d.boxes.covers.add(cover{node: i, rank: d.boxes.ranks.back(d, i)})
	}
	parts, outline, picture := d.opaqueParts(i), d.outlineParts(i), false
	if cells := d.parts.canvases[d.src.Nodes.BackendID[i]]; len(parts) == 0 && len(cells) > 0 {
		x, y, w, h, _ := d.box(i)
		for _, c := range cells {
			parts = append(parts, rect{x + c.left*w, y + c.top*h, x + c.right*w, y + c.bottom*h, true}.cut(d.clipAround(i)))
		}
		picture = len(parts) > 1 || !d.viewed[i].pinned || !d.coversWindow(parts[0])
	} else if len(parts) == 0 && d.mayHide(i) {
		x, y, w, h, _ := d.box(i)
		parts, picture = []rect{rect{x, y, x + w, y + h, true}.cut(d.clipAround(i))}, true
	}
	if len(parts)+len(outline) == 0 || !d.paintsSolid(i) || d.style(i, stylePosition) == "sticky" && !d.staysOver(i) {
		return
	}
	c := cover{node: i, rank: d.boxes.ranks.back(d, i), plain: !d.overText(i), picture: picture, pinned: d.viewed[i].pinned}
	if c.pinned {
		c.dialog = d.inModal(i)
	}
	if !c.plain || d.order(i) > d.boxes.ranks.ground { // else nothing is painted before it
		d.addCovers(c, parts)
	}
	c.rank, c.last, c.picture = d.boxes.ranks.text(d, i), true, false
	d.addCovers(c, outline)
}

// addCovers adds the parts of what an element covers.
func (d *doc) addCovers(c cover, parts []rect) {
	for _, c.rect = range parts {
		switch {
		case c.pinned && !c.picture && d.coversWindow(c.rect):
			c.rect = rect{} // wherever the page is scrolled to
		case d.viewed[c.node].pane.bounded:
			c.rect = c.rect.cut(d.viewed[c.node].pane)
		}
		d.boxes.covers.add(c)
	}
}

// staysOver reports whether a sticky box covers what it covers now wherever the page is
// scrolled to: it sticks to the upper edge, beyond which what it covers leaves the window, and
// has not been moved yet.
func (d *doc) staysOver(i int) bool {
	top, err := strconv.ParseFloat(strings.TrimSuffix(d.style(i, styleTop), "px"), 64)
	return err == nil && top <= 0 && d.src.ScrollY == 0 && !d.viewed[i].down && !d.viewed[i].sideways
}

// mayHide reports whether an element shows a picture, or another document, that stands where
// its box is.
func (d *doc) mayHide(i int) bool {
	switch d.tag(i) {
	case "img", "image", "video", "iframe", "object", "embed":
		return true
	case "path", "circle", "ellipse", "polygon": // they fill a part of their box
		return css.Opaque(d.fill(i))
	}
	if image, solid, fills := d.borderImage(i); image && !solid && fills {
		return strings.Contains(d.style(i, styleBorderImage), "url(")
	}
	image := d.style(i, styleBackImage)
	return strings.Contains(image, "url(") && d.first[i] == 0
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
	if d.tag(i) == "rect" && css.Opaque(d.fill(i)) {
		put(own, clip)
	}
	if css.Opaque(d.style(i, styleBackColor)) || css.OpaqueImage(d.style(i, styleBackImage)) && d.style(i, styleBackSize) == "auto" || css.Washes(d.style(i, styleBackdrop)) {
		put(own, clip)
	}
	frame := func(f css.Frame) {
		for _, r := range ring(f, x, y) {
			put(r, clip)
		}
	}
	image, solid, fills := d.borderImage(i)
	if solid && fills {
		put(own, clip)
	}
	colors := d.style(i, styleBorderColor)
	if solid {
		colors = "black"
	}
	if f, ok := css.BorderFrame(d.style(i, styleBorderWidth), colors, w, h); ok && (solid || !image) {
		frame(f)
	}
	if v := d.style(i, styleShadow); v != "none" && v != "" {
		for _, f := range css.ShadowFrames(v, w, h) {
			frame(f)
		}
	}
	return out
}

// borderImage reports whether a picture is painted in the place of the border of an element,
// whether nothing shows through it, and whether it fills the middle too (CSS Backgrounds and
// Borders Module Level 3, section 6).
func (d *doc) borderImage(i int) (image, solid, fills bool) {
	v := d.style(i, styleBorderImage)
	at := strings.LastIndexByte(v, ')') + 1
	if at == 0 {
		return false, false, false
	}
	slice, _, _ := strings.Cut(v[at:], "/")
	return true, css.OpaqueImage(v[:at]), strings.Contains(slice, "fill")
}

// outlineParts returns the rectangles that the outline of an element hides: it is painted over all
// that stands in its layer, before and after the element (CSS 2, appendix E, step 10).
func (d *doc) outlineParts(i int) (out []rect) {
	x, y, w, h, _ := d.box(i)
	if f, ok := css.OutlineFrame(d.style(i, styleOutline), d.style(i, styleOutlineOffset), w, h); ok {
		clip := d.clipAround(i)
		for _, r := range ring(f, x, y) {
			if r = r.cut(clip); r.width() >= leastSize && r.height() >= leastSize {
				out = append(out, r)
			}
		}
	}
	return out
}

// clipAround is what the elements around an element clip of it.
func (d *doc) clipAround(i int) rect {
	up := d.up(i)
	if up < 0 || d.isOnTop(i) {
		return rect{}
	}
	switch d.style(i, stylePosition) {
	case "fixed":
		return d.viewed[up].window.clip
	case "absolute":
		return d.viewed[up].block.clip
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

// covered says whether what is painted later hides all of a text: Covered, Unknown where
// that is one picture, or InSight.
func (d *doc) covered(i int, x, y, w, h float64) css.Reason {
	why := css.InSight
	if int(d.layout[i]) > len(d.src.Layout.Order) {
		return why
	}
	var space [2][maxParts]rect
	text := rect{x, y, x + w, y + h, true}
	left, next := append(space[0][:0], text), space[1][:0]
	all := d.findBoxes()
	rank := all.ranks.text(d, i)
	all.covers.near(y, y+h, func(c *cover) bool {
		if !c.meets(text) || !c.over(d, i, rank) {
			return true
		}
		if c.picture {
			if len(text.without(c.rect, next[:0])) == 0 {
				why = css.Unknown
			}
			return true
		}
		if !c.bounded {
			why = css.Covered
			return false
		}
		next = next[:0]
		for _, r := range left {
			next = r.without(c.rect, next)
		}
		if left, next = next, left; len(left) == 0 {
			why = css.Covered
			return false
		}
		return len(left) <= maxParts
	})
	return why
}

// meets reports whether a cover and a rectangle have something in common.
func (c *cover) meets(r rect) bool {
	return !c.bounded || c.left < r.right && c.right > r.left && c.top < r.bottom && c.bottom > r.top
}

// over reports whether a cover is painted over a text of this rank.
func (c *cover) over(d *doc, i, rank int) bool {
	if c.pinned && c.bounded && (!d.viewed[i].pinned || c.dialog > 0 && !d.within(i, c.dialog)) {
		return false // a scroll, or the end of the dialog, shows it
	}
	if depth := d.viewed[c.node].space.Order(d.viewed[i].space); depth != 0 {
		return depth > 0 && !d.within(i, c.node)
	}
	return rank < c.rank || rank == c.rank && (c.last || !c.plain && d.comesBefore(i, c.node))
}

// comesBefore reports whether a node is drawn before another one of its layer: in the order of the
// tree, but for items of one container that have an order of their own (CSS Flexbox, section 5.4).
func (d *doc) comesBefore(i, other int) bool {
	x, y := i, other
	for d.up(x) != d.up(y) && x > 0 && y > 0 { // to the items in what is around both
		if d.up(x) > d.up(y) {
			x = d.up(x)
		} else {
			y = d.up(y)
		}
	}
	if x > 0 && y > 0 && x != y {
		m, _ := strconv.Atoi(d.style(x, styleOrder))
		n, _ := strconv.Atoi(d.style(y, styleOrder))
		if m != n {
			return m < n
		}
	}
	return i < other
}

// beneath reports whether something covers a text and all of the window, wherever the page
// is scrolled to.
func (d *doc) beneath(i int) bool {
	if int(d.layout[i]) > len(d.src.Layout.Order) {
		return false
	}
	all := d.findBoxes()
	rank := all.ranks.text(d, i)
	return slices.ContainsFunc(all.covers.whole, func(c cover) bool { return c.over(d, i, rank) })
}

// overText reports whether what an element paints stands over text of its layer that comes
// before it: it is a layer of its own, an atomic box, or a shape.
func (d *doc) overText(i int) bool {
	if d.beginsLayer(i) || isShape(d.tag(i)) {
		return true
	}
	switch d.style(i, styleDisplay) {
	case "inline-block", "inline-flex", "inline-grid", "inline-table":
		return true
	}
	switch d.style(d.boxAround(i), styleDisplay) {
	case "flex", "grid", "inline-flex", "inline-grid":
		return true
	}
	return false
}

// coversWindow reports whether a box covers all of the window.
func (d *doc) coversWindow(r rect) bool {
	left, top := d.src.ScrollX, d.src.ScrollY
	return d.window.Width > 0 && r.left <= left && r.top <= top && r.right >= left+d.window.Width && r.bottom >= top+d.window.Height
}

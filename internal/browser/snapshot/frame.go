package snapshot

import "github.com/spyhop-dev/spyhop/internal/css"

// A frame shows its document on what is behind it, and as much of it as the boxes around the
// frame leave.

// standIn says in which frame of another document a document is shown.
func (d *doc) standIn(around *doc, frame int, v view) {
	out := view{opacity: 1, port: open, block: open, window: open, unknown: v.unknown}
	out.judged = css.Computed{}.Over(around.behindBox(frame, v))
	out.ground = &ground{node: -1, judged: out.judged}
	if clip, ok := d.partOf(around, frame, v); ok {
		out.port = &port{clip: clip}
		out.block = out.port
	}
	d.outer = &out
}

// outermost is the view outside of all elements.
func (d *doc) outermost() view {
	if d.outer != nil {
		return *d.outer
	}
	return view{opacity: 1, port: open, block: open, window: open}
}

// behindBox is the state with the colour that is behind an element and in it.
func (d *doc) behindBox(i int, v view) css.Computed {
	x, y, w, h, _ := d.box(i)
	g := v.ground
	for g != nil && !g.box.holds(x, y, w, h) {
		g = g.up
	}
	judged := css.Computed{}
	if g != nil {
		judged = g.judged
	}
	if g == nil || g.node != i {
		if b := d.paintedBehind(i, rect{x, y, x + w, y + h, true}, g); b != nil {
			judged = judged.On(b.color)
		}
	}
	return judged
}

// partOf returns the part of a document of which something can be seen in a frame, wherever
// the document is scrolled to; false for all of it.
func (d *doc) partOf(around *doc, frame int, v view) (rect, bool) {
	x, y, w, h, _ := around.box(frame)
	own := rect{x, y, x + w, y + h, true}
	for i := frame; i > 0; i = around.up(i) {
		if around.transformed(i) {
			return rect{}, false // a length in the frame is another one outside
		}
	}
	shown := own.cut(v.clip)
	moreX, moreY := max(0, d.src.ContentWidth-w), max(0, d.src.ContentHeight-h)
	if around.attr(frame, "scrolling") == "no" {
		moreX, moreY = d.src.ScrollX, d.src.ScrollY
	} else if shown == own {
		return rect{}, false
	}
	const edge = 4 // the border of a frame is a part of its box
	return rect{shown.left - x - edge, shown.top - y - edge, shown.right - x + moreX, shown.bottom - y + moreY, true}, true
}

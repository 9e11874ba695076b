package snapshot

import (
	"strconv"
	"strings"
)

// Rules of visibility. The browser decides: what it lays out and does not hide is seen, in a
// snapshot and in the markup for the extractor. Nothing is estimated about colours, layers or
// what lies over a text. A node is hidden when
//
//   - it has no box, as with display: none;
//   - visibility hides it, or its opacity and that of its ancestors is below seenOpacity;
//   - its box, its letters, or an ancestor that clips it have no size that can be seen;
//   - it is outside of what an ancestor clips, and no scrolling leads there;
//   - it is beside the page, or beside the window if it is fixed to it.
//
// Fields of forms may be transparent: pages draw their own in that place.

// A view is what the ancestors of a node leave to be seen of it.
type view struct {
	opacity float64
	gone    bool // an ancestor is out of sight with all of its content
	// What the boxes around leave of what is in the flow, of what is placed in the
	// nearest containing block, and of what is fixed.
	*port
	block, window *port
	held          bool  // an element around, not the window, contains what is fixed
	turn          *turn // how what is around is turned in space; nil for not at all
	late          bool  // it is laid out when a person scrolls to it, and has its full height then
	lifted        bool  // it was placed so that it begins above the page: scrolling may not lead there
}

// A port is what boxes leave of what is in them.
type port struct {
	clip  rect
	empty bool // one of them leaves nothing
	// One of them can be scrolled sideways or down.
	sideways, down bool
}

// open is the port outside of all boxes that clip.
var open = &port{}

// rect is a part of a document in CSS pixels; without a bound, it is all of it.
type rect struct {
	left, top, right, bottom float64
	bounded                  bool
}

func (r rect) width() float64  { return r.right - r.left }
func (r rect) height() float64 { return r.bottom - r.top }

func (r rect) cut(o rect) rect {
	switch {
	case !r.bounded:
		return o
	case !o.bounded:
		return r
	}
	return rect{max(r.left, o.left), max(r.top, o.top), min(r.right, o.right), min(r.bottom, o.bottom), true}
}

// shows reports whether something of a box is within.
func (r rect) shows(x, y, w, h float64) bool {
	return !r.bounded || min(r.right, x+w)-max(r.left, x) >= 1 && min(r.bottom, y+h)-max(r.top, y) >= 1
}

// rectOf is the box of a node.
func (d *doc) rectOf(i int) rect {
	x, y, w, h, ok := d.box(i)
	return rect{x, y, x + w, y + h, ok}
}

// openIn says in which window a document is shown.
func (d *doc) openIn(window Viewport) {
	d.window = window
	for i := range d.first {
		if d.kind(i) == element && isRoot(d.tag(i)) && cuts(d.style(i, styleOverflowY)) {
			d.locked = d.locked || d.hasModal()
		}
	}
}

// views returns what can be seen in each node.
func (d *doc) views() []view {
	out := make([]view, len(d.first))
	for i := range out {
		v := view{opacity: 1, port: open, block: open, window: open}
		if up := d.up(i); up >= 0 && !(d.kind(i) == element && d.isOnTop(i)) {
			v = out[up]
		}
		if d.kind(i) == element && d.layout[i] > 0 {
			v = d.enter(i, v)
		}
		out[i] = v
	}
	d.viewed = out
	return out
}

// isOnTop reports whether an element is in the top layer, which is drawn over the page and
// outside of all that the elements around it clip or make transparent (CSS Positioned Layout
// Module Level 4, section 3).
func (d *doc) isOnTop(i int) bool { return d.style(i, styleOverlay) == "auto" }

// enter returns the view inside of an element.
func (d *doc) enter(i int, v view) view {
	if f, err := strconv.ParseFloat(d.style(i, styleOpacity), 64); err == nil && !d.process.src.Revealed[d.src.Nodes.BackendID[i]] {
		v.opacity *= f
	}
	position, own := d.style(i, stylePosition), d.rectOf(i)
	switch position {
	case "fixed":
		v.port = v.window
		x, y := d.src.ScrollX, d.src.ScrollY
		switch window := (rect{x, y, x + d.window.Width, y + d.window.Height, true}); {
		case v.held || d.window.Height == 0:
		case min(own.width(), own.height()) < 1: // libraries put dialogs and notices into such a box
			v.port = v.port.cut(window)
		default:
			v.gone = v.gone || !window.shows(own.left, own.top, own.width(), own.height())
		}
	case "absolute":
		v.port = v.block
		v.lifted = v.lifted || own.top < 0
	}
	v.late = v.late || d.style(i, styleContentVisibility) == "auto"
	v = d.face(i, v)
	contains, transformed := d.contains(i), d.transformed(i)
	p := v.port.overflow(d, i, own, contains)
	shape, shaped := d.shape(i, position, own)
	if shaped {
		p.clip = p.clip.cut(shape)
		v.gone = v.gone || min(p.clip.width(), p.clip.height()) < 1
		v.block, v.window = v.block.cut(shape), v.window.cut(shape)
	}
	if p != *v.port {
		v.port = &p
	}
	if position != "static" && position != "" || contains || transformed {
		v.block = v.port
	}
	if contains || transformed {
		v.window, v.held = v.port, true
	}
	return v
}

// cut is a port that leaves less.
func (p *port) cut(r rect) *port {
	out := *p
	out.clip = out.clip.cut(r)
	return &out
}

// overflow is a port without what is beyond the edges of a box that clips.
func (p port) overflow(d *doc, i int, own rect, contains bool) port {
	x, y := d.style(i, styleOverflowX), d.style(i, styleOverflowY)
	cutsX, cutsY := contains || cuts(x), contains || cuts(y)
	if margin, ok := pixels(d.style(i, styleClipMargin)); ok && (x == "clip" || y == "clip") { // it is painted (CSS Overflow 4, section 3.3)
		own = rect{own.left - margin, own.top - margin, own.right + margin, own.bottom + margin, own.bounded}
	}
	p.empty = p.empty || own.height() < leastSize && (cutsY || scrolls(y)) || own.width() < leastSize && (cutsX || scrolls(x))
	if (cutsX || cutsY) && !(d.locked && isRoot(d.tag(i))) {
		edges := own
		if !cutsX {
			edges.left, edges.right = -far, far
		}
		if !cutsY {
			edges.top, edges.bottom = -far, far
		}
		p.clip = p.clip.cut(edges)
	}
	return p.scrolled(d, scrolls(x), scrolls(y), own)
}

// scrolled is a port with all that can be scrolled into sight in a box.
func (p port) scrolled(d *doc, sideways, down bool, own rect) port {
	if !sideways && !down || !p.clip.shows(own.left, own.top, own.width(), own.height()) || !p.sideways && !p.down && d.beside(own.left, own.top) {
		return p
	}
	if p.sideways = p.sideways || sideways; sideways && p.clip.bounded {
		p.clip.left, p.clip.right = -far, far
	}
	if p.down = p.down || down; down && p.clip.bounded {
		p.clip.top, p.clip.bottom = -far, far
	}
	return p
}

// transformed reports whether an element contains what is positioned in it, whatever its own
// position (CSS Transforms Module Level 1, section 3; Filter Effects Module Level 1, section 5).
func (d *doc) transformed(i int) bool {
	for k := styleTransform; k <= stylePerspective; k++ {
		if x := d.style(i, k); x != "none" && x != "" {
			return d.style(i, styleDisplay) != "inline" && !isRoot(d.tag(i))
		}
	}
	return false
}

// contains reports whether an element clips all that is in it, what is positioned in it
// too (CSS Containment Module Level 2, section 3.5).
func (d *doc) contains(i int) bool {
	contain := d.style(i, styleContain)
	return (strings.Contains(contain, "paint") || contain == "strict" || contain == "content") && d.style(i, styleDisplay) != "inline"
}

// shape is what clip and an inset clip-path leave of an element, and of all that is positioned
// in it too.
func (d *doc) shape(i int, position string, own rect) (r rect, ok bool) {
	if edges, is := strings.CutPrefix(d.style(i, styleClip), "rect("); is && (position == "absolute" || position == "fixed") {
		e := edgesOf(edges, ", ", own, [4]float64{-far, far, far, -far})
		r, ok = rect{own.left + e[3], own.top + e[0], own.left + e[1], own.top + e[2], true}, true
	}
	if edges, is := strings.CutPrefix(d.style(i, styleClipPath), "inset("); is {
		edges, _, _ = strings.Cut(edges, " round")
		e := edgesOf(edges, " ", own, [4]float64{})
		r, ok = r.cut(rect{own.left + e[3], own.top + e[0], own.right - e[1], own.bottom - e[2], true}), true
	}
	return r, ok
}

// edgesOf reads one to four lengths: top, right, bottom, left.
func edgesOf(s, between string, own rect, auto [4]float64) (out [4]float64) {
	words := strings.Split(strings.TrimSuffix(strings.TrimSpace(s), ")"), between)
	same := [4][4]int{{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 2, 1}, {0, 1, 2, 3}}[min(len(words), len(out))-1]
	for k := range out {
		word := words[same[k]]
		share, percent := strings.CutSuffix(word, "%")
		f, ok := pixels(share)
		switch {
		case !ok:
			out[k] = auto[k]
		case percent && k%2 == 0:
			out[k] = f * own.height() / 100
		case percent:
			out[k] = f * own.width() / 100
		default:
			out[k] = f
		}
	}
	return out
}

func isRoot(tag string) bool { return tag == "html" || tag == "body" }

// beside reports whether a place is outside of the area that the page can be scrolled
// to.
func (d *doc) beside(x, y float64) bool {
	right, bottom := d.src.ContentWidth, d.src.ContentHeight
	return right > 0 && x >= right || bottom > 0 && y >= bottom && !d.locked
}

// seen reports whether what is in a node can be seen; for a text node, its letters.
func (d *doc) seen(i int, v view) bool {
	x, y, w, h, ok := d.textBox(i)
	switch visibility := d.style(i, styleVisibility); {
	case !ok, v.gone, v.empty, v.opacity < seenOpacity, w < 1, h < 1, x+w <= 0, y+h <= 0 && (!v.down || v.lifted), visibility != "visible" && visibility != "":
		return false
	case d.kind(i) != textNode && d.generated[i] == "":
		return true
	}
	if size, ok := pixels(d.style(i, styleFontSize)); ok && size < leastSize || h < leastSize || !v.clip.shows(x, y, w, h) {
		return false
	}
	if v.sideways {
		x = 0
	}
	if v.down {
		y = 0
	}
	return v.late || !d.beside(x, y)
}

// isSkipped reports whether a node without a box is in an element whose content has none
// before it comes near the window (CSS Containment Module Level 2, section 4).
func (d *doc) isSkipped(i int) bool {
	for i > 0 && d.layout[i] == 0 {
		i = d.up(i)
	}
	if i <= 0 || d.style(i, styleContentVisibility) != "auto" {
		return false
	}
	for c := d.first[i]; c != 0; c = d.next[c] {
		if d.layout[c] > 0 {
			return false
		}
	}
	return true
}

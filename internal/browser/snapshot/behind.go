package snapshot

import "github.com/spyhop-dev/spyhop/internal/css"

// What is behind a text decides whether its colour can be seen, and what is before it
// whether it can be seen at all. The order of painting and the boxes tell both (CSS 2,
// appendix E): a hit test at every text, without asking the page.

// ground is the background that an element paints, and those of the elements around it.
type ground struct {
	up     *ground
	box    rect
	judged css.Computed // within the element
}

// flat says whether the letters of a text cannot be told from what is behind them. What
// an element around the text paints lies behind the text only where the element's box
// is: text can overflow a box.
func (d *doc) flat(i int, v view) css.Look {
	x, y, w, h, _ := d.box(i)
	judged := v.judged
	if !judged.Changed() {
		g := v.ground
		for g != nil && !g.box.holds(x, y, w, h) {
			g = g.up
		}
		switch {
		case g == nil:
			judged = judged.Over(css.Computed{})
		case g != v.ground:
			judged = judged.Over(g.judged)
		}
	}
	same, traced := judged.Flat()
	if !same || judged.Clear() {
		return lookOf(same, traced)
	}
	if judged.Changed() {
		return lookOf(true, traced)
	}
	// What is not an ancestor can be placed behind a text.
	if b := d.paintedBehind(i, rect{x, y, x + w, y + h, true}); b != nil {
		if like, ok := judged.Same(b.color); !ok || !like {
			return css.Look{}
		}
	}
	return lookOf(true, traced)
}

func lookOf(flat, traced bool) css.Look {
	if !flat {
		return css.Look{}
	}
	return css.Look{Why: css.Color, Traced: traced}
}

// boxes are what a document paints beside its text, in the order of the tree.
type boxes struct {
	painted []paintedBox
	covers  []cover
}

// A paintedBox is the background of an element, or a picture.
type paintedBox struct {
	rect
	node, order int    // under, where the box is painted before the content of that layer
	color       string // "" for a picture
}

// maxBoxes bounds the boxes that are compared with a text.
const maxBoxes = 4000

func (d *doc) findBoxes() *boxes {
	if d.boxes != nil {
		return d.boxes
	}
	d.boxes = &boxes{}
	for i := range d.first {
		d.findCovers(i)
		box, ok := d.paintBox(i)
		color, picture := d.style(i, styleBackColor), d.isPicture(i)
		if !ok || !picture && css.Transparent(color) || len(d.boxes.painted) >= maxBoxes {
			continue
		}
		order := d.order(i)
		under := d.underOf(i, order)
		b := paintedBox{rect: box, node: i, order: order}
		if under >= 0 {
			b.order = under
		}
		if !picture {
			b.color = color
		}
		d.boxes.painted = append(d.boxes.painted, b)
	}
	return d.boxes
}

// paintBox returns the box that an element paints, without what is clipped of it.
func (d *doc) paintBox(i int) (rect, bool) {
	if d.kind(i) != element || d.layout[i] == 0 || int(d.layout[i]) > len(d.src.Layout.Order) || d.style(i, styleVisibility) != "visible" {
		return rect{}, false
	}
	x, y, w, h, _ := d.box(i)
	box := rect{x, y, x + w, y + h, true}.cut(d.viewed[i].clip)
	return box, box.width() >= leastSize && box.height() >= leastSize
}

// isPicture reports whether an element paints a picture.
func (d *doc) isPicture(i int) bool {
	switch d.tag(i) {
	case "img", "video", "canvas", "svg", "object", "embed", "iframe":
		return true
	}
	image := d.style(i, styleBackImage)
	return image != "none" && image != ""
}

// paintedBehind returns the topmost box behind most of a text which is neither around
// the text nor in it; nil where there is none.
func (d *doc) paintedBehind(i int, text rect) *paintedBox {
	if int(d.layout[i]) > len(d.src.Layout.Order) {
		return nil
	}
	var top *paintedBox
	order, all := d.order(i), d.findBoxes().painted
	for k := range all {
		b := &all[k]
		if b.order > order || !b.holds(text.left, text.top, text.right-text.left, text.bottom-text.top) || d.within(i, b.node) {
			continue
		}
		if top == nil || b.order >= top.order {
			top = b
		}
	}
	return top
}

// within reports whether a node is a descendant of another one.
func (d *doc) within(i, above int) bool {
	for i > above {
		i = d.up(i)
	}
	return i == above
}

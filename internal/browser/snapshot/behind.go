package snapshot

import "github.com/spyhop-dev/spyhop/internal/css"

// What is behind a text decides whether its colour can be seen, and what is before it
// whether it can be seen at all. The order of painting and the boxes tell both (CSS 2,
// appendix E): a hit test at every text, without asking the page.

// ground is the background that an element paints, and those of the elements around it.
type ground struct {
	up     *ground
	node   int
	box    rect
	judged css.Computed // within the element
}

// flat says whether the letters of a text cannot be told from what is behind them. What
// an element around the text paints lies behind the text only where the element's box
// is: text can overflow a box. What is not an ancestor can be placed behind it too.
func (d *doc) flat(i int, v view) css.Look {
	judged := v.judged
	if judged.Changed() {
		return lookOf(judged.Flat())
	}
	x, y, w, h, _ := d.textBox(i)
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
	same, traced := judged.Flat()
	if same && judged.Clear() || !same && !d.mayVanish(v) {
		return lookOf(same, traced)
	}
	if b := d.paintedBehind(i, rect{x, y, x + w, y + h, true}, g); b != nil {
		same, traced = judged.On(b.color).Flat()
	}
	return lookOf(same, traced)
}

func lookOf(flat, traced bool) css.Look {
	if !flat {
		return css.Look{}
	}
	return css.Look{Why: css.Color, Traced: traced}
}

// mayVanish reports whether something in the document has the colour of text with this
// verdict.
func (d *doc) mayVanish(v view) bool {
	all := d.findBoxes()
	may, ok := all.vanish[v.verdict]
	if !ok {
		for color := range all.colors {
			if same, _ := v.judged.On(color).Flat(); same {
				may = true
				break
			}
		}
		all.vanish[v.verdict] = may
	}
	return may
}

// boxes are what a document paints beside its text, in the order of the tree.
type boxes struct {
	painted []paintedBox
	colors  map[string]bool // of painted
	vanish  map[int]bool    // of mayVanish, by the number of the verdict
	ranks   ranks
	covers  covers
}

// A paintedBox is the background of an element, a shape of a drawing, or a picture.
type paintedBox struct {
	rect
	node, rank int
	color      string // "" where several may be seen
	drawn      bool   // a shape: it is painted in the order of the tree
}

// maxBoxes bounds the boxes that are compared with a text.
const maxBoxes = 4000

func (d *doc) findBoxes() *boxes {
	if d.boxes != nil {
		return d.boxes
	}
	d.boxes = &boxes{colors: make(map[string]bool), vanish: make(map[int]bool), ranks: d.newRanks()}
	for i := range d.first {
		d.findCovers(i)
		color, drawn, ok := d.paints(i)
		if !ok || len(d.boxes.painted) >= maxBoxes {
			continue
		}
		if box, ok := d.paintBox(i); ok {
			d.boxes.painted = append(d.boxes.painted, paintedBox{box, i, d.boxes.ranks.back(d, i), color, drawn})
			if color != "" {
				d.boxes.colors[color] = true
			}
		}
	}
	return d.boxes
}

// paints returns the colour of the background of an element or of a shape, "" where that is
// not one colour; drawn says that it is a shape.
func (d *doc) paints(i int) (color string, drawn, ok bool) {
	if d.kind(i) != element || d.layout[i] == 0 {
		return "", false, false
	}
	tag := d.tag(i)
	if isShape(tag) {
		color, drawn = d.fill(i), true
		if color != "" && css.Transparent(color) {
			return "", true, false
		}
		if tag != "rect" {
			color = "" // a part of its box
		}
	} else {
		color = d.style(i, styleBackColor)
		picture := d.isPicture(i)
		if !picture && css.Transparent(color) {
			return "", false, false
		}
		if picture {
			color = ""
		}
	}
	if d.viewed[i].opacity < 1 {
		color = ""
	}
	return color, drawn, d.viewed[i].why == css.InSight && !d.viewed[i].empty && d.viewed[i].opacity >= seenOpacity
}

// isShape reports whether an element of a drawing paints an area.
func isShape(tag string) bool {
	switch tag {
	case "rect", "circle", "ellipse", "polygon", "path", "image":
		return true
	}
	return false
}

// fill is the colour that a shape or the letters of a drawing are filled with; "" where it
// is not one that can be named.
func (d *doc) fill(i int) string {
	s := d.style(i, styleFill)
	switch o := d.style(i, styleFillOpacity); {
	case d.tag(i) == "image":
		return ""
	case s == "none" || s == "", o == "0":
		return "transparent"
	case o != "1" && o != "", s[0] == 'u': // url()
		return ""
	}
	return s
}

// isTemplate reports whether an element of a drawing is only drawn where others name it (SVG
// 2, section 5.2), and none does. What the others draw is not among the nodes of a page.
func (d *doc) isTemplate(i int) bool {
	switch d.tag(i) {
	case "clippath", "mask", "pattern", "marker", "lineargradient", "radialgradient", "filter":
		return true
	case "defs", "symbol":
		return !d.holdsUsed(i)
	}
	up := d.up(i)
	return up > 0 && d.tag(up) == "defs" && !d.holdsUsed(i)
}

// holdsUsed reports whether a use element shows an element or something in it.
func (d *doc) holdsUsed(i int) bool {
	const most = 1000 // nodes
	used := d.used[d.attr(i, "id")]
	if len(d.used) > 0 && !used {
		d.descend(i, most, func(j int) bool {
			used = d.kind(j) == element && d.used[d.attr(j, "id")]
			return !used
		})
	}
	return used
}

// paintBox returns the box that an element paints, without what is clipped of it.
func (d *doc) paintBox(i int) (rect, bool) {
	if int(d.layout[i]) > len(d.src.Layout.Order) || d.style(i, styleVisibility) != "visible" {
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

// paintedBehind returns the topmost box behind most of a text which is neither around the
// text nor in it, and is painted over the background g around the text; nil where there is
// none.
func (d *doc) paintedBehind(i int, text rect, g *ground) *paintedBox {
	if int(d.layout[i]) > len(d.src.Layout.Order) {
		return nil
	}
	var top *paintedBox
	all := d.findBoxes()
	rank, least, from := all.ranks.text(d, i), -1, -1
	if g != nil && g.node > 0 && !isRoot(d.tag(g.node)) {
		least, from = all.ranks.back(d, g.node), g.node
	}
	for k := range all.painted {
		b := &all.painted[k]
		if b.rank > rank || b.drawn && b.rank == rank && b.node > i || b.rank < least || b.rank == least && b.node < from ||
			!b.holds(text.left, text.top, text.right-text.left, text.bottom-text.top) || d.within(i, b.node) {
			continue
		}
		if top == nil || b.rank >= top.rank {
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

package computed

import (
	"strconv"
	"strings"
)

// mayCover reports whether declarations may place a box over what is around it, or below it.
// Its background can be in other rules, or be that of its element.
func mayCover(decls []decl) bool {
	for _, d := range decls {
		switch d.prop {
		case propPosition:
			if d.value == "absolute" || d.value == "fixed" {
				return true
			}
		case propZIndex:
			if zIndex(d.value) < 0 {
				return true
			}
		case propMarginTop, propMarginBottom, propTop:
			if n, _ := pixels(d.value); n <= -usualLine {
				return true
			}
		case propTransform, propTranslate:
			if m, _ := transformOfProperty(d.prop, plain(d.value)); m[1][3] <= -usualLine {
				return true
			}
		case propGridRow, propOutline, propBorder:
			return true
		case propBoxShadow:
			if hasThick(d.value, flood) {
				return true
			}
		}
	}
	return false
}

// Sunk reports whether the element that was entered last is painted before the background of
// an element around it (CSS 2, appendix E), which may hide it.
func (v *View) Sunk() bool {
	k := len(v.stack) - 1
	if k < 1 || !v.over || v.s.Unread {
		return false
	}
	if positioned, order := v.Order(); !positioned || order >= 0 {
		return false
	}
	return v.sinks(k - 1)
}

// sinks reports whether layers with a negative z-index in the open element i are painted before
// the background of that element or of one around it.
func (v *View) sinks(i int) bool {
	if i <= 1 { // the background of the body is that of the page
		return false
	}
	if v.stack[i].sinks == nil {
		sinks := false
		if !v.layers(i) {
			_, sinks = v.valuesOf(i, ^mask(0)).isOpaque(v.stack[i].paint.color)
			sinks = sinks || v.sinks(i-1)
		}
		v.stack[i].sinks = &sinks
	}
	return *v.stack[i].sinks
}

// layers reports whether an open element holds layers with a negative z-index before its
// background, or may do so.
func (v *View) layers(i int) bool {
	vals := v.valuesOf(i, places|1<<propOpacity|1<<propFilter|1<<propContain|1<<propClipPath|1<<propMask|coloring)
	position, z := vals.get(propPosition), vals.get(propZIndex)
	n, ok := cssNumber(vals.get(propOpacity))
	return vals.isMoved() || position == "fixed" || position == "sticky" || z != "" && z != "auto" || ok && n < 1 ||
		vals.has(propFilter) || vals.has(propContain) || vals.has(propClipPath) || vals.has(propMask) || vals.has(propBlend)
}

// Cover is an element, or the ::before or ::after of one, that is placed over all that its
// containing block holds: it hides what is painted before it, and what is painted after it
// stands before its colour.
type Cover struct {
	Block   int  // how many elements further up the containing block is; 0 for a part of it
	Order   int  // z-index
	Item    int  // the order of an item in its container
	Picture bool // parts of it may be transparent
	Part    Part
	// Cell is the area of a grid that it fills; "" for other covers.
	Cell string
	// Floods is set for what covers all around it, by its shadow or outline.
	Floods bool
	// Lift is how far it is moved up over what stands before it in the flow, in pixels, and
	// High how high it is at least without a text. Where Lift is 0 and High is not, it covers
	// what its containing block begins with.
	Lift, High float64
	// Behind is set where it may hide nothing: a picture of a background.
	Behind bool
	back   rgb // not known for pictures
	at     int32
}

// Part is what of an element paints.
type Part uint8

// The parts.
const (
	Whole  Part = iota
	Before      // its ::before
	After       // its ::after
)

// Shows reports whether letters that cannot be seen where they stand are seen before the
// cover: they have another colour, and nothing between the two is painted.
func (c Cover) Shows(l Look) bool {
	if l.Why != Color || l.ink.clear || !l.ink.known || l.ground > c.at {
		return false
	}
	return c.Picture || c.Behind || c.back.known && !near(l.ink, c.back)
}

// Covers returns what of the element that was entered last is a cover: with an opaque
// background, or a picture.
func (v *View) Covers(found func(Cover)) {
	k := len(v.stack) - 1
	if k < 1 {
		return
	}
	if lift := v.stack[k-1].lift; v.over || lift > 0 {
		vals := v.valuesOf(k, ^mask(0))
		v.stack[k-1].lift = max(0, -vals.length(propMarginBottom))
		c := Cover{Lift: lift + vals.lifted(), Cell: v.cell(vals, k)}
		if ok := vals.cover(&c, v.stack[k].paint.color, IsReplaced(v.stack[k].node.Data)); ok {
			v.coverIn(c, k, vals.get(propPosition) == "absolute", k-1, found)
		}
	}
	if v.s.Unread || !v.s.hasParts {
		return
	}
	for _, part := range [...]Part{Before, After} {
		vals, ok := v.partOf(k, part)
		if !ok {
			continue
		}
		if content := vals.get(propContent); content == "" || content == "none" || content == "normal" || isWide(content) {
			continue // it is not generated
		}
		if c := (Cover{Part: part}); vals.cover(&c, v.stack[k].paint.color, false) {
			v.coverIn(c, k, vals.get(propPosition) == "absolute", k, found)
		}
	}
}

// coverIn looks for the containing block of a cover, from the open element i on.
func (v *View) coverIn(c Cover, k int, absolute bool, i int, found func(Cover)) {
	if c.Block = k; c.Cell != "" || c.Lift > 0 {
		c.Block, c.at = 1, int32(k-1)
	}
	if absolute && !c.Floods {
		for ; i > 0; i-- {
			if x := v.valuesOf(i, places).get(propPosition); x != "" && x != "static" {
				c.Block, c.at = k-i, int32(i)
				break
			}
		}
	}
	found(c)
}

// partOf returns the values of the ::before or ::after of an open element; false if no
// rule is about it. They hold until the next call of valuesOf.
func (v *View) partOf(k int, part Part) (*values, bool) {
	if v.s.parts == nil {
		v.s.parts = v.s.newIndex(func(r *rule) bool { return r.parts != 0 })
	}
	any := false
	v.s.each(v.s.parts, v.stack[k].node, v.keysOf(k), v.keysOf(k-1), &v.stack[k].names, ^mask(0), func(*entry) { any = true })
	if !any {
		return nil, false
	}
	v.exact(k)
	vals := &v.aux
	vals.clear()
	vals.s, vals.scope, vals.node, vals.view, vals.at = v.s, v.stack[k].vars, v.stack[k].node, v, k
	any = false
	v.s.each(v.s.parts, v.stack[k].node, v.keysOf(k), v.keysOf(k-1), &v.stack[k].names, ^mask(0), func(e *entry) {
		r := &v.s.rules[e.rule]
		if r.parts&(1<<part) == 0 || v.holds(r.cond, k) != yes {
			return
		}
		any = true
		for _, d := range v.s.declsOf(e.rule) {
			vals.set(d, e.priority(), v.s.layers[r.layer].rank, e.rule, true)
		}
	})
	return vals, any
}

// cover reports whether a box with these values is a cover; current is the colour of its
// text, replaced says that it shows a picture or another document.
func (v *values) cover(c *Cover, current rgb, replaced bool) (ok bool) {
	position := v.get(propPosition)
	switch c.Floods = v.floods(position); {
	case !c.Floods && position == "absolute" && v.border() >= coverHeight && v.isBefore(propTop) && v.isBefore(propLeft):
		c.Cell, c.Lift, c.High = "", 0, v.border()
		c.Order = zIndex(v.get(propZIndex))
		return v.isPainted()
	case c.Floods, (position == "absolute" || position == "fixed") && v.spans():
		c.Cell, c.Lift = "", 0
	case position == "absolute" && v.heads():
		c.Cell, c.Lift, c.High = "", 0, v.length(propHeight)
	case c.Cell != "" && position == "" && v.isWhole(propWidth) && (v.isWhole(propHeight) || v.length(propHeight) >= coverHeight):
		c.Lift = 0
	case c.Lift > 0 && (position == "relative" || v.isMoved()):
		c.Cell = ""
		c.High = max(v.length(propHeight), v.length(propMinHeight)) + max(0, v.length(propPaddingTop)) + max(0, v.length(propPaddingBottom))
	default:
		return false
	}
	c.Order, c.Item = zIndex(v.get(propZIndex)), zIndex(v.get(propOrder))
	if c.Floods {
		return v.isPainted()
	}
	if c.back, ok = v.isOpaque(current); ok {
		return true
	}
	c.back = rgb{}
	if !v.isPainted() || v.s.Unread {
		return false
	}
	// Sheets that were not read may place the text before the picture.
	c.Picture = replaced
	c.Behind = isPicture(v.get(propBackgroundImage)) && !anyZero(splitSpace(v.get(propBackgroundSize)))
	return c.Picture || c.Behind
}

// border is how wide an opaque border of the box is.
func (v *values) border() float64 {
	f, ok := OutlineFrame(v.get(propBorder), "", 0, 0)
	if !ok {
		return 0
	}
	return f.Outer.Right
}

// isBefore reports whether a side of a placed box is not within its containing block.
func (v *values) isBefore(p property) bool { n, ok := pixels(v.get(p)); return ok && n <= 0 }

// isWhole reports whether a size leaves it to the cell of a grid.
func (v *values) isWhole(p property) bool {
	x := v.get(p)
	return (x == "" || x == "auto" || x == "100%") && !v.has(p+propMaxWidth-propWidth)
}

// lifted is how far the box is moved up from where it would follow what is before it.
func (v *values) lifted() float64 {
	up := min(0, v.length(propMarginTop))
	if top := v.get(propTop); v.get(propPosition) == "relative" && !strings.HasSuffix(top, "%") {
		up += min(0, v.length(propTop))
	}
	for p, m := range v.transforms() {
		if !strings.Contains(v.get(p), "%") {
			up += min(0, m[1][3])
		}
	}
	return -up
}

// coverHeight is from how many pixels on a box at the head of its containing block may be there
// to cover it: others are bars.
const coverHeight = 100

// heads reports whether a placed box covers the head of its containing block from side to side.
func (v *values) heads() bool {
	height := v.get(propHeight)
	if strings.HasSuffix(height, "%") || v.length(propHeight) < coverHeight {
		return false
	}
	return v.isBefore(propTop) && v.isBefore(propLeft) && (v.isBefore(propRight) || isWholeWidth(nil, v.get(propWidth)))
}

// flood is from how many pixels on a shadow or an outline covers what is around a box.
const flood = 400

// floods reports whether a shadow or an outline of the box covers what is around it.
func (v *values) floods(position string) bool {
	if f, ok := OutlineFrame(v.get(propOutline), "", 0, 0); ok && f.Outer.Right >= flood {
		return true
	}
	if position == "" || position == "static" { // its shadows are behind all text
		return false
	}
	for _, f := range ShadowFrames(v.get(propBoxShadow), 0, 0) {
		if f.Hole == (Edges{}) && min(-f.Outer.Left, f.Outer.Right, -f.Outer.Top, f.Outer.Bottom) >= flood {
			return true
		}
	}
	return false
}

// cell is the area of the grid around that the open element k is placed in; "" if it is
// placed by what stands before it.
func (v *View) cell(vals *values, k int) string {
	row, _, _ := strings.Cut(vals.get(propGridRow), "/")
	column, _, _ := strings.Cut(vals.get(propGridColumn), "/")
	row, column = strings.TrimSpace(row), strings.TrimSpace(column)
	if k == 0 || row == "" || column == "" || row == "auto" || column == "auto" || !strings.Contains(v.displayOf(k-1), "grid") {
		return ""
	}
	return row + "/" + column
}

// Cell returns the area of a grid that the element which was entered last is placed in, as
// Cover has it.
func (v *View) Cell() string {
	k := len(v.stack) - 1
	return v.cell(v.valuesOf(k, placing), k)
}

// Tall returns how high the element that was entered last is at least, without its text.
func (v *View) Tall() float64 {
	vals := v.valuesOf(len(v.stack)-1, sizes)
	return max(vals.length(propHeight), vals.length(propMinHeight)) + max(0, vals.length(propPaddingTop))
}

// IsReplaced reports whether an element shows a picture or another document.
func IsReplaced(tag string) bool {
	switch tag {
	case "img", "svg", "canvas", "video", "iframe", "embed", "object":
		return true
	}
	return false
}

// isPainted reports whether the element itself is in sight.
func (v *values) isPainted() bool {
	if v.get(propVisibility) == "hidden" {
		return false
	}
	n, ok := cssNumber(v.get(propOpacity))
	view := v.view
	v.view = nil // the values of elements around may take the place of these
	look := v.hides()
	v.view = view
	return (!ok || n >= opaque) && look.Why == InSight
}

// isOpaque reports whether the element is painted, with a background that nothing
// shows through, and the colour of it; current is the colour of its text.
func (v *values) isOpaque(current rgb) (rgb, bool) {
	if !v.isPainted() {
		return rgb{}, false
	}
	colors := palette{current: current}
	if washes(v.get(propBackdrop)) {
		return rgb{}, true
	}
	c, known := backgroundColor(v.get(propBackground), colors)
	if !known {
		c, known = flatImage(v.get(propBackgroundImage), palette{})
	}
	switch v.get(propBlend) {
	case "", "normal":
		if filled, ok := fills(v.get(propBoxShadow), colors); ok && filled.known {
			return filled, true
		}
		return c, known && !c.clear && !c.thin
	case "lighten", "screen", "plus-lighter": // nothing is lighter than white
		return c, known && near(c, white)
	case "darken", "multiply":
		return c, known && near(c, black)
	}
	return rgb{}, false
}

// washes reports whether a backdrop-filter changes the colours behind a box so much that
// letters may not show.
func washes(v string) bool {
	for _, name := range [...]string{"brightness", "contrast", "opacity"} {
		args, ok := call(v, name)
		if n, isNumber := cssNumber(strings.TrimSpace(args)); ok && isNumber && (n <= partOpaque || n >= 4) {
			return true
		}
	}
	args, ok := call(v, "invert") // half inverted, all colours are the same
	n, isNumber := cssNumber(strings.TrimSpace(args))
	return ok && isNumber && n > .4 && n < .6
}

// fills returns the opaque colour that a shadow inside a box fills the box with. Of one that
// is less wide it returns a colour that is not known: low boxes are filled by it.
func fills(v string, p palette) (rgb, bool) {
	if !strings.Contains(v, "inset") {
		return rgb{}, false
	}
	for layer := range splitTop(v, ',') {
		words := splitSpace(layer)
		c, ok := p.among(words)
		widest := 0.0
		for _, w := range words {
			if n, isLength := pixels(w); isLength {
				widest = max(widest, n)
			}
		}
		switch {
		case !ok || widest < lowFill || c.clear || c.thin || !strings.Contains(layer, "inset"):
		case widest >= maxLow:
			return c, true
		default:
			return rgb{}, true
		}
	}
	return rgb{}, false
}

// lowFill is from how many pixels on a shadow may fill a low box, from two sides.
const lowFill = 12

// spans reports whether a placed element reaches from edge to edge of its containing
// block, or beyond.
func (v *values) spans() bool {
	whole := func(p property, screen float64) bool {
		size, ok := simple(v.get(p))
		return ok && (size.dim == isPercent && size.v >= 1 || size.dim == isLength && size.v >= screen-1)
	}
	return v.isBefore(propLeft) && (v.isBefore(propRight) || whole(propWidth, screenWidth)) &&
		v.isBefore(propTop) && (v.isBefore(propBottom) || whole(propHeight, screenHeight))
}

// Order returns whether the element that was entered last is painted with what is
// positioned, and its z-index.
func (v *View) Order() (positioned bool, order int) {
	vals := v.valuesOf(len(v.stack)-1, places|1<<propOpacity)
	positioned = vals.isMoved()
	if n, ok := cssNumber(vals.get(propOpacity)); ok && n < 1 {
		positioned = true
	}
	x := vals.get(propPosition)
	return positioned || x != "" && x != "static", zIndex(vals.get(propZIndex))
}

// Item returns the order of the element that was entered last among the items of its container.
func (v *View) Item() int { return zIndex(v.valuesOf(len(v.stack)-1, placing).get(propOrder)) }

func zIndex(s string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(s))
	return n
}

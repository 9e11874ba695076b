package css

import (
	"strconv"
	"strings"
)

// mayCover reports whether declarations may place a box over what is around it, or below it.
// Its background can be in other rules, or be that of its element.
func mayCover(decls []decl) bool {
	for _, d := range decls {
		if d.prop == propPosition && (d.value == "absolute" || d.value == "fixed") || d.prop == propZIndex && zIndex(d.value) < 0 {
			return true
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
	for i := k - 1; i > 1 && !v.layers(i); i-- { // the background of the body is that of the page
		if _, opaque := v.valuesOf(i, ^mask(0)).isOpaque(v.stack[i].paint.color); opaque {
			return true
		}
	}
	return false
}

// layers reports whether an open element holds layers with a negative z-index before its
// background, or may do so.
func (v *View) layers(i int) bool {
	vals := v.valuesOf(i, places|1<<propOpacity|1<<propFilter|1<<propContain|1<<propClipPath|1<<propMask|coloring)
	for range vals.transforms() {
		return true
	}
	position, z := vals.get(propPosition), vals.get(propZIndex)
	n, ok := cssNumber(vals.get(propOpacity))
	return position == "fixed" || position == "sticky" || z != "" && z != "auto" || ok && n < 1 ||
		vals.has(propFilter) || vals.has(propContain) || vals.has(propClipPath) || vals.has(propMask) || vals.has(propBlend)
}

// Cover is an element, or the ::before or ::after of one, that is placed over all that its
// containing block holds: it hides what is painted before it, and what is painted after it
// stands before its colour.
type Cover struct {
	Block   int  // how many elements further up the containing block is; 0 for a part of it
	Order   int  // z-index
	Picture bool // parts of it may be transparent
	Part    Part
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
	if v.over {
		vals := v.valuesOf(k, ^mask(0))
		if c, ok := vals.cover(v.stack[k].paint.color, IsReplaced(v.stack[k].node.Data)); ok {
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
		if c, ok := vals.cover(v.stack[k].paint.color, false); ok {
			c.Part = part
			v.coverIn(c, k, vals.get(propPosition) == "absolute", k, found)
		}
	}
}

// coverIn looks for the containing block of a cover, from the open element i on.
func (v *View) coverIn(c Cover, k int, absolute bool, i int, found func(Cover)) {
	c.Block = k
	if absolute {
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
func (v *values) cover(current rgb, replaced bool) (c Cover, ok bool) {
	position := v.get(propPosition)
	if position != "absolute" && position != "fixed" || !v.spans() {
		return Cover{}, false
	}
	c.Order = zIndex(v.get(propZIndex))
	if c.back, ok = v.isOpaque(current); ok {
		return c, true
	}
	c.back = rgb{}
	if !v.isPainted() || v.s.Unread {
		return Cover{}, false
	}
	// Sheets that were not read may place the text before the picture.
	c.Picture = replaced
	c.Behind = isPicture(v.get(propBackgroundImage)) && !anyZero(splitSpace(v.get(propBackgroundSize)))
	return c, c.Picture || c.Behind
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
	return (!ok || n >= opaque) && v.hides().Why == InSight
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
	at := func(p property) bool { n, ok := pixels(v.get(p)); return ok && n <= 0 }
	whole := func(p property, screen float64) bool {
		size, ok := simple(v.get(p))
		return ok && (size.dim == isPercent && size.v >= 1 || size.dim == isLength && size.v >= screen-1)
	}
	return at(propLeft) && (at(propRight) || whole(propWidth, screenWidth)) &&
		at(propTop) && (at(propBottom) || whole(propHeight, screenHeight))
}

// Order returns whether the element that was entered last is painted with what is
// positioned, and its z-index.
func (v *View) Order() (positioned bool, order int) {
	vals := v.valuesOf(len(v.stack)-1, places|1<<propOpacity)
	for range vals.transforms() {
		positioned = true
	}
	if n, ok := cssNumber(vals.get(propOpacity)); ok && n < 1 {
		positioned = true
	}
	x := vals.get(propPosition)
	return positioned || x != "" && x != "static", zIndex(vals.get(propZIndex))
}

func zIndex(s string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(s))
	return n
}

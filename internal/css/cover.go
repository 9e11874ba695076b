package css

import (
	"strconv"
	"strings"
)

// mayCover reports whether declarations may place a box over what is around it. Its
// background can be in other rules, or be that of its element.
func mayCover(decls []decl) bool {
	for _, d := range decls {
		if d.prop == propPosition && (d.value == "absolute" || d.value == "fixed") {
			return true
		}
	}
	return false
}

// Cover is an element that hides what its containing block holds: it is placed over all
// of it.
type Cover struct {
	Block   int  // how many elements further up the containing block is
	Order   int  // z-index
	Picture bool // parts of it may be transparent
}

// Covers reports whether the element that was entered last is a cover: with an opaque
// background, or a picture.
func (v *View) Covers() (c Cover, ok bool) {
	k := len(v.stack) - 1
	if !v.over || k < 1 {
		return Cover{}, false
	}
	vals := v.valuesOf(k, ^mask(0))
	position := vals.get(propPosition)
	if position != "absolute" && position != "fixed" || !vals.spans() {
		return Cover{}, false
	}
	if c.Order = zIndex(vals.get(propZIndex)); c.Order < 0 {
		return Cover{}, false
	}
	if !vals.isOpaque(v.stack[k].paint.color) {
		// Sheets that were not read may place the text before the picture.
		if c.Picture = isReplaced(v.stack[k].node.Data) && vals.isPainted() && !v.s.Unread; !c.Picture {
			return Cover{}, false
		}
	}
	c.Block = k
	if position == "absolute" {
		for i := k - 1; i > 0; i-- {
			if x := v.valuesOf(i, places).get(propPosition); x != "" && x != "static" {
				c.Block = k - i
				break
			}
		}
	}
	return c, true
}

// isReplaced reports whether an element shows a picture or another document.
func isReplaced(tag string) bool {
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
// shows through; current is the colour of its text.
func (v *values) isOpaque(current rgb) bool {
	if !v.isPainted() {
		return false
	}
	colors := palette{current: current}
	if washes(v.get(propBackdrop)) {
		return true
	}
	c, known := backgroundColor(v.get(propBackground), colors)
	if !known {
		c, known = flatImage(v.get(propBackgroundImage), palette{})
	}
	switch v.get(propBlend) {
	case "", "normal":
		_, filled := fills(v.get(propBoxShadow), colors)
		return filled || known && !c.clear && !c.thin
	case "lighten", "screen", "plus-lighter": // nothing is lighter than white
		return known && near(c, white)
	case "darken", "multiply":
		return known && near(c, black)
	}
	return false
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

// fills returns the opaque colour that a shadow inside a box fills the box with.
func fills(v string, p palette) (rgb, bool) {
	if !strings.Contains(v, "inset") {
		return rgb{}, false
	}
	for layer := range splitTop(v, ',') {
		words := splitSpace(layer)
		c, ok := p.among(words)
		wide := false
		for _, w := range words {
			n, isLength := pixels(w)
			wide = wide || isLength && n >= maxLow
		}
		if ok && wide && !c.clear && !c.thin && strings.Contains(layer, "inset") {
			return c, true
		}
	}
	return rgb{}, false
}

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

// Order returns whether the element that was entered last is positioned, and its
// z-index.
func (v *View) Order() (positioned bool, order int) {
	vals := v.valuesOf(len(v.stack)-1, places)
	x := vals.get(propPosition)
	return x != "" && x != "static", zIndex(vals.get(propZIndex))
}

func zIndex(s string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(s))
	return n
}

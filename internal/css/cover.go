package css

import (
	"strconv"
	"strings"
)

// mayCover reports whether declarations may place a box with a background over what is
// around it.
func mayCover(decls []decl) bool {
	placed, filled := false, false
	for _, d := range decls {
		switch d.prop {
		case propPosition:
			placed = placed || d.value == "absolute" || d.value == "fixed"
		case propBackground, propBackgroundImage:
			filled = true
		case propBackdrop, propBoxShadow:
			filled = filled || washes(plain(d.value)) || fills(plain(d.value), palette{})
		}
	}
	return placed && filled
}

// Covers reports whether the element that was entered last hides what its containing
// block holds: it is placed over all of it, with an opaque background. block is how
// many elements further up the containing block is; order is its z-index.
func (v *View) Covers() (block, order int, ok bool) {
	k := len(v.stack) - 1
	if !v.over || k < 1 {
		return 0, 0, false
	}
	vals := v.valuesOf(k, ^mask(0))
	position := vals.get(propPosition)
	if position != "absolute" && position != "fixed" || !vals.isOpaque(v.stack[k].paint.color) || !vals.spans() {
		return 0, 0, false
	}
	if order = zIndex(vals.get(propZIndex)); order < 0 {
		return 0, 0, false
	}
	if position == "absolute" {
		for i := k - 1; i > 0; i-- {
			if x := v.valuesOf(i, places).get(propPosition); x != "" && x != "static" {
				return k - i, order, true
			}
		}
	}
	return k, order, true
}

// isOpaque reports whether the element is painted, with a background that nothing
// shows through; current is the colour of its text.
func (v *values) isOpaque(current rgb) bool {
	if v.get(propVisibility) == "hidden" {
		return false
	}
	if n, ok := cssNumber(v.get(propOpacity)); ok && n < opaque || v.hides().Why != InSight {
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
		return known && !c.clear && !c.thin || fills(v.get(propBoxShadow), colors)
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
	return false
}

// fills reports whether a shadow inside a box fills the box with an opaque colour.
func fills(v string, p palette) bool {
	for layer := range splitTop(v, ',') {
		words := splitSpace(layer)
		c, ok := p.among(words)
		wide := false
		for _, w := range words {
			n, isLength := pixels(w)
			wide = wide || isLength && n >= maxLow
		}
		if ok && wide && !c.clear && !c.thin && strings.Contains(layer, "inset") {
			return true
		}
	}
	return false
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

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
	if position != "absolute" && position != "fixed" || vals.get(propVisibility) == "hidden" {
		return 0, 0, false
	}
	if n, ok := cssNumber(vals.get(propOpacity)); ok && n < opaque || vals.hides().Why != InSight || vals.get(propBlend) != "" {
		return 0, 0, false
	}
	for axis, p := range [2][3]property{{propLeft, propRight, propWidth}, {propTop, propBottom, propHeight}} {
		at := func(p property) bool { n, ok := pixels(vals.get(p)); return ok && n <= 0 }
		size, ok := simple(vals.get(p[2]))
		whole := ok && (size.dim == isPercent && size.v >= 1 || size.dim == isLength && size.v >= [2]float64{screenWidth, screenHeight}[axis]-1)
		if !at(p[0]) || !at(p[1]) && !whole {
			return 0, 0, false
		}
	}
	c, known := backgroundColor(vals.get(propBackground), palette{current: v.stack[k].paint.color})
	if !known {
		c, known = flatImage(vals.get(propBackgroundImage), palette{})
	}
	if !known || c.clear || c.thin {
		return 0, 0, false
	}
	order = zIndex(vals.get(propZIndex))
	if order < 0 {
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

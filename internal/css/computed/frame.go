package computed

import (
	"slices"
	"strings"
)

// Borders, outlines and shadows paint around a box, or around the middle of it. Where
// they are wide and opaque they hide what is behind them, as a background does.

// Frame is an area with a hole in it; the hole of an area without one is empty. All
// edges are from the upper left corner of a box.
type Frame struct{ Outer, Hole Edges }

// grown is e with every side moved out.
func (e Edges) grown(by float64) Edges {
	return Edges{e.Left - by, e.Top - by, e.Right + by, e.Bottom + by}
}

func (e Edges) moved(x, y float64) Edges {
	return Edges{e.Left + x, e.Top + y, e.Right + x, e.Bottom + y}
}

// BorderFrame returns what the border of a box of this size covers, by the computed
// border-width and border-color. ok is false where something shows through, and for
// borders of which only some sides have a colour: they meet at an angle.
func BorderFrame(widths, colors string, width, height float64) (f Frame, ok bool) {
	w, c := splitSpace(widths), splitSpace(colors)
	if len(w) == 0 || len(w) > 4 || len(c) == 0 || len(c) > 4 {
		return Frame{}, false
	}
	var side [4]float64
	for i := range side {
		side[i], ok = pixels(w[ofSide(i, len(w))])
		if !ok || side[i] > 0 && !Opaque(c[ofSide(i, len(c))]) {
			return Frame{}, false
		}
	}
	box := Edges{0, 0, width, height}
	return Frame{box, Edges{side[3], side[0], width - side[1], height - side[2]}}, side != [4]float64{}
}

// OutlineFrame returns what an outline covers around a box of this size, by the computed
// outline and outline-offset. Browsers give a width for outlines without a line too.
func OutlineFrame(outline, offset string, width, height float64) (f Frame, ok bool) {
	words := splitSpace(outline)
	line, isLength := firstLength(words)
	if !isLength || line <= 0 || slices.Contains(words, "none") { // which has a width all the same
		return Frame{}, false
	}
	if c, ok := (palette{}).among(words); !ok || c.clear || c.thin {
		return Frame{}, false
	}
	away, _ := pixels(offset)
	hole := Edges{0, 0, width, height}.grown(away)
	return Frame{hole.grown(line), hole}, true
}

// firstLength returns the first word that is a length.
func firstLength(words []string) (float64, bool) {
	for _, w := range words {
		if n, ok := pixels(w); ok {
			return n, true
		}
	}
	return 0, false
}

// ShadowFrames returns what the shadows of a box of this size cover, by the computed
// box-shadow. Where a shadow is blurred it covers nothing.
func ShadowFrames(value string, width, height float64) (out []Frame) {
	shadows(value, width, height, func(f Frame, _ bool, _ string) bool {
		out = append(out, f)
		return true
	})
	return out
}

// ShadowFill returns the colour that a shadow inside a box of this size fills all of the box
// with, over its background; "" where none does.
func ShadowFill(value string, width, height float64) (color string) {
	if !strings.Contains(value, "inset") {
		return ""
	}
	shadows(value, width, height, func(f Frame, inset bool, layer string) bool {
		h := f.Hole
		if inset && (max(h.Left, 0) >= min(h.Right, width) || max(h.Top, 0) >= min(h.Bottom, height)) {
			color = layer
		}
		return color == ""
	})
	return color
}

// shadows finds the opaque shadows of a box of this size, from the topmost down, with their
// colours, until found returns false.
func shadows(value string, width, height float64, found func(f Frame, inset bool, color string) bool) {
	for layer := range splitTop(value, ',') {
		var v []float64 // offsets, blur, spread
		inset, color := false, ""
		for _, w := range splitSpace(layer) {
			if n, ok := pixels(w); ok {
				v = append(v, n)
			} else if w == "inset" {
				inset = true
			} else if Opaque(w) {
				color = w
			}
		}
		if len(v) != 4 || color == "" {
			continue
		}
		box := Edges{0, 0, width, height}
		f := Frame{box.grown(v[3]-v[2]).moved(v[0], v[1]), box}
		if inset {
			f = Frame{box, box.grown(v[2]-v[3]).moved(v[0], v[1])}
		}
		if !found(f, inset, color) {
			return
		}
	}
}

// OpaqueImage reports whether nothing shows through the pictures of a computed
// background-image: one of them is a gradient without a transparent colour.
func OpaqueImage(value string) bool {
	for layer := range splitTop(value, ',') {
		if args, ok := gradient(layer); ok && opaqueStops(args) {
			return true
		}
	}
	return false
}

func opaqueStops(args string) bool {
	found := false
	for stop := range splitTop(args, ',') {
		if c, ok := (palette{}).among(splitSpace(stop)); ok {
			if c.clear || c.thin {
				return false
			}
			found = true
		}
	}
	return found
}

// Washes reports whether a computed backdrop-filter changes the colours behind a box so
// much that letters may not show.
func Washes(value string) bool { return strings.IndexByte(value, '(') >= 0 && washes(value) }

// Struck reports whether a computed text-decoration draws a line through letters of this
// size that hides them.
func Struck(value string, size float64) bool {
	if !strings.Contains(value, "line-through") {
		return false
	}
	words := splitSpace(value)
	c, ok := palette{}.among(words)
	thick, isLength := firstLength(words)
	return ok && !c.clear && !c.thin && isLength && thick >= size
}

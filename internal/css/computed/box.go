package computed

import "strings"

// This file says which boxes show nothing of what does not fit into them, and whether sizes
// count for an element.

// clips reports whether the box does not show what does not fit into it.
func (v *values) clips() bool { return v.clipsAlong(0) || v.clipsAlong(1) }

// clipsAlong is clips for its width, axis 0, or for its height, axis 1.
func (v *values) clipsAlong(axis int) bool {
	switch contain := v.get(propContain); {
	case strings.Contains(contain, "paint"), contain == "content", contain == "strict", v.node.Data == "marquee", v.get(propContentVisibility) == "auto":
		return true
	}
	f := splitSpace(v.get(propOverflow))
	if len(f) == 0 {
		return false
	}
	switch f[min(axis, len(f)-1)] {
	case "hidden", "scroll", "auto":
		return true
	case "clip":
		return v.length(propClipMargin) <= 1
	case "visible": // it scrolls where the other direction does not only clip
		other := f[min(1-axis, len(f)-1)]
		return other != "visible" && other != "clip"
	}
	return false
}

// flatHeight is the height of the room that a line has above its letters, in CSS pixels.
const flatHeight = 3

// isFlat reports whether a size lets nothing of the content fit: no width, or no more height
// than the room above letters.
func (v *values) isFlat(p property) bool {
	tall := p == propHeight || p == propMaxHeight
	most, least := 0., propMinWidth
	if tall {
		most, least = flatHeight, propMinHeight
	}
	x := v.get(p)
	if n, ok := pixels(x); !ok || n > most {
		return false
	}
	if p == propHeight || p == propWidth {
		grow, _ := cssNumber(v.get(propFlexGrow))
		basis := v.get(propFlexBasis)
		n, ok := pixels(basis)
		if (grow != 0 || basis != "" && basis != "auto" && (!ok || n > most)) && v.growsAlong(tall) {
			return false
		}
	}
	if v.isTablePart() {
		return false
	}
	if tall && v.view != nil && strings.HasSuffix(x, "%") && !v.view.hasHeight(v.at-1) {
		return false
	}
	switch x := v.get(least); x {
	case "min-content", "max-content", "fit-content", "-webkit-fill-available", "stretch":
		return false
	default:
		if n, ok := pixels(x); ok && n > 1 {
			return false
		}
	}
	return !v.padded(tall)
}

// growsAlong reports whether the container of a flex item that grows gives it its height, or
// its width.
func (v *values) growsAlong(height bool) bool {
	if v.view == nil || v.s.Unread {
		return true
	}
	if !v.view.isContainer(v.at - 1) {
		return false
	}
	return v.view.valuesOf(v.at-1, boxes).stacks() == height
}

// stacks reports whether the items of a flex container stand below each other.
func (v *values) stacks() bool {
	return strings.HasPrefix(v.get(propFlexDirection), "column") || strings.Contains(v.get(propFlexWrap), "column")
}

// isTablePart reports whether the element is a table or a part of one that is at least as
// large as what it holds.
func (v *values) isTablePart() bool {
	switch display := v.get(propDisplay); display {
	case "":
		switch v.node.Data {
		case "table", "tbody", "thead", "tfoot", "tr", "td", "th":
			return true
		}
		return false
	default:
		return (strings.HasPrefix(display, "table") || display == "inline-table") && display != "table-caption"
	}
}

// hasHeight reports whether the height of the open element i does not depend on what it
// holds, so that percentages of it mean something.
func (v *View) hasHeight(i int) bool {
	for ; i > 0; i-- {
		vals := v.valuesOf(i, sizes)
		switch h := vals.get(propHeight); {
		case strings.HasSuffix(h, "%"):
			continue
		case h != "" && h != "auto", vals.get(propPosition) == "absolute", vals.get(propPosition) == "fixed":
			_, ok := pixels(h)
			return ok || h == "" || h == "auto"
		}
		return v.isContainer(i - 1)
	}
	return true
}

// sizeContained reports whether the content of the box does not count for its height.
func (v *values) sizeContained() bool {
	contain := v.get(propContain)
	return v.get(propContainerType) == "size" || contain == "strict" || strings.Contains(contain, "size") && !strings.Contains(contain, "inline-size")
}

// hasNoIntrinsicHeight reports whether a box the content of which does not count has no
// height instead.
func (v *values) hasNoIntrinsicHeight() bool {
	f := splitSpace(v.get(propIntrinsicSize))
	if len(f) == 0 {
		return true
	}
	last := f[len(f)-1]
	n, ok := pixels(last)
	return ok && n <= 1 || last == "none"
}

// isAutoHigh reports whether only the content of the box gives it a height.
func (v *values) isAutoHigh() bool {
	h := v.get(propHeight)
	return (h == "" || h == "auto") && v.get(propMinHeight) == "" && !v.padded(true)
}

// padded reports whether a box has padding in a direction, into which text that
// does not fit may be painted.
func (v *values) padded(vertical bool) bool {
	p := propPaddingRight
	if vertical {
		p = propPaddingBottom
		// What is positioned in the padding above is painted; text begins below it.
		if n, ok := pixels(v.get(propPaddingTop)); ok && n > 2 {
			return true
		}
	}
	n, ok := pixels(v.get(p))
	return ok && n > 2
}

// isInline reports whether an element has no box of its own, so that sizes and
// transforms do not apply to it.
func (v *values) isInline(display string) bool {
	switch display {
	case "inline":
	case "", "initial", "unset", "revert", "revert-layer":
		if display != "initial" && display != "unset" && !inlineTag(v.node.Data) {
			return false
		}
	default:
		return false
	}
	if pos := v.get(propPosition); pos == "absolute" || pos == "fixed" {
		return false
	}
	if f := v.get(propFloat); f == "left" || f == "right" {
		return false
	}
	// The items of a flex container or a grid are boxes.
	return v.view == nil || !v.view.isContainer(v.at-1)
}

// inlineTag reports whether the browser's own sheet displays an element inline.
func inlineTag(tag string) bool {
	switch tag {
	case "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "label",
		"mark", "nobr", "output", "q", "s", "samp", "slot", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var":
		return true
	}
	return false
}

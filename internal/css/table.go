package css

import "strings"

// table has a row for each way of hiding, for elements that set one of the properties. A row
// updates what the element passes on, and returns how it hides the element with everything in it.
var table = [...]struct {
	of   set
	look func(*View, *frame) hidden
}{
	{setOf(propDisplay), func(v *View, _ *frame) hidden { // display: none
		return v.hides(v.values.get(propDisplay) == "none", ByDisplay, propDisplay)
	}},
	{setOf(propContentVisibility), func(v *View, _ *frame) hidden { // content-visibility: hidden
		return v.hides(v.values.get(propContentVisibility) == "hidden", ByDisplay, propContentVisibility)
	}},
	{setOf(propVisibility), func(v *View, f *frame) hidden { // visibility: hidden
		switch v.values.get(propVisibility) {
		case "hidden", "collapse":
			if !v.moves() {
				f.invisible = v.values.rule(propVisibility)
			}
		case "visible", "initial":
			f.invisible = nil
		}
		return hidden{}
	}},
	{setOf(propOpacity, propFilter), func(v *View, _ *frame) hidden { // opacity: 0; filter: opacity(0)
		value, p := v.values.get(propOpacity), propOpacity
		for _, call := range calls(v.values.get(propFilter)) {
			if call[0] == "opacity" {
				value, p = strings.TrimSpace(call[1]), propFilter
			}
		}
		n, ok := fraction(value)
		return v.hides(ok && n <= faint && !v.moves(), ByOpacity, p)
	}},
	{setOf(propFontSize), func(v *View, f *frame) hidden { // font-size: 0
		value := v.values.get(propFontSize)
		if value == "" || value == "inherit" {
			return hidden{}
		}
		size := rootFontSize
		if l, ok := parseLength(value); ok && l.percent {
			size = f.font * l.n / fullBox
		} else if ok {
			size = l.pixels(f.font)
		}
		f.font, f.fontRule = size, v.values.rule(propFontSize)
		return hidden{}
	}},
	{setOf(propPosition, propWidth, propHeight, propMaxWidth, propMaxHeight), func(v *View, f *frame) hidden { // width, height, max-width or max-height: 0; overflow: hidden
		position := v.values.get(propPosition)
		if position == "fixed" || position == "absolute" && !f.boxPositioned {
			f.boxed = nil
		}
		if p, flat := v.flatSide(f); flat && !v.moves() {
			f.boxed, f.boxPositioned = v.values.rule(p), position != "" && position != "static"
		}
		return hidden{}
	}},
	{setOf(propLeft, propTop, propRight, propBottom, propMarginLeft), func(v *View, f *frame) hidden { // position: absolute; left: -9999px; margin-left: -9999px
		var sides []property
		switch v.values.get(propPosition) {
		case "absolute", "relative":
			sides = []property{propLeft, propTop}
		case "fixed":
			sides = []property{propLeft, propTop, propRight, propBottom}
		}
		if v.values.get(propPadding) == "" { // a negative margin and as much padding widen a box
			sides = append(sides, propMarginLeft)
		}
		for _, p := range sides {
			if isFar(v.values.get(p), f.font) {
				return v.hides(!v.moves(), ByPlace, p)
			}
		}
		return hidden{}
	}},
	{setOf(propTextIndent), func(v *View, f *frame) hidden { // text-indent: -9999px; text-indent: 100%; overflow: hidden
		value := v.values.get(propTextIndent)
		if value == "" || value == "inherit" || v.isInline(f) {
			return hidden{}
		}
		l, ok := parseLength(value)
		cut := ok && l.percent && l.n >= fullBox && v.values.get(propOverflowX) == "hidden" && v.values.get(propWhiteSpace) == "nowrap"
		if f.indented = nil; isFar(value, f.font) || cut {
			f.indented = v.values.rule(propTextIndent)
		}
		return hidden{}
	}},
	{setOf(propClip), func(v *View, _ *frame) hidden { // clip: rect(0, 0, 0, 0)
		position := v.values.get(propPosition)
		return v.hides((position == "absolute" || position == "fixed") && isEmptyClip(v.values.get(propClip)), ByClip, propClip)
	}},
	{setOf(propClipPath), func(v *View, _ *frame) hidden { // clip-path: inset(50%)
		return v.hides(isEmptyPath(v.values.get(propClipPath)) && !v.moves(), ByClip, propClipPath)
	}},
	{setOf(propTransform, propScale, propTranslate), func(v *View, f *frame) hidden { // transform: scale(0); scale: 0; translate: -9999px
		for _, p := range [...]property{propTransform, propScale, propTranslate} {
			if cause := away(p, v.values.get(p), f.font); cause != Seen && !v.isInline(f) {
				return v.hides(!v.moves(), cause, p)
			}
		}
		return hidden{}
	}},
	{setOf(propPosition, propZIndex, propBackground, propBackgroundImage, propBackgroundClip, propPart), func(v *View, f *frame) hidden { // background: white
		position := v.values.get(propPosition)
		if position == "absolute" || position == "fixed" || position == "sticky" || v.values.get(propZIndex) != "" || v.values.set.has(propPart) {
			f.ground = color{} // the text may be over something else
		}
		for _, p := range [...]property{propBackground, propBackgroundImage} {
			value := v.values.get(p)
			if value == "" || value == "none" || value == "transparent" {
				continue
			}
			if f.ground = groundColor(value); f.ground.alpha < solid {
				f.ground.known = false
			}
			f.groundDepth = f.depth
		}
		f.outlined = f.outlined || v.values.get(propBackgroundClip) == "text"
		return hidden{}
	}},
	{setOf(propColor, propTextFill, propTextShadow), func(v *View, f *frame) hidden { // color: white
		if shadow := v.values.get(propTextShadow); shadow != "" {
			f.outlined = shadow != "none"
		}
		for i, ink := range [...]*color{&f.ink, &f.fill} {
			p := [...]property{propColor, propTextFill}[i]
			value := v.values.get(p)
			if value != "" && value != "inherit" && value != "currentcolor" {
				*ink, f.inkRule, f.inkDepth = parseColor(value), v.values.rule(p), f.depth
			}
		}
		return hidden{}
	}},
}

// hides returns that the value of a property hides if it does.
func (v *View) hides(does bool, cause Cause, p property) hidden {
	if !does {
		return hidden{}
	}
	return hidden{cause, v.values.rule(p)}
}

// moves reports whether an animation of the element shows it in time.
func (v *View) moves() bool {
	for _, name := range arguments(v.values.get(propAnimation)) {
		if v.sheets.keyframes[name] {
			return true
		}
	}
	return false
}

// flatSide returns the property that leaves a box no area.
func (v *View) flatSide(f *frame) (p property, flat bool) {
	vals := &v.values
	padding := vals.get(propPadding)
	if vals.get(propMinWidth) != "" || padding != "" && !isUpTo(padding, 0, f.font) || vals.get(propFlex) != "" || strings.HasPrefix(vals.get(propDisplay), "table") || v.isInline(f) {
		return 0, false
	}
	for _, side := range [...][3]property{{propOverflowX, propWidth, propMaxWidth}, {propOverflowY, propHeight, propMaxHeight}} {
		value := vals.get(side[0])
		switch {
		case value != "hidden" && value != "clip":
		case isUpTo(vals.get(side[1]), tiny, f.font):
			return side[1], true
		case isUpTo(vals.get(side[2]), tiny, f.font):
			return side[2], true
		}
	}
	return 0, false
}

// isInline reports whether the size of an element surely depends on its text only: a part of a
// line, or of a table.
func (v *View) isInline(f *frame) bool {
	position, display := v.values.get(propPosition), v.values.get(propDisplay)
	if v.values.get(propFloat) != "" || position == "absolute" || position == "fixed" || display != "" && display != "inline" {
		return false
	}
	switch f.node.Data {
	case "a", "abbr", "b", "cite", "code", "em", "font", "i", "label", "mark", "q", "s", "small", "span", "strong", "sub", "sup", "time", "u",
		"td", "th", "table", "tr", "tbody", "thead":
		return true
	}
	return display == "inline"
}

// text says how the text in an element is hidden.
func (v *View) text(f *frame) State {
	ink := f.ink
	if f.fill.known {
		ink = f.fill
	}
	same := ink.near(f.ground) && (!v.sheets.Unread || f.inkDepth == f.groundDepth)
	switch {
	case f.invisible != nil:
		return State{Text: ByVisibility, Rule: f.invisible}
	case f.font < tiny:
		return State{Text: ByFont, Rule: f.fontRule}
	case f.boxed != nil:
		return State{Text: BySize, Rule: f.boxed}
	case f.indented != nil:
		return State{Text: ByPlace, Rule: f.indented}
	case !f.outlined && (ink.isClear() || same):
		return State{Text: ByColor, Rule: f.inkRule, Guessed: !ink.isClear() && f.groundDepth != f.depth}
	}
	return State{}
}

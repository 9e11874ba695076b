package css

import (
	"strings"
)

// Cause is the way in which something is hidden.
type Cause uint8

// The causes.
const (
	Seen         Cause = iota
	ByDisplay          // display, content-visibility, attributes
	ByVisibility       // visibility
	ByOpacity          // opacity, filter
	BySize             // no width or height, scale
	ByFont             // font size
	ByPlace            // outside of the page
	ByClip             // clip, clip-path
	ByColor            // no colour, or that of the background
)

// State says how an element is hidden.
type State struct {
	// All is how the element is hidden with everything in it. Text is how the text in it is
	// hidden, of which other elements in it may be seen again.
	All, Text Cause
	// Rule identifies the rule that hides: below 0 it is an attribute.
	Rule int32
	// Guessed reports that Text is ByColor, and that another element paints the background.
	Guessed bool
}

// Waits reports whether pages use a cause to hide content until a script shows it.
func (c Cause) Waits() bool {
	return c != Seen && c <= BySize
}

type hidden struct {
	cause Cause
	rule  int32
}

var nothing = hidden{Seen, noRule}

// table has a row for each way of hiding. A row updates what the element passes on, and returns
// how it hides the element with everything in it.
var table = [...]func(*View, *frame) hidden{
	// display: none
	func(v *View, f *frame) hidden {
		if v.values.get(propDisplay) == "none" {
			return v.by(ByDisplay, propDisplay)
		}
		return nothing
	},
	// content-visibility: hidden
	func(v *View, f *frame) hidden {
		if v.values.get(propContentVisibility) == "hidden" {
			return v.by(ByDisplay, propContentVisibility)
		}
		return nothing
	},
	// visibility: hidden
	func(v *View, f *frame) hidden {
		switch v.values.get(propVisibility) {
		case "hidden", "collapse":
			if f.invisible = v.values.cells[propVisibility].rule; v.moves() {
				f.invisible = noRule
			}
		case "visible", "initial":
			f.invisible = noRule
		}
		return nothing
	},
	// opacity: 0; filter: opacity(0)
	func(v *View, f *frame) hidden {
		p := propOpacity
		if n, ok := fraction(v.values.get(p)); ok {
			f.opacity *= n
		}
		for _, call := range calls(v.values.get(propFilter)) {
			if n, ok := fraction(strings.TrimSpace(call[1])); ok && call[0] == "opacity" {
				f.opacity *= n
				p = propFilter
			}
		}
		if v.values.cells[p].rank > 0 && f.opacity <= faint {
			if v.moves() {
				f.opacity = 1
				return nothing
			}
			return v.by(ByOpacity, p)
		}
		return nothing
	},
	// font-size: 0
	func(v *View, f *frame) hidden {
		value := v.values.get(propFontSize)
		if l, ok := parseLength(value); ok {
			if l.percent {
				l.n, l.percent, l.font = l.n/fullBox, false, true
			}
			f.font, f.fontRule = l.pixels(f.font), v.values.cells[propFontSize].rule
		} else if n := fontSizes[value]; n > 0 {
			f.font = n
		} else if value != "" && value != "inherit" {
			f.font = rootFontSize
		}
		return nothing
	},
	// width, height, max-width or max-height: 0; overflow: hidden
	func(v *View, f *frame) hidden {
		position := v.values.get(propPosition)
		if f.boxed != noRule && (position == "fixed" || position == "absolute" && !f.boxPositioned) {
			f.boxed = noRule
		}
		if p := v.flatSide(f); p != propNone && !v.moves() {
			f.boxed, f.boxPositioned = v.values.cells[p].rule, position != "" && position != "static"
		}
		return nothing
	},
	// position: absolute; left: -9999px; margin-left: -9999px
	func(v *View, f *frame) hidden {
		sides := []property(nil)
		switch v.values.get(propPosition) {
		case "absolute", "relative":
			sides = []property{propLeft, propTop}
		case "fixed":
			sides = []property{propLeft, propTop, propRight, propBottom}
		}
		if v.values.cells[propPadding].rank == 0 { // a negative margin and as much padding widen a box
			sides = append(sides, propMarginLeft)
		}
		for _, p := range sides {
			if isFar(v.values.get(p), f.font) && !v.moves() {
				return v.by(ByPlace, p)
			}
		}
		return nothing
	},
	// text-indent: -9999px; text-indent: 100%; white-space: nowrap; overflow: hidden
	func(v *View, f *frame) hidden {
		value := v.values.get(propIndent)
		if value == "" || value == "inherit" || v.isInline(f) {
			return nothing
		}
		l, ok := parseLength(value)
		far := ok && (l.percent && l.n >= fullBox || !l.percent && l.pixels(f.font) >= farAway)
		cut := v.values.get(propOverflowX) == "hidden" && v.values.get(propWhiteSpace) == "nowrap"
		f.indented = noRule
		if isFar(value, f.font) || far && cut {
			f.indented = v.values.cells[propIndent].rule
		}
		return nothing
	},
	// clip: rect(0, 0, 0, 0)
	func(v *View, f *frame) hidden {
		position := v.values.get(propPosition)
		if (position == "absolute" || position == "fixed") && clipIsEmpty(v.values.get(propClip)) {
			return v.by(ByClip, propClip)
		}
		return nothing
	},
	// clip-path: inset(50%)
	func(v *View, f *frame) hidden {
		if clipsAll(v.values.get(propClipPath)) && !v.moves() {
			return v.by(ByClip, propClipPath)
		}
		return nothing
	},
	// transform: scale(0); scale: 0; rotate: y 90deg; translate: -9999px
	func(v *View, f *frame) hidden {
		if v.isInline(f) || v.moves() {
			return nothing
		}
		if cause := isAway(v.values.get(propTransform), f.font); cause != Seen {
			return v.by(cause, propTransform)
		}
		if x := fields(v.values.get(propScale)); len(x) > 0 && (isSmall(x[0]) || isSmall(x[len(x)-1])) {
			return v.by(BySize, propScale)
		}
		if x := fields(v.values.get(propTranslate)); len(x) > 0 && (isFarLength(x[0], f.font) || isFarLength(x[len(x)-1], f.font)) {
			return v.by(ByPlace, propTranslate)
		}
		if x := v.values.get(propRotate); x == "x 90deg" || x == "y 90deg" {
			return v.by(BySize, propRotate)
		}
		return nothing
	},
	// background: white
	func(v *View, f *frame) hidden {
		position, z := v.values.get(propPosition), v.values.cells[propZIndex].rank
		if position == "absolute" || position == "fixed" || position == "sticky" || z > 0 {
			f.ground = color{} // it may be over something else
		}
		if v.values.part {
			f.ground = color{}
		}
		if v.values.cells[propGround].rank > 0 {
			switch c, picture := groundColor(v.values.get(propGround)); {
			case picture || !c.known:
				f.ground = color{}
			case c.alpha >= solid:
				f.ground = c
				f.groundDepth = len(v.stack)
			case !c.isClear():
				f.ground = color{}
			}
		}
		if v.values.cells[propImage].rank > 0 {
			if _, picture := groundColor(v.values.get(propImage)); picture || v.values.get(propImage) == "" {
				f.ground = color{}
			}
		}
		if v.values.get(propGroundClip) == "text" {
			f.outlined = true
		}
		return nothing
	},
	// color: white
	func(v *View, f *frame) hidden {
		if x := v.values.get(propShadow); x != "" {
			f.outlined = x != "none"
		}
		for _, p := range [...]property{propColor, propFill} {
			c := &v.values.cells[p]
			value := v.values.get(p)
			if c.rank == 0 || value == "inherit" || value == "currentcolor" {
				continue
			}
			ink, _ := parseColor(value)
			f.inkRule, f.inkDepth = c.rule, len(v.stack)
			if p == propFill {
				f.fill = ink
			} else {
				f.ink = ink
			}
		}
		return nothing
	},
}

// by returns that the value of a property hides.
func (v *View) by(cause Cause, p property) hidden { return hidden{cause, v.values.cells[p].rule} }

// moves reports whether an animation or a transition of the element shows it in time.
func (v *View) moves() bool {
	for _, name := range fields(strings.ReplaceAll(v.values.get(propAnimation), ",", " ")) {
		if v.sheets.keyframes[name] {
			return true
		}
	}
	return false
}

// flatSide returns the property that leaves a box no area; propNone for none.
func (v *View) flatSide(f *frame) property {
	vals := &v.values
	if vals.cells[propMinimum].rank > 0 || vals.cells[propPadding].rank > 0 && !isUpTo(vals.get(propPadding), 0, f.font) ||
		vals.cells[propFlex].rank > 0 || strings.HasPrefix(vals.get(propDisplay), "table") || v.isInline(f) {
		return propNone
	}
	switch f.node.Data {
	case "td", "th", "table", "tr", "tbody", "thead":
		return propNone
	}
	for _, side := range [...]struct{ overflow, size, most property }{{propOverflowX, propWidth, propMaxWidth}, {propOverflowY, propHeight, propMaxHeight}} {
		value := vals.get(side.overflow)
		switch {
		case value != "hidden" && value != "clip":
		case isUpTo(vals.get(side.size), tiny, f.font):
			return side.size
		case isUpTo(vals.get(side.most), tiny, f.font):
			return side.most
		}
	}
	return propNone
}

// isInline reports whether an element is surely a part of a line, which has no size of its own.
func (v *View) isInline(f *frame) bool {
	if v.values.cells[propFloat].rank > 0 || v.values.get(propPosition) == "absolute" || v.values.get(propPosition) == "fixed" {
		return false
	}
	if display := v.values.get(propDisplay); display != "" {
		return display == "inline"
	}
	switch f.node.Data {
	case "a", "abbr", "b", "cite", "code", "em", "font", "i", "label", "mark", "q", "s", "small", "span", "strong", "sub", "sup", "time", "u":
		return true
	}
	return false
}

// state says how the element that was entered last is hidden.
func (v *View) state(f *frame, all hidden) State {
	s := State{All: all.cause, Rule: all.rule}
	if all.cause != Seen {
		s.Text = all.cause
		return s
	}
	ink := f.ink
	if f.fill.known {
		ink = f.fill
	}
	same := ink.known && f.ground.known && ink.near(f.ground) && (!v.sheets.Unread || f.inkDepth == f.groundDepth)
	switch {
	case f.invisible != noRule:
		s.Text, s.Rule = ByVisibility, f.invisible
	case f.font <= tiny/2:
		s.Text, s.Rule = ByFont, f.fontRule
	case f.boxed != noRule:
		s.Text, s.Rule = BySize, f.boxed
	case f.indented != noRule:
		s.Text, s.Rule = ByPlace, f.indented
	case !f.outlined && (ink.isClear() || same):
		s.Text, s.Rule = ByColor, f.inkRule
		s.Guessed = !ink.isClear() && f.groundDepth != len(v.stack)
	}
	return s
}

// Text returns how a text in the element that was entered last is hidden.
func (v *View) Text() State { return v.state(&v.stack[len(v.stack)-1], nothing) }

package css

import "strings"

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

// Waits reports whether pages use a cause to hide content until a script shows it.
func (c Cause) Waits() bool { return c != Seen && c <= BySize }

// State says how an element is hidden.
type State struct {
	// All is how the element is hidden with everything in it. Text is how the text in it is
	// hidden, of which other elements in it may be seen again.
	All, Text Cause
	// Rule identifies the rule that hides; it is StyleRule for a style attribute.
	Rule any
	// Guessed reports that Text is ByColor, and that another element paints the background.
	Guessed bool
}

type hidden struct {
	cause Cause
	by    *rule
}

// table has a row for each way of hiding. A row updates what the element passes on, and returns
// how it hides the element with everything in it.
var table = [...]func(*View, *frame) hidden{
	func(v *View, _ *frame) hidden { // display: none
		return v.hides(v.values.get("display") == "none", ByDisplay, "display")
	},
	func(v *View, _ *frame) hidden { // content-visibility: hidden
		return v.hides(v.values.get("content-visibility") == "hidden", ByDisplay, "content-visibility")
	},
	func(v *View, f *frame) hidden { // visibility: hidden
		switch v.values.get("visibility") {
		case "hidden", "collapse":
			if !v.moves() {
				f.invisible = v.values.cells["visibility"].rule
			}
		case "visible", "initial":
			f.invisible = nil
		}
		return hidden{}
	},
	func(v *View, _ *frame) hidden { // opacity: 0; filter: opacity(0)
		value, p := v.values.get("opacity"), "opacity"
		for _, call := range calls(v.values.get("filter")) {
			if call[0] == "opacity" {
				value, p = strings.TrimSpace(call[1]), "filter"
			}
		}
		n, ok := fraction(value)
		return v.hides(ok && n <= faint && !v.moves(), ByOpacity, p)
	},
	func(v *View, f *frame) hidden { // font-size: 0
		value := v.values.get("font-size")
		if value == "" || value == "inherit" {
			return hidden{}
		}
		size := rootFontSize
		if l, ok := parseLength(value); ok && l.percent {
			size = f.font * l.n / fullBox
		} else if ok {
			size = l.pixels(f.font)
		}
		f.font, f.fontRule = size, v.values.cells["font-size"].rule
		return hidden{}
	},
	func(v *View, f *frame) hidden { // width, height, max-width or max-height: 0; overflow: hidden
		position := v.values.get("position")
		if position == "fixed" || position == "absolute" && !f.boxPositioned {
			f.boxed = nil
		}
		if p := v.flatSide(f); p != "" && !v.moves() {
			f.boxed, f.boxPositioned = v.values.cells[p].rule, position != "" && position != "static"
		}
		return hidden{}
	},
	func(v *View, f *frame) hidden { // position: absolute; left: -9999px; margin-left: -9999px
		var sides []string
		switch v.values.get("position") {
		case "absolute", "relative":
			sides = []string{"left", "top"}
		case "fixed":
			sides = []string{"left", "top", "right", "bottom"}
		}
		if v.values.get("padding") == "" { // a negative margin and as much padding widen a box
			sides = append(sides, "margin-left")
		}
		for _, p := range sides {
			if isFar(v.values.get(p), f.font) {
				return v.hides(!v.moves(), ByPlace, p)
			}
		}
		return hidden{}
	},
	func(v *View, f *frame) hidden { // text-indent: -9999px; text-indent: 100%; overflow: hidden
		value := v.values.get("text-indent")
		if value == "" || value == "inherit" || v.isInline(f) {
			return hidden{}
		}
		l, ok := parseLength(value)
		cut := ok && l.percent && l.n >= fullBox && v.values.get("overflow-x") == "hidden" && v.values.get("white-space") == "nowrap"
		if f.indented = nil; isFar(value, f.font) || cut {
			f.indented = v.values.cells["text-indent"].rule
		}
		return hidden{}
	},
	func(v *View, _ *frame) hidden { // clip: rect(0, 0, 0, 0)
		position := v.values.get("position")
		return v.hides((position == "absolute" || position == "fixed") && isEmptyClip(v.values.get("clip")), ByClip, "clip")
	},
	func(v *View, _ *frame) hidden { // clip-path: inset(50%)
		return v.hides(isEmptyPath(v.values.get("clip-path")) && !v.moves(), ByClip, "clip-path")
	},
	func(v *View, f *frame) hidden { // transform: scale(0); scale: 0; translate: -9999px
		for _, p := range [...]string{"transform", "scale", "translate"} {
			if cause := away(p, v.values.get(p), f.font); cause != Seen && !v.isInline(f) {
				return v.hides(!v.moves(), cause, p)
			}
		}
		return hidden{}
	},
	func(v *View, f *frame) hidden { // background: white
		position := v.values.get("position")
		if position == "absolute" || position == "fixed" || position == "sticky" || v.values.get("z-index") != "" || v.values.part {
			f.ground = color{} // the text may be over something else
		}
		for _, p := range [...]string{"background", "background-image"} {
			value := v.values.get(p)
			if value == "" || value == "none" || value == "transparent" {
				continue
			}
			if f.ground = groundColor(value); f.ground.alpha < solid {
				f.ground.known = false
			}
			f.groundDepth = f.depth
		}
		f.outlined = f.outlined || v.values.get("background-clip") == "text"
		return hidden{}
	},
	func(v *View, f *frame) hidden { // color: white
		if shadow := v.values.get("text-shadow"); shadow != "" {
			f.outlined = shadow != "none"
		}
		for p, ink := range map[string]*color{"color": &f.ink, "-webkit-text-fill-color": &f.fill} {
			value := v.values.get(p)
			if value != "" && value != "inherit" && value != "currentcolor" {
				*ink, f.inkRule, f.inkDepth = parseColor(value), v.values.cells[p].rule, f.depth
			}
		}
		return hidden{}
	},
}

// hides returns that the value of a property hides if it does.
func (v *View) hides(does bool, cause Cause, p string) hidden {
	if !does {
		return hidden{}
	}
	return hidden{cause, v.values.cells[p].rule}
}

// moves reports whether an animation of the element shows it in time.
func (v *View) moves() bool {
	for _, name := range arguments(v.values.get("animation")) {
		if v.sheets.keyframes[name] {
			return true
		}
	}
	return false
}

// flatSide returns the property that leaves a box no area, "" for none.
func (v *View) flatSide(f *frame) string {
	vals := &v.values
	padding := vals.get("padding")
	if vals.get("min-width") != "" || padding != "" && !isUpTo(padding, 0, f.font) || vals.get("flex") != "" || strings.HasPrefix(vals.get("display"), "table") || v.isInline(f) {
		return ""
	}
	for _, side := range [...][3]string{{"overflow-x", "width", "max-width"}, {"overflow-y", "height", "max-height"}} {
		value := vals.get(side[0])
		switch {
		case value != "hidden" && value != "clip":
		case isUpTo(vals.get(side[1]), tiny, f.font):
			return side[1]
		case isUpTo(vals.get(side[2]), tiny, f.font):
			return side[2]
		}
	}
	return ""
}

// isInline reports whether the size of an element surely depends on its text only: a part of a
// line, or of a table.
func (v *View) isInline(f *frame) bool {
	position, display := v.values.get("position"), v.values.get("display")
	if v.values.get("float") != "" || position == "absolute" || position == "fixed" || display != "" && display != "inline" {
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

package computed

import "strings"

// property is one of the properties that can hide text, or show it again.
type property uint8

const (
	propNone property = iota
	propCustom
	propDisplay
	propVisibility
	propOpacity
	propContentVisibility
	propZoom
	propTransform
	propScale
	propRotate
	propTranslate
	propOverflow
	propWidth
	propHeight
	propMaxWidth
	propMaxHeight
	propPosition
	propLeft
	propRight
	propTop
	propBottom
	propMarginLeft
	propMarginTop
	propTextIndent
	propClip
	propClipPath
	propFontSize
	propColor
	propFill
	propBackground
	propBackgroundImage
	propMask
	propFilter
	propFlexGrow
	propBackgroundClip
	propLineHeight
	propLetterSpacing
	propTextSecurity
	propContent
	propContain
	propRows         // of a grid
	propColumnTracks // of a grid
	propDoubt        // see doubtful

	// The properties from here on are needed only beside others. Those of a group
	// share a bit of a mask.
	firstOfGroups
	propMinWidth
	propMinHeight
	propPaddingTop
	propPaddingRight
	propPaddingBottom
	propPaddingLeft
	propWhiteSpace
	propIntrinsicSize
	propColumns
	propFlexWrap
	propFlexDirection
	propFlexBasis
	propFlexShrink
	propBoxSizing
	propLineClamp
	propClipMargin
	lastOfBoxes
	propFloat
	propZIndex
	propGridRow
	propGridColumn
	propOrigin
	propOutline
	propMarginBottom
	propMarginRight
	propBorder
	propOrder
	propAnchor
	propArea
	propBackface
	propTransformStyle
	propPerspective
	lastOfPlaces
	propMaskSize
	propMaskMode
	propMaskPosition
	propMaskRepeat
	lastOfMasks
	propBackgroundSize
	propBlend
	propTextShadow
	propTextStroke
	propColorScheme
	propBackdrop
	propBoxShadow
	lastOfColors
	propContainerType
	propContainerName
	lastOfContainers
	propAnimationName
	propAnimationDuration
	propAnimationDelay
	propAnimationCount
	propAnimationDirection
	propAnimationFill
	propAnimationPlay
	propAnimationTimeline
	propAnimationRange
	numLonghands

	// Shorthands, which expand resolves.
	propInset
	propFlex
	propMargin
	propPadding
	propFont
	propAnimation
	propContainer
	propGridArea
	propTemplate
	propGround
	propOverflowX
	propOverflowY
	propMaskShort
	propAll
)

// mask is a set of properties.
type mask uint64

// The bits of the groups.
const (
	boxes mask = 1 << (firstOfGroups + iota)
	placing
	masking
	coloring
	containers
	animations
)

// bit is the set of a property and those that share its bit.
func (p property) bit() mask {
	switch {
	case p < firstOfGroups:
		return 1 << p
	case p < lastOfBoxes:
		return boxes
	case p < lastOfPlaces:
		return placing
	case p < lastOfMasks:
		return masking
	case p < lastOfColors:
		return coloring
	case p < lastOfContainers:
		return containers
	}
	return animations
}

// coverBit is among what a rule hides where its elements may cover others; it belongs
// to no property.
const coverBit mask = 1 << propNone

const (
	// colors are the properties that decide whether text has the colour of its
	// background.
	colors mask = 1<<propColor | 1<<propFill | 1<<propBackground | 1<<propBackgroundImage | 1<<propBackgroundClip | 1<<propFilter | coloring
	sizes  mask = 1<<propOverflow | 1<<propWidth | 1<<propHeight | 1<<propMaxWidth | 1<<propMaxHeight | 1<<propFlexGrow | 1<<propContain |
		1<<propPosition | 1<<propDisplay | 1<<propTextIndent | 1<<propLineHeight | boxes | placing
	places mask = 1<<propPosition | 1<<propLeft | 1<<propRight | 1<<propTop | 1<<propBottom | 1<<propClip | 1<<propTranslate | 1<<propTransform | placing
)

// together returns the properties that decide with p whether it hides.
func together(p property) mask {
	m := p.bit()
	switch p {
	case propColor, propFill, propBackground, propBackgroundImage, propBackgroundClip, propBlend, propColorScheme, propBoxShadow, propBackdrop:
		return colors
	case propFilter:
		return colors | m
	case propOverflow, propWidth, propHeight, propMaxWidth, propMaxHeight, propFlexGrow, propFlexBasis, propMinWidth, propContain, propPaddingLeft:
		return sizes
	case propContainerType:
		return sizes | m
	case propMarginRight, propArea:
		return places | 1<<propDisplay
	case propTextIndent, propLineHeight, propRows, propColumnTracks:
		return sizes | m
	case propPosition, propLeft, propRight, propTop, propBottom, propClip:
		return places
	case propTransform, propScale, propRotate, propTranslate, propBackface, propOrigin:
		return places | 1<<propScale | 1<<propRotate | 1<<propDisplay
	case propVisibility, propFontSize, propDisplay:
		return m
	case propMask:
		return m | masking | 1<<propDisplay
	case propMarginLeft, propMarginTop:
		return m | 1<<propDisplay | 1<<propPosition | placing
	}
	return m | 1<<propDisplay
}

// expand appends a declaration; shorthands are expanded to their longhands.
func expand(out []decl, d decl) []decl {
	switch d.prop {
	case propInset, propMargin, propPadding:
		return expandSides(out, d)
	case propFlex:
		out = append(out, d.with(propFlexGrow, growOf(d.value)))
		if f := splitSpace(d.value); len(f) == 3 {
			out = append(out, d.with(propFlexShrink, f[1]), d.with(propFlexBasis, f[2]))
		} else if d.value == "none" {
			out = append(out, d.with(propFlexShrink, "0"))
		}
		return out
	case propFont:
		return expandFont(out, d)
	case propGridArea:
		return expandArea(out, d)
	case propTemplate:
		rows, columns, _ := cutTop(d.value, '/')
		if columns = strings.TrimSpace(columns); columns == "" {
			columns = "none"
		}
		return append(out, d.with(propRows, strings.TrimSpace(rows)), d.with(propColumnTracks, columns))
	case propOutline:
		if !hasThick(plain(d.value), flood) {
			return out
		}
	case propBorder:
		if !hasThick(plain(d.value), coverHeight) {
			return out
		}
	case propMarginBottom, propMarginRight:
		if d.value[0] != '-' {
			return out
		}
	case propGround:
		return expandGround(out, d)
	case propOverflowX, propOverflowY:
		return append(out, d.with(propOverflow, overflowOf(d)))
	case propContainer:
		return expandContainer(out, d)
	case propAnimation:
		return expandAnimation(out, d)
	case propMaskShort:
		return expandMask(out, d)
	case propAll:
		return expandAll(out, d)
	}
	if startsPair(d.prop) && strings.IndexByte(d.value, ' ') >= 0 {
		// The value of a logical shorthand begins with that of the start.
		if v := splitSpace(d.value); len(v) > 0 {
			d.value = v[0]
		}
	}
	return append(out, d)
}

// startsPair reports whether a property also stands for a logical shorthand of two sides.
func startsPair(p property) bool {
	return p == propLeft || p == propTop || p == propMarginLeft || p == propMarginTop
}

// expandMask expands mask, which resets what was declared of its parts before.
func expandMask(out []decl, d decl) []decl {
	return append(out, d.with(propMask, d.value), d.with(propMaskSize, "auto"), d.with(propMaskMode, "match-source"), d.with(propMaskPosition, "0% 0%"), d.with(propMaskRepeat, "repeat"))
}

// with returns the declaration with another property and value.
func (d decl) with(p property, value string) decl {
	d.prop, d.value = p, value
	return d
}

func expandSides(out []decl, d decl) []decl {
	sides, v := sidesOf(d)
	for _, x := range v {
		if q, ok := simple(x); x != "" && !isWide(x) && x != "auto" && (!ok && strings.IndexByte(x, '(') < 0 && isPlain(x) || ok && d.prop == propPadding && q.v < 0) {
			return out // browsers drop all of it
		}
	}
	for i, p := range sides {
		if p != propNone && (p != propMarginRight && p != propMarginBottom || v[i][0] == '-') {
			out = append(out, d.with(p, v[i]))
		}
	}
	return out
}

// expandArea expands grid-area to where the area begins: a name, or a row and a column.
func expandArea(out []decl, d decl) []decl {
	row, rest, has := strings.Cut(d.value, "/")
	if !has {
		rest = row
	}
	return append(out, d.with(propGridRow, row), d.with(propGridColumn, rest))
}

// growOf returns how an element grows by a value of flex: its first number (Flexible
// Box Layout, section 7.1).
func growOf(flex string) string {
	grow, _, _ := strings.Cut(flex, " ")
	switch grow {
	case "auto":
		return "1"
	case "none", "initial":
		return "0"
	}
	return grow
}

func expandFont(out []decl, d decl) []decl {
	v := plain(d.value)
	if isSubstituted(v) {
		return out
	}
	if isWide(v) {
		return append(out, d.with(propFontSize, v))
	}
	words := splitSpace(v)
	for i, part := range words {
		size, line, has := cutTop(part, '/')
		if _, ok := pixels(size); !ok && !isSizeName(size) || i == len(words)-1 { // a family has to follow
			continue
		}
		if !has {
			line = "normal"
		}
		if last := words[len(words)-1]; strings.IndexByte(last, '/') >= 0 && strings.IndexByte(last, '"') < 0 && strings.IndexByte(last, '\'') < 0 {
			return out // not a family
		}
		return append(out, d.with(propFontSize, size), d.with(propLineHeight, line))
	}
	return out
}

// expandGround expands background: its image, too, replaces one that was declared before.
func expandGround(out []decl, d decl) []decl {
	image := "none"
	if strings.IndexByte(d.value, '(') >= 0 || isWide(d.value) {
		if v := plain(d.value); isPicture(v) || isSubstituted(v) || isWide(v) {
			image = d.value
		}
	}
	out = append(out, d.with(propBackground, d.value), d.with(propBackgroundImage, image))
	if image != "none" && strings.HasSuffix(d.value, " text") {
		out = append(out, d.with(propBackgroundClip, "text"))
	}
	return out
}

// overflowOf is the value of overflow that overflow-x or overflow-y alone stands for: what
// clips in one direction makes the other one scroll, except clip (CSS Overflow Module
// Level 3, section 3.1).
func overflowOf(d decl) string {
	switch {
	case plain(d.value) != "clip":
		return d.value
	case d.prop == propOverflowX:
		return "clip visible"
	}
	return "visible clip"
}

func expandContainer(out []decl, d decl) []decl {
	name, kind, _ := strings.Cut(d.value, "/")
	if kind = strings.TrimSpace(kind); kind == "" {
		kind = "normal"
	}
	return append(out, d.with(propContainerName, strings.TrimSpace(name)), d.with(propContainerType, kind))
}

func expandAll(out []decl, d decl) []decl {
	v := plain(d.value)
	if !isWide(v) {
		return out
	}
	for p := propDisplay; p < numLonghands; p++ {
		if p.isOne() {
			out = append(out, d.with(p, v))
		}
	}
	return out
}

// isOne reports whether a number is that of a property: some are limits of groups.
func (p property) isOne() bool {
	switch p {
	case firstOfGroups, lastOfBoxes, lastOfPlaces, lastOfMasks, lastOfColors, lastOfContainers:
		return false
	}
	return true
}

// isWide reports whether a value is one of the keywords that every property has.
func isWide(v string) bool {
	switch v {
	case "initial", "inherit", "unset", "revert", "revert-layer":
		return true
	}
	return false
}

// isSizeName reports whether a value is a keyword of font-size.
func isSizeName(v string) bool {
	switch v {
	case "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large", "smaller", "larger", "math":
		return true
	}
	return false
}

// sidesOf expands inset, margin or padding: the properties of the four sides, propNone if
// there are not one to four values, and their values.
func sidesOf(d decl) (sides [4]property, values [4]string) {
	switch d.prop {
	case propMargin:
		sides = [4]property{propMarginTop, propMarginRight, propMarginBottom, propMarginLeft}
	case propPadding:
		sides = [4]property{propPaddingTop, propPaddingRight, propPaddingBottom, propPaddingLeft}
	default:
		sides = [4]property{propTop, propRight, propBottom, propLeft}
	}
	v := splitSpace(d.value)
	if len(v) == 0 || len(v) > 4 {
		return [4]property{}, values
	}
	for i := range values {
		values[i] = v[ofSide(i, len(v))]
	}
	return sides, values
}

func isPicture(v string) bool {
	return strings.Contains(v, "url(") || strings.Contains(v, "gradient(") || strings.Contains(v, "image(") || strings.Contains(v, "image-set(")
}

// isSubstituted reports whether a value has functions that are replaced before it
// has a meaning (CSS Values and Units Level 5, section 9).
func isSubstituted(v string) bool {
	if strings.IndexByte(v, '(') < 0 {
		return false
	}
	return strings.Contains(v, "var(") || strings.Contains(v, "env(") || strings.Contains(v, "if(") ||
		strings.Contains(v, "attr(") || strings.Contains(v, "--") || strings.Contains(v, "inherit(")
}

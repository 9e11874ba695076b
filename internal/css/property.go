package css

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
	lastOfBoxes
	propFloat
	propZIndex
	propBackface
	lastOfPlaces
	propMaskSize
	propMaskMode
	propMaskPosition
	lastOfMasks
	propBackgroundSize
	propBlend
	propTextShadow
	propTextStroke
	propColorScheme
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
	numLonghands

	// Shorthands, which expand resolves.
	propInset
	propFlex
	propMargin
	propPadding
	propFont
	propAnimation
	propContainer
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

// coverBit is among what a rule hides where its elements may cover others; it is no
// property's.
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
	case propColor, propFill, propBackground, propBackgroundImage, propBackgroundClip, propBlend, propColorScheme:
		return colors
	case propFilter:
		return colors | m
	case propOverflow, propWidth, propHeight, propMaxWidth, propMaxHeight, propFlexGrow, propContain:
		return sizes
	case propTextIndent, propLineHeight:
		return sizes | m
	case propPosition, propLeft, propRight, propTop, propBottom, propClip:
		return places
	case propTransform, propScale, propRotate, propTranslate, propBackface:
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

// propertyOf returns the property with a name in lower case. Names with the same
// effect on visibility share a property.
func propertyOf(name string) property {
	switch name {
	case "display":
		return propDisplay
	case "visibility":
		return propVisibility
	case "opacity":
		return propOpacity
	case "content-visibility":
		return propContentVisibility
	case "zoom":
		return propZoom
	case "transform", "-webkit-transform":
		return propTransform
	case "scale":
		return propScale
	case "rotate":
		return propRotate
	case "translate":
		return propTranslate
	case "overflow", "overflow-x", "overflow-y", "overflow-block", "overflow-inline":
		return propOverflow
	case "width", "inline-size":
		return propWidth
	case "height", "block-size":
		return propHeight
	case "max-width", "max-inline-size":
		return propMaxWidth
	case "max-height", "max-block-size":
		return propMaxHeight
	case "min-width", "min-inline-size":
		return propMinWidth
	case "min-height", "min-block-size":
		return propMinHeight
	case "padding", "padding-block", "padding-inline":
		return propPadding
	case "padding-top", "padding-block-start":
		return propPaddingTop
	case "padding-right", "padding-inline-end":
		return propPaddingRight
	case "padding-bottom", "padding-block-end":
		return propPaddingBottom
	case "padding-left", "padding-inline-start":
		return propPaddingLeft
	case "position":
		return propPosition
	case "left", "inset-inline-start", "inset-inline":
		return propLeft
	case "right", "inset-inline-end":
		return propRight
	case "top", "inset-block-start", "inset-block":
		return propTop
	case "bottom", "inset-block-end":
		return propBottom
	case "flex":
		return propFlex
	case "flex-grow":
		return propFlexGrow
	case "float":
		return propFloat
	case "z-index":
		return propZIndex
	case "inset":
		return propInset
	case "margin":
		return propMargin
	case "margin-left", "margin-inline-start", "margin-inline":
		return propMarginLeft
	case "margin-top", "margin-block-start", "margin-block":
		return propMarginTop
	case "text-indent":
		return propTextIndent
	case "white-space", "text-wrap", "text-wrap-mode":
		return propWhiteSpace
	case "line-height":
		return propLineHeight
	case "letter-spacing":
		return propLetterSpacing
	case "clip":
		return propClip
	case "clip-path", "-webkit-clip-path":
		return propClipPath
	case "font-size":
		return propFontSize
	case "font":
		return propFont
	case "color":
		return propColor
	case "color-scheme":
		return propColorScheme
	case "-webkit-text-fill-color":
		return propFill
	case "-webkit-text-stroke", "-webkit-text-stroke-color", "-webkit-text-stroke-width":
		return propTextStroke
	case "text-shadow":
		return propTextShadow
	case "-webkit-text-security":
		return propTextSecurity
	case "mix-blend-mode":
		return propBlend
	case "background":
		return propBackground
	case "background-color":
		return propBackground
	case "background-image":
		return propBackgroundImage
	case "background-clip", "-webkit-background-clip":
		return propBackgroundClip
	case "background-size", "-webkit-background-size":
		return propBackgroundSize
	case "mask", "mask-image", "-webkit-mask", "-webkit-mask-image":
		return propMask
	case "mask-size", "-webkit-mask-size":
		return propMaskSize
	case "mask-mode":
		return propMaskMode
	case "mask-position", "-webkit-mask-position":
		return propMaskPosition
	case "filter", "-webkit-filter":
		return propFilter
	case "backface-visibility", "-webkit-backface-visibility":
		return propBackface
	case "content":
		return propContent
	case "contain":
		return propContain
	case "contain-intrinsic-size", "contain-intrinsic-height", "contain-intrinsic-width", "contain-intrinsic-block-size":
		return propIntrinsicSize
	case "container":
		return propContainer
	case "container-type":
		return propContainerType
	case "container-name":
		return propContainerName
	case "animation", "-webkit-animation":
		return propAnimation
	case "animation-name", "-webkit-animation-name":
		return propAnimationName
	case "animation-duration", "-webkit-animation-duration":
		return propAnimationDuration
	case "animation-delay", "-webkit-animation-delay":
		return propAnimationDelay
	case "animation-iteration-count", "-webkit-animation-iteration-count":
		return propAnimationCount
	case "animation-direction", "-webkit-animation-direction":
		return propAnimationDirection
	case "animation-fill-mode", "-webkit-animation-fill-mode":
		return propAnimationFill
	case "animation-play-state", "-webkit-animation-play-state":
		return propAnimationPlay
	case "animation-timeline":
		return propAnimationTimeline
	case "all":
		return propAll
	}
	return propNone
}

// expand appends a declaration; shorthands are expanded to their longhands.
func expand(out []decl, d decl) []decl {
	set := func(p property, value string) {
		d.prop, d.value = p, value
		out = append(out, d)
	}
	value := d.value
	switch d.prop {
	case propInset, propMargin, propPadding:
		sides, v := sidesOf(d)
		for i, p := range sides {
			if p != propNone {
				set(p, v[i])
			}
		}
	case propFlex:
		// The first number is how the element grows (Flexible Box Layout, section 7.1).
		grow, _, _ := strings.Cut(value, " ")
		switch grow {
		case "auto":
			grow = "1"
		case "none", "initial":
			grow = "0"
		}
		set(propFlexGrow, grow)
	case propFont:
		v := plain(value)
		if isSubstituted(v) {
			return out
		}
		if isWide(v) {
			set(propFontSize, v)
			return out
		}
		for _, part := range splitSpace(v) {
			size, line, has := cutTop(part, '/')
			if _, ok := pixels(size); ok || isSizeName(size) {
				set(propFontSize, size)
				if has {
					set(propLineHeight, line)
				} else {
					set(propLineHeight, "normal")
				}
				break
			}
		}
	case propBackground:
		// With an image, the background colour is unknown, whichever of the two
		// properties sets the image.
		out = append(out, d)
		if strings.IndexByte(value, '(') >= 0 && isPicture(plain(value)) {
			set(propBackgroundImage, value)
			if strings.HasSuffix(value, " text") {
				set(propBackgroundClip, "text")
			}
		}
	case propContainer:
		name, kind, _ := strings.Cut(value, "/")
		set(propContainerName, strings.TrimSpace(name))
		if kind = strings.TrimSpace(kind); kind == "" {
			kind = "normal"
		}
		set(propContainerType, kind)
	case propAnimation:
		out = expandAnimation(out, d)
	case propAll:
		if v := plain(value); isWide(v) {
			for p := propDisplay; p < numLonghands; p++ {
				if p.isOne() {
					set(p, v)
				}
			}
		}
	case propLeft, propTop, propMarginLeft, propMarginTop:
		// The value of a logical shorthand begins with that of the start.
		if strings.IndexByte(value, ' ') >= 0 {
			if v := splitSpace(value); len(v) > 0 {
				value = v[0]
			}
		}
		set(d.prop, value)
	default:
		out = append(out, d)
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

// sidesOf expands inset, margin or padding: the properties of the four sides,
// propNone for those that do not matter, and their values.
func sidesOf(d decl) (sides [4]property, values [4]string) {
	switch d.prop {
	case propMargin:
		sides = [4]property{propMarginTop, propNone, propNone, propMarginLeft}
	case propPadding:
		sides = [4]property{propPaddingTop, propPaddingRight, propPaddingBottom, propPaddingLeft}
	default:
		sides = [4]property{propTop, propRight, propBottom, propLeft}
	}
	v := splitSpace(d.value)
	if len(v) == 0 {
		return [4]property{}, values
	}
	for i := range values {
		values[i] = v[ofSide(i, min(len(v), 4))]
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

// asks returns the properties to cascade to know whether an element with this
// declaration is hidden; none when the declaration cannot hide.
func (s *Sheets) asks(d decl) mask {
	if d.prop == propAnimationName {
		return s.animationAsks(d.value)
	}
	if !s.mayHide(d.prop, d.value, 0) {
		return 0
	}
	return together(d.prop)
}

// mayHide reports whether a declaration can hide something. It can be wrongly
// true; then the cascade decides.
func (s *Sheets) mayHide(p property, value string, depth int) bool {
	v := value
	if p == propCustom || p == propNone || v == "" {
		return false
	}
	if strings.IndexByte(v, '\\') >= 0 {
		return true
	}
	v = plain(v)
	if isSubstituted(v) {
		return s.varMayHide(p, v, depth)
	}
	if strings.Contains(v, "sibling-") {
		return true
	}
	switch p {
	case propDisplay:
		return v == "none"
	case propVisibility:
		return v == "hidden" || v == "collapse"
	case propOpacity:
		n, ok := cssNumber(v)
		return ok && n <= partOpaque
	case propContentVisibility:
		return v == "hidden"
	case propZoom:
		n, ok := cssNumber(v)
		return ok && n <= partOpaque
	case propTransform, propScale, propRotate, propTranslate:
		return mayCollapse(p, v)
	case propBackface:
		return v == "hidden"
	case propWidth, propHeight, propMaxWidth, propMaxHeight:
		n, ok := pixels(v)
		return ok && n <= 1
	case propContain:
		return v != "none" && v != "layout" && v != "style" && v != "inline-size"
	case propLeft, propTop, propRight, propBottom:
		return farAway(v) || farOff(v, screenHeight) && !strings.HasSuffix(v, "%") // see isFixedAway
	case propMarginLeft, propMarginTop:
		return farAway(v) || farOff(v, farRight)
	case propTextIndent:
		return farAway(v) || farOff(v, 1000)
	case propLineHeight:
		n, ok := cssNumber(v)
		l, isLength := pixels(v)
		return ok && n <= invisible || isLength && l < 2
	case propLetterSpacing:
		n, ok := pixels(v)
		return ok && n <= -100
	case propTextSecurity:
		return v != "none"
	case propContent:
		return isPicture(v)
	case propClip:
		return zeroRect(v)
	case propClipPath:
		return clipOf(v) != clipsSome || strings.HasPrefix(v, "url(")
	case propFontSize:
		n, ok := pixels(v)
		return ok && n < 2
	case propColor, propFill:
		if strings.Contains(v, "currentcolor") || strings.Contains(v, "light-dark") {
			return p == propFill || v != "currentcolor"
		}
		c, ok := parseColor(v)
		return ok && (c.clear || near(c, white) || s.backs.has(c))
	case propBackground:
		if strings.Contains(v, "currentcolor") {
			return true
		}
		c, ok := backgroundColor(v, palette{})
		return ok && !c.clear && (near(c, black) || near(c, linkBlue) || s.fores.has(c))
	case propBackgroundImage:
		c, ok := flatImage(v, palette{})
		return ok && !c.clear && (near(c, black) || near(c, linkBlue) || s.fores.has(c))
	case propBlend:
		return v != "normal"
	case propMask:
		return masksAll(v, false) || strings.Contains(v, "gradient(")
	case propFilter:
		return filtersAll(v) || strings.Contains(v, "brightness(") || strings.Contains(v, "contrast(") || strings.Contains(v, "invert(")
	}
	return false
}

// varMayHide is mayHide for a value with functions that are replaced: it tries all
// values that rules give to the custom properties of a var().
func (s *Sheets) varMayHide(p property, v string, depth int) bool {
	key := varUse{p, v}
	if may, ok := s.varUses[key]; ok {
		return may
	}
	s.steps++
	if s.tries++; depth > 8 || s.tries > maxTries || s.steps > maxSteps {
		return true
	}
	if s.varUses == nil {
		s.varUses = map[varUse]bool{}
	}
	s.varUses[key] = false // for cycles, which have no value
	may := s.tryVars(p, v, depth)
	s.varUses[key] = may
	return may
}

// varUse is a value with var() for a property.
type varUse struct {
	prop  property
	value string
}

func (s *Sheets) tryVars(p property, v string, depth int) bool {
	args, ok := call(v, "var")
	if !ok {
		return true // the cascade decides
	}
	name, fallback, has := strings.Cut(args, ",")
	if has && s.mayHide(p, strings.TrimSpace(fallback), depth+1) {
		return true
	}
	name = strings.TrimSpace(name)
	whole := strings.HasPrefix(v, "var(") && strings.HasSuffix(v, ")")
	may := func(value string) bool {
		if !whole {
			value = strings.Replace(v, "var("+args+")", value, 1)
		}
		return s.mayHide(p, strings.TrimSpace(value), depth+1)
	}
	for _, value := range s.vars[name] {
		if may(value) {
			return true
		}
	}
	if r, ok := s.registered[name]; ok && may(r.initial) {
		return true
	}
	return has && !whole && may(fallback)
}

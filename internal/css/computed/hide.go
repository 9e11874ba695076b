package computed

import (
	"slices"
	"strings"
)

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
	if p == propCustom || p == propNone || value == "" {
		return false
	}
	if strings.IndexByte(value, '\\') >= 0 {
		return true
	}
	v := plain(value)
	if isSubstituted(v) {
		return s.varMayHide(p, v, depth)
	}
	if strings.Contains(v, "sibling-") {
		return true
	}
	hides := hiders[p]
	return hides != nil && hides(s, v)
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

// hiders judge the values of the properties that can hide something; properties
// without a row cannot.
var hiders = [propAll + 1]func(s *Sheets, v string) bool{
	propDisplay:           func(_ *Sheets, v string) bool { return v == "none" },
	propVisibility:        func(_ *Sheets, v string) bool { return v == "hidden" || v == "collapse" },
	propOpacity:           fewOf,
	propContentVisibility: isHidden,
	propZoom:              fewOf,
	propTransform:         func(_ *Sheets, v string) bool { return mayCollapse(propTransform, v) },
	propScale:             func(_ *Sheets, v string) bool { return mayCollapse(propScale, v) },
	propRotate:            func(_ *Sheets, v string) bool { return mayCollapse(propRotate, v) },
	propTranslate:         func(_ *Sheets, v string) bool { return mayCollapse(propTranslate, v) },
	propBackface:          isHidden,
	propWidth:             isNarrowest,
	propHeight:            isFlat,
	propMaxWidth:          isNarrowest,
	propMaxHeight:         isFlat,
	propFlexBasis:         func(_ *Sheets, v string) bool { n, ok := pixels(v); return ok && (n <= 0 || n >= slideWidth) },
	propMinWidth:          isWholeWidth,
	propPaddingLeft:       func(_ *Sheets, v string) bool { return farOff(v, largeMove) },
	propArea:              func(s *Sheets, v string) bool { return s.anchors && v != "none" },
	propMarginRight:       func(_ *Sheets, v string) bool { n, ok := pixels(v); return ok && n <= -farRight },
	propContainerType:     func(_ *Sheets, v string) bool { return v == "size" },
	propContain:           containsPaint,
	propLeft:              mayMove,
	propTop:               mayMove,
	propRight:             mayMove,
	propBottom:            mayMove,
	propMarginLeft:        func(_ *Sheets, v string) bool { return farAway(v) || farOff(v, largeMove) },
	propMarginTop:         func(_ *Sheets, v string) bool { return farAway(v) || farOff(v, farRight) },
	propTextIndent:        func(_ *Sheets, v string) bool { return farAway(v) || farOff(v, maxLow) },
	propLineHeight:        isLowLine,
	propLetterSpacing:     func(_ *Sheets, v string) bool { n, ok := pixels(v); return ok && n <= -100 },
	propTextSecurity:      func(_ *Sheets, v string) bool { return v != "none" },
	propContent:           func(_ *Sheets, v string) bool { return isPicture(v) },
	propClip:              func(_ *Sheets, v string) bool { return zeroRect(v) },
	propClipPath:          func(_ *Sheets, v string) bool { return clipOf(v) != clipsSome || strings.HasPrefix(v, "url(") },
	propFontSize:          func(_ *Sheets, v string) bool { n, ok := pixels(v); return ok && n < 2 },
	propColor:             func(s *Sheets, v string) bool { return s.mayMatchBack(v, v != "currentcolor") },
	propFill:              func(s *Sheets, v string) bool { return s.mayMatchBack(v, true) },
	propBackground:        (*Sheets).backMayMatch,
	propBackgroundImage:   (*Sheets).imageMayMatch,
	propBoxShadow:         (*Sheets).shadowMayMatch,
	propBlend:             func(_ *Sheets, v string) bool { return v != "normal" },
	propMask:              func(_ *Sheets, v string) bool { return masksAll(v, false) || isPicture(v) },
	propRows:              hasNoTrack,
	propColumnTracks:      hasNoTrack,
	propOrigin:            func(_ *Sheets, v string) bool { return hasThick(v, largeMove) || strings.IndexByte(v, '-') >= 0 },
	propDoubt:             func(_ *Sheets, v string) bool { return true },
	propFilter:            mayFilter,
	propBackdrop:          func(_ *Sheets, v string) bool { return recolors(v) },
}

// fewOf reports whether a number leaves too little to see.
func fewOf(_ *Sheets, v string) bool {
	n, ok := cssNumber(v)
	return ok && n <= partOpaque
}

func isHidden(_ *Sheets, v string) bool { return v == "hidden" }

// isFlat reports whether a length is so small that a box may show nothing of a line.
func isFlat(_ *Sheets, v string) bool {
	n, ok := pixels(v)
	return ok && n <= flatHeight
}

func isNarrowest(_ *Sheets, v string) bool {
	n, ok := pixels(v)
	return ok && n <= 1
}

// isWholeWidth reports whether a width is at least that of the element around.
func isWholeWidth(_ *Sheets, v string) bool {
	n, ok := pixels(v)
	return ok && n >= screenWidth
}

// containsPaint reports whether a value of contain may clip, or take the size away.
func containsPaint(_ *Sheets, v string) bool {
	return v != "none" && v != "layout" && v != "style" && v != "inline-size"
}

// mayMove reports whether an offset may place a box beyond an edge; see isFixedAway
// for percentages.
func mayMove(s *Sheets, v string) bool {
	n, ok := pixels(v)
	return ok && (n <= -maxLow || n >= maxLow && !strings.HasSuffix(v, "%")) || ok && n >= screenWidth && strings.HasSuffix(v, "%") || farOff(v, screenHeight) && !strings.HasSuffix(v, "%") || s.anchoredAway(v)
}

func isLowLine(_ *Sheets, v string) bool {
	n, ok := cssNumber(v)
	l, isLength := pixels(v)
	return ok && n <= invisible || isLength && l < 2
}

// mayMatchBack reports whether text of a colour may not show on its background;
// relative is the answer for a colour that depends on others.
func (s *Sheets) mayMatchBack(v string, relative bool) bool {
	if strings.Contains(v, "currentcolor") || strings.Contains(v, "light-dark") {
		return relative
	}
	c, ok := parseColor(v)
	return ok && (c.clear || near(c, white) || near(c, markBack) || s.backs.has(c))
}

func (s *Sheets) backMayMatch(v string) bool {
	if strings.Contains(v, "currentcolor") {
		return true
	}
	c, ok := backgroundColor(v, palette{})
	return ok && s.mayMatchText(c)
}

func (s *Sheets) imageMayMatch(v string) bool {
	c, ok := flatImage(v, palette{})
	return ok && s.mayMatchText(c)
}

func (s *Sheets) shadowMayMatch(v string) bool {
	c, ok := fills(v, palette{})
	return ok && c.known && s.mayMatchText(c)
}

// mayMatchText reports whether text may have the colour of this background.
func (s *Sheets) mayMatchText(c rgb) bool {
	return !c.clear && (near(c, black) || near(c, linkBlue) || s.fores.has(c))
}

func mayFilter(_ *Sheets, v string) bool {
	return filtersAll(v) || strings.Contains(v, "url(") || recolors(v)
}

// doubtful reports whether a declaration of a property that this package does not
// compute may hide text: its elements are kept with a mark.
func doubtful(name, v string) bool {
	switch name {
	case "offset-path", "offset":
		return strings.IndexByte(v, '(') >= 0
	case "font-size-adjust":
		words := splitSpace(v)
		n, ok := cssNumber(words[len(words)-1])
		return ok && n <= partOpaque
	case "position-visibility":
		return v != "always"
	case "text-decoration":
		return strings.Contains(v, "line-through") && hasThick(v, thickLine)
	case "text-decoration-thickness":
		return hasThick(v, 2*thickLine)
	}
	return false
}

// isNothing reports whether a value is zero in whatever unit.
func isNothing(v string) bool {
	n, _, ok := number(v)
	return ok && n == 0
}

// thickLine is from how many pixels on a line through letters may cover them.
const thickLine = 6

// hasThick reports whether one of the words of a value is a length of so many pixels.
func hasThick(v string, most float64) bool {
	return slices.ContainsFunc(splitSpace(v), func(w string) bool { n, ok := pixels(w); return ok && n >= most })
}

// anchoredAway reports whether an offset is that of another box, which may be anywhere, or far
// away where the box that it names is not there.
func (s *Sheets) anchoredAway(v string) bool {
	args, ok := call(v, "anchor")
	if !ok {
		return false
	}
	_, otherwise, has := cutTop(args, ',')
	if !has {
		return s.anchors
	}
	otherwise = strings.TrimSpace(otherwise)
	return farAway(otherwise) || farOff(otherwise, screenHeight)
}

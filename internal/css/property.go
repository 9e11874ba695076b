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
	propInset
	propFlex
	propMargin
	propFont
	numProps
)

// mask is a set of properties.
type mask uint64

const (
	// colors are the properties that decide whether text has the colour of its
	// background.
	colors mask = 1<<propColor | 1<<propFill | 1<<propBackground | 1<<propBackgroundImage | 1<<propBackgroundClip
	sizes  mask = 1<<propOverflow | 1<<propWidth | 1<<propHeight | 1<<propMaxWidth | 1<<propMaxHeight | 1<<propFlexGrow
	places mask = 1<<propPosition | 1<<propLeft | 1<<propRight | 1<<propTop | 1<<propBottom | 1<<propClip
)

// together returns the properties that decide with p whether it hides.
func together(p property) mask {
	m := mask(1) << p
	for _, group := range [...]mask{colors, sizes, places} {
		if group&m != 0 {
			return group
		}
	}
	return m
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
	case "overflow", "overflow-x", "overflow-y":
		return propOverflow
	case "width", "inline-size":
		return propWidth
	case "height", "block-size":
		return propHeight
	case "max-width", "max-inline-size":
		return propMaxWidth
	case "max-height", "max-block-size":
		return propMaxHeight
	case "position":
		return propPosition
	case "left", "inset-inline-start":
		return propLeft
	case "right", "inset-inline-end":
		return propRight
	case "top", "inset-block-start":
		return propTop
	case "bottom", "inset-block-end":
		return propBottom
	case "flex":
		return propFlex
	case "flex-grow":
		return propFlexGrow
	case "inset":
		return propInset
	case "margin":
		return propMargin
	case "margin-left", "margin-inline-start":
		return propMarginLeft
	case "margin-top", "margin-block-start":
		return propMarginTop
	case "text-indent":
		return propTextIndent
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
	case "-webkit-text-fill-color":
		return propFill
	case "background":
		return propBackground
	case "background-color":
		return propBackground
	case "background-image":
		return propBackgroundImage
	case "background-clip", "-webkit-background-clip":
		return propBackgroundClip
	case "mask", "mask-image", "-webkit-mask", "-webkit-mask-image":
		return propMask
	case "filter", "-webkit-filter":
		return propFilter
	}
	return propNone
}

// expand appends a declaration; shorthands are expanded to their longhands.
func expand(out []decl, d decl) []decl {
	set := func(p property, value string) {
		d.prop, d.value = p, value
		out = append(out, d)
	}
	switch d.prop {
	case propInset, propMargin:
		sides, v := sidesOf(d)
		for i, p := range sides {
			if p != propNone {
				set(p, v[i])
			}
		}
	case propFlex:
		// The first number is how the element grows (Flexible Box Layout, section 7.1).
		grow, _, _ := strings.Cut(d.value, " ")
		switch grow {
		case "auto":
			grow = "1"
		case "none", "initial":
			grow = "0"
		}
		set(propFlexGrow, grow)
	case propFont:
		v := plain(d.value)
		if strings.Contains(v, "var(") {
			return out
		}
		for part := range strings.FieldsSeq(v) {
			part, _, _ = strings.Cut(part, "/")
			if _, ok := pixels(part); ok {
				set(propFontSize, part)
				break
			}
		}
	case propBackground:
		// With an image, the background colour is unknown, whichever of the two
		// properties sets the image.
		value := d.value
		out = append(out, d)
		if strings.IndexByte(value, '(') >= 0 && isPicture(plain(value)) {
			set(propBackgroundImage, value)
			if strings.HasSuffix(value, " text") {
				set(propBackgroundClip, "text")
			}
		}
	default:
		out = append(out, d)
	}
	return out
}

// sidesOf expands inset or margin: the properties of the four sides, propNone for
// those that do not matter, and their values.
func sidesOf(d decl) (sides [4]property, values [4]string) {
	sides = [4]property{propTop, propRight, propBottom, propLeft}
	if d.prop == propMargin {
		sides = [4]property{propMarginTop, propNone, propNone, propMarginLeft}
	}
	var v [4]string
	n := 0
	for part := range strings.FieldsSeq(d.value) {
		if n < 4 {
			v[n] = part
		}
		n++
	}
	if strings.IndexByte(d.value, '(') >= 0 {
		n = 1 // a function can contain spaces
		v[0] = d.value
	}
	from := [4]int{0, 1, 2, 3}
	switch n {
	case 1:
		from = [4]int{}
	case 2:
		from = [4]int{0, 1, 0, 1}
	case 3:
		from = [4]int{0, 1, 2, 1}
	}
	for i := range values {
		values[i] = v[from[i]]
	}
	return sides, values
}

func isPicture(v string) bool {
	return strings.Contains(v, "url(") || strings.Contains(v, "gradient(") || strings.Contains(v, "image(") || strings.Contains(v, "image-set(")
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
	if strings.IndexByte(v, '(') >= 0 && strings.Contains(v, "var(") {
		return s.varMayHide(p, v, depth)
	}
	if strings.Contains(v, "calc(") || strings.Contains(v, "min(") || strings.Contains(v, "clamp(") {
		v = reckon(v)
	}
	switch p {
	case propDisplay:
		return v == "none"
	case propVisibility:
		return v == "hidden" || v == "collapse"
	case propOpacity:
		n, ok := cssNumber(v)
		return ok && n <= invisible
	case propContentVisibility:
		return v == "hidden"
	case propZoom:
		n, ok := cssNumber(v)
		return ok && n <= invisible
	case propTransform, propScale, propRotate, propTranslate:
		return v != "none" && collapses(p, v)
	case propWidth, propHeight, propMaxWidth, propMaxHeight:
		n, ok := pixels(v)
		return ok && n <= 1
	case propLeft, propRight, propTop, propBottom, propMarginLeft, propMarginTop, propTextIndent:
		return farAway(v)
	case propClip:
		return zeroRect(v)
	case propClipPath:
		return clipsAll(v)
	case propFontSize:
		n, ok := pixels(v)
		return ok && n < 2
	case propColor, propFill:
		c, ok := parseColor(v)
		return ok && (c.clear || near(c, white) || s.backs.has(c))
	case propBackground:
		c, ok := parseColor(v)
		return ok && !c.clear && (near(c, black) || s.fores.has(c))
	case propMask:
		return masksAll(v)
	case propFilter:
		return filtersAll(v)
	}
	return false
}

// varMayHide is mayHide for a value with var(): it tries all values that rules give
// to its custom properties.
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
	may := s.varMayHideAnew(p, v, depth)
	s.varUses[key] = may
	return may
}

// varUse is a value with var() for a property.
type varUse struct {
	prop  property
	value string
}

func (s *Sheets) varMayHideAnew(p property, v string, depth int) bool {
	args, ok := call(v, "var")
	if !ok {
		return true // fallbacks with brackets of their own
	}
	name, fallback, has := strings.Cut(args, ",")
	if has && s.mayHide(p, strings.TrimSpace(fallback), depth+1) {
		return true
	}
	whole := strings.HasPrefix(v, "var(") && strings.HasSuffix(v, ")")
	for _, value := range s.vars[strings.TrimSpace(name)] {
		if !whole {
			value = strings.Replace(v, "var("+args+")", value, 1)
		}
		if s.mayHide(p, strings.TrimSpace(value), depth+1) {
			return true
		}
	}
	return false
}

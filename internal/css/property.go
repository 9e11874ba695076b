package css

import "strings"

// property is a property that can hide text, or that decides whether another one does.
type property uint8

const (
	propDisplay property = iota
	propContentVisibility
	propVisibility
	propOpacity
	propFilter
	propFontSize
	propWidth
	propHeight
	propMaxWidth
	propMaxHeight
	propMinWidth
	propPadding
	propFlex
	propFloat
	propOverflowX
	propOverflowY
	propPosition
	propLeft
	propTop
	propRight
	propBottom
	propMarginLeft
	propTextIndent
	propWhiteSpace
	propClip
	propClipPath
	propTransform
	propScale
	propTranslate
	propColor
	propTextFill
	propBackground
	propBackgroundImage
	propBackgroundClip
	propTextShadow
	propZIndex
	propAnimation
	propOverflow
	propInset
	propMargin
	propMarginInline
	propFont
	propPart // not a property: ::before or ::after paint a background
	properties
)

// propertyNames are the names in the order of the constants.
const propertyNames = `display content-visibility visibility opacity filter font-size width height max-width max-height
	min-width padding flex float overflow-x overflow-y position left top right bottom margin-left text-indent white-space
	clip clip-path transform scale translate color -webkit-text-fill-color background background-image background-clip
	text-shadow z-index animation overflow inset margin margin-inline font`

// known has properties by name. Declarations of others are dropped.
var known = func() map[string]property {
	byName := map[string]property{}
	for i, name := range strings.Fields(propertyNames) {
		byName[name] = property(i)
	}
	for name, same := range aliases {
		byName[name] = byName[same]
	}
	return byName
}()

// set is a set of properties.
type set uint64

func setOf(list ...property) (s set) {
	for _, p := range list {
		s |= 1 << p
	}
	return s
}

func (s set) has(p property) bool { return s>>p&1 == 1 }

// aliases are properties that count as another one.
var aliases = map[string]string{
	"inline-size": "width", "block-size": "height", "max-inline-size": "max-width", "max-block-size": "max-height",
	"min-height": "min-width", "min-inline-size": "min-width", "min-block-size": "min-width", "flex-grow": "flex",
	"padding-top": "padding", "padding-bottom": "padding", "padding-left": "padding", "padding-right": "padding",
	"padding-block": "padding", "padding-inline": "padding", "inset-inline-start": "left", "inset-block-start": "top",
	"margin-inline-start": "margin-left", "-webkit-transform": "transform", "-webkit-clip-path": "clip-path",
	"background-color": "background", "-webkit-background-clip": "background-clip", "-webkit-text-stroke": "text-shadow",
	"-webkit-text-stroke-width": "text-shadow", "animation-name": "animation", "-webkit-animation": "animation",
}

// declaration is a value of a property.
type declaration struct {
	prop      property
	important bool
	value     string // in lower case
}

// declare adds a declaration such as "margin: 0 -9999px" to those of a rule, as far as its
// property is listed. A shorthand is divided into what it sets.
func (s *Sheets) declare(out []declaration, text string) []declaration {
	name, value, ok := strings.Cut(text, ":")
	if !ok || s.decls >= maxDeclarations {
		s.cut = s.cut || ok
		return out
	}
	name = strings.ToLower(unescape(strings.TrimSpace(name)))
	prop, ok := known[name]
	if !ok {
		return out
	}
	d := declaration{prop: prop}
	value = strings.TrimSpace(value[:min(len(value), maxValue)])
	if i := strings.LastIndexByte(value, '!'); i >= 0 && strings.EqualFold(strings.TrimSpace(value[i+1:]), "important") {
		value, d.important = strings.TrimSpace(value[:i]), true
	}
	d.value = strings.ToLower(unescape(value))
	parts := fields(d.value)
	if len(parts) == 0 {
		return out
	}
	s.decls++
	add := func(p property, value string) {
		out = append(out, declaration{p, d.important, value})
	}
	switch prop {
	case propOverflow:
		add(propOverflowX, parts[0])
		add(propOverflowY, parts[len(parts)-1])
	case propInset:
		add(propTop, parts[0])
		add(propLeft, parts[sideLeft[min(len(parts), 4)]])
	case propMargin:
		add(propMarginLeft, parts[sideLeft[min(len(parts), 4)]])
	case propMarginInline:
		add(propMarginLeft, parts[0])
	case propFont:
		for _, part := range parts {
			if size, _, _ := strings.Cut(part, "/"); isUpTo(size, farAway, rootFontSize) {
				add(propFontSize, size)
				break
			}
		}
	default:
		out = append(out, d)
	}
	return out
}

// sideLeft is which of one to four values is that of the left side.
var sideLeft = [...]int{0, 0, 1, 1, 3}

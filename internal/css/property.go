package css

import "strings"

// property is a property that can hide text, or that decides whether another one does.
type property uint8

const (
	propNone property = iota
	propDisplay
	propContentVisibility
	propVisibility
	propOpacity
	propFilter
	propFontSize
	propWidth
	propHeight
	propMaxWidth
	propMaxHeight
	propMinimum // of the width or height
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
	propIndent
	propWhiteSpace
	propClip
	propClipPath
	propTransform
	propScale
	propTranslate
	propColor
	propFill
	propGround
	propImage
	propGroundClip
	propShadow
	propZIndex
	propAnimation
	numProperties
)

// properties are the properties by name. Those that are not listed hide nothing here.
var properties = map[string]property{
	"display": propDisplay, "content-visibility": propContentVisibility, "visibility": propVisibility,
	"opacity": propOpacity, "filter": propFilter, "font-size": propFontSize, "font": propFontSize,
	"width": propWidth, "inline-size": propWidth, "height": propHeight, "block-size": propHeight,
	"max-width": propMaxWidth, "max-inline-size": propMaxWidth, "max-height": propMaxHeight, "max-block-size": propMaxHeight,
	"min-width": propMinimum, "min-height": propMinimum, "min-inline-size": propMinimum, "min-block-size": propMinimum,
	"padding": propPadding, "padding-top": propPadding, "padding-bottom": propPadding, "padding-left": propPadding, "padding-right": propPadding,
	"padding-block": propPadding, "padding-inline": propPadding,
	"flex": propFlex, "flex-grow": propFlex, "float": propFloat,
	"overflow": propOverflowX, "overflow-x": propOverflowX, "overflow-y": propOverflowY,
	"position": propPosition, "left": propLeft, "inset-inline-start": propLeft, "top": propTop, "inset-block-start": propTop,
	"right": propRight, "bottom": propBottom, "inset": propTop,
	"margin": propMarginLeft, "margin-left": propMarginLeft, "margin-inline-start": propMarginLeft, "margin-inline": propMarginLeft,
	"text-indent": propIndent, "white-space": propWhiteSpace, "clip": propClip, "clip-path": propClipPath, "-webkit-clip-path": propClipPath,
	"transform": propTransform, "-webkit-transform": propTransform, "scale": propScale, "translate": propTranslate,
	"color": propColor, "-webkit-text-fill-color": propFill,
	"background": propGround, "background-color": propGround, "background-image": propImage,
	"background-clip": propGroundClip, "-webkit-background-clip": propGroundClip,
	"text-shadow": propShadow, "-webkit-text-stroke": propShadow, "-webkit-text-stroke-width": propShadow, "z-index": propZIndex,
	"animation": propAnimation, "animation-name": propAnimation, "-webkit-animation": propAnimation, "-webkit-animation-name": propAnimation,
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
	d := declaration{prop: properties[name]}
	if d.prop == propNone {
		return out
	}
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
	switch name {
	case "overflow":
		add(propOverflowX, parts[0])
		add(propOverflowY, parts[len(parts)-1])
	case "inset":
		add(propTop, parts[0])
		add(propLeft, parts[sideLeft[min(len(parts), 4)]])
	case "margin":
		add(propMarginLeft, parts[sideLeft[min(len(parts), 4)]])
	case "margin-inline":
		add(propMarginLeft, parts[0])
	case "font":
		for _, part := range parts {
			if size, _, _ := strings.Cut(part, "/"); isUpTo(size, farAway, rootFontSize) {
				add(propFontSize, size)
				break
			}
		}
	default:
		out = append(out, d)
	}
	if ground := groundColor(d.value); d.prop == propGround && ground.known && len(s.grounds) < maxGrounds {
		s.grounds = append(s.grounds, ground)
	}
	return out
}

// sideLeft is which of one to four values is that of the left side.
var sideLeft = [...]int{0, 0, 1, 1, 3}

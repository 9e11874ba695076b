package css

import "strings"

// known are the properties that can hide text, or that decide whether another one does. Others
// are dropped.
var known = setOf(`display content-visibility visibility opacity filter font-size width height max-width max-height
	min-width padding flex float overflow-x overflow-y position left top right bottom margin-left text-indent white-space
	clip clip-path transform scale translate color -webkit-text-fill-color background background-image background-clip
	text-shadow z-index animation overflow inset margin margin-inline font`)

func setOf(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

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
	prop      string
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
	d := declaration{prop: name}
	if same, ok := aliases[name]; ok {
		d.prop = same
	} else if !known[name] {
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
	add := func(p, value string) {
		out = append(out, declaration{p, d.important, value})
	}
	switch name {
	case "overflow":
		add("overflow-x", parts[0])
		add("overflow-y", parts[len(parts)-1])
	case "inset":
		add("top", parts[0])
		add("left", parts[sideLeft[min(len(parts), 4)]])
	case "margin":
		add("margin-left", parts[sideLeft[min(len(parts), 4)]])
	case "margin-inline":
		add("margin-left", parts[0])
	case "font":
		for _, part := range parts {
			if size, _, _ := strings.Cut(part, "/"); isUpTo(size, farAway, rootFontSize) {
				add("font-size", size)
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

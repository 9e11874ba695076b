package css

import (
	"strings"

	"golang.org/x/net/html"
)

// hints sets what the browser's own sheet and the attributes of an element say of
// colours (HTML, section 15).
func hints(vals *values, n *html.Node) {
	switch n.Data {
	case "a":
		if hasAttr(n, "href") {
			vals.hint(propColor, "linktext")
			if vals.view != nil && vals.view.link != "" {
				vals.hintColor(propColor, vals.view.link)
			}
		}
	case "mark":
		vals.hint(propColor, "black")
		vals.hint(propBackground, "yellow")
	case "button":
		vals.hint(propColor, "black")
		vals.hint(propBackground, "buttonface")
	case "input", "textarea", "select":
		vals.hint(propBackground, "field")
	case "dialog":
		vals.hint(propBackground, "canvas")
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		switch p := hintOf(a.Key, n.Data); p {
		case propNone:
		case propBackgroundImage:
			vals.hint(p, "url()")
		case propFontSize:
			vals.hint(p, strings.ToLower(strings.TrimSpace(a.Val)))
		default:
			vals.hintColor(p, a.Val)
		}
	}
}

// hintColor is hint for a colour of an attribute, which may have no "#".
func (v *values) hintColor(p property, value string) { v.hint(p, attributeColor(value)) }

func attributeColor(value string) string {
	value = strings.ToLower(strings.TrimSpace(value))
	if _, ok := parseColor(value); !ok && value != "" && value[0] != '#' {
		value = "#" + value
	}
	return value
}

// hint sets a value that every rule of the page replaces.
func (v *values) hint(p property, value string) {
	v.mask |= p.bit()
	v.cells[p] = cell{value: value, rule: Attribute, gen: v.gen}
}

// hintOf returns the property that an attribute of an element sets, or propNone.
func hintOf(attr, tag string) property {
	switch attr {
	case "bgcolor":
		return propBackground
	case "mathcolor":
		return propColor
	case "mathsize":
		return propFontSize
	case "color":
		if tag == "font" {
			return propColor
		}
	case "text":
		if tag == "body" {
			return propColor
		}
	case "background":
		if tag == "body" || tag == "table" || tag == "td" {
			return propBackgroundImage
		}
	}
	return propNone
}

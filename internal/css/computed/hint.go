package computed

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
		vals.own("black", "yellow", "", "")
	case "button":
		vals.own("buttontext", "buttonface", "small", "")
	case "input", "textarea", "select":
		vals.own("fieldtext", "field", "small", "")
	case "dialog":
		vals.own("canvastext", "canvas", "", "")
	case "table":
		if vals.own("", "", "", "0"); vals.s.Quirks {
			vals.own(bodyText, "", "medium", "")
		}
	case "iframe": // another document
		vals.own("canvastext", "", "medium", "0")
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key == "popover" {
			vals.own("canvastext", "canvas", "", "")
		}
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

// bodyText stands for the colour of the text of body, where it is a hint: no attribute has it.
const bodyText = "body"

// own sets the colours, the size and the indentation that the browser's own sheet gives to text,
// as far as they are not "".
func (v *values) own(color, back, size, indent string) {
	for i, value := range [...]string{color, back, size, indent} {
		if value != "" {
			v.hint([...]property{propColor, propBackground, propFontSize, propTextIndent}[i], value)
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

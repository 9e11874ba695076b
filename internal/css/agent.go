package css

import (
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// userAgentSheet is what browsers hide and paint by themselves (HTML, section 15; MathML Core,
// section A), and the established class names of text for screen readers, whose sheet is often
// a linked one.
const userAgentSheet = `
[hidden], dialog:not([open]), [popover], datalist, rp, noembed, noframes, input[type=hidden i] { display: none }
annotation-xml, maction > * + *, mphantom { display: none }
.sr-only, .visually-hidden, .visuallyhidden, .screen-reader-text, .screen-reader-only, .u-visually-hidden
	{ position: absolute; clip: rect(0, 0, 0, 0) }
a[href] { color: #0000ee }
mark { color: #000; background-color: #ff0 }
button, input, select, textarea { color: #000; background: url(field); font-size: 13px; text-indent: 0 }
dialog, [popover] { color: #000; background: #fff }
table { text-indent: 0 }
`

// userAgent has the rules of userAgentSheet, compiled, so that pages can share them.
var userAgent = sync.OnceValue(func() *index {
	s := &Sheets{}
	s.Add(userAgentSheet, "", 0)
	for i := range s.rules {
		s.rules[i].agent = true
	}
	return s.indexOf(&index{attrs: map[string]bool{}})
})

// hint returns what an attribute of an element sets like a style, e.g. bgcolor=black; nil for
// nothing.
func (s *Sheets) hint(n *html.Node, a *html.Attribute) *rule {
	property := ""
	switch {
	case a.Key == "bgcolor":
		property = "background:"
	case a.Key == "color" && n.Data == "font", a.Key == "text" && n.Data == "body":
		property = "color:"
	case a.Key == "background":
		return s.styleAttribute("background:url()")
	default:
		return nil
	}
	value := strings.ToLower(strings.TrimSpace(a.Val))
	if !parseColor(value).known {
		value = "#" + strings.TrimPrefix(value, "#")
	}
	return s.styleAttribute(property + value)
}

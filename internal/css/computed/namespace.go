package computed

import (
	"strings"

	"golang.org/x/net/html"
)

// space is an XML namespace that elements of a page can be of (CSS Namespaces Module
// Level 3).
type space uint8

const (
	anySpace space = iota
	htmlSpace
	svgSpace
	mathSpace
	otherSpace // no element of an HTML document is of it
)

// namespace reads an @namespace: a prefix, which may be missing, and an address.
func (p *parser) namespace(prelude string) {
	prefix := ""
	if fields := strings.Fields(prelude); len(fields) == 2 {
		prefix, prelude = fields[0], fields[1]
	}
	address, _ := cutRef(prelude)
	is := otherSpace
	switch address {
	case "http://www.w3.org/1999/xhtml":
		is = htmlSpace
	case "http://www.w3.org/2000/svg":
		is = svgSpace
	case "http://www.w3.org/1998/Math/MathML":
		is = mathSpace
	}
	if p.spaces == nil {
		p.spaces = map[string]space{}
	}
	if len(p.spaces) < maxLayers {
		p.spaces[prefix] = is
	}
}

// barSet ends the prefix of a name.
var barSet = asciiSet("|")

// spaceOf returns the namespace that the elements of a selector are of; anySpace if it names
// several. It is false for a prefix that no @namespace declares: browsers drop the rule.
func (p *parser) spaceOf(selector string) (is space, ok bool) {
	if strings.IndexByte(selector, '|') < 0 {
		return p.spaces[""], true
	}
	is = p.spaces[""]
	for bar, first := 0, true; ; bar, first = bar+1, false {
		if bar = nextTop(selector, bar, &barSet); bar == len(selector) {
			return is, true
		}
		if strings.HasPrefix(selector[bar:], "||") {
			return anySpace, true
		}
		start := bar
		for start > 0 && isName(selector[start-1]) {
			start--
		}
		one, known := p.spaces[selector[start:bar]]
		switch {
		case start > 0 && selector[start-1] == '*':
			one = anySpace
		case start == bar:
			one = otherSpace
		case !known:
			return anySpace, false
		}
		if !first && one != is {
			return anySpace, true
		}
		is = one
	}
}

func spaceOfElement(n *html.Node) space {
	switch n.Namespace {
	case "svg":
		return svgSpace
	case "math":
		return mathSpace
	}
	return htmlSpace
}

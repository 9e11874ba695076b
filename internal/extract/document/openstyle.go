package document

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file resolves the styles of an OpenDocument file as far as they decide
// what is a title, what is a list and what is not seen: OpenDocument 1.3, part
// 3, section 16.

// openLook is how text looks. The zero value is usual text.
type openLook struct {
	title, none, clear bool
	bold, italic       bool
	struck, quote      bool
	above, below       bool    // the line, as superscript and subscript
	auto               bool    // the colour is the usual one, whatever else is said
	colour, ground     string  // six hexadecimal digits, or ""
	size               float64 // points; 0: the usual size
	part               float64 // of the size that is shown, in width or height; 0: all
	apart              float64 // points that are added between letters
	low, beside        bool    // the lines have no height; the paragraph stands beside the page
}

// hidden is how text of this look is hidden, or "".
func (l openLook) hidden() page.OmissionKind {
	ground := l.ground
	if ground == "" {
		ground = "FFFFFF"
	}
	switch {
	case l.none:
		return page.HiddenDisplay
	case l.size > 0 && l.size <= tinyHalfPoints/2, l.part > 0 && l.part <= tinyScale/100., l.low, l.lieTogether():
		return page.HiddenSize
	case l.beside:
		return page.HiddenOffScreen
	case l.auto: // office programs write an opacity of 0% beside it, and show the text
		return ""
	case l.clear:
		return page.HiddenOpacity
	case sameColour(l.colour, ground):
		return page.HiddenColor
	}
	return ""
}

// usualPoints is the size of text that states none.
const usualPoints = 12

// lieTogether reports whether letters lie over each other.
func (l openLook) lieTogether() bool {
	size := l.size
	if size == 0 {
		size = usualPoints
	}
	return -l.apart >= .9*size
}

type openStyles struct {
	byName        map[string]*node // styles by family and name
	lists         map[string]*node
	outline       *node
	masters       map[string]string // the styles of slides by the names of their masters
	width, height float64           // of slides, in points; 0: not known
}

func readOpenStyles(shared, content *node) *openStyles {
	s := &openStyles{byName: map[string]*node{}, lists: map[string]*node{}, masters: map[string]string{}}
	for _, n := range shared.find("default-style") {
		s.byName[n.attr("family")+" "] = n
	}
	for _, t := range []*node{shared, content} {
		for _, n := range t.find("style") {
			if n.attr("name") != "" {
				s.byName[n.attr("family")+" "+n.attr("name")] = n
			}
		}
		for _, n := range t.find("list-style") {
			s.lists[n.attr("name")] = n
		}
	}
	for _, n := range shared.find("master-page") {
		s.masters[n.attr("name")] = n.attr("style-name")
	}
	s.outline = shared.first("outline-style")
	if p := shared.first("page-layout-properties"); p != nil {
		s.width, s.height = points(p.attr("page-width")), points(p.attr("page-height"))
	}
	return s
}

// chain returns a style and those that it inherits from, the most general
// first.
func (s *openStyles) chain(family, name string) []*node {
	var out []*node
	for range maxStyleDepth {
		n := s.byName[family+" "+name]
		if n == nil {
			break
		}
		out = append([]*node{n}, out...)
		if name == "" { // the default of the family
			break
		}
		name = n.attr("parent-style-name")
	}
	return out
}

// look changes a look by a style.
func (s *openStyles) look(family, name string, l openLook) openLook {
	for _, n := range s.chain(family, name) {
		if family == "paragraph" && n.attr("name") == "Title" {
			l.title = true
		}
		l.quote = l.quote || family == "paragraph" && n.attr("name") == "Quotations"
		l = l.placed(n.child("paragraph-properties"))
		l.set("background-color", n.child("paragraph-properties").attr("background-color"), false)
		p := n.child("text-properties")
		if p == nil {
			continue
		}
		if p.attr("color") != "" {
			l.auto = false
		}
		for _, a := range p.attrs {
			l.set(a.Name.Local, a.Value, family == "text")
		}
	}
	return l
}

// set changes a look by a property of text; weight, posture and position count in
// styles of text only.
func (l *openLook) set(name, v string, ofText bool) {
	switch name {
	case "display":
		l.none = v == "none"
	case "color":
		l.colour = colourValue(v)
	case "use-window-font-color":
		l.auto = v == "true"
	case "background-color":
		if c := colourValue(v); c != "" { // otherwise it is transparent
			l.ground = c
		}
	case "font-size":
		if !strings.HasSuffix(v, "%") {
			l.size = points(v)
		} else if n, ok := percent(v); ok {
			if l.size == 0 {
				l.size = usualPoints
			}
			l.size *= n
		}
	case "text-scale":
		l.part, _ = percent(v)
	case "letter-spacing":
		l.apart = points(v)
	case "opacity":
		n, err := strconv.Atoi(strings.TrimSuffix(v, "%"))
		l.clear = err == nil && n <= 2
	case "font-weight":
		l.bold = v == "bold" && ofText
	case "font-style":
		l.italic = v == "italic" && ofText
	case "text-line-through-style", "text-line-through-type":
		l.struck = v != "none" && ofText
	case "text-position": // "super", "sub" or a percentage, and then the size
		at, size, _ := strings.Cut(v, " ")
		l.part, _ = percent(size)
		n, _ := strconv.ParseFloat(strings.TrimSuffix(at, "%"), 64)
		l.above, l.below = ofText && (at == "super" || n > 0), ofText && (at == "sub" || n < 0)
	}
}

// percent is a percentage, 1 for 100 %.
func percent(v string) (float64, bool) {
	digits, ok := strings.CutSuffix(strings.TrimSpace(v), "%")
	n, err := strconv.ParseFloat(digits, 64)
	return n / 100, ok && err == nil
}

// placed is a look in a paragraph of a style with these properties.
func (l openLook) placed(props *node) openLook {
	if v := props.attr("line-height"); v != "" && !strings.HasSuffix(v, "%") {
		l.low = points(v) > 0 && points(v) <= tinyTwips/20
	}
	for _, side := range [...]string{"margin-left", "margin-right"} {
		if points(props.attr(side)) <= -pageTwips/20 {
			l.beside = true
		}
	}
	return l
}

// ground is the background of a style of a family; "" where it has none.
func (s *openStyles) ground(family, name string) string {
	ground := ""
	for _, n := range s.chain(family, name) {
		if c := colourValue(n.child(family + "-properties").attr("background-color")); c != "" {
			ground = c
		}
	}
	return ground
}

// fill is what a frame or a shape is filled with; unknownColour where it is not one colour, or
// nothing.
func (s *openStyles) fill(shape *node) string {
	if shape.name == "text-box" {
		return "" // that of its frame
	}
	out := unknownColour
	for _, a := range shape.attrs {
		if a.Name.Local != "style-name" {
			continue
		}
		for _, family := range [...]string{"graphic", "presentation"} {
			for _, n := range s.chain(family, a.Value) {
				p := n.child("graphic-properties")
				if c := painted(p, "fill", "fill-color"); c != "" {
					out = c
				} else if c := colourValue(p.attr("background-color")); c != "" {
					out = c
				}
			}
		}
	}
	return out
}

// painted is the colour of a fill: unknownColour for others and for none, "" where nothing is said.
func painted(p *node, kind, colour string) string {
	if o := p.attr("opacity"); o != "" && o != "100%" {
		return unknownColour
	}
	switch c := colourValue(p.attr(colour)); {
	case p.attr(kind) == "solid" && c != "":
		return c
	case p.attr(kind) != "", c != "":
		return unknownColour
	}
	return ""
}

// paper is the colour of a slide: its own, or that of its master; "" for white.
func (s *openStyles) paper(slide *node) string {
	out := ""
	for _, name := range []string{s.masters[slide.attr("master-page-name")], slide.attr("style-name")} {
		for _, n := range s.chain("drawing-page", name) {
			p := n.child("drawing-page-properties")
			switch {
			case p.attr("fill") == "none":
				out = ""
			case painted(p, "fill", "fill-color") != "":
				out = painted(p, "fill", "fill-color")
			}
		}
	}
	return out
}

// colourValue is a colour such as #ff0000 in six digits; "" for others.
func colourValue(v string) string {
	if len(v) == 7 && v[0] == '#' {
		return v[1:]
	}
	return ""
}

// points is a length in points; 0 where it is none.
func points(v string) float64 {
	digits := strings.TrimRight(v, "abcdefghijklmnopqrstuvwxyz")
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0
	}
	switch v[len(digits):] {
	case "cm":
		return n * 72 / 2.54
	case "mm":
		return n * 72 / 25.4
	case "in":
		return n * 72
	case "px":
		return n * .75
	}
	return n
}

// hiddenPage reports whether slides of a style are not shown.
func (s *openStyles) hiddenPage(name string) bool {
	for _, n := range s.chain("drawing-page", name) {
		if n.child("drawing-page-properties").attr("visibility") == "hidden" {
			return true
		}
	}
	return false
}

// hiddenTable reports whether a sheet of a style is not shown.
func (s *openStyles) hiddenTable(name string) bool {
	for _, n := range s.chain("table", name) {
		if n.child("table-properties").attr("display") == "false" {
			return true
		}
	}
	return false
}

// flat reports whether rows or columns of a style have no height or width.
func (s *openStyles) flat(family, properties, attribute, name string) bool {
	for _, n := range s.chain(family, name) {
		if v := n.child(properties).attr(attribute); v != "" && points(v) == 0 && strings.HasPrefix(v, "0") {
			return true
		}
	}
	return false
}

// beside reports whether a shape stands beside its slide.
func (s *openStyles) beside(n *node) bool {
	if n.attr("x") == "" || n.attr("y") == "" {
		return false
	}
	x, y, w, h := points(n.attr("x")), points(n.attr("y")), points(n.attr("width")), points(n.attr("height"))
	return s.width > 0 && x >= s.width || s.height > 0 && y >= s.height || w > 0 && x+w <= 0 || h > 0 && y+h <= 0
}

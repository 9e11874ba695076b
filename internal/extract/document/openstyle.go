package document

import "strings"

// This file resolves the styles of an OpenDocument file (OpenDocument 1.3,
// part 3, section 16) as far as they decide what is a title, a quotation,
// code, emphasized or hidden.

// openLook is what the styles of a text say. The zero value is usual text.
type openLook struct {
	title, quote         bool
	code                 bool // the style is one of code
	mono                 bool // the font is monospaced
	none                 bool // it is hidden
	bold, italic, struck bool
	above, below         bool // the line, as superscript and subscript
}

type openStyles struct {
	byName  map[string]*node // by family and name; the default of a family has the name ""
	lists   map[string]*node
	outline *node
}

func readOpenStyles(shared, content *node) *openStyles {
	s := &openStyles{byName: map[string]*node{}, lists: map[string]*node{}, outline: shared.first("outline-style")}
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

// property is a property of a style of a family; "" where none has it.
func (s *openStyles) property(family, name, property string) (value string) {
	for _, n := range s.chain(family, name) {
		if v := n.child(family + "-properties").attr(property); v != "" {
			value = v
		}
	}
	return value
}

// look changes a look by a style.
func (s *openStyles) look(family, name string, l openLook) openLook {
	if family == "paragraph" {
		l.named(name) // which may be in no list of styles
	}
	for _, n := range s.chain(family, name) {
		if family == "paragraph" {
			l.named(n.attr("name"))
		}
		for _, a := range n.child("text-properties").attributes() {
			l.set(a.Name.Local, a.Value, family == "text")
		}
	}
	return l
}

// named changes a look by the name of a paragraph style, in which "_20_" is a
// space.
func (l *openLook) named(style string) {
	switch name := strings.ToLower(strings.ReplaceAll(style, "_20_", " ")); {
	case name == "title":
		l.title = true
	case name == "quotations":
		l.quote = true
	case isCodeStyle(name):
		l.code = true
	}
}

// set changes a look by a property of text; weight, posture and position count
// in styles of text only.
func (l *openLook) set(name, v string, ofText bool) {
	switch name {
	case "display":
		l.none = v == "none"
	case "font-name", "font-family":
		l.mono = isMonospaced(v)
	case "font-weight":
		l.bold = v == "bold" && ofText
	case "font-style":
		l.italic = v == "italic" && ofText
	case "text-line-through-style", "text-line-through-type":
		l.struck = v != "none" && ofText
	case "text-position": // "super", "sub" or a percentage, and then the size
		at, _, _ := strings.Cut(v, " ")
		low := strings.HasPrefix(at, "sub") || strings.HasPrefix(at, "-")
		l.above, l.below = ofText && !low && at != "0%", ofText && low
	}
}

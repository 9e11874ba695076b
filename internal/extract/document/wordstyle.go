package document

import (
	"strconv"
	"strings"
)

// This file resolves the styles of a docx file (ECMA-376, part 1, section
// 17.7) as far as they decide what is a heading, a quotation, code, numbered or
// hidden. A style inherits from the one that it is based on.

// wordLook is what the styles of a text say. The zero value is usual text.
type wordLook struct {
	level  int // of a heading; 0 for none
	quote  bool
	code   bool // the style is one of code
	mono   bool // the font is monospaced
	vanish bool
}

type wordStyles struct {
	byID  map[string]*node
	usual string // the default paragraph style
	mono  bool   // the usual font is monospaced
	looks map[string]wordLook
}

func readWordStyles(t *node) *wordStyles {
	s := &wordStyles{byID: map[string]*node{}, looks: map[string]wordLook{}}
	for _, n := range t.find("style") {
		if id := n.attr("styleId"); id != "" {
			s.byID[id] = n
			if n.attr("type") == "paragraph" && isTrue(n.attr("default")) {
				s.usual = id
			}
		}
	}
	fonts := overlay(wordLook{}, t.first("docDefaults").child("rPrDefault").child("rPr"))
	for _, n := range s.chain(s.usual) {
		fonts = overlay(fonts, n.child("rPr"))
	}
	s.mono = fonts.mono
	return s
}

// chain returns a style and those that it is based on, the most general first.
func (s *wordStyles) chain(id string) []*node {
	var out []*node
	for range maxStyleDepth {
		n := s.byID[id]
		if n == nil {
			break
		}
		out = append([]*node{n}, out...)
		id = n.child("basedOn").attr("val")
	}
	return out
}

// paragraph is how the runs of a paragraph look, unless they say otherwise.
func (s *wordStyles) paragraph(props *node) wordLook {
	id := props.child("pStyle").attr("val")
	if id == "" {
		id = s.usual
	}
	look, ok := s.looks[id]
	if !ok {
		look.mono = s.mono
		for _, n := range s.chain(id) {
			look = overlay(look, n.child("rPr"))
			switch name := strings.ToLower(n.child("name").attr("val")); {
			case name == "quote", name == "intense quote", name == "block text":
				look.quote = true
			case isCodeStyle(name):
				look.code = true
			}
			if l, ok := styleLevel(n); ok {
				look.level = l
			}
		}
		s.looks[id] = look
	}
	if l, ok := outlineLevel(props); ok && look.level == 0 {
		look.level = l
	}
	return look
}

// isCodeStyle reports whether the name of a paragraph style, in lower case, is
// that of code: those of pandoc, Word and LibreOffice.
func isCodeStyle(name string) bool {
	switch name {
	case "source code", "html preformatted", "preformatted text", "code", "code block", "codeblock":
		return true
	}
	return false
}

// run is how a run looks within a paragraph.
func (s *wordStyles) run(props *node, look wordLook) wordLook {
	if id := props.child("rStyle").attr("val"); id != "" {
		for _, n := range s.chain(id) {
			look = overlay(look, n.child("rPr"))
		}
	}
	return overlay(look, props)
}

// overlay changes a look by run properties.
func overlay(look wordLook, props *node) wordLook {
	if v := props.child("vanish"); v != nil {
		look.vanish = on(v)
	}
	if font := props.child("rFonts").attr("ascii"); font != "" {
		look.mono = isMonospaced(font)
	}
	return look
}

// isMonospaced reports whether the letters of a font are of equal width, by
// its name.
func isMonospaced(font string) bool {
	font = strings.ToLower(font)
	for _, name := range []string{"mono", "courier", "consolas", "menlo", "monaco", "lucida console", "source code", "fira code", "cascadia code"} {
		if strings.Contains(font, name) {
			return true
		}
	}
	return false
}

// isCode reports whether a paragraph is code: by its style, or because all of
// its text has a monospaced font and the usual text has not.
func (s *wordStyles) isCode(p *node, look wordLook) bool {
	if look.code {
		return true
	}
	some := false
	for _, r := range p.find("r") {
		if strings.TrimSpace(r.child("t").content()) == "" {
			continue
		}
		if s.mono || !s.run(r.child("rPr"), look).mono {
			return false
		}
		some = true
	}
	return some
}

// styleLevel is the heading level of a style, by its name or outline level; ok
// is false where the style says nothing of it.
func styleLevel(s *node) (level int, ok bool) {
	name := strings.ToLower(s.child("name").attr("val"))
	if name == "title" {
		return 1, true
	}
	if rest, ok := strings.CutPrefix(name, "heading "); ok {
		if n, err := strconv.Atoi(rest); err == nil {
			return n, true
		}
	}
	return outlineLevel(s.child("pPr"))
}

// outlineLevel is the heading level in the properties of a paragraph; the
// outline level of body text is 9, which is level 0 here.
func outlineLevel(props *node) (level int, ok bool) {
	n, ok := props.child("outlineLvl").number("val")
	if n >= wordLevels {
		return 0, ok
	}
	return n + 1, ok
}

// wordNumber is the list and the level of a paragraph; an empty list for none.
type wordNumber struct {
	list  string
	level int
	style string // the paragraph style that gives the list; its level follows from it
}

// numbering is the list of a paragraph: its own, or that of its style.
func (s *wordStyles) numbering(props *node) (out wordNumber) {
	own := props.child("numPr")
	level, hasLevel := own.child("ilvl").number("val")
	if own.child("numId") != nil {
		return wordNumber{list: own.child("numId").attr("val"), level: level}
	}
	for _, n := range s.chain(props.child("pStyle").attr("val")) {
		if num := n.child("pPr").child("numPr"); num != nil {
			if v := num.child("numId").attr("val"); v != "" {
				out.list = v
			}
			out.style = n.attr("styleId")
			out.level, _ = num.child("ilvl").number("val")
		}
	}
	if hasLevel {
		if out.level, out.style = level, ""; out.list == "" {
			out.list = unknownList
		}
	}
	return out
}

const unknownList = "?" // of a paragraph that has a level only

package document

import (
	"strconv"
	"strings"
)

// This file resolves the styles of a docx file as far as they decide what is a
// heading, what is numbered and what is not seen: ECMA-376, part 1, section
// 17.7. A style inherits from the one that it is based on.

const (
	tinyHalfPoints = 4  // text of two points or less is not read by a person
	tinyScale      = 5  // percent of the usual width of letters
	usualSize      = 22 // half points
	farHalfPoints  = 300
	unknownColour  = "?"
	unknownList    = "?" // of a paragraph that has a level only
	maxStyleDepth  = 20
)

// wordLook is how text looks. The zero value is usual text.
type wordLook struct {
	level         int // of a heading; 0 for none
	quote         bool
	vanish, clear bool
	web           bool   // hidden in the view of pages on the web; on paper it is seen
	low, beside   bool   // the lines have no height; the paragraph stands beside the page
	far           bool   // the letters are raised or lowered so far that they may be beside the page
	edged         bool   // letters have edges or shadows of another colour
	colour        string // six hexadecimal digits; "auto" or "" for the usual one
	size          int    // half points; 0: the usual size
	scale         int    // percent of the width; 0: the usual width
	apart         int    // twips that are added between letters
	shade, mark   string // the colour behind a paragraph or run, and of a highlighter
	theme         palette
}

// drawnIn reports whether text has the colour of what is behind it.
func (l wordLook) drawnIn(ground string) bool {
	return len(l.colour) == 6 && sameColour(l.colour, ground)
}

// sameColour reports whether a person cannot distinguish two colours.
func sameColour(a, b string) bool {
	x, err1 := strconv.ParseUint(a, 16, 32)
	y, err2 := strconv.ParseUint(b, 16, 32)
	if err1 != nil || err2 != nil {
		return false
	}
	for shift := 0; shift < 24; shift += 8 {
		if d := int(x>>shift&255) - int(y>>shift&255); d > 10 || d < -10 {
			return false
		}
	}
	return true
}

// wordNumber is the list and the level of a paragraph; an empty list for none.
type wordNumber struct {
	list  string
	level int
	style string // the paragraph style that gives the list; its level follows from it
}

type wordStyles struct {
	byID     map[string]*node
	defaults *node  // run properties of the document
	usual    string // the default paragraph style
	page     string // background of pages
	theme    palette
	looks    map[string]wordLook
	table    wordLook // of the style of the table that is being read
}

func readWordStyles(t *node, background string) *wordStyles {
	s := &wordStyles{byID: map[string]*node{}, page: background, looks: map[string]wordLook{}}
	for _, n := range t.find("style") {
		if n.attr("styleId") == "" {
			continue // nothing can name it
		}
		s.byID[n.attr("styleId")] = n
		if d := n.attr("default"); n.attr("type") == "paragraph" && (d == "1" || d == "true") {
			s.usual = n.attr("styleId")
		}
	}
	s.defaults = t.first("docDefaults").child("rPrDefault").child("rPr")
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
		look = overlay(wordLook{theme: s.theme}, s.defaults)
		for _, n := range s.chain(id) {
			look = overlay(look, n.child("rPr"))
			look = look.placed(n.child("pPr"))
			switch strings.ToLower(n.child("name").attr("val")) {
			case "quote", "intense quote", "block text":
				look.quote = true
			}
			if l := styleLevel(n); l > 0 {
				look.level = l
			} else if o, ok := n.child("pPr").child("outlineLvl").number("val"); ok && o >= 9 {
				look.level = 0
			}
		}
		s.looks[id] = look
	}
	if n, ok := props.child("outlineLvl").number("val"); ok && n < 9 && look.level == 0 {
		look.level = n + 1
	}
	return look.under(s.table).placed(props)
}

// run is how a run looks within a paragraph.
func (s *wordStyles) run(props *node, look wordLook) wordLook {
	if props == nil {
		return look
	}
	if id := props.child("rStyle").attr("val"); id != "" {
		vanish := look.vanish
		look.vanish = false
		for _, n := range s.chain(id) {
			look = overlay(look, n.child("rPr"))
		}
		look.vanish = look.vanish != vanish // two styles undo each other (section 17.7.3)
	}
	return overlay(look, props)
}

// overlay changes a look by run properties.
func overlay(look wordLook, props *node) wordLook {
	if props == nil {
		return look
	}
	for _, c := range props.children {
		switch c.name {
		case "vanish", "specVanish":
			look.vanish = on(c)
		case "webHidden":
			look.web = on(c)
		case "color":
			look.colour = strings.TrimPrefix(c.attr("val"), "#")
			if v := look.theme[schemeName(c.attr("themeColor"))]; v != "" && c.attr("themeShade") == "" && c.attr("themeTint") == "" {
				look.colour = v // whatever val says (section 17.3.2.6)
			}
		case "sz":
			if n, ok := c.number("val"); ok {
				look.size = max(n, 1)
			}
		case "w":
			if n, err := strconv.Atoi(strings.TrimSuffix(c.attr("val"), "%")); err == nil {
				look.scale = max(n, 1)
			}
		case "fitText": // the width of the whole text
			if n, ok := c.number("val"); ok && n > 0 && n <= tinyTwips {
				look.scale = 1
			}
		case "spacing":
			look.apart, _ = c.number("val")
		case "position":
			n, _ := c.number("val")
			look.far = n >= farHalfPoints || n <= -farHalfPoints
		case "shadow", "emboss", "imprint", "glow", "textOutline":
			look.edged = on(c) && c.child("noFill") == nil
		case "shd":
			look.shade = shadeOf(c)
		case "highlight":
			look.mark = highlights[c.attr("val")]
		case "textFill": // of Word 2010
			look.clear = c.child("noFill") != nil || isClear(c.child("solidFill")) || areClear(c.child("gradFill").find("gs"))
			if v := c.child("solidFill").child("srgbClr").attr("val"); v != "" {
				look.colour = v
			}
		}
	}
	return look
}

// schemeName is the name that a theme has for a colour of a document.
func schemeName(name string) string {
	for _, long := range [...]string{"background", "light", "text", "dark"} {
		if n, ok := strings.CutPrefix(name, long); ok {
			return map[bool]string{true: "lt", false: "dk"}[long == "background" || long == "light"] + n
		}
	}
	return name
}

// isClear reports whether a fill of a drawing lets everything through.
func isClear(fill *node) bool {
	a := fill.first("alpha")
	n, err := strconv.Atoi(strings.TrimSuffix(a.attr("val"), "%"))
	if a == nil || err != nil {
		return false
	}
	if a.space == "w14" || strings.HasPrefix(a.space, "http://schemas.microsoft.com/office/word/") {
		return n >= 98_000 // of transparency
	}
	return n <= 2_000 // of opacity
}

// areClear reports whether all stops of a gradient let everything through.
func areClear(stops []*node) bool {
	for _, s := range stops {
		if !isClear(s) {
			return false
		}
	}
	return len(stops) > 0
}

// lieTogether reports whether letters lie over each other.
func (l wordLook) lieTogether() bool {
	size := l.size
	if size == 0 {
		size = usualSize
	}
	return -l.apart >= 9*size // twips, of ten to half a point
}

// highlights are the colours of section 17.18.40.
var highlights = map[string]string{
	"black": "000000", "blue": "0000FF", "cyan": "00FFFF", "darkBlue": "000080", "darkCyan": "008080", "darkGray": "808080",
	"darkGreen": "008000", "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000", "green": "00FF00",
	"lightGray": "C0C0C0", "magenta": "FF00FF", "red": "FF0000", "white": "FFFFFF", "yellow": "FFFF00",
}

// shaded reports whether a table style fills cells: then the colour behind
// their text is not known.
func (s *wordStyles) shaded(id string) bool {
	for _, n := range s.chain(id) {
		for _, shd := range n.find("shd") {
			if f := shd.attr("fill"); f != "" && f != "auto" {
				return true
			}
		}
	}
	return false
}

// numbering is the list of a paragraph: its own, or that of its style.
func (s *wordStyles) numbering(props *node) wordNumber {
	id := props.child("pStyle").attr("val")
	if own := props.child("numPr"); own != nil && own.child("numId") != nil {
		n := wordNumber{list: own.child("numId").attr("val")}
		n.level, _ = own.child("ilvl").number("val")
		return n
	}
	var out wordNumber
	for _, n := range s.chain(id) {
		if num := n.child("pPr").child("numPr"); num != nil {
			if v := num.child("numId").attr("val"); v != "" {
				out.list = v
			}
			out.style = n.attr("styleId")
			out.level, _ = num.child("ilvl").number("val")
		}
	}
	if l, ok := props.child("numPr").child("ilvl").number("val"); ok {
		if out.level, out.style = l, ""; out.list == "" {
			out.list = unknownList
		}
	}
	return out
}

// styleLevel is the heading level of a style, by its name or outline level.
func styleLevel(s *node) int {
	name := strings.ToLower(s.child("name").attr("val"))
	if name == "title" {
		return 1
	}
	if rest, ok := strings.CutPrefix(name, "heading "); ok {
		if n, err := strconv.Atoi(rest); err == nil {
			return n
		}
	}
	if n, ok := s.child("pPr").child("outlineLvl").number("val"); ok && n < 9 && n >= 0 {
		return n + 1
	}
	return 0
}

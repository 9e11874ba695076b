package document

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file finds what a docx file places or sizes so that nobody sees it: ECMA-376, part 1,
// sections 17.3.1, 17.3.5 and 20.4.

const (
	tinyTwips = 40     // two points: nothing fits into lines and rows of this height
	pageTwips = 15_000 // more than the width of a page
	tinyEMU   = 25_400
	pageEMU   = 635 * pageTwips
)

// shadeOf is the colour that a shading paints; unknownColour for patterns.
func shadeOf(shd *node) string {
	switch v := shd.attr("val"); {
	case v == "solid":
		if c := shd.attr("color"); c != "" && c != "auto" {
			return c
		}
		return "000000"
	case strings.HasPrefix(v, "pct"):
		return unknownColour
	}
	return shd.attr("fill")
}

// placed is a look in a paragraph with these properties.
func (l wordLook) placed(props *node) wordLook {
	if shd := props.child("shd"); shd != nil && shadeOf(shd) != "" {
		l.shade = shadeOf(shd)
	}
	if s := props.child("spacing"); s.attr("lineRule") == "exact" {
		n, ok := s.number("line")
		l.low = ok && n <= tinyTwips
	}
	for _, side := range []string{"left", "start", "right", "end"} {
		if n, ok := props.child("ind").number(side); ok && n <= -pageTwips {
			l.beside = true
		}
	}
	for _, side := range []string{"x", "y"} {
		if n, ok := props.child("framePr").number(side); ok && (n <= -pageTwips || n >= 3*pageTwips) {
			l.beside = true
		}
	}
	return l
}

// under is a look with what a table style says where it says nothing.
func (l wordLook) under(table wordLook) wordLook {
	if l.colour == "" {
		l.colour = table.colour
	}
	if l.size == 0 {
		l.size = table.size
	}
	l.vanish = l.vanish || table.vanish
	return l
}

// tableLook is how a table style makes text look.
func (s *wordStyles) tableLook(id string) (look wordLook) {
	look.theme = s.theme
	for _, n := range s.chain(id) {
		look = overlay(look, n.child("rPr"))
	}
	return look
}

// isLowRow reports whether a row of a table has a height into which no text fits.
func isLowRow(tr *node) bool {
	h := tr.child("trPr").child("trHeight")
	n, ok := h.number("val")
	return ok && h.attr("hRule") == "exact" && n <= tinyTwips
}

// unseen is how a drawing or a shape is hidden together with what is in it, or "".
func unseen(drawing *node) page.OmissionKind {
	if isTrue(drawing.child("docPr").attr("hidden")) || drawing.name == "anchor" && isTrue(drawing.attr("hidden")) {
		return page.HiddenDisplay
	}
	extent := drawing.child("extent")
	for _, side := range []string{"cx", "cy"} {
		if n, ok := extent.number(side); ok && n < tinyEMU {
			return page.HiddenSize
		}
	}
	for _, side := range []string{"positionH", "positionV"} {
		at := drawing.child(side).child("posOffset").content()
		if n, err := strconv.ParseInt(strings.TrimSpace(at), 10, 64); err == nil && (n <= -pageEMU || n >= 3*pageEMU) {
			return page.HiddenOffScreen
		}
	}
	return unseenStyle(drawing.attr("style"))
}

// unseenStyle is how the style of a shape hides it, or "": ECMA-376, part 4, section 19.1.2.19.
func unseenStyle(style string) page.OmissionKind {
	fits := strings.Contains(style, "mso-fit-shape-to-text")
	for declaration := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		value = strings.TrimSpace(value)
		n, ok := twips(value)
		switch strings.TrimSpace(name) {
		case "visibility":
			if value == "hidden" {
				return page.HiddenVisibility
			}
		case "width", "height":
			if ok && n < tinyTwips && !fits {
				return page.HiddenSize
			}
		case "left", "top", "margin-left", "margin-top":
			if ok && (n <= -pageTwips || n >= 3*pageTwips) {
				return page.HiddenOffScreen
			}
		}
	}
	return ""
}

// twips reads a length with a unit; false for others, which count in a space of the drawing.
func twips(s string) (float64, bool) {
	if s == "0" {
		return 0, true
	}
	for unit, size := range map[string]float64{"pt": 20, "in": 1440, "cm": 1440 / 2.54, "mm": 144 / 2.54, "px": 15, "pc": 240} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			n, err := strconv.ParseFloat(number, 64)
			return n * size, err == nil
		}
	}
	return 0, false
}

// drawnFill is what a shape of the older markup is filled with: white, unless it says otherwise.
func drawnFill(shape *node) string {
	colour, _, _ := strings.Cut(shape.attr("fillcolor"), " ")
	hex := strings.TrimPrefix(colour, "#")
	switch filled := shape.attr("filled"); {
	case filled == "f" || filled == "false":
		return ""
	case shape.child("fill") != nil && shape.child("fill").attr("type") != "" && shape.child("fill").attr("type") != "solid":
		return unknownColour
	case colour == "":
		return "FFFFFF"
	case highlights[colour] != "":
		return highlights[colour]
	case len(hex) == 6 && hex != colour:
		return hex
	}
	return unknownColour
}

// anchored appends the text boxes, charts and diagrams of a drawing; fill is that of the shape
// around them.
func (w *word) anchored(n *node, fill string, to []*node) []*node {
	for _, c := range n.children {
		if kind := unseen(c); kind != "" {
			if holds(c) {
				w.b.Omit(kind, 1)
			}
			continue
		}
		switch c.name {
		case "txbxContent":
			if w.fills == nil {
				w.fills = map[*node]string{}
			}
			w.fills[c] = fill
			to = append(to, c)
		case "relIds":
			to = append(to, c)
		case "chart":
			if c.attr("id") != "" {
				to = append(to, c)
			}
		case "AlternateContent":
			to = w.anchored(alternative(c), fill, to)
		case "wsp":
			to = w.anchored(c, usualPalette.fillOf(c), to)
		case "textbox":
			to = w.anchored(c, drawnFill(n), to)
		default:
			to = w.anchored(c, fill, to)
		}
	}
	return to
}

// webMark is from how many bytes on text that the view of pages on the web hides is marked:
// what is shorter are the page numbers of tables of contents.
const webMark = 12

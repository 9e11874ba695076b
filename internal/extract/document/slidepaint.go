package document

import (
	"maps"
	"slices"
)

// This file finds what is behind and over the text of a slide: the background of the slide, of
// its layout or its master, in colours of the theme, and the shapes and pictures before and
// after a text (ECMA-376, part 1, sections 19.3.1 and 20.1.6).

// palette are the colours of a theme by the names that a slide has for them.
type palette map[string]string

// usualPalette are the colours that themes have unless they say otherwise.
var usualPalette = palette{"bg1": "FFFFFF", "lt1": "FFFFFF", "tx1": "000000", "dk1": "000000"}

// colourOf is the colour of a fill; "" where it is not one that can be named.
func (p palette) colourOf(fill *node) string {
	for _, c := range fill.childrenOf() {
		for _, k := range []string{"alpha", "lumMod", "lumOff", "tint", "shade"} {
			if c.child(k) != nil {
				return ""
			}
		}
		switch c.name {
		case "srgbClr":
			return c.attr("val")
		case "sysClr":
			return c.attr("lastClr")
		case "prstClr":
			return highlights[c.attr("val")]
		case "schemeClr":
			return p[c.attr("val")]
		}
	}
	return ""
}

// mapped are the colours of a theme under the names of a master (section 19.3.1.6).
func (p palette) mapped(names *node) palette {
	if names == nil {
		return p
	}
	out := maps.Clone(p)
	for _, a := range names.attrs {
		if c := p[a.Value]; c != "" {
			out[a.Name.Local] = c
		}
	}
	return out
}

// A surface is what a shape paints of a slide, in one colour or unknownColour.
type surface struct {
	x, y, right, bottom float64
	placed              bool // the box is known
	colour              string
	covers              bool // a rectangle: it may hide what is before it
}

// holds reports how much of a box a surface is behind: all or most of it, or only a part.
func (f surface) holds(o surface) (most, any bool) {
	w, h := min(f.right, o.right)-max(f.x, o.x), min(f.bottom, o.bottom)-max(f.y, o.y)
	any = w > 0 && h > 0
	return any && 10*w*h >= 9*(o.right-o.x)*(o.bottom-o.y), any
}

// A backdrop is what a layout or a master paints behind its slides.
type backdrop struct {
	ground   string // "" where it has none of its own
	colours  palette
	surfaces []surface
	up       string // the master of a layout, the theme of a master
	alone    bool   // the shapes of the master are not shown
	filled   bool   // a shape that holds a place has a fill, which the slide's takes over
}

// maxSurfaces bounds what is compared with a text.
const maxSurfaces = 2000

// backdrop reads a layout or a master, once.
func (s *slides) backdrop(name string) backdrop {
	if b, ok := s.backdrops[name]; ok || name == "" {
		return b
	}
	b := backdrop{colours: usualPalette}
	s.backdrops[name] = b // for a layout that names itself as its master
	t, err := s.a.tree(name)
	s.b.cut = s.b.cut || err != nil
	if t != nil {
		s.trees[name] = t
		kind := "slideMaster"
		if t.child("sldMaster") != nil {
			kind = "theme"
		}
		for _, rel := range s.a.relations(name).list {
			if rel.kind == kind {
				b.up = rel.target
			}
		}
		if kind == "theme" {
			b.colours = s.theme(b.up).mapped(t.first("clrMap"))
			b.up = ""
		} else {
			b.colours = s.backdrop(b.up).colours.mapped(t.first("overrideClrMapping"))
			b.alone = isOff(t.child("sldLayout").attr("showMasterSp"))
		}
		b.ground = b.colours.ground(t.first("cSld"))
		for _, sp := range t.find("sp") {
			b.filled = b.filled || sp.first("ph") != nil && b.colours.fillOf(sp) != ""
		}
		b.surfaces = s.paint(nil, t.first("spTree"), place{scaleX: 1, scaleY: 1}, b.colours, true)
	}
	s.backdrops[name] = b
	return b
}

func isOff(v string) bool { return v == "0" || v == "false" }

// theme reads the colours of a theme.
func (s *slides) theme(name string) palette {
	t, err := s.a.tree(name)
	if err != nil || t == nil {
		return usualPalette
	}
	return themeOf(t)
}

// themeOf are the colours of a theme.
func themeOf(t *node) palette {
	out := maps.Clone(usualPalette)
	for _, c := range t.first("clrScheme").childrenOf() {
		if v := usualPalette.colourOf(c); v != "" {
			out[c.name] = v
		}
	}
	return out
}

// ground is the background that a part says itself; "" where it says none.
func (p palette) ground(cSld *node) string {
	bg := cSld.child("bg")
	if bg == nil {
		return ""
	}
	fill := bg.child("bgPr").child("solidFill")
	if ref := bg.child("bgRef"); ref.attr("idx") == "1001" { // the first of a theme, one colour by custom
		fill = ref
	}
	if c := p.colourOf(fill); c != "" {
		return c
	}
	return unknownColour
}

// stage notes what is painted on a slide, before its text is read.
func (s *slides) stage(t *node) {
	layout := ""
	for _, rel := range s.links.list {
		if rel.kind == "slideLayout" {
			layout = rel.target
		}
	}
	l := s.backdrop(layout)
	m := s.backdrop(l.up)
	s.colours = l.colours.mapped(t.first("overrideClrMapping"))
	if l.colours == nil {
		s.colours = usualPalette
	}
	s.ground = "FFFFFF"
	for _, own := range []string{m.ground, l.ground, s.colours.ground(t.first("cSld"))} {
		if own != "" {
			s.ground = own
		}
	}
	s.surfaces, s.filled = nil, l.filled || m.filled
	if !isOff(t.child("sld").attr("showMasterSp")) {
		if !l.alone {
			s.surfaces = append(s.surfaces, m.surfaces...)
		}
		s.surfaces = append(s.surfaces, l.surfaces...)
	}
	s.surfaces = s.paint(slices.Clip(s.surfaces), t.first("spTree"), place{scaleX: 1, scaleY: 1}, s.colours, false)
}

// paint appends what the shapes of a tree paint. Those of a layout that hold a place are not
// shown.
func (s *slides) paint(to []surface, tree *node, p place, colours palette, behind bool) []surface {
	for _, c := range tree.childrenOf() {
		if c.name == "AlternateContent" {
			to = s.paint(to, alternative(c), p, colours, behind)
			continue
		}
		if len(to) >= maxSurfaces {
			break
		}
		xfrm := c.child("spPr").child("xfrm")
		if c.name == "grpSp" {
			xfrm = c.child("grpSpPr").child("xfrm")
		}
		if c.name == "graphicFrame" {
			xfrm = c.child("xfrm")
		}
		if behind && c.first("ph") != nil || s.unseen(c, xfrm, p) != "" {
			continue
		}
		f := surface{colour: unknownColour}
		if off, ext := xfrm.child("off"), xfrm.child("ext"); off != nil && ext != nil {
			f.placed = true
			f.x, f.y = p.x+off.length("x")*p.scaleX, p.y+off.length("y")*p.scaleY
			f.right, f.bottom = f.x+ext.length("cx")*p.scaleX, f.y+ext.length("cy")*p.scaleY
		}
		switch c.name {
		case "grpSp":
			to = s.paint(to, c, p.within(xfrm), colours, behind)
			continue
		case "sp":
			f.colour = colours.fillOf(c)
			f.covers = f.colour != "" && f.colour != unknownColour && xfrm.attr("rot") == "" && c.child("spPr").child("prstGeom").attr("prst") == "rect"
		case "pic":
			f.covers = true
		case "graphicFrame":
		default:
			continue
		}
		if !behind {
			s.layers[c], s.boxes[c] = len(to), f
		}
		if f.colour != "" {
			to = append(to, f)
		}
	}
	return to
}

// behindText returns the colour behind the text of a shape without a fill; unknownColour where
// several may be.
func (s *slides) behindText(sp *node) string {
	n, known := s.layers[sp]
	if !known {
		n = len(s.surfaces)
	}
	own := s.boxes[sp]
	for _, f := range slices.Backward(s.surfaces[:min(n, len(s.surfaces))]) {
		if !own.placed || !f.placed {
			return unknownColour
		}
		switch most, any := f.holds(own); {
		case most:
			return f.colour
		case any:
			return unknownColour
		}
	}
	return s.ground
}

// isUnder reports whether a picture or a shape stands over a shape. Whether anything of the
// text is seen through a picture, or before a shape comes in, is not known.
func (s *slides) isUnder(sp *node) bool {
	n, known := s.layers[sp]
	own := s.boxes[sp]
	if !known || !own.placed || n >= len(s.surfaces) {
		return false
	}
	if own.colour != "" {
		n++ // its own
	}
	for _, f := range s.surfaces[min(n, len(s.surfaces)):] {
		if most, _ := f.holds(own); most && f.covers && f.placed {
			return true
		}
	}
	return false
}

// textColour is the colour that the list styles of a shape have for a level; nil where they
// say nothing.
func textColour(body *node, level int) *node {
	name := "lvl" + string(rune('1'+min(max(level, 0), 8))) + "pPr"
	return body.child("lstStyle").child(name).child("defRPr").child("solidFill")
}

// fillOf is what a shape is filled with, unknownColour where that is not one colour
// that is known. "" stands for nothing.
func (p palette) fillOf(sp *node) string {
	props := sp.child("spPr")
	if sp.name == "tc" {
		props = sp.child("tcPr")
	}
	for _, c := range props.childrenOf() {
		switch c.name {
		case "noFill":
			return ""
		case "solidFill":
			if colour := p.colourOf(c); colour != "" {
				return colour
			}
			return unknownColour
		case "gradFill", "blipFill", "pattFill", "grpFill":
			return unknownColour
		}
	}
	if i := sp.child("style").child("fillRef").attr("idx"); i != "" && i != "0" {
		return unknownColour
	}
	return ""
}

// isPaintedLike reports whether text of a colour cannot be told from what is behind it, and
// whether that is not certain, because a picture or a shape may be there.
func (s *slides) isPaintedLike(colour string, props *node) (same, doubtful bool) {
	if colour == "" {
		return false, false
	}
	if mark := props.child("highlight"); mark != nil {
		return sameColour(colour, s.colours.colourOf(mark)), false
	}
	if s.fill != "" {
		return sameColour(colour, s.fill), false
	}
	if s.compared != s.shapeAt { // once for all pieces of its text
		s.compared, s.back = s.shapeAt, s.behindText(s.shapeAt)
		if s.filled && s.shapeAt.first("ph") != nil {
			s.back = unknownColour
		}
	}
	if s.back == unknownColour {
		return false, sameColour(colour, s.ground)
	}
	return sameColour(colour, s.back), false
}

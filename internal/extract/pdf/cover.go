package pdf

import (
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// This file follows clipping paths and opaque shapes (ISO 32000-1, sections 8.5
// and 11.6.4), as far as they are upright rectangles: those hide text.

// clipping is the part of the page that can be painted. What is not a
// rectangle counts by its box.
type clipping struct {
	box
	exact bool // it is a rectangle
}

var everywhere = clipping{box: box{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}, exact: true}

// within is the clipping in a box. exact says that the box is the shape itself.
func (c clipping) within(b box, exact bool) clipping {
	return clipping{box{max(c.x0, b.x0), max(c.y0, b.y0), min(c.x1, b.x1), min(c.y1, b.y1)}, c.exact && exact}
}

// hides reports whether nothing of a glyph is within the clipping.
func (c clipping) hides(g *glyph) bool {
	if c.x1-c.x0 < .1*g.size || c.y1-c.y0 < .1*g.size {
		return true
	}
	b := g.bounds()
	return b.x1 < c.x0 || b.x0 > c.x1 || b.y1 < c.y0 || b.y0 > c.y1
}

// bounds is the box of a glyph, more than its ink.
func (g *glyph) bounds() box {
	b := nowhere
	up := math.Hypot(g.dx, g.dy)
	ux, uy := 0.0, -g.size
	if up > 0 { // at a right angle to the line
		ux, uy = g.dy/up*g.size, -g.dx/up*g.size
	}
	for _, k := range []float64{-.25, .8} {
		b.add(g.x+k*ux, g.y+k*uy)
		b.add(g.x+g.dx+k*ux, g.y+g.dy+k*uy)
	}
	return b
}

// outline collects the upright rectangles of a path.
type outline struct {
	rects  []box
	points [][2]float64 // of the subpath that is being drawn
	other  bool         // there is something else
}

const maxRects = 64 // of one path

// follow takes an operator that draws a path.
func (o *outline) follow(op string, args []token, s *state) {
	switch op {
	case "re":
		v, ok := nums(args, 4)
		if !ok {
			return
		}
		o.endSubpath()
		if !s.upright() || len(o.rects) >= maxRects {
			o.other = true
			return
		}
		o.rects = append(o.rects, s.boxOf(v[0], v[1], v[0]+v[2], v[1]+v[3]))
	case "m", "l":
		v, ok := nums(args, 2)
		if !ok {
			return
		}
		if op == "m" {
			o.endSubpath()
		}
		if len(o.points) > 5 {
			o.other = true
			return
		}
		x, y := s.ctm.apply(v[0], v[1])
		o.points = append(o.points, [2]float64{x, y})
	case "c", "v", "y":
		o.other = true
	}
}

// endSubpath takes a subpath of lines that is a rectangle.
func (o *outline) endSubpath() {
	p := o.points
	o.points = o.points[:0]
	if len(p) == 0 || len(p) == 1 {
		return
	}
	if len(p) == 5 && p[0] == p[4] {
		p = p[:4]
	}
	if len(p) != 4 || len(o.rects) >= maxRects {
		o.other = true
		return
	}
	b := nowhere
	for i := range p {
		q := p[(i+1)%4]
		if math.Abs(p[i][0]-q[0]) > .01 && math.Abs(p[i][1]-q[1]) > .01 {
			o.other = true
			return
		}
		b.add(p[i][0], p[i][1])
	}
	o.rects = append(o.rects, b)
}

// upright reports whether the axes of a form or path are those of the page.
func (s *state) upright() bool {
	m := s.ctm
	return math.Abs(m[1])+math.Abs(m[2]) < 1e-6*(math.Abs(m[0])+math.Abs(m[3])) || math.Abs(m[0])+math.Abs(m[3]) < 1e-6*(math.Abs(m[1])+math.Abs(m[2]))
}

// boxOf is the box of a rectangle on the page.
func (s *state) boxOf(x0, y0, x1, y1 float64) box {
	b := nowhere
	for _, p := range [][2]float64{{x0, y0}, {x0, y1}, {x1, y0}, {x1, y1}} {
		b.add(s.ctm.apply(p[0], p[1]))
	}
	return b
}

// endPath ends a path; if it clips, it does so from now on.
func (in *interpreter) endPath() {
	if in.clips && in.extent.x0 <= in.extent.x1 {
		in.shape.endSubpath()
		in.clip = in.clip.within(in.extent, !in.shape.other && len(in.shape.rects) == 1)
	}
	in.clips = false
	in.path, in.extent = in.path[:0], nowhere
	in.shape = outline{rects: in.shape.rects[:0], points: in.shape.points[:0]}
}

// cover marks the glyphs that the path is painted over, if it is opaque.
func (in *interpreter) cover() {
	in.shape.endSubpath()
	if len(in.sheet.glyphs) == 0 || !in.paintsOver() || overlap(in.shape.rects) {
		return
	}
	in.coverWith(in.shape.rects)
}

// coverBar marks the glyphs that a wide line is painted over, if it is opaque.
func (in *interpreter) coverBar(b box) {
	if len(in.sheet.glyphs) > 0 && in.isSolid(in.stroke) {
		in.coverWith([]box{b})
	}
}

// coverWith marks the glyphs below some boxes.
func (in *interpreter) coverWith(boxes []box) {
	for _, r := range boxes {
		c := in.clip.within(r, true)
		if !(c.x1-c.x0 > 1) || !(c.y1-c.y0 > 1) {
			continue
		}
		in.d.steps -= len(in.sheet.glyphs) / 16
		for i := range in.sheet.glyphs {
			if g := &in.sheet.glyphs[i]; !g.covered {
				g.covered = g.isUnder(c.box)
			}
		}
	}
}

// coverPicture doubts the glyphs below a picture, unless it is that of the page: text below it
// is what a machine read in it.
func (in *interpreter) coverPicture(dict types.Dict) {
	for _, key := range [...]string{"SMask", "Mask", "ImageMask"} {
		if _, clear := dict[key]; clear {
			return
		}
	}
	s := in.sheet
	b := in.clip.within(in.boxOf(0, 0, 1, 1), true).box
	if !in.upright() || !in.isSolid(usualInk) || !(b.x1-b.x0 > 1) || !(b.y1-b.y0 > 1) || (b.x1-b.x0)*(b.y1-b.y0) > s.width*s.height/2 {
		return
	}
	in.d.steps -= len(s.glyphs) / 16
	for i := range s.glyphs {
		g := &s.glyphs[i]
		g.doubted = g.doubted || !g.inkless && g.isUnder(b)
	}
}

// paintsOver reports whether the path consists of rectangles that nothing shows
// through, as far as that is known.
func (in *interpreter) paintsOver() bool {
	return !in.shape.other && len(in.shape.rects) > 0 && in.isSolid(in.fill)
}

// isSolid reports whether nothing shows through what is painted with an ink, as far as
// that is known.
func (in *interpreter) isSolid(k ink) bool {
	return !in.masked && in.clip.exact && k.components != 0 && k.alpha*in.group >= opaqueFrom && !in.offLayer()
}

// overlap reports whether some rectangles lie over each other. They may be a frame,
// which covers nothing.
func overlap(rects []box) bool {
	for i, r := range rects {
		for _, q := range rects[:i] {
			if r.x0 < q.x1 && q.x0 < r.x1 && r.y0 < q.y1 && q.y0 < r.y1 {
				return true
			}
		}
	}
	return false
}

// isUnder reports whether the middle of a letter, at both of its sides, is in a box.
func (g *glyph) isUnder(c box) bool {
	b := g.bounds()
	y0, y1 := b.y0+.3*(b.y1-b.y0), b.y1-.3*(b.y1-b.y0)
	x0, x1 := b.x0+.1*(b.x1-b.x0), b.x1-.1*(b.x1-b.x0)
	return x0 >= c.x0 && x1 <= c.x1 && y0 >= c.y0 && y1 <= c.y1
}

// offLayer reports whether a layer that is switched off is being drawn.
func (in *interpreter) offLayer() bool {
	for i := range in.marks {
		if in.marks[i].off {
			return true
		}
	}
	return false
}

// extended applies a graphics state dictionary, section 8.4.5.
func (in *interpreter) extended(gs types.Dict) {
	if v, ok := in.d.number(gs["ca"]); ok {
		in.fill.alpha = v
	}
	if v, ok := in.d.number(gs["CA"]); ok {
		in.stroke.alpha = v
	}
	if o, ok := gs["SMask"]; ok {
		in.veiled = in.d.name(o) != "None"
		in.masked = in.veiled
	}
	if o, ok := gs["BM"]; ok {
		mode := in.d.name(o)
		if list := in.d.array(o); len(list) > 0 {
			mode = in.d.name(list[0])
		}
		in.masked = in.masked || mode != "Normal" && mode != "Compatible"
	}
	if font := in.d.array(gs["Font"]); len(font) == 2 {
		if size, ok := in.d.number(font[1]); ok {
			in.font, in.size = in.d.font(font[0]), size
		}
	}
}

// layers are the optional content groups that are switched off (section
// 8.11.4), by the numbers of their objects.
func (d *document) readLayers() {
	props := d.dict(d.catalog()["OCProperties"])
	if props == nil {
		return
	}
	d.off = map[int]bool{}
	usual := d.dict(props["D"])
	mark := func(o types.Object, off bool) {
		list := d.array(o)
		for _, e := range list[:min(len(list), 10_000)] {
			if ref, ok := e.(types.IndirectRef); ok {
				d.off[int(ref.ObjectNumber)] = off
			}
		}
	}
	if d.name(usual["BaseState"]) == "OFF" {
		mark(props["OCGs"], true)
	}
	mark(usual["ON"], false)
	mark(usual["OFF"], true)
}

// isOff reports whether a group, or a membership dictionary of groups, is
// switched off.
func (d *document) isOff(o types.Object) bool {
	if o == nil || d.off == nil {
		return false
	}
	if ref, ok := o.(types.IndirectRef); ok {
		if off, ok := d.off[int(ref.ObjectNumber)]; ok {
			return off
		}
	}
	dict := d.dict(o)
	groups, ok := dict["OCGs"]
	if !ok {
		return false
	}
	list := d.array(groups)
	if list == nil {
		list = types.Array{groups}
	}
	on, off := 0, 0
	for _, g := range list[:min(len(list), 1000)] {
		if ref, ok := g.(types.IndirectRef); ok {
			if d.off[int(ref.ObjectNumber)] {
				off++
			} else {
				on++
			}
		}
	}
	if on+off == 0 {
		return false
	}
	switch d.name(dict["P"]) {
	case "AllOn":
		return off > 0
	case "AnyOff":
		return off == 0
	case "AllOff":
		return on > 0
	}
	return on == 0
}

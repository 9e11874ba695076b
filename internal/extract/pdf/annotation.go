package pdf

import (
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file reads what stands on a page beside its content: the values of form
// fields, notes, stamps and signatures, and the areas of links (ISO 32000-1,
// sections 12.5 and 12.7). The appearance of each is drawn like a form.

const (
	flagHidden = 1 << 1
	flagNoView = 1 << 5
)

// annotations draws the annotations of a page in their order. fresh is the
// graphics state at the start of a page.
func (in *interpreter) annotations(pg types.Dict, fresh state) {
	list := in.d.array(pg["Annots"])
	for _, o := range list[:min(len(list), maxAnnotations)] {
		in.d.steps -= 10
		a := in.d.dict(o)
		kind, rect := in.d.name(a["Subtype"]), in.d.numbers(a["Rect"], 4)
		if rect == nil || kind == "Popup" {
			continue
		}
		in.state, in.saved, in.marks, in.hiding = fresh, in.saved[:0], in.marks[:0], ""
		if kind == "Link" {
			in.link(a, rect)
			continue
		}
		look := in.appearance(a)
		flags, _ := in.d.number(a["F"])
		switch {
		case look == nil:
		case int(flags)&(flagHidden|flagNoView) != 0 || in.d.isOff(a["OC"]):
			in.hide(page.HiddenDisplay)
		default:
			in.fit(look, rect)
			in.form(look, nil)
		}
	}
	in.state = fresh
}

// appearance is the stream that shows an annotation, or nil.
func (in *interpreter) appearance(a types.Dict) types.Object {
	normal := in.d.dict(a["AP"])["N"]
	switch n := in.d.get(normal).(type) {
	case types.StreamDict:
		return n
	case types.Dict: // by the state of a button
		if s, ok := in.d.get(n[in.d.name(a["AS"])]).(types.StreamDict); ok {
			return s
		}
	}
	return nil
}

// fit moves an appearance into the rectangle of its annotation: section 12.5.5,
// algorithm 8.1.
func (in *interpreter) fit(look types.Object, rect []float64) {
	dict := in.d.dict(look)
	bbox := in.d.numbers(dict["BBox"], 4)
	if bbox == nil {
		return
	}
	m := matrix{1, 0, 0, 1, 0, 0}
	if v := in.d.numbers(dict["Matrix"], 6); v != nil {
		m = matrix(v)
	}
	own := state{ctm: m}
	b := own.boxOf(bbox[0], bbox[1], bbox[2], bbox[3])
	x0, y0 := min(rect[0], rect[2]), min(rect[1], rect[3])
	w, h := max(rect[0], rect[2])-x0, max(rect[1], rect[3])-y0
	sx, sy := 1.0, 1.0
	if b.x1 > b.x0 && b.y1 > b.y0 {
		sx, sy = w/(b.x1-b.x0), h/(b.y1-b.y0)
	}
	in.ctm = matrix{sx, 0, 0, sy, x0 - b.x0*sx, y0 - b.y0*sy}.mul(in.ctm)
}

// link notes the URL that an area of the page links to, with the text in the area.
func (in *interpreter) link(a types.Dict, rect []float64) {
	d := in.d
	action := d.dict(a["A"])
	if d.name(action["S"]) != "URI" {
		return
	}
	u, err := weburl.Parse(d.text(action["URI"]))
	if err != nil {
		return
	}
	address := u.WithoutFragment().String()
	if i, ok := d.seen[address]; ok {
		d.links[i].Count++
		return
	}
	if len(d.links) >= maxLinks {
		return
	}
	label := address
	if d.labels -= len(in.sheet.glyphs); d.labels > 0 {
		if s := in.sheet.textIn(in.boxOf(rect[0], rect[1], rect[2], rect[3])); s != "" {
			label = s
		}
	}
	d.seen[address] = len(d.links)
	d.links = append(d.links, page.Link{URL: address, Text: label, Count: 1})
}

// textIn is the text that is drawn in a box, in the order in which it is drawn.
func (s *sheet) textIn(b box) string {
	var out strings.Builder
	var last *glyph
	for i := range s.glyphs {
		g := &s.glyphs[i]
		x, y := g.x+g.dx/2, g.y+g.dy/2-middle*g.size
		if x < b.x0 || x > b.x1 || y < b.y0 || y > b.y1 {
			continue
		}
		if last != nil && (g.x-last.x-last.dx > gapInWord*g.size || g.y-last.y > g.size/2) {
			out.WriteByte(' ')
		}
		out.WriteString(g.text)
		if last = g; out.Len() > maxLabel {
			break
		}
	}
	return clean(out.String())
}

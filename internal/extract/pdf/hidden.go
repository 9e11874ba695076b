package pdf

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file drops text that a page does not show:
//
//	a layer that is switched off         display
//	beside the page                      off-screen
//	smaller than a point                 size
//	opacity 0                            opacity
//	white where nothing is painted       color
//	render modes 3 and 7, no picture     visibility
//
// Text without ink over a picture is the text layer of a scan and stays. What is
// painted is known in cells, and the order of painting does not matter: text
// that only another shape covers stays.

// ground is what is painted on a page other than text, in cells.
type ground struct {
	painted  [groundCells]uint64 // with anything but white
	pictured [groundCells]uint64 // with pictures, or shapes of less than half of the page
}

// box is a rectangle of the upright page; empty where x1 < x0.
type box struct{ x0, y0, x1, y1 float64 }

var nowhere = box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func (b *box) add(x, y float64) {
	b.x0, b.x1 = min(b.x0, x), max(b.x1, x)
	b.y0, b.y1 = min(b.y0, y), max(b.y1, y)
}

// boxOf is the box of a rectangle on the page.
func (s *state) boxOf(x0, y0, x1, y1 float64) box {
	b := nowhere
	for _, p := range [][2]float64{{x0, y0}, {x0, y1}, {x1, y0}, {x1, y1}} {
		b.add(s.ctm.apply(p[0], p[1]))
	}
	return b
}

// paint marks the cells that a box touches.
func (s *sheet) paint(b box, picture bool) {
	x0, x1 := cellAt(b.x0, s.width), cellAt(b.x1, s.width)
	y0, y1 := cellAt(b.y0, s.height), cellAt(b.y1, s.height)
	if !(b.x1 >= 0 && b.y1 >= 0 && b.x0 <= s.width && b.y0 <= s.height) { // NaN too
		return
	}
	picture = picture || (b.x1-b.x0)*(b.y1-b.y0) < s.width*s.height/2
	mask := ^uint64(0) >> (groundCells - 1 - (x1 - x0)) << x0
	for y := y0; y <= y1; y++ {
		s.ground.painted[y] |= mask
		if picture {
			s.ground.pictured[y] |= mask
		}
	}
}

// cellAt is which cell of an edge a coordinate is in; outside, the nearest.
func cellAt(v, length float64) int {
	if math.IsNaN(v) || !(length > 0) {
		return 0
	}
	return int(min(max(v/length*groundCells, 0), groundCells-1))
}

// scanned reports whether pictures cover a good part of the page.
func (s *sheet) scanned() bool {
	n := 0
	for _, row := range s.ground.pictured {
		n += bits.OnesCount64(row)
	}
	return n > groundCells*groundCells/scannedPart
}

// under reports whether something was painted behind a glyph.
func (s *sheet) under(g *glyph, cells *[groundCells]uint64) bool {
	x, y := cellAt(g.x+g.dx/2, s.width), cellAt(g.y+g.dy/2-middle*g.size, s.height)
	return cells[y]>>x&1 != 0
}

// blot paints a glyph that is not a letter, e.g. the disc behind a white number.
func (in *interpreter) blot(g *glyph) {
	if g.white || g.inkless || g.text != "" && !unicode.IsSymbol(firstRune(g.text)) {
		return
	}
	b := nowhere
	b.add(g.x, g.y)
	b.add(g.x+g.dx, g.y-g.size)
	in.sheet.paint(b, false)
}

// hide counts a string that is not seen, once for each kind in a row.
func (in *interpreter) hide(kind page.OmissionKind) {
	if in.hiding != kind {
		in.d.hidden[kind]++
	}
	in.hiding = kind
}

// unseen is how a glyph is hidden where it is drawn, or "". White text and text
// without ink are decided when the page is complete.
func (in *interpreter) unseen(g *glyph) page.OmissionKind {
	s := in.sheet
	switch {
	case slices.ContainsFunc(in.marks, func(m mark) bool { return m.off }):
		return page.HiddenDisplay
	case g.x < -g.size || g.y < -g.size || g.x > s.width+g.size || g.y > s.height+g.size:
		return page.HiddenOffScreen
	case g.size < tooSmall || math.Abs(in.scale) < tooNarrow:
		return page.HiddenSize
	case !g.inkless && in.inks(func(k ink) bool { return k.alpha < clearTo }):
		return page.HiddenOpacity
	}
	return ""
}

// inks reports whether all ink that the render mode lays on has a property.
func (in *interpreter) inks(has func(ink) bool) bool {
	switch in.renderMode {
	case 1, 5:
		return has(in.stroke)
	case 2, 6:
		return has(in.fill) && has(in.stroke)
	}
	return has(in.fill)
}

// dropUnseen drops white text and text without ink that nothing is painted behind.
func (in *interpreter) dropUnseen() {
	s := in.sheet
	kept := s.glyphs[:0]
	for _, g := range s.glyphs {
		switch {
		case strings.TrimSpace(g.text) == "":
		case g.inkless && !s.under(&g, &s.ground.pictured):
			in.hide(page.HiddenVisibility)
			continue
		case g.white && !s.under(&g, &s.ground.painted):
			in.hide(page.HiddenColor)
			continue
		default:
			in.hiding = ""
		}
		kept = append(kept, g)
	}
	s.glyphs = kept
}

// ink is the colour of what is filled or stroked, as far as it matters here.
type ink struct {
	white bool
	named bool // the colour space does not say what its numbers mean
	alpha float64
}

// set follows the operators that set a colour.
func (k *ink) set(d *document, op string, args []token, resources types.Dict) {
	switch op {
	case "cs":
		k.white, k.named = false, false
		if len(args) == 1 {
			k.named = d.isNamed(resources, string(args[0].text))
		}
	case "g", "rg", "k":
		k.named = false
		k.white = isWhiteInk(args)
	case "sc", "scn":
		k.white = !k.named && isWhiteInk(args)
	}
}

// isWhiteInk reports whether operands of gray, RGB or CMYK are white.
func isWhiteInk(args []token) bool {
	for _, t := range args {
		c := t.num
		if len(args) == len("cmyk") {
			c = 1 - c
		}
		if t.kind != tokNumber || c < whiteFrom {
			return false
		}
	}
	return len(args) > 0
}

// isNamed reports whether a colour space is other than gray, RGB or CMYK, e.g. a
// Separation, where 1 is all of an ink.
func (d *document) isNamed(resources types.Dict, name string) bool {
	o := d.dict(resources["ColorSpace"])[name]
	if a := d.array(o); len(a) > 0 {
		name = d.name(a[0])
	} else if n := d.name(o); n != "" {
		name = n
	}
	return !strings.HasPrefix(name, "Device") && !strings.HasPrefix(name, "Cal") && name != "ICCBased" || name == "DeviceN"
}

// readLayers notes the optional content groups that are switched off (section
// 8.11.4), by the numbers of their objects.
func (d *document) readLayers() {
	props := d.dict(d.catalog()["OCProperties"])
	usual := d.dict(props["D"])
	d.off = map[int]bool{}
	mark := func(o types.Object, off bool) {
		list := d.array(o)
		for _, e := range list[:min(len(list), maxLayers)] {
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

// isOff reports whether a layer is switched off, or each layer of a membership
// dictionary.
func (d *document) isOff(o types.Object) bool {
	if ref, ok := o.(types.IndirectRef); ok && d.off[int(ref.ObjectNumber)] {
		return true
	}
	list := types.Array{d.dict(o)["OCGs"]}
	if many := d.array(list[0]); many != nil {
		list = many
	}
	for _, g := range list[:min(len(list), maxLayers)] {
		if ref, ok := g.(types.IndirectRef); !ok || !d.off[int(ref.ObjectNumber)] {
			return false
		}
	}
	return len(list) > 0
}

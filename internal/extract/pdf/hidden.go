package pdf

import (
	"math"
	"unicode"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file tells what a page does not show: text without ink (render mode 3)
// where no picture is, white text where nothing was painted, text beside the
// page, and text that is too small to be seen. Invisible text over a picture is
// what a machine read in it, and stays. What is painted is known in cells and by
// the boxes of paths, so that in doubt text counts as seen.

const (
	groundCells = 64  // along either edge of a page
	whiteFrom   = .97 // of all components
	tooSmall    = .5  // points
)

// ground is what was painted on a page so far, in cells.
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

// paint marks the cells that a box touches.
func (s *sheet) paint(b box, picture bool) {
	x0, ok0 := cell(b.x0, s.width)
	x1, ok1 := cell(b.x1, s.width)
	y0, ok2 := cell(b.y0, s.height)
	y1, ok3 := cell(b.y1, s.height)
	if !ok0 || !ok1 || !ok2 || !ok3 || b.x1 < 0 || b.y1 < 0 || b.x0 > s.width || b.y0 > s.height {
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

// paintPath paints the box of the path, unless it is filled with white. A bar may
// be a line that is wide.
func (in *interpreter) paintPath(stroked bool) {
	b := in.extent
	if stroked {
		half := math.Abs(in.lineWidth) * math.Hypot(in.ctm[2], in.ctm[3]) / 2
		b.x0, b.y0, b.x1, b.y1 = b.x0-half, b.y0-half, b.x1+half, b.y1+half
	} else if in.white {
		return
	}
	in.sheet.paint(b, false)
}

// cell is which cell of an edge a coordinate is in; outside, the nearest.
func cell(v, length float64) (int, bool) {
	if math.IsNaN(v) || !(length > 0) {
		return 0, false
	}
	return int(min(max(v/length*groundCells, 0), groundCells-1)), true
}

// under reports whether something was painted where a glyph stands.
func (s *sheet) under(g *glyph, cells *[groundCells]uint64) bool {
	x, _ := cell(g.x+g.dx/2, s.width)
	y, _ := cell(g.y+g.dy/2-.3*g.size, s.height)
	return cells[y]>>x&1 != 0
}

// blot paints a glyph that is no letter, for white numbers stand on discs and
// squares of fonts.
func (in *interpreter) blot(text string, width float64) {
	r := firstRune(text)
	if in.white || text != "" && !unicode.IsSymbol(r) {
		return
	}
	m := in.tm.mul(in.ctm)
	b := nowhere
	b.add(m.apply(0, 0))
	b.add(m.apply(width, .8*in.size))
	in.sheet.paint(b, false)
}

// hide counts a string that is not seen, once for each kind in a row.
func (in *interpreter) hide(kind page.NoteKind) {
	if in.hiding != kind {
		in.d.hidden[kind]++
	}
	in.hiding = kind
}

// unseen is how a glyph is hidden where it is drawn, or "". Text without ink is
// decided when all pictures are known.
func (in *interpreter) unseen(g *glyph) page.NoteKind {
	s := in.sheet
	switch fill := in.renderMode == 0 || in.renderMode == 4; {
	case g.x < -g.size || g.y < -g.size || g.x > s.width+g.size || g.y > s.height+g.size:
		return page.NoteOffScreen
	case g.size < tooSmall:
		return page.NoteSize
	case in.white && fill && !s.under(g, &s.ground.painted):
		return page.NoteColor
	}
	return ""
}

// dropUnseen drops text without ink that no picture shows.
func (in *interpreter) dropUnseen() {
	kept := in.sheet.glyphs[:0]
	for _, g := range in.sheet.glyphs {
		if g.inkless && !in.sheet.under(&g, &in.sheet.ground.pictured) {
			in.hide(page.NoteVisibility)
			continue
		}
		in.hiding = ""
		kept = append(kept, g)
	}
	in.sheet.glyphs = kept
}

// colour follows the operators that set the colour of what is filled.
func (in *interpreter) colour(op string, args []token, resources types.Dict) {
	switch op {
	case "g":
		in.components, in.white = 1, in.isWhite(args, 1)
	case "rg":
		in.components, in.white = 3, in.isWhite(args, 3)
	case "k":
		in.components, in.white = 4, in.isWhite(args, 4)
	case "cs":
		in.components, in.white = 0, false
		if len(args) == 1 && args[0].kind == tokName {
			in.components = in.d.components(in.d.dict(resources["ColorSpace"])[string(args[0].text)], string(args[0].text))
		}
	case "sc", "scn":
		in.white = in.isWhite(args, in.components)
	}
}

// isWhite reports whether operands are white in a colour space of so many
// components.
func (in *interpreter) isWhite(args []token, components int) bool {
	if components == 0 || len(args) != components {
		return false
	}
	for _, t := range args {
		c := t.num
		if components == 4 {
			c = 1 - c
		}
		if t.kind != tokNumber || c < whiteFrom {
			return false
		}
	}
	return true
}

// components is how many components a colour has in a space whose largest mean
// white: 1, 3 or (then the least) 4. 0: none, or not known.
func (d *document) components(o types.Object, name string) int {
	if a := d.array(o); len(a) > 0 {
		name = d.name(a[0])
		if name == "ICCBased" && len(a) > 1 {
			n, _ := d.number(d.dict(a[1])["N"])
			name = map[float64]string{1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK"}[n]
		}
	} else if n := d.name(o); n != "" {
		name = n
	}
	switch name {
	case "DeviceGray", "CalGray":
		return 1
	case "DeviceRGB", "CalRGB":
		return 3
	case "DeviceCMYK":
		return 4
	}
	return 0
}

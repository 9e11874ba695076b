package pdf

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file decides what a page does not show: text without ink (render modes 3
// and 7) where no picture is, white text where nothing was painted, transparent
// text, text beside the page or outside of the clipping path, text of a layer
// that is switched off, text that a shape was painted over, and text that is too
// small to be seen. Text without ink over a picture, and text below a picture, is
// what a machine read in the picture; it stays. What is painted is known in cells
// and by the boxes of paths, so that in doubt text counts as seen.

const (
	groundCells = 64  // along either edge of a page
	whiteFrom   = .97 // of all components
	clearTo     = .02 // of opacity
	opaqueFrom  = .95 // of opacity
	tooSmall    = .75 // points
	tooNarrow   = .02 // of the width of letters
	leastBar    = 6   // points; a line that is as wide hides letters
)

// ground is what was painted on a page so far, in cells.
type ground struct {
	painted  [groundCells]uint64 // with anything but white
	pictured [groundCells]uint64 // with pictures, or shapes of less than half of the page
	floors   []floor
}

// floor is a rectangle of one colour that nothing was painted over so far but text.
type floor struct {
	box
	colour colour
}

const maxFloors = 64

// lift forgets the floors that something is painted on.
func (g *ground) lift(b box) {
	g.floors = slices.DeleteFunc(g.floors, func(f floor) bool { return b.x0 < f.x1 && f.x0 < b.x1 && b.y0 < f.y1 && f.y0 < b.y1 })
}

// lay notes the rectangles of the path that is filled, if nothing shows through them.
func (in *interpreter) lay() {
	if !in.fill.known || !in.paintsOver() || overlap(in.shape.rects) {
		return
	}
	for _, r := range in.shape.rects {
		if g := in.sheet.ground; len(g.floors) < maxFloors {
			g.floors = append(g.floors, floor{in.clip.within(r, true).box, in.fill.colour})
		}
	}
}

// isSunk reports whether a glyph stands on a floor of its own colour.
func (in *interpreter) isSunk(g *glyph) bool {
	b := g.bounds()
	for _, f := range in.sheet.ground.floors {
		if f.x0 <= b.x0 && b.x1 <= f.x1 && f.y0 <= b.y0 && b.y1 <= f.y1 {
			return in.unpainted(func(k ink) bool { return k.known && k.colour.isNear(f.colour) })
		}
	}
	return false
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
	s.ground.lift(b)
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
		straight := b.x1-b.x0 < 1 || b.y1-b.y0 < 1
		b.x0, b.y0, b.x1, b.y1 = b.x0-half, b.y0-half, b.x1+half, b.y1+half
		if straight && 2*half >= leastBar {
			in.coverBar(b)
		}
	} else {
		in.cover()
		if in.fill.alpha*in.group < clearTo {
			return
		}
		if in.fill.white {
			in.sheet.ground.lift(b)
			in.lay()
			return
		}
	}
	in.sheet.paint(b, false)
	if !stroked {
		in.lay()
	}
}

// cell is which cell of an edge a coordinate is in; outside, the nearest.
func cell(v, length float64) (int, bool) {
	if math.IsNaN(v) || !(length > 0) {
		return 0, false
	}
	return int(min(max(v/length*groundCells, 0), groundCells-1)), true
}

// scanned reports whether pictures cover a good part of the page.
func (s *sheet) scanned() bool {
	n := 0
	for _, row := range s.ground.pictured {
		n += bits.OnesCount64(row)
	}
	return n > groundCells*groundCells/4
}

// under reports whether something was painted where a glyph stands.
func (s *sheet) under(g *glyph, cells *[groundCells]uint64) bool {
	x, _ := cell(g.x+g.dx/2, s.width)
	y, _ := cell(g.y+g.dy/2-.3*g.size, s.height)
	return cells[y]>>x&1 != 0
}

// blot paints a glyph that is not a letter: white numbers stand on discs and
// squares of fonts.
func (in *interpreter) blot(text string, width float64) {
	r := firstRune(text)
	if in.fill.white || text != "" && !unicode.IsSymbol(r) {
		return
	}
	m := in.tm.mul(in.ctm)
	b := nowhere
	b.add(m.apply(0, 0))
	b.add(m.apply(width, .8*in.size))
	in.sheet.paint(b, false)
}

// hide counts a string that is not seen, once for each kind in a row.
func (in *interpreter) hide(kind page.OmissionKind) {
	if in.hiding != kind {
		in.d.hidden[kind]++
	}
	in.hiding = kind
}

// unseen is how a glyph is hidden where it is drawn, or "". Text without ink is
// decided when all pictures are known.
func (in *interpreter) unseen(g *glyph) page.OmissionKind {
	s := in.sheet
	switch {
	case in.offLayer():
		return page.HiddenDisplay
	case g.x < -g.size || g.y < -g.size || g.x > s.width+g.size || g.y > s.height+g.size:
		return page.HiddenOffScreen
	case g.size < tooSmall || math.Abs(in.scale) < tooNarrow:
		return page.HiddenSize
	case in.clip.hides(g):
		return page.HiddenClip
	case g.inkless:
		return ""
	case in.unpainted(in.clear):
		return page.HiddenOpacity
	case in.isSunk(g), !s.under(g, &s.ground.painted) && in.unpainted(whiteInk):
		return page.HiddenColor
	}
	return ""
}

// unpainted reports whether all ink that the render mode lays on has a property that
// does not show: none is laid on, or it is clear, or white.
func (in *interpreter) unpainted(lost func(ink) bool) bool {
	fills, strokes := false, false
	switch in.renderMode {
	case 0, 4:
		fills = true
	case 1, 5:
		strokes = true
	case 2, 6:
		fills, strokes = true, true
	}
	return (!fills || lost(in.fill)) && (!strokes || lost(in.stroke))
}

func (in *interpreter) clear(k ink) bool { return k.alpha*in.group < clearTo }

func whiteInk(k ink) bool { return k.white }

// dropUnseen drops text without ink that no picture shows.
func (in *interpreter) dropUnseen() {
	kept, doubted := in.sheet.glyphs[:0], false
	for _, g := range in.sheet.glyphs {
		if g.covered && strings.TrimSpace(g.text) == "" {
			continue
		}
		if g.covered || g.inkless && !in.sheet.under(&g, &in.sheet.ground.pictured) {
			in.hide(page.HiddenVisibility)
			continue
		}
		in.hiding = ""
		if g.doubted && !doubted && strings.TrimSpace(g.text) != "" {
			g.text = page.VisibilityUnknown.String() + " " + g.text
		}
		doubted = g.doubted
		kept = append(kept, g)
	}
	in.sheet.glyphs = kept
}

// maxOwn bounds the text of glyphs that is compared with an ActualText.
const maxOwn = 4096

// compare doubts a text that the page gives in the place of glyphs, if it says much more than
// they do, or something else. A font without a mapping says other letters too. A hyphen at the
// end of a line, which such a text leaves out, tells that a word goes on.
func (in *interpreter) compare(m *mark) {
	g := in.given(m)
	if g == nil {
		return
	}
	given, own := saidBy(m.text), saidBy(string(m.own))
	if len(given) > 3*len(own)+8 || min(len(given), len(own)) >= 8 && common(given, own) < .4 {
		g.doubted = true
	}
	if bytes.HasSuffix(m.own, []byte("-")) && !strings.HasSuffix(m.text, "-") && slices.Equal(given, own) {
		g.text += "-"
	}
}

// given is the glyph that has the text of marked content; nil where there is none.
func (in *interpreter) given(m *mark) *glyph {
	if !m.used || m.first >= len(in.sheet.glyphs) || in.sheet.glyphs[m.first].text != m.text {
		return nil
	}
	return &in.sheet.glyphs[m.first]
}

// saidBy are the letters and digits of a text, in lower case.
func saidBy(s string) (out []rune) {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, unicode.ToLower(r))
		}
	}
	return out
}

// common is the part of the pairs of letters in a text that another one has too.
func common(a, b []rune) float64 {
	has := make(map[[2]rune]bool, len(b))
	for i := 1; i < len(b); i++ {
		has[[2]rune{b[i-1], b[i]}] = true
	}
	n := 0
	for i := 1; i < len(a); i++ {
		if has[[2]rune{a[i-1], a[i]}] {
			n++
		}
	}
	return float64(n) / float64(max(len(a)-1, 1))
}

// ink is the colour of what is filled or stroked, as far as it matters here.
type ink struct {
	components int  // of its colour space; 0: not known
	white      bool // the colour
	alpha      float64
	colour     colour
	known      bool // the colour is, see rgbOf
}

// colour is red, green and blue, from 0 to 1.
type colour [3]float64

// isNear reports whether a person cannot distinguish two colours.
func (c colour) isNear(o colour) bool {
	for i := range c {
		if math.Abs(c[i]-o[i]) > 1-whiteFrom {
			return false
		}
	}
	return true
}

var usualInk = ink{components: 1, alpha: 1, known: true}

// rgbOf is the colour of operands in a space of so many components; false for spaces that
// name colours in another way.
func rgbOf(args []token, components int) (c colour, ok bool) {
	if len(args) != components {
		return c, false
	}
	for _, t := range args {
		if t.kind != tokNumber {
			return c, false
		}
	}
	switch components {
	case 1:
		return colour{args[0].num, args[0].num, args[0].num}, true
	case 3:
		return colour{args[0].num, args[1].num, args[2].num}, true
	case 4:
		for i := range c {
			c[i] = (1 - args[i].num) * (1 - args[3].num)
		}
		return c, true
	}
	return c, false
}

// set follows the operators that set a colour.
func (k *ink) set(d *document, op string, args []token, resources types.Dict) {
	switch op {
	case "g":
		k.components = 1
	case "rg":
		k.components = 3
	case "k":
		k.components = 4
	case "cs":
		k.components, k.white, k.known = 0, false, false
		if len(args) == 1 && args[0].kind == tokName {
			k.components = d.components(d.dict(resources["ColorSpace"])[string(args[0].text)], string(args[0].text))
		}
		return
	case "sc", "scn":
	default:
		return
	}
	k.white = isWhiteColour(args, k.components)
	k.colour, k.known = rgbOf(args, k.components)
}

// The colour spaces that name white in another way than by the largest components.
const (
	noInk    = -1 // Separation and DeviceN: without any colorant the paper shows
	lightest = -2 // Lab
)

// isWhiteIn reports whether operands are white in one of these spaces.
func isWhiteIn(args []token, space int) bool {
	for i, t := range args {
		c := t.num
		switch {
		case t.kind != tokNumber:
			return false
		case space == noInk:
			if c > 1-whiteFrom {
				return false
			}
		case i == 0 && c < 100*whiteFrom, i > 0 && math.Abs(c) > 3:
			return false
		}
	}
	return len(args) > 0 && (space == noInk || len(args) == 3)
}

// isWhiteColour reports whether operands are white in a colour space of so many
// components.
func isWhiteColour(args []token, components int) bool {
	if components < 0 {
		return isWhiteIn(args, components)
	}
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
	case "Separation", "DeviceN":
		return noInk
	case "Lab":
		return lightest
	}
	return 0
}

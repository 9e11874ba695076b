package pdf

import (
	"math"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file interprets content streams for what they write: ISO 32000-1,
// section 8 for the graphics state, section 9 for text. Curves, colours and
// pictures do not matter; straight lines do, for tables are ruled with them.

// matrix is [a b c d e f]; points are rows before it.
type matrix [6]float64

func (m matrix) mul(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return x*m[0] + y*m[2] + m[4], x*m[1] + y*m[3] + m[5]
}

// glyph is what one code of a string draws. Coordinates are those of the
// upright page in points, x to the right and y downward.
type glyph struct {
	x, y    float64 // where it begins on its baseline
	dx, dy  float64 // to where the next one begins
	size    float64 // of the font
	turn    int8    // quarters clockwise from upright; -1: aslant
	text    string
	font    *font
	space   bool // white
	inkless bool // it is drawn to be found and copied, not seen
	white   bool
	// spaced is the space that the text around it has between all letters.
	spaced float32
}

// stroke is a straight line along an axis.
type stroke struct{ x0, y0, x1, y1 float64 }

// sheet is what stands on one page.
type sheet struct {
	number        int
	width, height float64
	glyphs        []glyph
	strokes       []stroke
	regions       []region // in reading order, made by layout
	toLeft        bool     // most of its letters are read to the left
	ground        *ground  // nil once the page is read
	blank         bool     // it holds no text
	looks         int      // pieces that may be looked at for gutters
	pictures      []types.StreamDict
}

// state is the part of the graphics state that text needs.
type state struct {
	ctm                  matrix
	font                 *font
	size                 float64
	charSpace, wordSpace float64
	scale, leading, rise float64
	renderMode           int
	penX, penY           float64 // the path's current point
	startX, startY       float64
	fill, stroke         ink
	lineWidth            float64
}

type interpreter struct {
	d     *document
	sheet *sheet
	state
	saved    []state
	tm, lm   matrix
	path     []stroke
	extent   box // of the path, with curves
	forms    int
	operands []float64
	hiding   page.OmissionKind // of the last glyph
	// actual holds the depth of marked content whose text is given by
	// ActualText: glyphs within draw nothing of their own.
	marks []mark
}

// mark is an open marked-content sequence.
type mark struct {
	off     bool // it belongs to a layer that is switched off
	replace bool
	text    string
	used    bool
	first   int // of the glyphs, in its sheet
}

// sheet interprets one page.
func (d *document) sheet(pg pageDict) *sheet {
	x0, y0 := min(pg.box[0], pg.box[2]), min(pg.box[1], pg.box[3])
	w, h := max(pg.box[0], pg.box[2])-x0, max(pg.box[1], pg.box[3])-y0
	var base matrix
	switch pg.rotate {
	case 0:
		base = matrix{1, 0, 0, -1, -x0, y0 + h}
	case 1:
		base = matrix{0, 1, 1, 0, -y0, -x0}
	case 2:
		base = matrix{-1, 0, 0, 1, x0 + w, -y0}
	case 3:
		base = matrix{0, -1, -1, 0, y0 + h, x0 + w}
	}
	if pg.rotate%2 == 1 {
		w, h = h, w
	}
	s := &sheet{width: w, height: h, ground: new(ground), glyphs: d.spare}
	fresh := state{ctm: base, scale: 1, size: 1, fill: ink{alpha: 1}, stroke: ink{alpha: 1}, lineWidth: 1}
	in := &interpreter{d: d, sheet: s, extent: nowhere, state: fresh}
	in.run(d.contents(pg.dict["Contents"]), pg.resources)
	in.annotations(pg.dict, fresh)
	in.dropUnseen()
	s.blank = len(s.glyphs) == 0
	// Looking for tables takes the square of the rules.
	rules := min(len(s.strokes), maxRules)
	d.steps -= rules * rules / rulesPerStep
	s.layout()
	clear(s.glyphs)
	d.spare, s.glyphs, s.strokes = s.glyphs[:0], nil, nil
	return s
}

// contents joins the streams of a page; a token may not span two.
func (d *document) contents(o types.Object) []byte {
	if list := d.array(o); list != nil {
		var out []byte
		for _, part := range list[:min(len(list), maxText)] {
			out = append(append(out, d.stream(part)...), '\n')
		}
		return out
	}
	return d.stream(o)
}

func (in *interpreter) run(content []byte, resources types.Dict) {
	l := lexer{b: content}
	var args []token
	depth, marks, array := len(in.saved), len(in.marks), false
	for in.d.steps > 0 {
		t := l.next()
		if t.kind == tokEnd {
			break
		}
		if t.kind != tokWord {
			if !t.dict && (t.kind == tokOpen || t.kind == tokClose) {
				array = t.kind == tokOpen
			}
			if len(args) < maxOperand || t.kind == tokString && len(args) < 1<<16 {
				args = append(args, t)
			}
			continue
		}
		in.d.steps--
		if array && !endsText(t.text) {
			continue // some programs write operators between the strings of TJ
		}
		array = false
		if string(t.text) == "ID" {
			l.skipImage()
			in.picture()
		} else {
			in.operator(string(t.text), args, resources)
		}
		args = args[:0]
	}
	in.saved = in.saved[:min(depth, len(in.saved))]
	in.marks = in.marks[:min(marks, len(in.marks))]
}

// endsText reports whether an operator shows text or ends it, so that an array
// before it lacks its end.
func endsText(op []byte) bool {
	switch string(op) {
	case "TJ", "ET", "BT", "Q", "Do", "ID":
		return true
	}
	return false
}

// operation carries out an operator whose operands are only numbers, so many of them.
type operation struct {
	operands int
	do       func(in *interpreter, v []float64)
}

var operations = map[string]operation{
	// The graphics state, section 8.4.4.
	"q":  {0, (*interpreter).save},
	"Q":  {0, (*interpreter).restore},
	"cm": {6, func(in *interpreter, v []float64) { in.ctm = matrix(v).mul(in.ctm) }},
	"w":  {1, func(in *interpreter, v []float64) { in.lineWidth = v[0] }},
	// The text state and the position of text, sections 9.3.1 and 9.4.
	"Tc": {1, func(in *interpreter, v []float64) { in.charSpace = v[0] }},
	"Tw": {1, func(in *interpreter, v []float64) { in.wordSpace = v[0] }},
	"Tz": {1, func(in *interpreter, v []float64) { in.scale = v[0] / percent }},
	"TL": {1, func(in *interpreter, v []float64) { in.leading = v[0] }},
	"Ts": {1, func(in *interpreter, v []float64) { in.rise = v[0] }},
	"Tr": {1, func(in *interpreter, v []float64) { in.renderMode = int(v[0]) }},
	"BT": {0, func(in *interpreter, _ []float64) { in.moveTo(identity) }},
	"Tm": {6, func(in *interpreter, v []float64) { in.moveTo(matrix(v)) }},
	"Td": {2, func(in *interpreter, v []float64) { in.nextLine(v[0], v[1]) }},
	"TD": {2, func(in *interpreter, v []float64) { in.leading = -v[1]; in.nextLine(v[0], v[1]) }},
	"T*": {0, func(in *interpreter, _ []float64) { in.nextLine(0, -in.leading) }},
	// Paths, section 8.5: straight lines, and how far all go.
	"m":  {2, func(in *interpreter, v []float64) { in.startX, in.startY = v[0], v[1]; in.curve(v) }},
	"l":  {2, func(in *interpreter, v []float64) { in.line(in.penX, in.penY, v[0], v[1]); in.curve(v) }},
	"h":  {0, func(in *interpreter, _ []float64) { in.line(in.penX, in.penY, in.startX, in.startY) }},
	"c":  {6, (*interpreter).curve},
	"v":  {4, (*interpreter).curve},
	"y":  {4, (*interpreter).curve},
	"re": {4, (*interpreter).rectangle},
	"n":  {0, (*interpreter).endPath},
	"S":  {0, (*interpreter).strokePath},
	"s":  {0, (*interpreter).strokePath},
	"f":  {0, (*interpreter).fillPath},
	"F":  {0, (*interpreter).fillPath},
	"f*": {0, (*interpreter).fillPath},
	"B":  {0, (*interpreter).fillPath},
	"B*": {0, (*interpreter).fillPath},
	"b":  {0, (*interpreter).fillPath},
	"b*": {0, (*interpreter).fillPath},
	// A shading goes everywhere, section 8.7.4. Marked content, section 14.6.
	"sh":  {0, func(in *interpreter, _ []float64) { in.sheet.paint(box{0, 0, in.sheet.width, in.sheet.height}, false) }},
	"EMC": {0, func(in *interpreter, _ []float64) { in.marks = in.marks[:max(len(in.marks)-1, 0)] }},
}

const percent = 100

var identity = matrix{1, 0, 0, 1, 0, 0}

// numbers returns the last n operands; false if they are not numbers.
func (in *interpreter) numbers(args []token, n int) ([]float64, bool) {
	if len(args) < n {
		return nil, false
	}
	in.operands = in.operands[:0]
	for _, t := range args[len(args)-n:] {
		if t.kind != tokNumber {
			return nil, false
		}
		in.operands = append(in.operands, t.num)
	}
	return in.operands, true
}

func (in *interpreter) operator(op string, args []token, resources types.Dict) {
	if o, ok := operations[op]; ok {
		if v, ok := in.numbers(args, o.operands); ok {
			o.do(in, v)
		}
		return
	}
	name := ""
	if len(args) > 0 && args[0].kind == tokName {
		name = string(args[0].text)
	}
	switch op {
	case "Tf":
		if v, ok := in.numbers(args, 1); ok {
			in.size, in.font = v[0], in.d.font(in.d.dict(resources["Font"])[name])
		}
	case "Tj", "TJ":
		in.showAll(args)
	case "'", "\"":
		in.showLine(args)
	case "Do":
		in.form(in.d.dict(resources["XObject"])[name], resources)
	case "g", "rg", "k", "cs", "sc", "scn":
		in.fill.set(in.d, op, args, resources)
	case "G", "RG", "K", "CS", "SC", "SCN":
		in.stroke.set(in.d, strings.ToLower(op), args, resources)
	case "gs":
		in.extended(in.d.dict(in.d.dict(resources["ExtGState"])[name]))
	case "BMC", "BDC":
		in.mark(args, resources)
	}
}

func (in *interpreter) save(_ []float64) {
	if len(in.saved) < maxSaved {
		in.saved = append(in.saved, in.state)
	}
}

func (in *interpreter) restore(_ []float64) {
	if n := len(in.saved); n > 0 {
		in.state, in.saved = in.saved[n-1], in.saved[:n-1]
	}
}

func (in *interpreter) moveTo(m matrix) { in.tm, in.lm = m, m }

func (in *interpreter) nextLine(x, y float64) {
	in.lm = matrix{1, 0, 0, 1, x, y}.mul(in.lm)
	in.tm = in.lm
}

// showLine shows the strings of ' and " on the next line.
func (in *interpreter) showLine(args []token) {
	if v, ok := in.numbers(args[:min(2, len(args))], 2); ok {
		in.wordSpace, in.charSpace = v[0], v[1]
	}
	in.nextLine(0, -in.leading)
	for _, t := range args {
		if t.kind == tokString {
			in.show(t.text)
		}
	}
}

// showAll shows the strings of Tj and TJ; numbers of TJ move the pen.
func (in *interpreter) showAll(args []token) {
	for _, t := range args {
		switch t.kind {
		case tokString:
			in.show(t.text)
		case tokNumber:
			move := -t.num / 1000 * in.size
			if in.font != nil && in.font.composite && in.font.codes.vertical {
				in.tm = matrix{1, 0, 0, 1, 0, move}.mul(in.tm)
			} else {
				in.tm = matrix{1, 0, 0, 1, move * in.scale, 0}.mul(in.tm)
			}
		}
	}
}

func (in *interpreter) show(s []byte) {
	f := in.font
	if f == nil {
		return
	}
	for len(s) > 0 && in.d.steps > 0 {
		in.d.steps--
		text, w, space, n := f.decode(s)
		s = s[n:]
		advance := w*in.size + in.charSpace
		if space {
			advance += in.wordSpace
		}
		step := matrix{1, 0, 0, 1, advance * in.scale, 0}
		bare := w * in.size * in.scale
		vertical := f.composite && f.codes.vertical
		if vertical { // section 9.7.4.3; the usual vector is [880 -1000]
			advance = -in.size + in.charSpace
			step = matrix{1, 0, 0, 1, 0, advance}
		}
		in.put(text, bare, vertical)
		in.tm = step.mul(in.tm)
	}
}

// put notes a glyph that begins at the pen.
func (in *interpreter) put(text string, width float64, vertical bool) {
	s := in.sheet
	if text = in.replaced(text); isSoftHyphen(text) && width != 0 {
		text = "-" // the soft hyphens of a page are those that are drawn
	}
	if text == "" {
		in.widen(width)
	}
	if n := len(s.glyphs); n >= maxGlyphs || text == "" && (n == 0 || s.glyphs[n-1].text != "" && !isRTL(s.glyphs[n-1].text)) {
		return // without text only what stretches Arabic letters matters
	}
	m := in.tm.mul(in.ctm)
	g, ok := in.glyphAt(m, text, width, vertical)
	if !ok {
		return
	}
	if g.inkless = in.renderMode == 3 || in.renderMode == 7; strings.TrimSpace(text) != "" {
		kind := in.unseen(&g)
		if kind != "" {
			in.hide(kind)
			return
		}
		in.hiding = ""
	}
	in.blot(&g)
	g.turn = turnOf(m, in.size, vertical)
	if in.charSpace > 0 && !vertical {
		g.spaced = float32(min(in.charSpace*in.scale*math.Hypot(m[0], m[1]), widestSpaced*g.size))
	}
	g.space = text == " " || text == "\u00a0" || text == "\t"
	s.glyphs = append(s.glyphs, g)
}

// glyphAt is a glyph at the pen; ok is false where that is nowhere.
func (in *interpreter) glyphAt(m matrix, text string, width float64, vertical bool) (g glyph, ok bool) {
	g = glyph{text: text, font: in.font, white: in.inks(func(k ink) bool { return k.white })}
	g.x, g.y = m.apply(0, in.rise)
	ux, uy := m.apply(width, in.rise)
	if vertical {
		ux, uy = m.apply(0, -in.size)
	}
	g.dx, g.dy = ux-g.x, uy-g.y
	g.size = math.Abs(in.size) * in.font.em * math.Hypot(m[2], m[3])
	return g, g.size > 0 && g.size < maxPoint && math.Abs(g.x) < maxPoint && math.Abs(g.y) < maxPoint // not for NaN
}

// replaced returns the text that the page gives for marked content in the place
// of what is drawn: for its first glyph, and "" for the others.
func (in *interpreter) replaced(text string) string {
	for i := range in.marks {
		m := &in.marks[i]
		if !m.replace {
			continue
		}
		if m.used {
			return ""
		}
		m.used, m.first = true, len(in.sheet.glyphs)
		return m.text
	}
	return text
}

// given is the glyph that has the text of marked content; nil where there is none.
func (in *interpreter) given(m *mark) *glyph {
	if !m.used || m.first >= len(in.sheet.glyphs) || in.sheet.glyphs[m.first].text != m.text {
		return nil
	}
	return &in.sheet.glyphs[m.first]
}

// widen makes the glyph that has the text of marked content as wide as what is
// drawn of it on its line.
func (in *interpreter) widen(width float64) {
	for i := range in.marks {
		if g := in.given(&in.marks[i]); g != nil {
			x, y := in.tm.mul(in.ctm).apply(width, in.rise)
			if gap := x - g.x - g.dx; math.Abs(y-g.y-g.dy) < sameRow*g.size && gap > 0 && gap < widestGiven*g.size {
				g.dx += gap
			}
			return
		}
	}
}

// turnOf is the quarter in which a text of a size runs.
func turnOf(m matrix, size float64, vertical bool) int8 {
	if vertical {
		return quarter(-m[2], -m[3])
	}
	dx, dy := m[0]*sign(size), m[1]*sign(size)
	if m[0]*m[3]-m[1]*m[2] > 0 {
		dx, dy = -dx, -dy // mirrored, as in the name of XeTeX; y is downward here
	}
	return quarter(dx, dy)
}

func sign(f float64) float64 {
	if f < 0 {
		return -1
	}
	return 1
}

// quarter is how often a direction is turned clockwise, y being downward; -1
// when it is more than some 15 degrees off.
func quarter(dx, dy float64) int8 {
	ax, ay := math.Abs(dx), math.Abs(dy)
	switch {
	case ay <= ax*aslant && dx >= 0:
		return 0
	case ax <= ay*aslant && dy > 0:
		return 1
	case ay <= ax*aslant:
		return 2
	case ax <= ay*aslant:
		return 3
	}
	return -1
}

// form runs a form XObject, section 8.10.
func (in *interpreter) form(o types.Object, resources types.Dict) {
	s, ok := in.d.get(o).(types.StreamDict)
	if !ok {
		return
	}
	if in.d.isOff(s.Dict["OC"]) {
		in.hide(page.HiddenDisplay)
		return
	}
	if in.d.name(s.Dict["Subtype"]) == "Image" {
		in.picture()
		if len(in.sheet.pictures) < maxPictures {
			in.sheet.pictures = append(in.sheet.pictures, s)
		}
	}
	if in.d.name(s.Dict["Subtype"]) != "Form" || in.forms >= maxForms {
		return
	}
	in.d.steps -= formSteps
	in.forms++
	before, tm, lm := in.state, in.tm, in.lm
	if m := in.d.numbers(s.Dict["Matrix"], 6); m != nil {
		in.ctm = matrix(m).mul(in.ctm)
	}
	if r := in.d.dict(s.Dict["Resources"]); r != nil {
		resources = r
	}
	in.run(in.d.stream(s), resources)
	in.state, in.tm, in.lm = before, tm, lm
	in.forms--
}

// mark opens a marked-content sequence; its properties may give the text of
// what it draws, section 14.9.4.
func (in *interpreter) mark(args []token, resources types.Dict) {
	m := mark{}
	for i, t := range args {
		if t.kind == tokName && string(t.text) == "ActualText" && i+1 < len(args) && args[i+1].kind == tokString {
			m.replace, m.text = true, textString(args[i+1].text)
		}
	}
	if n := len(args); n == 2 && args[1].kind == tokName {
		o := in.d.dict(resources["Properties"])[string(args[1].text)]
		if args[0].kind == tokName && string(args[0].text) == "OC" {
			m.off = in.d.isOff(o)
		}
		props := in.d.dict(o)
		if o, ok := props["ActualText"]; ok {
			m.replace, m.text = true, in.d.text(o)
		}
	}
	if len(in.marks) < maxSaved {
		in.marks = append(in.marks, m)
	}
}

// textString decodes a text string, section 7.9.2.2.
func textString(b []byte) string {
	if len(b) >= 2 && b[0] == 0xfe && b[1] == 0xff {
		return string(utf16Text(b[2:min(len(b), maxText)]))
	}
	t := baseEncoding("WinAnsiEncoding") // near enough to PDFDocEncoding
	out := ""
	for _, c := range b[:min(len(b), maxText)] {
		out += t[c]
	}
	return out
}

// picture paints the unit square.
func (in *interpreter) picture() { in.sheet.paint(in.boxOf(0, 0, 1, 1), true) }

// extended applies a graphics state dictionary, section 8.4.5.
func (in *interpreter) extended(gs types.Dict) {
	if v, ok := in.d.number(gs["ca"]); ok {
		in.fill.alpha = v
	}
	if v, ok := in.d.number(gs["CA"]); ok {
		in.stroke.alpha = v
	}
	if font := in.d.array(gs["Font"]); len(font) == 2 {
		if size, ok := in.d.number(font[1]); ok {
			in.font, in.size = in.d.font(font[0]), size
		}
	}
}

// curve goes on with the path to the last of some points.
func (in *interpreter) curve(v []float64) {
	for ; len(v) >= 2; v = v[2:] {
		in.extent.add(in.ctm.apply(v[0], v[1]))
		in.penX, in.penY = v[0], v[1]
	}
}

func (in *interpreter) rectangle(v []float64) {
	x, y, w, h := v[0], v[1], v[2], v[3]
	in.extent.add(in.ctm.apply(x, y))
	in.extent.add(in.ctm.apply(x+w, y+h))
	in.line(x, y, x+w, y)
	in.line(x+w, y, x+w, y+h)
	in.line(x+w, y+h, x, y+h)
	in.line(x, y+h, x, y)
}

func (in *interpreter) strokePath(_ []float64) { in.paintPath(in.stroke) }
func (in *interpreter) fillPath(_ []float64)   { in.paintPath(in.fill) }
func (in *interpreter) endPath(_ []float64)    { in.path, in.extent = in.path[:0], nowhere }

// paintPath notes the lines of the path, and that it is painted unless it is white.
func (in *interpreter) paintPath(k ink) {
	if room := maxStrokes - len(in.sheet.strokes); room > 0 {
		in.sheet.strokes = append(in.sheet.strokes, in.path[:min(len(in.path), room)]...)
	}
	if !k.white {
		half := math.Abs(in.lineWidth) * math.Hypot(in.ctm[2], in.ctm[3]) / 2
		b := in.extent
		in.sheet.paint(box{b.x0 - half, b.y0 - half, b.x1 + half, b.y1 + half}, false)
	}
	in.endPath(nil)
}

func (in *interpreter) line(x0, y0, x1, y1 float64) {
	if len(in.path) >= maxStrokes {
		return
	}
	var s stroke
	s.x0, s.y0 = in.ctm.apply(x0, y0)
	s.x1, s.y1 = in.ctm.apply(x1, y1)
	if math.Abs(s.x0-s.x1) > thickRule && math.Abs(s.y0-s.y1) > thickRule || !(math.Abs(s.x0)+math.Abs(s.x1)+math.Abs(s.y0)+math.Abs(s.y1) < maxPoint) {
		return
	}
	if s.x0 > s.x1 {
		s.x0, s.x1 = s.x1, s.x0
	}
	if s.y0 > s.y1 {
		s.y0, s.y1 = s.y1, s.y0
	}
	in.path = append(in.path, s)
}

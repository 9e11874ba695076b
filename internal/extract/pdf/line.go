package pdf

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/text/unicode/norm"
)

// This file makes words of glyphs and lines of words. Rules, in parts of the
// font's size, tuned on the documents of Debian's packages (make pdf):
//   - A word ends at white space, at a gap, and where baseline or size change.
//   - Words on one baseline are a row. A small word that touches a larger one
//     a little above or below is its superscript or subscript.
//   - A row falls into pieces at wide gaps; what belongs together is decided
//     when the columns are known.
//
// word is a run of glyphs without a gap.
type word struct {
	x0, x1, base, size float64
	text               string
	font               *font
	space              float64 // the middle of white space drawn after it
	spaceAfter         bool
	rtl                bool
	cells              []placed // in their visible order from the left; of right-to-left words only
	gap                float64  // that means a space; of right-to-left words only
}

// piece is a part of a row without a wide gap, or a ruled table.
type piece struct {
	x0, x1, top, base, size float64
	words                   []word
	row                     int     // which it is of the page
	line                    float64 // where that row stands
	table                   *table
}

// upright gives glyphs coordinates in which their text runs to the right.
func upright(g glyph, turn int8) (x, y, w float64) {
	switch turn {
	case 1:
		return g.y, -g.x, g.dy
	case 2:
		return -g.x, -g.y, -g.dx
	case 3:
		return -g.y, g.x, -g.dy
	case -1:
		return g.x, g.y, math.Hypot(g.dx, g.dy)
	}
	return g.x, g.y, g.dx
}

// placed is a glyph where its word stands.
type placed struct {
	x0, x1 float64
	text   string
	spaced float64 // that far apart are the letters of its word set
}

// wording makes words of glyphs.
type wording struct {
	out []word
	cur word
	in  []placed // the glyphs of cur
	pen pen
}

// wordsOf cuts the glyphs of one direction into words, in the order in which
// they were drawn.
func wordsOf(glyphs []glyph, turn int8) []word {
	m := wording{pen: pen{gap: gapOf(glyphs)}}
	for i := range glyphs {
		g := &glyphs[i]
		if g.turn != turn {
			continue
		}
		x, y, w := upright(*g, turn)
		if at := (placed{min(x, x+w), max(x, x+w), g.text, float64(g.spaced)}); g.space {
			m.space(at, y, g.size)
		} else {
			m.glyph(g, at, y, w)
		}
	}
	m.end()
	return m.out
}

// end ends the current word.
func (m *wording) end() {
	if len(m.in) > 0 {
		m.cur.finish(m.in, &m.pen)
		if m.cur.text != "" {
			m.out = append(m.out, m.cur)
		}
	}
	m.in = m.in[:0]
}

// space ends the word before white space, and notes where that is.
func (m *wording) space(at placed, base, size float64) {
	before := &m.cur
	if n := len(m.out); len(m.in) == 0 || math.Abs(base-m.cur.base) >= size {
		if n == 0 || math.Abs(base-m.out[n-1].base) >= size {
			return
		}
		before = &m.out[n-1]
	}
	if before.spaceAfter, before.space = true, (at.x0+at.x1)/2; before == &m.cur {
		m.end()
	}
}

// glyph adds a glyph of this width to the current word, or begins the next one with it.
func (m *wording) glyph(g *glyph, at placed, base, width float64) {
	rtl := isRTL(at.text)
	switch open := len(m.in) > 0; {
	case open && m.cur.rtl && m.pen.touches(at.x0, at.x1, base, g.size) && m.pen.stretches(at, m.in), at.text == "":
		return
	case open && (rtl || m.cur.rtl):
		if !m.pen.fits(at, base, g.size) {
			m.end()
		} else if !m.pen.letters {
			m.cur.base, m.cur.size = base, g.size
		}
	case open && m.repeats(at, base, g.size, width):
		return
	}
	if len(m.in) == 0 {
		m.cur = word{base: base, size: g.size, font: g.font}
		m.pen.start(at, base, g.size)
	}
	m.cur.rtl = m.cur.rtl || rtl
	m.pen.move(at, base)
	m.in = append(m.in, at)
}

// repeats reports whether a glyph is an accent, which joins the last one, or is drawn twice to
// look bold. It ends the word if the glyph does not fit it.
func (m *wording) repeats(at placed, base, size, width float64) bool {
	last := &m.in[len(m.in)-1]
	ahead, near := at.x0-last.x1-last.spaced, math.Abs(size-m.cur.size) <= sameBase*size
	switch {
	case near && math.Abs(base-m.cur.base) < accentRise*size && accented(last, at.x0, at.x1, at.text):
		if len(m.in) == 1 && combining(at.text) == 0 {
			m.cur.base = base
		}
		return true
	case ahead <= -size/2, ahead >= gapInWord*size, math.Abs(base-m.cur.base) > sameBase*size, !near:
		m.end()
		return false
	}
	return math.Abs(at.x0-last.x0) < gapInWord*size && at.text == last.text && width > sameRow*size
}

// accented joins an accent that was drawn on its own, as TeX does, with the
// letter that it stands over: before it mostly, or after.
func accented(last *placed, x0, x1 float64, drawn string) bool {
	mid := (x0 + x1) / 2
	over := mid > last.x0-accentSlack*(last.x1-last.x0) && mid < last.x1+accentSlack*(last.x1-last.x0) ||
		(last.x0+last.x1)/2 > x0 && (last.x0+last.x1)/2 < x1
	if !over {
		return false
	}
	letter, mark := drawn, combining(last.text)
	if mark == 0 {
		letter, mark = last.text, combining(drawn)
	}
	if mark == 0 || !unicode.IsLetter(firstRune(letter)) || combining(letter) != 0 {
		return false // a quotation mark, and the like
	}
	switch letter {
	case "ı":
		letter = "i"
	case "ȷ":
		letter = "j"
	}
	last.text = norm.NFC.String(letter + string(mark))
	last.x0, last.x1 = min(last.x0, x0), max(last.x1, x1)
	return true
}

// accentMarks are accents, each with its combining form.
var accentMarks = []rune("`\u0300\u02cb\u0300´\u0301\u02ca\u0301^\u0302ˆ\u0302~\u0303˜\u0303¯\u0304\u02c9\u0304˘\u0306˙\u0307¨\u0308˚\u030a˝\u030bˇ\u030c¸\u0327˛\u0328")

// combining is the combining form of an accent, or 0.
func combining(s string) rune {
	for i := 0; i < len(accentMarks); i += 2 {
		if s == string(accentMarks[i]) {
			return accentMarks[i+1]
		}
	}
	return 0
}

// finish makes the text of a word.
func (w *word) finish(in []placed, pen *pen) {
	w.x0, w.x1 = in[0].x0, in[0].x1
	bare := true // only marks so far
	for _, p := range in {
		switch mark := w.rtl && isMark(p.text); {
		case bare && !mark:
			w.x0, w.x1, bare = p.x0, p.x1, false
		case bare == mark:
			w.x0, w.x1 = min(w.x0, p.x0), max(w.x1, p.x1)
		}
	}
	if w.rtl {
		w.gap = pen.gap
		w.cells = slices.Clone(in)
		if pen.way < 0 {
			slices.Reverse(w.cells)
		}
		w.text = readable(logical(elementsOf([]word{*w}), true))
		return
	}
	n := 0
	for _, p := range in {
		n += len(p.text)
	}
	b := make([]byte, 0, n)
	for _, p := range in {
		b = append(b, p.text...)
	}
	w.text = readable(string(b))
}

// rowsOf puts words into rows, from top to bottom, each from left to right.
func rowsOf(words []word) [][]word {
	sort.SliceStable(words, func(i, j int) bool { return words[i].base < words[j].base })
	var rows [][]word
	base, size := 0.0, 0.0
	for _, w := range words {
		if len(rows) == 0 || w.base-base > sameRow*min(size, w.size) {
			rows = append(rows, nil)
			base, size = w.base, w.size
		}
		n := len(rows) - 1
		rows[n] = append(rows[n], w)
	}
	for _, r := range rows {
		sort.SliceStable(r, func(i, j int) bool { return r[i].x0 < r[j].x0 })
	}
	for i, r := range rows {
		rows[i] = slices.CompactFunc(r, overprinted)
	}
	attach(rows)
	out := rows[:0]
	for _, r := range rows {
		if len(r) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// overprinted reports whether a word is drawn again next to where it stands, for
// a shadow or an outline.
func overprinted(a, b word) bool {
	off := math.Abs(a.x0 - b.x0)
	return a.text == b.text && a.size == b.size && off < sameRow*a.size && off < (a.x1-a.x0)/2 && math.Abs(a.base-b.base) < sameRow*a.size
}

// attach moves superscripts and subscripts to the row of what they touch.
func attach(rows [][]word) {
	for i := range rows {
		kept := rows[i][:0:0]
		for _, w := range rows[i] {
			to := -1
			for _, k := range []int{i + 1, i - 1, i + 2, i - 2, i + 3, i - 3} {
				if k >= 0 && k < len(rows) && len(rows[k]) < maxRowWords && touches(rows[k], w) {
					to = k
					break
				}
			}
			if to < 0 {
				kept = append(kept, w)
				continue
			}
			r := rows[to]
			at := sort.Search(len(r), func(n int) bool { return r[n].x0 > w.x0 })
			rows[to] = append(r[:at:at], append([]word{w}, r[at:]...)...)
		}
		rows[i] = kept
	}
}

// touches reports whether w stands at the side of a larger word of the row.
func touches(row []word, w word) bool {
	at := sort.Search(len(row), func(n int) bool { return row[n].x0 > w.x0 })
	for k := max(0, at-2); k < min(len(row), at+2); k++ {
		n := row[k]
		slack, off := besideGap*n.size, math.Abs(n.base-w.base)
		switch {
		case n.size >= largerSize*w.size && off <= maxRise*n.size:
		case n.size >= (1-sameBase)*w.size && off <= accentRise*n.size && len(w.text) <= 2: // the E of TeX
			slack = sameBase * n.size
		default:
			continue
		}
		if gap := w.x0 - n.x1; gap > -maxOverlap*n.size && gap < slack {
			return true
		}
		if gap := n.x0 - w.x1; gap > -maxOverlap*n.size && gap < slack {
			return true
		}
	}
	return false
}

// piecesOf cuts rows at wide gaps.
func piecesOf(rows [][]word) []piece {
	var out []piece
	for i, row := range rows {
		from := 0
		right := 0.0
		for k := range row {
			if k > from && row[k].x0-right > gapOfPiece*max(row[k].size, row[k-1].size) {
				out = append(out, newPiece(row[from:k], i))
				from = k
			}
			if k == from {
				right = row[k].x1
			}
			right = max(right, row[k].x1)
		}
		if from < len(row) {
			out = append(out, newPiece(row[from:], i))
		}
		for k := range out {
			if p := &out[len(out)-1-k]; p.row == i {
				p.line = row[0].base
				continue
			}
			break
		}
	}
	return out
}

func newPiece(words []word, row int) piece {
	p := piece{x0: words[0].x0, x1: words[0].x1, words: words, row: row}
	most := 0.0
	for _, w := range words {
		p.x1 = max(p.x1, w.x1)
		p.x0 = min(p.x0, w.x0)
		if n := w.x1 - w.x0; n > most {
			most, p.base, p.size = n, w.base, w.size
		}
	}
	if most == 0 {
		p.base, p.size = words[0].base, words[0].size
	}
	p.top = p.base - ascent*p.size
	return p
}

// line is a line of a column.
type line struct {
	x0, x1, base, size float64
	text               string
	chars              int
	bold, mono         bool // all of it
	toLeft             bool
	table              *table
	first              float64 // width of its first word, or of its first character in writing without spaces
	columns            bool    // it has wide gaps, as the row of a table
	running            bool    // repeated on other pages
}

// lineOf makes a line of a row.
func lineOf(r *row, sheetToLeft bool) line {
	words := r.words
	l := line{x0: r.x0, x1: r.x1, base: r.base, size: r.size}
	for i := 1; i < len(r.cells); i++ {
		if first := r.text(r.cells[0]); r.cells[i].x0-r.cells[i-1].x1 > gapOfRow*r.size && !isMarker(first) && (i > 1 || len(first) > maxMarker) {
			l.columns = true
		}
	}
	bold, mono := 0, 0
	for _, w := range words {
		n := utf8.RuneCountInString(w.text)
		l.chars += n
		if w.font != nil && w.font.bold {
			bold += n
		}
		if w.font != nil && w.font.mono {
			mono += n
		}
	}
	l.bold, l.mono = (l.chars-bold)*nearlyAll <= l.chars, (l.chars-mono)*nearlyAll <= l.chars
	l.toLeft = toLeft(words, sheetToLeft)
	if l.mono {
		l.text = spacedOut(words)
		return l
	}
	l.text = foldLeaders(joinWords(words, sheetToLeft))
	first := &words[0]
	if l.toLeft {
		first = &words[len(words)-1]
	}
	if l.first = first.x1 - first.x0; isHan(firstRune(first.text)) {
		l.first = first.size
	}
	return l
}

// spacedOut writes words of one width with as many spaces as there is room for.
func spacedOut(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 && spaced(words[i-1], w) {
			n := int(math.Round((w.x0 - words[i-1].x1) / (monoWidth * w.size)))
			b.WriteString(strings.Repeat(" ", min(max(n, 1), maxIndent)))
		}
		b.WriteString(w.text)
	}
	return strings.TrimSpace(text.Clean(strings.ReplaceAll(b.String(), "\uFFFD", ""), text.Verbatim, nil))
}

// joinWords writes words with spaces where there were any, in the order of
// reading.
func joinWords(words []word, sheetToLeft bool) string {
	if slices.ContainsFunc(words, func(w word) bool { return w.rtl }) {
		return clean(readable(logical(elementsOf(words), toLeft(words, sheetToLeft))))
	}
	var b []byte
	for i, w := range words {
		if i > 0 && spaced(words[i-1], w) {
			b = append(b, ' ')
		}
		b = append(b, w.text...)
	}
	return clean(string(b))
}

// spaced reports whether a space stands between a word and its right
// neighbour. Han and Kana are set with gaps that mean none.
func spaced(a, b word) bool {
	gap := b.x0 - a.x1
	size := max(a.size, b.size)
	if spaceDrawn(a, b, touching*size) || isNoteMark(a, b) && len(b.text) > 1 && gap > -gapInWord*size && unicode.IsLetter(firstRune(b.text)) || isNoteMark(b, a) && endsWord(a.text) {
		return true
	}
	if a.size < b.size*otherSize || b.size < a.size*otherSize {
		size = min(a.size, b.size) * otherSpace
	}
	last, _ := utf8.DecodeLastRuneInString(a.text)
	first, _ := utf8.DecodeRuneInString(b.text)
	if isHan(last) || isHan(first) {
		return gap > size/2
	}
	if a.rtl || b.rtl {
		return gap > max(a.gap, b.gap)*size
	}
	return gap > gapOfSpace*size
}

// spaceDrawn reports whether white space is drawn between two words. What the next one was drawn
// over is none.
func spaceDrawn(a, b word, slack float64) bool {
	return a.spaceAfter && a.space > a.x0 && b.x0 > a.space-slack || b.rtl && b.spaceAfter && b.space < b.x1 && a.x1 < b.space+slack
}

// isNoteMark reports whether a word is the mark of a footnote beside another one.
func isNoteMark(mark, beside word) bool {
	return mark.size < smaller*beside.size && mark.base < beside.base-raised*beside.size && onlyNumber(mark.text)
}

// endsWord reports whether a text ends in a word or in punctuation, and not in a
// symbol or a unit such as "km".
func endsWord(s string) bool {
	letters := 0
	for _, r := range s {
		if letters++; !unicode.IsLetter(r) {
			letters = 0
		}
	}
	return letters > 2 || strings.HasSuffix(s, ".") || strings.HasSuffix(s, ",")
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// isHan reports whether a rune belongs to writing without spaces.
func isHan(r rune) bool {
	return r >= 0x2e80 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe4f || r >= 0xff00 && r <= 0xffef || r >= 0x20000 && r <= 0x3ffff
}

package pdf

import (
	"math"
	"slices"
	"sort"
)

// This file finds the order of reading. A page is cut at the gutters between
// columns of text; what crosses a gutter, as a title does, cuts the columns
// into bands that are read one after the other. Columns of a table are not
// columns of text: their lines are short, and their rows stay together.

// region is a column, or a part of one, with its lines.
type region struct {
	lines   []line
	turned  bool
	numbers bool // of lines, at a margin
}

// layout makes the regions of a sheet: upright text first, then what is turned.
func (s *sheet) layout() {
	for _, turn := range []int8{0, 1, 3, 2, -1} {
		words := wordsOf(s.glyphs, turn)
		if len(words) == 0 {
			continue
		}
		left, right := lettersOf(words)
		s.toLeft = left > right
		var tables []*table
		if turn == 0 {
			tables, words = takeTables(s.strokes, words, s.toLeft)
		}
		numbers, words := takeLineNumbers(words)
		pieces := piecesOf(rowsOf(words))
		for i, t := range tables {
			pieces = append(pieces, piece{x0: t.x0, x1: t.x1, top: t.y0, line: t.y0, base: t.y1, size: t.size, row: -1 - i, table: t})
		}
		from := len(s.regions)
		s.looks = maxLooks * (len(pieces) + groundCells)
		s.columns(pieces, 0)
		for i := from; i < len(s.regions); i++ {
			s.regions[i].turned = turn != 0
		}
		if len(numbers) > 0 {
			s.regions = append(s.regions, region{lines: linesOf(piecesOf(rowsOf(numbers)), false), turned: turn != 0, numbers: true})
		}
	}
}

// columns appends the regions of pieces in the order of reading.
func (s *sheet) columns(pieces []piece, depth int) {
	if len(pieces) == 0 {
		return
	}
	if depth < maxColumnDepth {
		if at, ok := s.gutter(pieces, depth); ok {
			s.bands(pieces, at, depth)
			return
		}
	}
	s.regions = append(s.regions, region{lines: linesOf(pieces, s.toLeft)})
}

// gutter finds the middle of a gap between two columns of text.
func (s *sheet) gutter(pieces []piece, depth int) (at float64, ok bool) {
	if s.looks -= len(pieces); len(pieces) < minColumnRows+2 || depth > maxColumnDepth || s.looks < 0 {
		return 0, false
	}
	left, right := math.Inf(1), math.Inf(-1)
	size := 0.0
	for _, p := range pieces {
		left, right = min(left, p.x0), max(right, p.x1)
		size += p.size
	}
	size /= float64(len(pieces))
	width := right - left
	if width < minColumnEms*size {
		return 0, false
	}
	beside := besideMiddle(pieces, left, right)
	if len(beside)*minBeside < len(pieces) {
		return 0, false
	}
	need := int(math.Ceil(size / 2 / width * strips))
	for _, slack := range []int{max(2, len(beside)/inGutter), 0} {
		for _, g := range gapsOf(beside, left, width, need, slack) {
			x := left + (float64(g.from)+float64(g.to))/2*width/strips
			if s.areColumns(pieces, x, left, right, depth) {
				return x, true
			}
		}
	}
	return 0, false
}

// besideMiddle leaves out what stands alone in its row around the middle: titles and
// abstracts over both columns say nothing about a gutter, even where they are most of
// the page.
func besideMiddle(pieces []piece, left, right float64) []*piece {
	width := right - left
	inRow := map[int]int{}
	for i := range pieces {
		inRow[pieces[i].row]++
	}
	var beside []*piece
	for i := range pieces {
		p := &pieces[i]
		if off := p.x0 + p.x1 - left - right; inRow[p.row] > 1 || math.Abs(off) > minColumn*width || p.x0 > left+width/2 || p.x1 < left+width/2 {
			beside = append(beside, p)
		}
	}
	return beside
}

// gap is a run of strips.
type gap struct{ from, to int }

// gapsOf returns the four widest runs of the least covered strips within the middle, of
// need strips at least; none if every strip there is covered by half of the pieces.
func gapsOf(pieces []*piece, left, width float64, need, slack int) []gap {
	cover := covered(pieces, left, width)
	least := math.MaxInt
	lo, hi := strips/nearlyAll, strips-strips/nearlyAll
	for i := lo; i < hi; i++ {
		least = min(least, cover[i])
	}
	if least*2 > len(pieces) {
		return nil
	}
	least += slack // a page number or a formula in a gutter
	var gaps []gap
	for i := lo; i < hi; {
		if cover[i] > least {
			i++
			continue
		}
		j := i
		for j < hi && cover[j] <= least {
			j++
		}
		if j-i >= need {
			gaps = append(gaps, gap{i, j})
		}
		i = j
	}
	sort.SliceStable(gaps, func(i, j int) bool { return gaps[i].to-gaps[i].from > gaps[j].to-gaps[j].from })
	return gaps[:min(len(gaps), maxGaps)]
}

// covered counts the pieces over each strip.
func covered(pieces []*piece, left, width float64) (cover [strips + 1]int) {
	strip := func(x float64) int { return int((x - left) / width * strips) }
	for _, p := range pieces {
		cover[strip(p.x0)]++
		if to := strip(p.x1) + 1; to <= strips {
			cover[to]--
		}
	}
	for i := 1; i <= strips; i++ {
		cover[i] += cover[i-1]
	}
	return cover
}

// side sums up the pieces of text at one side of a gutter.
type side struct {
	rows             map[int][2]float64 // from where to where each goes
	x0, x1, top, end float64
	widths           []float64
	size             float64 // of all pieces together
	pieces           []piece
	bases            []float64 // of its rows
}

func (s *side) add(p *piece) {
	if s.rows == nil {
		*s = side{rows: map[int][2]float64{}, x0: p.x0, x1: p.x1, top: p.top, end: p.base}
	}
	row, ok := s.rows[p.row]
	if !ok {
		row = [2]float64{p.x0, p.x1}
		s.bases = append(s.bases, p.base)
	}
	s.pieces = append(s.pieces, *p)
	s.rows[p.row] = [2]float64{min(row[0], p.x0), max(row[1], p.x1)}
	s.x0, s.x1 = min(s.x0, p.x0), max(s.x1, p.x1)
	s.top, s.end = min(s.top, p.top), max(s.end, p.base)
	s.widths = append(s.widths, p.x1-p.x0)
	s.size += p.size
}

// isText: enough rows, and half of what is inked are lines as long as those of
// text are. Cells of a table are shorter; scraps of formulas are many, yet
// weigh little.
func (s *side) isText() bool { return len(s.rows) >= minColumnRows && s.long(s.widths) }

// isFilled is isText for rows with gaps, as tables and tables of contents have.
func (s *side) isFilled() bool {
	widths := make([]float64, 0, len(s.rows))
	for _, r := range s.rows {
		widths = append(widths, r[1]-r[0])
	}
	return len(s.rows) >= 2*minColumnRows && s.long(widths)
}

func (s *side) long(widths []float64) bool {
	sort.Float64s(widths)
	ink := 0.0
	for _, w := range widths {
		ink += w
	}
	typical, sum := 0.0, 0.0
	for _, typical = range widths {
		if sum += typical; sum*2 >= ink {
			break
		}
	}
	return typical >= minFill*(s.x1-s.x0) && typical >= minColumnEms*s.size/float64(len(s.widths))
}

// isProse reports whether most lines are full.
func (s *side) isProse() bool {
	full := 0.0
	for _, w := range s.widths {
		if w > filledCell*(s.x1-s.x0) {
			full++
		}
	}
	n := float64(len(s.widths))
	return len(s.rows) >= minColumnRows && full >= proseFull*n && s.x1-s.x0 > minColumnEms*s.size/n
}

// isNote reports whether lines follow each other closely, as those of a side note or
// of contents do, and the labels of paragraphs do not.
func (s *side) isNote() bool {
	sort.Float64s(s.bases)
	close := 0
	for i := 1; i < len(s.bases); i++ {
		if s.bases[i]-s.bases[i-1] < noteStep*s.size/float64(len(s.widths)) {
			close++
		}
	}
	return close > 0 && close*2 >= len(s.bases)-1
}

// areColumns reports whether x is between two columns of text that stand side by side,
// or between prose and a side note. Columns that are filled are enough where their lines
// are not on the same rows, as those of a table would be.
func (s *sheet) areColumns(pieces []piece, x, left, right float64, depth int) bool {
	l, r := sidesOf(pieces, x)
	if x-left < minColumn*(right-left) || right-x < minColumn*(right-left) || min(l.end, r.end)-max(l.top, r.top) < besidePart*min(l.end-l.top, r.end-r.top) {
		return false
	}
	columns := func(one *side) bool {
		if one.isText() {
			return true
		}
		_, ok := s.gutter(one.pieces, depth+1)
		return ok
	}
	if columns(&l) && columns(&r) || l.isProse() && r.isNote() || r.isProse() && l.isNote() {
		return true
	}
	return float64(l.shared(&r)) < sharedRows*float64(min(len(l.rows), len(r.rows))) && l.isFilled() && r.isFilled()
}

// sidesOf sums up the pieces of text left and right of x.
func sidesOf(pieces []piece, x float64) (l, r side) {
	for i := range pieces {
		p := &pieces[i]
		switch {
		case p.table != nil:
		case p.x1 <= x:
			l.add(p)
		case p.x0 >= x:
			r.add(p)
		}
	}
	return l, r
}

// shared counts the rows that both sides have.
func (s *side) shared(other *side) (n int) {
	for row := range s.rows {
		if _, ok := other.rows[row]; ok {
			n++
		}
	}
	return n
}

// bands cuts pieces where something crosses the gutter, and reads the left
// side of each band before the right, or the right one first where writing runs
// to the left.
func (s *sheet) bands(pieces []piece, x float64, depth int) {
	sort.SliceStable(pieces, func(i, j int) bool { return pieces[i].line < pieces[j].line })
	pieces, crossing := cross(pieces, x)
	var first, second, across []piece
	for _, p := range pieces {
		if crossing[p.row] {
			s.columns(first, depth+1)
			s.columns(second, depth+1)
			first, second = nil, nil
			across = append(across, p)
			continue
		}
		s.columns(across, depth+1)
		across = nil
		if p.x0+p.x1 <= 2*x != s.toLeft {
			first = append(first, p)
		} else {
			second = append(second, p)
		}
	}
	s.columns(first, depth+1)
	s.columns(second, depth+1)
	s.columns(across, depth+1)
}

// cross finds the rows that cross the gutter at x. What only protrudes into it
// does not, nor does a line that is too long for its column and runs into the
// other: it is cut where the other begins.
func cross(pieces []piece, x float64) ([]piece, map[int]bool) {
	end, begin, ok := columnEdges(pieces, x)
	if !ok {
		return pieces, nil
	}
	rows := map[int]bool{}
	out := make([]piece, 0, len(pieces))
	for i := range pieces {
		p := pieces[i]
		protrudes := p.x0 >= min(x, end) || p.x1 <= max(x, begin)
		if k := tooLong(&p, begin); !protrudes && k > 0 && within(pieces, i, &p) {
			for _, part := range [][]word{p.words[:k], p.words[k:]} {
				cut := newPiece(part, p.row)
				cut.line = p.line
				out = append(out, cut)
			}
			continue
		}
		out = append(out, p)
		if !protrudes || p.x0 < x && p.x1 > x && (p.table != nil || !within(pieces, i, &p)) {
			rows[p.row] = true // a title, or a formula
		}
	}
	return out, rows
}

// columnEdges returns where the lines left of x mostly end, and where those right of it
// mostly begin; false if one side has none.
func columnEdges(pieces []piece, x float64) (end, begin float64, ok bool) {
	var ends, begins []float64
	for _, p := range pieces {
		switch {
		case p.table != nil:
		case p.x1 <= x:
			ends = append(ends, p.x1)
		case p.x0 >= x:
			begins = append(begins, p.x0)
		}
	}
	if len(ends) == 0 || len(begins) == 0 {
		return 0, 0, false
	}
	sort.Float64s(ends)
	sort.Float64s(begins)
	return ends[len(ends)-1-len(ends)/nearlyAll], begins[len(begins)/nearlyAll], true
}

// tooLong returns the index of the word from which on a line belongs to the other
// column, which begins at begin; 0 if the line has no gap there.
func tooLong(p *piece, begin float64) int {
	k := sort.Search(len(p.words), func(k int) bool { return p.words[k].x0 >= begin-besideGap*p.size })
	if p.table != nil || k == 0 || k == len(p.words) || p.words[k].x0-begin >= p.size/2 {
		return 0
	}
	if gap := p.words[k].x0 - newPiece(p.words[:k], 0).x1; gap <= p.size/2 && gap >= 0 {
		return 0
	}
	return k
}

// within reports whether other lines stand close above and below one.
func within(pieces []piece, i int, p *piece) bool {
	above, below := false, false
	for k := i - 1; k >= 0 && !above && p.line-pieces[k].line < closeLines*p.size; k-- {
		above = pieces[k].row != p.row
	}
	for k := i + 1; k < len(pieces) && !below && pieces[k].line-p.line < closeLines*p.size; k++ {
		below = pieces[k].row != p.row
	}
	return above && below
}

// linesOf makes the lines of a region from top to bottom.
func linesOf(pieces []piece, sheetToLeft bool) []line {
	rows := pieceRows(pieces)
	var out []line
	fails, skip := 0, 0 // runs that are no table, and the row up to which no other is looked for
	for i := 0; i < len(rows); i++ {
		t := rows[i].table
		if t == nil && i >= skip {
			found, n := alignedTable(rows[i:], sheetToLeft)
			if t = found; t != nil {
				i += n - 1
				fails = 0
			} else if fails++; n > 0 && fails >= maxFails {
				fails, skip = 0, i+n
			}
		}
		if t != nil {
			out = append(out, line{x0: t.x0, x1: t.x1, base: t.y1, size: t.size, table: t})
		} else if l := lineOf(&rows[i], sheetToLeft); l.text != "" {
			out = append(out, l)
		}
	}
	return slices.Clone(out) // of the size that is needed: all pages are kept until blocks are made
}

// pieceRows puts pieces in the order of their lines and joins those of one row.
func pieceRows(pieces []piece) (rows []row) {
	sort.SliceStable(pieces, func(i, j int) bool { return pieces[i].line < pieces[j].line })
	for i := 0; i < len(pieces); {
		r, j := row{table: pieces[i].table}, i+1
		if r.table == nil {
			for j < len(pieces) && pieces[j].row == pieces[i].row && pieces[j].table == nil {
				j++
			}
			sort.SliceStable(pieces[i:j], func(a, b int) bool { return pieces[i+a].x0 < pieces[i+b].x0 })
			var words []word
			for _, p := range pieces[i:j] {
				words = append(words, p.words...)
			}
			r = newRow(words)
		}
		if n := len(rows); n > 0 {
			r.step = r.base - rows[n-1].base
		}
		rows = append(rows, r)
		i = j
	}
	return rows
}

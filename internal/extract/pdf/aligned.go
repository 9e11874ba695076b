package pdf

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// This file finds tables without upright rules, e.g. those of LaTeX's booktabs or of
// HTML without borders: consecutive rows with words at the same places.
//
//  1. A run is consecutive rows that have a gap at the same place. A row of one cell
//     goes on with it if it keeps to a column or is followed by a row of several.
//  2. The rows with most cells define the columns; a cell over several spans them.
//  3. It is a table if it has three rows of several cells that are aligned at the
//     left, the right or the middle of their columns. Lists, contents, formulas and
//     columns of prose are none. In doubt each row stays a line of its own.
//  4. Lines that a row goes on in are joined to it.

// row is a row of words within a region.
type row struct {
	words            []word
	cells            []span
	x0, x1           float64
	base, size, step float64 // step: from the row above
	mono             bool
	table            *table // a ruled table in its place
}

// span is a part of a row without a wide gap: words[from:to].
type span struct {
	x0, x1   float64
	from, to int
	col, end int // columns that it covers
}

func newRow(words []word) row {
	p := newPiece(words, 0)
	r := row{words: words, x0: p.x0, x1: p.x1, base: p.base, size: p.size, mono: true}
	for _, w := range words {
		r.mono = r.mono && w.font != nil && w.font.mono
	}
	for i := range words {
		w, n := &words[i], len(r.cells)-1
		if n < 0 || w.x0-r.cells[n].x1 > gapOfCell*max(w.size, r.size) {
			r.cells = append(r.cells, span{x0: w.x0, x1: w.x1, from: i})
			n++
		}
		c := &r.cells[n]
		c.x0, c.x1, c.to = min(c.x0, w.x0), max(c.x1, w.x1), i+1
	}
	return r
}

// text is the text of a cell, for its kind only.
func (r *row) text(c span) string {
	var b strings.Builder
	for _, w := range r.words[c.from:c.to] {
		b.WriteString(w.text)
	}
	return b.String()
}

// leads reports whether dots lead to the end of the row, as in contents.
func (r *row) leads() bool {
	dots := 0
	for _, w := range r.words {
		if strings.Trim(w.text, ".") == "" {
			dots += len(w.text)
		} else if strings.HasSuffix(w.text, "...") {
			dots += leaderDots
		}
	}
	return dots >= leaderDots
}

// alignedTable returns the table that begins with the first of the rows, and how many
// of them it has. It returns nil and the length of the run if the run is no table.
func alignedTable(rows []row, toLeft bool) (*table, int) {
	n := runOf(rows)
	if n < minTableRows {
		return nil, n
	}
	rows = rows[:n]
	cols := columnsOf(rows)
	if len(cols) < 2 || len(cols) > maxGrid || !isTable(rows, cols) {
		return nil, n
	}
	t := &table{x0: cols[0].x0, x1: cols[len(cols)-1].x1, y0: rows[0].base - rows[0].size, y1: rows[n-1].base, size: rows[0].size}
	var out [][]cell
	for _, group := range joinRows(rows, cols) {
		cells := make([]cell, 0, len(cols))
		for k := 0; k < len(cols); {
			c := cell{span: 1}
			for i := range group {
				for _, s := range group[i].cells {
					if s.col >= k && s.col < k+c.span {
						c.words = append(c.words, group[i].words[s.from:s.to]...)
						c.span = max(c.span, s.end-k)
					}
				}
			}
			cells = append(cells, c)
			k += c.span
		}
		out = append(out, cells)
	}
	t.block = newTable(out, toLeft)
	return t, n
}

// runOf counts the rows from the first on that have a gap in common.
func runOf(rows []row) (n int) {
	first := &rows[0] // or the line above, where the first row has its cells in the middle
	if len(rows) > 1 && rows[1].step < minRowStep*first.size {
		first = &rows[1]
	}
	if len(first.cells) < 2 || len(first.cells) > maxGrid || rows[0].table != nil {
		return 0
	}
	cols := merge(nil, rows[0].cells)
	single := 0 // rows of one cell in a row
	for i := 1; i < len(rows); i++ {
		r := &rows[i]
		if r.standsOff(&rows[0]) {
			return n
		}
		next := merge(cols, r.cells)
		switch {
		case len(r.cells) >= 2 && len(next) >= 2:
			cols, single, n = next, 0, i+1
		case len(r.cells) >= 2 || single >= maxSingle:
			return n
		case len(next) == len(cols) && r.x0 > cols[0].x1 && r.step < maxWrapStep*r.size: // goes on in a later column
			cols, n = next, i+1
		case len(next) < len(cols) && r.x1-r.x0 > widestSpan*(cols[len(cols)-1].x1-cols[0].x0):
			return n // a line of prose
		default:
			single++
		}
	}
	return n
}

// standsOff reports whether a row is in no table with the first one: it is too far below, or of
// another size.
func (r *row) standsOff(first *row) bool {
	return r.table != nil || len(r.cells) > maxGrid || r.step > maxRowStep*r.size || r.step < 0 || math.Abs(r.size-first.size) > sameSize*r.size
}

// merge adds spans to others; those that overlap become one.
func merge(cols, cells []span) []span {
	out := slices.Clone(cols)
	for _, c := range cells {
		i, j := c.over(out)
		for _, o := range out[i:j] {
			c.x0, c.x1 = min(c.x0, o.x0), max(c.x1, o.x1)
		}
		out = slices.Replace(out, i, j, c)
	}
	return out
}

// columnsOf finds the columns: the rows with most cells define them. It notes for
// each cell which ones it covers.
func columnsOf(rows []row) []span {
	order := make([]*row, len(rows))
	for i := range rows {
		order[len(rows)-1-i] = &rows[i] // headers last
	}
	sort.SliceStable(order, func(i, j int) bool { return len(order[i].cells) > len(order[j].cells) })
	for len(order) > 2 && len(order[0].cells) > len(order[1].cells) { // one row alone defines nothing
		order = append(order[1:], order[0])
	}
	var cols []span
	for _, r := range order {
		for _, c := range r.cells {
			switch i, j := c.over(cols); j - i {
			case 0:
				cols = slices.Insert(cols, i, c)
			case 1:
				cols[i].x0, cols[i].x1 = min(cols[i].x0, c.x0), max(cols[i].x1, c.x1)
			}
		}
	}
	for i := range rows {
		r := &rows[i]
		for k := range r.cells {
			r.cells[k].place(cols)
		}
	}
	return cols
}

// place notes which columns a cell covers.
func (c *span) place(cols []span) {
	from, to := c.over(cols)
	c.col = min(from, len(cols)-1)
	c.end = max(to, c.col+1)
}

// over returns which of some sorted spans a cell overlaps.
func (c *span) over(cols []span) (from, to int) {
	return sort.Search(len(cols), func(n int) bool { return cols[n].x1 >= c.x0 }),
		sort.Search(len(cols), func(n int) bool { return cols[n].x0 > c.x1 })
}

// isTable reports whether rows in these columns are a table.
func isTable(rows []row, cols []span) bool {
	if !haveCells(rows) {
		return false
	}
	aligned, prose, marks := 0, 0, 0
	for k := range cols {
		c := columnOf(rows, cols, k)
		if c.aligned {
			aligned++
		}
		if c.prose {
			prose++
		}
		if c.marks && k == 0 || k == 1 && !c.numbers {
			marks++
		}
	}
	return aligned*3 >= len(cols)*2 && prose < 2 && (marks < 2 || len(cols) > 2)
}

// haveCells reports whether rows have several cells, as those of a table: few are code, the
// lines of a formula, or contents.
func haveCells(rows []row) bool {
	several, others := 0, [3]int{}
	for i := range rows {
		r := &rows[i]
		if len(r.cells) >= 2 && r.cells[len(r.cells)-1].col > r.cells[0].col {
			several++
		}
		stacked := i > 0 && r.step < minRowStep*r.size && len(merge(r.cells, rows[i-1].cells)) < len(r.cells)+len(rows[i-1].cells) // as in fractions
		for k, is := range [...]bool{r.mono, stacked, r.leads()} {
			if is {
				others[k]++
			}
		}
	}
	return several >= minTableRows && others[0]*2 <= len(rows) && others[1]*4 <= len(rows) && others[2]*4 <= len(rows)
}

// column is what the cells of a column have in common.
type column struct {
	aligned bool // at the left, the right or the middle
	prose   bool // long lines that fill it
	marks   bool // bullets or numbers of a list
	numbers bool
}

func columnOf(rows []row, cols []span, k int) column {
	var left, right, mid []float64
	long, marks, numbers, size := 0, 0, 0, 0.0
	for i := range rows {
		for _, c := range rows[i].cells {
			if c.col != k || c.end != k+1 {
				continue
			}
			left, right, mid = append(left, c.x0), append(right, c.x1), append(mid, (c.x0+c.x1)/2)
			size = rows[i].size
			if c.x1-c.x0 > minColumnEms*size && c.x1-c.x0 > filledCell*(cols[k].x1-cols[k].x0) {
				long++
			}
			if isMarker(rows[i].text(c)) {
				marks++
			}
			if isNumeric(rows[i].text(c)) {
				numbers++
			}
		}
	}
	n := len(left)
	return column{
		aligned: n > 1 && max(near(left, size), near(right, size), near(mid, size)) >= alignedPart*float64(n),
		prose:   n > 0 && long*2 > n,
		marks:   n > 0 && marks == n,
		numbers: numbers*2 > n,
	}
}

// near counts the values that are all but equal to the median.
func near(v []float64, size float64) (n float64) {
	if len(v) == 0 {
		return 0
	}
	sort.Float64s(v)
	for _, x := range v {
		if math.Abs(x-v[len(v)/2]) < alignedSlack*size {
			n++
		}
	}
	return n
}

// isMarker reports whether a text is the mark of a list item or the number of a
// heading: "•", "1.", "[12]", "(a)", "2.1.3".
func isMarker(s string) bool {
	inner := strings.Trim(s, "()[].")
	if strings.Trim(inner, "0123456789.") == "" && inner != "" {
		return inner != s || strings.Contains(inner, ".")
	}
	r := firstRune(s)
	return len([]rune(s)) == 1 && !unicode.IsDigit(r) && !unicode.IsLetter(r) || inner != s && len(inner) <= maxMarker
}

// joinRows joins the lines that are one row: those that overlap; those that stand
// closer than rows do; and a line that only goes on in a later column.
func joinRows(rows []row, cols []span) (out [][]row) {
	least, full, some := math.Inf(1), 0, false
	for i := range rows {
		if i > 0 && rows[i].step >= minRowStep*rows[i].size {
			least = min(least, rows[i].step)
		}
		full = max(full, len(rows[i].cells))
	}
	for i := range rows {
		some = some || len(rows[i].cells) < full
	}
	bySpace := cutRows(rows, func(i int) bool { return rows[i].step > widerStep*least })
	if some && len(bySpace) >= minTableRows && !slices.ContainsFunc(bySpace, func(g []row) bool { return twoNumbers(g, len(cols)) }) {
		return bySpace
	}
	return cutRows(rows, func(i int) bool {
		r, before := &rows[i], &rows[i-1]
		if r.step < minRowStep*r.size {
			return false
		}
		if len(r.cells) > 1 || r.cells[0].col == 0 || r.step > maxWrapStep*r.size || isNumeric(r.text(r.cells[0])) {
			return true
		}
		return !slices.ContainsFunc(before.cells, func(c span) bool {
			return c.col == r.cells[0].col && c.x1-c.x0 > wrapFill*(cols[c.col].x1-cols[c.col].x0)
		})
	})
}

// cutRows cuts rows before those that begin one.
func cutRows(rows []row, begins func(i int) bool) (out [][]row) {
	from := 0
	for i := 1; i <= len(rows); i++ {
		if i == len(rows) || begins(i) {
			out = append(out, rows[from:i])
			from = i
		}
	}
	return out
}

// twoNumbers reports whether a column has two numbers in lines that may be one row, or
// several lines that are full: then they are several rows.
func twoNumbers(group []row, cols int) bool {
	numbers := make([]int, cols)
	full := 0
	for i := range group {
		if len(group[i].cells) == cols && cols > 2 {
			full++
		}
		for _, c := range group[i].cells {
			if isNumeric(group[i].text(c)) {
				numbers[c.col]++
			}
		}
	}
	return slices.ContainsFunc(numbers, func(n int) bool { return n > 1 }) || full > 1
}

// isNumeric reports whether most of a short text is digits.
func isNumeric(s string) bool {
	digits, letters := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits > letters
}

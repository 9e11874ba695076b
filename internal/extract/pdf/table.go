package pdf

import (
	"slices"
	"sort"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file finds tables. A ruled table has lines that cross and enclose at least two
// columns and two rows. An aligned table (aligned.go) has gaps one above the other.

// table is a table of a page.
type table struct {
	x0, y0, x1, y1, size float64
	block                page.Block
}

// cell is a cell of a table with the columns that it spans.
type cell struct {
	words []word
	span  int
}

// newTable makes a table of rows of cells. Its first row is a header, as it mostly
// is and as Markdown wants it.
func newTable(rows [][]cell, toLeft bool) page.Block {
	t := &page.Table{HeaderRows: 1}
	for _, row := range rows {
		var cells []page.Cell
		empty := true
		for _, c := range row {
			out := page.Cell{ColSpan: c.span, RowSpan: 1, Header: len(t.Rows) == 0}
			if text := cellText(c.words, toLeft); text != "" {
				empty = false
				out.Blocks = []page.Block{paragraph(text)}
			}
			cells = append(cells, out)
		}
		if toLeft {
			slices.Reverse(cells)
		}
		if !empty {
			t.Rows = append(t.Rows, cells)
		}
	}
	return page.Block{Kind: page.TableBlock, Table: t}
}

func cellText(words []word, sheetToLeft bool) string {
	text := ""
	for _, row := range rowsOf(words) {
		text = joinLines(text, joinWords(row, sheetToLeft))
	}
	return text
}

func paragraph(text string) page.Block {
	var out []page.Inline
	for i, part := range strings.Split(text, "\n") {
		if i > 0 {
			out = append(out, page.Inline{Kind: page.Break})
		}
		out = append(out, page.Inline{Kind: page.Text, Text: part})
	}
	return page.Block{Kind: page.Paragraph, Inlines: out}
}

// grid is a ruled table: where its rules are and what its cells contain.
type grid struct {
	x0, y0, x1, y1 float64
	xs, ys         []float64
	rules          []stroke // upright ones: where one is missing a cell goes on
	cells          [][][]word
}

// takeTables returns the tables that the strokes of a page enclose, and the
// words that are in none.
func takeTables(strokes []stroke, words []word, toLeft bool) ([]*table, []word) {
	hs, vs := rulesOf(strokes)
	if len(hs) < 3 || len(vs) < 3 || len(hs)+len(vs) > maxRules {
		return nil, words
	}
	var grids []*grid
	for _, group := range crossing(hs, vs) {
		if g := newGrid(group); g != nil {
			grids = append(grids, g)
		}
	}
	rest := words[:0:0]
	for _, w := range words {
		if !slices.ContainsFunc(grids, func(g *grid) bool { return g.take(w) }) {
			rest = append(rest, w)
		}
	}
	var out []*table
	for _, g := range grids {
		if g.filled() {
			out = append(out, &table{g.x0, g.y0, g.x1, g.y1, 10, newTable(g.rows(), toLeft)})
			continue
		}
		for _, row := range g.cells { // a frame around something else
			for _, c := range row {
				rest = append(rest, c...)
			}
		}
	}
	return out, rest
}

// rulesOf are the strokes that can be rules of a table, level and upright.
func rulesOf(strokes []stroke) (hs, vs []stroke) {
	for _, s := range strokes {
		switch w, h := s.x1-s.x0, s.y1-s.y0; {
		case w >= minLevelRule && h < thickRule:
			hs = append(hs, s)
		case h >= minUprightRule && w < thickRule:
			vs = append(vs, s)
		}
	}
	return hs, vs
}

// crossing groups rules that touch, level before upright.
func crossing(hs, vs []stroke) [][2][]stroke {
	parent := make([]int, len(hs)+len(vs))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, h := range hs {
		for j, v := range vs {
			if v.x0 >= h.x0-ruleSlack && v.x0 <= h.x1+ruleSlack && h.y0 >= v.y0-ruleSlack && h.y0 <= v.y1+ruleSlack {
				parent[find(i)] = find(len(hs) + j)
			}
		}
	}
	byRoot := map[int]int{}
	var out [][2][]stroke
	for i := range parent {
		r := find(i)
		at, ok := byRoot[r]
		if !ok {
			at = len(out)
			byRoot[r] = at
			out = append(out, [2][]stroke{})
		}
		if i < len(hs) {
			out[at][0] = append(out[at][0], hs[i])
		} else {
			out[at][1] = append(out[at][1], vs[i-len(hs)])
		}
	}
	return out
}

// newGrid makes a grid of rules that touch; nil where they enclose less than
// two columns and two rows.
func newGrid(group [2][]stroke) *grid {
	var xs, ys []float64
	for _, h := range group[0] {
		ys = append(ys, h.y0)
	}
	for _, v := range group[1] {
		xs = append(xs, v.x0)
	}
	xs, ys = distinct(xs), distinct(ys)
	if len(xs) < 3 || len(ys) < 3 || len(xs) > maxGrid || len(ys) > maxGrid {
		return nil
	}
	g := &grid{x0: xs[0], x1: xs[len(xs)-1], y0: ys[0], y1: ys[len(ys)-1], xs: xs, ys: ys, rules: group[1]}
	g.cells = make([][][]word, len(ys)-1)
	for i := range g.cells {
		g.cells[i] = make([][]word, len(xs)-1)
	}
	return g
}

// distinct sorts values and takes those together that are all but equal.
func distinct(v []float64) []float64 {
	sort.Float64s(v)
	var out []float64
	for _, x := range v {
		if len(out) == 0 || x-out[len(out)-1] > ruleSlack {
			out = append(out, x)
		}
	}
	return out
}

// take puts a word into its cell.
func (g *grid) take(w word) bool {
	x, y := (w.x0+w.x1)/2, w.base-middle*w.size
	if x < g.x0 || x > g.x1 || y < g.y0 || y > g.y1 {
		return false
	}
	col := max(sort.SearchFloat64s(g.xs, x)-1, 0)
	row := max(sort.SearchFloat64s(g.ys, y)-1, 0)
	g.cells[row][col] = append(g.cells[row][col], w)
	return true
}

// filled reports whether at least two rows have words in two columns.
func (g *grid) filled() bool {
	rows := 0
	for _, row := range g.cells {
		n := 0
		for _, c := range row {
			if len(c) > 0 {
				n++
			}
		}
		if n >= 2 {
			rows++
		}
	}
	return rows >= 2
}

// open reports whether no rule stands between a column and the next in a row.
func (g *grid) open(row, col int) bool {
	x, y := g.xs[col+1], (g.ys[row]+g.ys[row+1])/2
	for _, r := range g.rules {
		if r.x0 > x-ruleSlack && r.x0 < x+ruleSlack && r.y0 <= y && r.y1 >= y {
			return false
		}
	}
	return true
}

// rows are the cells of the table, joined where no rule parts them.
func (g *grid) rows() (out [][]cell) {
	for i, row := range g.cells {
		var cells []cell
		for k := 0; k < len(row); {
			c := cell{row[k], 1}
			for k+c.span < len(row) && g.open(i, k+c.span-1) {
				c.words = append(c.words, row[k+c.span]...)
				c.span++
			}
			k += c.span
			cells = append(cells, c)
		}
		out = append(out, cells)
	}
	return out
}

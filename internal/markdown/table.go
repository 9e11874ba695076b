package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// A gridCell is a cell or a part of one in the rectangular table.
type gridCell struct {
	col  int
	cell *page.Cell
	down bool // continues a cell of a row above
}

// grid lays out the cells of a table by columns, like the HTML standard, and
// returns the cells of each row from left to right. It leaves out columns in which
// no cell begins, so that spans cannot make the table larger than its cells. Only
// parts of cells in the rows below are added, and their number is bounded by budget.
func grid(t *page.Table) (rows [][]gridCell, cols []int) {
	cells := 0
	for _, r := range t.Rows {
		cells += len(r)
	}
	budget := (emptyPerCell+1)*cells + emptyCells
	type hanging struct {
		col, width, rows int
		cell             *page.Cell
	}
	var open []hanging // by column
	rows = make([][]gridCell, len(t.Rows))
	last := -1
	for i, r := range t.Rows {
		col := 0
		next := 0
		row := make([]gridCell, 0, len(r)+len(open))
		var begun []hanging
		skip := func() {
			for next < len(open) && open[next].col <= col {
				h := open[next]
				row = append(row, gridCell{h.col, h.cell, true})
				col = max(col, h.col+h.width)
				next++
			}
		}
		for j := range r {
			c := &r[j]
			skip()
			row = append(row, gridCell{col, c, false})
			if col != last {
				cols = append(cols, col)
				last = col
			}
			width := max(c.ColSpan, 1)
			if down := min(c.RowSpan-1, len(t.Rows)-1-i); down > 0 && budget >= down {
				budget -= down
				begun = append(begun, hanging{col, width, down, c})
			}
			col += width
		}
		for ; next < len(open); next++ {
			row = append(row, gridCell{open[next].col, open[next].cell, true})
		}
		rows[i] = row
		kept := open[:0]
		for _, h := range open {
			if h.rows--; h.rows > 0 {
				kept = append(kept, h)
			}
		}
		open = append(kept, begun...)
		if len(begun) > 0 && len(kept) > 0 {
			slices.SortStableFunc(open, func(a, b hanging) int { return a.col - b.col })
		}
	}
	slices.Sort(cols)
	return rows, slices.Compact(cols)
}

func (w *writer) table(t *page.Table) {
	if t == nil || len(t.Rows) == 0 {
		return
	}
	rows, cols := grid(t)
	cols = filledColumns(rows, cols)
	if len(cols) == 0 {
		return
	}
	if len(t.Caption) > 0 {
		w.paragraph(t.Caption)
		w.blank()
	}
	if len(cols) == 1 && t.HeaderRows == 0 || isSparse(rows, cols) {
		// With only one column, it is not a table: the other columns were empty. Nor is it
		// one that would be mostly empty cells.
		var blocks []page.Block
		for _, r := range rows {
			for _, g := range r {
				if !g.down {
					blocks = append(blocks, g.cell.Blocks...)
				}
			}
		}
		w.blocks(blocks, false)
		return
	}
	w.reserve(len(rows) + 1)
	body := 0
	if t.HeaderRows > 0 {
		w.row(rows[0], cols)
		body = 1
	} else {
		for range cols {
			w.b = append(w.b, "|   "...)
		}
		w.b = append(w.b, '|')
	}
	w.newline()
	w.delimiterRow(t.Align, cols)
	for _, r := range rows[body:] {
		w.newline()
		w.row(r, cols)
	}
	w.bol = len(w.b)
}

// isSparse reports whether a table would be mostly empty cells: it is written cell by cell.
func isSparse(rows [][]gridCell, cols []int) bool {
	cells := 0
	for _, r := range rows {
		cells += len(r)
	}
	return len(cols)*len(rows)-cells > emptyPerCell*cells+emptyCells
}

// filledColumns returns the columns that have more than space, in cols itself.
func filledColumns(rows [][]gridCell, cols []int) []int {
	filled := make([]bool, len(cols))
	for _, r := range rows {
		for _, g := range r {
			if !g.down && len(g.cell.Blocks) > 0 {
				i, _ := slices.BinarySearch(cols, g.col)
				filled[i] = true
			}
		}
	}
	n := 0
	for i, f := range filled {
		if f {
			cols[n] = cols[i]
			n++
		}
	}
	return cols[:n]
}

// delimiterRow writes the row below the head, which says how columns are aligned.
func (w *writer) delimiterRow(align []page.Align, cols []int) {
	signs := [...]string{page.AlignNone: "| --- ", page.AlignLeft: "| :-- ", page.AlignCenter: "| :-: ", page.AlignRight: "| --: "}
	for _, col := range cols {
		a := page.AlignNone
		if col < len(align) {
			a = align[col]
		}
		w.b = append(w.b, signs[a]...)
	}
	w.b = append(w.b, '|')
}

func (w *writer) row(r []gridCell, cols []int) {
	next := 0
	for _, g := range r {
		i, ok := slices.BinarySearch(cols, g.col)
		if !ok || i < next {
			continue // in a column that was left out, or overlapping
		}
		for ; next < i; next++ {
			w.b = append(w.b, "|   "...)
		}
		w.b = append(w.b, "| "...)
		at := len(w.b)
		if !g.down || !w.long[g.cell] {
			w.cell(g.cell)
		}
		if g.cell.RowSpan > 1 && len(w.b)-at > repeatBytes {
			if w.long == nil {
				w.long = map[*page.Cell]bool{}
			}
			w.long[g.cell] = true // it is not written again only to be dropped
			if g.down {
				w.b = w.b[:at]
			}
		}
		if len(w.b) == at {
			w.b = append(w.b, ' ')
		}
		w.b = append(w.b, ' ')
		next++
	}
	for ; next < len(cols); next++ {
		w.b = append(w.b, "|   "...)
	}
	w.b = append(w.b, '|')
}

// cell writes the blocks of a cell in one line.
func (w *writer) cell(c *page.Cell) {
	saved := w.inCell
	w.inCell = true
	w.bol = len(w.b)
	w.item = 0
	w.worded = w.o.Words && cellHoldsWords(c.Blocks)
	w.cellBlocks(c.Blocks, 0)
	w.trim(w.bol)
	w.inCell = saved
}

func (w *writer) cellBreak() {
	w.trim(w.bol)
	if len(w.b) > w.bol {
		w.b = append(w.b, "<br>"...)
	}
}

func (w *writer) cellBlocks(blocks []page.Block, depth int) {
	start := w.bol
	for i := range blocks {
		b := &blocks[i]
		w.first, w.hasMath, w.dollar = true, holdsMath(b.Inlines), false
		w.bol = start
		mark := len(w.b)
		if (i > 0 || depth > 0) && b.Kind != page.List {
			w.cellBreak()
		}
		at := len(w.b)
		// The block is within a line, so nothing must be escaped as at the beginning
		// of a line. A rune before it prevents that.
		switch b.Kind {
		case page.Paragraph, page.Term:
			w.inlines(b.Inlines, 0)
		case page.Heading:
			w.inlines([]page.Inline{{Kind: page.Strong, Children: b.Inlines}}, 0)
		case page.Code:
			w.cellCode(b.Text)
		case page.List:
			w.cellList(b, depth)
		case page.Math:
			w.math(b.Text)
		case page.TableBlock:
			w.cellTable(b.Table)
		case page.Rule:
		case page.Group:
			w.cellGroup(b)
		default:
			w.cellBlocks(b.Children, 0)
		}
		if len(w.b) == at {
			w.b = w.b[:mark]
		}
	}
	w.bol = start
}

// cellTable writes a table in a cell: a line for each row.
func (w *writer) cellTable(t *page.Table) {
	if t == nil {
		return
	}
	at := len(w.b)
	for _, r := range t.Rows {
		if len(w.b) > at {
			w.cellBreak()
		}
		for k := range r {
			if k > 0 {
				w.b = append(w.b, ' ')
			}
			w.cellBlocks(r[k].Blocks, 0)
		}
	}
}

// cellList writes the items of a list, one after the other with bullets.
func (w *writer) cellList(b *page.Block, depth int) {
	num := b.Start
	for i := range b.Children {
		w.cellBreak()
		for range min(depth, maxBullets) {
			w.b = append(w.b, "  "...)
		}
		if b.Ordered {
			w.b = append(strconv.AppendInt(w.b, int64(num), 10), ". "...)
			num++
		} else {
			w.b = append(w.b, "• "...)
		}
		switch b.Children[i].Check {
		case page.Checked:
			w.b = append(w.b, "☑ "...)
		case page.Unchecked:
			w.b = append(w.b, "☐ "...)
		}
		ch := b.Children[i].Children
		if len(ch) > 0 && ch[0].Kind == page.Paragraph {
			w.hasMath, w.dollar = holdsMath(ch[0].Inlines), false
			w.inlines(ch[0].Inlines, 0)
			ch = ch[1:]
		}
		w.cellBlocks(ch, depth+1)
	}
}

// cellCode writes code in a cell: a code span for each line.
func (w *writer) cellCode(text string) {
	first := true
	for line := range strings.SplitSeq(text, "\n") {
		if !first {
			w.b = append(w.b, "<br>"...)
		}
		first = false
		w.codeSpan(line)
	}
}

// cellGroup writes a group below its label.
func (w *writer) cellGroup(b *page.Block) {
	if b.Label != "" {
		w.inlines([]page.Inline{{Kind: page.Strong, Children: []page.Inline{{Kind: page.Text, Text: b.Label}}}}, 0)
		if len(b.Children) > 0 {
			w.cellBreak()
		}
	}
	w.cellBlocks(b.Children, 0)
}

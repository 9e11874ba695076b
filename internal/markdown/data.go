package markdown

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// TableData is a table as rows of plain text.
type TableData struct {
	Caption string     `json:"caption,omitempty"`
	Columns []string   `json:"columns,omitempty"` // the heads, or nil
	Rows    [][]string `json:"rows"`
}

// Tables returns the tables of a page, in page order. Tables within the cells of
// others are part of these. All rows of a table have as many cells, as far as that does
// not make several times as many cells as there are: then rows end with their last cell,
// and where that would still be so, they are their own cells in order, without columns.
// A text that spans rows stands in all of them where it is short, as in Markdown.
func Tables(p *page.Page) (out []TableData) {
	var walk func(blocks []page.Block)
	walk = func(blocks []page.Block) {
		for i := range blocks {
			b := &blocks[i]
			if b.Table != nil {
				out = append(out, tableData(b.Table))
			}
			walk(b.Children)
		}
	}
	walk(p.Blocks)
	return out
}

func tableData(t *page.Table) TableData {
	rows, cols := grid(t)
	data := TableData{Caption: page.InlineText(t.Caption), Rows: [][]string{}}
	if isSparse(rows, cols) {
		for _, row := range rows {
			data.Rows = append(data.Rows, ownTexts(row))
		}
		return data
	}
	x := rowTexts{cols: cols, ragged: isRagged(rows, cols)}
	head := make([]strings.Builder, len(cols))
	for i, row := range rows {
		texts := x.of(row)
		if i >= t.HeaderRows {
			data.Rows = append(data.Rows, texts)
			continue
		}
		for c, s := range texts { // of several head rows, from top to bottom
			if h := &head[c]; s != "" && h.String() != s {
				if h.Len() > 0 {
					h.WriteByte(' ')
				}
				h.WriteString(s)
			}
		}
	}
	if t.HeaderRows > 0 {
		data.Columns = make([]string, len(cols))
		for c := range head {
			data.Columns[c] = head[c].String()
		}
	}
	return data
}

// ownTexts are the texts of the cells that begin in a row.
func ownTexts(row []gridCell) []string {
	out := []string{}
	for _, g := range row {
		if !g.down {
			out = append(out, cellText(g.cell))
		}
	}
	return out
}

// rowTexts writes the rows of a table as texts by column.
type rowTexts struct {
	cols   []int
	ragged bool                  // rows end with their last cell
	spans  map[*page.Cell]string // texts of cells that span rows, "" for one that is not repeated
}

func (x *rowTexts) of(row []gridCell) []string {
	width := len(x.cols)
	if x.ragged {
		width = 0
		if len(row) > 0 {
			width, _ = slices.BinarySearch(x.cols, row[len(row)-1].col+1)
		}
	}
	texts := make([]string, width)
	k := 0
	for c, col := range x.cols[:width] {
		for k < len(row) && row[k].col < col {
			k++
		}
		if k < len(row) && row[k].col == col {
			texts[c] = x.text(row[k])
		}
	}
	return texts
}

func (x *rowTexts) text(g gridCell) string {
	if s, known := x.spans[g.cell]; g.down && known {
		return s
	}
	s := cellText(g.cell)
	if g.cell.RowSpan > 1 {
		if x.spans == nil {
			x.spans = map[*page.Cell]string{}
		}
		x.spans[g.cell] = s
		if len(s) > repeatBytes {
			x.spans[g.cell] = ""
		}
	}
	return s
}

// cellText is the plain text of a cell, in one line.
func cellText(c *page.Cell) string {
	t := plain{images: true}
	t.cell(c.Blocks)
	return strings.TrimSpace(string(t.b))
}

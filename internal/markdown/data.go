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
// others are part of these. All rows of a table have as many cells; a table that would be mostly
// empty has its cells without columns. A short text that spans rows is in all of them, as in Markdown.
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
	sparse := isSparse(rows, cols)
	spans := map[*page.Cell]string{} // texts of cells that span rows
	for i, row := range rows {
		texts := make([]string, 0, len(cols))
		for _, g := range row {
			s, known := spans[g.cell]
			if !known {
				s = cellLine(g.cell.Blocks, true)
			}
			if g.cell.RowSpan > 1 && !known {
				spans[g.cell] = s
				if len(s) > repeatBytes {
					spans[g.cell] = ""
				}
			}
			if sparse {
				if !g.down {
					texts = append(texts, s)
				}
				continue
			}
			col, _ := slices.BinarySearch(cols, g.col)
			for len(texts) <= col {
				texts = append(texts, "")
			}
			texts[col] = s
		}
		for !sparse && len(texts) < len(cols) {
			texts = append(texts, "")
		}
		if sparse || i >= t.HeaderRows {
			data.Rows = append(data.Rows, texts)
			continue
		}
		if data.Columns == nil {
			data.Columns = make([]string, len(cols))
		}
		for c, s := range texts { // of several head rows, from top to bottom
			if s != data.Columns[c] {
				data.Columns[c] = strings.TrimSpace(data.Columns[c] + " " + s)
			}
		}
	}
	return data
}

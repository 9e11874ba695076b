package markdown

import (
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
// others are part of these. All rows of a table have as many cells.
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
	head := make([]string, len(cols))
	for i, row := range rows {
		texts := make([]string, len(cols))
		k := 0
		for c, col := range cols {
			for k < len(row) && row[k].col < col {
				k++
			}
			if k < len(row) && row[k].col == col {
				texts[c] = cellText(row[k].cell)
			}
		}
		if i >= t.HeaderRows {
			data.Rows = append(data.Rows, texts)
			continue
		}
		for c, s := range texts { // of several head rows, from top to bottom
			if s != "" && head[c] != "" && head[c] != s {
				s = head[c] + " " + s
			}
			if s != "" {
				head[c] = s
			}
		}
	}
	if t.HeaderRows > 0 {
		data.Columns = head
	}
	return data
}

// cellText is the plain text of a cell, in one line.
func cellText(c *page.Cell) string {
	t := plain{images: true}
	t.cell(c.Blocks)
	return strings.TrimSpace(string(t.b))
}

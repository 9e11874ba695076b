package markdown

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// cellOf is a cell with a text and spans.
func cellOf(s string, cols, rows int) page.Cell {
	return page.Cell{ColSpan: cols, RowSpan: rows, Blocks: []page.Block{{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Text, Text: s}}}}}
}

func rowOf(n int, s string) []page.Cell {
	row := make([]page.Cell, n)
	for i := range row {
		row[i] = cellOf(s, 1, 1)
	}
	return row
}

// What a table becomes is linear in its cells, however they span, and all its texts are there.
func TestTablesStayLinear(t *testing.T) {
	const rows = 2000
	long := strings.Repeat("The ferry leaves at six. ", 400)
	tables := map[string]func() (rows [][]page.Cell, heads int){
		"short rows below a wide head": func() (out [][]page.Cell, heads int) {
			out = append(out, rowOf(rows, "h"))
			for range rows {
				out = append(out, rowOf(2, "b"))
			}
			return out, 1
		},
		"wide cells below a wide head": func() (out [][]page.Cell, heads int) {
			out = append(out, rowOf(rows, "h"))
			for range rows {
				out = append(out, []page.Cell{cellOf("a", rows-1, 1), cellOf("b", 1, 1)})
			}
			return out, 1
		},
		"a long cell beside many rows": func() (out [][]page.Cell, heads int) {
			out = append(out, []page.Cell{cellOf(long, 1, rows), cellOf("b", 1, 1)})
			for range rows {
				out = append(out, rowOf(1, "b"))
			}
			return out, 0
		},
		"heads of many rows": func() (out [][]page.Cell, heads int) {
			for i := range rows {
				out = append(out, []page.Cell{cellOf(strings.Repeat("a", 1+i%7), 1, 1), cellOf("b", 1, 1)})
			}
			return out, rows - 1
		},
	}
	for name, build := range tables {
		cells, heads := build()
		n, size := 0, 0
		for _, r := range cells {
			for _, c := range r {
				n++
				size += len(page.InlineText(c.Blocks[0].Inlines))
			}
		}
		p := &page.Page{Blocks: []page.Block{{Kind: page.TableBlock, Table: &page.Table{Rows: cells, HeaderRows: heads}}}}
		md := Render(p, Options{})
		if most := 20*n + 2*size + 10_000; len(md) > most {
			t.Errorf("%s: %d bytes of Markdown for %d cells with %d bytes", name, len(md), n, size)
		}
		data := Tables(p)[0]
		made, bytes := len(data.Columns), 0
		for _, r := range data.Rows {
			made += len(r)
			for _, s := range r {
				bytes += len(s)
			}
		}
		if made > 6*n+2000 || bytes > 2*size+repeatBytes*rows {
			t.Errorf("%s: %d values with %d bytes for %d cells with %d bytes", name, made, bytes, n, size)
		}
		if b := strings.Count(md, "b"); b < rows {
			t.Errorf("%s: %d of the texts are left", name, b)
		}
	}
}

package document

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file converts the tables of OpenDocument files. Hidden rows and columns
// are left out and counted; those that a filter or a closed group hides are
// content.

type openTable struct {
	*openFile
	grid
	sheet bool
}

// table writes a table; the name of a sheet is its heading.
func (o *openFile) table(n *node, depth int) {
	sheet := strings.Contains(o.b.mediaType, "spreadsheet") && depth <= 1
	if o.styles.property("table", n.attr("style-name"), "display") == "false" {
		o.hide(n)
		return
	}
	t := &openTable{openFile: o, grid: grid{to: o.b}, sheet: sheet}
	t.columns(n, 0)
	below := o.b.collect(func() { t.walk(n, false) }) // shapes on the sheet
	rows := t.finish()
	switch {
	case len(rows) == 1 && len(rows[0]) == 1 && !sheet: // a frame around text
		o.b.add(rows[0][0].Blocks...)
		return
	case len(rows) == 0 && len(below) == 0:
		return
	case sheet:
		o.b.heading(2, n.attr("name"))
	}
	o.b.grid(rows)
	o.b.add(below...)
}

// repeated is how often an element is repeated.
func repeated(n *node, attribute string) int {
	count, _ := n.number(attribute)
	return max(count, 1)
}

// columns finds which columns are hidden, from one on.
func (t *openTable) columns(n *node, at int) int {
	for _, c := range n.children {
		switch c.name {
		case "table-column":
			for range min(repeated(c, "number-columns-repeated"), maxColumns-at) {
				t.hidden[at] = c.attr("visibility") == "collapse"
				at++
			}
		case "table-columns", "table-header-columns", "table-column-group":
			at = t.columns(c, at)
		}
	}
	return at
}

// walk converts rows and groups of rows; folded is true in a closed group.
func (t *openTable) walk(n *node, folded bool) {
	for _, c := range n.children {
		switch c.name {
		case "table-row":
			if c.attr("visibility") == "collapse" && !folded {
				t.hide(c)
				continue
			}
			t.add(t.cells(c), repeated(c, "number-rows-repeated"))
		case "table-rows", "table-header-rows":
			t.walk(c, folded)
		case "table-row-group":
			t.walk(c, folded || c.attr("display") == "false")
		case "shapes":
			t.blocks(c, 2)
			t.close()
		}
	}
}

// cells converts the cells of a row. Repeated cells are written out where they
// have text; empty cells at the end fill sheets to their edge and are left out.
func (t *openTable) cells(r *node) []page.Cell {
	var row []page.Cell
	at := 0
	for _, c := range r.children {
		if c.name != "table-cell" && c.name != "covered-table-cell" {
			continue
		}
		var blocks []page.Block
		if c.name == "table-cell" && len(c.children) > 0 {
			blocks = t.cell(c)
		}
		times := min(repeated(c, "number-columns-repeated"), maxColumns+1)
		for i := range times {
			row = t.put(row, at+i, blocks)
		}
		at += times
	}
	return row
}

// cell is the content of a cell: one paragraph in a sheet, blocks elsewhere.
func (t *openTable) cell(c *node) []page.Block {
	if !t.sheet {
		return t.nested(c)
	}
	var in []page.Inline
	for _, p := range c.kids("p") {
		s, boxes := t.inlines(p, openLook{})
		if page.InlineText(s) == "" {
			continue
		}
		if len(in) > 0 {
			in = append(in, page.Inline{Kind: page.Text, Text: " "})
		}
		in = append(in, s...)
		t.anchored(boxes)
	}
	size := len(page.InlineText(in))
	if t.b.cellBytes -= size; size == 0 || t.b.cellBytes < 0 || size > maxCellBytes {
		t.b.cut = t.b.cut || size > 0
		return nil
	}
	return []page.Block{{Kind: page.Paragraph, Inlines: joined(in)}}
}

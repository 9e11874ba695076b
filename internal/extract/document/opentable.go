package document

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file reads the tables of OpenDocument files. Rows and columns that are
// hidden are left out and counted; those that a filter or a closed group hides
// stay with a mark, as in other spreadsheets.

// openTable is a table in reading.
type openTable struct {
	*openFile
	sheet   bool
	hidden  [maxColumns]page.OmissionKind // of columns
	counted [maxColumns]bool
	rows    [][]page.Cell
}

// table writes a table; in a spreadsheet the name of the sheet stands above it.
func (o *openFile) table(n *node, depth int) {
	sheet := strings.Contains(o.b.mediaType, "spreadsheet") && depth <= 1
	if o.styles.hiddenTable(n.attr("style-name")) {
		o.hide(n, page.HiddenDisplay)
		return
	}
	t := &openTable{openFile: o, sheet: sheet}
	t.columns(n, 0)
	outer := o.b.Blocks
	o.b.Blocks = nil
	o.over(o.styles.ground("table", n.attr("style-name")), func() { t.walk(n, false) })
	below := o.b.Blocks // shapes on the sheet
	o.b.Blocks = outer
	if len(t.rows) == 1 && len(t.rows[0]) == 1 && !sheet { // a frame around text
		o.b.add(t.rows[0][0].Blocks...)
		return
	}
	if len(t.rows) == 0 && len(below) == 0 {
		return
	}
	if sheet {
		o.b.heading(2, n.attr("name"))
	}
	o.b.grid(t.rows)
	o.b.add(below...)
}

// columns reads which columns are hidden, from one on.
func (t *openTable) columns(n *node, at int) int {
	for _, c := range n.children {
		switch c.name {
		case "table-column":
			repeat, ok := c.number("number-columns-repeated")
			if !ok || repeat < 1 {
				repeat = 1
			}
			var kind page.OmissionKind
			switch v := c.attr("visibility"); {
			case v == "collapse", v == "filter":
				kind = page.HiddenDisplay
			case t.styles.flat("table-column", "table-column-properties", "column-width", c.attr("style-name")):
				kind = page.HiddenSize
			}
			for i := at; i < min(at+repeat, maxColumns); i++ {
				t.hidden[i] = kind
			}
			at = min(at+repeat, maxColumns)
		case "table-columns", "table-header-columns", "table-column-group":
			at = t.columns(c, at)
		}
	}
	return at
}

// walk reads rows and groups of rows. folded says that a group is closed.
func (t *openTable) walk(n *node, folded bool) {
	for _, c := range n.children {
		switch c.name {
		case "table-row":
			t.row(c, folded)
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

func (t *openTable) row(r *node, folded bool) {
	visibility := r.attr("visibility")
	folded = visibility == "filter" || visibility != "" && folded
	switch {
	case folded:
	case visibility == "collapse":
		t.hide(r, page.HiddenDisplay)
		return
	case t.styles.flat("table-row", "table-row-properties", "row-height", r.attr("style-name")):
		t.hide(r, page.HiddenSize)
		return
	}
	var row []page.Cell
	t.over(t.styles.ground("table-row", r.attr("style-name")), func() { row = t.cells(r) })
	if len(row) == 0 {
		return
	}
	if folded {
		for i := range row {
			if b := row[i].Blocks; len(b) > 0 {
				row[i].Blocks = append([]page.Block{{Kind: page.Paragraph, Inlines: labelled(collapsedMark, b[0].Inlines)}}, b[1:]...)
				break
			}
		}
	}
	repeat, ok := r.number("number-rows-repeated")
	if !ok || repeat < 1 {
		repeat = 1
	}
	for range repeat {
		if t.b.cells -= len(row); t.b.cells < 0 {
			t.b.cut = true
			return
		}
		t.rows = append(t.rows, slices.Clone(row))
	}
}

// cells reads the cells of a row. Repeated cells are written out where they hold
// text; empty cells at the end fill sheets to their edge and are left out.
func (t *openTable) cells(r *node) []page.Cell {
	var row []page.Cell
	at, pending := 0, 0
	for _, c := range r.children {
		if c.name != "table-cell" && c.name != "covered-table-cell" {
			continue
		}
		repeat, ok := c.number("number-columns-repeated")
		if !ok || repeat < 1 {
			repeat = 1
		}
		var blocks []page.Block
		if c.name == "table-cell" && len(c.children) > 0 {
			t.over(t.styles.ground("table-cell", c.attr("style-name")), func() { blocks = t.cell(c) })
		}
		for i := range min(repeat, maxColumns) {
			if at+i >= maxColumns {
				t.b.cut = t.b.cut || len(blocks) > 0
				break
			}
			if kind := t.hidden[at+i]; kind != "" {
				if len(blocks) > 0 && !t.counted[at+i] {
					t.counted[at+i] = true
					t.b.Omit(kind, 1)
				}
				continue
			}
			if len(blocks) == 0 {
				pending++
				continue
			}
			for ; pending > 0; pending-- {
				row = append(row, page.Cell{})
			}
			row = append(row, page.Cell{Blocks: blocks})
		}
		at += repeat
		if at > maxColumns*4 {
			at = maxColumns * 4
		}
	}
	return row
}

// cell is the content of a cell: of a sheet one paragraph, elsewhere blocks.
func (t *openTable) cell(c *node) []page.Block {
	if !t.sheet {
		return t.nested(c)
	}
	var in []page.Inline
	look := t.styles.look("table-cell", c.attr("style-name"), openLook{ground: t.ground})
	for _, p := range c.kids("p") {
		s, boxes := t.inlines(p, look)
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

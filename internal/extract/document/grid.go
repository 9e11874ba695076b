package document

import (
	"slices"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// grid collects the rows of a table whose columns may be hidden. Those are left out and
// counted.
type grid struct {
	to     *builder
	hidden [maxColumns]bool
	held   [maxColumns]bool // a hidden column has content
	rows   [][]page.Cell
}

// put sets a cell of a row, by its column in the file; cells without content are left out.
func (g *grid) put(row []page.Cell, column int, blocks []page.Block) []page.Cell {
	switch {
	case len(blocks) == 0:
		return row
	case column >= maxColumns:
		g.to.cut = true
		return row
	case g.hidden[column]:
		g.held[column] = true
		return row
	}
	at := column
	for _, hidden := range g.hidden[:column] {
		if hidden {
			at--
		}
	}
	for len(row) <= at {
		row = append(row, page.Cell{})
	}
	row[at].Blocks = blocks
	return row
}

// add appends a row so many times, within the bound of cells. It returns false if there is
// no room for more.
func (g *grid) add(row []page.Cell, times int) bool {
	for ; times > 0 && len(row) > 0; times-- {
		if g.to.cells -= len(row); g.to.cells < 0 {
			g.to.cut = true
			return false
		}
		g.rows = append(g.rows, slices.Clone(row))
	}
	return true
}

// finish returns the rows, and counts the hidden columns with content.
func (g *grid) finish() [][]page.Cell {
	for _, held := range g.held {
		if held {
			g.to.Omit(page.HiddenDisplay, 1)
		}
	}
	return g.rows
}

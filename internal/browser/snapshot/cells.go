package snapshot

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Rules of pictures that are drawn by cells: boxes without content, of one size, in rows and
// columns, of two to eight colours. Such a picture is written cell by cell:
//
//	(picture of 5x3 cells: . white, # black)
//	.###.
//	.#.#.
//	.###.

// cellSigns are the signs of the colours of a picture, the lightest first.
const cellSigns = ".#oxv+*@"

// A grid is a picture that is drawn by cells.
type grid struct {
	rows   []string
	legend string
}

// isCell reports whether an element may be a cell of a picture.
func (m *marks) isCell(d *doc, i int) bool {
	if d.kind(i) != element || d.layout[i] == 0 || m.control[i] != noControl || m.size[i] > 0 || !d.isEmpty(i) {
		return false
	}
	_, _, w, h, _ := d.box(i)
	return min(w, h) >= leastCell && max(w, h) <= mostCell && d.seen(i, m.views[i])
}

// isEmpty reports whether nothing but white space is in a node.
func (d *doc) isEmpty(i int) bool {
	c := int(d.first[i])
	return c == 0 || d.next[c] == 0 && d.kind(c) == textNode && strings.TrimSpace(d.str(d.src.Nodes.Value[c])) == ""
}

// grids finds the pictures of a document: the outermost elements that consist of cells.
func (m *marks) grids(d *doc) {
	end := 0 // of the last picture
	for i := range d.first {
		if i < end || m.cells[i] < leastCells || m.cells[i] > mostCells || m.size[i] > 0 || m.inside[i] || m.control[i] != noControl || d.kind(i) != element {
			continue
		}
		var cells []int
		d.descend(i, 4*mostCells, func(j int) bool {
			if m.isCell(d, j) {
				cells = append(cells, j)
			}
			return true
		})
		if g := d.grid(cells); g != nil {
			if m.grid == nil {
				m.grid = make(map[int]*grid)
			}
			m.grid[i], end = g, int(d.last[i])+1
			m.show(d, i)
		}
	}
}

// grid makes a picture of cells; nil if they do not form one.
func (d *doc) grid(cells []int) *grid {
	var xs, ys []float64
	place := func(all []float64, at float64) []float64 {
		if !slices.ContainsFunc(all, func(f float64) bool { return math.Abs(f-at) < leastCell }) {
			all = append(all, at)
		}
		return all
	}
	light := make(map[string]int) // of each colour
	for _, i := range cells {
		x, y, w, h, _ := d.box(i)
		_, _, width, height, _ := d.box(cells[0])
		if math.Abs(w-width) >= leastCell || math.Abs(h-height) >= leastCell {
			return nil
		}
		if xs, ys = place(xs, x), place(ys, y); len(xs) > mostRow || len(ys) > mostRow {
			return nil
		}
		c, sum := d.cellColour(i)
		light[c] = sum
	}
	if len(xs) < leastRow || len(ys) < leastRow || len(light) < 2 || len(light) > len(cellSigns) || len(cells)*2 < len(xs)*len(ys) {
		return nil
	}
	slices.Sort(xs)
	slices.Sort(ys)
	colours := slices.SortedFunc(maps.Keys(light), func(a, b string) int { return cmp.Or(light[b]-light[a], strings.Compare(a, b)) })
	rows := make([][]byte, len(ys))
	for k := range rows {
		rows[k] = []byte(strings.Repeat("-", len(xs))) // no cell
	}
	at := func(all []float64, f float64) int {
		return slices.IndexFunc(all, func(g float64) bool { return math.Abs(f-g) < leastCell })
	}
	for _, i := range cells {
		x, y, _, _, _ := d.box(i)
		c, _ := d.cellColour(i)
		rows[at(ys, y)][at(xs, x)] = cellSigns[slices.Index(colours, c)]
	}
	g := &grid{legend: "picture of " + round(float64(len(xs))) + "x" + round(float64(len(ys))) + " cells:"}
	for k, c := range colours {
		if k > 0 {
			g.legend += ","
		}
		g.legend += " " + cellSigns[k:k+1] + " " + c
	}
	for _, r := range rows {
		g.rows = append(g.rows, string(r))
	}
	return g
}

// cellColour is the colour of a cell, or "clear", and how light it is.
func (d *doc) cellColour(i int) (string, int) {
	if r, g, b, a, ok := colour(d.style(i, styleBackColor)); ok && a >= seenOpacity {
		return colourName(r, g, b), r + g + b
	}
	return "clear", 3 * 256
}

// cellPicture writes a picture that is drawn by cells.
func (w *writer) cellPicture(i int) {
	g := w.m.grid[i]
	w.brk()
	w.look(i)
	w.words("(" + g.legend + ")")
	for _, row := range g.rows {
		w.brk()
		w.look(i)
		w.words(row)
	}
	w.brk()
}

package snapshot

import "strings"

// Rules of rows. Small things that stand beside each other are on one line: the days
// of a week, the entries of a bar, a word and its value.
//
//   - The elements in a container are cells if each is a line high at most, has few
//     words and no heading, and two of them at least stand in the same row.
//   - A new row begins a line, and so does what stands left of the cell before it.
//   - Cells of words alone are set apart by a bar, as those of a table.
//   - The cells of a row of a table are on one line if each has few words.

const (
	// cellHeight and cellBytes bound a cell, leastCells is how many there are.
	cellHeight = 64
	cellBytes  = 48
	mostInRow  = 400
)

// row reports whether the children of a node are cells of rows.
func (w *writer) row(i int) bool {
	d := w.d
	if w.inCell > 0 || d.kind(i) != element || w.pre {
		return false
	}
	switch d.style(i, styleDisplay) {
	case "", "inline", "contents", "table-row", "table", "table-row-group":
		return false
	}
	n, beside := 0, false
	right, top, bottom := 0.0, 0.0, 0.0
	for c := int(d.first[i]); c != 0; c = int(d.next[c]) {
		if d.kind(c) == textNode && w.m.shown[c] {
			return false
		}
		if d.kind(c) != element || !w.m.shown[c] {
			continue
		}
		if n++; n > mostInRow || w.m.size[c] > cellBytes || !w.blocky(c) {
			return false
		}
		x, y, width, height, ok := d.box(c)
		if !ok || height > cellHeight || w.headed(c) {
			return false
		}
		if n > 1 && x >= right-1 && overlaps(y, y+height, top, bottom) {
			beside = true
		}
		right, top, bottom = x+width, y, y+height
	}
	return beside
}

// smallCells reports whether a row of a table has few words in each cell: then what is in
// them stands on one line, however it is wrapped.
func (w *writer) smallCells(i int) bool {
	d := w.d
	if w.inCell > 0 || w.pre || d.kind(i) != element || d.style(i, styleDisplay) != "table-row" {
		return false
	}
	n := 0
	for c := int(d.first[i]); c != 0; c = int(d.next[c]) {
		if d.kind(c) != element || !w.m.shown[c] {
			continue
		}
		if n++; w.m.size[c] > cellBytes || d.style(c, styleDisplay) != "table-cell" || w.headed(c) {
			return false
		}
	}
	return n > 1
}

// blocky reports whether an element would stand on a line of its own.
func (w *writer) blocky(i int) bool {
	switch w.d.style(i, styleDisplay) {
	case "", "contents", "inline", "ruby", "table-cell":
		return false
	}
	return w.d.regionKind(i, w.d.tag(i)) == ""
}

// headed reports whether a heading stands in an element.
func (w *writer) headed(i int) bool {
	found := w.d.isHeading(i)
	w.d.descend(i, 30, func(j int) bool {
		found = found || w.d.kind(j) == element && w.d.isHeading(j)
		return !found
	})
	return found
}

func (d *doc) isHeading(i int) bool {
	t := d.tag(i)
	return len(t) == 2 && t[0] == 'h' && t[1] >= '1' && t[1] <= '6' || t == "br" || strings.EqualFold(d.attr(i, "role"), "heading")
}

// overlaps reports whether two spans have half of the smaller one in common.
func overlaps(a1, a2, b1, b2 float64) bool {
	return min(a2, b2)-max(a1, b1) >= min(a2-a1, b2-b1)/2
}

// cells writes the children of a node as cells.
func (w *writer) cells(i, depth int) {
	d := w.d
	w.brk()
	w.inCell++
	first, refs := true, 0
	right, top, bottom := 0.0, 0.0, 0.0
	for c := int(d.first[i]); c != 0; c = int(d.next[c]) {
		if d.kind(c) != element || !w.m.shown[c] {
			w.node(c, depth+1)
			continue
		}
		x, y, width, height, _ := d.box(c)
		switch {
		case first:
		case x < right-1 || !overlaps(y, y+height, top, bottom):
			w.brk()
		case len(w.buf) > 0 && !w.m.swatch[c] && (len(w.line.Refs) == refs || !w.m.inside[c] && w.m.control[c] == noControl):
			w.raw(" |")
			w.space = true
		default:
			w.space = true
		}
		first, refs = false, len(w.line.Refs)
		w.node(c, depth+1)
		right, top, bottom = x+width, y, y+height
	}
	w.inCell--
	w.brk()
}

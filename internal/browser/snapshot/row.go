package snapshot

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Rules of rows. Small things that stand beside each other are on one line: the days
// of a week, the entries of a bar, a word and its value.
//
//   - The elements in a container are cells if each is a line high at most, has few
//     words and no heading, and two of them at least stand in the same row.
//   - A new row begins a line, and so does what stands left of the cell before it.
//   - Cells of words alone are set apart by a bar, as those of a table.
//   - The cells of a row of a table are on one line if each has few words.

// row reports whether the children of a node are cells of rows.
func (w *writer) row(i int) bool {
	d := w.d
	if w.inCell > 0 || d.kind(i) != element || w.pre {
		return false
	}
	switch d.style(i, styleDisplay) {
	case "", "contents": // it has no box
		if d.attr(i, "role") != "row" { // its cells are those of a grid around
			return false
		}
	case "inline", "table-row", "table", "table-row-group":
		return false
	}
	n, beside, ok := 0, false, true
	right, top, bottom := 0.0, 0.0, 0.0
	d.drawnChildren(i, func(c int) bool {
		if d.kind(c) == textNode && w.m.shown[c] {
			ok = false
		}
		if d.kind(c) != element || !w.m.shown[c] {
			return ok
		}
		if n++; n > mostInRow || w.m.size[c] > cellBytes || !w.blocky(c) {
			ok = false
			return false
		}
		x, y, width, height, has := d.box(c)
		if !has || height > cellHeight || w.headed(c) {
			ok = false
			return false
		}
		if n > 1 && x >= right-1 && overlaps(y, y+height, top, bottom) {
			beside = true
		}
		right, top, bottom = x+width, y, y+height
		return true
	})
	return ok && beside
}

// drawnChildren calls f for what is drawn as the children of an element until it returns false:
// slots and other elements without a box are left out.
func (d *doc) drawnChildren(i int, f func(int) bool) bool {
	for c := int(d.first[i]); c != 0; c = int(d.next[c]) {
		switch hollow := d.kind(c) == element && (d.style(c, styleDisplay) == "contents" || d.layout[c] == 0 && d.tag(c) == "slot"); {
		case hollow && !d.drawnChildren(c, f), !hollow && !f(c):
			return false
		}
	}
	return true
}

// smallCells reports whether a row of a table has few words in each cell: then what is in
// them stands on one line, however it is wrapped.
func (w *writer) smallCells(i int) bool {
	d := w.d
	if w.inCell > 0 || w.pre || d.kind(i) != element || d.style(i, styleDisplay) != "table-row" {
		return false
	}
	n := 0
	return d.drawnChildren(i, func(c int) bool {
		if d.kind(c) != element || !w.m.shown[c] {
			return true
		}
		n++
		return w.m.size[c] <= cellBytes && d.style(c, styleDisplay) == "table-cell" && !w.headed(c)
	}) && n > 1
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
	return w.d.isHeading(i) || w.d.any(i, 30, func(j int) bool { return w.d.kind(j) == element && w.d.isHeading(j) })
}

func (d *doc) isHeading(i int) bool {
	t := d.tag(i)
	return headingLevel(t) > 0 || t == "br" || strings.EqualFold(d.attr(i, "role"), "heading")
}

// headingLevel is the level of the heading that a tag stands for, 0 for none.
func headingLevel(tag string) int {
	if len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6' {
		return int(tag[1] - '0')
	}
	return 0
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
	var all []int
	d.drawnChildren(i, func(c int) bool {
		if d.kind(c) != element || !w.m.shown[c] {
			w.node(c, depth+1)
			return true
		}
		all = append(all, c)
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
		return true
	})
	w.inCell--
	w.brk()
	w.week(all)
}

// A day is a column of a calendar.
type day struct {
	text        string
	left, right float64
	bottom      float64
}

// week notes the columns of a calendar: cells side by side that are equally wide, with the number
// of a day in each. What is drawn below them belongs to a day that only its place tells.
func (w *writer) week(cells []int) {
	var days []day
	for _, c := range cells {
		r, s := w.d.rectOf(c), w.seenText(c)
		if !isDay(s) || r.width() < leastDay || len(days) > 0 && (math.Abs(r.left-days[len(days)-1].right) > 2 || math.Abs(r.width()-(days[0].right-days[0].left)) > 2) {
			return
		}
		days = append(days, day{s, r.left, r.right, r.bottom})
	}
	if len(days) == 5 || len(days) == 7 {
		w.days = days
	}
}

// isDay reports whether a text has the number of a day, alone or with the name of one.
func isDay(s string) bool {
	n, err := strconv.Atoi(strings.TrimFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }))
	return err == nil && n > 0 && n <= 31
}

// dayOf is the day of a calendar that something is drawn in, or the days.
func (w *writer) dayOf(i int, kind byte) string {
	r := w.d.rectOf(i)
	if len(w.days) == 0 || kind != kindClick && kind != kindButton && kind != kindLink || r.top < w.days[0].bottom-1 || w.m.size[i] == 0 || len(w.buf) > 0 && w.text {
		return ""
	}
	if isDay(w.seenText(i)) {
		return ""
	}
	first, last := "", ""
	for _, day := range w.days {
		if over := min(r.right, day.right) - max(r.left, day.left); over > 0 && over >= min(r.width(), day.right-day.left)/2 {
			if last = day.text; first == "" {
				first = day.text
			}
		}
	}
	if first != last {
		return first + " to " + last
	}
	return first
}

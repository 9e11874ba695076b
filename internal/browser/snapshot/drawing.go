package snapshot

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Rules of what is drawn. A drawing (SVG) that may say something by its forms is
// listed form by form, with colour, size and place in the drawing: one that is large
// enough, has no name, is not a part of a control, and has few forms, at least one of
// them not a curve. A box without content that has a strong colour is listed as a
// swatch; swatches that are alike are counted.

// draws reports whether the forms of a drawing are listed.
func (d *doc) draws(i int) bool {
	if _, _, width, height, ok := d.box(i); !ok || width < leastDrawing || height < leastDrawing {
		return false
	}
	if d.attr(i, "aria-label") != "" || strings.EqualFold(d.attr(i, "aria-hidden"), "true") {
		return false
	}
	shapes, paths, text := 0, 0, 0
	d.descend(i, 50*mostShapes, func(j int) bool {
		if d.kind(j) == element && d.layout[j] > 0 && shape(d.tag(j)) {
			switch d.tag(j) {
			case "path", "use":
				paths++
			case "text":
				text++
			}
			shapes++
		}
		return shapes <= mostShapes
	})
	return shapes <= mostShapes && paths <= mostPaths && shapes > paths+text
}

// shape writes a form of a drawing that is not a control.
func (w *writer) shape(i int) {
	w.look(i)
	w.space = true
	if n := len(w.buf); n > 0 && w.buf[n-1] != ')' {
		w.buf = append(w.buf, ';')
	}
	says := w.d.form(i)
	if says == "text" {
		says = clip(w.seenText(i), nameBytes)
	}
	w.words(says + " " + w.d.looks(i))
	w.space = true
}

// form is the name of a form of a drawing; polygons are named by their corners.
func (d *doc) form(i int) string {
	tag := d.tag(i)
	if tag != "polygon" && tag != "polyline" {
		return tag
	}
	switch corners := len(strings.FieldsFunc(d.attr(i, "points"), func(r rune) bool { return r == ' ' || r == ',' || r == '\n' })) / 2; corners {
	case 3:
		return "triangle"
	case 4, 5, 6, 7, 8, 9, 10, 11, 12:
		return tag + " of " + strconv.Itoa(corners)
	}
	return tag
}

// Canvas reports whether a part of the page is drawn on a canvas by a script.
func (p *Page) Canvas() bool { return p.canvas }

// fallback writes the rows of the table that a page keeps in a canvas for those who do not see it
// (HTML, section 4.12.5): what the canvas shows.
func (w *writer) fallback(i int) {
	d := w.d
	if d.tag(i) != "canvas" || d.first[i] == 0 {
		return
	}
	n := 0
	d.descend(i, groupNodes, func(j int) bool {
		if d.kind(j) != element || d.tag(j) != "tr" && d.attr(j, "role") != "row" {
			return true
		}
		var cells []string
		for c := int(d.first[j]); c != 0; c = int(d.next[c]) {
			if d.kind(c) == element {
				cells = append(cells, clip(clean(d.textOf(c)), nameBytes))
			}
		}
		w.brk()
		w.look(i)
		w.words(strings.Join(cells, " | "))
		n++
		return n < mostInRow
	})
	w.brk()
}

// looks describes an element without words: the form and size of a drawing, and its
// colour.
func (d *doc) looks(i int) string {
	tag, out := d.tag(i), ""
	sized := tag == "canvas" || tag == "svg" && d.name(i) == tag || shape(tag)
	if sized && d.name(i) != tag && tag != "text" && d.form(i) == tag {
		out = tag
	}
	if c := d.paint(i); c != "" {
		out += " " + c
	}
	x, y, w, h, ok := d.box(i)
	if !sized && ok && d.first[i] == 0 && (w*h >= leastGround || out != "" && d.drags()) {
		sized = true // a map, or something else to point into, or that is dragged
	}
	if tag == "text" {
		if size, err := strconv.ParseFloat(strings.TrimSuffix(d.style(i, styleFontSize), "px"), 64); err == nil {
			out += " " + round(size) + "px"
		}
	} else if sized && ok {
		out += " " + round(w) + "x" + round(h)
	}
	if left, top, in := d.drawing(i); in && ok {
		if dx, dy, straight := d.ends(i); straight {
			out = strings.TrimSuffix(out, " "+round(w)+"x"+round(h))
			x, y = x+w/2-left, y+h/2-top // the middle, with the ends of the stroke or without
			return strings.TrimSpace(out + " from " + round(x-dx) + "," + round(y-dy) + " to " + round(x+dx) + "," + round(y+dy))
		}
		out += " at " + round(x+w/2-left) + "," + round(y+h/2-top)
	}
	return strings.TrimSpace(out)
}

func round(f float64) string { return strconv.Itoa(int(math.Round(f))) }

// drawing is the corner of the drawing that a form is in: places in it are
// counted from there.
func (d *doc) drawing(i int) (x, y float64, ok bool) {
	if !shape(d.tag(i)) {
		return 0, 0, false
	}
	for up, n := d.up(i), 0; up > 0 && n < 32; up, n = d.up(up), n+1 {
		if d.tag(up) == "svg" {
			x, y, _, _, ok = d.box(up)
			return x, y, ok
		}
	}
	return 0, 0, false
}

// ends returns how far the end of a line is from its middle, as it is drawn; false for other
// forms, and for a line that may be turned or mirrored.
func (d *doc) ends(i int) (dx, dy float64, ok bool) {
	if d.tag(i) != "line" {
		return 0, 0, false
	}
	up := i
	for ; up > 0 && d.tag(up) != "svg"; up = d.up(up) {
		if t := d.style(up, styleTransform); t != "" && t != "none" || d.has(up, "transform") && !strings.HasPrefix(d.attr(up, "transform"), "translate(") {
			return 0, 0, false
		}
	}
	var at [4]float64
	for k, name := range [...]string{"x1", "y1", "x2", "y2"} {
		v := d.attr(i, name)
		f, err := strconv.ParseFloat(v, 64)
		if err != nil && v != "" {
			return 0, 0, false // a percentage, for example
		}
		at[k] = f
	}
	scale := .5
	if view := strings.FieldsFunc(d.attr(max(up, 0), "viewBox"), func(r rune) bool { return r == ' ' || r == ',' }); len(view) == 4 {
		_, _, w, h, _ := d.box(up)
		width, _ := strconv.ParseFloat(view[2], 64)
		height, _ := strconv.ParseFloat(view[3], 64)
		if width <= 0 || height <= 0 {
			return 0, 0, false
		}
		scale *= min(w/width, h/height)
	}
	return (at[2] - at[0]) * scale, (at[3] - at[1]) * scale, true
}

// paint is the colour of an element: as its own markup says it, else as it is drawn.
func (d *doc) paint(i int) string {
	for decl := range strings.SplitSeq(clip(d.attr(i, "style"), 400), ";") {
		name, value, _ := strings.Cut(decl, ":")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "background", "background-color", "fill":
			if r, g, b, _, ok := colour(strings.TrimSpace(value)); ok {
				return colourName(r, g, b)
			}
			if v := strings.TrimSpace(value); isColour(v) {
				return v
			}
		}
	}
	if v := d.attr(i, "fill"); isColour(v) {
		return v
	}
	style := styleBackColor
	if shape(d.tag(i)) {
		style = styleFill
	}
	r, g, b, a, ok := colour(d.style(i, style))
	if d.tag(i) == "line" || style == styleFill && !ok {
		r, g, b, a, ok = colour(d.style(i, styleStroke)) // no area is painted
	}
	if !ok || a < .1 || shape(d.tag(i)) && r+g+b == 0 || !shape(d.tag(i)) && strength(r, g, b) < leastColour {
		return "" // black, which all forms have by default, or a colour that says little
	}
	return colourName(r, g, b)
}

// strength is how far a colour is from grey.
func strength(r, g, b int) int { return max(r, g, b) - min(r, g, b) }

// colourName is the name of a basic colour (CSS Color 4, section 6.1), else #aabbcc.
func colourName(r, g, b int) string {
	hex := fmt.Sprintf("#%02x%02x%02x", r&255, g&255, b&255)
	return cmp.Or(basicColours[hex], hex)
}

var basicColours = map[string]string{
	"#000000": "black", "#ffffff": "white", "#808080": "gray", "#ff0000": "red", "#00ff00": "lime", "#008000": "green", "#0000ff": "blue", "#ffff00": "yellow",
	"#ffa500": "orange", "#800080": "purple", "#ff00ff": "magenta", "#00ffff": "cyan", "#ffc0cb": "pink", "#a52a2a": "brown",
}

// swatch reports whether an element is a box of a strong colour without content; within a
// sentence, of any colour.
func (d *doc) swatch(i int, v view) bool {
	if d.layout[i] == 0 || !d.isEmpty(i) {
		return false
	}
	switch d.tag(i) {
	case "div", "span", "i", "b", "em", "td", "li", "p":
	default:
		return false
	}
	_, _, w, h, _ := d.box(i)
	if w < leastSwatch || h < leastSwatch || w > mostSwatch || h > mostSwatch || max(w, h) > 8*min(w, h) {
		return false
	}
	r, g, b, a, ok := colour(d.style(i, styleBackColor))
	return ok && a >= .5 && (strength(r, g, b) >= leastColour || d.inSentence(i)) && d.seen(i, v)
}

// inSentence reports whether an element is between the words of a text.
func (d *doc) inSentence(i int) bool {
	if !strings.HasPrefix(d.style(i, styleDisplay), "inline") {
		return false
	}
	found := false
	for c := int(d.first[max(d.up(i), 0)]); c != 0 && !found; c = int(d.next[c]) {
		found = d.kind(c) == textNode && letters(d.str(d.src.Nodes.Value[c])) > 1
	}
	return found
}

// swatch writes a swatch, and counts those that stand beside each other.
func (w *writer) swatch(i int) {
	_, _, width, height, _ := w.d.box(i)
	r, g, b, _, _ := colour(w.d.style(i, styleBackColor))
	says := colourName(r, g, b) + " " + round(width) + "x" + round(height)
	w.look(i)
	if w.swatches > 0 && says == w.lastSwatch && bytes.HasSuffix(w.buf, w.swatchText) {
		w.swatches++
		w.buf = w.buf[:len(w.buf)-len(w.swatchText)]
		w.swatchText = fmt.Appendf(w.swatchText[:0], "(%d × %s)", w.swatches, says)
		w.buf = append(w.buf, w.swatchText...)
		w.space = true
		return
	}
	w.swatches, w.lastSwatch = 1, says
	w.swatchText = append(w.swatchText[:0], "("+says+")"...)
	w.space = true
	w.words(string(w.swatchText))
	w.space = true
}

// A look is what an element shows besides its words: what its attributes say.
type look struct {
	sum   uint64
	class string
	label string // how it is called where no control is around it
	owner Node   // the control that it is, or is in
}

// looksOf notes the looks of a document.
func (w *writer) looksOf(d *doc, m *marks) {
	if len(d.first) > mostLooks {
		return
	}
	if w.page.looks == nil {
		w.page.looks = make(map[Node]look)
	}
	owners := make([]int, len(d.first))
	for i := range d.first {
		if up := d.up(i); up > 0 {
			owners[i] = owners[up]
		}
		if m.control[i] != noControl {
			owners[i] = i
		}
		if d.kind(i) != element || d.layout[i] == 0 || !d.seen(i, m.views[i]) {
			continue
		}
		sum := fnv.New64a()
		a := d.src.Nodes.Attributes[i]
		for k := 0; k+1 < len(a); k += 2 {
			name, value := d.str(a[k]), d.str(a[k+1])
			switch name {
			case "class":
				value = steadyClass(value)
			case "tabindex", "aria-activedescendant", "value", "id":
				continue
			}
			if value == "" && (name == "class" || name == "style") {
				continue // as without it
			}
			_, _ = sum.Write([]byte(name + "=" + value + ";"))
		}
		l := look{sum: sum.Sum64(), class: d.attr(i, "class")}
		if o := owners[i]; o > 0 {
			l.owner = d.node(o)
		} else {
			l.label = d.identifier(i)
			if l.label == "" || l.label == l.class {
				l.label = strings.TrimSpace(d.tag(i) + " " + l.label)
			}
		}
		w.page.looks[d.node(i)] = l
		w.page.order = append(w.page.order, d.node(i))
	}
}

// steadyClass leaves out what pages say by classes of the mouse and the focus.
func steadyClass(s string) string {
	var out []string
	for c := range strings.FieldsSeq(s) {
		lower := strings.ToLower(c)
		if !strings.Contains(lower, "hover") && !strings.Contains(lower, "focus") && !strings.Contains(lower, "ripple") && !strings.Contains(lower, "touch") {
			out = append(out, c)
		}
	}
	return strings.Join(out, " ")
}

// Looks says what has come to look otherwise between two snapshots in which the words
// are the same: where a class, a style, a picture or another attribute has changed.
func Looks(before, after *Page, refs *Refs) string {
	var b strings.Builder
	n := 0
	said := make(map[string]bool)
	for i := range after.order {
		node := after.order[i]
		now := after.looks[node]
		was, ok := before.looks[node]
		if !ok || was.sum == now.sum {
			continue
		}
		name := now.label
		if ref := refs.names[now.owner]; ref != "" {
			name = "(" + ref + ")"
			if at := after.nodes[now.owner]; at.from < len(after.Lines) {
				name = "[" + label(after.Lines[at.from].Text, ref) + "](" + ref + ")"
			}
		}
		how := ""
		if old, is := steadyClass(was.class), steadyClass(now.class); old != is {
			how = fmt.Sprintf(": class %q, before %q", clip(clean(is), nameBytes), clip(clean(old), nameBytes))
		}
		l := clip(clean(name), nameBytes) + " its look changed" + how
		if said[l] {
			continue
		}
		said[l] = true
		if n++; n > lookLines {
			b.WriteString("… and others\n")
			break
		}
		b.WriteString(text.Line(l) + "\n")
	}
	return b.String()
}

package snapshot

import (
	"cmp"
	"strconv"
	"strings"
)

// Rules of what reacts to people though no markup says so:
//
//   - it hears the mouse, or takes what is dropped or dragged;
//   - the cursor becomes a hand at it, or one that grabs, and it is small;
//   - it hears the mouse pass or keys, or scrolls, and nothing in it can be
//     acted on;
//   - an attribute of a known library or of ARIA says what it does, it can get
//     the focus, or opens something by a style sheet; the same, and it has a
//     short name;
//   - what is around it hears the mouse for a number of its like;
//   - it is a box of a colour on which something can be dropped, since there is something
//     on the page that is dragged.
//
// A root that listens to all events, as the root of a framework does, does not count.

// A hearing is the set of events that an element listens to.
type hearing struct {
	mouse, down, drop, pass, keys, double bool
	clicks                                bool // the button go up, or a click
	types                                 int
}

func hearings(all []Listener) map[int64]hearing {
	out := make(map[int64]hearing)
	for _, l := range all {
		h := out[l.BackendID]
		h.types++
		switch l.Type {
		case "mousedown", "pointerdown", "touchstart":
			h.mouse, h.down = true, true
		case "dblclick":
			h.mouse, h.double, h.clicks = true, true, true
		case "click", "mouseup", "pointerup", "touchend":
			h.mouse, h.clicks = true, true
		case "contextmenu", "auxclick":
			h.mouse = true
		case "drop", "dragover":
			h.drop = true
		case "mouseenter", "mouseover", "mousemove", "pointerenter", "pointerover", "pointermove":
			h.pass = true
		case "keydown", "keypress", "keyup":
			h.keys = true
		}
		out[l.BackendID] = h
	}
	return out
}

// heard is what an element listens to.
func (d *doc) heard(i int) hearing { return d.process.hears[d.src.Nodes.BackendID[i]] }

// pressed reports whether what hears the mouse at an element hears its button go down and nothing else of a
// click: the page listens for the rest elsewhere, and begins to when it has seen the button go down.
func (d *doc) pressed(i int) bool {
	for n := 0; n < recordLevels && i > 0; i, n = d.up(i), n+1 {
		if h := d.heard(i); h.mouse && h.types < rootTypes {
			return h.down && !h.clicks
		}
	}
	return false
}

// reacts returns the kind of an element that is not a control by its markup.
func (d *doc) reacts(i int) byte {
	h := d.heard(i)
	if h.types >= rootTypes {
		h = hearing{}
	} else if h.mouse || h.drop || d.clickable[i] || strings.EqualFold(d.attr(i, "draggable"), "true") {
		return kindClick
	}
	switch {
	case d.pointerRoot(i), d.grip(i):
		return kindClick
	case d.regionKind(i, d.tag(i)) != "":
		return noControl
	case h.pass, h.keys, d.scrolls(i):
		return weakControl
	case d.annotated(i), d.focusable(i), d.unfolds(i):
		return saidControl
	}
	return noControl
}

// takesDrops reports whether a box of a colour is a place to drop something on: libraries
// that drag by the mouse look for these places themselves, and nothing on the box says it.
func (d *doc) takesDrops(i int) bool {
	_, _, w, h, _ := d.box(i)
	return min(w, h) >= leastTarget && d.drags()
}

// drags reports whether something small on the page is dragged by the mouse.
func (d *doc) drags() bool {
	if d.dragged == 0 {
		d.dragged = -1
		for i := range d.first {
			if d.kind(i) == element && d.layout[i] > 0 && d.isDragged(i) {
				d.dragged = 1
				break
			}
		}
	}
	return d.dragged > 0
}

func (d *doc) isDragged(i int) bool {
	if strings.EqualFold(d.attr(i, "draggable"), "true") || d.grip(i) {
		return true
	}
	h := d.heard(i)
	if !h.down || h.types >= rootTypes {
		return false
	}
	switch d.tag(i) {
	case "div", "span", "li", "img", "p":
		_, _, width, height, ok := d.box(i)
		return ok && width <= mostSwatch && height <= mostSwatch
	}
	return false
}

// annotated reports whether an attribute of the kind that libraries look for says
// that an element is there to be clicked.
func (d *doc) annotated(i int) bool {
	a := d.src.Nodes.Attributes[i]
	for k := 0; k+1 < len(a); k += 2 {
		switch name := strings.ToLower(d.str(a[k])); name {
		case "data-action", "data-toggle", "data-bs-toggle", "data-dismiss", "data-bs-dismiss", "data-click", "data-href", "data-command", "data-cmd", "data-tooltip", "data-tip",
			"ng-click", "data-ng-click", "v-on:click", "@click", "x-on:click", "wire:click", "phx-click", "hx-get", "hx-post", "hx-put", "hx-delete",
			"aria-haspopup", "aria-expanded", "aria-pressed", "aria-checked":
			return true
		case "data-date", "data-day":
			if strings.EqualFold(d.attr(i, "role"), "gridcell") {
				return true // a day of a calendar, which is clicked, and dragged to
			}
		case "jsaction":
			if strings.Contains(d.str(a[k+1]), "click") {
				return true
			}
		}
	}
	return false
}

// focusable reports whether the Tab key comes to an element to do something
// there, or to a grid whose cells take the focus from a click. What scrolls, or has a role that
// is only read, has it for that alone.
func (d *doc) focusable(i int) bool {
	role := strings.ToLower(d.attr(i, "role"))
	switch role {
	case "", "application", "grid", "gridcell", "treegrid", "row", "menu", "listbox", "tree", "tablist", "radiogroup", "scrollbar", "separator":
	default:
		return false
	}
	n, err := strconv.Atoi(d.attr(i, "tabindex"))
	cell := role == "gridcell" && d.attr(i, "aria-readonly") != "true"
	return (err == nil && (n >= 0 || cell) || cell && d.roves(i)) && !scrolls(d.style(i, styleOverflowY)) && !scrolls(d.style(i, styleOverflowX))
}

// roves reports whether one of the cells of a grid around a cell can get the focus by the Tab key: then a click gives
// it to any other (ARIA Authoring Practices, roving tabindex).
func (d *doc) roves(i int) bool {
	for n := 0; n < recordLevels && i > 0; i, n = d.up(i), n+1 {
		if role := d.attr(i, "role"); role == "grid" || role == "treegrid" {
			if _, ok := d.roving[i]; !ok {
				d.roving[i] = d.any(i, groupNodes, func(j int) bool { return d.attr(j, "role") == "gridcell" && d.attr(j, "tabindex") == "0" })
			}
			return d.roving[i]
		}
	}
	return false
}

// scrolls reports whether there is more in an element than it shows, further
// down.
func (d *doc) scrolls(i int) bool {
	if !scrolls(d.style(i, styleOverflowY)) {
		return false
	}
	_, y, _, h, ok := d.box(i)
	return ok && h >= leastSize && d.any(i, 2000, func(j int) bool {
		_, at, _, height, seen := d.box(j)
		return seen && (at < y-1 || at+height > y+h+1)
	})
}

// unfolds reports whether an element holds something that is not shown yet, as menus do that a
// style sheet opens under the mouse: something to act on, the entries of a list, or a text that
// has its place beside the element, as a tip has.
func (d *doc) unfolds(i int) bool {
	if _, _, _, h, ok := d.box(i); !ok || h > menuHeight {
		return false
	}
	for c, n := d.first[i], 0; c != 0 && n < 16; c, n = d.next[c], n+1 {
		j := int(c)
		if d.kind(j) != element || d.layout[j] > 0 && d.style(j, styleVisibility) != "hidden" && d.viewed[j].opacity > 0 {
			continue
		}
		if d.layout[j] > 0 && d.style(j, stylePosition) == "absolute" && d.style(i, stylePosition) == "relative" && d.hasWord(j) || d.any(j, 40, func(k int) bool {
			return d.kind(k) == element && (d.tag(k) == "a" && d.has(k, "href") || d.tag(k) == "button" || d.tag(k) == "li" && d.tag(i) == "li" || d.heard(k).mouse)
		}) {
			return true
		}
	}
	return false
}

// hasWord reports whether an element has a text of two letters, seen or not.
func (d *doc) hasWord(i int) bool {
	return d.any(i, 8, func(j int) bool { return d.kind(j) == textNode && letters(d.str(d.src.Nodes.Value[j])) > 1 })
}

// delegates reports whether an element hears the mouse for the parts that it
// consists of, and notes them: cells, items, or what else is there several
// times in one form.
func (d *doc) delegates(i int, parts map[int]bool) bool {
	if d.tag(i) == "table" && d.isSheet(i) {
		return d.sheet(i, parts)
	}
	if !d.heard(i).mouse || d.style(i, styleCursor) == "pointer" || d.grip(i) {
		return false
	}
	switch d.tag(i) {
	case "table", "thead", "tbody", "tr":
		return d.notes(parts, i, d.isCell)
	case "ul", "ol", "menu":
		return d.notes(parts, i, func(j int) bool { return d.tag(j) == "li" })
	case "svg", "g":
		if d.isIcon(i) {
			return false
		}
		d.notes(parts, i, func(j int) bool { return shape(d.tag(j)) })
		return false // the ground between them takes clicks as well
	}
	// The parts may stand in wrappers.
	for range 4 {
		if d.isIcon(i) {
			return false
		}
		if d.repeated(i, parts) {
			return true
		}
		only, n := 0, 0
		for c := d.first[i]; c != 0 && n < 2; c = d.next[c] {
			if d.kind(int(c)) == element && d.layout[c] > 0 {
				only = int(c)
				n++
			}
		}
		if n != 1 {
			only = d.richest(i)
			if d.tag(only) == "tr" { // a calendar
				return d.notes(parts, i, d.isCell)
			}
			return only > 0 && d.repeated(only, parts)
		}
		i = only
	}
	return false
}

// isIcon reports whether an element is a drawing so small that it is one thing.
func (d *doc) isIcon(i int) bool {
	_, _, w, h, _ := d.box(i)
	return (d.tag(i) == "svg" || d.tag(i) == "g") && w < leastDrawing && h < leastDrawing
}

// richest is the element in something small, such as a list or a calendar that has opened, with the most
// children of one first class; 0 for less than three.
func (d *doc) richest(i int) (out int) {
	if _, _, w, h, ok := d.box(i); !ok || w > mostCard || h > mostCard {
		return 0
	}
	most := 2
	count := make(map[string]int)
	d.descend(i, 4*partnerNodes, func(j int) bool {
		if class, _, _ := strings.Cut(strings.TrimSpace(d.attr(j, "class")), " "); class != "" && d.layout[j] > 0 && d.hasWord(j) {
			key := strconv.Itoa(d.up(j)) + class
			if count[key]++; count[key] > most {
				out, most = d.up(j), count[key]
			}
		}
		return true
	})
	return out
}

func (d *doc) isCell(i int) bool { t := d.tag(i); return t == "td" || t == "th" }

// sheet notes the cells of a table, and the entries of what has opened in one.
func (d *doc) sheet(i int, parts map[int]bool) bool {
	found := d.notes(parts, i, d.isCell)
	d.descend(i, 20*mostParts, func(j int) bool {
		if parts[j] && d.isCell(j) {
			if list := d.richest(j); list > 0 {
				d.repeated(list, parts)
			}
		}
		return true
	})
	return found
}

// isSheet reports whether something around a table hears double clicks, as libraries do whose tables are
// edited or sorted: at the table's box, or at the document.
func (d *doc) isSheet(i int) bool {
	for ; i >= 0; i = d.up(i) {
		if h := d.heard(i); h.double && h.types < rootTypes {
			return true
		}
	}
	return false
}

// repeated notes the children of an element that are there in one form: twice
// where a class says so, three times where their name alone does.
func (d *doc) repeated(i int, parts map[int]bool) (any bool) {
	type form struct{ tag, class string }
	of := func(j int) form {
		class := cmp.Or(d.attr(j, "role"), strings.TrimSpace(d.attr(j, "class")))
		if class == "" && strings.Contains(d.tag(j), "-") {
			class = d.tag(j) // the name of a custom element is as much as a class
		}
		return form{d.tag(j), class}
	}
	count := make(map[form]int)
	for c, n := d.first[i], 0; c != 0 && n < mostParts; c, n = d.next[c], n+1 {
		if d.kind(int(c)) == element && d.layout[c] > 0 {
			count[of(int(c))]++
		}
	}
	for c, n := d.first[i], 0; c != 0 && n < mostParts; c, n = d.next[c], n+1 {
		j := int(c)
		if d.kind(j) != element || d.tag(j) == "br" {
			continue
		}
		if f := of(j); count[f] >= 3 || count[f] == 2 && f.class != "" {
			parts[j], any = true, true
		}
	}
	if any {
		d.rows(i, parts)
	}
	return any
}

// rows notes the cells of the parts of an element in place of them, where each consists of the same number of
// cells: the weeks of a calendar have seven days.
func (d *doc) rows(i int, parts map[int]bool) {
	var rows, cells []int
	for c := d.first[i]; c != 0; c = d.next[c] {
		if j := int(c); parts[j] {
			own := d.cellsOf(j)
			if len(own) < leastInRow || len(rows) > 0 && len(own)*len(rows) != len(cells) {
				return
			}
			rows, cells = append(rows, j), append(cells, own...)
		}
	}
	if len(rows) < 2 || len(cells) > mostParts {
		return
	}
	for _, j := range rows {
		delete(parts, j)
	}
	for _, j := range cells {
		parts[j] = true
	}
}

// cellsOf are the children of one class with words in an element, or in the first wrapper that is as large.
func (d *doc) cellsOf(i int) (cells []int) {
	_, _, width, height, _ := d.box(i)
	for range 4 {
		inner := 0
		cells = cells[:0]
		for c := d.first[i]; c != 0; c = d.next[c] {
			j := int(c)
			if d.kind(j) != element || d.layout[j] == 0 {
				continue
			}
			if _, _, w, h, _ := d.box(j); inner == 0 && w*h >= mostOfWindow*width*height {
				inner = j
			}
			if d.attr(j, "class") == "" || !d.hasWord(j) || len(cells) > 0 && d.attr(j, "class") != d.attr(cells[0], "class") {
				continue
			}
			cells = append(cells, j)
		}
		if len(cells) >= leastInRow || inner == 0 {
			return cells
		}
		i = inner
	}
	return nil
}

// notes takes the descendants of a form as parts, unless there are too many.
func (d *doc) notes(parts map[int]bool, i int, form func(int) bool) bool {
	var found []int
	d.descend(i, 20*mostParts, func(j int) bool {
		if d.kind(j) == element && form(j) {
			found = append(found, j)
		}
		return len(found) <= mostParts
	})
	if len(found) < 2 || len(found) > mostParts {
		return false
	}
	for _, j := range found {
		parts[j] = true
	}
	return true
}

// shape reports whether an element of SVG draws something.
func shape(tag string) bool {
	switch tag {
	case "rect", "circle", "ellipse", "polygon", "polyline", "line", "path", "text", "use":
		return true
	}
	return false
}

package snapshot

import (
	"slices"
	"strings"
)

// The kinds of what can be acted on; the letter begins the ref.
const (
	kindLink    = 'a'
	kindButton  = 'b'
	kindCombo   = 'c'
	kindFile    = 'f'
	kindClick   = 'k' // something else that listens to clicks
	kindOption  = 'o'
	kindPassage = 'p' // words, given where they are looked for
	kindRadio   = 'r'
	kindSlider  = 's'
	kindText    = 't'
	kindCheck   = 'x'
	kindRegion  = 'n' // a part of the page, to look at alone
	noControl   = 0

	// Within this package; mark decides what becomes of them.
	labelControl = 'l' // a label, which speaks for a control that is not drawn
	weakControl  = 'w' // something to click where nothing in it is
	saidControl  = 'm' // the same, known by its markup: where it has a name as well
	partControl  = 'h' // the same, or where it has words besides what is in it
)

// roles are the kinds of ARIA roles that people act on.
func roleKind(role string) byte {
	switch role {
	case "link":
		return kindLink
	case "button", "tab", "menuitem", "DisclosureTriangle", "PopUpButton":
		return kindButton
	case "textbox", "searchbox", "spinbutton":
		return kindText
	case "combobox", "listbox":
		return kindCombo
	case "checkbox", "switch", "menuitemcheckbox":
		return kindCheck
	case "radio", "menuitemradio":
		return kindRadio
	case "option", "treeitem":
		return kindOption
	case "slider":
		return kindSlider
	}
	return noControl
}

// classify says what an element is for people who act; its place on the screen
// is not looked at.
func (d *doc) classify(i int) byte {
	switch tag := d.tag(i); tag {
	case "a", "area":
		if d.has(i, "href") {
			return kindLink
		}
		if k := d.reacts(i); k != noControl || tag == "area" || d.has(i, "name") || d.has(i, "id") || d.attr(i, "role") != "" {
			break
		}
		return saidControl // without an address, only a script can make it a link
	case "button", "summary":
		switch k := roleKind(strings.ToLower(d.attr(i, "role"))); k {
		case kindCheck, kindRadio, kindOption, kindCombo:
			return k // it holds a value, whatever it is made of
		}
		return kindButton
	case "textarea":
		return kindText
	case "select":
		return kindCombo
	case "input":
		return inputKind(strings.ToLower(d.attr(i, "type")))
	case "body":
		// The frame of an editor. One whose document is in design mode says so by
		// taking clicks that no handler waits for.
		if v, ok := d.lookup(i, "contenteditable"); ok && !strings.EqualFold(v, "false") ||
			d.clickable[i] && d.process.src.Listeners != nil && !d.heard(i).mouse {
			return kindText
		}
		return noControl
	case "html", "option", "optgroup":
		return noControl
	case "canvas":
		return weakControl // whoever hears the mouse for it
	case "label":
		if j, ok := d.labelled(i); ok && d.kind(j) == element {
			return labelControl
		}
		return noControl
	case "video", "audio":
		if d.has(i, "controls") {
			return kindClick
		}
	}
	if k := roleKind(strings.ToLower(d.attr(i, "role"))); k != noControl {
		if k == kindCombo && d.attr(i, "role") == "listbox" && (!d.has(i, "aria-expanded") || d.attr(i, "tabindex") == "-1") {
			return noControl // its options are acted on; one that opens, and takes the focus itself, is a box around them (ARIA 1.1, listbox)
		}
		return k
	}
	if v, ok := d.lookup(i, "contenteditable"); ok && !strings.EqualFold(v, "false") {
		return kindText
	}
	return d.reacts(i)
}

func inputKind(kind string) byte {
	switch kind {
	case "hidden":
		return noControl
	case "button", "submit", "reset", "image":
		return kindButton
	case "checkbox":
		return kindCheck
	case "radio":
		return kindRadio
	case "range":
		return kindSlider
	case "file":
		return kindFile
	}
	return kindText
}

// pointerRoot reports whether the cursor becomes a hand at this element and not
// at its parent, which is how pages without semantics show what can be clicked.
func (d *doc) pointerRoot(i int) bool {
	return d.style(i, styleCursor) == "pointer" && d.cursorBegins(i)
}

// cursorBegins reports whether the parent of an element has another cursor.
func (d *doc) cursorBegins(i int) bool {
	up := d.up(i)
	for up > 0 && d.layout[up] == 0 {
		up = d.up(up)
	}
	return up <= 0 || d.style(up, styleCursor) != d.style(i, styleCursor)
}

// grip reports whether an element is such a handle or card.
func (d *doc) grip(i int) bool {
	if c := d.style(i, styleCursor); c != "grab" && c != "move" && c != "crosshair" {
		return false
	}
	_, _, w, h, ok := d.box(i)
	card := ok && w <= mostCard && h <= mostCard/2 && d.hasWord(i)
	return ok && (card || w <= mostGrip && h <= mostGrip) && d.cursorBegins(i)
}

// labelled returns the control of a label.
func (d *doc) labelled(i int) (int, bool) {
	if id, ok := d.lookup(i, "for"); ok {
		j, ok := d.find(d.byID, i, id)
		return j, ok && (d.formControl(j) || d.tag(j) == "button")
	}
	found := 0
	ok := d.any(i, 200, func(j int) bool {
		found = j
		return d.kind(j) == element && d.formControl(j)
	})
	return found, ok
}

func (d *doc) formControl(i int) bool {
	switch d.tag(i) {
	case "select", "textarea":
		return true
	case "input":
		return d.attr(i, "type") != "hidden"
	}
	return false
}

// mark computes what each element of a document is, and what of it is seen.
func (d *doc) mark() *marks {
	n := len(d.first)
	m := &marks{views: d.views(), control: make([]byte, n), inside: make([]bool, n), shown: make([]bool, n), size: make([]int, n), loose: make([]bool, n), swatch: make([]bool, n), sign: make([]bool, n), cells: make([]int, n), shapes: make([]bool, n), dialog: make([]bool, n), around: make([]bool, n), told: make(map[string][]int), words: make(map[int]string)}
	way := &way{make([]bool, n), make([]bool, n), make([]bool, n), make([]bool, n), make(map[int]bool)}
	for i := range n {
		m.enter(d, i, way)
	}
	for i := n - 1; i > 0; i-- {
		if up := d.up(i); up >= 0 {
			m.leave(d, i, up)
		}
	}
	m.transparent(d)
	m.partners(d)
	m.labels(d)
	m.signs(d)
	m.grids(d)
	return m
}

// labels takes away the label of a field, and boxes around it that say only what it is called: a click on
// them gives it the focus.
func (m *marks) labels(d *doc) {
	for i := range slices.Backward(d.first) { // a box first, and then what is before it
		if m.control[i] == kindClick && !m.inside[i] && m.size[i] > 0 && m.isHead(d, i) {
			m.control[i] = noControl
		}
		if h := d.heard(i); m.control[i] != kindClick || !m.inside[i] || m.size[i] > nameBytes || h.drop || strings.EqualFold(d.attr(i, "draggable"), "true") {
			continue
		}
		field, n, own := 0, 0, ""
		d.descend(i, partnerNodes, func(j int) bool {
			switch {
			case field > 0 && d.within(j, field):
			case !m.blank(j):
				if n++; n == 1 {
					field = j
				}
			case d.kind(j) == textNode && m.shown[j]:
				own += " " + d.str(d.src.Nodes.Value[j])
			}
			return n < 2 || own != ""
		})
		opens := d.has(field, "aria-haspopup")
		switch own = strings.Trim(clean(own), " :*"); m.control[field] {
		case kindButton, kindText, kindCombo, kindSlider, kindCheck, kindRadio:
			if (opens || m.control[field] != kindButton) && (n == 1 || own != "") && strings.Contains(clean(d.name(field)), own) {
				m.control[i] = noControl
			}
		}
	}
}

// isHead reports whether an element is the label of the field before or after it, or of a button that follows
// and opens something, which is called the same.
func (m *marks) isHead(d *doc, i int) bool {
	if m.size[i] > nameBytes {
		return false
	}
	says := d.saysLabel(i) || d.saysLabel(d.up(i)) || d.any(i, 8, d.saysLabel)
	text := strings.Trim(clean(d.textOf(i)), " :*")
	for _, step := range [...]int{1, -1} {
		j := i + step
		for n := 0; n < partnerNodes && j > 0 && j < len(d.first) && (d.kind(j) != element || m.blank(j)); n++ {
			j += step
		}
		if j <= 0 || j >= len(d.first) || d.within(i, j) {
			continue
		}
		switch name := clean(d.name(j)); m.control[j] {
		case kindText, kindCombo, kindSlider, kindCheck, kindRadio, kindFile:
			if name == text && (says || step > 0) || says && step > 0 && containsWord(name, text) {
				return true
			}
		case kindButton:
			if says && step > 0 && (d.has(j, "aria-haspopup") || d.has(j, "aria-expanded")) && containsWord(name, text) {
				return true
			}
		}
	}
	return false
}

// blank reports whether an element is not a control, or has a click handler and no text, such as the track of a slider.
func (m *marks) blank(i int) bool {
	return m.control[i] == noControl || m.control[i] == kindClick && m.size[i] == 0
}

// saysLabel reports whether an element is called a label.
func (d *doc) saysLabel(i int) bool {
	if i <= 0 || d.kind(i) != element {
		return false
	}
	return strings.Contains(d.tag(i), "label") || slices.ContainsFunc([]string{"class", "part", "slot", "id"}, func(a string) bool {
		return strings.Contains(strings.ToLower(d.attr(i, a)), "label")
	})
}

// signs finds what says something only by a label for assistive technology, as the check mark of
// an accepted answer does.
func (m *marks) signs(d *doc) {
	for i := range d.first {
		if d.kind(i) != element || m.size[i] > 0 || m.inside[i] || m.control[i] != noControl || d.attr(i, "aria-label") == "" || !d.seen(i, m.views[i]) {
			continue
		}
		switch role := d.attr(i, "role"); {
		case role == "img", role == "image", role == "note", role == "status", role == "" && d.style(i, styleDisplay) != "block" && d.regionKind(i, d.tag(i)) == "":
		default:
			continue
		}
		if _, _, w, h, _ := d.box(i); min(w, h) < leastSwatch || d.tag(i) == "canvas" || d.tag(i) == "svg" || d.tag(i) == "img" || d.isFrame(i) {
			continue
		}
		up := i
		for up > 0 && m.control[up] == noControl {
			up = d.up(up)
		}
		if up <= 0 { // on a control, it is in the name of that
			m.sign[i] = true
			m.show(d, i)
		}
	}
}

// show says that something in the elements around a node is seen, and in itself.
func (m *marks) show(d *doc, i int) {
	for ; i >= 0 && !m.shown[i]; i = d.up(i) {
		m.shown[i] = true
	}
}

// way is what is known of elements by what is around them.
type way struct {
	under []bool // within a link or a button
	combo []bool // within a list that opens
	draws []bool // within a drawing whose forms are listed
	edits []bool // within an editor
	parts map[int]bool
}

// enter marks a node by what it is and what is around it.
func (m *marks) enter(d *doc, i int, w *way) {
	v, up := m.views[i], d.up(i)
	if up >= 0 {
		w.under[i] = w.under[up] || m.control[up] == kindLink || m.control[up] == kindButton
		w.draws[i] = w.draws[up]
		w.combo[i] = w.combo[up] || m.control[up] == kindCombo
		w.edits[i] = w.edits[up] || m.control[up] == kindText
	}
	switch {
	case d.pseudo[i]:
		m.shown[i] = d.says(i) && d.seen(i, v)
	case d.kind(i) == textNode:
		m.shown[i] = strings.TrimSpace(d.str(d.src.Nodes.Value[i])) != "" && d.seen(i, v)
	case d.kind(i) == element:
		k := d.kindIn(i, w)
		if m.dialog[i] = d.regionKind(i, d.tag(i)) == "dialog"; m.dialog[i] {
			k = noControl // a click on it closes it, or keeps it open
		}
		if w.combo[i] && d.popsUp(i) {
			if m.popup == nil {
				m.popup = make(map[int]bool)
			}
			m.popup[i] = true
		}
		if m.swatch[i] = k == noControl && d.swatch(i, v); m.swatch[i] && !w.under[i] && d.takesDrops(i) {
			k, m.swatch[i] = kindClick, false
		}
		m.control[i] = k
		if d.tag(i) == "svg" {
			w.draws[i] = w.draws[i] || !w.under[i] && d.draws(i)
		}
		m.shapes[i] = k == noControl && w.draws[i] && shape(d.tag(i)) && d.seen(i, v)
		m.shown[i] = m.swatch[i] || m.shapes[i] || d.drawn(i, v, k) || m.thumb(d, i)
	}
}

// popsUp reports whether an element in a list that opens is what it opens.
func (d *doc) popsUp(i int) bool {
	switch strings.ToLower(d.attr(i, "role")) {
	case "listbox", "tree", "grid", "dialog":
		return true
	}
	return d.isOnTop(i)
}

// kindIn says what an element is for people who act, by itself and by what is around it.
func (d *doc) kindIn(i int, w *way) byte {
	if w.edits[i] && !d.heard(i).mouse {
		delete(d.clickable, i) // the browser says it of all that can be edited
	}
	k := d.classify(i)
	switch {
	case (k == kindClick || k == noControl && d.tag(i) == "table") && d.delegates(i, w.parts) && !d.pans(i, w.parts):
		k = weakControl
	case k == noControl && w.parts[i]:
		k = partControl
	}
	if w.under[i] && (k == weakControl || k == partControl || k == saidControl) {
		k = noControl
	}
	return k
}

// leave marks a node by what is in it, and the one around it.
func (m *marks) leave(d *doc, i, up int) {
	if !m.shown[i] {
		m.control[i] = noControl
	}
	m.control[i] = m.decide(d, i)
	isText := (d.kind(i) == textNode || d.pseudo[i]) && m.shown[i]
	if isText && d.kind(i) == textNode {
		m.size[i] = len(strings.TrimSpace(d.str(d.src.Nodes.Value[i])))
	}
	isFrame := d.isFrame(i) && d.seen(i, m.views[i])
	m.around[up] = m.around[up] || m.around[i] || m.dialog[i] && m.shown[i]
	m.inside[up] = m.inside[up] || m.inside[i] || m.control[i] != noControl || isFrame
	m.shown[up] = m.shown[up] || m.shown[i]
	m.size[up] += m.size[i]
	if m.isCell(d, i) {
		m.cells[i]++
	}
	m.cells[up] += m.cells[i]
	m.loose[up] = m.loose[up] || isText || !m.dialog[i] && m.control[i] == noControl && (m.loose[i] || d.tag(i) == "img" && m.shown[i])
	if href := d.attr(i, "href"); m.control[i] == kindLink && m.size[i] > 0 && href != "" && href[0] != '#' && !strings.HasPrefix(strings.ToLower(href), "javascript:") {
		m.told[href] = append(m.told[href], i)
	}
}

// decide says what a control is of which one had to know what is in it.
func (m *marks) decide(d *doc, i int) byte {
	switch m.control[i] {
	case kindButton, kindLink, kindOption, kindCheck, kindRadio, kindCombo:
		if m.inside[i] {
			m.absorb(d, i)
		}
	case kindText:
		if d.attr(i, "tabindex") == "-1" && m.inCombo(d, i) {
			return noControl // no key comes to it: the list around is acted on, and takes the text
		}
	}
	switch m.control[i] {
	case labelControl:
		return m.spokenFor(d, i)
	case kindCombo:
		if field := m.boxed(d, i); field > 0 && !m.loose[i] && d.given(i) == "" && (d.given(field) != "" || d.labelBefore(i) == "") {
			return noControl
		}
	case kindClick:
		if m.inside[i] && !m.loose[i] && (!d.ground(i) || m.filled(d, i) || m.around[i]) {
			return noControl // what is in it says what can be done
		}
	case weakControl:
		if m.inside[i] {
			return noControl
		}
		return kindClick
	case kindButton, kindLink:
		if m.inside[i] && !m.loose[i] && d.hollow(i) {
			return noControl // as an entry of a menu that only holds a link
		}
	case kindCheck, kindRadio:
		if m.inside[i] {
			return m.doubled(d, i)
		}
	case saidControl:
		if m.inside[i] || m.size[i] > nameBytes || m.size[i] == 0 && d.given(i) == "" && (d.pictureName(i) == "" || !d.any(i, partnerNodes, func(j int) bool { return m.shown[j] })) {
			return noControl // a picture that comes later names nothing yet
		}
		return kindClick
	case partControl:
		if m.inside[i] && !m.loose[i] {
			return noControl
		}
		return kindClick
	}
	return m.control[i]
}

// spokenFor is the kind of the control that a label speaks for, where that is not drawn itself.
func (m *marks) spokenFor(d *doc, i int) byte {
	if inner, lone := m.lone(d, i); lone && m.control[inner] == kindButton {
		return noControl // a click on it is none on the label (HTML, the label element)
	}
	if j, _ := d.labelled(i); d.kind(j) == element && !d.seen(j, m.views[j]) && !d.laidOver(j, m.views[j]) {
		// A list that no key comes to either has been replaced by a library.
		if k := d.classify(j); d.layout[j] > 0 && d.attr(j, "tabindex") != "-1" || k != kindCombo && k != kindText {
			return k
		}
		if d.heard(i).mouse && !m.inside[i] {
			return kindClick
		}
	}
	return noControl
}

// absorb takes away the one thing to click in a control if it is no other one: it has all of the
// words and the middle of the control, or no words, and only its cursor says that it can be clicked.
func (m *marks) absorb(d *doc, i int) {
	inner, lone := m.lone(d, i)
	if !lone || inner == 0 || int(d.last[i])-i > 4*partnerNodes || m.control[inner] != kindClick || d.said(inner) != "" {
		return
	}
	own, over := d.rectOf(i), d.rectOf(inner)
	x, y := (own.left+own.right)/2, (own.top+own.bottom)/2
	isAll := m.size[inner] == m.size[i] && over.shows(x, y, 1, 1)
	if !isAll && (m.size[inner] > 0 || d.heard(inner).mouse || m.control[i] == kindOption) {
		return // the box of an entry in a tree is another thing
	}
	m.control[inner] = noControl
	for j := i; j <= int(d.last[i]); j++ {
		m.inside[j] = false
	}
}

// hollow reports whether only a role says that something can be done with an element: no
// handler, no key and no markup of a control does.
func (d *doc) hollow(i int) bool {
	switch d.tag(i) {
	case "a", "button", "summary", "input":
		return false
	}
	return d.process.src.Listeners != nil && d.heard(i).types == 0 && !d.clickable[i] && !d.has(i, "tabindex") &&
		d.said(i) == "" && !d.pointerRoot(i)
}

// filled reports whether what can be acted on in an element covers it.
func (m *marks) filled(d *doc, i int) bool {
	_, _, width, height, ok := d.box(i)
	if !ok || d.tag(i) == "svg" { // places in a drawing are chosen on its ground
		return false
	}
	area := 0.0
	d.walk(i, partnerNodes, func(j int) step {
		if m.control[j] == noControl {
			return into
		}
		_, _, w, h, _ := d.box(j)
		area += w * h
		return past
	})
	return area >= mostOfWindow*width*height
}

// ground reports whether there is something to do on an element besides what is in it:
// it takes what is dragged or dropped, or is large and hears where the mouse goes down,
// or has a name.
func (d *doc) ground(i int) bool {
	h := d.heard(i)
	_, _, width, height, ok := d.box(i)
	return d.tag(i) == "svg" || h.drop || strings.EqualFold(d.attr(i, "draggable"), "true") || d.said(i) != "" || h.down && ok && width*height >= leastGround
}

// pans reports whether an element hears for itself where the mouse goes down, though there are
// parts of one form in it: it is large, and they are controls of their own, as the pins of a map.
func (d *doc) pans(i int, parts map[int]bool) bool {
	_, _, width, height, ok := d.box(i)
	if !ok || width*height < leastGround || !d.heard(i).down {
		return false
	}
	first := 0
	return d.any(i, partnerNodes, func(j int) bool {
		first = j
		return parts[j]
	}) && d.classify(first) != noControl
}

type marks struct {
	views   []view
	control []byte           // kind of what can be acted on and is seen
	inside  []bool           // something below can be acted on
	shown   []bool           // it or something below is seen
	size    []int            // bytes of text below that is seen
	loose   []bool           // text below is seen that is on no control
	swatch  []bool           // it is a box of a colour
	sign    []bool           // it says something only by its label
	cells   []int            // cells of a picture in it
	grid    map[int]*grid    // pictures drawn by cells
	popup   map[int]bool     // what a list that opens shows, in the list itself
	dialog  []bool           // it is a dialog, whose words are its own
	around  []bool           // a dialog is below
	shapes  []bool           // it is a form of a drawing whose forms are listed
	stands  map[int]int      // hidden controls, by what is drawn in their place
	words   map[int]string   // of lowerText
	told    map[string][]int // addresses of links with words, and these, the last one first
}

// sameTarget returns the link with words that is nearest to a link and leads to the same
// address; 0 if there is none near.
func (m *marks) sameTarget(d *doc, i int) int {
	all := m.told[d.attr(i, "href")]
	if len(all) == 0 {
		return 0
	}
	at, _ := slices.BinarySearchFunc(all, i, func(j, i int) int { return i - j })
	near := all[min(at, len(all)-1)]
	if after := all[max(at-1, 0)]; after-i < i-near || near > i {
		near = after
	}
	if near-i > farNodes || i-near > farNodes {
		return 0
	}
	return near
}

// drawn reports whether an element itself is something to see or to act on.
func (d *doc) drawn(i int, v view, control byte) bool {
	switch d.tag(i) {
	case "img", "svg", "canvas", "video", "audio", "iframe", "frame", "object", "embed", "progress", "meter":
		return d.seen(i, v)
	}
	if control == noControl {
		return d.attr(i, "role") == "progressbar" && d.attr(i, "aria-valuenow") != "" && d.seen(i, v)
	}
	return d.seen(i, v) && !d.isCut(i, v, control) || d.laidOver(i, v)
}

// isCut reports whether what can be clicked and has no name stands outside of what the elements around it leave,
// where no scrolling leads: the slides of a carousel beside the one that is shown. What is in it may be seen all the same.
func (d *doc) isCut(i int, v view, control byte) bool {
	switch control {
	case kindText, kindCombo, kindFile, kindCheck, kindRadio, kindSlider:
		return false // a page may draw its own in that place
	}
	x, y, w, h, ok := d.box(i)
	return ok && !v.clip.shows(x, y, w, h) && d.given(i) == "" && d.pictureName(i) == ""
}

// laidOver reports whether a field of a form is transparent, as pages have it
// that draw their own in its place.
func (d *doc) laidOver(i int, v view) bool {
	if v.opacity >= seenOpacity {
		return false
	}
	switch d.tag(i) {
	case "select":
		if d.attr(i, "tabindex") == "-1" || d.attr(i, "aria-hidden") == "true" {
			return false // a library has replaced it
		}
	case "input":
		switch d.attr(i, "type") {
		case "checkbox", "radio", "file", "range":
		default:
			return false
		}
	default:
		return false
	}
	_, _, w, h, _ := d.box(i)
	v.opacity = 1
	return min(w, h) >= leastSize && d.seen(i, v)
}

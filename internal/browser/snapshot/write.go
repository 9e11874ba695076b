package snapshot

import (
	"cmp"
	"strings"
)

// A Line is one line of a snapshot.
type Line struct {
	Text string
	// Refs are those in it, in order.
	Refs []string
	// Level is that of a heading, 1 to 6; 0 for other lines.
	Level int
	// Region is the index of the innermost region, -1 outside of any.
	Region int
	// InView says that a part of it stands where the window is.
	InView bool
	behind bool     // a dialog lies over all of it
	front  bool     // a part of it is in front of the dialog
	opens  bool     // it is the line that begins its region
	was    []string // Refs while they are changed
	node   Node     // of its first words outside of controls
	frame  string   // of node
	later  []part   // the words after those, where it is a row
}

// A part of a line is where words begin, in bytes of its text, and what has them.
type part struct {
	at   int
	node Node
}

// A Region is a landmark, a dialog or a frame.
type Region struct {
	Kind string // nav, main, header, footer, aside, form, search, dialog, alert, iframe, section
	Name string
	Ref  string
	up   int
	node Node
	line int // that opens it; -1 while it has none
}

// Page is a page as text.
type Page struct {
	Lines   []Line
	Regions []Region
	// Truncated says that the page was too large to be taken whole.
	Truncated bool
	nodes     map[Node]place
	hidden    map[Node]bool     // see writer.hidden
	values    map[string]string // whole values of fields that are shown in part, by ref
	links     map[string]link   // by ref
	canvas    bool              // a script draws on a canvas that is seen
	whole     int               // a part of a page: the region that it is; -1 for none
	unpainted int               // tokens of text that nobody sees, where that is nearly all of the page
	covered   bool              // a part of a page: a dialog lies over it
	inView    bool              // a part of a page: some of it stands in the window
	unseen    bool              // no earlier look showed what is behind the dialog
	looks     []look
}

// A place is where a control stands.
type place struct {
	from, to int // lines: the first and one past the last
	frame    string
	marks    []Mark
	inView   bool   // it stands in the window
	near     string // words beside a control without marks
	key      uint64 // see doc.identity
	pressed  bool   // see doc.pressed
}

// Frame returns the id of the frame that holds a control of the page.
func (p *Page) Frame(n Node) string { return p.nodes[n].frame }

// Pressed reports whether a control hears the mouse button go down, and nothing else of a click.
func (p *Page) Pressed(n Node) bool { return p.nodes[n].pressed }

// Viewport is the part of the main document that the window shows.
type Viewport struct{ Width, Height float64 }

// Make writes a page. Refs that it had before stay.
func Make(in Input, refs *Refs, window Viewport) *Page {
	w := &writer{refs: refs, page: &Page{nodes: make(map[Node]place), links: make(map[string]link), whole: -1}, region: -1, window: window}
	var main *doc
	if w.frames, main = newFrames(in); main != nil {
		main.openIn(window)
		w.document(main, 0)
	}
	w.brk()
	if main != nil {
		w.page.unpainted = w.unpainted(main)
	}
	w.page.hidden = w.hidden()
	return w.page
}

// hidden returns the elements with a ref that are in the document and not on the page.
func (w *writer) hidden() map[Node]bool {
	out := make(map[Node]bool)
	for name, p := range w.frames.all {
		for _, d := range p.docs {
			for _, id := range d.src.Nodes.BackendID {
				n := Node{name, id}
				if _, shown := w.page.nodes[n]; !shown && w.refs.names[n] != "" {
					out[n] = true
				}
			}
		}
	}
	return out
}

// unpainted is the size of the text that nobody sees of a page which shows almost nothing.
func (w *writer) unpainted(d *doc) (tokens int) {
	for i := range d.first {
		if d.kind(i) != textNode || d.layout[i] > 0 && w.shows[i] {
			continue
		}
		switch d.tag(max(d.up(i), 0)) {
		case "script", "style", "noscript", "template", "title", "option", "textarea":
		default:
			tokens += Estimate(d.str(d.src.Nodes.Value[i]))
		}
	}
	if tokens < leastUnpainted || tokens < unpaintedShare*w.page.Tokens() {
		return 0
	}
	return tokens
}

type writer struct {
	frames *frames
	refs   *Refs
	page   *Page
	window Viewport

	d *doc // the document at work
	m *marks

	records *records // of d

	line   Line
	buf    []byte
	space  bool   // before the next word
	prefix string // of the line, written with its first word
	text   bool   // the line has words outside of controls
	owner  *owned // of the next words
	mute   bool   // words stand in the name of what they are in
	ended  int    // the length of buf after the last control
	marks  []Mark // records around the control at work
	told   string // the last name of the line that nobody sees, whole
	region int
	inMain bool // the document is the main one
	pre    bool

	left, top, right, bottom float64 // of the last text
	before                   int     // the last text or control

	shows       []bool // what is seen of the main document
	veil        *veil
	locked      bool   // see doc.locked, of the main document
	frameBehind bool   // the frame at work is behind the dialog
	inDialog    int    // the dialog and what covers the page, around the node at work
	inCell      int    // cells around, in which nothing breaks the line
	days        []day  // columns of a calendar that what follows may be in
	inEditor    int    // the editor around; 0 for none
	keep        bool   // white space at the beginning of a line is drawn
	indent      []byte // that of the line at work
	swatches    int    // that are alike and were written last
	lastSwatch  string
	swatchText  []byte
}

// document writes a frame.
func (w *writer) document(d *doc, depth int) {
	before, marks, main := w.d, w.m, w.inMain
	was := w.records
	w.d, w.m, w.inMain, w.before, w.days = d, d.mark(), d == w.frames.main, 0, nil
	w.records = newRecords(d, w.m)
	w.looksOf(d, w.m)
	if w.inMain {
		w.veil, w.locked, w.shows = w.veilOf(d, w.m), d.locked, w.m.shown
	}
	if len(d.first) > 0 {
		w.children(0, depth)
	}
	w.brk()
	w.d, w.m, w.inMain, w.records, w.before = before, marks, main, was, 0
}

// children writes what is below a node.
func (w *writer) children(i, depth int) {
	if depth > maxDepth {
		w.page.Truncated = true
		return
	}
	d := w.d
	if rows := w.row(i); rows {
		w.cells(i, depth)
		return
	}
	if w.smallCells(i) {
		w.inCell++
		defer func() { w.inCell-- }()
	}
	for c := d.first[i]; c != 0; c = d.next[c] {
		w.node(int(c), depth+1)
	}
}

// node writes a node and what is below it.
func (w *writer) node(i, depth int) {
	d := w.d
	if !w.m.shown[i] || w.mute && (d.kind(i) == textNode || d.pseudo[i]) {
		w.gaps(i)
		return
	}
	if d.pseudo[i] && d.tag(i) == "::marker" {
		w.prefix = w.number() + clean(d.generated[i]) + " "
		return
	}
	if d.pseudo[i] {
		w.look(i)
		w.apart(i)
		w.words(d.generated[i])
		return
	}
	switch d.kind(i) {
	case textNode:
		w.letters(i)
		return
	case element:
	default:
		w.children(i, depth)
		return
	}
	tag := d.tag(i)
	if tag == "br" {
		w.brk()
		return
	}
	w.page.canvas = w.page.canvas || tag == "canvas"
	block := w.open(i)
	if block || w.inCell > 0 || d.style(i, styleDisplay) == "table-cell" {
		w.block(i)
	}
	leave := w.enterRegion(i, tag)
	if w.inMain && w.veil != nil && (i == w.veil.dialog || i == w.veil.cover) {
		w.inDialog++
		defer func() { w.inDialog-- }()
	}
	switch {
	case d.isFrame(i):
		w.frame(i, depth)
	case w.m.control[i] != noControl:
		w.control(i, depth)
	case w.m.grid[i] != nil:
		w.cellPicture(i)
	case w.m.shapes[i]:
		w.shape(i)
	case w.m.swatch[i]:
		w.swatch(i)
	case tag == "progress" || tag == "meter":
		w.gauge(i, tag, d.attr(i, "value"), cmp.Or(d.attr(i, "max"), "1"))
	case w.m.size[i] == 0 && d.attr(i, "role") == "progressbar":
		w.gauge(i, "progress", d.attr(i, "aria-valuenow"), cmp.Or(d.attr(i, "aria-valuemax"), "100"))
	case tag == "img" || tag == "svg" || tag == "canvas" || w.m.sign[i]:
		w.picture(i, tag, depth)
		w.fallback(i)
	case tag == "label" && w.repeats(i):
		mute := w.mute
		w.mute = true
		w.children(i, depth)
		w.mute = mute
	default:
		w.content(i, tag, depth)
	}
	if d.angled[i] && len(w.buf) > 0 {
		w.words(" (at an angle)")
	}
	leave()
	if block {
		w.brk()
	} else if d.style(i, styleDisplay) != "inline" && !d.isLetter(i) {
		w.space = true
	}
}

// letters writes a text. The first words of an area that waits for its name are the name.
func (w *writer) letters(i int) {
	d := w.d
	w.look(i)
	w.apart(i)
	if w.line.node == (Node{}) && len(w.line.Refs) == 0 {
		w.line.node, w.line.frame = d.node(max(d.up(i), 0)), d.str(d.src.FrameID)
	} else if w.inCell > 0 && len(w.line.Refs) == 0 {
		w.line.later = append(w.line.later, part{len(w.buf), d.node(max(d.up(i), 0))})
	}
	s := d.letters(i)
	mark := ""
	if w.inEditor > 0 {
		mark = w.emphasis(i)
	}
	if first, rest := firstWords(s); w.owner != nil && clean(first) != "" {
		w.write(mark+clean(first)+mark, w.owner.state, w.owner.ref)
		w.owner, w.text = nil, true
		if w.space = rest != ""; !w.space {
			rest = s[len(strings.TrimRight(s, " \t\n")):]
		}
		s = rest
	}
	before := w.pre
	if !w.pre && w.inCell == 0 && d.keepsLines(i) {
		s, w.pre = strings.Trim(s, "\n"), true
		if d.style(i, styleBreaks) == "preserve-breaks" {
			s = strings.TrimLeft(s, " \t")
		}
	}
	if words := strings.TrimSpace(s); mark != "" && words != "" {
		w.space = w.space || strings.TrimLeft(s, " \t\n") != s
		w.raw(mark)
		w.words(words)
		w.buf = append(w.buf, mark...)
		s = s[len(strings.TrimRight(s, " \t\n")):]
	}
	w.keep = w.inCell == 0 && d.keepsSpace(i)
	w.words(s)
	w.pre, w.keep = before, false
}

// keepsSpace reports whether the white space at the beginning of a line is drawn.
func (d *doc) keepsSpace(i int) bool {
	breaks := d.style(i, styleBreaks)
	return breaks == "preserve" || breaks == "break-spaces"
}

// keepsLines reports whether the ends of lines in a text are drawn as such. In a cell of a
// table they would end the row.
func (d *doc) keepsLines(i int) bool {
	if s := d.style(i, styleBreaks); s == "" || s == "collapse" || !strings.Contains(d.letters(i), "\n") {
		return false
	}
	for n := 0; i > 0 && n < 8; i, n = d.up(i), n+1 {
		if d.style(i, styleDisplay) == "table-cell" {
			return false
		}
	}
	return true
}

// content writes an element that has no notation of its own.
func (w *writer) content(i int, tag string, depth int) {
	switch {
	case headingLevel(tag) > 0:
		w.heading(i, headingLevel(tag), depth)
	case w.d.attr(i, "role") == "heading":
		w.heading(i, 2, depth)
	case tag == "pre":
		before := w.pre
		w.pre = true
		w.children(i, depth)
		w.pre = before
	case tag == "li" || tag == "dt":
		before := w.prefix
		if tag == "li" && w.number() == "" {
			w.prefix = "- "
		}
		w.children(i, depth)
		if w.prefix != "" && len(w.buf) == 0 {
			w.prefix = before // the entry is empty
		}
	default:
		w.children(i, depth)
	}
	switch w.d.style(i, styleDisplay) {
	case "table-cell":
		if len(w.buf) > 0 {
			w.raw(" |")
			w.space = true
		}
	}
}

// gauge writes the value of a progress bar or meter.
func (w *writer) gauge(i int, tag, value, most string) {
	if value == "" {
		return
	}
	w.look(i)
	w.space = true
	w.words(clip(clean(strings.TrimSpace(w.d.given(i)+" "+tag+" "+value+"/"+most)), nameBytes))
	w.space = true
}

// repeats reports whether a label says nothing but what its field is called,
// which the field's own name says.
func (w *writer) repeats(i int) bool {
	j, ok := w.d.labelled(i)
	if !ok || w.d.kind(j) != element {
		return false
	}
	if id, ok := w.d.lookup(i, "for"); ok && w.d.labels[w.d.scoped(i, id)] != i {
		return false // two forms have the same ids: it is the label of another field that nobody has named
	}
	switch w.m.control[j] {
	case kindText, kindCombo, kindSlider, kindFile, kindCheck, kindRadio:
		text := strings.TrimRight(w.ownText(i), ":* ")
		return text != "" && len(text) < nameBytes && strings.Contains(w.d.name(j), text)
	}
	return false
}

func (w *writer) heading(i, level, depth int) {
	w.brk()
	before, own := w.prefix, strings.Repeat("#", level)+" "+w.number()
	w.prefix, w.line.Level = own, level
	w.children(i, depth)
	w.brk()
	if w.prefix == own { // its words stand in the name of what it is in: the next line is not a heading
		w.prefix, w.line.Level = before, 0
	}
}

// open breaks the line before an element that stands on its own.
func (w *writer) open(i int) (block bool) {
	switch display := w.d.style(i, styleDisplay); display {
	case "", "contents", "inline", "none", "ruby", "ruby-text":
		return false
	case "table-cell", "inline-block", "inline-flex", "inline-grid", "inline-table":
		w.space = w.space || !w.splits(i)
		return false
	}
	if w.inCell > 0 {
		w.space = true
		return false
	}
	w.brk()
	return true
}

// gaps takes the white space that is drawn in a node that shows nothing else, as in a
// part of a program's text.
func (w *writer) gaps(i int) {
	d := w.d
	if d.kind(i) == textNode {
		if d.layout[i] > 0 {
			w.gap(i)
		}
		return
	}
	if d.style(i, styleDisplay) == "inline" {
		for c := int(d.first[i]); c != 0; c = int(d.next[c]) {
			if d.kind(c) == textNode && d.layout[c] > 0 {
				w.gap(c)
			}
		}
	}
}

// gap takes white space that stands for itself.
func (w *writer) gap(i int) {
	s := w.d.letters(i)
	if strings.TrimSpace(s) != "" {
		return
	}
	if w.pre && strings.Contains(s, "\n") {
		w.brk()
		s = s[strings.LastIndexByte(s, '\n')+1:]
	}
	w.keep = w.pre && w.d.keepsSpace(i)
	w.add(s)
	w.keep = false
}

// look notes where the line stands.
func (w *writer) look(i int) {
	if !w.line.front && w.folds() {
		w.line.front = !w.behind(i)
	}
	w.line.InView = w.line.InView || w.inWindow(i)
}

// inWindow reports whether a node of the main document stands in the window.
func (w *writer) inWindow(i int) bool {
	if !w.inMain || w.window.Height <= 0 {
		return false
	}
	x, y, width, height, ok := w.d.box(i)
	x, y = x-w.d.src.ScrollX, y-w.d.src.ScrollY
	return ok && x < w.window.Width && y < w.window.Height && x+width > 0 && y+height > 0
}

// letters is the text of a node as it is drawn.
func (d *doc) letters(i int) string {
	if j := int(d.layout[i]); j > 0 && j <= len(d.src.Layout.Text) {
		if s := d.str(d.src.Layout.Text[j-1]); s != "" {
			return s
		}
	}
	return d.str(d.src.Nodes.Value[i])
}

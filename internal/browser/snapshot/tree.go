package snapshot

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
)

// Rules of what is seen. A text enters the snapshot when it has a box and
// nothing hides it:
//
//   - visibility, or an opacity of its ancestors below seenOpacity together;
//   - a box of its own, or a clipping ancestor's, smaller than two pixels;
//   - a place beside the page, or outside of all that an ancestor clips;
//   - what package css knows of computed styles: transforms, clips, masks, filters;
//   - a font smaller than two pixels;
//   - no colour, or that of the background, where no picture may lie between;
//   - a box with an opaque background that is painted over all of it.
//
// Controls of forms may be transparent: pages lay them over what they draw.

const (
	seenOpacity = .05
	leastSize   = 2
	// maxNodes and maxDepth bound the work on a hostile page. Parsers stop at 512
	// levels; scripts do not.
	maxNodes = 300_000
	maxDepth = 1000
)

// A doc is a document with its columns made into rows.
type doc struct {
	process *process
	index   int
	src     *Document   // in the order of the flat tree
	via     map[int]int // of flatten
	strings []string

	first, next []int32 // first child and next sibling; 0 is none (the root is nobody's child)
	layout      []int32 // box of a node plus one; 0 is none
	shadow      map[int]string
	values      map[int]int // input and text values
	checked     map[int]bool
	selected    map[int]bool
	content     map[int]int
	pseudo      map[int]bool
	generated   map[int]string // texts of pseudo-elements
	clickable   map[int]bool
	byID        map[string]int
	covers      []cover        // nil: not looked for yet
	labels      map[string]int // label elements by the id that they are for
	maps        map[string]int // image maps by the word that pictures have for them
}

type process struct {
	src   *Process
	ax    map[int64]*AXNode
	hears map[int64]hearing
	docs  []*doc
}

func newProcess(p *Process) *process {
	out := &process{src: p, ax: make(map[int64]*AXNode, len(p.AX)), hears: hearings(p.Listeners)}
	for i := range p.AX {
		n := &p.AX[i]
		if old, ok := out.ax[n.BackendID]; !ok || old.Ignored {
			out.ax[n.BackendID] = n
		}
	}
	left := maxNodes
	for i := range p.DOM.Documents {
		d := newDoc(out, i, left)
		left -= len(d.first)
		out.docs = append(out.docs, d)
	}
	return out
}

// newDoc indexes a document. Whatever the columns say, all indices that it
// keeps are within them, and a child comes after its parent.
func newDoc(p *process, i, most int) *doc {
	src, via := flatten(&p.src.DOM.Documents[i], p.src.DOM.Strings, most)
	n := min(len(src.Nodes.Parent), len(src.Nodes.Type), len(src.Nodes.Name), len(src.Nodes.Value),
		len(src.Nodes.BackendID), len(src.Nodes.Attributes), max(most, 0))
	d := &doc{
		process: p, index: i, src: src, via: via, strings: p.src.DOM.Strings,
		first: make([]int32, n), next: make([]int32, n), layout: make([]int32, n),
		shadow: make(map[int]string), generated: make(map[int]string), maps: make(map[string]int), values: make(map[int]int), content: make(map[int]int), byID: make(map[string]int), labels: make(map[string]int),
		checked: src.Nodes.Checked.set(), selected: src.Nodes.Selected.set(), pseudo: src.Nodes.Pseudo.set(), clickable: src.Nodes.Clickable.set(),
	}
	for i := n - 1; i > 0; i-- {
		if up := src.Nodes.Parent[i]; up >= 0 && up < i {
			d.next[i] = d.first[up]
			d.first[up] = int32(i)
		}
	}
	l := &src.Layout
	for j := range min(len(l.Node), len(l.Bounds), len(l.Styles)) {
		if k := l.Node[j]; k >= 0 && k < n && len(l.Bounds[j]) == 4 {
			d.layout[k] = int32(j + 1)
		}
	}
	// One pseudo-element has several boxes with texts, for its counters for example.
	for j := range min(len(l.Node), len(l.Text)) {
		if k := l.Node[j]; d.pseudo[k] && d.layout[k] > 0 && len(d.generated[k]) < nameBytes {
			d.generated[k] += d.str(l.Text[j])
		}
	}
	src.Nodes.Shadow.each(func(k, v int) { d.shadow[k] = d.str(v) })
	src.Nodes.TextValue.each(func(k, v int) { d.values[k] = v })
	src.Nodes.InputValue.each(func(k, v int) { d.values[k] = v })
	src.Nodes.Content.each(func(k, v int) { d.content[k] = v })
	for i := range n {
		if src.Nodes.Type[i] == element {
			switch d.tag(i) {
			case "label":
				d.labels[d.attr(i, "for")] = i
			case "map":
				d.maps["#"+d.attr(i, "name")] = i
			}
			if id := d.attr(i, "id"); id != "" {
				if _, taken := d.byID[id]; !taken {
					d.byID[id] = i
				}
			}
		}
	}
	return d
}

const (
	element      = 1
	textNode     = 3
	documentNode = 9
	fragmentNode = 11
)

func (r *Rare) each(f func(node, value int)) {
	for i := range min(len(r.Index), len(r.Value)) {
		f(r.Index[i], r.Value[i])
	}
}

func (r *Rare) set() map[int]bool {
	m := make(map[int]bool, len(r.Index))
	for _, i := range r.Index {
		m[i] = true
	}
	return m
}

func (d *doc) str(i int) string {
	if i < 0 || i >= len(d.strings) {
		return ""
	}
	return d.strings[i]
}

func (d *doc) kind(i int) int { return d.src.Nodes.Type[i] }

// isInner reports whether a node is the shadow root of a control of the browser's own.
// The column says of each node what kind of root it is in.
func (d *doc) isInner(i int) bool { return d.kind(i) == fragmentNode && d.shadow[i] == "user-agent" }

// above is the parent of a node as page scripts can find it.
func (d *doc) above(i int) int {
	if host, ok := d.via[i]; ok {
		return host
	}
	return d.src.Nodes.Parent[i]
}

// tag is the name of an element in lower case.
func (d *doc) tag(i int) string { return strings.ToLower(d.str(d.src.Nodes.Name[i])) }

func (d *doc) node(i int) Node { return Node{d.process.src.Name, d.src.Nodes.BackendID[i]} }

func (d *doc) ax(i int) *AXNode { return d.process.ax[d.src.Nodes.BackendID[i]] }

// attr returns an attribute's value, or "".
func (d *doc) attr(i int, name string) string {
	v, _ := d.lookup(i, name)
	return v
}

func (d *doc) has(i int, name string) bool {
	_, ok := d.lookup(i, name)
	return ok
}

func (d *doc) lookup(i int, name string) (string, bool) {
	a := d.src.Nodes.Attributes[i]
	for k := 0; k+1 < len(a); k += 2 {
		if strings.EqualFold(d.str(a[k]), name) {
			return d.str(a[k+1]), true
		}
	}
	return "", false
}

// box returns the place of a node.
func (d *doc) box(i int) (x, y, w, h float64, ok bool) {
	j := d.layout[i]
	if j == 0 {
		return 0, 0, 0, 0, false
	}
	b := d.src.Layout.Bounds[j-1]
	return b[0], b[1], b[2], b[3], true
}

// style returns a computed style, "" for a node without a box.
func (d *doc) style(i, which int) string {
	j := d.layout[i]
	if j == 0 {
		return ""
	}
	s := d.src.Layout.Styles[j-1]
	if which >= len(s) {
		return ""
	}
	return d.str(s[which])
}

// A view is what the ancestors of a node leave to be seen of it.
type view struct {
	opacity float64
	clipped bool // by an ancestor with nothing of its own to see
	picture bool // a picture may be behind it
	// An ancestor can be scrolled sideways or down.
	sideways, down bool
	judged         css.Computed
	// What clips the text: all ancestors that clip, and those of them that also clip
	// what is positioned.
	clip, positioned rect
}

// rect is a part of a document in CSS pixels; without a bound, it is all of it.
type rect struct {
	left, top, right, bottom float64
	bounded                  bool
}

func (r rect) cut(o rect) rect {
	if !r.bounded {
		return o
	}
	return rect{max(r.left, o.left), max(r.top, o.top), min(r.right, o.right), min(r.bottom, o.bottom), true}
}

// shows reports whether something of a box is within.
func (r rect) shows(x, y, w, h float64) bool {
	return !r.bounded || min(r.right, x+w)-max(r.left, x) >= 1 && min(r.bottom, y+h)-max(r.top, y) >= 1
}

// enter returns the view inside of an element.
func (d *doc) enter(i int, v view) view {
	if d.layout[i] == 0 {
		return v
	}
	if o := d.style(i, styleOpacity); o != "1" && o != "" {
		if f, err := strconv.ParseFloat(o, 64); err == nil {
			v.opacity *= f
		}
	}
	x, y, w, h, _ := d.box(i)
	position := d.style(i, stylePosition)
	switch position {
	case "fixed":
		v.clip, v.positioned, v.sideways, v.down = rect{}, rect{}, false, false
	case "absolute":
		v.clip = v.positioned
	}
	cutsX, cutsY := cuts(d.style(i, styleOverflowX)), cuts(d.style(i, styleOverflowY))
	if w < leastSize && cutsX || h < leastSize && cutsY {
		v.clipped = true
	}
	if cutsX || cutsY {
		const far = 1e9
		own := rect{x, y, x + w, y + h, true}
		if !cutsX {
			own.left, own.right = -far, far
		}
		if !cutsY {
			own.top, own.bottom = -far, far
		}
		v.clip = v.clip.cut(own)
	} else if h < 1 && (scrolls(d.style(i, styleOverflowY))) {
		v.clipped = true
	}
	d.scroller(i, &v)
	if position != "static" && position != "" {
		v.positioned = v.clip
	}
	if c := d.style(i, styleClip); c != "auto" && c != "" && emptyRect(c) {
		v.clipped = true
	}
	if len(d.src.Layout.Styles[d.layout[i]-1]) > styleJudged {
		var why css.Reason
		v.judged, why = v.judged.Enter(d.tag(i), func(k int) string { return d.style(i, styleJudged+k) })
		if why != css.InSight && why != css.Opacity {
			v.clipped = true
		}
		if why == css.Opacity && d.style(i, styleOpacity) == "1" { // a filter or a mask
			v.opacity = 0
		}
	}
	if !v.picture {
		v.picture = d.pictured(i)
	}
	return v
}

// scroller notes that what stands in an element can be scrolled into sight: it may be
// outside of what clips the element, and beside the page.
func (d *doc) scroller(i int, v *view) {
	sideways, down := scrolls(d.style(i, styleOverflowX)), scrolls(d.style(i, styleOverflowY))
	x, y, w, h, ok := d.box(i)
	if !ok || !sideways && !down || !v.clip.shows(x, y, w, h) || !v.sideways && !v.down && d.beside(x, y) {
		return
	}
	const far = 1e9
	if v.sideways = v.sideways || sideways; sideways && v.clip.bounded {
		v.clip.left, v.clip.right = -far, far
	}
	if v.down = v.down || down; down && v.clip.bounded {
		v.clip.top, v.clip.bottom = -far, far
	}
}

func scrolls(overflow string) bool { return overflow == "auto" || overflow == "scroll" }

// pictured reports whether a child of an element may be painted behind text.
func (d *doc) pictured(i int) bool {
	for c, n := d.first[i], 0; c != 0 && n < 16; c, n = d.next[c], n+1 {
		switch d.tag(int(c)) {
		case "img", "picture", "video", "canvas", "svg", "figure":
			return true
		}
	}
	return false
}

func cuts(overflow string) bool { return overflow == "hidden" || overflow == "clip" }

// emptyRect reports whether "rect(a, b, c, d)" shows less than two pixels.
func emptyRect(s string) bool {
	s, ok := strings.CutPrefix(s, "rect(")
	if !ok {
		return false
	}
	f := strings.FieldsFunc(strings.TrimSuffix(s, ")"), func(r rune) bool { return r == ',' || r == ' ' })
	if len(f) != 4 {
		return false
	}
	var n [4]float64
	for i, v := range f {
		var err error
		if n[i], err = strconv.ParseFloat(strings.TrimSuffix(v, "px"), 64); err != nil {
			return false // auto
		}
	}
	return n[2]-n[0] < leastSize || n[1]-n[3] < leastSize
}

// seen reports whether what stands in a node with a box can be seen; for a
// text node, its letters.
func (d *doc) seen(i int, v view) bool {
	x, y, w, h, ok := d.box(i)
	if !ok || v.clipped || v.opacity < seenOpacity || w < 1 || h < 1 || x+w <= 0 || y+h <= 0 {
		return false
	}
	if vis := d.style(i, styleVisibility); vis != "" && vis != "visible" {
		return false
	}
	if d.kind(i) != textNode {
		return true
	}
	if f, err := strconv.ParseFloat(strings.TrimSuffix(d.style(i, styleFontSize), "px"), 64); err == nil && f < leastSize {
		return false
	}
	return v.clip.shows(x, y, w, h) && !d.beyond(v, x, y) && !d.sameColour(i, v) && !d.covered(i, x, y, w, h)
}

// beyond reports whether a box that begins at a point cannot be scrolled to.
func (d *doc) beyond(v view, x, y float64) bool {
	if v.sideways {
		x = 0
	}
	if v.down {
		y = 0
	}
	return d.beside(x, y)
}

// beside reports whether a point is outside of the area that the page can scroll to.
func (d *doc) beside(x, y float64) bool {
	right, bottom := d.src.ContentWidth, d.src.ContentHeight
	return right > 0 && x >= right || bottom > 0 && y >= bottom
}

// sameColour reports whether letters cannot be told from what is behind them. The
// browser gives the colour behind a text on the element that it is in; where a picture
// or an effect is, the ancestors' styles decide.
func (d *doc) sameColour(i int, v view) bool {
	flat, known := v.judged.SameColor()
	if v.judged.Shown() || v.picture {
		return false
	}
	if v.judged.Changed() {
		return flat
	}
	if back := d.background(i); back != "" && known {
		if same, ok := css.Same(d.style(i, styleColor), back); ok {
			return flat && same
		}
	}
	return flat
}

// background returns the colour behind a node, "" where the browser gives none.
func (d *doc) background(i int) string {
	back := d.src.Layout.Backgrounds
	for up := i; up >= 0; up = d.src.Nodes.Parent[up] {
		if j := int(d.layout[up]); j > 0 && j <= len(back) && back[j-1] >= 0 {
			return d.str(back[j-1])
		}
		if p := d.src.Nodes.Parent[up]; p >= up {
			break
		}
	}
	return ""
}

// A cover is a box that hides what is painted before it.
type cover struct {
	rect
	order int
	node  int
}

// maxCovers bounds the boxes that are compared with each text.
const maxCovers = 256

// coversOf lists the boxes with an opaque background that are placed over the page,
// but not those that stay when it is scrolled.
func (d *doc) coversOf() []cover {
	l := &d.src.Layout
	out := []cover{}
	for i := range d.first {
		if d.kind(i) != element || d.layout[i] == 0 || int(d.layout[i]) > len(l.Order) || len(out) == maxCovers {
			continue
		}
		if d.style(i, stylePosition) != "absolute" && d.style(i, stylePosition) != "relative" {
			continue
		}
		if d.style(i, styleVisibility) != "visible" || d.style(i, styleOpacity) != "1" || !css.Opaque(d.style(i, styleBackColor)) {
			continue
		}
		x, y, w, h, ok := d.box(i)
		if !ok || w < leastSize || h < leastSize {
			continue
		}
		out = append(out, cover{rect{x, y, x + w, y + h, true}, l.Order[d.layout[i]-1], i})
	}
	return out
}

// covered reports whether a box that is painted later hides all of a text.
func (d *doc) covered(i int, x, y, w, h float64) bool {
	if d.covers == nil {
		d.covers = d.coversOf()
	}
	if len(d.covers) == 0 || int(d.layout[i]) > len(d.src.Layout.Order) {
		return false
	}
	order := d.src.Layout.Order[d.layout[i]-1]
	for _, c := range d.covers {
		if c.order > order && c.left <= x && c.top <= y && c.right >= x+w && c.bottom >= y+h && !d.within(i, c.node) {
			return true
		}
	}
	return false
}

// within reports whether a node is a descendant of another one.
func (d *doc) within(i, above int) bool {
	for i > above {
		i = d.src.Nodes.Parent[i]
	}
	return i == above
}

// colour reads "rgb(r, g, b)" and "rgba(r, g, b, a)", as computed styles are
// written.
func colour(s string) (r, g, b int, a float64, ok bool) {
	open := strings.IndexByte(s, '(')
	if open < 0 || !strings.HasPrefix(s, "rgb") {
		return 0, 0, 0, 0, false
	}
	f := strings.Split(strings.TrimSuffix(s[open+1:], ")"), ",")
	if len(f) < 3 {
		return 0, 0, 0, 0, false
	}
	var n [3]int
	for i := range n {
		var err error
		if n[i], err = strconv.Atoi(strings.TrimSpace(f[i])); err != nil {
			return 0, 0, 0, 0, false
		}
	}
	a = 1
	if len(f) == 4 {
		var err error
		if a, err = strconv.ParseFloat(strings.TrimSpace(f[3]), 64); err != nil {
			return 0, 0, 0, 0, false
		}
	}
	return n[0], n[1], n[2], a, true
}

package snapshot

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
	"golang.org/x/net/html"
)

// Rules of what is seen. This is the one judgement of a page in a browser: a snapshot
// and the markup for the extractor follow it. A text is seen when it has a box and
// nothing hides it:
//
//   - visibility, or an opacity of its ancestors below seenOpacity together;
//   - a box of its own, or a clipping ancestor's, smaller than two pixels;
//   - a place beside the page, or outside of all that an ancestor clips;
//   - what package css knows of computed styles: transforms, clips, masks, filters;
//   - a font smaller than two pixels;
//   - no colour, or that of what is behind it (behind.go);
//   - a box with an opaque background that is painted over all of it (behind.go).
//
// Package css judges places by offsets, because it has no layout. Here the boxes
// decide. Controls of forms may be transparent: pages lay them over what they draw.

const (
	seenOpacity = .05
	leastSize   = 2
	// A page can be scrolled to a box that is placed this far to the right or below its
	// end, but nobody does: see doc.isFar.
	farRight = 2000
	farDown  = 5000
)

// A view is what the ancestors of a node leave to be seen of it.
type view struct {
	opacity float64
	why     css.Reason // by which an ancestor leaves nothing of its content to see
	edge    css.Reason // by which nothing is seen on the plane of the element itself
	unknown bool       // an ancestor may do so
	judged  css.Computed
	verdict int  // the number of judged; 0 outside of all elements
	struck  bool // a line is drawn over the letters, and hides them
	ground  *ground
	space   *css.Space // nil outside of all that is turned in depth
	// What the boxes around leave of what stands in the flow, of what is placed in the
	// nearest containing block, and of what is fixed.
	*port
	block, window *port
	pinned        bool    // it stays in its place of the window
	hung          bool    // an element around, not the window, holds what is fixed
	end           float64 // the lower edge of the boxes around that are in sight
	// late is set in an element that is laid out when a person scrolls to it: its lower edge.
	// Until then it has not the height of its content.
	late float64
}

// A port is what boxes leave of what stands in them.
type port struct {
	clip  rect
	empty bool // one of them leaves nothing
	// One of them can be scrolled sideways or down; pane is what of the innermost one shows.
	sideways, down bool
	pane           rect
}

// open is the port outside of all boxes that clip.
var open = &port{}

// rect is a part of a document in CSS pixels; without a bound, it is all of it.
type rect struct {
	left, top, right, bottom float64
	bounded                  bool
}

func (r rect) width() float64  { return r.right - r.left }
func (r rect) height() float64 { return r.bottom - r.top }

func (r rect) cut(o rect) rect {
	switch {
	case !r.bounded:
		return o
	case !o.bounded:
		return r
	}
	return rect{max(r.left, o.left), max(r.top, o.top), min(r.right, o.right), min(r.bottom, o.bottom), true}
}

// shows reports whether something of a box is within.
func (r rect) shows(x, y, w, h float64) bool {
	return !r.bounded || min(r.right, x+w)-max(r.left, x) >= 1 && min(r.bottom, y+h)-max(r.top, y) >= 1
}

// showsLine reports whether enough of the letters in a box is within to be read.
func (r rect) showsLine(y, h, size float64) bool {
	return !r.bounded || min(r.bottom, y+h)-max(r.top, y) >= min(h, size)/leastOfLetters
}

// leastOfLetters is the part of the height of letters that has to be seen.
const leastOfLetters = 5

// holds reports whether most of a box is within.
func (r rect) holds(x, y, w, h float64) bool {
	dx, dy := min(r.right, x+w)-max(r.left, x), min(r.bottom, y+h)-max(r.top, y)
	return !r.bounded || dx > 0 && dy > 0 && 2*dx*dy >= w*h
}

// openIn says in which window a document is shown.
func (d *doc) openIn(window Viewport) {
	d.window = window
	cutsRoot := false
	for i := range d.first {
		if d.kind(i) == element && isRoot(d.tag(i)) {
			if _, y, _, h, ok := d.box(i); ok {
				d.end = max(d.end, y+h)
				cutsRoot = cutsRoot || cuts(d.style(i, styleOverflowY))
			}
		}
	}
	d.locked = cutsRoot && d.hasModal()
}

// views returns what can be seen in each node.
func (d *doc) views() []view {
	out := make([]view, len(d.first))
	outer := d.outermost()
	inside, disclosed := -1, view{}
	for i := range out {
		v := outer
		if up := d.src.Nodes.Parent[i]; up >= 0 && up < i {
			v = out[up]
			if d.isDisclosed(i, up) {
				if inside != up {
					inside, disclosed = up, d.enterDetails(up, v)
				}
				v = disclosed
			}
		}
		if d.kind(i) == element {
			if d.isOnTop(i) {
				v = outer
			}
			v = d.enter(i, v)
			if d.parts.lines != nil {
				v = d.firstLine(i, v)
			}
		}
		out[i] = v
	}
	d.viewed = out
	return out
}

// isOnTop reports whether an element is in the top layer, which is drawn over the page and
// outside of all that the elements around it clip or make transparent (CSS Positioned Layout
// Module Level 4, section 3).
func (d *doc) isOnTop(i int) bool { return d.style(i, styleOverlay) == "auto" }

// enter returns the view inside of an element.
func (d *doc) enter(i int, v view) view {
	if d.layout[i] == 0 {
		return v
	}
	if o := d.style(i, styleOpacity); o != "1" && o != "" && !d.process.src.Revealed[d.src.Nodes.BackendID[i]] {
		if f, err := strconv.ParseFloat(o, 64); err == nil {
			v.opacity *= f
		}
	}
	v.struck = d.struck(i, v.struck)
	x, y, w, h, _ := d.box(i)
	v = d.clips(i, v, rect{x, y, x + w, y + h, true})
	if len(d.src.Layout.Styles[d.layout[i]-1]) > styleJudged {
		v = d.judge(i, v, rect{x, y, x + w, y + h, true})
	}
	return v
}

// struck reports whether lines of an element, or of those around it, hide the letters in
// it. Boxes that are laid out by themselves have no lines of others (CSS Text Decoration
// Module Level 3, section 2).
func (d *doc) struck(i int, around bool) bool {
	if css.Struck(d.style(i, styleTextDecoration), d.fontSize(i)) {
		return true
	}
	switch d.style(i, styleDisplay) {
	case "inline-block", "inline-table", "inline-flex", "inline-grid":
		return false
	}
	position := d.style(i, stylePosition)
	return around && position != "absolute" && position != "fixed"
}

// fontSize is the size of the letters in a node, in pixels; 0 where it is not known.
func (d *doc) fontSize(i int) float64 {
	f, _ := strconv.ParseFloat(strings.TrimSuffix(d.style(i, styleFontSize), "px"), 64)
	return f
}

// clips applies what a box clips of its content.
func (d *doc) clips(i int, v view, own rect) view {
	position := d.style(i, stylePosition)
	switch position {
	case "fixed":
		v.port, v.pinned = v.window, !v.hung
	case "absolute":
		v.port = v.block
	}
	if v.why == css.InSight {
		v.why = d.outOfPlace(i, v, position, own)
	}
	if v.why == css.InSight {
		v.end = max(v.end, own.bottom)
	}
	contains, transformed := d.contains(i), d.transformed(i)
	p := *v.port
	late := d.isLate(i, own)
	if late {
		v.late = own.bottom
	}
	p.overflow(d, i, v, own, contains && !late)
	shape, shaped := d.shape(i, position, own)
	if shaped {
		p.clip = p.clip.cut(shape)
		v.block, v.window = v.block.cut(shape), v.window.cut(shape)
	}
	if p != *v.port {
		v.port = &p
	}
	if position != "static" && position != "" || contains || transformed {
		v.block = v.port
	}
	if contains || transformed {
		v.window, v.hung = v.port, true
	}
	return v
}

// cut is a port that leaves less.
func (p *port) cut(r rect) *port {
	out := *p
	out.clip = out.clip.cut(r)
	return &out
}

// transformed reports whether an element holds what is positioned in it, wherever it
// stands itself (CSS Transforms Module Level 1, section 3; Filter Effects Module Level 1, section 5).
func (d *doc) transformed(i int) bool {
	for _, k := range [...]int{styleTransform, styleTranslate, styleRotate, styleScale, styleFilter, styleBackdrop, stylePerspective} {
		if x := d.style(i, k); x != "none" && x != "" {
			return d.style(i, styleDisplay) != "inline" && !isRoot(d.tag(i))
		}
	}
	return false
}

// outOfPlace says why nothing of a box can be seen where it stands.
func (d *doc) outOfPlace(i int, v view, position string, own rect) css.Reason {
	switch {
	case !v.sideways && !v.down && d.isFar(position, own, v.end):
		return css.Place
	case own.width() < 1 && d.style(i, styleDisplay) == "table-cell" && d.inCollapsed(i):
		return css.Visibility
	case d.isTemplate(i):
		return css.Display
	}
	return css.InSight
}

// overflow applies the edges beyond which a box shows nothing.
func (p *port) overflow(d *doc, i int, v view, own rect, contains bool) {
	x, y := d.style(i, styleOverflowX), d.style(i, styleOverflowY)
	cutsX, cutsY := contains || cuts(x), contains || cuts(y)
	lowest := float64(leastSize)
	if scrolls(y) {
		lowest = max(lowest, d.fontSize(i)/2) // no line of it can be read
	}
	if x == "clip" || y == "clip" { // the margin is painted
		own = d.withClipMargin(i, own, x == "clip" && !contains, y == "clip" && !contains)
	}
	low, narrow := own.height() < lowest, own.width() < leastSize
	p.empty = p.empty || low && (cutsY || scrolls(y)) || narrow && (cutsX || scrolls(x))
	if (cutsX || cutsY) && !(d.locked && isRoot(d.tag(i))) {
		edges := own
		if !cutsX {
			edges.left, edges.right = -far, far
		}
		if !cutsY {
			edges.top, edges.bottom = -far, far
		}
		p.clip = p.clip.cut(edges)
	}
	p.scroll(d, scrolls(x), scrolls(y), own)
}

// withClipMargin is a box with the part around it that overflow: clip shows (CSS Overflow
// Module Level 4, section 3.3).
func (d *doc) withClipMargin(i int, box rect, sideways, down bool) rect {
	for word := range strings.FieldsSeq(d.style(i, styleClipMargin)) {
		n, err := strconv.ParseFloat(strings.TrimSuffix(word, "px"), 64)
		if err != nil {
			continue
		}
		if sideways {
			box.left, box.right = box.left-n, box.right+n
		}
		if down {
			box.top, box.bottom = box.top-n, box.bottom+n
		}
	}
	return box
}

// far is beyond every edge.
const far = 1e9

// scroll notes that what stands in an element can be scrolled into sight: it may be
// outside of what clips the element, and beside the page.
func (p *port) scroll(d *doc, sideways, down bool, own rect) {
	seen := p.clip.shows(own.left, own.top, own.width(), own.height()) && (p.sideways || p.down || !d.beside(own.left, own.top))
	if !sideways && !down || !seen {
		return
	}
	p.pane = p.pane.cut(own)
	if p.sideways = p.sideways || sideways; sideways && p.clip.bounded {
		p.clip.left, p.clip.right = -far, far
	}
	if p.down = p.down || down; down && p.clip.bounded {
		p.clip.top, p.clip.bottom = -far, far
	}
}

// shape is what clip and clip-path leave of an element, and of all that is positioned in
// it too.
func (d *doc) shape(i int, position string, own rect) (r rect, ok bool) {
	cut := func(edge css.Edges, is bool) {
		if is {
			r, ok = r.cut(rect{own.left + edge.Left, own.top + edge.Top, own.left + edge.Right, own.top + edge.Bottom, true}), true
		}
	}
	if c := d.style(i, styleClip); c != "auto" && (position == "absolute" || position == "fixed") {
		cut(css.ClipRect(c, own.width(), own.height()))
	}
	if c := d.style(i, styleClipPath); c != "none" {
		cut(css.ClipBounds(c, own.width(), own.height()))
	}
	return r, ok
}

// inCollapsed reports whether a cell is in a table with a collapsed column: the cells of
// that have no width (CSS Tables Module Level 3, section 5.2).
func (d *doc) inCollapsed(i int) bool {
	for i > 0 && d.style(i, styleDisplay) != "table" {
		i = d.up(i)
	}
	found := false
	for c := int(d.first[max(i, 0)]); c != 0 && !found; c = int(d.next[c]) {
		found = d.style(c, styleVisibility) == "collapse"
		for col := int(d.first[c]); col != 0 && d.style(c, styleDisplay) == "table-column-group" && !found; col = int(d.next[col]) {
			found = d.style(col, styleVisibility) == "collapse"
		}
	}
	return found
}

func isRoot(tag string) bool { return tag == "html" || tag == "body" }

// contains reports whether an element clips all that it holds, what is positioned in it
// too (CSS Containment Module Level 2, section 3.5).
func (d *doc) contains(i int) bool {
	contain := d.style(i, styleContain)
	if contain != "none" && contain != "" && d.style(i, styleDisplay) != "inline" &&
		(strings.Contains(contain, "paint") || contain == "strict" || contain == "content") {
		return true
	}
	return d.style(i, styleContentVisibility) == "auto"
}

// judge applies what package css knows of computed styles.
func (d *doc) judge(i int, v view, own rect) view {
	before := v.judged
	known := d.verdictOf(i, v, own)
	v.judged, v.verdict = known.inside, known.number
	why := known.why
	space, turned := d.enterSpace(i, v.space)
	v.space, v.edge = space, css.InSight
	switch {
	case why == css.InSight && space.Shared():
		v.edge = turned // what stands in it has planes of its own
	case why == css.InSight:
		why = turned
	}
	switch {
	case why == css.Unknown, why == css.InSight && d.isComposed(i):
		v.unknown = true
	case why == css.Opacity && d.style(i, styleOpacity) == "1": // a filter or a mask
		v.opacity = 0
	case why == css.InSight, why == css.Opacity, why == css.Place: // the product and the boxes decide
	case v.why == css.InSight:
		v.why = why
	}
	if v.judged.Filled(before) {
		if isRoot(d.tag(i)) {
			own = rect{} // it fills the canvas
		}
		v.ground = &ground{v.ground, i, own, v.judged}
	}
	return v
}

// isComposed reports whether masks of an element can leave each other out.
func (d *doc) isComposed(i int) bool {
	s := d.style(i, styleComposite)
	return s != "" && strings.Trim(s, "ad, ") != ""
}

// enterSpace says how an element stands in the depth that elements around it make, and
// what depth it makes for its content.
func (d *doc) enterSpace(i int, around *css.Space) (*css.Space, css.Reason) {
	deep := d.style(i, styleTransformStyle) == "preserve-3d" && !d.flattens(i)
	far := d.style(i, stylePerspective)
	if around == nil && !deep && (far == "none" || far == "") {
		return nil, css.InSight
	}
	return around.Enter(i, deep, far, func(k int) string { return d.style(i, styleJudged+k) })
}

// flattens reports whether an element draws all that is in it in its own plane (CSS
// Transforms Module Level 2, section 4.1).
func (d *doc) flattens(i int) bool {
	is := func(k int, usual string) bool { x := d.style(i, k); return x == usual || x == "" }
	return !is(styleOverflowX, "visible") || !is(styleOverflowY, "visible") || !is(styleOpacity, "1") || !is(styleFilter, "none") || !is(styleClipPath, "none")
}

// A verdict is what package css says of an element. Most elements of a page have the styles
// of others in the same surroundings, and judging takes longer than looking it up.
type verdict struct {
	inside css.Computed
	number int // of the verdict, from 1
	why    css.Reason
}

// sameStyle is what a verdict depends on: the verdict around the element, 0 for none, the
// name of the element and the places of its styles in the table of texts.
type sameStyle struct {
	around      int
	tag, styles string
}

// verdictOf returns the verdict on an element with these surroundings.
func (d *doc) verdictOf(i int, around view, own rect) verdict {
	d.key = d.key[:0]
	for _, s := range d.src.Layout.Styles[d.layout[i]-1][styleJudged:] {
		d.key = binary.AppendVarint(d.key, int64(s))
	}
	tag := d.tag(i)
	if isDrawnText(tag) || strings.Contains(d.style(i, styleClipPath), "url(") || strings.Contains(d.style(i, styleFilter), "url(") {
		d.key = binary.AppendVarint(d.key, int64(i)) // more than these styles counts
	}
	fill := css.ShadowFill(d.style(i, styleShadow), own.width(), own.height())
	d.key = append(d.key, fill...)
	if around.space != nil {
		d.key = append(d.key, 0)
	}
	key := sameStyle{around.verdict, tag, string(d.key)}
	known, ok := d.verdicts[key]
	if !ok {
		known.inside, known.why = around.judged.Enter(d.element(i), func(k int) string {
			if around.space != nil && css.IsTransform(k) {
				return "" // it is one of several that add up
			}
			return d.computed(i, k)
		})
		if fill != "" {
			known.inside = known.inside.On(fill)
		}
		known.number = len(d.verdicts) + 1
		d.verdicts[key] = known
	}
	return known
}

// isDrawnText reports whether an element is text of a drawing (SVG 2, section 11).
func isDrawnText(tag string) bool { return tag == "text" || tag == "tspan" || tag == "textpath" }

// computed is a computed style that css.Computed asks for.
func (d *doc) computed(i, k int) string {
	given := d.style(i, styleJudged+k)
	switch {
	case k == css.ComputedColorScheme && given == "normal" && d.tag(i) == "html":
		return d.scheme
	case k != css.ComputedFill:
		return given
	}
	if isDrawnText(d.tag(i)) { // SVG 2, section 13
		if s := d.style(i, styleStroke); s != "none" && s != "" {
			return ""
		}
		return d.fill(i)
	}
	return given
}

// element is the element of a node for package css. What its clip-path and its filter refer
// to stands before it.
func (d *doc) element(i int) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: d.tag(i)}
	root := &html.Node{Type: html.DocumentNode}
	for _, style := range [...]int{styleClipPath, styleFilter} {
		_, ref, _ := strings.Cut(d.style(i, style), `url("#`)
		id, _, ok := strings.Cut(ref, `"`)
		if j, known := d.byID[id]; ok && known {
			const most = 200 // shapes
			root.AppendChild(d.copyOf(j, new(int), most))
		}
	}
	root.AppendChild(n)
	return n
}

// copyOf is an element with the elements in it, as a tree.
func (d *doc) copyOf(i int, count *int, most int) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: d.tag(i)}
	a := d.src.Nodes.Attributes[i]
	for k := 0; k+1 < len(a); k += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: strings.ToLower(d.str(a[k])), Val: d.str(a[k+1])})
	}
	for c := int(d.first[i]); c != 0; c = int(d.next[c]) {
		if *count++; d.kind(c) == element && *count < most {
			n.AppendChild(d.copyOf(c, count, most))
		}
	}
	return n
}

func scrolls(overflow string) bool { return overflow == "auto" || overflow == "scroll" }

func cuts(overflow string) bool { return overflow == "hidden" || overflow == "clip" }

// seen reports whether what stands in a node with a box can be seen; for a
// text node, its letters.
func (d *doc) seen(i int, v view) bool {
	why := d.sight(i, v).Why
	return why == css.InSight || why == css.Unknown
}

// sight says why nothing of a node can be seen.
func (d *doc) sight(i int, v view) css.Look {
	x, y, w, h, ok := d.textBox(i)
	vis := d.style(i, styleVisibility)
	switch {
	case !ok && d.isSkipped(i):
		return css.Look{Why: css.Skipped}
	case !ok:
		return css.Look{Why: css.Display}
	case v.why != css.InSight:
		return css.Look{Why: v.why}
	case v.edge != css.InSight:
		return css.Look{Why: v.edge}
	case v.empty:
		return css.Look{Why: css.Size}
	case v.opacity < seenOpacity:
		return css.Look{Why: css.Opacity}
	case w < 1 || h < 1:
		return css.Look{Why: css.Size}
	case x+w <= 0 || y+h <= 0:
		return css.Look{Why: css.Place}
	case vis != "" && vis != "visible":
		return css.Look{Why: css.Visibility}
	case d.kind(i) == textNode, d.generated[i] != "":
		return d.letterSight(i, v)
	}
	return css.Look{}
}

// isSkipped reports whether a node without a box is in an element whose content has none
// before it comes near the window (CSS Containment Module Level 2, section 4).
func (d *doc) isSkipped(i int) bool {
	for i > 0 && d.layout[i] == 0 {
		i = d.up(i)
	}
	return i > 0 && d.style(i, styleContentVisibility) == "auto"
}

// isLate reports whether the content of an element is laid out when it comes near the window.
func (d *doc) isLate(i int, own rect) bool {
	if d.style(i, styleContentVisibility) != "auto" || d.window.Height <= 0 {
		return false
	}
	return own.bottom < d.src.ScrollY || own.top > d.src.ScrollY+d.window.Height
}

// letterSight says why nothing of the letters of a text can be seen.
func (d *doc) letterSight(i int, v view) css.Look {
	x, y, w, h, _ := d.textBox(i)
	if f, err := strconv.ParseFloat(strings.TrimSuffix(d.style(i, styleFontSize), "px"), 64); err == nil && f < leastSize || h < leastSize {
		return css.Look{Why: css.Size}
	}
	late := v.late > 0 && y+h > v.late // it has no place yet
	if !late && !(v.clip.shows(x, y, w, h) && v.clip.showsLine(y, h, d.fontSize(i))) {
		return css.Look{Why: css.Clip}
	}
	if !late && d.beyond(v, x, y) {
		return css.Look{Why: css.Place}
	}
	if look := d.flat(i, v); look.Why != css.InSight {
		return look
	}
	why := css.InSight
	switch {
	case v.struck:
		why = css.Covered
	case !late && v.pane.shows(x, y, w, h):
		why = d.covered(i, x, y, w, h)
	}
	if why == css.InSight && v.unknown {
		why = css.Unknown
	}
	return css.Look{Why: why}
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

// beside reports whether a place is outside of the area that the page can be scrolled
// to.
func (d *doc) beside(x, y float64) bool {
	right, bottom := d.src.ContentWidth, d.src.ContentHeight
	return right > 0 && x >= right || bottom > 0 && y >= bottom && !d.locked
}

// isFar reports whether a box is placed so far out that nobody scrolls there, or where
// no scrolling leads to: beside the window, if it is fixed to the window. end is the lower
// edge of the boxes around it: of a page in a box that is placed, the root has no height.
func (d *doc) isFar(position string, box rect, end float64) bool {
	window := d.window
	if window.Width <= 0 || window.Height <= 0 {
		return false
	}
	switch position {
	case "fixed":
		left, top := d.src.ScrollX, d.src.ScrollY
		// A box without a size stands where it begins: libraries put dialogs into one.
		right, bottom := max(box.right, box.left+1), max(box.bottom, box.top+1)
		return box.left >= left+window.Width || box.top >= top+window.Height || right <= left || bottom <= top
	case "absolute":
		return box.left >= max(farRight, window.Width) || box.top >= farDown+max(d.end, end, window.Height)
	}
	return false
}

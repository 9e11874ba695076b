package computed

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Reason is the reason for which something is not painted.
type Reason uint8

// The reasons.
const (
	InSight    Reason = iota
	Display           // display, content-visibility, the hidden attribute, closed dialogs and popovers
	Visibility        // visibility
	Opacity           // opacity, filters, masks
	Size              // no width or height, font size, scale
	Place             // beyond the edges of the page
	Clip              // clip, clip-path
	Color             // no colour, or that of the background
	Covered           // something opaque is painted over it
	Skipped           // not laid out before it is scrolled to: content-visibility
	Unknown           // whether it is painted could not be computed
	NumReasons
)

// Look says whether an element, or the text in it, is painted.
type Look struct {
	Why Reason
	// Rule is the rule that hides it: the index of a rule of the sheets, or Inline,
	// or Attribute.
	Rule int32
	// Waits is set for properties that pages use to hide content until a script
	// shows it: display, visibility, opacity, transforms, width and height.
	Waits bool
	// Traced is set for text in the colour of its background where antialiasing leaves
	// traces of the letters: colours other than white and black.
	Traced bool
	// Open is set for Unknown where the boxes and computed styles that a browser gives do
	// not tell either: first lines, masks that leave each other out, lines through letters.
	Open bool
	// Leaves is set for the text of a box that is out of sight, where what is in the box may
	// stand in sight all the same.
	Leaves bool

	// Adrift is set for Color where the letters stand in a box that is placed, so that it may
	// stand over something else than what the elements around it paint.
	Adrift bool

	ink    rgb   // for Color, that of the letters
	ground int32 // for Color, the open element that has painted what is behind the letters
}

// Code is a number below 32 that [LookOf] makes a look of again. Of the look it keeps
// what a browser says: the reason, and whether letters leave traces.
func (l Look) Code() int {
	if l.Traced {
		return int(NumReasons)
	}
	return int(l.Why)
}

// LookOf returns the look of a code; what is not a code is in sight.
func LookOf(code int) Look {
	look := Look{Rule: Attribute}
	switch {
	case code == int(NumReasons):
		look.Why, look.Traced = Color, true
	case code > 0 && code < int(NumReasons):
		look.Why = Reason(code)
	}
	look.Waits = look.Why == Display || look.Why == Visibility || look.Why == Opacity
	return look
}

// What hides that is not a rule of a sheet.
const (
	Inline    int32 = -1
	Attribute int32 = -2
)

// View follows a walk over a tree from the root down, and keeps the inherited
// state. It must be used by one goroutine only.
type View struct {
	s      *Sheets
	stack  []frame
	keys   []uint32 // of the open elements
	inline []decl
	vals   values
	*scratch
	over  bool   // see Covers
	maybe bool   // a rule matched of which it is not known whether it applies
	open  bool   // see Look.Open
	link  string // the colour of links that body names
	// origins are those of the outermost open elements, as far as they were needed.
	origins []origins
	long    *scope // the latest with many custom properties
	// columned is the latest table for which columns has what is behind its columns; hasColumns
	// says that the walk has seen a column, inked that one may have the colour of a text.
	columned          *html.Node
	columns           []ground
	hasColumns, inked bool
}

// scratch are the values of elements around the one that is judged. Container queries are
// evaluated while these are read, and have their own.
type scratch struct {
	aux    values
	around values // of the element around one of these
	inner  *scratch
}

// setAside gives what follows values of its own until back is called.
func (v *View) setAside() (back func()) {
	outer := v.scratch
	if outer.inner == nil {
		outer.inner = new(scratch)
	}
	v.scratch = outer.inner
	return func() { v.scratch = outer }
}

// frame is one open element.
type frame struct {
	node  *html.Node
	exact bool // colours and vars are worked out
	reset bool // see Reset
	paint paint
	vars  *scope
	names bloom // of the elements around it
	own   int   // its keys begin here
	flow  flow
	// positioned is set in a low box whose absolutely positioned content it clips.
	positioned bool
	row        float64     // see fill
	lift       float64     // how far what comes next is moved up over what was before
	grid       *grid       // that its children stand in, where a track of it has no room
	line       *line       // that its text stands in
	width      *[2]float64 // see widthOf; nil until it is asked for
	container  *container  // see containerAt
	placed     *bool       // see isPlaced; nil until it is asked for
	sinks      *bool       // see View.sinks; nil until it is asked for
}

// View returns a view before the root. No sheet may be added after this call.
func (s *Sheets) View() *View {
	if s.hot == nil {
		s.rankLayers()
		if !s.Unread { // else few backgrounds count, see readMasks
			for _, v := range s.laterBacks {
				s.tries = 0
				s.learnBack(v)
			}
		}
		for r := range s.rules {
			s.readMasks(int32(r))
		}
		s.hot = s.newIndex(func(r *rule) bool { return r.hides != 0 && r.parts == 0 })
	}
	return &View{s: s, scratch: new(scratch)}
}

// readMasks notes what a rule sets, and what of it may hide.
func (s *Sheets) readMasks(r int32) {
	rule := &s.rules[r]
	decls := s.declsOf(r)
	for _, d := range decls {
		rule.sets |= d.prop.bit()
	}
	if rule.parts != 0 {
		return
	}
	const text, back mask = 1<<propColor | 1<<propFill, 1 << propBackground
	for _, d := range decls {
		// Where sheets are missing, a background is known only together with
		// its colour: see Unread.
		if d.prop.bit()&(text|back|1<<propBackgroundImage) != 0 && s.Unread && !isClear(d.value) && (rule.sets&text == 0 || rule.sets&back == 0 || apart(decls)) {
			continue
		}
		s.tries = 0
		rule.hides |= s.asks(d)
	}
	if rule.sets&(1<<propOverflow|boxes) != 0 && rule.sets&(1<<propHeight|1<<propMaxHeight|boxes) != 0 && isLow(decls) {
		rule.hides |= sizes
	}
	if rule.sets&(boxes|1<<propDisplay) != 0 && rule.sets&(1<<propWidth|1<<propMaxWidth) != 0 && (isRigid(decls) || rule.sets&(1<<propOverflow) != 0 && isNarrow(decls)) {
		rule.hides |= sizes
	}
	if rule.sets&(1<<propPosition) != 0 && isFixedAway(decls) {
		rule.hides |= places
	}
	if rule.sets&(1<<propPosition|1<<propTop|1<<propMarginTop|1<<propTransform|1<<propTranslate|placing|coloring) != 0 && mayCover(decls) {
		rule.hides |= coverBit
	}
}

// apart reports whether each colour of the text in a rule differs from each
// background in it, as far as they are plain colours.
func apart(decls []decl) bool {
	for _, a := range decls {
		if a.prop != propColor && a.prop != propFill {
			continue
		}
		color, ok := parseColor(plain(a.value))
		if !ok {
			return false
		}
		for _, b := range decls {
			if b.prop != propBackground {
				continue
			}
			if back, ok := parseColor(plain(b.value)); !ok || near(color, back) {
				return false
			}
		}
	}
	return true
}

func isClear(value string) bool {
	c, ok := parseColor(plain(value))
	return ok && c.clear
}

func (s *Sheets) declsOf(r int32) []decl {
	return s.decls[s.rules[r].first : s.rules[r].first+s.rules[r].n]
}

// Push enters an element and returns whether it is hidden together with everything
// in it.
func (v *View) Push(n *html.Node) Look {
	v.enter(n)
	k := len(v.stack) - 1
	v.maybe, v.over, v.open = k > 0 && v.stack[k-1].row >= .99, false, false
	ask := v.suspects(n)
	inLow := k > 0 && v.stack[k-1].flow.limit > 0
	if n.Data == "col" || n.Data == "colgroup" {
		v.hasColumns, v.inked = true, v.inked || ask&colors != 0
	} else if v.inked && isCell(n) {
		ask |= colors
	}
	var look Look
	if ask != 0 {
		look = v.judge(n, ask)
	}
	if k > 0 && v.stack[k-1].line != nil && v.stack[k].line == nil {
		if vals := v.valuesOf(k, sizes); vals.isInline(vals.get(propDisplay)) {
			v.stack[k].line = v.stack[k-1].line
		}
	}
	if k > 0 && v.stack[k-1].grid != nil && !v.maybe {
		v.maybe = v.isInNothing(k)
	}
	if look.Why == InSight && v.stack[k].paint.gone.Why == InSight && (inLow || ask&sizes == sizes) && v.place(k, ask) {
		look = Look{Why: Clip, Rule: v.stack[k].flow.rule, Waits: true}
		if ask == 0 {
			return look
		}
	}
	if v.maybe || ask != 0 && v.vals.unknown && look.Why == InSight {
		look = Look{Why: Unknown, Open: v.open || ask != 0 && v.vals.open}
	}
	return look
}

// enter puts an element onto the stack, with what it inherits. A frame is large: it is
// made in its place.
func (v *View) enter(n *html.Node) {
	k := len(v.stack)
	if k == cap(v.stack) {
		v.stack = slices.Grow(v.stack, max(k, 32))
	}
	v.stack = v.stack[:k+1]
	f := &v.stack[k]
	*f = frame{node: n, own: len(v.keys)}
	if n.Data == "body" {
		v.link, _ = attrOf(n, "link")
	}
	if k > 0 {
		up := &v.stack[k-1]
		f.paint = up.paint
		if len(v.s.rules) > 0 {
			f.names = up.names
			for _, h := range v.keys[up.own:] {
				f.names.add(h)
			}
		}
	}
	if len(v.s.rules) > 0 {
		v.keys = keys(v.keys, n)
	}
}

// judge cascades the properties that may hide the element that was entered last, and
// returns how they hide it.
func (v *View) judge(n *html.Node, ask mask) Look {
	k := len(v.stack) - 1
	if len(v.s.keyframes) > 0 {
		ask |= animations
	}
	if ask&movers != 0 {
		ask |= moving
	}
	if ask&colors&^(1<<propFilter) == 0 {
		v.cascade(&v.vals, k, ask)
	}
	if ask&colors&^(1<<propFilter) != 0 || v.vals.usesVars() {
		v.exact(k - 1)
		v.cascade(&v.vals, k, ask|colors|1<<propDisplay|1<<propCustom)
		v.colors(&v.vals, k)
	} else {
		v.vals.animate()
	}
	v.stack[k].line = v.vals.line(ask)
	if ask&(1<<propRows|1<<propColumnTracks) != 0 {
		v.stack[k].grid = v.vals.grid()
		v.maybe = v.maybe || v.stack[k].grid.isFlat()
	}
	p := &v.stack[k].paint
	v.vals.inherit(p)
	look := v.vals.hides()
	switch {
	case look.Leaves && p.gone.Why == InSight:
		p.gone, p.goneAt, look = look, int32(k), Look{}
	case look.Why == InSight:
		v.strays(k, p, ask)
	}
	switch {
	case look.Why != InSight:
	case !v.vals.has(propDisplay) && hiddenAttr(n), !v.vals.has(propContentVisibility) && isUntilFound(n):
		look = Look{Why: Display, Rule: Attribute, Waits: true}
	case p.faint != 0 && p.faint <= invisible:
		look = Look{Why: Opacity, Rule: p.faintBy, Waits: true}
	case p.small != 0 && p.small <= invisible:
		look = Look{Why: Size, Rule: Inline, Waits: true}
	}
	return look
}

// exact works out the colours and custom properties of the open element i, those of
// the elements around which are known.
func (v *View) exact(i int) {
	k := i
	for k >= 0 && !v.stack[k].exact { // those around one that is known are known
		k--
	}
	for k++; k <= i; k++ {
		v.cascade(&v.aux, k, colors|1<<propDisplay|1<<propCustom|animations)
		v.colors(&v.aux, k)
	}
}

// valuesOf returns the values of an open element. They hold until the next call.
func (v *View) valuesOf(i int, want mask) *values {
	v.exact(i)
	v.cascade(&v.aux, i, want)
	v.aux.scope = v.stack[i].vars
	return &v.aux
}

// isContainer reports whether the children of an open element are boxes whatever
// they are: the items of a flex container or of a grid.
func (v *View) isContainer(i int) bool {
	if i < 0 {
		return false
	}
	switch v.displayOf(i) {
	case "flex", "grid", "inline-flex", "inline-grid", "-webkit-box", "-webkit-flex":
		return true
	}
	return false
}

// displayOf is the value of display of an open element.
func (v *View) displayOf(i int) string {
	v.exact(i)
	v.cascade(&v.around, i, 1<<propDisplay)
	v.around.scope = v.stack[i].vars
	return v.around.get(propDisplay)
}

// Pop leaves the element that was entered last.
func (v *View) Pop() {
	k := len(v.stack) - 1
	if v.stack[k].flow.limit > 0 {
		v.leave(k)
	}
	v.keys = v.keys[:v.stack[k].own]
	v.stack = v.stack[:k]
	v.origins = v.origins[:min(len(v.origins), k)]
}

// Styled reports whether sheets say where the element that was entered last stands or how
// it is clipped, and all sheets of the page were read.
func (v *View) Styled() bool {
	if v.s.Unread {
		return false
	}
	vals := v.valuesOf(len(v.stack)-1, places|1<<propClipPath)
	return vals.has(propPosition) || vals.has(propClip) || vals.has(propClipPath)
}

// keysOf returns the keys of the open element i.
func (v *View) keysOf(i int) []uint32 {
	if i < 0 {
		return nil
	}
	if i+1 < len(v.stack) {
		return v.keys[v.stack[i].own:v.stack[i+1].own]
	}
	return v.keys[v.stack[i].own:]
}

// Reset forgets whether the text of the element that was entered last is painted.
// It is for the root of a page that hides everything until its scripts run.
func (v *View) Reset() {
	f := &v.stack[len(v.stack)-1]
	f.reset = true
	f.paint.invisible, f.paint.tiny, f.paint.flat, f.paint.indented = false, false, false, false
	f.paint.faint, f.paint.small, f.paint.gone = 0, 0, Look{}
	f.flow = flow{}
}

// Text returns whether text directly in the element that was entered last is
// painted.
func (v *View) Text() Look {
	if len(v.stack) == 0 {
		return Look{}
	}
	f := &v.stack[len(v.stack)-1]
	switch p := &f.paint; {
	case f.flow.breaks && f.flow.beyond() && !f.reset, f.line != nil && f.line.used >= f.line.room:
		return Look{Why: Unknown}
	case f.flow.beyond() && !f.flow.breaks && !f.reset:
		return Look{Why: Clip, Rule: f.flow.rule, Waits: true}
	case p.gone.Why != InSight:
		return p.gone
	case p.invisible:
		return Look{Why: Visibility, Rule: p.invisibleBy, Waits: true}
	case p.tiny:
		return Look{Why: Size, Rule: p.tinyBy, Waits: false}
	case p.flat && f.node.Namespace != "svg": // drawings have colours of their own
		return Look{Why: Color, Rule: p.flatBy, Traced: p.isTraced(), Adrift: !p.ink().clear && v.isAdrift(p.backAt), ink: p.ink(), ground: p.backAt}
	case p.indented:
		return Look{Why: Place, Rule: p.indentedBy, Waits: false}
	case f.flow.mayBeBeyond() && !f.flow.lined && !f.reset:
		return Look{Why: Unknown}
	}
	return Look{}
}

// isAdrift reports whether a box in the open element i that the walk is in is placed
// somewhere else than where it follows what stands before it.
func (v *View) isAdrift(i int32) bool {
	for k := len(v.stack) - 1; k > int(i); k-- {
		if v.stack[k].placed == nil {
			placed := v.isPlaced(k)
			v.stack[k].placed = &placed
		}
		if *v.stack[k].placed {
			return true
		}
	}
	return false
}

// isPlaced is isAdrift for the box of the open element k itself.
func (v *View) isPlaced(k int) bool {
	vals := v.valuesOf(k, places|1<<propMarginTop)
	switch vals.get(propPosition) {
	case "absolute", "fixed":
		return true
	}
	return vals.length(propMarginTop) <= -usualLine || vals.has(propGridRow) && v.isContainer(k-1)
}

// suspects returns the properties that must be cascaded to know whether an element
// is hidden, or visible within a hidden one; for most elements there are none.
func (v *View) suspects(n *html.Node) mask {
	k := len(v.stack) - 1
	ask, style := v.attributesAsk(n)
	ask |= v.stack[k].paint.asks()
	if n.Data == "dialog" || n.Data == "object" {
		ask |= 1 << propDisplay
	}
	if style != "" {
		ask |= v.styleAsks(style, ask)
	}
	v.s.each(v.s.hot, n, v.keysOf(k), v.keysOf(k-1), &v.stack[k].names, ^mask(0), func(e *entry) {
		r := &v.s.rules[e.rule]
		switch v.holds(r.cond, k) {
		case yes:
			ask |= r.hides &^ coverBit
			v.over = v.over || r.hides&coverBit != 0
		case unknown:
			v.maybe, v.open = true, v.open || v.s.conds[r.cond].partial
		}
	})
	return ask
}

// asks returns the properties that can show an element within a hidden one.
func (p *paint) asks() mask {
	ask := mask(0)
	if p.invisible {
		ask |= 1 << propVisibility
	}
	if p.tiny {
		ask |= 1 << propFontSize
	}
	if p.flat {
		ask |= colors
	}
	if p.indented {
		ask |= 1 << propTextIndent
	}
	if p.gone.Why != InSight {
		ask |= moving
	}
	return ask
}

// attributesAsk returns the properties that the attributes of an element may set, and
// its style attribute.
func (v *View) attributesAsk(n *html.Node) (ask mask, style string) {
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "hidden", "popover":
			ask |= 1<<propDisplay | 1<<propContentVisibility
		case "mathsize":
			ask |= 1 << propFontSize
		case "bgcolor", "color", "text", "mathcolor":
			if !v.s.Unread {
				ask |= colors
			}
		case "style":
			style = n.Attr[i].Val
		}
	}
	if v.link != "" && n.Data == "a" && !v.s.Unread {
		ask |= colors
	}
	return ask, style
}

// styleAsks returns the properties that a style attribute asks for, beside ask.
func (v *View) styleAsks(style string, ask mask) mask {
	v.inline = readStyle(v.inline[:0], style)
	for i := range v.inline {
		if d := v.inline[i]; ask&together(d.prop) != together(d.prop) {
			ask |= v.s.asks(d)
		}
	}
	v.over = mayCover(v.inline)
	if isFixedAway(v.inline) {
		ask |= places
	}
	if ask&sizes != sizes && (isLow(v.inline) || isRigid(v.inline) || isNarrow(v.inline)) {
		ask |= sizes
	}
	return ask
}

// cascade finds the declarations of the wanted properties that win for the
// open element i.
func (v *View) cascade(vals *values, i int, want mask) {
	s, f := v.s, &v.stack[i]
	if s.cold == nil {
		s.cold = s.newIndex(func(r *rule) bool { return r.hides == 0 && r.parts == 0 })
	}
	vals.clear()
	vals.s, vals.scope, vals.node, vals.view, vals.at = s, nil, f.node, v, i
	if i > 0 {
		vals.scope = v.stack[i-1].vars
	}
	hints(vals, f.node)
	tree := int32(0)
	if s.Tree != nil {
		tree = s.Tree(f.node)
	}
	apply := func(e *entry) {
		r := &s.rules[e.rule]
		switch v.holds(r.cond, i) {
		case no:
			return
		case unknown:
			// Of rules about a part of the text, those that may hide are suspects before.
			v.maybe = v.maybe || i == len(v.stack)-1 && !s.conds[r.cond].partial
			return
		}
		rank := s.layers[r.layer].rank
		low := e.priority()
		decls := s.declsOf(e.rule)
		if len(decls) > stepSize && !s.spend(len(decls)) {
			return
		}
		for _, d := range decls {
			if want&d.prop.bit() != 0 {
				vals.set(d, low, rank, e.rule, r.tree == tree)
			}
		}
	}
	s.each(s.hot, f.node, v.keysOf(i), v.keysOf(i-1), &f.names, want, apply)
	s.each(s.cold, f.node, v.keysOf(i), v.keysOf(i-1), &f.names, want, apply)
	if style, ok := attrOf(f.node, "style"); ok {
		v.inline = readStyle(v.inline[:0], style)
		for _, d := range v.inline {
			if want&d.prop.bit() != 0 {
				vals.set(d, 0, maxLayers, Inline, true)
			}
		}
	}
	if s.reverts {
		vals.rollBack()
	}
}

// colors works out the colours and custom properties of the open element i,
// for which they have been cascaded; those of the elements around it are known.
func (v *View) colors(vals *values, i int) {
	f := &v.stack[i]
	p := &f.paint
	p.color, p.back, p.flatBy, p.backAt = black, white, Inline, 0
	p.fill, p.filled, p.dark, p.painted, p.based, p.effect, p.shown = rgb{}, false, false, false, false, nil, false
	if i > 0 {
		up := &v.stack[i-1]
		f.vars = up.vars
		p.color, p.back, p.flatBy = up.paint.color, up.paint.back, up.paint.flatBy
		p.fill, p.filled, p.dark, p.painted, p.based = up.paint.fill, up.paint.filled, up.paint.dark, up.paint.painted, up.paint.based
		p.effect, p.shown, p.backAt = up.paint.effect, up.paint.shown, up.paint.backAt
	}
	if v.hasColumns && isCell(f.node) {
		if g := v.behindCell(i); g.painted {
			p.back, p.painted, p.based, p.backAt = g.back, true, true, int32(i)
		}
	}
	if v.s.Unread && (i < 2 || hasAttr(f.node, "class") || hasAttr(f.node, "id")) {
		p.back = rgb{} // a sheet that was not read may paint it
	}
	if len(vals.custom) > 0 && (len(vals.custom) <= stepSize || v.s.spend(customSize*len(vals.custom))) {
		f.vars = v.scopeOf(f, vals.custom)
	}
	vals.scope = f.vars
	vals.animate()
	before := p.dark
	if x := vals.get(propColorScheme); x != "" && x != "inherit" {
		p.dark = strings.Contains(x, "dark") && !strings.Contains(x, "light")
	}
	if p.dark && !before && i < 2 { // the canvas
		p.color = white
		if !v.s.Unread {
			p.back = darkCanvas
		}
	}
	vals.inheritColors(p)
	p.flat = p.flat && !f.reset
	f.exact = true
}

// scopeOf returns the scope of an element that sets these custom properties. Elements of
// the same rules share a long list of them.
func (v *View) scopeOf(f *frame, custom []variable) *scope {
	now := &scope{up: f.vars, owner: f.node}
	if v.long != nil && slices.Equal(v.long.vars, custom) {
		now.vars, now.byName = v.long.vars, v.long.byName
		return now
	}
	now.vars = slices.Clone(custom)
	if len(custom) > stepSize {
		now.find("") // makes the index
		v.long = now
	}
	return now
}

// hiddenAttr reports whether the browser's own sheet hides an element.
func hiddenAttr(n *html.Node) bool {
	if hasAttr(n, "hidden") && !isUntilFound(n) {
		return true
	}
	return n.Data == "dialog" && !hasAttr(n, "open") || hasAttr(n, "popover")
}

// isUntilFound reports whether an element is hidden until a search finds it.
func isUntilFound(n *html.Node) bool {
	v, ok := attrOf(n, "hidden")
	return ok && strings.EqualFold(v, "until-found")
}

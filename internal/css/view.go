package css

import (
	"golang.org/x/net/html"
)

// View follows a walk over a tree from the root down: Push enters an element, Pop leaves it.
// It must be used by one goroutine only.
type View struct {
	sheets  *Sheets
	matcher matcher
	stack   []frame
	values  values
}

// frame is what an open element passes on to what is in it.
type frame struct {
	node    *html.Node
	opacity float64 // of the elements down to this one
	font    float64 // pixels
	// By which rule the text is hidden, noRule for not: because of visibility, the indentation, and a
	// box without area, whose content is seen again where it is placed by a box farther out.
	invisible, indented, boxed int32
	boxPositioned              bool
	fontRule, inkRule          int32
	ink, fill, ground          color // fill is -webkit-text-fill-color, unknown for that of ink
	outlined                   bool  // letters have a shadow, a stroke or the picture behind them
	inkDepth, groundDepth      int   // of the elements that set the colours
}

const (
	noRule    int32 = -1
	StyleRule int32 = -2 // a style attribute: see [State]
	agentRule int32 = -3 // the browser's own sheet, or another attribute

	startStack = 32
)

// View returns a view before the root. No sheet may be added after this call.
func (s *Sheets) View() *View {
	if s.index.tags == nil {
		s.finish()
	}
	return &View{sheets: s, matcher: matcher{steps: maxSteps - s.Spent}, stack: make([]frame, 0, startStack)}
}

// values are the winning declarations of one element.
type values struct {
	cells [numProperties]cell
	set   []property
	part  bool // ::before or ::after paint a background
}

type cell struct {
	value string
	rank  uint64 // 0 for not set
	rule  int32
}

func (v *values) reset() {
	for _, p := range v.set {
		v.cells[p] = cell{}
	}
	v.set, v.part = v.set[:0], false
}

func (v *values) put(decls []declaration, rank uint64, important uint64, rule int32) {
	for i := range decls {
		d := &decls[i]
		r := rank
		if d.important {
			r = important
		}
		c := &v.cells[d.prop]
		if c.rank == 0 {
			v.set = append(v.set, d.prop)
		}
		if r >= c.rank {
			*c = cell{d.value, r, rule}
		}
	}
}

// get returns the value of a property, "" for not set. Values with var() are not known.
func (v *values) get(p property) string { return v.cells[p].value }

// The levels of the cascade (CSS Cascading and Inheritance Level 5, section 6).
const (
	levelAgent uint64 = iota + 1
	levelHint
	levelLayered
	levelAuthor
	levelStyle
	levelImportant
	levelImportantLayered
	levelImportantStyle

	levelShift, idShift, classShift, typeShift = 60, 50, 40, 30
	mostCounted                                = 1<<10 - 1
)

func rankOf(level uint64, r *rule) uint64 {
	s := r.selector.specificity
	count := func(n int) uint64 { return uint64(min(n, mostCounted)) }
	return level<<levelShift | count(s[0])<<idShift | count(s[1])<<classShift | count(s[2])<<typeShift | uint64(r.order)
}

// cascade collects the declarations that apply to an element, and reports whether there are any.
func (v *View) cascade(n *html.Node) bool {
	vals := &v.values
	vals.reset()
	agent := userAgent()
	agent.index.each(n, func(i int32) {
		if r := &agent.rules[i]; v.matcher.matches(r.selector, n) {
			vals.put(r.decls, rankOf(levelAgent, r), rankOf(levelAgent, r), agentRule)
		}
	})
	tree := int32(0)
	if v.sheets.Tree != nil {
		tree = v.sheets.Tree(n)
	}
	v.sheets.index.each(n, func(i int32) {
		r := &v.sheets.rules[i]
		if !r.compiled {
			r.selector, r.compiled = compileSelector(r.text), true
		}
		if r.selector == nil || r.tree != tree || !v.matcher.matches(r.selector, n) {
			return
		}
		switch r.selector.element {
		case "":
			if r.layered {
				vals.put(r.decls, rankOf(levelLayered, r), rankOf(levelImportantLayered, r), i)
			} else {
				vals.put(r.decls, rankOf(levelAuthor, r), rankOf(levelImportant, r), i)
			}
		case "before", "after":
			vals.part = vals.part || paintsGround(r.decls)
		}
	})
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key == "style" && a.Namespace == "" {
			vals.put(v.sheets.styleAttribute(a.Val), levelStyle<<levelShift, levelImportantStyle<<levelShift, StyleRule)
		} else if decls := v.sheets.hint(n, a); decls != nil {
			vals.put(decls, levelHint<<levelShift, levelHint<<levelShift, agentRule)
		}
	}
	return len(vals.set) > 0 || vals.part
}

func paintsGround(decls []declaration) bool {
	for _, d := range decls {
		if d.prop == propGround || d.prop == propImage {
			return true
		}
	}
	return false
}

// Push enters an element and returns how it, and the text directly in it, are hidden.
func (v *View) Push(n *html.Node) State {
	f := frame{node: n, opacity: 1, font: rootFontSize, invisible: noRule, indented: noRule, boxed: noRule, fontRule: noRule, inkRule: agentRule, ink: black}
	if !v.sheets.Unread {
		f.ground = white
	}
	if k := len(v.stack); k > 0 {
		f = v.stack[k-1]
		f.node = n
		if v.sheets.Unread && f.font <= tiny/2 { // the usual gap between boxes: their sizes are in a sheet that was not read
			f.font = rootFontSize
		}
	}
	v.stack = append(v.stack, f)
	top := &v.stack[len(v.stack)-1]
	if v.matcher.over() || !v.cascade(n) || v.matcher.over() {
		return v.state(top, nothing)
	}
	all := nothing
	for i := range table {
		if h := table[i](v, top); h.cause != Seen && all.cause == Seen {
			all = h
		}
	}
	if n.Data == "html" || n.Data == "body" { // pages that fade in would be empty
		v.Reset()
		all = nothing
	}
	return v.state(top, all)
}

// Pop leaves the element that was entered last.
func (v *View) Pop() { v.stack = v.stack[:len(v.stack)-1] }

// Reset makes what is in the element that was entered last seen, as far as it does not hide
// itself: a control shows it.
func (v *View) Reset() {
	f := &v.stack[len(v.stack)-1]
	f.opacity, f.invisible, f.indented, f.boxed = 1, noRule, noRule, noRule
	f.font = max(f.font, rootFontSize)
	if f.ground.known && f.ink.near(f.ground) {
		f.ink = color{}
	}
}

// Finish adds what the view has spent to its sheets.
func (v *View) Finish() { v.sheets.Spent = maxSteps - v.matcher.steps }

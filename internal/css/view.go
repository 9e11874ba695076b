package css

import "golang.org/x/net/html"

// View follows a walk over a tree from the root down: Push enters an element, Pop leaves it.
// It must be used by one goroutine only.
//
// Most elements match no rule that may hide and cost a few look-ups. The cascade runs for the
// others, and then for the elements around them, whose colours and sizes they inherit.
type View struct {
	sheets  *Sheets
	matcher matcher
	stack   []frame
	values  values
}

// frame is what an open element passes on to what is in it.
type frame struct {
	node  *html.Node
	depth int
	exact bool    // the cascade was run
	font  float64 // pixels
	// By which rule text is hidden, nil for not: by visibility, by its indentation, and by a box
	// without area, where what is placed by a box farther out is seen.
	invisible, indented, boxed *rule
	boxPositioned              bool
	fontRule, inkRule          *rule
	ink, fill, ground          color // fill is -webkit-text-fill-color, unknown for that of ink
	outlined                   bool  // letters have a shadow, a stroke or the picture behind them
	inkDepth, groundDepth      int   // of the elements that set the colours
}

// StyleRule is the rule of style attributes in a [State].
var StyleRule = new(rule)

// View returns a view before the root. No sheet may be added after this call.
func (s *Sheets) View() *View {
	if s.hot == nil {
		s.hot = s.indexOf(false)
	}
	return &View{sheets: s, matcher: matcher{steps: maxSteps - s.Spent}}
}

// outermost is the frame around the root.
func (s *Sheets) outermost() frame {
	f := frame{font: rootFontSize, ink: black}
	if !s.Unread {
		f.ground = white
	}
	return f
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
	rule  *rule
}

func (v *values) reset() {
	for _, p := range v.set {
		v.cells[p] = cell{}
	}
	v.set, v.part = v.set[:0], false
}

func (v *values) put(decls []declaration, rank, important uint64, by *rule) {
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
			*c = cell{d.value, r, by}
		}
	}
}

// get returns the value of a property, "" for not set.
func (v *values) get(p property) string { return v.cells[p].value }

// The levels of the cascade (CSS Cascading and Inheritance Level 5, section 6), in steps of
// levelStep, of which specificity and order take the rest.
const (
	levelAgent uint64 = iota + 1
	levelHint
	levelLayered
	levelAuthor
	levelStyle
	levelImportant
	levelImportantLayered
	levelImportantStyle

	levelStep  = 1 << 60
	mostOfKind = 1<<10 - 1 // identifiers, classes or types that count
)

func (e *entry) rank() (r uint64) {
	for _, n := range e.specificity {
		r = r*(mostOfKind+1) + uint64(min(n, mostOfKind))
	}
	return r<<30 + uint64(e.order)
}

// cascade collects the declarations that apply to an element.
func (v *View) cascade(n *html.Node) {
	vals := &v.values
	vals.reset()
	userAgent().all.each(n, func(e *entry) bool {
		if v.matcher.matches(e.complexSelector, n) {
			vals.put(e.rule.decls, levelAgent*levelStep+e.rank(), levelAgent*levelStep+e.rank(), e.rule)
		}
		return true
	})
	if v.sheets.all == nil {
		v.sheets.all = v.sheets.indexOf(true)
	}
	v.sheets.all.each(n, func(e *entry) bool {
		normal, important := levelAuthor, levelImportant
		if e.rule.layered {
			normal, important = levelLayered, levelImportantLayered
		}
		switch {
		case !v.applies(e, n):
		case e.element != "":
			vals.part = true
		default:
			vals.put(e.rule.decls, normal*levelStep+e.rank(), important*levelStep+e.rank(), e.rule)
		}
		return !v.matcher.over()
	})
	for i := range n.Attr {
		if hint := v.sheets.hint(n, &n.Attr[i]); hint != nil {
			vals.put(hint.decls, levelHint*levelStep, levelHint*levelStep, hint)
		}
		if n.Attr[i].Key == "style" {
			vals.put(v.sheets.styleAttribute(n.Attr[i].Val).decls, levelStyle*levelStep, levelImportantStyle*levelStep, StyleRule)
		}
	}
}

func (v *View) applies(e *entry, n *html.Node) bool {
	if v.sheets.Tree != nil && v.sheets.Tree(n) != e.rule.tree {
		return false
	}
	if c := &e.parts[0]; c.isKey { // the index has compared it
		return v.matcher.rest(e.complexSelector, 0, n)
	}
	return v.matcher.matches(e.complexSelector, n)
}

// mayHide reports whether a rule that may hide matches an element.
func (v *View) mayHide(n *html.Node) (found bool) {
	userAgent().hot.each(n, func(e *entry) bool {
		found = v.matcher.matches(e.complexSelector, n)
		return !found
	})
	for i := 0; i < len(n.Attr) && !found; i++ {
		hint := v.sheets.hint(n, &n.Attr[i])
		found = hint != nil && hint.hot || n.Attr[i].Key == "style" && v.sheets.styleAttribute(n.Attr[i].Val).hot
	}
	if !found {
		v.sheets.hot.each(n, func(e *entry) bool {
			found = v.applies(e, n)
			return !found && !v.matcher.over()
		})
	}
	return found
}

// box is an element that is no part of a line.
var box = &html.Node{Data: "div"}

// isHot reports whether declarations may hide by themselves.
func (s *Sheets) isHot(decls []declaration) bool {
	if s.probe == nil {
		s.probe = &View{sheets: s}
	}
	v := s.probe
	v.values.reset()
	v.values.put(decls, levelAuthor, levelImportant, StyleRule)
	f := s.outermost()
	f.node = box
	if v.apply(&f).cause != Seen || v.text(&f).Text != Seen {
		return true
	}
	for _, p := range [...]property{propWidth, propHeight, propMaxWidth, propMaxHeight} {
		if isUpTo(v.values.get(p), tiny, f.font) {
			return true
		}
	}
	if v.values.get(propColor) == "" || s.Unread || f.groundDepth > 0 {
		return false
	}
	for _, ground := range s.grounds {
		if f.ink.near(ground) {
			return true
		}
	}
	return f.ink.near(white)
}

// Push enters an element and returns how it, and the text directly in it, are hidden.
func (v *View) Push(n *html.Node) State {
	v.stack = append(v.stack, v.inherit(len(v.stack), n))
	top := &v.stack[len(v.stack)-1]
	text := v.text(top)
	if v.matcher.over() || text.Text == Seen && !v.mayHide(n) {
		return text
	}
	for i := range v.stack {
		f := &v.stack[i]
		if f.exact {
			continue
		}
		*f = v.inherit(i, f.node)
		v.cascade(f.node)
		if v.matcher.over() {
			return text
		}
		f.exact = true
		h := v.apply(f)
		switch {
		case f.node.Data == "html" || f.node.Data == "body": // pages that fade in would be empty
			f.reset()
		case f == top && h.cause != Seen:
			return State{All: h.cause, Text: h.cause, Rule: h.by}
		}
	}
	return v.text(top)
}

// inherit returns the frame of an element before its own declarations.
func (v *View) inherit(i int, n *html.Node) frame {
	f := v.sheets.outermost()
	if i > 0 {
		f = v.stack[i-1]
	}
	if v.sheets.Unread && f.font <= tiny { // the usual gap between boxes: their sizes are in a sheet that was not read
		f.font = rootFontSize
	}
	f.node, f.depth, f.exact = n, i+1, false
	return f
}

// apply runs the table.
func (v *View) apply(f *frame) (first hidden) {
	for _, row := range table {
		if h := row(v, f); h.cause != Seen && first.cause == Seen {
			first = h
		}
	}
	return first
}

// Text returns how text directly in the element that was entered last is hidden.
func (v *View) Text() State {
	if len(v.stack) == 0 {
		return State{}
	}
	return v.text(&v.stack[len(v.stack)-1])
}

// Pop leaves the element that was entered last.
func (v *View) Pop() { v.stack = v.stack[:len(v.stack)-1] }

// Reset makes what is in the element that was entered last seen, as far as it does not hide
// itself: a control shows it.
func (v *View) Reset() { v.stack[len(v.stack)-1].reset() }

func (f *frame) reset() {
	f.invisible, f.indented, f.boxed, f.exact = nil, nil, nil, true
	f.font = max(f.font, rootFontSize)
	if f.ink.isClear() || f.ink.near(f.ground) {
		f.ink = color{}
	}
}

// Finish adds what the view has spent to its sheets.
func (v *View) Finish() { v.sheets.Spent = maxSteps - v.matcher.steps }

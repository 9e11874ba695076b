package css

import "golang.org/x/net/html"

// View follows a walk over a tree from the root down: Push enters an element, Pop leaves it.
// It must be used by one goroutine only.
type View struct {
	sheets  *Sheets
	matcher matcher
	stack   []frame
	values  values
	read    map[string]*classList // by class attribute
}

// frame is what an open element passes on to what is in it.
type frame struct {
	node    *html.Node
	classes *classList // of node
	depth   int
	above   ancestors // of node
	below   ancestors // of what is in node, from enter on
	entered bool
	font    float64 // pixels
	// By which rule text is hidden, nil for not: by visibility, by its indentation, and by a box
	// without area, where what is placed by a box farther out is seen.
	invisible, indented, boxed *rule
	boxPositioned              bool
	fontRule, inkRule          *rule
	ink, fill, ground          color // fill is -webkit-text-fill-color, unknown for that of ink
	outlined                   bool  // letters have a shadow, a stroke or the picture behind them
	inkDepth, groundDepth      int   // of the elements that set the colours
	state                      State // of text directly in node
}

// StyleRule is the rule of style attributes in a [State].
var StyleRule = new(rule)

// View returns a view before the root. No sheet may be added after this call.
func (s *Sheets) View() *View {
	if s.index == nil {
		s.index = s.indexOf(userAgent())
	}
	return &View{sheets: s, matcher: matcher{steps: maxSteps - s.Spent}, read: map[string]*classList{}}
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
	set   set
	cells [properties]cell // of the properties in set
}

type cell struct {
	value string
	rank  uint64
	rule  *rule
}

func (v *values) put(decls []declaration, rank, important uint64, by *rule) {
	for i := range decls {
		d := &decls[i]
		r := rank
		if d.important {
			r = important
		}
		if c := &v.cells[d.prop]; !v.set.has(d.prop) || r >= c.rank {
			v.set |= 1 << d.prop
			*c = cell{d.value, r, by}
		}
	}
}

// get returns the value of a property, "" for not set.
func (v *values) get(p property) string {
	if !v.set.has(p) {
		return ""
	}
	return v.cells[p].value
}

// rule returns the rule that sets a property, nil for none.
func (v *values) rule(p property) *rule {
	if !v.set.has(p) {
		return nil
	}
	return v.cells[p].rule
}

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

// cascade collects the declarations that apply to an element, and reports whether there are any.
func (v *View) cascade(n *html.Node) bool {
	vals, top := &v.values, &v.stack[len(v.stack)-1]
	vals.set = 0
	v.sheets.index.each(n, top.classes, func(e *entry) bool {
		v.matcher.steps--
		normal, important := levelAuthor, levelImportant
		switch {
		case e.rule.agent:
			normal, important = levelAgent, levelAgent
		case e.rule.layered:
			normal, important = levelLayered, levelImportantLayered
		}
		switch {
		case !top.above.mayHave(e.around) || !v.applies(e, n):
		case e.element != "":
			vals.set |= 1 << propPart
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
	return vals.set != 0
}

func (v *View) applies(e *entry, n *html.Node) bool {
	if v.sheets.Tree != nil && !e.rule.agent && v.sheets.Tree(n) != e.rule.tree {
		return false
	}
	if c := &e.parts[0]; c.isKey { // the index has compared it
		return v.matcher.rest(e.complexSelector, 0, n)
	}
	return v.matcher.matches(e.complexSelector, n)
}

// Push enters an element and returns how it, and the text directly in it, are hidden.
func (v *View) Push(n *html.Node) State {
	v.stack = append(v.stack, v.inherit(len(v.stack), n))
	top := &v.stack[len(v.stack)-1]
	state := v.compute(top, n)
	if top.state = state; state.All != Seen {
		top.state = v.text(top)
	}
	return state
}

// compute fills the frame of an element, and returns what Push does.
func (v *View) compute(top *frame, n *html.Node) State {
	if v.matcher.over() || !v.cascade(n) || v.matcher.over() {
		return v.text(top)
	}
	var all hidden
	for _, row := range table {
		if row.of&v.values.set == 0 {
			continue
		}
		if h := row.look(v, top); h.cause != Seen && all.cause == Seen {
			all = h
		}
	}
	switch {
	case n.Data == "html" || n.Data == "body": // pages that fade in would be empty
		v.Reset()
	case all.cause != Seen:
		return State{All: all.cause, Text: all.cause, Rule: all.by}
	}
	return v.text(top)
}

// inherit returns the frame of an element before its own declarations.
func (v *View) inherit(i int, n *html.Node) frame {
	f := v.sheets.outermost()
	if i > 0 {
		if v.stack[i-1].node == n.Parent {
			v.stack[i-1].enter()
		}
		f = v.stack[i-1]
	}
	if v.sheets.Unread && f.font <= tiny { // the usual gap between boxes: their sizes are in a sheet that was not read
		f.font = rootFontSize
	}
	if f.above = f.below; i == 0 || f.node != n.Parent {
		f.above = ancestors{}
		for up := n.Parent; up != nil; up = up.Parent {
			f.above.add(up, v.classes(up))
		}
	}
	f.node, f.classes, f.depth, f.entered = n, v.classes(n), i+1, false
	return f
}

// enter prepares a frame for the elements in it.
func (f *frame) enter() {
	if !f.entered {
		f.below, f.entered = f.above, true
		f.below.add(f.node, f.classes)
	}
}

// Text returns how text directly in the element that was entered last is hidden.
func (v *View) Text() State {
	if len(v.stack) == 0 {
		return State{}
	}
	return v.stack[len(v.stack)-1].state
}

// Pop leaves the element that was entered last.
func (v *View) Pop() { v.stack = v.stack[:len(v.stack)-1] }

// Reset makes what is in the element that was entered last seen, as far as it does not hide
// itself: a control shows it.
func (v *View) Reset() {
	f := &v.stack[len(v.stack)-1]
	f.invisible, f.indented, f.boxed = nil, nil, nil
	f.font = max(f.font, rootFontSize)
	if f.ink.isClear() || f.ink.near(f.ground) {
		f.ink = color{}
	}
	f.state = v.text(f)
}

// Finish adds what the view has spent to its sheets.
func (v *View) Finish() { v.sheets.Spent = maxSteps - v.matcher.steps }

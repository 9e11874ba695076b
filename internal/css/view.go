package css

import (
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
}

// What hides that is no rule of a sheet.
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
}

// paint is the state that children inherit.
type paint struct {
	invisible, tiny, flat bool
	color, back           rgb
	// The rules to blame.
	invisibleBy, tinyBy, flatBy int32
}

func (p *paint) unseen() bool { return p.invisible || p.tiny || p.flat }

// View returns a view before the root. No sheet may be added after this call.
func (s *Sheets) View() *View {
	if s.hot == nil {
		s.rankLayers()
		for r := range s.rules {
			s.readMasks(int32(r))
		}
		s.hot = s.newIndex(func(r *rule) bool { return r.hides != 0 })
	}
	return &View{s: s}
}

// readMasks notes what a rule sets, and what of it may hide.
func (s *Sheets) readMasks(r int32) {
	rule := &s.rules[r]
	decls := s.declsOf(r)
	for _, d := range decls {
		rule.sets |= 1 << d.prop
	}
	const text, back mask = 1<<propColor | 1<<propFill, 1 << propBackground
	for _, d := range decls {
		group := together(d.prop)
		// Where sheets are missing, a background is known only together with
		// its colour: see Unread.
		if group == colors && s.Unread && !isClear(d.value) && (rule.sets&text == 0 || rule.sets&back == 0 || apart(decls)) {
			continue
		}
		s.tries = 0
		if rule.hides&group != group && s.mayHide(d.prop, d.value, 0) {
			rule.hides |= group
		}
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
	f := frame{node: n, own: len(v.keys)}
	k := len(v.stack)
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
	v.stack = append(v.stack, f)
	ask := v.suspects(n)
	if ask == 0 {
		return Look{}
	}
	if ask&colors == 0 {
		v.cascade(k, ask)
	}
	if ask&colors != 0 || v.vals.usesVars() {
		for i := range k {
			if !v.stack[i].exact {
				v.cascade(i, colors|1<<propCustom)
				v.colors(i)
			}
		}
		v.cascade(k, ask|colors|1<<propCustom)
		v.colors(k)
	}
	v.vals.inherit(&v.stack[k].paint)
	look := v.vals.hides()
	if look.Why == InSight && !v.vals.has(propDisplay) && hiddenAttr(n) {
		look = Look{Display, Attribute, true}
	}
	return look
}

// Pop leaves the element that was entered last.
func (v *View) Pop() {
	k := len(v.stack) - 1
	v.keys = v.keys[:v.stack[k].own]
	v.stack = v.stack[:k]
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
	f.paint.invisible, f.paint.tiny, f.paint.flat = false, false, false
}

// Text returns whether text directly in the element that was entered last is
// painted.
func (v *View) Text() Look {
	if len(v.stack) == 0 {
		return Look{}
	}
	switch p := &v.stack[len(v.stack)-1].paint; {
	case p.invisible:
		return Look{Visibility, p.invisibleBy, true}
	case p.tiny:
		return Look{Size, p.tinyBy, false}
	case p.flat:
		return Look{Color, p.flatBy, false}
	}
	return Look{}
}

// suspects returns the properties that must be cascaded to know whether an element
// is hidden, or visible within a hidden one; for most elements there are none.
func (v *View) suspects(n *html.Node) mask {
	ask := mask(0)
	k := len(v.stack) - 1
	if p := &v.stack[k].paint; p.unseen() {
		if p.invisible {
			ask |= 1 << propVisibility
		}
		if p.tiny {
			ask |= 1 << propFontSize
		}
		if p.flat {
			ask |= colors
		}
	}
	style := ""
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "hidden", "popover":
			ask |= 1 << propDisplay
		case "style":
			style = n.Attr[i].Val
		}
	}
	if n.Data == "dialog" {
		ask |= 1 << propDisplay
	}
	if style != "" {
		v.inline = readStyle(v.inline[:0], style)
		for i := range v.inline {
			if p := v.inline[i].prop; ask&(1<<p) == 0 && v.s.mayHide(p, v.inline[i].value, 0) {
				ask |= together(p)
			}
		}
	}
	v.s.each(v.s.hot, n, v.keysOf(k), v.keysOf(k-1), &v.stack[k].names, ^mask(0), func(e *entry) {
		ask |= v.s.rules[e.rule].hides
	})
	return ask
}

// cascade finds the declarations of the wanted properties that win for the
// open element i.
func (v *View) cascade(i int, want mask) {
	s, f := v.s, &v.stack[i]
	if s.cold == nil {
		s.cold = s.newIndex(func(r *rule) bool { return r.hides == 0 })
	}
	v.vals.clear()
	v.vals.s, v.vals.scope = s, nil
	apply := func(e *entry) {
		rank := s.layers[s.rules[e.rule].layer].rank
		low := uint64(e.compiled.specificity)<<26 | uint64(e.rule)
		for _, d := range s.declsOf(e.rule) {
			if want&(1<<d.prop) != 0 {
				v.vals.set(d, low, rank, e.rule)
			}
		}
	}
	s.each(s.hot, f.node, v.keysOf(i), v.keysOf(i-1), &f.names, want, apply)
	s.each(s.cold, f.node, v.keysOf(i), v.keysOf(i-1), &f.names, want, apply)
	if style, ok := attrOf(f.node, "style"); ok {
		v.inline = readStyle(v.inline[:0], style)
		for _, d := range v.inline {
			if want&(1<<d.prop) != 0 {
				v.vals.set(d, 0, maxLayers, Inline)
			}
		}
	}
}

// colors works out the colours and custom properties of the open element i,
// for which they have been cascaded; those of the elements around it are known.
func (v *View) colors(i int) {
	f := &v.stack[i]
	color, back := black, white
	by := Inline
	if i > 0 {
		up := &v.stack[i-1]
		f.vars, color, back, by = up.vars, up.paint.color, up.paint.back, up.paint.flatBy
	}
	if v.s.Unread && (i < 2 || hasAttr(f.node, "class") || hasAttr(f.node, "id")) {
		back = rgb{} // a sheet that was not read may paint it
	}
	if len(v.vals.custom) > 0 {
		f.vars = &scope{up: f.vars, vars: append([]variable(nil), v.vals.custom...)}
	}
	v.vals.scope = f.vars
	f.paint.color, f.paint.back, f.paint.flatBy = color, back, by
	v.vals.inheritColors(&f.paint)
	f.paint.flat = f.paint.flat && !f.reset
	f.exact = true
}

// hiddenAttr reports whether the browser's own sheet hides an element.
func hiddenAttr(n *html.Node) bool {
	if v, ok := attrOf(n, "hidden"); ok && !strings.EqualFold(v, "until-found") {
		return true
	}
	return n.Data == "dialog" && !hasAttr(n, "open") || hasAttr(n, "popover")
}

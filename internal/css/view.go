package css

import (
	"strings"

	"golang.org/x/net/html"
)

// Reason is why something is not painted.
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

// Look is how an element, or the text in it, is seen.
type Look struct {
	Why Reason
	// Rule is the rule to blame: the number of a rule of the sheets, or
	// Inline, or Attribute.
	Rule int32
	// Waits is set for what scripts start from when they bring things in:
	// display, visibility, opacity, transforms, width and height. No page waits
	// with a font size.
	Waits bool
}

// What hides that is no rule of a sheet.
const (
	Inline    int32 = -1
	Attribute int32 = -2
)

// View walks over a tree from the root down, and keeps what is inherited.
type View struct {
	s      *Sheets
	stack  []frame
	keys   []uint32
	inline []decl
	vals   values
}

// frame is one open element.
type frame struct {
	node  *html.Node
	exact bool // paint and vars are worked out
	paint paint
	vars  *scope
}

// paint is the state that children inherit.
type paint struct {
	invisible, tiny, flat bool
	color, back           rgb
	// The rules to blame.
	invisibleBy, tinyBy, flatBy int32
}

func (p *paint) trouble() bool { return p.invisible || p.tiny || p.flat }

// View returns a view that stands before the root. No sheet may be added
// afterwards.
func (s *Sheets) View() *View {
	if s.hot == nil {
		s.rankLayers()
		hot := make([]bool, len(s.rules))
		for r := range s.rules {
			for _, d := range s.declsOf(int32(r)) {
				if s.mayHide(d.prop, d.value, 0) {
					hot[r] = true
					break
				}
			}
		}
		s.hot = s.newIndex(func(r int32) bool { return hot[r] })
		s.cold = nil
		s.isHot = hot
	}
	return &View{s: s}
}

func (s *Sheets) declsOf(r int32) []decl {
	return s.decls[s.rules[r].first : s.rules[r].first+s.rules[r].n]
}

// Push enters an element and says whether it is hidden with all that is in it.
func (v *View) Push(n *html.Node) Look {
	v.stack = append(v.stack, frame{node: n})
	if !v.suspect(n) {
		return Look{}
	}
	for i := range v.stack[:len(v.stack)-1] {
		if !v.stack[i].exact {
			v.resolve(i)
		}
	}
	return v.resolve(len(v.stack) - 1)
}

// Pop leaves the element that was entered last.
func (v *View) Pop() { v.stack = v.stack[:len(v.stack)-1] }

// Reset forgets whether the text of the element that was entered last is
// painted: what is hidden on the root of a page waits for its scripts.
func (v *View) Reset() {
	f := &v.stack[len(v.stack)-1]
	f.paint.invisible, f.paint.tiny, f.paint.flat = false, false, false
}

// Text says how text directly in the element that was entered last is seen.
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

// suspect reports whether anything may hide an element, or show it within
// something hidden.
func (v *View) suspect(n *html.Node) bool {
	if k := len(v.stack) - 2; k >= 0 && v.stack[k].exact && v.stack[k].paint.trouble() {
		return true
	}
	style := ""
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "hidden", "popover":
			return true
		case "style":
			style = n.Attr[i].Val
		}
	}
	if n.Data == "dialog" {
		return true
	}
	if style != "" {
		v.inline = readStyle(v.inline[:0], style)
		for i := range v.inline {
			if v.s.mayHide(v.inline[i].prop, v.inline[i].value, 0) {
				return true
			}
		}
	}
	if len(v.s.hot.entries) == 0 {
		return false
	}
	found := false
	v.keys = keys(v.keys[:0], n)
	v.s.each(v.s.hot, n, v.keys, func(*entry) bool {
		found = true
		return false
	})
	return found
}

// resolve cascades all that is declared for the element of a frame.
func (v *View) resolve(i int) Look {
	s := v.s
	if s.cold == nil {
		s.cold = s.newIndex(func(r int32) bool { return !s.isHot[r] })
	}
	f := &v.stack[i]
	start := paint{color: black, back: white}
	var vars *scope
	if i > 0 {
		start, vars = v.stack[i-1].paint, v.stack[i-1].vars
	}
	if s.Unread && (hasAttr(f.node, "class") || hasAttr(f.node, "id") || i < 2) {
		start.back = rgb{} // a sheet that was not read may paint it
	}
	v.vals.clear()
	v.keys = keys(v.keys[:0], f.node)
	apply := func(e *entry) bool {
		r := &s.rules[e.rule]
		rank := s.layers[r.layer].rank
		low := uint64(e.compiled.specificity)<<26 | uint64(e.rule)
		for _, d := range s.declsOf(e.rule) {
			v.vals.set(d, low, rank, e.rule)
		}
		return true
	}
	s.each(s.hot, f.node, v.keys, apply)
	s.each(s.cold, f.node, v.keys, apply)
	if style, ok := attrOf(f.node, "style"); ok {
		v.inline = readStyle(v.inline[:0], style)
		for _, d := range v.inline {
			v.vals.set(d, 0, maxLayers, Inline)
		}
	}
	if len(v.vals.custom) > 0 {
		vars = &scope{up: vars, vars: append([]variable(nil), v.vals.custom...)}
	}
	v.vals.s, v.vals.scope = s, vars
	f.vars = vars
	f.paint = v.vals.inherit(start)
	f.exact = true
	look := v.vals.hides()
	if look.Why == InSight && !v.vals.has(propDisplay) && hiddenAttr(f.node) {
		look = Look{Display, Attribute, true}
	}
	return look
}

// hiddenAttr reports whether the browser's own sheet hides an element.
func hiddenAttr(n *html.Node) bool {
	if v, ok := attrOf(n, "hidden"); ok && !strings.EqualFold(v, "until-found") {
		return true
	}
	return n.Data == "dialog" && !hasAttr(n, "open") || hasAttr(n, "popover")
}

package css

import (
	"math/bits"
	"strings"
)

// values are the declarations that win for one element.
type values struct {
	mask   mask
	cells  [numProps]cell
	custom []variable

	s     *Sheets
	scope *scope // custom properties, those of the element included
}

type cell struct {
	prio  uint64
	value string
	rule  int32
}

// variable is a custom property of an element.
type variable struct {
	name, value string
	prio        uint64
}

// scope holds the custom properties that an element sets, and those that it
// inherits.
type scope struct {
	up     *scope
	vars   []variable
	byName map[string]*variable // those that win; made at first need
}

// maxCustom bounds the custom properties that are set for one element.
const maxCustom = 4000

// find returns the declaration of a custom property that wins.
func (s *scope) find(name string) *variable {
	if s.byName == nil {
		s.byName = make(map[string]*variable, len(s.vars))
		for i := range s.vars {
			c := &s.vars[i]
			if best := s.byName[c.name]; best == nil || c.prio >= best.prio {
				s.byName[c.name] = c
			}
		}
	}
	return s.byName[name]
}

func (v *values) clear() {
	v.mask = 0
	v.custom = v.custom[:0]
}

// set lets a declaration compete (CSS Cascading and Inheritance Level 5,
// section 6.1): importance, the style attribute, layers, which count backwards
// for important ones, specificity with order in low, then the later one.
func (v *values) set(d decl, low, layerRank uint64, rule int32) {
	if d.important {
		layerRank = maxLayers - layerRank
	}
	prio := layerRank<<50 | low
	if rule == Inline {
		prio = 1 << 62
	}
	if d.important {
		prio |= 1 << 63
	}
	if d.prop == propCustom {
		if len(v.custom) < maxCustom {
			v.custom = append(v.custom, variable{d.name, d.value, prio})
		}
		return
	}
	c := &v.cells[d.prop]
	if v.mask&(1<<d.prop) != 0 && prio < c.prio {
		return
	}
	v.mask |= 1 << d.prop
	*c = cell{prio, d.value, rule}
}

func (v *values) has(p property) bool { return v.mask&(1<<p) != 0 }

// get returns the value of a property, normalized by plain; "" when none is
// declared or its custom properties cannot be resolved.
func (v *values) get(p property) string {
	if !v.has(p) {
		return ""
	}
	s := plainVars(v.cells[p].value)
	if strings.Contains(s, "var(") {
		left := maxStyle
		out, ok := v.s.substitute(s, v.scope, 0, &left)
		if !ok {
			return ""
		}
		s = out
	}
	s = strings.TrimSpace(plain(s))
	if strings.Contains(s, "calc(") {
		s = reckon(s)
	}
	return s
}

// plainVars resolves escapes and comments, but keeps the case, because names of
// custom properties are case-sensitive.
func plainVars(s string) string {
	if !strings.Contains(s, "--") {
		return plain(s)
	}
	return s
}

// substitute replaces var() (CSS Custom Properties Level 1, section 3). It
// gives up on cycles, and on values that grow beyond a bound.
func (s *Sheets) substitute(value string, from *scope, depth int, left *int) (string, bool) {
	if depth > 16 {
		return "", false
	}
	var b strings.Builder
	for {
		i := strings.Index(value, "var(")
		if i < 0 {
			break
		}
		if s.steps++; s.steps > maxSteps {
			s.capped = true
			return "", false
		}
		end := closing(value, i+3)
		args := value[i+4 : max(end, i+4)]
		name, fallback, has := strings.Cut(args, ",")
		got, ok := s.variable(strings.TrimSpace(name), from, depth, left)
		if !ok {
			if !has {
				return "", false
			}
			if got, ok = s.substitute(fallback, from, depth+1, left); !ok {
				return "", false
			}
		}
		b.WriteString(value[:i])
		b.WriteString(got)
		if *left -= i + len(got); *left < 0 {
			return "", false
		}
		value = value[min(end+1, len(value)):]
	}
	b.WriteString(value)
	return b.String(), true
}

// variable returns the value of a custom property. Its own var() are resolved
// where it is set.
func (s *Sheets) variable(name string, at *scope, depth int, left *int) (string, bool) {
	for ; at != nil; at = at.up {
		if found := at.find(name); found != nil {
			v := found.value
			if strings.EqualFold(strings.TrimSpace(v), "initial") {
				return "", false
			}
			if strings.Contains(v, "var(") {
				return s.substitute(v, at, depth+1, left)
			}
			return v, true
		}
		if s.steps++; s.steps > maxSteps {
			return "", false
		}
	}
	return "", false
}

// hides returns how the element is hidden together with everything in it.
func (v *values) hides() Look {
	by := func(why Reason, p property) Look {
		waits := why == Display || why == Opacity
		switch p {
		case propTransform, propScale, propTranslate, propRotate, propZoom, propWidth, propHeight, propMaxWidth, propMaxHeight:
			waits = true
		}
		return Look{why, v.cells[p].rule, waits}
	}
	if v.get(propDisplay) == "none" {
		return by(Display, propDisplay)
	}
	if v.get(propContentVisibility) == "hidden" {
		return by(Display, propContentVisibility)
	}
	if n, ok := cssNumber(v.get(propOpacity)); ok && n <= invisible {
		return by(Opacity, propOpacity)
	}
	if filtersAll(v.get(propFilter)) {
		return by(Opacity, propFilter)
	}
	if masksAll(v.get(propMask)) {
		return by(Opacity, propMask)
	}
	if n, ok := cssNumber(v.get(propZoom)); ok && n <= invisible {
		return by(Size, propZoom)
	}
	for _, p := range [...]property{propTransform, propScale, propRotate, propTranslate} {
		if x := v.get(p); x != "" && collapses(p, x) {
			if p == propTranslate || p == propTransform && strings.Contains(x, "translate") {
				return by(Place, p)
			}
			return by(Size, p)
		}
	}
	if o := v.get(propOverflow); strings.HasPrefix(o, "hidden") || strings.HasPrefix(o, "clip") {
		// A flex item that grows gets its size from its container.
		grow, _ := cssNumber(v.get(propFlexGrow))
		for _, p := range [...]property{propHeight, propMaxHeight, propWidth, propMaxWidth} {
			n, ok := pixels(v.get(p))
			if ok && (n <= 0 || n <= 1 && (p == propHeight || p == propMaxHeight)) && (grow == 0 || p == propMaxHeight || p == propMaxWidth) {
				return by(Size, p)
			}
		}
	}
	if pos := v.get(propPosition); pos == "absolute" || pos == "fixed" {
		for _, p := range [...]property{propLeft, propRight, propTop, propBottom} {
			if farAway(v.get(p)) {
				return by(Place, p)
			}
		}
		if zeroRect(v.get(propClip)) {
			return by(Clip, propClip)
		}
	}
	for _, p := range [...]property{propTextIndent, propMarginLeft, propMarginTop} {
		if farAway(v.get(p)) {
			return by(Place, p)
		}
	}
	if clipsAll(v.get(propClipPath)) {
		return by(Clip, propClipPath)
	}
	return Look{}
}

// usesVars reports whether a value that wins refers to custom properties.
func (v *values) usesVars() bool {
	for m := v.mask; m != 0; m &= m - 1 {
		if x := v.cells[bits.TrailingZeros64(uint64(m))].value; strings.IndexByte(x, '(') >= 0 && strings.Contains(x, "--") || strings.IndexByte(x, '\\') >= 0 {
			return true
		}
	}
	return false
}

// inherit applies what is inherited: visibility and font size.
func (v *values) inherit(p *paint) {
	switch v.get(propVisibility) {
	case "hidden", "collapse":
		p.invisible, p.invisibleBy = true, v.cells[propVisibility].rule
	case "visible", "initial":
		p.invisible = false
	}
	size := v.get(propFontSize)
	if n, ok := pixels(size); ok {
		p.tinyBy = v.cells[propFontSize].rule
		// A size relative to a tiny size is tiny too.
		if relative := strings.HasSuffix(size, "%") || strings.HasSuffix(size, "em") && !strings.HasSuffix(size, "rem"); !relative || !p.tiny {
			p.tiny = n < 2
		}
	} else if size != "" && size != "inherit" {
		p.tiny = false
	}
}

// inheritColors applies the colours of the text and of the background.
func (v *values) inheritColors(p *paint) {
	if c, ok := parseColor(v.get(propFill)); ok {
		p.color, p.flatBy = c, v.cells[propFill].rule
	} else if x := v.get(propColor); x != "" && x != "inherit" && x != "currentcolor" {
		p.color, _ = parseColor(x)
		p.flatBy = v.cells[propColor].rule
	}
	if x := v.get(propBackground); x != "" {
		switch c, ok := parseColor(x); {
		case ok && c.clear, x == "none", x == "0", x == "0 0", x == "initial", x == "unset":
			// the background of the element below is visible
		case ok && !c.thin:
			p.back, p.flatBy = c, v.cells[propBackground].rule
		default:
			p.back = rgb{}
		}
	}
	if x := v.get(propBackgroundImage); x != "" && isPicture(x) {
		p.back = rgb{} // a picture or a gradient
		if v.get(propBackgroundClip) == "text" {
			p.color = rgb{} // the letters are filled with it
		}
	}
	p.flat = p.color.known && (p.color.clear || p.back.known && near(p.color, p.back))
}

package computed

import (
	"encoding/base64"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// containerQuery is an @container (CSS Conditional Rules Module Level 5).
type containerQuery struct {
	name, cond string
	up         int32 // the query around it, 0 for none
	// starting is set for @starting-style, the rules of which apply before a transition,
	// and partial for rules about a part of an element's text.
	starting, partial bool
}

// selectorScope is an @scope (CSS Cascading and Inheritance Level 6, section 2.5).
type selectorScope struct {
	roots, limits []*complexSelector
	root          *html.Node // where the rule names no root: the parent of its style element
}

const maxConditions = 2000 // container queries, and scopes, of all sheets

func (s *Sheets) newContainerQuery(prelude string, up int32) int32 {
	if len(s.conds) >= maxConditions {
		s.capped = true
		return up
	}
	q := containerQuery{up: up, cond: strings.TrimSpace(prelude)}
	if end := 0; q.cond != "" && q.cond[0] != '(' {
		for end < len(q.cond) && isName(q.cond[end]) {
			end++
		}
		if name := q.cond[:end]; name != "not" && (end >= len(q.cond) || q.cond[end] != '(') {
			q.name, q.cond = name, strings.TrimSpace(q.cond[end:])
		}
	}
	s.conds = append(s.conds, q)
	return int32(len(s.conds)) - 1
}

// newCondition adds a condition that is not computed.
func (s *Sheets) newCondition(q containerQuery) int32 {
	if len(s.conds) >= maxConditions {
		s.capped = true
		return q.up
	}
	s.conds = append(s.conds, q)
	return int32(len(s.conds)) - 1
}

// isSlow reports whether a transition takes so long that a person sees how it begins.
func isSlow(value string) bool {
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ' ' || r == ';' || r == ':' }) {
		if q, ok := simple(word); ok && q.dim == isTime && q.v > restFrom {
			return true
		}
	}
	return false
}

func (s *Sheets) newScope(prelude string, style *html.Node) int32 {
	if len(s.scopes) >= maxConditions {
		s.capped = true
		return 0
	}
	var sc selectorScope
	budget := maxList
	list := func(prelude string) []*complexSelector {
		if open := strings.IndexByte(prelude, '('); open >= 0 {
			return compileList(prelude[open+1:max(closing(prelude, open), open+1)], nil, 0, &budget)
		}
		return nil
	}
	start, end, _ := strings.Cut(" "+prelude, " to ")
	if !strings.Contains(" "+prelude, " to ") {
		if before, after, ok := strings.Cut(prelude, ")to"); ok {
			start, end = before+")", after
		}
	}
	sc.limits = list(end)
	if strings.TrimSpace(start) == "" {
		if style != nil {
			sc.root = style.Parent
		}
	} else {
		sc.roots = list(start)
	}
	s.scopes = append(s.scopes, sc)
	return int32(len(s.scopes)) - 1
}

// applies reports whether the selector of an entry matches an element, in the scope
// and the tree of its rule.
func (s *Sheets) applies(e *entry, n *html.Node) bool {
	r := &s.rules[e.rule]
	if r.space != anySpace && r.space != spaceOfElement(n) {
		s.spend(0)
		return false
	}
	if s.Tree != nil {
		s.tree = r.tree
		if s.Tree(n) != r.tree && !e.compiled.crossesTrees() {
			s.spend(0)
			return false
		}
	}
	if r.scope == 0 {
		return s.matches(e.compiled, n, nil)
	}
	sc := &s.scopes[r.scope]
	away := 0
	for root := n; root != nil && s.steps <= maxSteps; root, away = s.parentElement(root), away+1 {
		if sc.root != nil && root != sc.root || sc.root == nil && !s.anyMatches(sc.roots, root, nil) {
			continue
		}
		if s.beyond(sc, root, n) {
			continue
		}
		before := s.scopeRoot
		s.scopeRoot = root
		ok := s.matches(e.compiled, n, nil)
		s.scopeRoot = before
		if ok {
			e.near = nearness(away)
			return true
		}
	}
	return false
}

// nearness is higher for a nearer root of a scope, and 0 for rules without a scope.
func nearness(away int) uint16 { return uint16(max(1, maxNear-away)) }

const maxNear = 1<<10 - 1

// beyond reports whether an element is in a part that a scope leaves out.
func (s *Sheets) beyond(sc *selectorScope, root, n *html.Node) bool {
	before := s.scopeRoot
	s.scopeRoot = root
	defer func() { s.scopeRoot = before }()
	for up := n; up != nil && up != root; up = s.parentElement(up) {
		if s.anyMatches(sc.limits, up, nil) {
			return true
		}
	}
	return false
}

// holds evaluates the container queries around a rule for the open element i.
func (v *View) holds(cond int32, i int) truth {
	t := yes
	if cond != 0 {
		defer v.setAside()()
	}
	for ; cond != 0; cond = v.s.conds[cond].up {
		q := &v.s.conds[cond]
		if q.starting && !v.s.slow {
			return no
		}
		if q.starting || q.partial {
			t = unknown
			continue
		}
		left := maxStyle
		one := condition(plainVars(q.cond), func(s string) truth {
			return v.sizeQuery(q.name, s, i)
		}, 0, func(name, arg string) truth {
			if name != "style" || i == 0 {
				return unknown // of scrolling
			}
			at := v.named(q.name, i-1, func(string) bool { return true })
			if at < 0 {
				return no
			}
			v.exact(at)
			vals := &values{s: v.s, node: v.stack[at].node, scope: v.stack[at].vars}
			return condition("("+arg+")", func(s string) truth { return vals.styleQuery(s, vals.scope, 0, &left) }, 0, nil)
		})
		switch one {
		case no:
			return no
		case unknown:
			t = unknown
		}
	}
	return t
}

// container is what container queries ask of an open element.
type container struct {
	kind, names string
	high        float64 // 0 if it is not stated
}

// containerAt reads it once for each element: its own rules may stand in such queries, too.
func (v *View) containerAt(i int) *container {
	if v.stack[i].container == nil {
		vals := v.valuesOf(i, containers|sizes)
		c := &container{kind: vals.get(propContainerType)}
		if vals.has(propContainerName) {
			c.names = vals.cells[propContainerName].value
		}
		c.high, _ = stated(vals.get(propHeight))
		v.stack[i].container = c
	}
	return v.stack[i].container
}

// named returns the nearest open element, from i up, that is a container with a
// name, which may be empty, and that fits, or -1.
func (v *View) named(name string, i int, fits func(kind string) bool) int {
	for ; i >= 0; i-- {
		if v.s.steps++; v.s.steps > maxSteps {
			return -1
		}
		if c := v.containerAt(i); (name == "" || hasToken(c.names, name)) && fits(c.kind) {
			return i
		}
	}
	return -1
}

// hasToken reports whether a list that spaces separate has a name.
func hasToken(list, name string) bool {
	for f := range strings.FieldsSeq(list) {
		if f == name {
			return true
		}
	}
	return false
}

// leastWidth is an estimate of how wide a container is at least, in CSS pixels.
const leastWidth = 200

// widthOf returns how wide the content of the open element i is, at least and at most. What
// stands beside other elements shares the width with them.
func (v *View) widthOf(i int) (lo, hi float64) {
	lo, hi = screenWidth, screenWidth
	for k := 1; k <= i; k++ {
		if known := v.stack[k].width; known != nil {
			lo, hi = known[0], known[1]
			continue
		}
		lo, hi = v.widthIn(k, lo, hi)
		v.stack[k].width = &[2]float64{lo, hi}
	}
	return lo, hi
}

// widthIn is widthOf for an element that stands in one of this width.
func (v *View) widthIn(k int, lo, hi float64) (least, most float64) {
	vals := v.valuesOf(k, sizes|places|1<<propMarginLeft)
	display := vals.get(propDisplay)
	if vals.isInline(display) || display == "contents" {
		return lo, hi
	}
	pads := max(0, vals.length(propPaddingLeft)) + max(0, vals.length(propPaddingRight))
	edges := pads + vals.length(propMarginLeft)
	width := vals.get(propWidth)
	n, ok := along(width, hi)
	switch share := strings.HasSuffix(width, "%"); {
	case ok && share:
		lo, hi = lo*n/max(hi, 1), n
	case ok:
		lo, hi = n, n
		if edges = 0; vals.get(propBoxSizing) == "border-box" {
			edges = pads
		}
	default:
		float, position := vals.get(propFloat), vals.get(propPosition)
		shrinks := float == "left" || float == "right" || position == "absolute" || position == "fixed" || strings.HasPrefix(display, "inline-") || vals.isTablePart()
		switch {
		case shrinks || v.s.Unread:
			lo = min(lo, leastWidth)
		case v.isContainer(k-1) && !v.valuesOf(k-1, boxes).stacks():
			lo = min(lo, max(leastWidth, lo/float64(1+neighbours(v.stack[k].node))))
		}
	}
	vals = v.valuesOf(k, sizes)
	if n, ok := along(vals.get(propMaxWidth), hi); ok && n < hi {
		lo, hi = min(lo, n), n
	}
	return max(lo-edges, 0), max(hi-edges, 0)
}

// neighbours counts the elements that stand in the parent of an element, itself included; 0
// if it stands there alone.
func neighbours(n *html.Node) (count int) {
	if n.Parent == nil {
		return 0
	}
	for c := n.Parent.FirstChild; c != nil && count < maxConditions; c = c.NextSibling {
		if c.Type == html.ElementNode {
			count++
		}
	}
	if count == 1 {
		return 0
	}
	return count
}

// sizeQuery evaluates one feature of a container's size. Sizes that no declaration
// gives are not known: the width of a container is then estimated from those around.
func (v *View) sizeQuery(name, s string, i int) truth {
	s = plain(s)
	vertical := strings.Contains(s, "height") || strings.Contains(s, "block-size") || strings.Contains(s, "aspect") || strings.Contains(s, "orientation")
	at := v.named(name, i-1, func(kind string) bool {
		return strings.Contains(kind, "size") && (!vertical || kind == "size")
	})
	if at < 0 {
		return no
	}
	high := v.containerAt(at).high
	lo, hi := [2]float64{0, high}, [2]float64{0, high}
	lo[0], hi[0] = v.widthOf(at)
	ask := func(size [2]float64) truth {
		feature := func(name string) (float64, bool) {
			switch name {
			case "width", "inline-size":
				return size[0], true
			case "height", "block-size":
				return size[1], true
			case "aspect-ratio":
				return size[0] / max(size[1], 1), true
			}
			return 0, false
		}
		if strings.ContainsAny(s, "<>=") && !strings.Contains(s, ":") {
			return rangeOf(s, func(p string) (float64, bool) {
				if v, ok := feature(p); ok {
					return v, true
				}
				return mediaValue(p)
			})
		}
		name, value, given := strings.Cut(s, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		bound := 0
		if rest, ok := strings.CutPrefix(name, "min-"); ok {
			name, bound = rest, 1
		} else if rest, ok := strings.CutPrefix(name, "max-"); ok {
			name, bound = rest, -1
		}
		if name == "orientation" {
			if size[1] >= size[0] {
				return is(value == "portrait")
			}
			return is(value == "landscape")
		}
		have, ok := feature(name)
		if !ok {
			return unknown
		}
		return mediaBound(have, bound, value, given)
	}
	t := ask(lo)
	if ask(hi) != t {
		return unknown
	}
	return t
}

// importSheet reads a sheet that an @import gives as data. Others are not read.
func (p *parser) importSheet(prelude string, layer int32) {
	ref, rest := cutRef(prelude)
	if low := strings.ToLower(rest); strings.HasPrefix(low, "layer") && (len(low) == 5 || !isName(low[5])) {
		name := ""
		if rest = rest[5:]; strings.HasPrefix(rest, "(") {
			end := closing(rest, 0)
			name, rest = rest[1:max(end, 1)], rest[min(end+1, len(rest)):]
		}
		layer, rest = p.s.layerNamed(layer, strings.TrimSpace(name)), strings.TrimSpace(rest)
	}
	if strings.HasPrefix(strings.ToLower(rest), "supports(") {
		end := closing(rest, 8)
		cond := rest[9:max(end, 9)]
		if rest = strings.TrimSpace(rest[min(end+1, len(rest)):]); !strings.HasPrefix(cond, "(") && strings.Contains(cond, ":") {
			cond = "(" + cond + ")"
		}
		if !matchSupports(cond) {
			return
		}
	}
	if rest != "" && !matchMedia(rest) {
		return
	}
	src, ok := DataSheet(ref)
	if !ok || p.imports >= 4 {
		p.s.Unread = true
		return
	}
	inner := *p
	inner.imports++
	inner.begun, inner.spaces = false, nil
	inner.sheet(src, layer)
}

// cutRef splits the prelude of an @import after the address.
func cutRef(prelude string) (ref, rest string) {
	if strings.HasPrefix(strings.ToLower(prelude), "url(") {
		end := skipURL(prelude, 3)
		ref, rest = strings.TrimSuffix(strings.TrimSpace(prelude[4:end]), ")"), prelude[end:]
	} else if prelude != "" && (prelude[0] == '"' || prelude[0] == '\'') {
		end := skipString(prelude, 0)
		ref, rest = prelude[:end], prelude[end:]
	}
	return strings.TrimSpace(unescape(strings.Trim(strings.TrimSpace(ref), `"'`))), strings.TrimSpace(rest)
}

// DataSheet returns the style sheet that a data: address holds.
func DataSheet(address string) (sheet string, ok bool) {
	if len(address) < 5 || !strings.EqualFold(address[:5], "data:") {
		return "", false
	}
	kind, data, found := strings.Cut(address[5:], ",")
	if kind = strings.ToLower(kind); !found || !strings.HasPrefix(kind, "text/css") {
		return "", found
	}
	data, err := url.PathUnescape(data)
	if err == nil && strings.HasSuffix(kind, ";base64") {
		var raw []byte
		raw, err = base64.StdEncoding.DecodeString(data)
		data = string(raw)
	}
	return data, err == nil
}

// keyframes reads the frames of an animation; the opening brace is behind.
func (p *parser) keyframes(name string, in bool) {
	if !in || name == "" {
		p.skipBlock()
		return
	}
	delete(p.s.keyframes, name) // the last one wins
	for {
		p.space()
		if p.i >= len(p.src) {
			return
		}
		if p.src[p.i] == '}' {
			p.i++
			return
		}
		start := p.i
		p.until(false)
		if p.i >= len(p.src) {
			return
		}
		if p.src[p.i] != '{' {
			p.i++
			if p.src[p.i-1] == '}' {
				return
			}
			continue
		}
		selector := p.src[start:p.i]
		p.i++
		p.s.addKeyframe(name, selector, p.declarations())
	}
}

// declarations reads the declarations up to the end of a block, without blocks in
// it.
func (p *parser) declarations() (out []decl) {
	for p.inBlock() {
		if d, ok := p.readDecl(); ok {
			if d.prop != propNone && !d.important {
				before := len(out)
				out = expand(out, d)
				for _, d := range out[before:] {
					p.s.learn(d)
				}
			}
			continue
		}
		p.until(true)
		if p.i < len(p.src) && p.src[p.i] != '}' {
			p.i++
		}
	}
	return out
}

// inBlock moves to the next declaration of a block. It is false at the block's end,
// which it passes.
func (p *parser) inBlock() bool {
	for p.space(); p.i < len(p.src); p.space() {
		switch p.src[p.i] {
		case '}':
			p.i++
			return false
		case ';':
			p.i++
		default:
			return true
		}
	}
	return false
}

// register reads an @property rule.
func (p *parser) register(name string) {
	name = strings.TrimSpace(name)
	d := p.descriptors()
	r := registration{initial: d["initial-value"], syntax: strings.Trim(d["syntax"], `"'`), inherits: strings.EqualFold(d["inherits"], "true")}
	if !strings.HasPrefix(name, "--") || r.syntax == "" || len(p.s.registered) > maxCustom {
		return
	}
	// Browsers drop a rule without "inherits", and one whose value depends on the element.
	if q, ok := simple(plain(r.initial)); d["inherits"] == "" || r.syntax != "*" && (r.initial == "" || !fitsSyntax(r.syntax, r.initial) || ok && q.dim == isLength && isRelative(r.initial)) {
		return
	}
	if p.s.registered == nil {
		p.s.registered = map[string]registration{}
	}
	p.s.registered[name] = r
}

// isRelative reports whether a length depends on the font of an element.
func isRelative(length string) bool {
	_, unit, ok := number(plain(strings.TrimSpace(length)))
	return ok && isOneOf(unit, "em", "rem", "ex", "rex", "ch", "rch", "cap", "rcap", "ic", "ric", "lh", "rlh")
}

// descriptors reads names and values up to the end of a block.
func (p *parser) descriptors() map[string]string {
	out := map[string]string{}
	for p.inBlock() {
		start := p.i
		p.until(true)
		if name, value, ok := strings.Cut(p.src[start:p.i], ":"); ok && len(out) < 100 {
			if name = strings.TrimSpace(name); !strings.HasPrefix(name, "--") {
				name = strings.ToLower(name)
			}
			out[name] = strings.TrimSpace(value)
		}
	}
	return out
}

// function reads an @function rule.
func (p *parser) function(prelude string) {
	name, rest, _ := strings.Cut(prelude, "(")
	params, _, _ := strings.Cut(rest, ")")
	var f function
	for param := range splitTop(params, ',') {
		key, value, _ := strings.Cut(param, ":")
		if words := strings.Fields(key); len(words) > 0 {
			f.params = append(f.params, variable{name: words[0], value: strings.TrimSpace(value)})
		}
	}
	for key, value := range p.descriptors() {
		if key == "result" {
			f.result = value
		} else if strings.HasPrefix(key, "--") {
			f.locals = append(f.locals, variable{name: key, value: value})
		}
	}
	if name = strings.TrimSpace(name); !strings.HasPrefix(name, "--") || len(p.s.functions) > maxConditions {
		return
	}
	if p.s.functions == nil {
		p.s.functions = map[string]function{}
	}
	p.s.functions[name] = f
}

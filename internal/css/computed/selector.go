package computed

import (
	"strings"
)

// complexSelector is a selector without commas, compounds from right to left.
type complexSelector struct {
	parts       []compound
	specificity uint32 // identifiers, classes and types, 8 bits each
	// above are hashes of names that ancestors of a match must have. When one is
	// missing, no ancestor needs to be checked.
	above []uint32
}

// compound is a compound selector: the conditions on one element.
type compound struct {
	tag     string // "" is any
	id      string
	classes []string
	attrs   []attrTest
	pseudos []pseudo
	comb    byte // what joins it to the part on its left: ' ', '>', '+', '~'; 0 for none
	anchor  bool // the element of :has
	host    bool // :host is among the pseudo-classes
	slotted []*complexSelector
	part    string
}

// crossesTrees reports whether the elements that a selector matches are in another
// tree than its sheet.
func (s *complexSelector) crossesTrees() bool {
	c := &s.parts[0]
	return c.host || c.slotted != nil || c.part != ""
}

type attrTest struct {
	name, value string
	op          byte // 0: is there; else '=', '~', '|', '^', '$', '*'
	ignoreCase  bool
}

type pseudo struct {
	kind pseudoKind
	list []*complexSelector // :is, :not, :has, and the "of" of nth-child
	a, b int                // nth-child
	last bool               // counted from the end
	typ  bool               // counted within its type
	only bool
	lang string
}

type pseudoKind uint8

const (
	pseudoIs pseudoKind = iota + 1
	pseudoNot
	pseudoHas
	pseudoNth
	pseudoRoot
	pseudoScope
	pseudoHost
	pseudoField    // can be written into; last is the opposite
	pseudoRequired // has to be filled in; last is the opposite
	pseudoInvalid  // its value is not one that it may have; last is the opposite
	pseudoRange    // its value is beyond its limits; last is the opposite
	pseudoIndeterminate
	pseudoFocus
	pseudoPlaceholder
	pseudoDefined
	pseudoDir
	pseudoEmpty
	pseudoChecked
	pseudoDisabled
	pseudoEnabled
	pseudoLink
	pseudoOpen
	pseudoNever // needs a user, or something that is not there
	pseudoLang
)

const (
	maxCompounds = 64  // of one selector
	maxList      = 200 // selectors in one list, nested ones
	maxNesting   = 8   // brackets in brackets
)

// selectorParser reads one selector (Selectors Level 4, section 18).
type selectorParser struct {
	s      string
	i      int
	parent []*complexSelector // the meaning of &; nil means :scope, which is the root
	budget *int               // bounds what one rule compiles to
}

// compileList returns the selectors of a list that can match and can be read.
func compileList(s string, parent []*complexSelector, depth int, budget *int) []*complexSelector {
	var out []*complexSelector
	for part := range splitTop(s, ',') {
		if sel := compile(part, parent, depth, budget, false); sel != nil {
			out = append(out, sel)
		}
	}
	return out
}

// compile parses one selector; nil when it can match nothing, or is not valid.
func compile(s string, parent []*complexSelector, depth int, budget *int, relative bool) *complexSelector {
	if depth > maxNesting {
		return nil
	}
	p := selectorParser{s: s, parent: parent, budget: budget}
	sel := &complexSelector{}
	p.space()
	comb := byte(0)
	if relative {
		sel.parts = append(sel.parts, compound{anchor: true})
		comb = ' '
		if c := p.peek(); c == '>' || c == '+' || c == '~' {
			comb = c
			p.i++
			p.space()
		}
	} else if c := p.peek(); parent != nil && depth == 0 && (strings.IndexByte(s, '&') < 0 || c == '>' || c == '+' || c == '~') {
		// Nested: relative to the rule around it (CSS Nesting Module, section 3.1).
		sel.parts = append(sel.parts, compound{pseudos: []pseudo{{kind: pseudoIs, list: parent}}})
		sel.specificity = highest(parent)
		comb = ' '
		if c == '>' || c == '+' || c == '~' {
			comb = c
			p.i++
			p.space()
		}
	}
	for {
		if *budget--; *budget < 0 || len(sel.parts) >= maxCompounds {
			return nil
		}
		c, spec, ok := p.compound(depth)
		if !ok {
			return nil
		}
		c.comb = comb
		sel.specificity = addSpecificity(sel.specificity, spec)
		sel.parts = append(sel.parts, c)
		spaced := p.space()
		switch ch := p.peek(); {
		case p.i >= len(p.s):
			// from right to left
			for i, j := 0, len(sel.parts)-1; i < j; i, j = i+1, j-1 {
				sel.parts[i], sel.parts[j] = sel.parts[j], sel.parts[i]
			}
			sel.findAbove()
			return sel
		case ch == '>' || ch == '+' || ch == '~':
			comb = ch
			p.i++
			p.space()
		case spaced:
			comb = ' '
		default:
			return nil
		}
	}
}

// findAbove collects the names that ancestors have to have.
func (s *complexSelector) findAbove() {
	above := false
	for i := range s.parts {
		c := &s.parts[i]
		if above && !c.anchor {
			if c.id != "" {
				s.above = append(s.above, hashOf(keyID, c.id))
			}
			for _, name := range c.classes {
				s.above = append(s.above, hashOf(keyClass, name))
			}
			if c.tag != "" {
				s.above = append(s.above, hashOf(keyTag, c.tag))
			}
			if len(c.attrs) > 0 {
				s.above = append(s.above, hashOf(keyAttr, c.attrs[0].name))
			}
		}
		// The part on the left is an ancestor; siblings of ancestors are not.
		above = c.comb == ' ' || c.comb == '>'
	}
}

// bloom is a Bloom filter of hashes: has can be wrongly true.
type bloom [16]uint64

func (b *bloom) add(h uint32) { h *= 0x9E3779B1; b[h>>28] |= 1 << (h >> 22 & 63) }

func (b *bloom) has(h uint32) bool { h *= 0x9E3779B1; return b[h>>28]&(1<<(h>>22&63)) != 0 }

// addSpecificity adds field by field, each up to 255.
func addSpecificity(a, b uint32) uint32 {
	var out uint32
	for shift := 0; shift < 24; shift += 8 {
		out |= min(a>>shift&255+b>>shift&255, 255) << shift
	}
	return out
}

func highest(list []*complexSelector) uint32 {
	var m uint32
	for _, s := range list {
		m = max(m, s.specificity)
	}
	return m
}

func (p *selectorParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// space skips white space and comments, and reports whether there were any.
func (p *selectorParser) space() bool {
	start := p.i
	for p.i < len(p.s) {
		switch {
		case isSpace(p.s[p.i]):
			p.i++
		case strings.HasPrefix(p.s[p.i:], "/*"):
			p.i = skipComment(p.s, p.i)
		default:
			return p.i > start
		}
	}
	return p.i > start
}

// ident reads a name and resolves its escapes.
func (p *selectorParser) ident() string {
	start, odd := p.i, false
	for p.i < len(p.s) {
		if c := p.s[p.i]; isName(c) {
			p.i++
		} else if c == '\\' && p.i+1 < len(p.s) {
			odd = true
			_, p.i = escape(p.s, p.i)
		} else {
			break
		}
	}
	name := p.s[start:p.i]
	if !odd {
		return name
	}
	return unescape(name)
}

const (
	oneID    = 1 << 16
	oneClass = 1 << 8
	oneType  = 1
)

// compound reads a compound selector at p.
func (p *selectorParser) compound(depth int) (c compound, spec uint32, ok bool) {
	start := p.i
	for p.i < len(p.s) {
		switch ch := p.s[p.i]; {
		case ch == '*':
			p.i++
			p.namespace()
		case ch == '|':
			p.i++
		case ch == '#':
			p.i++
			id := p.ident()
			if id == "" || c.id != "" && c.id != id {
				return c, 0, false
			}
			c.id = id
			spec = addSpecificity(spec, oneID)
		case ch == '.':
			p.i++
			name := p.ident()
			if name == "" {
				return c, 0, false
			}
			c.classes = append(c.classes, name)
			spec = addSpecificity(spec, oneClass)
		case ch == '[':
			end := p.i + strings.IndexByte(p.s[p.i:], ']')
			if q := strings.IndexAny(p.s[p.i:max(end, p.i)], `"'`); q >= 0 {
				if end = skipString(p.s, p.i+q); end < len(p.s) {
					end += strings.IndexByte(p.s[end:], ']')
				}
			}
			if end <= p.i || end >= len(p.s) || p.s[end] != ']' {
				return c, 0, false
			}
			t, ok := attrTestOf(p.s[p.i+1 : end])
			if !ok {
				return c, 0, false
			}
			c.attrs = append(c.attrs, t)
			p.i = end + 1
			spec = addSpecificity(spec, oneClass)
		case ch == '&':
			p.i++
			if p.parent == nil {
				c.pseudos = append(c.pseudos, pseudo{kind: pseudoScope})
				break
			}
			c.pseudos = append(c.pseudos, pseudo{kind: pseudoIs, list: p.parent})
			spec = addSpecificity(spec, highest(p.parent))
		case ch == ':':
			if done, ok := p.acrossTrees(&c, depth); done {
				if !ok {
					return c, 0, false
				}
				spec = addSpecificity(spec, oneType)
				continue
			}
			x, add, ok := p.pseudo(depth)
			if !ok {
				return c, 0, false
			}
			c.host = c.host || x.kind == pseudoHost
			c.pseudos = append(c.pseudos, x)
			spec = addSpecificity(spec, add)
		case isName(ch) || ch == '\\':
			if p.i > start && p.s[p.i-1] != '|' && p.s[p.i-1] != '&' {
				return c, 0, false
			}
			name := p.ident()
			if name == "" {
				return c, 0, false // a backslash at the end
			}
			if p.namespace() {
				continue
			}
			c.tag = strings.ToLower(name)
			spec = addSpecificity(spec, oneType)
		default:
			return c, spec, p.i > start
		}
	}
	return c, spec, p.i > start
}

// acrossTrees reads ::slotted() and ::part(), and reports whether one was there and
// is valid.
func (p *selectorParser) acrossTrees(c *compound, depth int) (done, ok bool) {
	name := ""
	for _, n := range [...]string{"::slotted(", "::part("} {
		if len(p.s)-p.i >= len(n) && strings.EqualFold(p.s[p.i:p.i+len(n)], n) {
			name = n
		}
	}
	if name == "" {
		return false, false
	}
	open := p.i + len(name) - 1
	end := closing(p.s, open)
	args := strings.TrimSpace(p.s[open+1 : max(end, open+1)])
	p.i = min(end+1, len(p.s))
	if name == "::part(" {
		c.part = args
		return true, args != ""
	}
	c.slotted = compileList(args, nil, depth+1, p.budget)
	return true, c.slotted != nil
}

// namespace skips the bar of a namespace prefix. In HTML documents, names are
// sufficient without namespaces.
func (p *selectorParser) namespace() bool {
	if p.peek() == '|' && p.i+1 < len(p.s) && p.s[p.i+1] != '=' {
		p.i++
		return true
	}
	return false
}

func attrTestOf(s string) (t attrTest, ok bool) {
	p := selectorParser{s: s}
	p.space()
	if strings.HasPrefix(p.s[p.i:], "*|") {
		p.i += 2
	}
	t.name = strings.ToLower(p.ident())
	if t.name == "" {
		return t, false
	}
	p.space()
	if p.i >= len(p.s) {
		return t, true
	}
	if t.op = p.operator(); t.op == 0 {
		return t, false
	}
	p.space()
	if c := p.peek(); c == '"' || c == '\'' {
		end := skipString(s, p.i)
		v := s[p.i+1 : max(end-1, p.i+1)]
		if strings.IndexByte(v, '\\') >= 0 {
			v = unescape(v)
		}
		t.value = v
		p.i = end
	} else {
		t.value = p.ident()
	}
	p.space()
	switch strings.ToLower(p.s[min(p.i, len(p.s)):]) {
	case "i":
		t.ignoreCase = true
	case "", "s":
		// The values of these are compared without case in HTML.
		t.ignoreCase = t.name == "type" || t.name == "dir" || t.name == "lang" || t.name == "media" || t.name == "rel"
	default:
		return t, false
	}
	return t, true
}

// operator reads the operator of an attribute selector, and returns its first byte;
// 0: it is none.
func (p *selectorParser) operator() byte {
	op := p.peek()
	switch op {
	case '=':
		p.i++
		return op
	case '~', '|', '^', '$', '*':
		p.i++
		if p.peek() == '=' {
			p.i++
			return op
		}
	}
	return 0
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) {
			var r rune
			r, i = escape(s, i)
			b.WriteRune(r)
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// pseudo reads what begins with a colon.
func (p *selectorParser) pseudo(depth int) (x pseudo, spec uint32, ok bool) {
	p.i++
	if p.peek() == ':' {
		return x, 0, false // a pseudo-element is not an element
	}
	name := strings.ToLower(p.ident())
	args, has := "", false
	if p.peek() == '(' {
		end := closing(p.s, p.i)
		args, has = p.s[p.i+1:max(end, p.i+1)], true
		p.i = min(end+1, len(p.s))
	}
	x, spec, ok = pseudoOf(name), oneClass, true
	if x.kind != 0 {
		return x, spec, true
	}
	switch name {
	case "is", "matches", "-webkit-any", "-moz-any", "where":
		x.kind = pseudoIs
		x.list = compileList(args, p.parent, depth+1, p.budget)
		if spec = highest(x.list); name == "where" {
			spec = 0
		}
	case "not":
		x.kind = pseudoNot
		x.list = compileList(args, p.parent, depth+1, p.budget)
		spec = highest(x.list)
	case "has":
		x.kind = pseudoHas
		for part := range splitTop(args, ',') {
			if sel := compile(part, p.parent, depth+1, p.budget, true); sel != nil {
				x.list = append(x.list, sel)
			}
		}
		spec = highest(x.list)
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		x.kind = pseudoNth
		x.last = strings.Contains(name, "last")
		x.typ = strings.HasSuffix(name, "type")
		formula, of, _ := strings.Cut(args, " of ")
		x.a, x.b, ok = nth(formula)
		if of != "" {
			if x.list = compileList(of, p.parent, depth+1, p.budget); x.list == nil {
				return pseudo{kind: pseudoNever}, spec, true
			}
			spec = addSpecificity(spec, highest(x.list))
		}
	case "host", "host-context":
		x.kind, x.last = pseudoHost, name == "host-context"
		if has {
			if x.list = compileList(args, nil, depth+1, p.budget); x.list == nil {
				return pseudo{kind: pseudoNever}, spec, true
			}
			spec = addSpecificity(spec, highest(x.list))
		}
		return x, spec, true
	case "dir":
		x.kind, x.lang = pseudoDir, strings.ToLower(strings.TrimSpace(args))
	case "lang":
		x.kind, x.lang = pseudoLang, strings.ToLower(strings.Trim(strings.TrimSpace(args), `"'`))
	default:
		return x, 0, false
	}
	return x, spec, ok && (has || x.kind == pseudoNth)
}

// pseudoOf returns the pseudo-classes without arguments, and those which need
// a user.
func pseudoOf(name string) pseudo {
	switch name {
	case "root":
		return pseudo{kind: pseudoRoot}
	case "scope":
		return pseudo{kind: pseudoScope}
	case "empty":
		return pseudo{kind: pseudoEmpty}
	case "first-child", "last-child", "only-child", "first-of-type", "last-of-type", "only-of-type":
		which, kind, _ := strings.Cut(name, "-")
		return pseudo{kind: pseudoNth, b: 1, typ: kind == "of-type", last: which == "last", only: which == "only"}
	case "checked", "default":
		return pseudo{kind: pseudoChecked}
	case "disabled":
		return pseudo{kind: pseudoDisabled}
	case "enabled":
		return pseudo{kind: pseudoEnabled}
	case "link", "any-link", "-webkit-any-link":
		return pseudo{kind: pseudoLink}
	case "open":
		return pseudo{kind: pseudoOpen}
	case "defined":
		return pseudo{kind: pseudoDefined}
	case "focus", "focus-visible":
		return pseudo{kind: pseudoFocus}
	case "hover", "active", "target", "visited", "focus-within", "target-within",
		"fullscreen", "playing", "picture-in-picture", "user-invalid", "user-valid", "current",
		"past", "future", "autofill", "-webkit-autofill", "-webkit-full-screen", "state",
		"local-link", "blank", "popover-open", "modal",
		"before", "after", "first-line", "first-letter":
		return pseudo{kind: pseudoNever}
	case "read-write":
		return pseudo{kind: pseudoField}
	case "in-range":
		return pseudo{kind: pseudoRange, last: true}
	case "out-of-range":
		return pseudo{kind: pseudoRange}
	case "indeterminate":
		return pseudo{kind: pseudoIndeterminate}
	case "invalid":
		return pseudo{kind: pseudoInvalid}
	case "valid":
		return pseudo{kind: pseudoInvalid, last: true}
	case "placeholder-shown":
		return pseudo{kind: pseudoPlaceholder}
	case "read-only":
		return pseudo{kind: pseudoField, last: true}
	case "optional":
		return pseudo{kind: pseudoRequired, last: true}
	case "required":
		return pseudo{kind: pseudoRequired}
	}
	return pseudo{}
}

// nth reads an+b (CSS Syntax Module Level 3, section 6).
func nth(s string) (a, b int, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	s = strings.Join(strings.Fields(s), "")
	left, right, hasN := strings.Cut(s, "n")
	if !hasN {
		b, ok = smallInt(s)
		return 0, b, ok
	}
	switch left {
	case "", "+":
		a = 1
	case "-":
		a = -1
	default:
		if a, ok = smallInt(left); !ok {
			return 0, 0, false
		}
	}
	if right == "" {
		return a, 0, true
	}
	b, ok = smallInt(right)
	return a, b, ok
}

func smallInt(s string) (int, bool) {
	sign := 1
	if s != "" && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	if s == "" || len(s) > 6 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return sign * n, true
}

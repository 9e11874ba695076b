package computed

import (
	"strings"

	"golang.org/x/net/html"
)

// parser parses one sheet in one pass. It follows CSS Syntax Module Level 3,
// section 5, but does not tokenize what it skips.
type parser struct {
	s   *Sheets
	src string
	i   int

	element           *html.Node // the style element
	tree, cond, scope int32
	begun             bool // a rule was read: an @import is too late
	imports           int  // sheets in sheets
	spaces            map[string]space
}

// special marks the bytes that end the fast skipping of ordinary ones.
var special = [256]bool{'"': true, '\'': true, '(': true, ')': true, '/': true, ';': true, '[': true, '\\': true, ']': true, '{': true, '}': true}

// until moves to the first of `;`, `{` and `}` outside of strings, brackets and
// comments, or to the end. With braces, it also skips blocks, which are part of the
// value of a custom property.
func (p *parser) until(braces bool) {
	s, i, depth, open := p.src, p.i, 0, 0
	for i < len(s) {
		c := s[i]
		if !special[c] {
			i++
			continue
		}
		switch c {
		case '"', '\'':
			i = skipString(s, i)
			continue
		case '\\':
			i++
		case '/':
			if i+1 < len(s) && s[i+1] == '*' {
				i = skipComment(s, i)
				continue
			}
		case '(':
			if endsURL(s[:i]) {
				i = skipURL(s, i)
				continue
			}
			depth++
		case '[':
			depth++
		case ')', ']':
			depth = max(depth-1, 0)
		case '{':
			if !braces && depth == 0 {
				p.i = i
				return
			}
			if braces {
				open++
			}
		case '}':
			if open == 0 {
				// A brace ends the block even when a bracket is open: waiting for
				// the bracket would lose the rest of the sheet.
				p.i = i
				return
			}
			open--
		case ';':
			if depth == 0 && open == 0 {
				p.i = i
				return
			}
		}
		i++
	}
	p.i = len(s)
}

// endsURL reports whether text ends with url, so that a parenthesis after it opens an
// address.
func endsURL(s string) bool {
	n := len(s)
	return n >= 3 && s[n-1]|0x20 == 'l' && s[n-2]|0x20 == 'r' && s[n-3]|0x20 == 'u'
}

// skipBlock moves behind the `}` that closes the current block.
func (p *parser) skipBlock() {
	s, i, open := p.src, p.i, 1
	for i < len(s) {
		if !special[s[i]] {
			i++
			continue
		}
		switch s[i] {
		case '"', '\'':
			i = skipString(s, i)
			continue
		case '\\':
			i++
		case '/':
			if i+1 < len(s) && s[i+1] == '*' {
				i = skipComment(s, i)
				continue
			}
		case '(':
			if endsURL(s[:i]) {
				i = skipURL(s, i)
				continue
			}
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				p.i = i + 1
				return
			}
		}
		i++
	}
	p.i = len(s)
}

// skipString returns the offset behind a string; a line break ends a bad string.
func skipString(s string, i int) int {
	q := s[i]
	for i++; i < len(s); i++ {
		switch s[i] {
		case q:
			return i + 1
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return len(s)
}

func skipComment(s string, i int) int {
	end := strings.Index(s[i+2:], "*/")
	if end < 0 {
		return len(s)
	}
	return i + 2 + end + 2
}

// skipURL returns the offset behind an unquoted url(…), or behind its bracket when
// a string follows.
func skipURL(s string, i int) int {
	for i++; i < len(s) && isSpace(s[i]); i++ {
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		for i = skipString(s, i); i < len(s) && isSpace(s[i]); i++ {
		}
		if i < len(s) && s[i] == ')' {
			i++
		}
		return i
	}
	for ; i < len(s); i++ {
		switch s[i] {
		case ')':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(s)
}

func (p *parser) space() {
	s, i := p.src, p.i
	for i < len(s) {
		switch c := s[i]; {
		case isSpace(c):
			i++
		case c == '/' && i+1 < len(s) && s[i+1] == '*':
			i = skipComment(s, i)
		default:
			p.i = i
			return
		}
	}
	p.i = i
}

func isSpace(c byte) bool {
	return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f')
}

func isName(c byte) bool {
	const low = 1<<'-' | 0x3ff<<'0'
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c < 64 && uint64(low)>>c&1 != 0 || c == '_' || c >= 0x80
}

// block reads rules up to the end of a block or of the sheet. Within a style
// rule, declarations are its own.
func (p *parser) block(layer, rule int32, depth int) {
	for {
		p.space()
		if p.i >= len(p.src) {
			return
		}
		start := p.i
		switch p.src[p.i] {
		case '}':
			p.i++
			if depth > 0 {
				return
			}
			p.strayBrace()
			continue
		case ';':
			p.i++
			if depth > 0 || rule >= 0 {
				continue
			}
			p.i = start // part of a selector
		case '@':
			p.atRule(layer, rule, depth)
			continue
		}
		if rule >= 0 && p.declaration(rule) {
			continue
		}
		if p.i == start && (strings.HasPrefix(p.src[p.i:], "<!--") || strings.HasPrefix(p.src[p.i:], "-->")) {
			p.i += 3
			if p.src[p.i-3] == '<' {
				p.i++
			}
			continue
		}
		p.until(false)
		if rule < 0 {
			// A semicolon is part of a selector outside of style rules.
			for p.i < len(p.src) && p.src[p.i] == ';' {
				p.i++
				p.until(false)
			}
		}
		if p.i >= len(p.src) || p.src[p.i] != '{' {
			continue
		}
		prelude := p.src[start:p.i]
		p.i++
		p.styleRule(prelude, layer, rule, depth)
	}
}

// strayBrace skips the rule that a brace without a block spoils: outside of blocks,
// the brace is part of its selector.
func (p *parser) strayBrace() {
	for {
		p.until(false)
		if p.i >= len(p.src) {
			return
		}
		p.i++
		if p.src[p.i-1] == '{' {
			p.skipBlock()
			return
		}
	}
}

// styleRule parses the block of a style rule, and keeps the rule when one of its
// declarations matters.
func (p *parser) styleRule(selector string, layer, parent int32, depth int) {
	s := p.s
	if depth >= maxDepth || len(s.rules) >= maxRules || len(s.decls) >= maxDecls {
		s.capped = true
		p.skipBlock()
		return
	}
	p.begun = true
	if strings.Contains(selector, "::details-content") {
		// The content of details that are open; what closed ones hold, a click shows.
		selector = strings.ReplaceAll(selector, "::details-content", "[open]>:not(summary)")
	}
	if before, ok := firstLineOf(selector); ok {
		selector = before
		defer func(cond int32) { p.cond = cond }(p.cond)
		p.cond = s.newCondition(containerQuery{up: p.cond, partial: true})
	}
	parts := uint8(0)
	if before, which := partsOf(selector); which != 0 {
		selector, parts = before, which
	}
	space, known := p.spaceOf(selector)
	if !known {
		p.skipBlock()
		return
	}
	me := int32(len(s.rules))
	s.rules = append(s.rules, rule{selector: selector, space: space, parts: parts, parent: parent, first: int32(len(s.decls)), layer: layer, cond: p.cond, scope: p.scope, tree: p.tree})
	p.block(layer, me, depth+1)
	if parts != 0 && !s.mayPlace(me) {
		s.rules[me].n, s.rules[me].parts = 0, 0 // it paints a character or a line
	}
	s.hasParts = s.hasParts || s.rules[me].parts != 0
	if r := &s.rules[me]; int(me) == len(s.rules)-1 && (r.n == 0 || s.onlyHelps(me)) {
		s.decls = s.decls[:len(s.decls)-int(r.n)]
		s.rules = s.rules[:me]
	}
}

// partsOf returns the selector of the elements whose ::before or ::after a selector is
// about, and which of these.
func partsOf(selector string) (elements string, parts uint8) {
	if !strings.Contains(selector, ":before") && !strings.Contains(selector, ":after") {
		return selector, 0
	}
	var b strings.Builder
	for one := range splitTop(selector, ',') {
		one = strings.TrimSpace(one)
		before, isBefore := strings.CutSuffix(one, ":before")
		after, isAfter := strings.CutSuffix(one, ":after")
		switch {
		case isBefore:
			one, parts = before, parts|1<<Before
		case isAfter:
			one, parts = after, parts|1<<After
		default:
			return selector, 0
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		if one = strings.TrimSuffix(one, ":"); one == "" || strings.IndexByte(" \t\n>+~", one[len(one)-1]) >= 0 {
			one += "*"
		}
		b.WriteString(one)
	}
	return b.String(), parts
}

// mayPlace reports whether a rule about a part of an element says where it stands or what
// colour it has. Parts of the other rules are icons and the like.
func (s *Sheets) mayPlace(i int32) bool {
	for _, d := range s.declsOf(i) {
		switch d.prop {
		case propPosition, propBackground, propBackgroundImage, propZIndex, propBoxShadow:
			return true
		}
	}
	return false
}

// firstLineOf returns the selector of the elements the first lines of which a selector is
// about. How much of their text that is, only a layout says.
func firstLineOf(selector string) (string, bool) {
	const end = ":first-line"
	s := strings.TrimSpace(selector)
	before := len(s) - len(end)
	if before < 0 || !strings.EqualFold(s[before:], end) || strings.IndexByte(s, ',') >= 0 {
		return "", false
	}
	return strings.TrimSuffix(s[:before], ":"), true
}

// onlyHelps reports whether a rule has only properties that matter beside others,
// which pages have in the same rule. There are many such rules.
func (s *Sheets) onlyHelps(i int32) bool {
	for _, d := range s.declsOf(i) {
		switch d.prop {
		case propBackgroundSize, propMaskMode, propColumns, propBoxSizing:
		case propLineHeight, propLetterSpacing, propContent, propBoxShadow, propFlexBasis, propBackdrop:
			if s.mayHide(d.prop, d.value, 0) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// declaration parses one declaration into a rule, and reports whether there is
// one; if not, the position does not change.
func (p *parser) declaration(rule int32) bool {
	d, ok := p.readDecl()
	if !ok {
		return false
	}
	s := p.s
	if d.prop == propNone {
		return true
	}
	r := &s.rules[rule]
	if r.n > 0 && int(r.first+r.n) != len(s.decls) {
		// A declaration after nested rules: the declarations of a rule must be
		// consecutive, so it gets a rule of its own, which also has the right order.
		s.rules = append(s.rules, rule2(r, int32(len(s.decls))))
		r = &s.rules[len(s.rules)-1]
	} else if r.n == 0 {
		r.first = int32(len(s.decls))
	}
	before := len(s.decls)
	s.decls = expand(s.decls, d)
	for _, d := range s.decls[before:] {
		s.learn(d)
	}
	r.n += int32(len(s.decls) - before)
	return true
}

func rule2(r *rule, first int32) rule {
	return rule{selector: r.selector, space: r.space, parent: r.parent, layer: r.layer, cond: r.cond, scope: r.scope, tree: r.tree, first: first}
}

// readDecl parses one declaration. The property is propNone when it does not
// matter. When there is no declaration, the position does not change.
func (p *parser) readDecl() (decl, bool) {
	s, start := p.src, p.i
	i := start
	odd, ended := false, false // escapes, upper case, comments; a comment ends the name
	for ; i < len(s); i++ {
		if c := s[i]; !isName(c) {
			if c == '\\' && i+1 < len(s) {
				odd = true
				i++
				continue
			}
			if c == '/' && i+1 < len(s) && s[i+1] == '*' {
				odd = true
				i = skipComment(s, i) - 1
				ended = true
				continue
			}
			break
		} else if ended { // two names
			return decl{}, false
		} else if c >= 'A' && c <= 'Z' {
			odd = true
		}
	}
	i = min(i, len(s))
	name := s[start:i]
	for i < len(s) && (isSpace(s[i]) || strings.HasPrefix(s[i:], "/*")) {
		if i++; s[i-1] == '/' {
			i = skipComment(s, i-1)
		}
	}
	if name == "" || i >= len(s) || s[i] != ':' {
		return decl{}, false
	}
	p.i = i + 1
	custom := strings.HasPrefix(name, "--")
	from := p.i
	p.until(custom)
	if p.i < len(s) && s[p.i] == '{' {
		p.i = start
		return decl{}, false
	}
	value := s[from:p.i]
	d := decl{}
	if custom {
		d.prop, d.name = propCustom, strings.Clone(name)
	} else {
		if odd {
			name = strings.TrimSpace(plain(name))
		}
		d.prop = propertyOf(name)
	}
	if d.prop == propNone {
		switch {
		case p.s == nil:
		case name == "will-change":
			p.s.announces = true
		case strings.Contains(name, "transition"):
			p.s.slow = p.s.slow || isSlow(value)
		}
		return d, true
	}
	value = strings.TrimSpace(value)
	if k := strings.LastIndexByte(value, '!'); k >= 0 && strings.TrimSpace(plain(value[k+1:])) == "important" {
		d.important, value = true, strings.TrimSpace(value[:k])
	}
	if startsPair(d.prop) && strings.IndexByte(value, ' ') >= 0 && !strings.HasSuffix(name, "line") && !strings.HasSuffix(name, "lock") && len(splitSpace(value)) > 1 {
		d.prop = propNone // only inset-inline and the like have two values
	}
	if value == "" && !custom || len(value) > maxStyle || d.prop == propDoubt && !doubtful(strings.ToLower(name), plain(value)) {
		d.prop = propNone
	}
	d.value = value
	return d, true
}

// readStyle appends those declarations of a style attribute that matter.
func readStyle(out []decl, style string) []decl {
	if len(style) > maxStyle {
		style = style[:maxStyle]
	}
	p := parser{src: style}
	for p.i < len(style) {
		p.space()
		if p.i >= len(style) {
			break
		}
		if style[p.i] == ';' {
			p.i++
			continue
		}
		if d, ok := p.readDecl(); ok {
			if d.prop != propNone {
				out = expand(out, d)
			}
			continue
		}
		for p.until(true); p.i < len(style) && style[p.i] == '}'; p.until(true) {
			p.i++ // it ends nothing here
		}
		if p.i < len(style) {
			p.i++
		}
	}
	return out
}

// atRule parses the content of an at-rule, or skips it.
func (p *parser) atRule(layer, rule int32, depth int) {
	s := p.src
	start := p.i + 1
	i := start
	for i < len(s) && isName(s[i]) {
		i++
	}
	name := strings.ToLower(s[start:i])
	p.i = i
	p.until(false)
	prelude := strings.TrimSpace(s[i:p.i])
	if p.i >= len(s) {
		return
	}
	switch s[p.i] {
	case ';':
		p.i++
		switch name {
		case "layer":
			for n := range strings.SplitSeq(prelude, ",") {
				p.s.layerNamed(layer, strings.TrimSpace(n))
			}
		case "import":
			if depth == 0 && !p.begun {
				p.importSheet(prelude, layer)
			}
		case "namespace":
			if depth == 0 && !p.begun {
				p.namespace(prelude)
			}
		}
		return
	case '}':
		return // the end of the block around it
	}
	p.i++
	in := depth < maxDepth
	before := *p
	switch name {
	case "media":
		in = in && matchMedia(prelude)
	case "supports":
		in = in && matchSupports(prelude)
	case "layer":
		layer = p.s.layerNamed(layer, prelude)
	case "container":
		p.cond = p.s.newContainerQuery(prelude, p.cond)
	case "starting-style":
		p.cond = p.s.newCondition(containerQuery{up: p.cond, starting: true})
	case "scope":
		p.scope = p.s.newScope(prelude, p.element)
	case "keyframes", "-webkit-keyframes":
		p.keyframes(strings.Trim(prelude, `"'`), in)
		return
	case "property":
		p.register(prelude)
		return
	case "function":
		p.function(prelude)
		return
	default:
		in = false
	}
	p.begun = true
	if !in {
		p.s.capped = p.s.capped || depth >= maxDepth
		p.skipBlock()
	} else if rule >= 0 && name != "scope" {
		p.styleRule("&", layer, rule, depth) // declarations here are the outer rule's
	} else {
		p.block(layer, -1, depth+1)
	}
	p.cond, p.scope = before.cond, before.scope
}

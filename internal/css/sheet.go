package css

import (
	"strings"

	"golang.org/x/net/html"
)

// Sheets are the style rules of a page. The zero value is empty and ready.
type Sheets struct {
	// Unread reports that the page uses sheets that were not added. Then the background of a
	// text is known only where the same element sets both colours.
	Unread bool

	// Tree returns the number of the shadow tree that an element is in, 0 for the document's
	// own; nil without shadow trees.
	Tree func(*html.Node) int32

	// Spent is how many steps of matching other sheets of the same document have taken.
	Spent int

	rules        []rule
	index        index
	attributes   map[string][]declaration // the style attributes that were read
	keyframes    map[string]bool
	bytes, decls int
	cut          bool // more than is read
}

// rule is one selector with its declarations, which other rules of the same list share.
type rule struct {
	text     string
	selector *complexSelector // compiled at first need
	compiled bool
	layered  bool // in a cascade layer
	tree     int32
	order    int32
	decls    []declaration
}

// index has rules by what the rightmost compound of their selectors asks for.
type index struct {
	ids, classes, tags, attrs map[string][]int32
	others                    []int32
}

// Complete reports whether everything was read and matched. What was not is visible.
func (s *Sheets) Complete() bool { return !s.cut && s.Spent <= maxSteps }

// Add reads a style sheet that applies to a medium, "" for all, and to the elements of one tree.
func (s *Sheets) Add(sheet, media string, tree int32) {
	if !appliesToScreen(media) {
		return
	}
	if left := maxSheetBytes - s.bytes; len(sheet) > left {
		sheet, s.cut = sheet[:left], true
	}
	p := sheetParser{s: s, src: withoutComments(sheet), tree: tree, before: s.bytes}
	s.bytes += len(sheet)
	p.block("", 0, false)
}

type sheetParser struct {
	s    *Sheets
	src  string
	i    int
	tree int32

	before int // bytes of the sheets before this one
}

// block reads the content of a block, or a sheet, up to its end. It returns the declarations
// of a style rule with this selector; "" is no style rule.
func (p *sheetParser) block(selector string, depth int, layered bool) (decls []declaration) {
	for p.i < len(p.src) {
		switch c := p.src[p.i]; {
		case isSpace(c) || c == ';':
			p.i++
			continue
		case c == '}':
			p.i++
			if depth > 0 {
				return decls
			}
			p.i = until(p.src, p.i, "{") + 1 // it belongs to the selector of the next rule, which it makes invalid
			p.skipBlock()
			continue
		}
		end := until(p.src, p.i, ";{}")
		text := strings.TrimSpace(p.src[p.i:end])
		p.i = end
		switch {
		case end == len(p.src) || p.src[end] != '{':
			if selector != "" {
				decls = p.s.declare(decls, text)
			}
		case depth >= maxBlocks:
			p.i++
			p.s.cut = true
			p.skipBlock()
		case text != "" && text[0] == '@':
			p.i++
			decls = append(decls, p.atRule(text, selector, depth, layered)...)
		default:
			p.i++
			p.rule(text, selector, depth, layered)
		}
	}
	return decls
}

// rule reads the block of a style rule, which may be within another one.
func (p *sheetParser) rule(selector, parent string, depth int, layered bool) {
	selector = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(selector, "<!--"), "-->"))
	if parent != "" || len(p.s.rules) >= maxSelectors { // nested rules are not read
		p.s.cut = p.s.cut || parent == ""
		p.skipBlock()
		return
	}
	order := int32(p.before + p.i)
	decls := p.block(selector, depth+1, layered)
	if len(decls) == 0 {
		return
	}
	first := len(p.s.rules)
	for part := range splitTop(selector, ',') {
		r := rule{text: strings.TrimSpace(part), layered: layered, tree: p.tree, order: order, decls: decls}
		if !isPlain(r.text) {
			r.selector, r.compiled = compileSelector(r.text), true
			if r.selector == nil { // an invalid selector makes the list invalid
				p.s.rules = p.s.rules[:first]
				return
			}
		}
		if len(p.s.rules) >= maxSelectors {
			p.s.cut = true
			return
		}
		p.s.rules = append(p.s.rules, r)
	}
}

// atRule reads the block of an at-rule. @supports counts as true unless it is negated; of
// cascade layers only that they lose against rules without one counts; blocks for other media
// than screens, containers, scopes and first styles are skipped.
func (p *sheetParser) atRule(text, selector string, depth int, layered bool) []declaration {
	name, condition, _ := strings.Cut(text+" ", " ")
	if i := strings.IndexByte(name, '('); i >= 0 {
		name, condition = name[:i], text[i:]
	}
	condition = strings.TrimSpace(condition)
	switch strings.ToLower(name) {
	case "@media":
		if appliesToScreen(condition) {
			return p.block(selector, depth+1, layered)
		}
	case "@supports":
		if !strings.HasPrefix(strings.ToLower(condition), "not") {
			return p.block(selector, depth+1, layered)
		}
	case "@layer":
		return p.block(selector, depth+1, true)
	case "@keyframes", "@-webkit-keyframes":
		if p.s.keyframes == nil {
			p.s.keyframes = map[string]bool{}
		}
		p.s.keyframes[strings.Trim(condition, `"'`)] = true
	}
	p.skipBlock()
	return nil
}

// skipBlock moves after the end of the block that was entered last.
func (p *sheetParser) skipBlock() {
	for open := 1; open > 0 && p.i < len(p.src); p.i++ {
		if p.i = until(p.src, p.i, "{}"); p.i >= len(p.src) {
			return
		}
		if p.src[p.i] == '{' {
			open++
		} else {
			open--
		}
	}
}

// isPlain reports whether a selector has only types, classes, identifiers and combinators: it
// need not be compiled to know what it asks for.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isNameByte(c) && c != '.' && c != '#' && c != '*' && !isDelimiter(c) {
			return false
		}
	}
	return s != ""
}

// keyOf returns what the rightmost compound of a selector asks for: an identifier with "#", a
// class with ".", an attribute with "[", a type in lower case, or "".
func (r *rule) keyOf() string {
	if r.compiled {
		if r.selector == nil {
			return ""
		}
		return r.selector.parts[0].key
	}
	last := r.text[strings.LastIndexAny(r.text, " >+~\t\n\r\f")+1:]
	if i := strings.LastIndexByte(last, '#'); i >= 0 {
		id, _, _ := strings.Cut(last[i:], ".")
		return id
	}
	if i := strings.LastIndexByte(last, '.'); i >= 0 {
		return last[i:]
	}
	return strings.ToLower(strings.TrimPrefix(last, "*"))
}

// finish builds the index. Without the sheets that are not read, colours of a rule count only
// together.
func (s *Sheets) finish() {
	x := &s.index
	x.ids, x.classes, x.tags, x.attrs = map[string][]int32{}, map[string][]int32{}, map[string][]int32{}, map[string][]int32{}
	for i := range s.rules {
		r := &s.rules[i]
		if s.Unread && !matters(r.decls) {
			continue
		}
		key := r.keyOf()
		in := x.tags
		switch {
		case key == "":
			x.others = append(x.others, int32(i))
			continue
		case key[0] == '#':
			in, key = x.ids, key[1:]
		case key[0] == '.':
			in, key = x.classes, key[1:]
		case key[0] == '[':
			in, key = x.attrs, key[1:]
		}
		in[key] = append(in[key], int32(i))
	}
}

// matters reports whether declarations do more than set one of the two colours.
func matters(decls []declaration) bool {
	text, ground := false, false
	for _, d := range decls {
		switch d.prop {
		case propColor, propFill:
			if c, ok := parseColor(d.value); ok && c.isClear() {
				return true
			}
			text = true
		case propGround, propImage:
			ground = true
		default:
			return true
		}
	}
	return text && ground
}

// each calls f with the rules whose selectors may match an element.
func (x *index) each(n *html.Node, f func(rule int32)) {
	all := func(list []int32) {
		for _, r := range list {
			f(r)
		}
	}
	all(x.others)
	all(x.tags[n.Data])
	for i := range n.Attr {
		a := &n.Attr[i]
		all(x.attrs[a.Key])
		switch a.Key {
		case "id":
			all(x.ids[a.Val])
		case "class":
			for class := range strings.FieldsSeq(a.Val) {
				all(x.classes[class])
			}
		}
	}
}

package css

import (
	"maps"
	"slices"
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

	rules      []rule
	index      *index           // made by View
	attributes map[string]*rule // style attributes that were read
	keyframes  map[string]bool
	bytes      int
	decls      int
	cut        bool // there is more than is read
}

// rule are the declarations of a list of selectors, or of a style attribute.
type rule struct {
	selectors string
	decls     []declaration
	tree      int32
	layered   bool // in a cascade layer
	agent     bool // of the browser itself
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
	s.bytes += len(sheet)
	p := sheetParser{s: s, src: withoutComments(sheet), tree: tree}
	p.block(false, 0, false)
}

type sheetParser struct {
	s    *Sheets
	src  string
	i    int
	tree int32
}

// block reads the content of a block, or a sheet, up to its end. It returns the declarations in
// it if it is that of a style rule.
func (p *sheetParser) block(style bool, depth int, layered bool) (decls []declaration) {
	for p.i < len(p.src) {
		end := until(p.src, p.i, ";{}")
		text := strings.TrimSpace(p.src[p.i:end])
		p.i = end + 1
		switch {
		case end == len(p.src) || p.src[end] != '{':
			if style {
				decls = p.s.declare(decls, text)
			}
			if end < len(p.src) && p.src[end] == '}' {
				if depth > 0 {
					return decls
				}
				p.i = until(p.src, p.i, "{") + 1 // the brace makes the selector of the next rule invalid
				p.skipBlock()
			}
		case strings.HasPrefix(text, "@") && depth < maxBlocks:
			decls = append(decls, p.atRule(text, style, depth+1, layered)...)
		case style || depth >= maxBlocks || len(p.s.rules) >= maxRules: // nested rules are not read
			p.s.cut = p.s.cut || !style
			p.skipBlock()
		default:
			text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "<!--"), "-->"))
			if inner := p.block(true, depth+1, layered); len(inner) > 0 {
				p.s.rules = append(p.s.rules, rule{selectors: text, decls: inner, tree: p.tree, layered: layered})
			}
		}
	}
	return decls
}

// atRule reads the block of an at-rule. @supports counts as true unless it is negated; of
// cascade layers only that they lose against rules without one counts; blocks for other media
// than screens, containers, scopes and first styles are skipped.
func (p *sheetParser) atRule(text string, style bool, depth int, layered bool) []declaration {
	end := strings.IndexAny(text+" ", "( \t\n")
	condition := strings.TrimSpace(text[end:])
	switch name := strings.ToLower(text[:end]); {
	case name == "@media" && appliesToScreen(condition), name == "@supports" && !strings.HasPrefix(condition, "not"):
		return p.block(style, depth, layered)
	case name == "@layer":
		return p.block(style, depth, true)
	case strings.HasSuffix(name, "keyframes"):
		if p.s.keyframes == nil {
			p.s.keyframes = map[string]bool{}
		}
		p.s.keyframes[strings.ToLower(condition)] = true
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

// styleAttribute returns the declarations of a style attribute, which is parsed once.
func (s *Sheets) styleAttribute(style string) *rule {
	if len(style) > maxStyle {
		style = style[:maxStyle]
	}
	if r := s.attributes[style]; r != nil {
		return r
	}
	r := &rule{}
	for text := range splitTop(withoutComments(style), ";") {
		r.decls = s.declare(r.decls, text)
	}
	if s.attributes == nil {
		s.attributes = map[string]*rule{}
	}
	s.attributes[style] = r
	return r
}

// index has selectors by what their rightmost compounds ask for.
type index struct {
	byKey map[string][]entry
	attrs map[string]bool // names of attributes in keys
	// lengths has a bit for each length of these names: most attributes have none of them.
	lengths uint64
}

// entry is one selector of a rule.
type entry struct {
	*complexSelector
	rule   *rule
	order  int32
	around []uint16
}

// indexOf compiles the selectors, and adds them to those of another index.
func (s *Sheets) indexOf(base *index) *index {
	x := &index{byKey: make(map[string][]entry), attrs: maps.Clone(base.attrs), lengths: base.lengths}
	for key, list := range base.byKey {
		x.byKey[key] = slices.Clip(list)
	}
	selectors := 0
	for i := range s.rules {
		r := &s.rules[i]
		if s.Unread && !matters(r.decls) {
			continue
		}
		for _, one := range compileList(r.selectors, &selectors) {
			part := one.element == "before" || one.element == "after"
			if one.never || one.element != "" && !(part && paintsGround(r.decls)) {
				continue
			}
			key := one.parts[0].key
			x.byKey[key] = append(x.byKey[key], entry{one, r, int32(i), one.around()})
			if strings.HasPrefix(key, "[") {
				x.attrs[key[1:]] = true
				x.lengths |= 1 << (len(key[1:]) % wordBits)
			}
		}
	}
	s.cut = s.cut || selectors > maxRules
	return x
}

// compileList compiles the selectors of a rule, and counts them. One that is invalid makes the
// list invalid.
func compileList(selectors string, count *int) (list []*complexSelector) {
	for part := range splitTop(selectors, ",") {
		one := compileSelector(part)
		if *count++; one == nil || *count > maxRules {
			return nil
		}
		list = append(list, one)
	}
	return list
}

// matters reports whether declarations do more than set one of the two colours.
func matters(decls []declaration) bool {
	ink := false
	for _, d := range decls {
		switch d.prop {
		case propColor, propTextFill:
			if c := parseColor(d.value); c.isClear() {
				return true
			}
			ink = true
		case propBackground, propBackgroundImage:
		default:
			return true
		}
	}
	return ink && paintsGround(decls)
}

func paintsGround(decls []declaration) bool {
	for _, d := range decls {
		if d.prop == propBackground || d.prop == propBackgroundImage || d.prop == propBackgroundClip {
			return true
		}
	}
	return false
}

// each calls f with the selectors that may match an element, until it returns false. classes are
// those of the element.
func (x *index) each(n *html.Node, classes *classList, f func(*entry) bool) {
	if !visitAll(x.byKey[""], f) || !visitAll(x.byKey[n.Data], f) {
		return
	}
	for i := range n.Attr {
		switch a := &n.Attr[i]; {
		case a.Key == "id":
			visitAll(x.byKey["#"+a.Val], f)
		case a.Key == "class":
			for _, list := range classes.entries {
				if !visitAll(list, f) {
					return
				}
			}
		}
		if key := n.Attr[i].Key; x.lengths>>(len(key)%wordBits)&1 == 1 && x.attrs[key] {
			visitAll(x.byKey["["+key], f)
		}
	}
}

// visitAll calls f with the selectors of a list, until it returns false.
func visitAll(list []entry, f func(*entry) bool) bool {
	for i := range list {
		if !f(&list[i]) {
			return false
		}
	}
	return true
}

// classList is what a class attribute asks for: pages repeat few of them often.
type classList struct {
	entries [][]entry // of the classes that have any
	places  []uint16  // in the filter of ancestors
}

// classes looks a class attribute up.
func (v *View) classes(n *html.Node) *classList {
	value := attribute(n, "class")
	c := v.read[value]
	if c == nil {
		c = &classList{}
		for class := range strings.FieldsSeq(value) {
			if list := v.sheets.index.byKey["."+class]; list != nil {
				c.entries = append(c.entries, list)
			}
			c.places = append(c.places, bitOf('.', class))
		}
		v.read[value] = c
	}
	return c
}

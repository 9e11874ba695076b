// Package computed provides the part of CSS that determines what a page hides: from
// style sheets and style attributes, it computes for each element of a tree
// whether its text is painted, and which rule hides it.
//
//	var s css.Sheets
//	s.Add(".q{display:none}", css.Source{})
//	v := s.View()
//	look := v.Push(node) // from the root down
//	...
//	v.Pop()
//
// Only rules that set a property which can hide or show text are kept. For each
// element, rules with a value that may hide are looked up; the cascade runs only
// for elements that match one of them. Most elements of most pages cost a few hash
// look-ups.
//
// Syntax follows CSS Syntax Module Level 3, nesting included; selectors are
// those of Selectors Level 4 that need no user; the cascade follows CSS
// Cascading and Inheritance Level 5: importance, style attributes, layers,
// specificity, order. Media queries are evaluated for a desktop screen of 1280 by
// 800 CSS pixels in light colours, not for printing.
//
// # Guarantees
//
// Every input gives a result, in time linear in sheets and elements up to the
// limits below, and never a panic. Nothing is fetched. A Sheets and its Views must
// be used by one goroutine only.
//
// # Limits
//
// 2 MiB of sheets, 50,000 kept rules, 200,000 kept declarations, 32 levels of
// nested blocks and 2,000,000 steps of matching are read; beyond that,
// [Sheets.Complete] returns false. Lengths are estimates, because this package has no
// layout. What it does not compute may hide text, and is Unknown: filters and masks that
// are pictures, motion along a path, positions by anchors, animations that follow a scroll
// position, slow transitions from @starting-style, thick lines through letters, tracks of a
// grid without a height, and the first lines of a text.
package computed

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

const (
	maxBytes = 2 << 20
	maxRules = 50_000
	maxDecls = 200_000
	maxDepth = 32
	maxSteps = 2_000_000
	maxTries = 100  // values of custom properties per declaration; beyond that the cascade decides
	maxStyle = 4096 // bytes read of one style attribute
)

// Sheets are the style rules of a page. The zero value is empty and ready.
type Sheets struct {
	// Quirks compares classes and identifiers without case, as browsers do
	// on pages without a doctype. Set it before the first View.
	Quirks bool

	// Unread reports whether the page uses sheets that were not added. Then a
	// background is known only when an added rule sets it.
	Unread bool

	// Scripted says that scripts of the page run, which may define custom elements.
	Scripted bool

	// Tree returns the number of the shadow tree that an element is in, 0 for the
	// document's own; nil without shadow trees. The tree that is walked is
	// the flat tree: a shadow tree is in the place of the children of its host, and
	// what is slotted is in its slot. Set it before the first View.
	Tree func(*html.Node) int32

	rules      []rule
	decls      []decl
	layers     []layer
	conds      []containerQuery
	scopes     []selectorScope
	bytes      int
	frames     int  // keyframes
	reverts    bool // a value is revert or revert-layer
	slow       bool // a transition takes long
	anchors    bool // boxes can be placed by others
	varFrames  bool // a keyframe refers to custom properties
	keyframes  map[string][]keyframe
	registered map[string]registration
	functions  map[string]function
	steps      int
	tries      int      // values of custom properties tried for one declaration
	laterBacks []string // backgrounds with var(), see learnBack
	capped     bool

	hot, cold *index
	parts     *index // of rules about ::before and ::after; made at first need
	hasParts  bool
	vars      map[string][]string // all values that rules give to custom properties
	varUses   map[varUse]bool     // results of varMayHide
	backs     colorSet            // all background colours that rules set
	fores     colorSet
	grounds   []rgb // some of the colours in backs
	announces bool  // a rule has will-change, which can hold what is fixed
	pictures  bool  // a background is a picture or a gradient of several colours
	siblings  map[*html.Node]place
	scopeRoot *html.Node // what :scope matches; nil is the root
	tree      int32      // that of the rule which is matched
}

// rule is one style rule of which a declaration is kept.
type rule struct {
	selector string
	parent   int32 // the rule that it is nested in, -1 for none
	cond     int32 // the container query around it, 0 for none
	scope    int32 // the @scope around it, 0 for none
	tree     int32 // the shadow tree of its sheet
	parts    uint8 // of which Parts it is, a bit for each; 0 for elements
	validity int8  // of its selectors: 0 not known yet, 1 valid, -1 not
	space    space // that its elements are of
	first, n int32 // its declarations
	layer    int32
	sets     mask               // its properties
	hides    mask               // the properties to cascade to know whether it hides
	compiled []*complexSelector // made at first need
	isMade   bool
}

// decl is one declaration. name is set only for custom properties.
type decl struct {
	prop      property
	important bool
	name      string
	value     string
}

// layer is a cascade layer; 0 is the root, to which rules without a layer
// belong.
type layer struct {
	name     string
	parent   int32
	children []int32
	rank     uint64
}

// Complete reports whether everything that was added could be read and matched
// within the limits.
func (s *Sheets) Complete() bool { return !s.capped }

// Spent returns the steps that were taken so far, see the limits of the package.
func (s *Sheets) Spent() int { return s.steps }

// Charge takes steps from the budget that other documents have spent. It is called before
// the first View.
func (s *Sheets) Charge(steps int) { s.steps += steps }

// Release gives memory back for other sheets. Only Complete may be used after it.
func (s *Sheets) Release() {
	if cap(s.rules) == 0 || cap(s.rules) > mostSpare || cap(s.decls) > mostSpare {
		return
	}
	clear(s.rules[:cap(s.rules)]) // it holds the text of the page
	clear(s.decls[:cap(s.decls)])
	memory.Put(&spare{s.rules, s.decls})
	s.rules, s.decls = nil, nil
}

// spare is memory of sheets that are done with.
type spare struct {
	rules []rule
	decls []decl
}

var memory = sync.Pool{New: func() any { return new(spare) }}

const mostSpare = 10_000 // rules or declarations; what larger sheets took is not kept

// Source is where a style sheet comes from. The zero value is the document.
type Source struct {
	// Media is the media attribute, which may be empty.
	Media string
	// Element is the style element, the parent of which an @scope without a root is
	// about; nil for a linked sheet.
	Element *html.Node
}

// Add reads a style sheet. Sheets are added in the order of the document.
func (s *Sheets) Add(src string, from Source) {
	if from.Media != "" && !matchMedia(from.Media) {
		return
	}
	if s.rules == nil {
		m := memory.Get().(*spare)
		s.rules, s.decls = m.rules[:0], m.decls[:0]
	}
	if len(s.layers) == 0 {
		s.layers = append(s.layers, layer{parent: -1})
		s.conds = append(s.conds, containerQuery{})
		s.scopes = append(s.scopes, selectorScope{})
	}
	p := parser{s: s, element: from.Element}
	if s.Tree != nil && from.Element != nil {
		p.tree = s.Tree(from.Element)
	}
	p.sheet(src, 0)
}

// sheet reads a sheet into a layer.
func (p *parser) sheet(src string, layer int32) {
	s := p.s
	if rest := maxBytes - s.bytes; len(src) > rest {
		src, s.capped = src[:rest], true
	}
	s.bytes += len(src)
	p.src, p.i = src, 0
	for p.i < len(p.src) {
		p.block(layer, -1, 0)
	}
}

// AddAttribute registers a style attribute of the page: its colours and custom
// properties influence which rules may hide text. It is needed only for attributes
// for which [Tells] returns true.
func (s *Sheets) AddAttribute(style string) {
	if i := strings.Index(style, "ransition"); i >= 0 {
		s.slow = s.slow || isSlow(style[i:])
	}
	var buf [8]decl
	for _, d := range readStyle(buf[:0], style) {
		s.learn(d)
	}
}

// AddColor registers a colour that an attribute gives to a background, or to text.
func (s *Sheets) AddColor(value string, background bool) {
	c, ok := parseColor(attributeColor(value))
	switch {
	case !ok || c.clear:
	case background:
		s.addBack(c)
	default:
		s.fores.add(c)
	}
}

// Tells reports whether a style attribute must be passed to AddAttribute.
func Tells(style string) bool {
	return strings.Contains(style, "--") || strings.Contains(style, "ackground") || strings.Contains(style, "color") || strings.Contains(style, "inset") || strings.Contains(style, "ransition") || strings.Contains(style, "nchor-name") || strings.IndexByte(style, '\\') >= 0
}

// learn records what a declaration means for other rules.
func (s *Sheets) learn(d decl) {
	if v := d.value; len(v) < 13 && strings.Contains(v, "evert") {
		s.reverts = true
	}
	switch d.prop {
	case propAnchor:
		s.anchors = true
	case propCustom:
		if s.vars == nil {
			s.vars = map[string][]string{}
		}
		if v := s.vars[d.name]; len(v) < 64 {
			s.vars[d.name] = append(v, d.value)
		}
	case propBackground:
		if c, ok := backgroundColor(plain(d.value), palette{}); ok && !c.clear {
			s.addBack(c)
		} else if !ok && len(s.laterBacks) < maxTries && strings.Contains(d.value, "var(") && !slices.Contains(s.laterBacks, d.value) {
			s.laterBacks = append(s.laterBacks, d.value)
		}
	case propBackgroundImage:
		if c, ok := flatImage(plain(d.value), palette{}); ok && !c.clear {
			s.addBack(c)
		} else if !ok {
			s.pictures = true
		}
	case propBoxShadow:
		if c, ok := fills(plain(d.value), palette{}); ok {
			s.addBack(c)
		}
	case propColor, propFill:
		if c, ok := parseColor(plain(d.value)); ok && !c.clear {
			s.fores.add(c)
		}
	}
}

// learnBack records the colours that a short value of a background with var() may have. All
// custom properties have to be known.
func (s *Sheets) learnBack(v string) {
	if s.tries++; s.tries > maxTries || len(v) > stepSize || !s.spend(0) {
		return
	}
	args, ok := call(v, "var")
	if !ok {
		if c, ok := backgroundColor(plain(v), palette{}); ok && !c.clear {
			s.addBack(c)
		}
		return
	}
	name, fallback, has := strings.Cut(args, ",")
	before, after, _ := strings.Cut(v, "var("+args+")")
	for _, value := range s.vars[strings.TrimSpace(name)] {
		s.learnBack(before + value + after)
	}
	if has {
		s.learnBack(before + fallback + after)
	}
}

// mostGrounds bounds the colours of backgrounds that are kept one by one.
const mostGrounds = 32

func (s *Sheets) addBack(c rgb) {
	s.backs.add(c)
	if len(s.grounds) < mostGrounds && !slices.Contains(s.grounds, c) {
		s.grounds = append(s.grounds, c)
	}
}

// PaintsOther reports whether a style of the page paints something on which the letters of a
// look would show.
func (s *Sheets) PaintsOther(look Look) bool {
	return s.pictures || slices.ContainsFunc(s.grounds, func(c rgb) bool { return !near(c, look.ink) })
}

// rankLayers gives each layer its place in the cascade: in the order of first
// mention, a layer's own rules after those of its sublayers.
func (s *Sheets) rankLayers() {
	next := uint64(0)
	var walk func(i int32)
	walk = func(i int32) {
		for _, c := range s.layers[i].children {
			walk(c)
		}
		s.layers[i].rank = next
		next++
	}
	if len(s.layers) > 0 {
		walk(0)
	}
}

const maxLayers = 1000

// layerNamed returns the layer of a dotted name below parent; no name makes a
// new one.
func (s *Sheets) layerNamed(parent int32, name string) int32 {
	if name == "" {
		return s.newLayer(parent, "")
	}
	for part := range strings.SplitSeq(name, ".") {
		part = strings.TrimSpace(part)
		found := int32(-1)
		for _, c := range s.layers[parent].children {
			if s.layers[c].name == part {
				found = c
				break
			}
		}
		if found < 0 {
			found = s.newLayer(parent, part)
		}
		parent = found
	}
	return parent
}

func (s *Sheets) newLayer(parent int32, name string) int32 {
	if len(s.layers) >= maxLayers {
		s.capped = true
		return parent
	}
	i := int32(len(s.layers))
	s.layers = append(s.layers, layer{name: name, parent: parent})
	s.layers[parent].children = append(s.layers[parent].children, i)
	return i
}

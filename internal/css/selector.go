package css

import (
	"errors"
	"strings"

	"github.com/andybalholm/cascadia"
)

// ErrSelector means that a selector is invalid or unsupported.
var ErrSelector = errors.New("css: invalid selector")

// Selector is a compiled list of selectors. It is safe for concurrent use.
//
// Package cascadia matches single elements (types, classes, attributes, positions). This
// package adds combinators and :is, :where, :not, :has, with a bound on the steps:
// cascadia takes exponential time for "a a a a …" on deep pages.
type Selector struct{ list []*complexSelector }

// complexSelector is a selector without commas. Its compounds are in order from right to left.
type complexSelector struct {
	parts       []compound
	specificity cascadia.Specificity
	element     string // the pseudo-element, such as "before"; "" for none
}

// compound are the conditions on one element.
type compound struct {
	simple     []cascadia.Sel
	logic      []logic
	positional bool // the cost depends on the number of siblings
	never      bool // needs a user, e.g. :hover
	scope      bool // :scope
	anchor     bool // the element of :has
	comb       byte // combinator before it: ' ', '>', '+', '~'; 0 for none
	key        string
}

// logic is a pseudo-class with a list of selectors.
type logic struct {
	name string // "is", "not" or "has"
	list []*complexSelector
}

// Compile parses a list of selectors (Selectors Level 4). The error is ErrSelector: also
// where only one of the list is invalid.
func Compile(selector string) (*Selector, error) {
	if len(selector) > maxSelector {
		return nil, ErrSelector
	}
	var s Selector
	for part := range splitTop(withoutComments(selector), ',') {
		one := compileSelector(part)
		if one == nil || one.element != "" {
			return nil, ErrSelector
		}
		s.list = append(s.list, one)
	}
	return &s, nil
}

// compileSelector parses one selector of a sheet; nil where it is invalid or unsupported.
func compileSelector(s string) *complexSelector {
	if len(s) > maxSelector {
		return nil
	}
	return (&selectorParser{s: strings.TrimSpace(s)}).complex(0, false)
}

type selectorParser struct {
	s string
	i int
}

func (p *selectorParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *selectorParser) space() bool {
	start := p.i
	for p.i < len(p.s) && isSpace(p.s[p.i]) {
		p.i++
	}
	return p.i > start
}

// combinator reads a combinator, 0 for none.
func (p *selectorParser) combinator() byte {
	spaced := p.space()
	switch c := p.peek(); {
	case c == '>' || c == '+' || c == '~':
		p.i++
		p.space()
		return c
	case spaced && p.i < len(p.s):
		return ' '
	}
	return 0
}

// complex parses a selector up to the end of the text. A relative one belongs to :has.
func (p *selectorParser) complex(depth int, relative bool) *complexSelector {
	if depth > maxSelectorDepth {
		return nil
	}
	sel := &complexSelector{}
	comb := byte(0)
	if relative {
		sel.parts = append(sel.parts, compound{anchor: true})
		if comb = p.combinator(); comb == 0 {
			comb = ' '
		}
	}
	for {
		start := p.i
		c := compound{comb: comb}
		if !p.compound(&c, sel, depth) || p.i == start {
			return nil
		}
		sel.parts = append(sel.parts, c)
		if comb = p.combinator(); comb == 0 {
			break
		}
		if sel.element != "" {
			return nil
		}
	}
	if p.i < len(p.s) {
		return nil
	}
	for i, j := 0, len(sel.parts)-1; i < j; i, j = i+1, j-1 {
		sel.parts[i], sel.parts[j] = sel.parts[j], sel.parts[i]
	}
	return sel
}

// compound reads the conditions on one element.
func (p *selectorParser) compound(c *compound, sel *complexSelector, depth int) bool {
	rank := 0 // of the key
	setKey := func(r int, key string) {
		if r > rank && strings.IndexByte(key, '\\') < 0 {
			rank, c.key = r, key
		}
	}
	for p.i < len(p.s) {
		start := p.i
		switch ch := p.s[p.i]; {
		case ch == '*' || ch == '|':
			p.i++
			continue
		case ch == '#' || ch == '.':
			p.i++
			name := p.name()
			if name == "" || !c.add(sel, p.s[start:p.i]) {
				return false
			}
			if ch == '#' {
				setKey(rankID, p.s[start:p.i])
			} else {
				setKey(rankClass, p.s[start:p.i])
			}
		case ch == '[':
			end := skipBracket(p.s, p.i)
			test := p.s[p.i:end]
			if test[len(test)-1] != ']' || !isAttributeTest(test) {
				return false
			}
			p.i = end
			if !c.add(sel, test) {
				return false
			}
			if name := strings.TrimSpace(test[1 : 1+strings.IndexAny(test[1:], "=~|^$*]")]); isPlainName(name) {
				setKey(rankAttr, "["+strings.ToLower(name))
			}
		case ch == ':':
			if !p.pseudo(c, sel, depth) {
				return false
			}
		case isNameByte(ch) || ch == '\\':
			name := p.name()
			if p.peek() == '|' { // a namespace that nothing declares
				return false
			}
			if p.i == start || !c.add(sel, name) {
				return false
			}
			setKey(rankTag, strings.ToLower(name))
		default:
			return isDelimiter(ch)
		}
	}
	return true
}

// The parts of a compound by which a rule is looked up, the best last.
const (
	rankTag = iota + 1
	rankAttr
	rankClass
	rankID
)

func isDelimiter(c byte) bool { return isSpace(c) || c == '>' || c == '+' || c == '~' }

// add compiles a simple selector.
func (c *compound) add(sel *complexSelector, simple string) bool {
	s, err := cascadia.Parse(simple)
	if err != nil {
		return false
	}
	c.simple = append(c.simple, s)
	sel.specificity = sel.specificity.Add(s.Specificity())
	return true
}

// name reads a name, with its escapes.
func (p *selectorParser) name() string {
	start := p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case isNameByte(c):
			p.i++
		case c == '\\' && p.i+1 < len(p.s):
			_, p.i = unescapeAt(p.s, p.i)
		default:
			return p.s[start:p.i]
		}
	}
	return p.s[start:p.i]
}

// isAttributeTest reports whether a text in brackets has no operator beyond those of CSS:
// cascadia also knows != and regular expressions.
func isAttributeTest(s string) bool {
	name, _, _ := strings.Cut(s, "=")
	return !strings.ContainsAny(name, "!#") && strings.Count(name, "|") < 2
}

func isPlainName(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// pseudo reads a pseudo-class or a pseudo-element.
func (p *selectorParser) pseudo(c *compound, sel *complexSelector, depth int) bool {
	start := p.i
	p.i++
	element := p.peek() == ':'
	if element {
		p.i++
	}
	name := strings.ToLower(p.name())
	args, hasArgs := "", p.peek() == '('
	if hasArgs {
		end := skipBracket(p.s, p.i)
		if p.s[end-1] != ')' {
			return false
		}
		args = p.s[p.i+1 : end-1]
		p.i = end
	}
	switch kind := pseudoKinds[name]; {
	case element || kind == ofElement:
		sel.element = name
		sel.specificity[2]++
		return name != "" && depth == 0
	case kind == ofUser:
		c.never = true
		sel.specificity[1]++
		return !hasArgs
	case kind == ofScope:
		c.scope = true
		sel.specificity[1]++
		return !hasArgs
	case kind == ofList:
		return hasArgs && p.list(c, sel, name, args, depth)
	case kind == ofLink:
		return !hasArgs && c.add(sel, ":link")
	case kind == ofPosition:
		c.positional = true
		return c.add(sel, p.s[start:p.i])
	case kind == ofElementState:
		return c.add(sel, p.s[start:p.i])
	}
	return false
}

// list reads the arguments of :is, :where, :not or :has. An invalid one of :is and :where
// is skipped.
func (p *selectorParser) list(c *compound, sel *complexSelector, name, args string, depth int) bool {
	l := logic{name: name}
	if name != "not" && name != "has" {
		l.name = "is"
	}
	var most cascadia.Specificity
	for part := range splitTop(args, ',') {
		one := (&selectorParser{s: strings.TrimSpace(part)}).complex(depth+1, name == "has")
		switch {
		case one == nil && l.name != "is":
			return false
		case one == nil:
			continue
		}
		l.list = append(l.list, one)
		if most.Less(one.specificity) {
			most = one.specificity
		}
	}
	c.logic = append(c.logic, l)
	if name != "where" {
		sel.specificity = sel.specificity.Add(most)
	}
	return true
}

type pseudoKind uint8

const (
	ofElement      pseudoKind = iota + 1
	ofUser                    // never on a page that nobody uses
	ofScope                   // the root of a search
	ofList                    // has selectors as arguments
	ofLink                    // a link
	ofPosition                // counts siblings
	ofElementState            // what the element says itself
)

// pseudoKinds has the supported pseudo-classes. Others make a selector invalid, those of
// jQuery such as :contains(…) included.
var pseudoKinds = map[string]pseudoKind{
	"before": ofElement, "after": ofElement, "first-line": ofElement, "first-letter": ofElement,
	"hover": ofUser, "active": ofUser, "focus": ofUser, "visited": ofUser, "target": ofUser, "focus-within": ofUser,
	"focus-visible": ofUser, "target-within": ofUser, "fullscreen": ofUser, "playing": ofUser, "autofill": ofUser,
	"popover-open": ofUser, "modal": ofUser, "user-invalid": ofUser, "user-valid": ofUser,
	"scope": ofScope,
	"is":    ofList, "where": ofList, "not": ofList, "has": ofList, "matches": ofList, "-webkit-any": ofList, "-moz-any": ofList,
	"any-link": ofLink, "link": ofLink, "-webkit-any-link": ofLink,
	"first-child": ofPosition, "last-child": ofPosition, "only-child": ofPosition, "first-of-type": ofPosition,
	"last-of-type": ofPosition, "only-of-type": ofPosition, "nth-child": ofPosition, "nth-last-child": ofPosition,
	"nth-of-type": ofPosition, "nth-last-of-type": ofPosition,
	"empty": ofElementState, "root": ofElementState, "lang": ofElementState, "enabled": ofElementState,
	"disabled": ofElementState, "checked": ofElementState,
}

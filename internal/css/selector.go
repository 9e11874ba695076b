package css

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/andybalholm/cascadia"
)

// errSelector means that a selector is invalid or unsupported.
var errSelector = errors.New("css: invalid selector")

// Selector is a compiled list of selectors. It is safe for concurrent use.
//
// Package cascadia matches attributes and positions of single elements. This package adds types,
// classes, identifiers, combinators and :is, :where, :not, :has, with a bound on the steps:
// cascadia takes exponential time for "a a a a …" on deep pages.
type Selector struct{ list []*complexSelector }

// complexSelector is a selector without commas. Its compounds are in order from right to left.
type complexSelector struct {
	parts       []compound
	specificity cascadia.Specificity
	element     string // the pseudo-element, such as "before"; "" for none
	never       bool   // it needs a user, e.g. a:hover
}

// compound are the conditions on one element.
type compound struct {
	comb       byte   // combinator before it: ' ', '>', '+', '~'; 0 for none
	tag        string // "" for any
	ids        []string
	classes    []string
	named      int            // conditions on type, identifier and classes
	simple     []cascadia.Sel // the other conditions
	logic      []logic
	positional bool // it counts the siblings
	never      bool
	scope      bool   // :scope
	anchor     bool   // the element of :has
	key        string // what a rule is looked up by: "#id", ".class", "[attribute", "type" or ""
	isKey      bool   // the key is the only condition
}

// logic is a pseudo-class with a list of selectors.
type logic struct {
	name string // "is", "not" or "has"
	list []*complexSelector
}

// Compile parses a list of selectors (Selectors Level 4). The error is errSelector: also
// where only one of the list is invalid.
func Compile(selector string) (*Selector, error) {
	var s Selector
	for part := range splitTop(withoutComments(selector), ",") {
		one := compileSelector(part)
		if one == nil || one.element != "" || len(selector) > maxSelector {
			return nil, errSelector
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
	return (&selectorParser{s: strings.TrimSpace(s)}).parse(0, false)
}

type selectorParser struct {
	s   string
	i   int
	sel complexSelector
}

func (p *selectorParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// combinator reads a combinator, 0 for none.
func (p *selectorParser) combinator() byte {
	rest := strings.TrimLeft(p.s[p.i:], space)
	switch spaced := len(rest) < len(p.s)-p.i; {
	case rest != "" && strings.IndexByte(">+~", rest[0]) >= 0:
		p.i = len(p.s) - len(strings.TrimLeft(rest[1:], space))
		return rest[0]
	case spaced:
		p.i = len(p.s) - len(rest)
		return ' '
	}
	return 0
}

// parse parses a selector up to the end of the text. A relative one belongs to :has.
func (p *selectorParser) parse(depth int, relative bool) *complexSelector {
	if depth > maxSelectorDepth {
		return nil
	}
	comb := byte(0)
	if relative {
		p.sel.parts = append(p.sel.parts, compound{anchor: true})
		if comb = p.combinator(); comb == 0 {
			comb = ' '
		}
	}
	for {
		start, c := p.i, compound{comb: comb}
		if !p.compound(&c, depth) || p.i == start {
			return nil
		}
		c.isKey = c.named == 1 && c.simple == nil && c.logic == nil && !c.positional && !c.never && !c.scope
		p.sel.parts = append(p.sel.parts, c)
		if comb = p.combinator(); comb == 0 {
			break
		}
	}
	slices.Reverse(p.sel.parts)
	if p.i < len(p.s) {
		return nil
	}
	return &p.sel
}

// compound reads the conditions on one element.
func (p *selectorParser) compound(c *compound, depth int) bool {
	for p.i < len(p.s) && p.sel.element == "" {
		start, key := p.i, ""
		switch ch := p.s[p.i]; {
		case ch == '*':
			p.i++
			continue
		case ch == '[':
			p.i = skipBracket(p.s, p.i)
			name, _, _ := strings.Cut(strings.TrimSuffix(p.s[start+1:p.i], "]"), "=")
			if strings.ContainsAny(name, "!#") { // operators of cascadia only
				return false
			}
			key = "[" + strings.ToLower(strings.Trim(name, space+"~|^$*"))
		case ch == ':':
			if !p.pseudo(c, depth) {
				return false
			}
			continue
		default:
			if ch == '#' || ch == '.' {
				p.i++
			}
			for p.i < len(p.s) && (isNameByte(p.s[p.i]) || p.s[p.i] == '\\') {
				if p.s[p.i] == '\\' {
					p.i++
				}
				p.i++
			}
			if p.i = min(p.i, len(p.s)); p.i == start {
				return strings.IndexByte(space+">+~", ch) >= 0
			}
			if key = unescape(p.s[start:p.i]); ch != '#' && ch != '.' {
				key = strings.ToLower(key)
			}
		}
		if !p.add(c, p.s[start:p.i]) {
			return false
		}
		if c.key == "" || strings.IndexByte(".#", key[0]) >= 0 && c.key[0] != '#' {
			c.key = key
		}
	}
	return true
}

// add compiles a simple selector.
func (p *selectorParser) add(c *compound, simple string) bool {
	if isPlain(simple) {
		c.named++
		switch simple[0] {
		case '.':
			c.classes = append(c.classes, simple[1:])
			p.sel.specificity[1]++
		case '#':
			c.ids = append(c.ids, simple[1:])
			p.sel.specificity[0]++
		default:
			if c.tag != "" {
				return false
			}
			c.tag = strings.ToLower(simple)
			p.sel.specificity[2]++
		}
		return true
	}
	s, err := cascadia.Parse(simple)
	if err != nil {
		return false
	}
	c.simple = append(c.simple, s)
	p.sel.specificity = p.sel.specificity.Add(s.Specificity())
	return true
}

// isPlain reports whether a simple selector is a type, a class or an identifier, written with
// letters of ASCII, digits, hyphens and underscores, and begins as a name.
func isPlain(simple string) bool {
	name := strings.TrimLeft(simple, ".#")
	if len(simple)-len(name) > 1 || name == "" || !(name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z' || name[0] == '_') {
		return false
	}
	for i := range len(name) {
		if !isNameByte(name[i]) || name[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// pseudo reads a pseudo-class or a pseudo-element. One that is not supported makes the selector
// invalid, those of jQuery such as :contains(…) included.
func (p *selectorParser) pseudo(c *compound, depth int) bool {
	start := p.i
	p.i++
	element := p.peek() == ':'
	if element {
		p.i++
	}
	end := p.i
	for end < len(p.s) && isNameByte(p.s[end]) {
		end++
	}
	name, args := strings.ToLower(p.s[p.i:end]), ""
	if p.i = end; p.peek() == '(' {
		p.i = skipBracket(p.s, end)
		args = strings.TrimSuffix(p.s[end+1:p.i], ")")
	}
	if element {
		p.sel.element = name
		return name != "" && depth == 0
	}
	switch name {
	case "before", "after", "first-line", "first-letter":
		p.sel.element = name
		return depth == 0
	case "hover", "active", "focus", "visited", "target", "focus-within", "focus-visible", "target-within", "fullscreen",
		"playing", "autofill", "popover-open", "modal", "user-invalid", "user-valid":
		c.never, p.sel.never = true, true
	case "scope":
		c.scope = true
	case "is", "where", "not", "has", "matches", "-webkit-any", "-moz-any":
		return p.list(c, name, args, depth)
	case "any-link", "-webkit-any-link":
		return p.add(c, ":link")
	case "first-child", "last-child", "only-child", "first-of-type", "last-of-type", "only-of-type",
		"nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		c.positional = true
		return p.add(c, p.s[start:p.i])
	case "link", "empty", "root", "lang", "enabled", "disabled", "checked":
		return p.add(c, p.s[start:p.i])
	default:
		return false
	}
	p.sel.specificity[1]++
	return args == ""
}

// list reads the arguments of :is, :where, :not or :has. An invalid one of :is and :where
// is skipped.
func (p *selectorParser) list(c *compound, name, args string, depth int) bool {
	l := logic{name: name}
	if name != "not" && name != "has" {
		l.name = "is"
	}
	var most cascadia.Specificity
	for part := range splitTop(args, ",") {
		one := (&selectorParser{s: part}).parse(depth+1, name == "has")
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
		p.sel.specificity = p.sel.specificity.Add(most)
	}
	return true
}

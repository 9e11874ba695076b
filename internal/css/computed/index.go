package computed

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
)

// index finds the selectors that may match an element, by the identifier, else the
// class, else the attribute, else the type in their rightmost compound. Selectors
// are compiled when they are first looked up; most never are.
type index struct {
	heads   []int32 // by hash, 1 more than the place in entries
	entries []entry
	any     int32 // selectors without any of these
	inside  bool  // some selectors are found by a key of the parent
}

type entry struct {
	selector string
	compiled *complexSelector
	hash     uint32
	rule     int32
	next     int32
	tried    bool   // compiled, or found to match nothing
	near     uint16 // how near the root of its scope was to the element that it has matched last
}

// priority is the place of the rule among those of its layer: specificity, nearness of the
// scope, order.
func (e *entry) priority() uint64 {
	return uint64(e.compiled.specificity)<<26 | uint64(e.near)<<16 | uint64(e.rule)
}

// The kinds of keys, mixed into the hash.
const (
	keyID uint32 = iota + 1
	keyClass
	keyAttr
	keyTag
	keyInside // added to the kind: the parent has it
)

// newIndex makes the index of the rules for which want is true.
func (s *Sheets) newIndex(want func(*rule) bool) *index {
	x := &index{}
	for r := range s.rules {
		if !want(&s.rules[r]) || s.rules[r].n == 0 {
			continue
		}
		for part := range splitTop(s.rules[r].selector, ',') {
			hash, ok := keyOf(part)
			if !ok {
				continue
			}
			if hash == 0 {
				if hash = parentKeyOf(part); hash != 0 {
					x.inside = true
				}
			}
			x.entries = append(x.entries, entry{selector: part, hash: hash, rule: int32(r)})
		}
	}
	size := 64
	for size < 4*len(x.entries) {
		size *= 2
	}
	x.heads = make([]int32, size)
	for i := range x.entries {
		head := &x.any
		if h := x.entries[i].hash; h != 0 {
			head = &x.heads[h&uint32(size-1)]
		}
		x.entries[i].next = *head
		*head = int32(i) + 1
	}
	return x
}

// keyOf returns the hash under which a selector is found, 0 for all elements. The
// bool is false for selectors that match no element without a user: those of
// pseudo-elements and of the pointer.
func keyOf(s string) (uint32, bool) {
	if strings.Contains(s, "/*") {
		s = withoutComments(s)
	}
	last := lastCompound(strings.TrimRight(s, " \n\t\r\f"))
	if last == "" {
		return 0, false // nothing, or a combinator without what follows it
	}
	if strings.Contains(last, "::slotted(") || strings.Contains(last, "::part(") {
		return 0, true // what they match has other names
	}
	k := keyFinder{s: last}
	return k.find()
}

// lastCompound returns what follows the last combinator outside of brackets.
func lastCompound(s string) string {
	start, depth := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			i = skipString(s, i) - 1
		case '\\':
			_, i = escape(s, i)
			i--
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ' ', '\t', '\n', '\r', '\f', '>', '+', '~':
			if depth == 0 {
				start = i + 1
			}
		}
	}
	return s[min(start, len(s)):]
}

// keyFinder looks for the keys of a compound selector.
type keyFinder struct {
	s                string
	class, attr, tag uint32 // hashes, 0 for none
}

// find returns the best key: the identifier, else the last class, else the last
// attribute, else the type.
func (k *keyFinder) find() (uint32, bool) {
	s := k.s
	if startsName(s, 0) {
		k.tag = hashName(keyTag, s)
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			_, i = escape(s, i)
			i--
		case '|':
			k.tag = 0
			if startsName(s, i+1) {
				k.tag = hashName(keyTag, s[i+1:])
			}
		case '#':
			return hashName(keyID, s[i+1:]), true
		case '.':
			k.class = hashName(keyClass, s[i+1:])
		case '[':
			i = k.attribute(i + 1)
		case '(':
			i = closing(s, i)
		case ':':
			end, ok := passPseudo(s, i)
			if !ok {
				return 0, false
			}
			i = end - 1
		}
	}
	return cmp.Or(k.class, k.attr, k.tag), true
}

func startsName(s string, i int) bool { return i < len(s) && (isName(s[i]) || s[i] == '\\') }

// attribute notes the attribute whose selector begins at i, and returns where the
// selector ends.
func (k *keyFinder) attribute(i int) int {
	s := k.s
	name := i
	for name < len(s) && (isSpace(s[name]) || s[name] == '*' || s[name] == '|') {
		name++
	}
	if name < len(s) && isName(s[name]) {
		k.attr = hashName(keyAttr, s[name:])
	}
	for i < len(s) && s[i] != ']' {
		if s[i] == '"' || s[i] == '\'' {
			i = skipString(s, i)
			continue
		}
		i++
	}
	return i
}

// passPseudo returns where the name of the pseudo-class at i ends. It returns false
// for one that no element has without a user, and for pseudo-elements.
func passPseudo(s string, i int) (end int, ok bool) {
	end = i + 1
	for end < len(s) && (isName(s[end]) || s[end] == ':' && end == i+1) {
		end++
	}
	switch name := s[i+1 : end]; name {
	case "hover", "focus", "active", "visited", "target", "focus-within", "focus-visible", "before", "after":
		return end, false
	default:
		return end, !strings.HasPrefix(name, ":")
	}
}

func withoutComments(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "/*")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[skipComment(s, i):]
	}
}

// parentKeyOf returns the marked hash of the parent's key for a selector of any
// child of a parent; else 0.
func parentKeyOf(s string) uint32 {
	left, ok := strings.CutSuffix(strings.TrimSpace(s), "*")
	if !ok {
		return 0
	}
	left, ok = strings.CutSuffix(strings.TrimSpace(left), ">")
	if !ok {
		return 0
	}
	hash, ok := keyOf(left)
	if !ok || hash == 0 {
		return 0
	}
	return insideKey(hash)
}

func insideKey(h uint32) uint32 { return (h^keyInside)*16777619 | 1 }

// hashName hashes the name at the start of s without case (FNV-1a).
func hashName(kind uint32, s string) uint32 {
	h := uint32(2166136261) ^ kind
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			var r rune
			r, i = escape(s, i)
			i--
			h = hashText(h, string(r))
			continue
		}
		if !isName(c) {
			break
		}
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		h = (h ^ uint32(c)) * 16777619
	}
	return h | 1
}

func hashText(h uint32, s string) uint32 {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

func hashOf(kind uint32, s string) uint32 { return hashText(uint32(2166136261)^kind, s) | 1 }

// keys returns the hashes of an element: its type, its attributes, its
// identifier and classes.
func keys(out []uint32, n *html.Node) []uint32 {
	out = append(out, hashOf(keyTag, n.Data))
	for i := range n.Attr {
		a := &n.Attr[i]
		out = append(out, hashOf(keyAttr, a.Key))
		switch a.Key {
		case "id":
			out = append(out, hashOf(keyID, a.Val))
		case "class":
			v := a.Val
			most := len(out) + maxKeys
			for i := 0; i < len(v) && len(out) < most; {
				for i < len(v) && isSpace(v[i]) {
					i++
				}
				start := i
				for i < len(v) && !isSpace(v[i]) {
					i++
				}
				if i > start {
					out = append(out, hashOf(keyClass, v[start:i]))
				}
			}
		}
	}
	return out
}

// maxKeys bounds the classes of one element that are looked up.
const maxKeys = 2000

// each calls found for each entry that sets one of the wanted properties and
// whose selector fits the element.
func (s *Sheets) each(x *index, n *html.Node, keys, parent []uint32, above *bloom, want mask, found func(*entry)) {
	if len(x.entries) == 0 {
		return
	}
	mask := uint32(len(x.heads) - 1)
	if !x.inside {
		parent = nil
	}
	for k := -1; k < len(keys)+len(parent); k++ {
		i, hash := x.any, uint32(0)
		if k >= len(keys) {
			hash = insideKey(parent[k-len(keys)])
			i = x.heads[hash&mask]
		} else if k >= 0 {
			hash = keys[k]
			i = x.heads[hash&mask]
		}
		for ; i != 0; i = x.entries[i-1].next {
			e := &x.entries[i-1]
			if e.hash != hash || s.rules[e.rule].sets&want == 0 {
				continue
			}
			if !e.tried {
				e.tried = true
				if !s.isValid(e.rule) {
					continue
				}
				budget := maxList
				e.compiled = compile(e.selector, s.parentList(s.rules[e.rule].parent, 0), 0, &budget, false)
			}
			if e.compiled != nil && e.compiled.plausible(above) && s.applies(e, n) {
				found(e)
			}
			if s.steps > maxSteps {
				return
			}
		}
	}
}

// isValid reports whether browsers keep a rule: an invalid selector spoils its
// list.
func (s *Sheets) isValid(i int32) bool {
	r := &s.rules[i]
	if r.validity == 0 {
		r.validity = 1
		if !validSelectors(r.selector) {
			r.validity = -1
		}
	}
	return r.validity > 0 && (r.parent < 0 || s.isValid(r.parent))
}

// plausible reports whether the ancestors have the names that the selector
// requires of them. It can be wrongly true.
func (s *complexSelector) plausible(above *bloom) bool {
	for _, h := range s.above {
		if !above.has(h) {
			return false
		}
	}
	return true
}

// parentList returns what & stands for in a rule: the selectors of the rule
// around it.
func (s *Sheets) parentList(rule int32, depth int) []*complexSelector {
	if rule < 0 || depth > maxDepth {
		return nil
	}
	r := &s.rules[rule]
	if !r.isMade {
		r.isMade = true
		budget := maxList
		list := compileList(r.selector, s.parentList(r.parent, depth+1), 0, &budget)
		s.rules[rule].compiled = list
	}
	if s.rules[rule].compiled == nil {
		return []*complexSelector{} // it matches nothing, nor do the rules in it
	}
	return s.rules[rule].compiled
}

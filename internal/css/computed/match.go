package computed

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// stepSize is how many bytes, or custom properties, are looked at in one step.
const stepSize = 64

// customSize is what one custom property of an element counts: it is copied and indexed.
const customSize = 8

// valueSize is what a byte of the value of a property counts: it is taken apart into words.
const valueSize = 8

// spend takes a step from the budget, and more for work on something large: the text of
// an attribute, the declarations of a rule. It returns false when the budget is used up.
func (s *Sheets) spend(size int) bool {
	s.steps += 1 + size/stepSize
	if s.steps > maxSteps {
		s.capped = true
		return false
	}
	return true
}

// matches reports whether a selector matches an element. Each compound that is
// tried is a step of the budget; when the budget is used up, nothing matches.
func (s *Sheets) matches(sel *complexSelector, n, anchor *html.Node) bool {
	return s.from(sel, 0, n, anchor)
}

func (s *Sheets) from(sel *complexSelector, i int, n, anchor *html.Node) bool {
	if !s.spend(0) {
		return false
	}
	c := &sel.parts[i]
	if c.slotted != nil || c.part != "" {
		if n = s.acrossTrees(c, n); n == nil {
			return false
		}
	}
	if !s.fits(c, n, anchor) {
		return false
	}
	if i+1 == len(sel.parts) {
		return true
	}
	switch c.comb {
	case '>':
		up := s.parentElement(n)
		return up != nil && s.from(sel, i+1, up, anchor)
	case '+':
		prev := s.prevElement(n)
		return prev != nil && s.from(sel, i+1, prev, anchor)
	case '~':
		for prev := s.prevElement(n); prev != nil; prev = s.prevElement(prev) {
			if s.from(sel, i+1, prev, anchor) {
				return true
			}
			if s.steps > maxSteps {
				return false
			}
		}
	case ' ':
		for up := s.parentElement(n); up != nil; up = s.parentElement(up) {
			if s.from(sel, i+1, up, anchor) {
				return true
			}
			if s.steps > maxSteps {
				return false
			}
		}
	}
	return false
}

// acrossTrees returns the element to which the rest of a compound with ::slotted()
// or ::part() applies: the slot of n, or its host; nil when n does not fit.
func (s *Sheets) acrossTrees(c *compound, n *html.Node) *html.Node {
	if s.Tree == nil {
		return nil
	}
	if c.part != "" {
		v, ok := attrOf(n, "part")
		if !ok || !hasToken(v, c.part) || s.Tree(n) == s.tree {
			return nil
		}
		if n = s.hostOf(n); n == nil || s.Tree(n) != s.tree {
			return nil
		}
		return n
	}
	slot := n.Parent
	if slot == nil || slot.Data != "slot" || s.Tree(slot) == s.Tree(n) || s.Tree(slot) != s.tree {
		return nil
	}
	for _, sel := range c.slotted {
		// What is slotted is matched in its own tree.
		s.tree = s.Tree(n)
		ok := s.matches(sel, n, nil)
		if s.tree = s.Tree(slot); ok {
			return slot
		}
	}
	return nil
}

// hostOf returns the host of the shadow tree that an element is in.
func (s *Sheets) hostOf(n *html.Node) *html.Node {
	tree := s.Tree(n)
	if tree == 0 {
		return nil
	}
	// Elements of other trees in between are slotted into this one, or its host.
	host := n
	for up := n; up != nil && up.Type == html.ElementNode; up = up.Parent {
		if s.Tree(up) == tree {
			host = up.Parent
		}
		s.steps++
	}
	if host == nil || host.Type != html.ElementNode {
		return nil
	}
	return host
}

// parentElement returns the parent of an element in its own tree; of the elements
// at the top of a shadow tree, the host.
func (s *Sheets) parentElement(n *html.Node) *html.Node {
	p := n.Parent
	if p == nil || p.Type != html.ElementNode {
		return nil
	}
	if s.Tree == nil || s.Tree(p) == s.Tree(n) {
		return p
	}
	if tree := s.Tree(n); p.Data == "slot" { // n is slotted
		for up := p.Parent; up != nil && up.Type == html.ElementNode; up = up.Parent {
			if s.Tree(up) == tree {
				return up
			}
		}
		return nil
	}
	if tree := s.Tree(n); tree != s.tree {
		return nil
	}
	return p
}

func (s *Sheets) prevElement(n *html.Node) *html.Node {
	for n = n.PrevSibling; n != nil && n.Type != html.ElementNode; n = n.PrevSibling {
	}
	return n
}

func (s *Sheets) fits(c *compound, n, anchor *html.Node) bool {
	if c.anchor {
		return n == anchor
	}
	if s.Tree != nil && s.tree != 0 && !c.host && s.Tree(n) != s.tree && c.slotted == nil {
		return false // the host, which only :host matches
	}
	if c.tag != "" && c.tag != n.Data && !strings.EqualFold(c.tag, n.Data) {
		return false
	}
	if c.id != "" {
		if v, ok := attrOf(n, "id"); !ok || !s.same(v, c.id) {
			return false
		}
	}
	if len(c.classes) > 0 {
		v, ok := attrOf(n, "class")
		if !ok {
			return false
		}
		for _, name := range c.classes {
			if len(v) > stepSize && !s.spend(len(v)) || !s.hasWord(v, name) {
				return false
			}
		}
	}
	for i := range c.attrs {
		if !s.fitsAttribute(&c.attrs[i], n) {
			return false
		}
	}
	for i := range c.pseudos {
		if !s.fitsPseudo(&c.pseudos[i], n, anchor) {
			return false
		}
	}
	return true
}

// same compares classes and identifiers.
func (s *Sheets) same(a, b string) bool {
	return a == b || s.Quirks && strings.EqualFold(a, b)
}

// hasWord reports whether a list of words that white space separates has a word.
func (s *Sheets) hasWord(list, word string) bool {
	for from := 0; !s.Quirks && word != ""; { // a search is faster than to read all words
		i := strings.Index(list[from:], word)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(word)
		if (i == 0 || isSpace(list[i-1])) && (from == len(list) || isSpace(list[from])) {
			return !strings.ContainsAny(word, " \t\n\r\f") // of an escape
		}
		for from < len(list) && !isSpace(list[from]) {
			from++
		}
	}
	for i := 0; i+len(word) <= len(list); {
		for i < len(list) && isSpace(list[i]) {
			i++
		}
		start := i
		for i < len(list) && !isSpace(list[i]) {
			i++
		}
		if i-start == len(word) && s.same(list[start:i], word) {
			return true
		}
	}
	return false
}

func attrOf(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

func (s *Sheets) fitsAttribute(t *attrTest, n *html.Node) bool {
	v, ok := attrOf(n, t.name)
	if !ok || t.op == 0 {
		return ok
	}
	if len(v) > stepSize && !s.spend(len(v)) {
		return false
	}
	want := t.value
	if t.ignoreCase {
		v, want = strings.ToLower(v), strings.ToLower(want)
	}
	switch t.op {
	case '=':
		return v == want
	case '~':
		return hasWord(v, want)
	case '|':
		return v == want || strings.HasPrefix(v, want) && v[len(want)] == '-'
	case '^':
		return want != "" && strings.HasPrefix(v, want)
	case '$':
		return want != "" && strings.HasSuffix(v, want)
	default:
		return want != "" && strings.Contains(v, want)
	}
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

func (s *Sheets) anyMatches(list []*complexSelector, n, anchor *html.Node) bool {
	for _, sel := range list {
		if s.matches(sel, n, anchor) {
			return true
		}
	}
	return false
}

// states are the pseudo-classes that an element's own markup decides.
var states = [...]func(n *html.Node) bool{
	pseudoRoot:     isTop,
	pseudoEmpty:    isEmpty,
	pseudoChecked:  func(n *html.Node) bool { return hasAttr(n, "checked") || hasAttr(n, "selected") || isFirstOption(n) },
	pseudoFocus:    func(n *html.Node) bool { return hasAttr(n, "autofocus") },
	pseudoDisabled: isDisabled,
	pseudoEnabled:  func(n *html.Node) bool { return isControl(n) && !isDisabled(n) },
	pseudoLink:     func(n *html.Node) bool { return n.Data == "a" && hasAttr(n, "href") },
	pseudoOpen:     func(n *html.Node) bool { return hasAttr(n, "open") },
}

func (s *Sheets) fitsPseudo(p *pseudo, n, anchor *html.Node) bool {
	if int(p.kind) < len(states) && states[p.kind] != nil {
		return states[p.kind](n)
	}
	switch p.kind {
	case pseudoIs:
		return s.anyMatches(p.list, n, anchor)
	case pseudoNot:
		// When the budget is used up, :not must not become true.
		return !s.anyMatches(p.list, n, anchor) && s.steps <= maxSteps
	case pseudoHas:
		return slices.ContainsFunc(p.list, func(sel *complexSelector) bool { return s.has(sel, n) })
	case pseudoNth:
		return s.nth(p, n)
	case pseudoScope:
		if s.scopeRoot != nil {
			return n == s.scopeRoot
		}
		return isTop(n)
	case pseudoHost:
		return s.fitsHost(p, n)
	case pseudoDefined:
		// Custom elements are defined by scripts.
		return strings.IndexByte(n.Data, '-') < 0 || s.Scripted
	case pseudoDir:
		return s.isRightToLeft(n) == (p.lang == "rtl")
	case pseudoField:
		return isWritable(n) != p.last
	case pseudoRequired:
		return isInput(n) && hasAttr(n, "required") != p.last
	case pseudoInvalid:
		return (isInput(n) || n.Data == "form" || n.Data == "fieldset") && s.isInvalid(n) != p.last
	case pseudoRange:
		return isRanged(n) && isOutOfRange(n) != p.last
	case pseudoIndeterminate:
		return s.isIndeterminate(n)
	case pseudoPlaceholder:
		return isInput(n) && hasAttr(n, "placeholder") && !hasValue(n)
	case pseudoLang:
		return s.hasLang(n, p.lang)
	}
	return false
}

// isTop reports whether an element is that of the document.
func isTop(n *html.Node) bool { return n.Parent != nil && n.Parent.Type == html.DocumentNode }

// isInput reports whether an element takes a value that can be required.
func isInput(n *html.Node) bool {
	return n.Data == "input" || n.Data == "textarea" || n.Data == "select"
}

// hasValue reports whether an element that takes a value begins with one.
func hasValue(n *html.Node) bool {
	value, _ := attrOf(n, "value")
	return value != "" || hasAttr(n, "checked") || n.Data != "input" && n.FirstChild != nil
}

// isInvalid reports whether the value of a field, or of one in a form, is not one that it
// may have. Patterns are not compared.
func (s *Sheets) isInvalid(n *html.Node) bool {
	if !isInput(n) {
		for c := range n.Descendants() {
			if !s.spend(0) {
				break
			}
			if c.Type == html.ElementNode && isInput(c) && s.isInvalid(c) {
				return true
			}
		}
		return false
	}
	if !hasValue(n) {
		return hasAttr(n, "required")
	}
	value, _ := attrOf(n, "value")
	switch kind, _ := attrOf(n, "type"); strings.ToLower(kind) {
	case "email":
		name, host, ok := strings.Cut(value, "@")
		return value != "" && (!ok || name == "" || host == "" || strings.ContainsAny(host, "@ "))
	case "url":
		return value != "" && strings.IndexByte(value, ':') < 1
	}
	return isRanged(n) && isOutOfRange(n)
}

// isRanged reports whether an element has a limit for its value.
func isRanged(n *html.Node) bool {
	kind, _ := attrOf(n, "type")
	switch strings.ToLower(kind) {
	case "number", "range", "date", "month", "week", "time", "datetime-local":
		return hasAttr(n, "min") || hasAttr(n, "max") || strings.EqualFold(kind, "range")
	}
	return false
}

// isOutOfRange compares the value of an element with its limits. Dates and times compare as
// texts do; what is outside of a slider, browsers move to its end.
func isOutOfRange(n *html.Node) bool {
	kind, _ := attrOf(n, "type")
	value, _ := attrOf(n, "value")
	if value == "" || strings.EqualFold(kind, "range") {
		return false
	}
	less := func(a, b string) bool { return a != "" && b != "" && a < b }
	if strings.EqualFold(kind, "number") {
		less = func(a, b string) bool {
			x, okX := cssNumber(a)
			y, okY := cssNumber(b)
			return okX && okY && x < y
		}
	}
	least, _ := attrOf(n, "min")
	most, _ := attrOf(n, "max")
	return less(value, least) || less(most, value)
}

// isIndeterminate reports whether an element shows no state: a progress bar without a value,
// or a radio button in a group of which none is checked.
func (s *Sheets) isIndeterminate(n *html.Node) bool {
	if n.Data == "progress" {
		return !hasAttr(n, "value")
	}
	kind, _ := attrOf(n, "type")
	if n.Data != "input" || !strings.EqualFold(kind, "radio") {
		return false
	}
	group, _ := attrOf(n, "name")
	root := n
	for root.Parent != nil && (group == "" || root.Data != "form") && root.Data != "body" {
		if group == "" {
			return !hasAttr(n, "checked")
		}
		root = root.Parent
	}
	for c := range root.Descendants() {
		if !s.spend(0) {
			return false
		}
		if name, ok := attrOf(c, "name"); ok && name == group && c.Data == "input" && hasAttr(c, "checked") {
			return false
		}
	}
	return true
}

// isFirstOption reports whether an element is the first option of a closed list, which is
// selected where no option says that it is.
func isFirstOption(n *html.Node) bool {
	if n.Data != "option" || n.Parent == nil || n.Parent.Data != "select" || hasAttr(n.Parent, "multiple") || hasAttr(n.Parent, "size") || follows(n) {
		return false
	}
	for c := n.NextSibling; c != nil; c = c.NextSibling {
		if hasAttr(c, "selected") {
			return false
		}
	}
	return true
}

// isDisabled reports whether an element is disabled, or in a fieldset that is.
func isDisabled(n *html.Node) bool {
	if !isControl(n) {
		return false
	}
	for up := n; up != nil; up = up.Parent {
		if hasAttr(up, "disabled") && (up == n || up.Data == "fieldset" || up.Data == "optgroup") {
			return true
		}
	}
	return false
}

// isWritable reports whether a person can write into an element.
func isWritable(n *html.Node) bool {
	field := n.Data == "input" || n.Data == "textarea"
	return field && !hasAttr(n, "readonly") && !hasAttr(n, "disabled") || hasAttr(n, "contenteditable")
}

// fitsHost matches :host, and :host-context, for which p.last is set.
func (s *Sheets) fitsHost(p *pseudo, n *html.Node) bool {
	if s.Tree == nil || s.tree == 0 || s.Tree(n) == s.tree || !s.hosts(n, s.tree) {
		return false
	}
	if p.list == nil {
		return true
	}
	tree := s.tree
	s.tree = s.Tree(n)
	ok := s.anyMatches(p.list, n, nil)
	for up := s.parentElement(n); !ok && p.last && up != nil; up = s.parentElement(up) {
		ok = s.anyMatches(p.list, up, nil)
	}
	s.tree = tree
	return ok
}

// hosts reports whether an element is the host of a shadow tree.
func (s *Sheets) hosts(n *html.Node, tree int32) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && s.Tree(c) == tree {
			return true
		}
		if !s.spend(0) {
			break
		}
	}
	return false
}

// isRightToLeft reports the direction of an element, as dir attributes say.
func (s *Sheets) isRightToLeft(n *html.Node) bool {
	for up := n; up != nil; up = s.parentElement(up) {
		if v, ok := attrOf(up, "dir"); ok {
			switch strings.ToLower(v) {
			case "rtl":
				return true
			case "ltr":
				return false
			}
		}
		s.steps++
	}
	return false
}

// isEmpty reports whether an element has neither elements nor text.
func isEmpty(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode && c.Data != "" {
			return false
		}
	}
	return true
}

// isControl reports whether an element can be disabled.
func isControl(n *html.Node) bool {
	switch n.Data {
	case "button", "input", "select", "textarea", "option", "optgroup", "fieldset":
		return true
	}
	return false
}

// hasLang reports whether the language of an element is lang or a variant of it.
func (s *Sheets) hasLang(n *html.Node, lang string) bool {
	for up := n; up != nil; up = s.parentElement(up) {
		if v, ok := attrOf(up, "lang"); ok {
			v = strings.ToLower(v)
			for want := range strings.SplitSeq(lang, ",") {
				want = strings.Trim(strings.TrimSpace(want), `"'`)
				if v == want || strings.HasPrefix(v, want+"-") || want == "*" && v != "" {
					return true
				}
			}
			return false
		}
		s.steps++
	}
	return false
}

func hasAttr(n *html.Node, key string) bool {
	_, ok := attrOf(n, key)
	return ok
}

// has reports whether an element exists that the relative selector matches from n:
// below n, or after it.
func (s *Sheets) has(sel *complexSelector, n *html.Node) bool {
	// The combinator next to the anchor says where to search.
	switch sel.parts[len(sel.parts)-2].comb {
	case '+', '~':
		for sib := n.NextSibling; sib != nil; sib = sib.NextSibling {
			if sib.Type == html.ElementNode && (s.matches(sel, sib, n) || s.below(sel, sib, n)) {
				return true
			}
			if s.steps > maxSteps {
				return false
			}
		}
		return false
	}
	return s.below(sel, n, n)
}

func (s *Sheets) below(sel *complexSelector, n, anchor *html.Node) bool {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && s.matches(sel, c, anchor) {
			return true
		}
		if s.steps > maxSteps {
			return false
		}
	}
	return false
}

// place is the position of an element among its siblings, from 1.
type place struct{ index, ofType, count, countOfType int32 }

func (s *Sheets) nth(p *pseudo, n *html.Node) bool {
	if p.list != nil { // of those that match
		if !s.anyMatches(p.list, n, nil) {
			return false
		}
		i := 1
		for sib := n; ; i++ {
			for {
				if p.last {
					sib = sib.NextSibling
				} else {
					sib = sib.PrevSibling
				}
				if sib == nil {
					d := i - p.b
					return p.a == 0 && d == 0 || p.a != 0 && d%p.a == 0 && d/p.a >= 0
				}
				if s.steps++; s.steps > maxSteps {
					return false
				}
				if sib.Type == html.ElementNode && s.anyMatches(p.list, sib, nil) {
					break
				}
			}
		}
	}
	at := s.placeOf(n)
	i, count := at.index, at.count
	if p.typ {
		i, count = at.ofType, at.countOfType
	}
	if p.only {
		return count == 1
	}
	if p.last {
		i = count - i + 1
	}
	d := int(i) - p.b
	if p.a == 0 {
		return d == 0
	}
	return d%p.a == 0 && d/p.a >= 0
}

// placeOf counts all children of a parent at once, so that a parent with many
// children is walked only once.
func (s *Sheets) placeOf(n *html.Node) place {
	if at, ok := s.siblings[n]; ok {
		return at
	}
	if s.siblings == nil {
		s.siblings = map[*html.Node]place{}
	}
	if n.Parent == nil {
		return place{1, 1, 1, 1}
	}
	types := map[string]int32{}
	count := int32(0)
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			count++
			types[c.Data]++
			s.siblings[c] = place{index: count, ofType: types[c.Data]}
		}
	}
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			at := s.siblings[c]
			at.count, at.countOfType = count, types[c.Data]
			s.siblings[c] = at
		}
	}
	return s.siblings[n]
}

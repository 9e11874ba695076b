package css

import (
	"strings"

	"golang.org/x/net/html"
)

// matcher matches selectors within a number of steps.
type matcher struct {
	steps int        // left; below 0, nothing matches any more
	scope *html.Node // what :scope matches
	below *html.Node // the element of the :has that is looked at
}

// over reports whether the steps are used up: what did not match then may match.
func (m *matcher) over() bool { return m.steps < 0 }

func (m *matcher) matches(s *complexSelector, n *html.Node) bool {
	return m.fits(&s.parts[0], n) && m.rest(s, 0, n)
}

// rest matches what is to the left of the i-th part, which n fits.
func (m *matcher) rest(s *complexSelector, i int, n *html.Node) bool {
	if i+1 == len(s.parts) {
		return true
	}
	left := &s.parts[i+1]
	switch s.parts[i].comb {
	case '>':
		up := n.Parent
		return up != nil && up.Type == html.ElementNode && m.fits(left, up) && m.rest(s, i+1, up)
	case '+':
		prev := elementBefore(n)
		return prev != nil && m.fits(left, prev) && m.rest(s, i+1, prev)
	case '~':
		for prev := elementBefore(n); prev != nil && !m.over(); prev = elementBefore(prev) {
			if m.fits(left, prev) && m.rest(s, i+1, prev) {
				return true
			}
		}
		return false
	}
	for up := n.Parent; up != nil && up.Type == html.ElementNode && !m.over(); up = up.Parent {
		if !m.fits(left, up) {
			continue
		}
		if m.rest(s, i+1, up) {
			return true
		}
		if onlyDescends(s, i+1) { // a farther ancestor has fewer ancestors
			return false
		}
	}
	return false
}

// onlyDescends reports whether the combinators from part i on to the left are descendants.
func onlyDescends(s *complexSelector, i int) bool {
	for ; i+1 < len(s.parts); i++ {
		if s.parts[i].comb != ' ' {
			return false
		}
	}
	return true
}

func elementBefore(n *html.Node) *html.Node {
	for n = n.PrevSibling; n != nil && n.Type != html.ElementNode; n = n.PrevSibling {
	}
	return n
}

// fits reports whether an element meets the conditions of one compound.
func (m *matcher) fits(c *compound, n *html.Node) bool {
	if m.steps--; m.steps < 0 || c.never || !c.isNamed(n) {
		return false
	}
	if c.anchor {
		return n == m.below
	}
	if c.scope && n != m.scope && (m.scope != nil || n.Parent == nil || n.Parent.Type != html.DocumentNode) {
		return false
	}
	if c.positional {
		if n.Parent == nil {
			return false
		}
		for d := n.Parent.FirstChild; d != nil; d = d.NextSibling {
			if m.steps--; m.steps < 0 {
				return false
			}
		}
	}
	for _, s := range c.simple {
		if !s.Match(n) {
			return false
		}
	}
	for i := range c.logic {
		if !m.holds(&c.logic[i], n) {
			return false
		}
	}
	return !m.over()
}

// isNamed reports whether an element has the type, the identifiers and the classes.
func (c *compound) isNamed(n *html.Node) bool {
	if c.tag != "" && n.Data != c.tag {
		return false
	}
	for _, id := range c.ids {
		if attribute(n, "id") != id {
			return false
		}
	}
	for _, class := range c.classes {
		if !hasClass(attribute(n, "class"), class) {
			return false
		}
	}
	return true
}

// attribute returns the value of an attribute, "" for none.
func attribute(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

// hasClass reports whether a class is one of a list that white space separates.
func hasClass(list, class string) bool {
	for from := 0; ; {
		i := strings.Index(list[from:], class)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(class)
		if (i == 0 || isSpace(list[i-1])) && (from == len(list) || isSpace(list[from])) {
			return true
		}
	}
}

// holds reports whether an element meets :is, :not or :has.
func (m *matcher) holds(l *logic, n *html.Node) bool {
	switch l.name {
	case "has":
		outer := m.below
		m.below = n
		found := m.has(l.list, n)
		m.below = outer
		return found
	case "not":
		for _, s := range l.list {
			if m.matches(s, n) || m.over() {
				return false
			}
		}
		return true
	}
	for _, s := range l.list {
		if m.matches(s, n) {
			return true
		}
	}
	return false
}

// has looks for an element that one of the relative selectors matches.
func (m *matcher) has(list []*complexSelector, n *html.Node) bool {
	for _, s := range list {
		last := s.parts[len(s.parts)-2] // the compound beside the element of :has
		root, from := n, n.FirstChild
		if last.comb == '+' || last.comb == '~' {
			root, from = n.Parent, n.NextSibling
		}
		for d := from; d != nil && !m.over(); d = next(d, root) {
			if d.Type == html.ElementNode && m.matches(s, d) {
				return true
			}
		}
	}
	return false
}

// next returns the node after n in the order of the document, nil after the last one below root.
func next(n, root *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	return after(n, root)
}

// after is next without what is in n.
func after(n, root *html.Node) *html.Node {
	for n != root && n != nil && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root || n == nil {
		return nil
	}
	return n.NextSibling
}

// Match reports whether the selector matches an element.
func (s *Selector) Match(n *html.Node) bool {
	m := matcher{steps: maxSteps}
	return m.any(s.list, n)
}

// SelectSteps is how many steps of matching [Selector.Select] may take.
const SelectSteps = maxSteps

// Select returns the elements below root that the selector matches, in page order,
// without those inside another match. :scope is root. complete is false where the steps of
// matching were used up before the end.
func (s *Selector) Select(root *html.Node) (found []*html.Node, complete bool) {
	left := SelectSteps
	return s.SelectWithin(root, &left)
}

// SelectWithin is [Selector.Select] within a number of steps that several calls share.
func (s *Selector) SelectWithin(root *html.Node, left *int) (found []*html.Node, complete bool) {
	m := matcher{steps: *left}
	if root.Type == html.ElementNode {
		m.scope = root
	}
	for n := root.FirstChild; n != nil && !m.over(); {
		if n.Type == html.ElementNode && m.any(s.list, n) {
			found = append(found, n)
			n = after(n, root)
			continue
		}
		n = next(n, root)
	}
	*left = m.steps
	return found, !m.over()
}

func (m *matcher) any(list []*complexSelector, n *html.Node) bool {
	for _, s := range list {
		if m.matches(s, n) {
			return true
		}
	}
	return false
}

package dom

import (
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file finds hidden text that a person reaches: behind a tab, a button, a slide or an answer
// to a question.

const streamedID = "S:" // begins the id of hidden elements that React moves into place

// isShownLater reports whether a hidden element is content all the same, and whether a person
// uses a control to see it.
func (f *hiddenFinder) isShownLater(n *html.Node, why css.Cause) (shown, collapsed bool) {
	if n.DataAtom == atom.Dialog || HasAttr(n, "popover") {
		return false, false
	}
	id, class := Attr(n, "id"), Attr(n, "class")
	switch {
	case holdsFormula(n), strings.HasPrefix(id, streamedID):
		return true, false
	case strings.EqualFold(Attr(n, "hidden"), "until-found"), Attr(n, "role") == "tabpanel", isPanel(class), id != "" && f.isControlled(id):
		return true, true
	}
	shown = why.Waits() && (f.besideControl(n, collapsible(n) || f.isAnswer(n)) || isSlide(n, class))
	return shown, shown
}

// isPanel reports whether a class is one of the established names for what a tab or an accordion
// shows.
func isPanel(class string) bool {
	for c := range strings.FieldsSeq(class) {
		switch strings.ToLower(c) {
		case "tab-pane", "tab-content", "tabpanel", "tab-panel", "accordion-collapse", "accordion-content", "accordion-body", "accordion-panel", "collapse", "panel-collapse":
			return true
		}
	}
	return false
}

// isControlled reports whether a control of the page names an identifier: a button, or a link
// that leads to the element.
func (f *hiddenFinder) isControlled(id string) bool {
	if f.controls == nil {
		f.controls = map[string]bool{}
		for c := range Below(f.body) {
			for i := range c.Attr {
				switch a := &c.Attr[i]; a.Key {
				case "aria-controls", "data-target", "data-bs-target":
					f.controls[strings.TrimPrefix(strings.TrimSpace(a.Val), "#")] = true
				case "href":
					if c.DataAtom == atom.A && len(a.Val) > 1 && a.Val[0] == '#' {
						f.controls[a.Val[1:]] = true
					}
				}
			}
		}
	}
	return f.controls[id]
}

// collapsible reports whether the attributes of an element name it as something that folds.
func collapsible(n *html.Node) bool {
	for i := range n.Attr {
		a := &n.Attr[i]
		if (a.Key == "class" || a.Key == "id" || strings.HasPrefix(a.Key, "data-")) && len(a.Val) <= maxNames && foldNames().In(strings.ToLower(a.Val)) {
			return true
		}
	}
	return false
}

var foldNames = sync.OnceValue(func() *Finder {
	return NewFinder("accordi", "collaps", "expand", "faq", "answer", "toggle", "readmore", "read-more", "show-more")
})

// besideControl reports whether the element before n, or before its wrapper, is a control: a
// button or the like with a short label and nothing else. For what its own names call
// collapsible, a label before or after it will do.
func (f *hiddenFinder) besideControl(n *html.Node, collapsible bool) bool {
	for range 2 {
		prev := sibling(n, prevSibling)
		if prev != nil && !f.unseen[prev] && isControl(prev, collapsible) {
			return true
		}
		if collapsible {
			if next := sibling(n, nextSibling); next != nil && !f.unseen[next] && isControl(next, true) {
				return true
			}
		}
		if n = n.Parent; prev != nil || n == nil || n.DataAtom == atom.Body {
			return false
		}
	}
	return false
}

// isAnswer reports whether an element is a sentence or more, and one of several of its kind, as
// the answers to questions are.
func (f *hiddenFinder) isAnswer(n *html.Node) bool {
	if !isProse(n) {
		return false
	}
	if f.alike == nil {
		f.alike = map[kind]int{}
		for c := range Below(f.body) {
			if c.Type == html.ElementNode {
				f.alike[kindOf(c)]++
			}
		}
	}
	return f.alike[kindOf(n)] >= several
}

// kind is what elements with the same place in a template have in common.
type kind struct{ tag, class, up, upClass string }

func kindOf(n *html.Node) kind {
	return kind{tag: n.Data, class: Attr(n, "class"), up: n.Parent.Data, upClass: Attr(n.Parent, "class")}
}

// isProse reports whether most of the text of an element is not links, and it is a sentence or more. It
// looks at the first nodes only: hidden elements can lie in each other.
func isProse(n *html.Node) bool {
	all, linked, steps := 0, 0, 0
	for c := range Below(n) {
		if steps++; steps > maxLabelNodes {
			break
		}
		if c.Type != html.TextNode || IsDropped(c.Parent.DataAtom) {
			continue
		}
		size := len(strings.TrimSpace(c.Data))
		all += size
		for up := c.Parent; up != n; up = up.Parent {
			if up.DataAtom == atom.A || up.DataAtom == atom.Button {
				linked += size
				break
			}
		}
	}
	return all >= sentence && 2*linked < all
}

// sibling returns the next element in a direction that can show text.
func sibling(n *html.Node, next func(*html.Node) *html.Node) *html.Node {
	for n = next(n); n != nil && (n.Type != html.ElementNode || IsDropped(n.DataAtom)); n = next(n) {
	}
	return n
}

func prevSibling(n *html.Node) *html.Node { return n.PrevSibling }
func nextSibling(n *html.Node) *html.Node { return n.NextSibling }

// isSlide reports whether an element is one slide of several.
func isSlide(n *html.Node, class string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(class), " ")
	if !strings.Contains(class, "slide") && !strings.Contains(class, "carousel-") {
		return false
	}
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c != n && c.Type == html.ElementNode && c.DataAtom == n.DataAtom && strings.HasPrefix(strings.TrimSpace(Attr(c, "class")), first) {
			return true
		}
	}
	return false
}

// isControl reports whether an element has a short text and, unless any label will do, a button
// in it that has most of that text.
func isControl(n *html.Node, anyLabel bool) bool {
	all, inside, steps := 0, 0, 0
	var walk func(n *html.Node, in bool)
	walk = func(n *html.Node, in bool) {
		if steps++; steps > maxLabelNodes || all > maxLabel {
			return
		}
		if n.Type == html.TextNode {
			size := len(strings.TrimSpace(n.Data))
			all += size
			if in {
				inside += size
			}
			return
		}
		if IsDropped(n.DataAtom) {
			return
		}
		in = in || n.DataAtom == atom.Button || n.DataAtom == atom.Summary || HasAttr(n, "aria-expanded") || HasAttr(n, "aria-controls") ||
			Attr(n, "role") == "button" || Attr(n, "role") == "tab" || n.DataAtom == atom.A && leadsNowhere(Attr(n, "href"))
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, in)
		}
	}
	walk(n, false)
	return all > 0 && all <= maxLabel && (anyLabel || 2*inside > all)
}

// leadsNowhere reports whether an address only gives scripts something to listen to.
func leadsNowhere(href string) bool { return href == "#" || HasPrefixFold(href, "javascript:") }

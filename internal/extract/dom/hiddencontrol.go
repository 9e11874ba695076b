package dom

import (
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file finds hidden text that a person reaches: behind a tab, a button, a slide
// or an answer to a question.

// behindControl reports whether a hidden element is what a control of the page
// shows: what stands behind a button, or what a control names by its identifier.
func (f *hiddenFinder) behindControl(n *html.Node, class string, why css.Reason) bool {
	if n.DataAtom == atom.Dialog || HasAttr(n, "popover") {
		return false
	}
	switch why {
	case css.Display, css.Visibility, css.Opacity, css.Size:
		if f.besideControl(n, collapsible(n)) {
			return true
		}
	}
	id := Attr(n, "id")
	return id != "" && f.isControlled(id)
}

// looksControlled reports whether a hidden element has a name or a place that
// elements have which a control shows, though no control was found: a tab panel, a
// part of an accordion, a slide, content that React streams.
func (f *hiddenFinder) looksControlled(n *html.Node, class string, why css.Reason) bool {
	if n.DataAtom == atom.Dialog || HasAttr(n, "popover") {
		return false
	}
	if Attr(n, "role") == "tabpanel" || strings.HasPrefix(Attr(n, "id"), streamed) || isPanel(class) {
		return true
	}
	switch why {
	case css.Display, css.Visibility, css.Opacity, css.Size:
		return isSlide(n, class)
	}
	return false
}

// isPanel reports whether a class is one of the established names for what a
// tab or an accordion shows.
func isPanel(class string) bool {
	for c := range strings.FieldsSeq(class) {
		switch strings.ToLower(c) {
		case "tab-pane", "tab-content", "tabpanel", "tab-panel", "accordion-collapse", "accordion-content", "accordion-body", "accordion-panel", "collapse", "panel-collapse":
			return true
		}
	}
	return false
}

// isControlled reports whether a control of the page names an identifier.
func (f *hiddenFinder) isControlled(id string) bool {
	f.findControls()
	return f.controls[id]
}

// hasTabs reports whether the page has a tab.
func (f *hiddenFinder) hasTabs() bool {
	f.findControls()
	return f.tabs
}

func (f *hiddenFinder) findControls() {
	if f.controls != nil {
		return
	}
	f.controls = map[string]bool{}
	for c := range Below(f.body) {
		for i := range c.Attr {
			switch a := &c.Attr[i]; a.Key {
			case "aria-controls", "data-target", "data-bs-target":
				f.controls[strings.TrimPrefix(strings.TrimSpace(a.Val), "#")] = true
			case "role":
				f.tabs = f.tabs || a.Val == "tab"
			case "href":
				if len(a.Val) > 1 && a.Val[0] == '#' && Attr(c, "role") == "tab" {
					f.controls[a.Val[1:]] = true
				}
			}
		}
	}
}

// collapsible reports whether the attributes of an element name it as something
// that folds.
func collapsible(n *html.Node) bool {
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key != "class" && a.Key != "id" && !strings.HasPrefix(a.Key, "data-") || len(a.Val) > 500 {
			continue
		}
		if foldNames().In(strings.ToLower(a.Val)) {
			return true
		}
	}
	return false
}

var foldNames = sync.OnceValue(func() *Finder {
	return NewFinder("accordi", "collaps", "expand", "faq", "answer", "toggle", "readmore", "read-more", "show-more")
})

// besideControl reports whether the element before n, or before its wrapper,
// is a control: a button or the like with a short label and nothing else. For
// what its own names call collapsible, a label before or behind it will do.
func (f *hiddenFinder) besideControl(n *html.Node, collapsible bool) bool {
	for range 2 {
		prev := sibling(n, func(n *html.Node) *html.Node { return n.PrevSibling })
		if prev != nil && f.isThere(prev) && isControl(prev, collapsible) {
			return true
		}
		if collapsible {
			if next := sibling(n, func(n *html.Node) *html.Node { return n.NextSibling }); next != nil && f.isThere(next) && isControl(next, true) {
				return true
			}
		}
		if n = n.Parent; prev != nil || n == nil || n.DataAtom == atom.Body {
			return false
		}
	}
	return false
}

// isThere reports whether something of an element is in sight, as far as a browser has
// judged it.
func (f *hiddenFinder) isThere(n *html.Node) bool {
	return !f.followsBrowser() || f.unseen[n].Why == css.InSight
}

// sibling returns the next element in a direction that can show text.
func sibling(n *html.Node, next func(*html.Node) *html.Node) *html.Node {
	for n = next(n); n != nil && (n.Type != html.ElementNode || IsDropped(n.DataAtom)); n = next(n) {
	}
	return n
}

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

// maxLabel is the longest label of a control, in bytes.
const maxLabel = 300

// isControl reports whether an element has a short text and, unless any label
// will do, a button in it that has most of that text.
func isControl(n *html.Node, anyLabel bool) bool {
	all, inside, steps := 0, 0, 0
	var walk func(n *html.Node, in bool)
	walk = func(n *html.Node, in bool) {
		if steps++; steps > 100 || all > maxLabel {
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

// leadsNowhere reports whether an address only gives scripts something to
// listen to.
func leadsNowhere(href string) bool {
	return href == "#" || len(href) >= 11 && strings.EqualFold(href[:11], "javascript:")
}

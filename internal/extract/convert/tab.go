package convert

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Tabs. Pages write all labels in a row before the panels: each is moved to its panel.
// A label and a panel belong together by identifiers, or by their order where there are
// as many of both, e.g. <label for="tab-1"> in one element and the panels in the next.

// tabSurvey knows the tabs of the page, each with its panel.
type tabSurvey struct {
	made   bool
	labels map[*html.Node]string // by panel
	panels map[*html.Node]bool   // tabs with a panel
	rows   map[*html.Node]bool   // of labels that were looked at
}

func (s *tabSurvey) make(root *html.Node) {
	s.made = true
	s.labels, s.panels = map[*html.Node]string{}, map[*html.Node]bool{}
	s.rows = map[*html.Node]bool{}
	var all, tabs, panels []*html.Node
	byID := map[string]*html.Node{} // panels
	for n := range dom.Below(root) {
		if len(n.Attr) == 0 {
			continue
		}
		role := dom.Attr(n, "role")
		switch {
		case role == "tab":
			if len(panels) > 0 { // the next set of tabs
				s.inOrder(tabs, panels)
				tabs, panels = nil, nil
			}
			tabs, all = append(tabs, n), append(all, n)
		case role == "tabpanel":
			panels = append(panels, n)
			for _, key := range [...]string{"id", "aria-labelledby"} {
				if id := dom.Attr(n, key); id != "" && byID[key+id] == nil {
					byID[key+id] = n
				}
			}
		case n.DataAtom == atom.Label && dom.HasAttr(n, "for"):
			s.labelRow(n)
		}
	}
	s.inOrder(tabs, panels)
	for _, t := range all {
		panel := byID["aria-labelledby"+dom.Attr(t, "id")]
		for _, key := range [...]string{"aria-controls", "href", "data-bs-target", "data-target"} {
			if id := strings.TrimPrefix(dom.Attr(t, key), "#"); id != "" && panel == nil {
				panel = byID["id"+id]
			}
		}
		s.join(t, panel)
	}
}

// inOrder joins several tabs with as many panels.
func (s *tabSurvey) inOrder(tabs, panels []*html.Node) {
	if len(tabs) < 2 || len(tabs) != len(panels) {
		return
	}
	for i, t := range tabs {
		s.join(t, panels[i])
	}
}

// labelRow joins the labels of a row of radio buttons with the panels in the element
// after it.
func (s *tabSurvey) labelRow(label *html.Node) {
	row := label.Parent
	if s.rows[row] {
		return
	}
	s.rows[row] = true
	var labels, panels []*html.Node
	for k := range row.ChildNodes() {
		switch {
		case k.DataAtom == atom.Label:
			labels = append(labels, k)
		case k.Type == html.ElementNode && k.DataAtom != atom.Input || dom.IsWordy(k):
			return
		}
	}
	next := nextElement(row)
	if next == nil {
		return
	}
	for k := range next.ChildNodes() {
		if k.Type == html.ElementNode {
			panels = append(panels, k)
		}
	}
	s.inOrder(labels, panels)
}

// join gives a panel the label of its tab. An accordion has each label directly before its panel.
func (s *tabSurvey) join(tab, panel *html.Node) {
	if panel == nil || s.labels[panel] != "" {
		return
	}
	for up := panel.Parent; up != nil; up = up.Parent {
		if up == tab { // the item of an accordion
			return
		}
	}
	if label := text.Line(dom.NodeText(tab, 2*labelBytes)); label != "" && len(label) <= labelBytes && nextElement(tab) != panel {
		s.labels[panel], s.panels[tab] = label, true
	}
}

// tab converts a tab or a panel that belong together, and reports whether n is one: the
// label of the tab is above its panel, unless the panel begins with it.
func (c *converter) tab(n *html.Node, v dom.Choice) bool {
	if c.only > 0 {
		return false
	}
	if !c.tabs.made {
		c.tabs.make(c.root)
	}
	if c.tabs.panels[n] {
		return true
	}
	label := c.tabs.labels[n]
	if label == "" || c.unmarked == n || c.deep() || strings.EqualFold(beginning(n), label) {
		return false
	}
	return c.grouped(n, v, label, dom.MarkOf(n))
}

// beginning returns the first text in n.
func beginning(n *html.Node) string {
	for k := range dom.Below(n) {
		if dom.IsWordy(k) {
			return text.Line(k.Data)
		}
	}
	return ""
}

// grouped converts n as a group with a label and a mark. It reports true.
func (c *converter) grouped(n *html.Node, v dom.Choice, label string, mark page.Mark) bool {
	blocks := c.within(func() {
		c.unmarked = n
		c.element(n, v)
	})
	if len(blocks) > 0 {
		c.add(page.Block{Kind: page.Group, Label: label, Children: blocks, Mark: mark})
	}
	return true
}

package convert

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
)

// This file puts the labels of tabs before what they show. Pages write all labels in a
// row before the panels, where each panel but the first would stand below the label of
// another one.

const mostLabel = 80 // bytes of a label

// tabSurvey knows the tabs of the page, each with its panel.
type tabSurvey struct {
	made   bool
	labels map[*html.Node]string // by panel
	panels map[*html.Node]bool   // tabs whose panel is on the page
}

func (s *tabSurvey) make(root *html.Node) {
	s.made = true
	panels := map[string]*html.Node{} // by identifier
	behind := map[*html.Node]*html.Node{}
	var tabs []*html.Node
	var last *html.Node // a tab or a panel
	for n := range dom.Below(root) {
		switch dom.Attr(n, "role") {
		case "tab":
			tabs, last = append(tabs, n), n
		case "tabpanel":
			behind[last], last = n, n
			for _, key := range [...]string{"id", "aria-labelledby"} {
				if id := dom.Attr(n, key); id != "" && panels[key+id] == nil {
					panels[key+id] = n
				}
			}
		}
	}
	s.labels, s.panels = map[*html.Node]string{}, map[*html.Node]bool{}
	for _, t := range tabs {
		panel := panels["aria-labelledby"+dom.Attr(t, "id")]
		for _, key := range [...]string{"aria-controls", "href", "data-bs-target", "data-target"} {
			if id := strings.TrimPrefix(dom.Attr(t, key), "#"); id != "" && panel == nil {
				panel = panels["id"+id]
			}
		}
		if panel == nil || behind[t] == panel { // an accordion has each label above its panel
			continue
		}
		if label := text.Line(dom.NodeText(t, mostLabel)); label != "" && s.labels[panel] == "" {
			s.labels[panel], s.panels[t] = label, true
		}
	}
}

// tab converts a tab or a panel that belong to each other, and reports whether n is one:
// the label of the tab stands above its panel, unless the panel begins with it.
func (c *converter) tab(n *html.Node, v dom.Choice) bool {
	role := dom.Attr(n, "role")
	if c.only > 0 || role != "tab" && role != "tabpanel" {
		return false
	}
	if !c.tabs.made {
		c.tabs.make(c.root)
	}
	if role == "tab" {
		return c.tabs.panels[n]
	}
	label := c.tabs.labels[n]
	if label == "" || c.unmarked == n || c.deep() || dom.HasPrefixFold(text.Line(dom.NodeText(n, 2*mostLabel)), label) {
		return false
	}
	return c.grouped(n, v, label, dom.MarkOf(n))
}

// grouped converts n as a group with a label and a mark. It reports true.
func (c *converter) grouped(n *html.Node, v dom.Choice, label string, mark page.Mark) bool {
	c.flush()
	saved := c.out
	c.out = nil
	c.depth++
	c.unmarked = n
	c.element(n, v)
	c.flush()
	c.depth--
	blocks := c.out
	c.out = saved
	if len(blocks) > 0 {
		c.add(page.Block{Kind: page.Group, Label: label, Children: blocks, Mark: mark})
	}
	return true
}

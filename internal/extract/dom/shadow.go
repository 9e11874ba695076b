package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// attachShadows puts the content of declarative shadow roots where browsers
// paint it: in place of the children of their hosts, which go into its slots
// or are not painted (HTML, section 4.12.3; DOM, section 4.2.2). It reports whether
// there were any.
func attachShadows(doc *html.Node) bool {
	var roots []*html.Node
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Template && n.Parent != nil && hostsShadow(n.Parent) {
			switch strings.ToLower(Attr(n, "shadowrootmode")) {
			case "open", "closed":
				roots = append(roots, n)
			}
		}
	}
	done := map[*html.Node]bool{}
	for _, root := range roots {
		host := root.Parent
		if host == nil || done[host] {
			continue // a host has one
		}
		done[host] = true
		light := map[string][]*html.Node{}
		for c := host.FirstChild; c != nil; {
			next := c.NextSibling
			host.RemoveChild(c)
			if c != root {
				slot := ""
				if c.Type == html.ElementNode {
					slot = Attr(c, "slot")
				}
				light[slot] = append(light[slot], c)
			}
			c = next
		}
		var slots []*html.Node
		for n := range root.Descendants() {
			if n.Type == html.ElementNode && n.DataAtom == atom.Slot {
				slots = append(slots, n)
			}
		}
		for _, slot := range slots {
			name := Attr(slot, "name")
			if !paints(light[name]) {
				continue // what the slot holds stays
			}
			for slot.FirstChild != nil {
				slot.RemoveChild(slot.FirstChild)
			}
			for _, c := range light[name] {
				slot.AppendChild(c)
			}
			delete(light, name)
		}
		for c := root.FirstChild; c != nil; c = root.FirstChild {
			root.RemoveChild(c)
			host.AppendChild(c)
		}
	}
	return len(done) > 0
}

// paints reports whether nodes are more than white space.
func paints(nodes []*html.Node) bool {
	for _, n := range nodes {
		if n.Type == html.ElementNode && n.DataAtom != atom.Template || n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			return true
		}
	}
	return false
}

// hostsShadow reports whether an element can have a shadow root.
func hostsShadow(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Div, atom.Footer, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Header, atom.Main, atom.Nav, atom.P, atom.Section, atom.Span:
		return true
	}
	return strings.IndexByte(n.Data, '-') > 0
}

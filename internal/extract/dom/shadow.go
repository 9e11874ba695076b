package dom

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// attachShadows puts the content of declarative shadow roots where browsers
// paint it: in place of the children of their hosts, which go into its slots
// or are not painted (HTML, section 4.12.3; DOM, section 4.2.2). It reports whether
// there were any.
func attachShadows(doc *html.Node) bool {
	done := map[*html.Node]bool{}
	for _, root := range shadowRoots(doc) {
		if host := root.Parent; host != nil {
			done[host] = true
			tree := strconv.Itoa(len(done))
			for n := range Below(root) {
				if n.Type == html.ElementNode {
					setOwnAttr(n, treeAttr, tree)
				}
			}
			attachShadow(host, root)
		}
	}
	if len(done) > 0 {
		setOwnAttr(Body(doc), treeAttr, "0") // for treesOf
	}
	return len(done) > 0
}

// treesOf returns the numbers of the shadow trees that elements are in, which
// attachShadows gave, or nil.
func treesOf(root *html.Node) map[*html.Node]int32 {
	if ownAttr(Body(root), treeAttr) == "" {
		return nil
	}
	var trees map[*html.Node]int32
	for n := nextNode(root, root); n != nil; n = nextNode(n, root) {
		if n.Type != html.ElementNode {
			continue
		}
		if v := ownAttr(n, treeAttr); v != "" {
			if trees == nil {
				trees = map[*html.Node]int32{}
			}
			tree, _ := strconv.Atoi(v)
			trees[n] = int32(tree)
		}
	}
	return trees
}

// shadowRoots lists the templates that are shadow roots: of an element, the first one.
func shadowRoots(doc *html.Node) (roots []*html.Node) {
	hosts := map[*html.Node]bool{}
	for n := range Below(doc) {
		if n.DataAtom == atom.Template && n.Parent != nil && hostsShadow(n.Parent) && !hosts[n.Parent] {
			switch strings.ToLower(Attr(n, "shadowrootmode")) {
			case "open", "closed":
				hosts[n.Parent] = true
				roots = append(roots, n)
			}
		}
	}
	return roots
}

// attachShadow puts the content of a shadow root into its host.
func attachShadow(host, root *html.Node) {
	light := map[string][]*html.Node{} // the children of the host by slot
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
	fillSlots(root, light)
	for c := root.FirstChild; c != nil; c = root.FirstChild {
		root.RemoveChild(c)
		host.AppendChild(c)
	}
}

// fillSlots puts nodes into the slots of a shadow root. What a slot holds stays
// where nothing that is painted comes.
func fillSlots(root *html.Node, light map[string][]*html.Node) {
	var slots []*html.Node
	for n := range Below(root) {
		if n.Type == html.ElementNode && n.DataAtom == atom.Slot {
			slots = append(slots, n)
		}
	}
	for _, slot := range slots {
		name := Attr(slot, "name")
		if !paints(light[name]) {
			continue
		}
		for slot.FirstChild != nil {
			slot.RemoveChild(slot.FirstChild)
		}
		for _, c := range light[name] {
			slot.AppendChild(c)
		}
		delete(light, name)
	}
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

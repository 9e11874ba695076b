package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// ReviveNoscript gives noscript elements of the body their parsed content when it is
// longer than everything else on the page, and reports whether it changed the
// tree. Lengths are characters without white space: visible is that of the rest
// of the page, measure returns that of an element.
func ReviveNoscript(body *html.Node, visible int, measure func(*html.Node) int) bool {
	revived := false
	for n := range Below(body) {
		if n.DataAtom != atom.Noscript || n.FirstChild == nil || n.FirstChild.Type != html.TextNode {
			continue
		}
		raw := n.FirstChild.Data
		if len(raw) < max(minNoscript, visible) {
			continue
		}
		nodes, err := html.ParseFragment(strings.NewReader(raw), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
		if err != nil {
			continue // nested too deeply: what can be seen has to do
		}
		n.RemoveChild(n.FirstChild)
		for _, c := range nodes {
			n.AppendChild(c)
		}
		chars := measure(n)
		if chars < minNoscript || chars <= visible {
			for n.FirstChild != nil {
				n.RemoveChild(n.FirstChild)
			}
			n.AppendChild(&html.Node{Type: html.TextNode, Data: raw})
			continue
		}
		revived = true
	}
	return revived
}

// IsRevived reports whether a noscript element holds parsed content.
func IsRevived(n *html.Node) bool {
	return n.DataAtom == atom.Noscript && n.FirstChild != nil &&
		(n.FirstChild.Type == html.ElementNode || n.FirstChild.NextSibling != nil)
}

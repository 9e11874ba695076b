package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// headFacts is what the features need of the head.
type headFacts struct {
	body               *html.Node
	title, description string
}

func readHead(doc *html.Node) headFacts {
	var h headFacts
	for n := doc.FirstChild; n != nil; n = n.NextSibling {
		if n.DataAtom != atom.Html {
			continue
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Head:
				for m := c.FirstChild; m != nil; m = m.NextSibling {
					switch m.DataAtom {
					case atom.Title:
						if h.title == "" && m.FirstChild != nil {
							h.title = m.FirstChild.Data
						}
					case atom.Meta:
						if n := attr(m, "name"); strings.EqualFold(n, "description") || attr(m, "property") == "og:description" {
							if d := attr(m, "content"); len(d) > len(h.description) {
								h.description = d
							}
						}
					}
				}
			case atom.Body:
				h.body = c
			}
		}
	}
	return h
}

func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

// splitURL returns the host without www. and the path with the query of an
// absolute URL; features need no more than that.
func splitURL(u string) (host, path string) {
	_, rest, ok := strings.Cut(u, "://")
	if !ok {
		return "", u
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest, path = rest[:i], rest[i:]
	}
	host, _, _ = strings.Cut(rest, ":")
	return strings.TrimPrefix(strings.ToLower(host), "www."), path
}

func hasAttr(n *html.Node, key string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return true
		}
	}
	return false
}

func hasToken(list, token string) bool {
	for t := range strings.FieldsSeq(list) {
		if strings.EqualFold(t, token) {
			return true
		}
	}
	return false
}

func isLD(t string) bool {
	return len(t) >= 19 && strings.EqualFold(t[:19], "application/ld+json")
}

func bodyOf(doc *html.Node) *html.Node {
	for n := range doc.ChildNodes() {
		if n.DataAtom == atom.Html {
			for c := range n.ChildNodes() {
				if c.DataAtom == atom.Body || c.DataAtom == atom.Frameset {
					return c
				}
			}
		}
	}
	return doc
}

// nodeText returns the text of an element, at most max bytes, with spaces
// where elements that are no part of a line begin.
func nodeText(n *html.Node, max int) string {
	var b strings.Builder
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode && d.Parent != nil && !dropped(d.Parent.DataAtom):
			b.WriteString(d.Data)
		case d.Type == html.ElementNode && (d.DataAtom == atom.Br || !isInline(d.DataAtom)):
			b.WriteByte(' ')
		}
		if b.Len() > max {
			break
		}
	}
	return b.String()
}

func headingLevel(n *html.Node) uint8 {
	switch n.DataAtom {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

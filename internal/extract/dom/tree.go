package dom

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Head is what the features need of the head.
type Head struct {
	Body               *html.Node
	Title, Description string
}

// ReadHead looks for the body, the title and the longest description.
func ReadHead(doc *html.Node) Head {
	var h Head
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
						if h.Title == "" && m.FirstChild != nil {
							h.Title = m.FirstChild.Data
						}
					case atom.Meta:
						if n := Attr(m, "name"); strings.EqualFold(n, "description") || Attr(m, "property") == "og:description" {
							if d := Attr(m, "content"); len(d) > len(h.Description) {
								h.Description = d
							}
						}
					}
				}
			case atom.Body:
				h.Body = c
			}
		}
	}
	return h
}

// Following returns the node after n in the order of the document, or nil behind the last
// one below root.
func Following(n, root *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	return behind(n, root)
}

// behind is Following without what is in n.
func behind(n, root *html.Node) *html.Node {
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

// Below walks over all nodes below root, in the order of the document. It takes half the time
// of [html.Node.Descendants], which calls itself for each level.
func Below(root *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for n := root.FirstChild; n != nil && yield(n); n = Following(n, root) {
		}
	}
}

// Attr returns the value of an attribute, or "".
func Attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

// HostAndPath returns the host without www. and the path with the query of an
// absolute URL; features need no more than that.
func HostAndPath(u string) (host, path string) {
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

// HasAttr reports whether an element has an attribute, be it empty.
func HasAttr(n *html.Node, key string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return true
		}
	}
	return false
}

// HasToken reports whether a list that white space separates, such as a class
// attribute, holds a token in any case.
func HasToken(list, token string) bool {
	for t := range strings.FieldsSeq(list) {
		if strings.EqualFold(t, token) {
			return true
		}
	}
	return false
}

// IsJSONLD reports whether the type attribute of a script says JSON-LD.
func IsJSONLD(t string) bool {
	return len(t) >= 19 && strings.EqualFold(t[:19], "application/ld+json")
}

// Body returns the body or frameset of a document, or the document where there
// is neither.
func Body(doc *html.Node) *html.Node {
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

// NodeText returns the text of an element, at most max bytes, with spaces
// where elements that are not part of a line begin, and between numbers of different
// elements.
func NodeText(n *html.Node, max int) string {
	var b strings.Builder
	for d := range Below(n) {
		switch {
		case d.Type == html.TextNode && d.Parent != nil && !IsDropped(d.Parent.DataAtom):
			if s := b.String(); s != "" && d.Data != "" && isDigit(s[len(s)-1]) && isDigit(d.Data[0]) {
				b.WriteByte(' ')
			}
			b.WriteString(d.Data)
		case d.Type == html.ElementNode && (d.DataAtom == atom.Br || !IsInline(d.DataAtom)):
			b.WriteByte(' ')
		}
		if b.Len() > max {
			break
		}
	}
	return b.String()
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// HeadingLevel returns 1 to 6 for h1 to h6, and 0 for other elements.
func HeadingLevel(n *html.Node) uint8 {
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

// Element makes an element; class may be empty.
func Element(a atom.Atom, class string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
	if class != "" {
		n.Attr = []html.Attribute{{Key: "class", Val: class}}
	}
	return n
}

// Leaf makes an element that holds one text, in which entities are undone.
func Leaf(a atom.Atom, class, text string) *html.Node {
	n := Element(a, class)
	n.AppendChild(&html.Node{Type: html.TextNode, Data: html.UnescapeString(text)})
	return n
}

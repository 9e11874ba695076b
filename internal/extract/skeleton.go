package extract

import (
	"bytes"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Skeleton returns the markup of a page as somebody needs it who writes selectors: tags
// with the attributes that selectors use, the beginning of each text, and of many similar
// siblings the first three. Scripts, styles and drawings are left out.
func Skeleton(body string) string {
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		return ""
	}
	s := skeleton{left: 200_000}
	s.children(doc, 0)
	return s.b.String()
}

type skeleton struct {
	b    bytes.Buffer
	left int // nodes
}

const (
	skeletonDepth   = 60
	skeletonText    = 60 // characters of a text
	skeletonValue   = 80 // bytes of an attribute
	similarSiblings = 3
)

func (s *skeleton) children(n *html.Node, depth int) {
	similar := map[string]int{}
	for c := n.FirstChild; c != nil && s.left > 0 && depth < skeletonDepth; c = c.NextSibling {
		s.left--
		switch c.Type {
		case html.TextNode:
			if line := text.Line(c.Data); line != "" {
				s.b.WriteString(html.EscapeString(text.Cut(line, skeletonText)))
			}
		case html.ElementNode:
			switch c.DataAtom {
			case atom.Script, atom.Style, atom.Svg, atom.Noscript, atom.Template, atom.Iframe, atom.Link:
				continue
			case atom.Html, atom.Head, atom.Body:
				s.children(c, depth)
				continue
			}
			kind := c.Data + " " + dom.Attr(c, "class")
			if similar[kind]++; similar[kind] > similarSiblings {
				continue
			}
			s.element(c, depth)
		}
	}
	more := 0
	for _, n := range similar {
		more += max(n-similarSiblings, 0)
	}
	if more > 0 {
		s.b.WriteString("<!-- " + text.Count(more, "similar element") + " more -->")
	}
}

func (s *skeleton) element(n *html.Node, depth int) {
	s.b.WriteString("\n" + strings.Repeat(" ", min(depth, 10)) + "<" + n.Data)
	for _, a := range n.Attr {
		switch {
		case a.Key == "id", a.Key == "class", a.Key == "itemprop", a.Key == "itemtype", a.Key == "property", a.Key == "name", a.Key == "rel", a.Key == "role", a.Key == "datetime", a.Key == "content", a.Key == "href", a.Key == "src",
			strings.HasPrefix(a.Key, "data-"), strings.HasPrefix(a.Key, "aria-label"):
			s.b.WriteString(" " + a.Key + `="` + html.EscapeString(text.CutBytes(a.Val, skeletonValue)) + `"`)
		}
	}
	s.b.WriteByte('>')
	s.children(n, depth+1)
	if n.FirstChild != nil {
		s.b.WriteString("</" + n.Data + ">")
	}
}

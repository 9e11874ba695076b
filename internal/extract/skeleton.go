package extract

import (
	"bytes"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Skeleton returns the markup of a page, as [Fill] sees it, for somebody who writes
// selectors, in at most so many bytes: tags with the attributes that selectors use, the beginning of each
// text, and of siblings that are built alike the first three. Scripts, styles, drawings,
// navigation and footers are left out. Where that is too long, it is the part around the
// first heading.
func Skeleton(body string, most int) string {
	r := reading{}
	if r.see([]byte(body)) != nil {
		return ""
	}
	defer r.seg.Release()
	s := skeleton{left: 200_000, heading: -1}
	s.children(r.doc, 0)
	out, from := s.b.String(), 0
	if len(out) > most {
		from = max(0, min(s.heading-most/8, len(out)-most))
		from += max(strings.IndexByte(out[from:], '\n'), 0)
	}
	return text.CutBytes(out[from:], most)
}

type skeleton struct {
	b       bytes.Buffer
	left    int // nodes
	heading int // the place of the first h1; -1: none yet
}

const (
	skeletonDepth   = 60
	skeletonText    = 60 // characters of a text
	skeletonValue   = 80 // bytes of an attribute that names something
	skeletonOther   = 24 // of another one
	similarSiblings = 3
)

func (s *skeleton) children(n *html.Node, depth int) {
	similar := map[string]int{}
	more := 0
	for c := n.FirstChild; c != nil && s.left > 0 && depth < skeletonDepth; c = c.NextSibling {
		s.left--
		switch {
		case c.Type == html.TextNode:
			if line := text.Line(c.Data); line != "" {
				s.b.WriteString(html.EscapeString(text.Cut(line, skeletonText)))
			}
		case c.Type != html.ElementNode || useless(c):
		case c.DataAtom == atom.Html || c.DataAtom == atom.Head || c.DataAtom == atom.Body:
			s.children(c, depth)
		default:
			kind := shape(c)
			if similar[kind]++; similar[kind] > similarSiblings {
				more++
				continue
			}
			s.element(c, depth)
		}
	}
	if more > 0 {
		s.b.WriteString("<!-- " + text.Count(more, "similar element") + " more -->")
	}
}

// useless reports whether nobody writes selectors for an element.
func useless(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Svg, atom.Noscript, atom.Template, atom.Iframe, atom.Link, atom.Option, atom.Dialog, atom.Nav, atom.Footer:
		return true
	case atom.Meta:
		return dom.Attr(n, "property") == "" && dom.Attr(n, "itemprop") == "" && dom.Attr(n, "name") != "description"
	case atom.Div, atom.Span:
		if n.FirstChild == nil && len(n.Attr) == 0 {
			return true
		}
	}
	role := dom.Attr(n, "role")
	return role == "navigation" || role == "contentinfo" || role == "dialog"
}

// shape is what siblings that are built alike have in common. Elements without a class are
// alike if their children are.
func shape(n *html.Node) string {
	kind := n.Data + " " + dom.Attr(n, "class") + dom.Attr(n, "itemprop") + dom.Attr(n, "property")
	if len(kind) > len(n.Data)+1 {
		return kind
	}
	for c := n.FirstChild; c != nil && len(kind) < skeletonValue; c = c.NextSibling {
		if c.Type == html.ElementNode {
			kind += " " + c.Data + "." + dom.Attr(c, "class")
		}
	}
	if id := dom.Attr(n, "id"); id != "" && n.DataAtom != atom.Li && n.DataAtom != atom.Tr {
		kind += "#" + id
	}
	return kind
}

func (s *skeleton) element(n *html.Node, depth int) {
	if n.DataAtom == atom.H1 && s.heading < 0 {
		s.heading = s.b.Len()
	}
	s.b.WriteString("\n" + strings.Repeat(" ", min(depth, 10)) + "<" + n.Data)
	for _, a := range n.Attr {
		size := skeletonOther
		switch a.Key {
		case "id", "class", "itemprop", "itemtype", "property", "name", "content", "datetime":
			size = skeletonValue
		case "rel", "role", "href", "src":
		default:
			if !strings.HasPrefix(a.Key, "data-") && !strings.HasPrefix(a.Key, "aria-label") {
				continue
			}
		}
		s.b.WriteString(" " + a.Key + `="` + html.EscapeString(text.CutBytes(a.Val, size)) + `"`)
	}
	s.b.WriteByte('>')
	s.children(n, depth+1)
	if n.FirstChild != nil {
		s.b.WriteString("</" + n.Data + ">")
	}
}

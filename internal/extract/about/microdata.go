package about

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// scope is the items that an element belongs to: one of microdata, one of RDFa.
type scope struct{ micro, rdfa *Item }

// marks are the attributes of microdata and RDFa of an element.
type marks struct {
	itemscope, typeof  bool
	types              string
	itemprop, property string
}

func marksOf(n *html.Node) (m marks, ok bool) {
	for i := range n.Attr {
		switch v := n.Attr[i].Val; n.Attr[i].Key {
		case "itemscope":
			m.itemscope, ok = true, true
		case "itemprop":
			m.itemprop, ok = v, true
		case "typeof":
			m.typeof, m.types, ok = true, v, true
		case "property":
			m.property, ok = v, true
		}
	}
	if m.itemscope {
		m.types = dom.Attr(n, "itemtype")
	}
	return m, ok
}

// element adds what an element says in microdata and RDFa, and returns the scope of
// its children.
func (r *reader) element(n *html.Node, s scope) scope {
	m, ok := marksOf(n)
	if !ok {
		return s
	}
	s.micro = r.mark(n, s.micro, Microdata, m.itemscope, m.types, m.itemprop, "itemid")
	s.rdfa = r.mark(n, s.rdfa, RDFa, m.typeof, m.types, m.property, "resource", "about")
	return s
}

// mark adds the item or the members of an element to the item that it belongs to, and
// returns the item of its children.
func (r *reader) mark(n *html.Node, in *Item, source string, isItem bool, types, names string, ids ...string) *Item {
	g := r.graph
	if !isItem {
		if in != nil && names != "" {
			s := g.bounded(r.valueOf(n, names))
			for name := range strings.FieldsSeq(names) {
				g.add(in, name, Value{Text: s})
			}
		}
		return in
	}
	it := g.newItem(source, strings.Fields(types)...)
	if it == nil {
		return in
	}
	for _, id := range ids {
		if id = dom.Attr(n, id); it.ID == "" && id != "" {
			g.named(it, id)
		}
	}
	if in == nil || strings.TrimSpace(names) == "" {
		g.Items = append(g.Items, it)
	}
	for name := range strings.FieldsSeq(names) {
		if in != nil {
			g.add(in, name, Value{Item: it})
		}
	}
	return it
}

// valueAttrs are the attributes that have the value of an element.
var valueAttrs = map[atom.Atom]string{
	atom.Link: "href", atom.Img: "src", atom.Audio: "src", atom.Embed: "src", atom.Iframe: "src", atom.Source: "src", atom.Video: "src",
	atom.Object: "data", atom.Data: "value", atom.Meter: "value", atom.Time: "datetime",
}

// valueOf is the value of an element: an attribute, or its text. Of a link it is the
// URL only for members that are URLs.
func (r *reader) valueOf(n *html.Node, names string) string {
	s := dom.FirstNonBlank(dom.Attr(n, "content"), dom.Attr(n, valueAttrs[n.DataAtom]))
	switch isLink := n.DataAtom == atom.A || n.DataAtom == atom.Area; {
	case s != "" || n.DataAtom == atom.Meta:
	case isLink && isURLMember(names):
		s = dom.Attr(n, "href")
	default:
		if s = strings.TrimSpace(r.textOf(n)); s == "" && isLink {
			s = dom.Attr(n, "href")
		}
	}
	return s
}

// isURLMember reports whether the values of a member are URLs.
func isURLMember(names string) bool {
	for name := range strings.FieldsSeq(names) {
		switch plainName(name) {
		case "url", "availability", "itemCondition", "sameAs", "image", "contentUrl", "embedUrl", "thumbnailUrl", "mainEntityOfPage":
			return true
		}
	}
	return false
}

// textOf is the text of an element, about maxText bytes of it.
func (r *reader) textOf(n *html.Node) string {
	var b strings.Builder
	for k := range dom.Below(n) {
		if r.textNodes++; r.textNodes > maxTextNodes {
			r.graph.Cut = true
			break
		}
		switch {
		case k.Type == html.TextNode && !dom.IsDropped(k.Parent.DataAtom):
			b.WriteString(k.Data)
		case k.Type == html.ElementNode && (k.DataAtom == atom.Br || !dom.IsInline(k.DataAtom)):
			b.WriteByte(' ')
		}
		if b.Len() > maxText {
			break
		}
	}
	return b.String()
}

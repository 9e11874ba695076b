package pagedata

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxTextNodes bounds the nodes that are looked at for the texts of members: members
// within members would each read the same text again.
const maxTextNodes = 500_000

// elements reads microdata and RDFa in one walk.
type elements struct {
	data  *Data
	nodes int // of texts, that may still be looked at
}

func (d *Data) readElements(doc *html.Node) {
	e := &elements{data: d, nodes: maxTextNodes}
	e.walk(doc, nil, nil)
}

// walk reads the children of n. micro and rdfa are the items that n belongs to.
func (e *elements) walk(n *html.Node, micro, rdfa *Item) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode {
			continue
		}
		if k.DataAtom == atom.Meta {
			e.data.property(k)
		}
		if k.DataAtom == atom.Script || k.DataAtom == atom.Style || k.DataAtom == atom.Template {
			continue
		}
		m, r := micro, rdfa
		if names, typ, ok := marks(k); ok {
			m = e.item(k, names, typ, micro)
			r = e.resource(k, names, typ, rdfa)
		}
		// The parser bounds the levels of a tree.
		if k.FirstChild != nil {
			e.walk(k, m, r)
		}
	}
}

// attributes are those of microdata and RDFa.
type attributes struct{ scope, prop, property string }

// marks returns what an element says, and its type; ok is false for most elements.
func marks(n *html.Node) (a attributes, types string, ok bool) {
	scope := false
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "itemscope":
			a.scope, scope, ok = "itemscope", true, true
		case "itemtype":
			types = n.Attr[i].Val
		case "itemprop":
			a.prop, ok = n.Attr[i].Val, true
		case "typeof":
			if !scope {
				types = n.Attr[i].Val
			}
			a.scope, ok = "typeof", true
		case "property":
			a.property, ok = n.Attr[i].Val, true
		}
	}
	return a, types, ok
}

// item reads the microdata of an element, and returns the item that its children
// belong to.
func (e *elements) item(n *html.Node, a attributes, types string, in *Item) *Item {
	if a.scope != "itemscope" {
		if in != nil && a.prop != "" {
			e.text(in, a.prop, n)
		}
		return in
	}
	it := e.data.newItem(Microdata, strings.Fields(types))
	if it == nil {
		return in
	}
	e.data.named(it, dom.Attr(n, "itemid"))
	return e.put(it, in, a.prop)
}

// resource does the same for RDFa.
func (e *elements) resource(n *html.Node, a attributes, types string, in *Item) *Item {
	if a.scope != "typeof" {
		if in != nil && a.property != "" {
			e.text(in, a.property, n)
		}
		return in
	}
	it := e.data.newItem(RDFa, strings.Fields(types))
	if it == nil {
		return in
	}
	e.data.named(it, dom.FirstNonBlank(dom.Attr(n, "resource"), dom.Attr(n, "about")))
	return e.put(it, in, a.property)
}

// put makes an item a value of another one, or one of the page.
func (e *elements) put(it, in *Item, names string) *Item {
	if in == nil || strings.TrimSpace(names) == "" {
		e.data.Items = append(e.data.Items, it)
		return it
	}
	for name := range strings.FieldsSeq(names) {
		e.data.add(in, name, Value{Item: it})
	}
	return it
}

// text adds the text of an element as a member: that of an attribute where the
// element has its value there.
func (e *elements) text(it *Item, names string, n *html.Node) {
	s := dom.Attr(n, "content")
	if s == "" {
		switch n.DataAtom {
		case atom.A, atom.Area, atom.Link:
			s = dom.Attr(n, "href")
			if t := strings.TrimSpace(e.textOf(n)); t != "" && !isAddress(names) {
				s = t // the name of what the link leads to
			}
		case atom.Img, atom.Audio, atom.Embed, atom.Iframe, atom.Source, atom.Video:
			s = dom.Attr(n, "src")
		case atom.Object:
			s = dom.Attr(n, "data")
		case atom.Data, atom.Meter:
			s = dom.Attr(n, "value")
		case atom.Time:
			s = dom.Attr(n, "datetime")
		}
	}
	if s == "" && !isMeta(n.DataAtom) {
		s = e.textOf(n)
	}
	s = e.data.clean(s)
	for name := range strings.FieldsSeq(names) {
		e.data.add(it, name, Value{Text: s})
	}
}

// isAddress reports whether a member is an address by its name.
func isAddress(names string) bool {
	for name := range strings.FieldsSeq(names) {
		switch plainName(name) {
		case "url", "availability", "itemCondition", "sameAs", "image", "contentUrl", "embedUrl", "thumbnailUrl", "mainEntityOfPage":
			return true
		}
	}
	return false
}

// textOf is the text of an element, at most maxText bytes of it.
func (e *elements) textOf(n *html.Node) string {
	var b strings.Builder
	for k := range dom.Below(n) {
		if e.nodes--; e.nodes < 0 {
			e.data.Cut = true
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

package convert

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// list converts ul, ol, menu and dir. Content of a list outside of items becomes an
// item; a list directly in a list belongs to the item before it.
func (c *converter) list(n *html.Node, v dom.Choice) {
	if c.only > 0 || c.deep() {
		c.block(n, v)
		return
	}
	c.flush()
	w := listWriter{converter: c, outer: c.out, block: page.Block{Kind: page.List, Ordered: n.DataAtom == atom.Ol}}
	if w.block.Ordered {
		w.block.Start = 1
		w.start(dom.Attr(n, "start"))
	}
	c.out = nil
	c.depth++
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		w.child(k, v)
	}
	w.stray()
	c.depth--
	c.out = w.outer
	for i := range w.items {
		if len(w.items[i].Children) > 0 || c.o.Empty {
			w.block.Children = w.items
			c.out = append(c.out, w.block)
			return
		}
	}
}

// listWriter collects the items of one list.
type listWriter struct {
	*converter
	outer []page.Block // the blocks around the list
	block page.Block
	items []page.Block
	own   bool // one item of the list's own is there
}

// start takes the number of the first item from an attribute.
func (w *listWriter) start(s string) {
	if i, err := strconv.Atoi(strings.TrimSpace(s)); err == nil && i >= 0 && i <= maxListStart {
		w.block.Start = i
	}
}

// stray makes an item of the blocks of the list that are outside of items.
func (w *listWriter) stray() {
	w.flush()
	if len(w.out) == 0 {
		return
	}
	blocks := w.out
	w.out = nil
	if len(blocks) == 1 && blocks[0].Kind == page.List && len(w.items) == 0 {
		w.items = append(w.items, blocks[0].Children...) // wrapped items, or nothing but a list
		return
	}
	w.items = append(w.items, page.Block{Kind: page.Item, Children: blocks})
}

func (w *listWriter) child(k *html.Node, v dom.Choice) {
	switch k.DataAtom {
	case atom.Li:
		if w.tabs.panels[k] {
			return // its label is above its panel
		}
		if kv := w.asked(k, v); kv != dom.DropAll {
			w.li(k, kv)
		}
	case atom.Ul, atom.Ol:
		w.stray()
		w.node(k, v)
		w.flush()
		if len(w.items) > 0 && len(w.out) > 0 {
			last := &w.items[len(w.items)-1]
			last.Children = append(last.Children, w.out...)
			w.out = nil
		}
	default:
		w.node(k, v)
	}
}

func (w *listWriter) li(k *html.Node, v dom.Choice) {
	w.stray()
	if label, ok := w.noteLabel(k); ok {
		w.footnote(k, v, label, &w.outer)
		return
	}
	if !w.own && w.block.Ordered {
		w.start(dom.Attr(k, "value"))
	}
	it, ok := w.item(k, v)
	if !ok {
		return
	}
	w.own = true
	w.block.Loose = w.block.Loose || hasParagraph(k)
	w.items = append(w.items, it)
}

// item converts one li. An item with only unreadable content is dropped; an empty
// item stays, so that the numbers of a list do not change.
func (c *converter) item(n *html.Node, v dom.Choice) (page.Block, bool) {
	it := page.Block{Kind: page.Item}
	c.flush()
	saved := c.check
	c.check = &it.Check
	it.Children = c.contained(n, v)
	c.check = saved
	if len(it.Children) == 0 {
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			if k.Type == html.ElementNode {
				return it, c.emptied(n)
			}
		}
	}
	return it, true
}

func hasParagraph(n *html.Node) bool {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.DataAtom == atom.P && k.FirstChild != nil {
			return true
		}
	}
	return false
}

// strayItem converts an li outside a list: neighbours make a list together.
func (c *converter) strayItem(n *html.Node, v dom.Choice) {
	if c.only > 0 || c.deep() {
		c.block(n, v)
		return
	}
	c.flush()
	if label, ok := c.noteLabel(n); ok {
		c.footnote(n, v, label, &c.out)
		return
	}
	it, ok := c.item(n, v)
	if !ok || len(it.Children) == 0 {
		return
	}
	if k := len(c.out); k > 0 && c.out[k-1].Kind == page.List && prevElement(n) == atom.Li {
		c.out[k-1].Children = append(c.out[k-1].Children, it)
		return
	}
	c.out = append(c.out, page.Block{Kind: page.List, Children: []page.Block{it}, Loose: hasParagraph(n)})
}

// nextElement returns the element after n, over text and comments.
func nextElement(n *html.Node) *html.Node {
	i := 0
	for k := n.NextSibling; k != nil && i < maxSiblings; k, i = k.NextSibling, i+1 {
		if k.Type == html.ElementNode {
			return k
		}
	}
	return nil
}

func prevElement(n *html.Node) atom.Atom {
	for k := n.PrevSibling; k != nil; k = k.PrevSibling {
		if k.Type == html.ElementNode {
			return k.DataAtom
		}
	}
	return 0
}

// definitions converts a dl.
func (c *converter) definitions(n *html.Node, v dom.Choice) {
	if c.only > 0 || c.deep() {
		c.block(n, v)
		return
	}
	c.flush()
	saved := c.out
	c.out = nil
	c.depth++
	b := page.Block{Kind: page.DefinitionList}
	c.definitionParts(n, v, &b, &saved)
	c.depth--
	c.out = saved
	if len(b.Children) > 0 {
		c.out = append(c.out, b)
	}
}

func (c *converter) definitionParts(n *html.Node, v dom.Choice, b *page.Block, outer *[]page.Block) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode || unreadable(k.DataAtom) {
			if dom.IsWordy(k) {
				c.node(k, v)
				c.stray(b)
			}
			continue
		}
		kv := c.asked(k, v)
		if kv == dom.DropAll {
			continue
		}
		switch k.DataAtom {
		case atom.Dt:
			if dd := nextElement(k); dd != nil && c.notes.texts[dd] != "" {
				continue // the number of a footnote
			}
			if hasCode(k) {
				c.children(k, kv)
				c.stray(b)
			} else if in := c.inlineContent(k, kv); len(in) > 0 {
				b.Children = append(b.Children, page.Block{Kind: page.Term, Inlines: in, ID: text.Line(dom.Attr(k, "id"))})
			}
		case atom.Dd:
			if label, ok := c.noteLabel(k); ok {
				c.footnote(k, kv, label, outer)
				continue
			}
			if blocks := c.contained(k, kv); len(blocks) > 0 {
				b.Children = append(b.Children, page.Block{Kind: page.Definition, Children: blocks})
			}
		case atom.Div:
			c.definitionParts(k, kv, b, outer)
		default:
			c.element(k, kv)
			c.stray(b)
		}
	}
}

// hasCode reports whether a term is code of several lines, which one line cannot have.
func hasCode(dt *html.Node) bool {
	for n := range dt.ChildNodes() {
		if n.DataAtom == atom.Pre {
			return strings.Contains(strings.TrimSpace(dom.NodeText(n, lookBytes)), "\n")
		}
	}
	return false
}

// stray makes a definition of the content of a dl that is outside of dd.
func (c *converter) stray(b *page.Block) {
	c.flush()
	if len(c.out) > 0 {
		b.Children = append(b.Children, page.Block{Kind: page.Definition, Children: c.out})
		c.out = nil
	}
}

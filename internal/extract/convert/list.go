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

// list converts ul, ol, menu and dir. What stands in a list without an item
// becomes one; a list directly in a list belongs to the item before it.
func (c *converter) list(n *html.Node, v dom.Choice) {
	if c.only > 0 || c.deep() {
		c.block(n, v)
		return
	}
	c.flush()
	b := page.Block{Kind: page.List, Ordered: n.DataAtom == atom.Ol}
	if b.Ordered {
		b.Start = 1
		if i, err := strconv.Atoi(strings.TrimSpace(dom.Attr(n, "start"))); err == nil && i >= 0 && i <= 999_999_999 {
			b.Start = i
		}
	}
	saved := c.out
	c.out = nil
	c.depth++
	var items []page.Block
	seen := false // an item of the list's own
	stray := func() {
		c.flush()
		if len(c.out) == 0 {
			return
		}
		blocks := c.out
		c.out = nil
		switch {
		case len(blocks) == 1 && blocks[0].Kind == page.List && len(items) == 0:
			// Wrapped items, or nothing but a list.
			items = append(items, blocks[0].Children...)
		default:
			items = append(items, page.Block{Kind: page.Item, Children: blocks})
		}
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch k.DataAtom {
		case atom.Li:
			kv := c.asked(k, v)
			if kv == dom.DropAll {
				continue
			}
			stray()
			if label, ok := c.noteLabel(k); ok {
				c.footnote(k, kv, label, &saved)
				continue
			}
			if !seen && b.Ordered {
				if i, err := strconv.Atoi(strings.TrimSpace(dom.Attr(k, "value"))); err == nil && i >= 0 && i <= 999_999_999 {
					b.Start = i
				}
			}
			it, ok := c.item(k, kv)
			if !ok {
				continue
			}
			seen = true
			b.Loose = b.Loose || hasParagraph(k)
			items = append(items, it)
		case atom.Ul, atom.Ol:
			stray()
			c.node(k, v)
			c.flush()
			if len(items) > 0 && len(c.out) > 0 {
				last := &items[len(items)-1]
				last.Children = append(last.Children, c.out...)
				c.out = nil
			}
		default:
			c.node(k, v)
		}
	}
	stray()
	c.depth--
	c.out = saved
	for i := range items {
		if len(items[i].Children) > 0 || c.o.Empty {
			b.Children = items
			c.out = append(c.out, b)
			return
		}
	}
}

// item converts one li. An item that held only what cannot be read is none;
// one that was written empty stays, for the numbers' sake.
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
			if in := c.inlineContent(k, kv); len(in) > 0 {
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

// stray makes what stands in a dl without dd a definition.
func (c *converter) stray(b *page.Block) {
	c.flush()
	if len(c.out) > 0 {
		b.Children = append(b.Children, page.Block{Kind: page.Definition, Children: c.out})
		c.out = nil
	}
}

package dom

import (
	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

// cover is an element that is placed over all that its containing block holds.
type cover struct {
	node, block *html.Node
	order       int // z-index
	as          page.Mark
}

// maxCovers bounds the covers of a page.
const maxCovers = 16

// noteCover notes the element that was entered last where it covers others.
func (f *hiddenFinder) noteCover(n *html.Node) {
	c, ok := f.view.Covers()
	if !ok || len(f.covers) >= maxCovers {
		return
	}
	as := page.NotShown
	if c.Picture {
		as = page.VisibilityUnknown
	}
	block := n
	for up := c.Block; up > 0 && block.Parent != nil && block != f.body; up-- {
		block = block.Parent
	}
	f.covers = append(f.covers, cover{n, block, c.Order, as})
}

// markCovered marks what covers hide. It is kept: whether scripts take the cover away,
// as they do with a splash screen, is not known.
func (f *hiddenFinder) markCovered(sheets *css.Sheets) {
	for _, c := range f.covers {
		view := sheets.View()
		var path []*html.Node
		for up := c.block; up != nil && up.Type == html.ElementNode; up = up.Parent {
			path = append(path, up)
		}
		for i := len(path) - 1; i >= 0; i-- {
			view.Push(path[i])
		}
		marked := c.mark(view, c.block, new(bool))
		if c.block == f.body {
			setMark(c.block, c.as)
			marked = true
		}
		f.unknown = f.unknown || marked && c.as == page.VisibilityUnknown
		if f.patience.Stop != nil && f.patience.Stop() != nil {
			return
		}
	}
}

// mark marks what is painted before the cover in an element that the view has entered;
// after is set behind the cover. It returns whether there was something to mark.
func (c cover) mark(view *css.View, in *html.Node, after *bool) (marked bool) {
	for n := in.FirstChild; n != nil; {
		next := n.NextSibling // a mark may put an element around n
		switch {
		case n == c.node:
			*after = true
		case n.Type == html.TextNode && IsWordy(n) && !IsDropped(in.DataAtom):
			setMark(n, c.as)
			marked = true
		case n.Type == html.ElementNode && !IsDropped(n.DataAtom):
			look := view.Push(n)
			positioned, order := view.Order()
			switch {
			case look.Why != css.InSight:
			case positioned && (order > c.order || order == c.order && *after):
			case isAbove(n, c.node):
				marked = c.mark(view, n, after) || marked
			default:
				setMark(n, c.as)
				marked = true
			}
			view.Pop()
		}
		n = next
	}
	return marked
}

// isAbove reports whether a node is an ancestor of another one.
func isAbove(n, of *html.Node) bool {
	for up := of.Parent; up != nil; up = up.Parent {
		if up == n {
			return true
		}
	}
	return false
}

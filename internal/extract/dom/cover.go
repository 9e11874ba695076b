package dom

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cover is an element, or a part of one, that is placed over all that its containing block
// holds.
type cover struct {
	css.Cover
	node, block *html.Node
	as          page.Mark
}

// maxCovers bounds the covers of a page.
const maxCovers = 16

// noteCovers notes what of the element that was entered last covers others.
func (f *hiddenFinder) noteCovers(n *html.Node) {
	f.view.Covers(func(c css.Cover) {
		if len(f.covers) >= maxCovers {
			return
		}
		as := page.NotShown
		if c.Picture || c.Floods || c.High > 0 || c.Lift > 0 || c.Cell != "" {
			as = page.VisibilityUnknown
		}
		block := n
		for up := c.Block; up > 0 && block.Parent != nil && block != f.body; up-- {
			block = block.Parent
		}
		f.covers = append(f.covers, cover{c, n, block, as})
	})
}

// isBacked reports whether a text in the colour of what is behind it stands before a cover
// of another colour.
func (f *hiddenFinder) isBacked(h hiddenNode, sheets *css.Sheets) bool {
	for _, c := range f.covers {
		if c.Lift == 0 && c.High == 0 && !c.Floods && c.Shows(h.look) && c.isBehind(sheets, h.node) {
			return true
		}
	}
	return false
}

// The elements around a text, and those in them, that are looked at for a picture.
const (
	mostAround = 4
	mostBeside = 300
)

// hasPictureBeside reports whether an element that shows a picture or another document
// stands near a node: the node may be placed over it.
func hasPictureBeside(n *html.Node) bool {
	steps := 0
	for range mostAround {
		if n = n.Parent; n == nil || n.DataAtom == atom.Body {
			return false
		}
		for c := range n.Descendants() {
			if steps++; steps > mostBeside {
				return false
			}
			if c.Type == html.ElementNode && css.IsReplaced(c.Data) {
				return true
			}
		}
	}
	return false
}

// isBehind reports whether the cover is painted before a node.
func (c cover) isBehind(sheets *css.Sheets, n *html.Node) bool {
	path := pathTo(n)
	inBlock, after, above := false, false, c.Order < 0
	view := sheets.View()
	for _, up := range path {
		if up == c.node && c.Part == css.Whole {
			return false // it is a part of the cover
		}
		view.Push(up)
		positioned, order := view.Order()
		switch {
		case inBlock && c.Cell != "":
			return c.passes(view, isBefore(c.node, up))
		case inBlock && positioned:
			after = after || c.Part == css.Before || c.Part == css.Whole && isBefore(c.node, up)
			above = above || order > c.Order || order == c.Order && after
		}
		inBlock = inBlock || up == c.block
	}
	return inBlock && above
}

// isBefore reports whether a node stands before another one in the order of the document.
func isBefore(n, other *html.Node) bool {
	above := pathTo(n)
	for up := other; up != nil; up = up.Parent {
		if i := slices.Index(above, up.Parent); i >= 0 && i+1 < len(above) {
			for c := above[i+1]; c != nil; c = c.NextSibling {
				if c == up {
					return true
				}
			}
			return false
		}
	}
	return false
}

// pathTo lists the elements around a node, and the node if it is one, from the root down.
func pathTo(n *html.Node) (path []*html.Node) {
	for up := n; up != nil; up = up.Parent {
		if up.Type == html.ElementNode {
			path = append(path, up)
		}
	}
	slices.Reverse(path)
	return path
}

// markCovered marks what covers hide. It is kept: whether scripts take the cover away,
// as they do with a splash screen, is not known.
func (f *hiddenFinder) markCovered(sheets *css.Sheets) {
	for _, c := range f.covers {
		if c.Order < 0 || c.Behind {
			continue
		}
		view := sheets.View()
		for _, up := range pathTo(c.block) {
			view.Push(up)
		}
		if c.Lift > 0 || c.High > 0 {
			f.unknown = c.markLifted(view) || f.unknown
			continue
		}
		after := c.node == c.block && c.Part == css.Before
		marked := c.mark(view, c.block, &after)
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
		case n == c.node && c.Part == css.Whole:
			*after = true
		case n.Type == html.TextNode && c.Cell == "" && IsWordy(n) && !IsDropped(in.DataAtom):
			setMark(n, c.as)
			marked = true
		case n.Type == html.ElementNode && !IsDropped(n.DataAtom):
			look := view.Push(n)
			switch {
			case look.Why != css.InSight:
			case c.passes(view, *after):
			case isAbove(n, c.node):
				marked = c.mark(view, n, after) || marked
			case n == c.node:
				*after = *after || c.Part == css.Before
				marked = c.mark(view, n, after) || marked
				*after = true
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

// passes reports whether the element that a view has entered is painted over the cover, or
// in another place; after says that it stands behind the cover in the document.
func (c cover) passes(view *css.View, after bool) bool {
	positioned, order := view.Order()
	switch {
	case c.Cell == "":
		return positioned && (order > c.Order || order == c.Order && after)
	case view.Cell() != c.Cell:
		return true
	}
	item := view.Item()
	return order > c.Order || order == c.Order && (positioned || item > c.Item || item == c.Item && after)
}

// What a cover with a text of its own is moved up by counts less: cards are moved up a little
// over the empty end of what is above them.
const (
	cardLift    = 200
	usualLine   = 18
	lineLetters = 190
)

// markLifted marks what the cover is moved up over, which stands before it, or what it covers
// at the head of its containing block; as far as that is not higher. Where nothing gives it a
// height, a text counts for its lines.
func (c cover) markLifted(view *css.View) (marked bool) {
	room, n := c.Lift-cardLift, c.node.PrevSibling
	next := func() { n = n.PrevSibling }
	switch {
	case c.Lift == 0 && c.block.DataAtom == atom.Body:
		return false // bars stand there
	case c.Lift == 0:
		room, n = c.High-view.Tall(), c.block.FirstChild
		next = func() { n = n.NextSibling }
	case !holdsWords(c.node):
		room = min(c.Lift, c.High)
	}
	for ; n != nil; next() {
		if n == c.node {
			continue
		}
		size, tall, over := 0, 0., false
		if n.Type == html.ElementNode {
			view.Push(n)
			tall, over = view.Tall(), c.passes(view, false)
			view.Pop()
		}
		for c := range Below(n) {
			if c.Type == html.TextNode {
				size += len(strings.TrimSpace(c.Data))
			}
		}
		if n.Type == html.TextNode {
			size = len(strings.TrimSpace(n.Data))
		}
		if size == 0 {
			continue
		}
		if room -= max(tall, usualLine*float64(1+size/lineLetters)); room < 0 {
			break
		}
		if !over {
			setMark(n, c.as)
			marked = true
		}
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

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
	path        []*html.Node // to node, see [stage.branch]
	above       standing     // of the elements around the node that was asked about last
}

// standing is what the elements from the root to one of them say about whether what is in it
// stands before a cover.
type standing struct {
	within                *html.Node
	later                 bool // they stand behind the cover in the document
	inBlock, after, above bool
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
		f.covers = append(f.covers, cover{Cover: c, node: n, block: block, as: as})
	})
}

// isBacked reports whether a text in the colour of what is behind it stands before a cover
// of another colour. Nodes are asked about in the order of the document.
func (f *hiddenFinder) isBacked(h hiddenNode, sheets *css.Sheets) bool {
	for i := range f.covers {
		c := &f.covers[i]
		if c.Lift == 0 && c.High == 0 && !c.Floods && c.Shows(h.look) && f.stage.isBehind(c, h.node, sheets) {
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

// painted says when an element is painted, as [css.View.Order], Cell and Item have it.
type painted struct {
	node        *html.Node
	positioned  bool
	order, item int
	cell        string
}

// paintedIn describes the element that a view has entered; cells says whether its place in a
// grid counts.
func paintedIn(view *css.View, n *html.Node, cells bool) (p painted) {
	p.node = n
	if p.positioned, p.order = view.Order(); cells {
		p.cell, p.item = view.Cell(), view.Item()
	}
	return p
}

// stage is the way to the node that was asked about last. Thousands of texts can stand before
// covers, deep in a page: what they have in common is looked at once.
type stage struct {
	view   *css.View
	path   []painted
	places map[*html.Node]int32 // of the elements in those that were asked
}

// enter goes to a node.
func (s *stage) enter(n *html.Node, sheets *css.Sheets) {
	if s.view == nil {
		s.view, s.places = sheets.View(), map[*html.Node]int32{}
	}
	if k := len(s.path); k > 0 && s.path[k-1].node == n {
		return
	}
	path := pathTo(n)
	same := 0
	for same < min(len(path), len(s.path)) && path[same] == s.path[same].node {
		same++
	}
	for range s.path[same:] {
		s.view.Pop()
	}
	s.path = s.path[:same]
	for _, up := range path[same:] {
		s.view.Push(up)
		s.path = append(s.path, paintedIn(s.view, up, true))
	}
}

// isBehind reports whether a cover is painted before a node.
func (s *stage) isBehind(c *cover, n *html.Node, sheets *css.Sheets) bool {
	s.enter(n, sheets)
	last := len(s.path) - 1
	i, shared, now := 0, 0, standing{above: c.Order < 0}
	if last > 0 && c.above.within == s.path[last-1].node {
		i, now = last, c.above
	} else {
		shared, now.later = s.branch(c)
	}
	for ; i <= last; i++ {
		up := s.path[i]
		if up.node == c.node && c.Part == css.Whole {
			return false // it is a part of the cover
		}
		if i == last && shared < last { // another node in the same element does not ask again
			c.above = now
			c.above.within = s.path[max(last-1, 0)].node
		}
		later := now.later || i < shared
		switch {
		case now.inBlock && c.Cell != "":
			return c.passes(up, later)
		case now.inBlock && up.positioned:
			now.after = now.after || c.Part == css.Before || c.Part == css.Whole && later
			now.above = now.above || up.order > c.Order || up.order == c.Order && now.after
		}
		now.inBlock = now.inBlock || up.node == c.block
	}
	return now.inBlock && now.above
}

// branch returns how many elements are around both a cover and the node that the stage is at,
// and whether the node stands behind the cover in the document, or in it.
func (s *stage) branch(c *cover) (shared int, later bool) {
	for range 2 {
		shared = 0
		for shared < min(len(s.path), len(c.path)) && s.path[shared].node == c.path[shared] {
			shared++
		}
		if shared == len(s.path) || shared == len(c.path) && shared > 0 {
			return shared, shared == len(c.path)
		}
		if shared < len(c.path) && s.path[shared].node.Parent == c.path[shared].Parent {
			return shared, s.place(s.path[shared].node) > s.place(c.path[shared])
		}
		c.path = pathTo(c.node) // at first, and when a mark was put around it
	}
	return shared, false
}

// place is where an element stands among those of its parent.
func (s *stage) place(n *html.Node) int32 {
	if _, known := s.places[n]; !known {
		at := int32(0)
		for c := range n.Parent.ChildNodes() {
			if at++; c.Type == html.ElementNode {
				s.places[c] = at
			}
		}
	}
	return s.places[n]
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
		case n.Type == html.ElementNode && (!IsDropped(n.DataAtom) || n.DataAtom == atom.Svg && holdsWords(n)):
			look := view.Push(n)
			switch {
			case look.Why != css.InSight:
			case c.passes(paintedIn(view, n, c.Cell != ""), *after):
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

// passes reports whether an element is painted over the cover, or in another place; after says
// that it stands behind the cover in the document.
func (c cover) passes(p painted, after bool) bool {
	switch {
	case c.Cell == "":
		return p.positioned && (p.order > c.Order || p.order == c.Order && after)
	case p.cell != c.Cell:
		return true
	}
	return p.order > c.Order || p.order == c.Order && (p.positioned || p.item > c.Item || p.item == c.Item && after)
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
			tall, over = view.Tall(), c.passes(paintedIn(view, n, c.Cell != ""), false)
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

package blocks

import (
	"slices"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Select turns the choice of blocks into a selection of nodes.
func (seg *Segmentation) Select(keep []bool) dom.Selection {
	sel := make(dom.Selection, 256)
	partial := seg.selectElements(sel, keep)
	// In elements that are chosen in part, the text that is theirs directly is
	// named with the inline elements around it.
	for i := range seg.blocks {
		b := &seg.blocks[i]
		if !keep[i] || !partial[b.elem] {
			continue
		}
		for _, t := range seg.texts[b.t0:b.t1] {
			selectNode(sel, t, seg.elems[b.elem].node)
		}
	}
	for _, p := range seg.pictures {
		if seg.pictureStays(p, keep, partial) {
			selectNode(sel, p.node, nil)
		}
	}
	seg.writeHeadings(sel, keep)
	seg.writeRules(sel, keep)
	return sel
}

// writeRules puts a rule between cards of one group that begin with something else than their
// headings, such as their dates or texts: these would stand under the heading of the card
// before. Items of lists and cells stay apart without.
func (seg *Segmentation) writeRules(sel dom.Selection, keep []bool) {
	if len(seg.thread) > 0 || seg.running {
		return
	}
	late := seg.lateTitles(keep)
	for k := 1; k < len(seg.cards); k++ {
		r, before := &seg.cards[k], &seg.cards[k-1]
		n := seg.elems[r.elem].node
		if r.group != before.group || !late[r.group] || seg.blocks[r.title].level != seg.blocks[before.title].level || !isBox(n) {
			continue
		}
		if keep[r.title] && keep[before.title] && slices.Contains(keep[r.b0:r.title], true) {
			rule := dom.Element(atom.Hr, "")
			n.Parent.InsertBefore(rule, n)
			selectNode(sel, rule, nil)
		}
	}
}

// lateTitles tells the groups of cards most of which have text before their headings: parts of
// a running text may begin with what belongs to the heading before.
func (seg *Segmentation) lateTitles(keep []bool) map[int32]bool {
	type count struct{ late, all int }
	of := map[int32]count{}
	for k := range seg.cards {
		r := &seg.cards[k]
		if seg.blocks[r.title].level == 0 || !keep[r.title] {
			continue
		}
		c := of[r.group]
		c.all++
		if slices.Contains(keep[r.b0:r.title], true) {
			c.late++
		}
		of[r.group] = c
	}
	late := make(map[int32]bool, len(of))
	for g, c := range of {
		late[g] = 3*c.late >= 2*c.all
	}
	return late
}

// isBox reports whether an element is written as its content alone.
func isBox(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.Section, atom.Article:
		return true
	}
	return false
}

// selectElements names the elements that are chosen in whole or in part, and
// returns which are chosen in part.
func (seg *Segmentation) selectElements(sel dom.Selection, keep []bool) (partial []bool) {
	kept := make([]int32, len(keep)+1)
	for i, k := range keep {
		kept[i+1] = kept[i]
		if k {
			kept[i+1]++
		}
	}
	// Elements come in page order, parents first: a subtree under a kept one
	// is skipped by its block range and depth.
	partial = make([]bool, len(seg.elems))
	for i := range seg.elems {
		e := &seg.elems[i]
		n := kept[e.b1] - kept[e.b0]
		if n == 0 || e.parent >= 0 && !partial[e.parent] {
			continue
		}
		if n == e.b1-e.b0 && e.parent >= 0 {
			sel[e.node] = dom.KeepAll
			continue
		}
		partial[i] = true
		sel[e.node] = dom.Descend
	}
	return partial
}

// selectNode chooses a node and the way to it from top, or from the first
// ancestor that is named.
func selectNode(sel dom.Selection, n, top *html.Node) {
	sel[n] = dom.KeepAll
	for a := n.Parent; a != nil && a != top && sel[a] == dom.DropAll; a = a.Parent {
		sel[a] = dom.Descend
	}
}

// pictureStays reports whether a picture that no chosen subtree holds stays:
// the text next to it does, on both sides or, for an image, on one side within
// the nearest element that holds text.
func (seg *Segmentation) pictureStays(p picture, keep, partial []bool) bool {
	e := p.elem
	for e >= 0 && seg.elems[e].b0 == seg.elems[e].b1 {
		e = seg.elems[e].parent
	}
	if e < 0 || !partial[e] {
		return false // kept with its element, or dropped with it
	}
	before, after := p.at-1, p.at
	prev := before >= 0 && keep[before]
	next := int(after) < len(keep) && keep[after]
	if p.node.DataAtom == atom.Hr {
		return prev && next
	}
	return prev && next || prev && before >= seg.elems[e].b0 || next && after < seg.elems[e].b1
}

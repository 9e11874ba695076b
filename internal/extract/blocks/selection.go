package blocks

import (
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
		if seg.pictureStays(p, keep) {
			selectNode(sel, p.node, nil)
		}
	}
	seg.writeHeadings(sel, keep)
	return sel
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

// pictureStays reports whether a picture that no chosen subtree contains stays: it is in the
// main region, or between two texts that are kept. A rule stays between two.
func (seg *Segmentation) pictureStays(p picture, keep []bool) bool {
	between := p.at > 0 && keep[p.at-1] && int(p.at) < len(keep) && keep[p.at]
	return between || p.node.DataAtom != atom.Hr && seg.content != nil && seg.content[p.elem]
}

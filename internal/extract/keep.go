package extract

import (
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html/atom"
)

// selectNodes turns the choice of blocks into verdicts.
func (l *layout) selectNodes(keep []bool) dom.Selection {
	sel := make(dom.Selection, 256)
	kept := make([]int32, len(keep)+1)
	for i, k := range keep {
		kept[i+1] = kept[i]
		if k {
			kept[i+1]++
		}
	}
	// Elements come in page order, parents first: a subtree under a kept one
	// is skipped by its block range and depth.
	partial := make([]bool, len(l.elems))
	for i := range l.elems {
		e := &l.elems[i]
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
	// In elements that are chosen in part, the text that is theirs directly is
	// named with the inline elements around it.
	for i := range l.blocks {
		b := &l.blocks[i]
		if !partial[b.elem] {
			continue
		}
		top := l.elems[b.elem].node
		for _, t := range l.texts[b.t0:b.t1] {
			if keep[i] {
				sel[t] = dom.KeepAll
				for a := t.Parent; a != nil && a != top && sel[a] == dom.DropAll; a = a.Parent {
					sel[a] = dom.Descend
				}
			}
		}
	}
	for _, p := range l.pictures {
		if !l.pictureStays(p, keep, partial) {
			continue
		}
		sel[p.node] = dom.KeepAll
		for a := p.node.Parent; a != nil && sel[a] == dom.DropAll; a = a.Parent {
			sel[a] = dom.Descend
		}
	}
	return sel
}

// pictureStays reports whether a picture that no chosen subtree holds stays:
// the text next to it does, on both sides or, for an image, on one side within
// the nearest element that holds text.
func (l *layout) pictureStays(p picture, keep, partial []bool) bool {
	e := p.elem
	for e >= 0 && l.elems[e].b0 == l.elems[e].b1 {
		e = l.elems[e].parent
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
	return prev && next || prev && before >= l.elems[e].b0 || next && after < l.elems[e].b1
}

package blocks

import (
	"math"
	"slices"

	"golang.org/x/net/html/atom"
)

// This file finds the main region: it labels each element and block as content or
// boilerplate, all at once, at the least cost.
//
//   - A block that is kept costs the words of it that are boilerplate, (1-p)·words; one
//     that is dropped costs the words of it that are content, p·words, lossWeight times.
//   - Children mostly have the label of their parent. A run of dropped children in a kept
//     element costs leaveCost, a run of kept children in a dropped one enterCost.
//   - Code, data tables, figures and quotations are kept or dropped as one.
//
// A menu between two paragraphs is worth a run, a short line with a low probability
// between two paragraphs is not: it stays. The least cost is found exactly, from the
// leaves to the body and back, in time linear in the page.

// A cost is what the labels of a subtree cost at least.
type cost struct {
	keep, drop float64 // its root is content, boilerplate
	leave      float64 // what a run of boilerplate costs that it begins, within content
}

// region is the state of one page.
type region struct {
	seg            *Segmentation
	p              []float32
	loss           float64 // by type and length of the page
	first, sibling []int32 // by element: its first child, its next sibling; -1 for none
	cost           []cost  // by element
	block          []cost  // by block
	unit           []bool  // by element: its blocks have one label
	content        []bool  // by element: its label
	back           []back
}

// back says for each label of a child whether the child before it is kept, at the least cost.
type back struct{ ofKept, ofDropped bool }

// mainRegion returns for each block whether it is content, and for each element.
func (seg *Segmentation) mainRegion(p []float32, article bool) (keep, content []bool) {
	r := &region{seg: seg, p: p, loss: lossWeight}
	switch {
	case seg.IsShort():
		r.loss = shortLoss
	case article:
		r.loss = articleLoss
	}
	n := len(seg.elems)
	links := make([]int32, 3*n)
	r.first, r.sibling = links[:n], links[n:2*n]
	last := links[2*n:]
	for i := range links {
		links[i] = -1
	}
	for i := 1; i < n; i++ {
		up := seg.elems[i].parent
		if last[up] < 0 {
			r.first[up] = int32(i)
		} else {
			r.sibling[last[up]] = int32(i)
		}
		last[up] = int32(i)
	}
	r.cost, r.content, r.unit = make([]cost, n), make([]bool, n), seg.units()
	r.block = make([]cost, len(p))
	for i := range r.block {
		r.block[i] = r.ofBlock(i)
	}
	for i := int32(n) - 1; i >= 0; i-- {
		r.cost[i] = r.of(i)
	}
	return r.label(), r.content
}

// of is the cost of an element, after those of its children.
func (r *region) of(i int32) cost {
	e := &r.seg.elems[i]
	c := cost{leave: leaveCost}
	if r.unit[i] {
		c.leave = unitCost
		for k := e.b0; k < e.b1; k++ {
			b := &r.block[k]
			c.keep, c.drop = c.keep+b.keep, c.drop+b.drop
		}
		return c
	}
	if r.seg.isNamedChrome(e) {
		c.leave = chromeCost
	}
	c.keep, _ = r.children(i, true)
	c.drop, _ = r.children(i, false)
	return c
}

// ofBlock is the cost of block i. A block of no words counts a little. What sites repeat, such as
// a request for consent, and the frame of a short page need more than a chance to be content.
// What the author of a page put into its main element needs less.
func (r *region) ofBlock(i int) cost {
	w, p, loss := float64(r.seg.blocks[i].words)+1, float64(r.p[i]), r.loss
	switch {
	case r.seg.withinAny(i, repeatedMarks[:]) || r.loss == shortLoss && r.seg.inChrome(i):
		loss = repeatedLoss
	case r.loss == lossWeight && r.seg.inMain(i) && !r.seg.withinAny(i, chromeMarks[:]) && !r.seg.within(i, namedComment):
		loss = mainLoss
	}
	return cost{keep: w * (1 - p), drop: loss * w * p, leave: leaveCost}
}

// repeatedMarks are the marks of boxes that sites repeat.
var repeatedMarks = [...]int{namedCookie, namedNewsletter, namedPromo}

// each calls f with the children of an element in page order: its elements with text, and
// the blocks that are its own, for which elem is -1.
func (r *region) each(i int32, f func(c cost, elem, block int32)) {
	at := r.seg.elems[i].b0
	own := func(end int32) {
		for ; at < end; at++ {
			f(r.block[at], -1, at)
		}
	}
	for k := r.first[i]; k >= 0; k = r.sibling[k] {
		if e := &r.seg.elems[k]; e.b0 < e.b1 {
			own(e.b0)
			f(r.cost[k], k, -1)
			at = e.b1
		}
	}
	own(r.seg.elems[i].b1)
}

// children returns what the children of an element cost at least, and the label of the last
// one. r.back then has the way back.
func (r *region) children(i int32, content bool) (least float64, last bool) {
	r.back = r.back[:0]
	keep, drop := 0., math.Inf(1) // so far, by the label of the child before
	if !content {
		keep, drop = drop, keep
	}
	r.each(i, func(c cost, _, _ int32) {
		// The first of a run pays for it; code and tables pay within one too.
		begin, join, enter := c.leave, max(c.leave-leaveCost, 0), 0.
		if !content {
			begin, join, enter = 0, 0, enterCost
		}
		r.back = append(r.back, back{ofKept: keep <= drop+enter, ofDropped: keep+begin < drop+join})
		keep, drop = min(keep, drop+enter)+c.keep, min(keep+begin, drop+join)+c.drop
	})
	return min(keep, drop), keep <= drop
}

// label goes from the body to the leaves and returns the labels of the blocks.
func (r *region) label() []bool {
	keep := make([]bool, len(r.p))
	end := int32(0) // of the unit that was labelled last
	var labels []bool
	for i := range r.seg.elems {
		e := &r.seg.elems[i]
		switch {
		case e.b1 <= end || e.b0 == e.b1:
			r.content[i] = e.parent >= 0 && r.content[e.parent]
			continue
		case r.unit[i]:
			end = e.b1
			for k := e.b0; k < end; k++ {
				keep[k] = r.content[i]
			}
			continue
		}
		_, last := r.children(int32(i), r.content[i])
		labels = labels[:0]
		for _, b := range slices.Backward(r.back) {
			labels = append(labels, last)
			if last {
				last = b.ofKept
			} else {
				last = b.ofDropped
			}
		}
		slices.Reverse(labels)
		k := 0
		r.each(int32(i), func(_ cost, elem, block int32) {
			if elem >= 0 {
				r.content[elem] = labels[k]
			} else {
				keep[block] = labels[k]
			}
			k++
		})
	}
	return keep
}

// units returns which elements are kept or dropped as one, since a part of them would say
// something else: code, figures, quotations, and tables with header cells that contain no table.
func (seg *Segmentation) units() []bool {
	unit := make([]bool, len(seg.elems))
	type below struct{ header, table bool }
	has := make([]below, len(seg.elems))
	for i := len(seg.elems) - 1; i > 0; i-- {
		e, up := &seg.elems[i], &has[seg.elems[i].parent]
		switch e.node.DataAtom {
		case atom.Pre, atom.Figure, atom.Blockquote:
			unit[i] = true
		case atom.Table:
			unit[i] = has[i].header && !has[i].table
			up.table = true
			continue
		case atom.Th:
			up.header = true
		}
		up.header, up.table = up.header || has[i].header, up.table || has[i].table
	}
	return unit
}

// isNamedChrome reports whether an element is boilerplate by its tag, role or class name. An
// aside in an article is a note on it.
func (seg *Segmentation) isNamedChrome(e *element) bool {
	at := uint8(min(e.depth, maxMarkDepth)) + 1
	m := &seg.marks[e.marks]
	for _, k := range chromeMarks {
		if m[k] == at && (k != markAside || m[markMain] == 0 && m[markArticle] == 0) {
			return true
		}
	}
	return false
}

// chromeMarks are the marks of boilerplate.
var chromeMarks = [...]int{
	markNav, markFooter, markHeader, markAside, markForm, markRoleMenu, namedRelated, namedSide, namedShare, namedMenu,
	namedCookie, namedFooter, namedCrumbs, namedNewsletter, namedPromo, namedPager,
}

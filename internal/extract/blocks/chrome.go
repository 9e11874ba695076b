package blocks

import "slices"

// This file asks what the markup says of a block: whether it is in an element for boilerplate,
// and whether it is something to click.

// maxMarkDepth is the depth from which on elements have the marks of one depth.
const maxMarkDepth = 254

// IsShort reports whether a person sees the whole page at a glance.
func (seg *Segmentation) IsShort() bool {
	words := int32(0)
	for i := range seg.blocks {
		if words += seg.blocks[i].words; words >= shortPage {
			return false
		}
	}
	return true
}

// AllChrome reports whether all blocks of the page are within elements for boilerplate.
func (seg *Segmentation) AllChrome() bool {
	for i := range seg.blocks {
		if !seg.inChrome(i) {
			return false
		}
	}
	return true
}

// inChrome reports whether block i is within an element for boilerplate.
func (seg *Segmentation) inChrome(i int) bool {
	return seg.within(i, markNav) || seg.within(i, markRoleMenu) || seg.within(i, markFooter) || seg.within(i, markHeader) && seg.isControl(i)
}

// within reports whether block i has an ancestor of a kind, nearer than its
// main or article element.
func (seg *Segmentation) within(i int, kind int) bool {
	m := &seg.marks[seg.elems[seg.blocks[i].elem].marks]
	return m[kind] > max(m[markMain], m[markArticle])
}

// withinAny reports whether block i is within an element of one of these kinds.
func (seg *Segmentation) withinAny(i int, kinds []int) bool {
	return slices.ContainsFunc(kinds, func(k int) bool { return seg.within(i, k) })
}

// inMain reports whether block i is in a main or article element.
func (seg *Segmentation) inMain(i int) bool {
	m := &seg.marks[seg.elems[seg.blocks[i].elem].marks]
	return m[markMain] > 0 || m[markArticle] > 0
}

// isControl reports whether block i is something to click or to fill in.
func (seg *Segmentation) isControl(i int) bool {
	b := &seg.blocks[i]
	return b.isLink() || b.inner&(innerButton|innerLabel) != 0 || seg.within(i, markButton)
}

// BelowTitle reports whether block i is shortly after the main heading.
func (seg *Segmentation) BelowTitle(i int) bool {
	h1 := seg.facts.h1
	return h1 >= 0 && i > h1 && i <= h1+titleBlocks
}

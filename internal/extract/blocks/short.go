package blocks

// This file keeps short pages whole. A person sees all of a short page at a
// glance, so that each text that is left out is missed, and the block model has
// too little to go by: it was trained on pages with a frame around much text.
// On short pages only page chrome is left out, and only what its markup calls
// chrome and the model agrees about.

// shortPage is the number of words below which a page is short.
const shortPage = 200

// A block of a short page is boilerplate if its probability is below these: within
// an element for boilerplate, with a class name for it, and, on a page that has such
// elements, with neither. No probability is lower
// than .01.
const (
	maxInChrome = .5
	maxByClass  = .2
	maxByModel  = .02
)

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

// keepShort adds the blocks of a short page that are not chrome to the chosen
// ones.
func keepShort(seg *Segmentation, p []float32, keep []bool) {
	framed := false
	for i := range keep {
		framed = framed || seg.inChrome(i)
	}
	for i := range keep {
		keep[i] = keep[i] || !seg.isChrome(i, p[i], framed)
	}
}

// AllChrome reports whether all blocks of the page are within elements for
// boilerplate.
func (seg *Segmentation) AllChrome() bool {
	for i := range seg.blocks {
		if !seg.isChrome(i, 0, true) || !seg.inChrome(i) {
			return false
		}
	}
	return true
}

// The groups of class and id names that chrome has.
const (
	markCrumbs = firstGroup + groupBreadcrumb
	markFoot   = firstGroup + groupFooter
	markCookie = firstGroup + groupCookie
	markMenu   = firstGroup + groupMenu
	markShare  = firstGroup + groupFollow
)

// isChrome reports whether block i of a short page, with probability p, is
// boilerplate; framed: some block is within an element for boilerplate.
func (seg *Segmentation) isChrome(i int, p float32, framed bool) bool {
	switch {
	case seg.inChrome(i):
		return p < maxInChrome
	case p >= maxByClass:
		return false
	}
	control := seg.isControl(i)
	switch {
	case seg.within(i, markCookie):
		return true
	case seg.within(i, markAside):
		return control || framed && p < maxByModel
	case seg.within(i, markFoot):
		return control || seg.blocks[i].copyright
	}
	return control && (framed && p < maxByModel || seg.within(i, markCrumbs) || seg.within(i, markMenu) || seg.within(i, markShare))
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

// isControl reports whether block i is something to click or to fill in.
func (seg *Segmentation) isControl(i int) bool {
	b := &seg.blocks[i]
	return b.isLink() || b.inner&(innerButton|innerLabel) != 0 || seg.within(i, markButton)
}

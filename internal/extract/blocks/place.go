package blocks

import "golang.org/x/net/html"

// Texts returns the text nodes of block i, and elements of formulas. There is at least one.
func (seg *Segmentation) Texts(i int) []*html.Node {
	b := &seg.blocks[i]
	return seg.texts[b.t0:b.t1]
}

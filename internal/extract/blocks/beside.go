package blocks

import (
	"slices"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html/atom"
)

// This file leaves out what stands behind an article and belongs to others: the next
// article of a page that goes on without end, and cards that lead to other pages.

// dropBehind leaves out other articles and teasers behind the article of a page. What the
// page is about has its heading, and prose.
func dropBehind(seg *Segmentation, keep []bool, t page.Type) {
	h := seg.facts.h1
	if t != page.Article || h < 0 || !keep[h] || !seg.namesPage(h) {
		return
	}
	for i := range seg.elems {
		e := &seg.elems[i]
		if e.node.DataAtom == atom.Article && e.b0 > int32(h) && seg.isOtherArticle(e) && seg.hasProse(keep, int32(h), e.b0) {
			clear(keep[e.b0:e.b1])
		}
	}
	dropLinkedCards(seg, keep)
}

// hasProse reports whether several paragraphs are chosen among the blocks from b0 up to b1:
// an article stands there, and not its beginning.
func (seg *Segmentation) hasProse(keep []bool, b0, b1 int32) bool {
	const enough = 3
	n := 0
	for i := b0; i < b1 && n < enough; i++ {
		if b := &seg.blocks[i]; keep[i] && b.words >= proseBlock && 2*b.link < b.chars {
			n++
		}
	}
	return n == enough
}

// isOtherArticle reports whether an article element is an article of its own: it has a main
// heading that says something else than the title of the page, and soon behind it says who
// wrote it or when.
func (seg *Segmentation) isOtherArticle(e *element) bool {
	for i := e.b0; i < e.b1; i++ {
		if b := &seg.blocks[i]; b.level != 1 || b.words < 2 {
			continue
		}
		if words := seg.words[seg.blocks[i].w0:seg.blocks[i].w1]; 2*overlap(words, seg.facts.title) > len(words) {
			return false
		}
		for k := i + 1; k < min(e.b1, i+titleBlocks); k++ {
			if seg.isFact(k, e.depth) && !seg.isPrice(&seg.blocks[k]) {
				return true
			}
		}
		return false
	}
	return false
}

// dropLinkedCards leaves out the cards behind the last prose of an article that have a heading
// that is a link, and nothing to read, with the headings above them.
func dropLinkedCards(seg *Segmentation, keep []bool) {
	end := int32(0) // of the prose
	for i := range keep {
		if b := &seg.blocks[i]; keep[i] && b.words >= proseBlock && 2*b.link < b.chars {
			end = int32(i) + 1
		}
	}
	if end == 0 || !slices.Contains(keep[end:], true) {
		return // without prose the cards are what there is to read
	}
	bare := map[int32]int32{} // cards of each group behind the prose, without text
	for k := range seg.cards {
		if r := &seg.cards[k]; r.b0 >= end && seg.isBare(r) {
			bare[r.group]++
		}
	}
	dropped := false
	for k := range seg.cards {
		if r := &seg.cards[k]; r.b0 >= end && bare[r.group] >= minRecords && seg.isBare(r) {
			clear(keep[r.b0:r.b1])
			dropped = true
		}
	}
	below := false // text
	for i := int32(len(keep)) - 1; dropped && i >= end; i-- {
		if keep[i] && seg.blocks[i].level > 0 {
			keep[i] = below
		}
		below = keep[i] && seg.blocks[i].level == 0 || below && !keep[i]
	}
}

// isBare reports whether a card has a heading that is a link, and nothing to read.
func (seg *Segmentation) isBare(r *record) bool {
	if t := &seg.blocks[r.title]; t.level == 0 || 2*t.link < t.chars {
		return false
	}
	for i := r.b0; i < r.b1; i++ {
		if b := &seg.blocks[i]; b.words >= proseLine && 2*b.link < b.chars {
			return false
		}
	}
	return true
}

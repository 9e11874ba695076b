package blocks

import "slices"

// This file leaves out parts of a page that stand there twice: pages have a part for wide
// and one for narrow screens, cards that a carousel shows again, a post above its answer.

// Words that parts have at least which are copies.
const (
	besideWords  = 5   // of one parent
	twinWords    = 40  // of several
	refrainWords = 100 // of one parent, with the same class names
)

// dropTwins drops what is chosen of the second of two parts with the same texts under one
// heading, if it is chosen of the first one too. What is said of one record may be true of the
// next one, which has a heading of its own, and a refrain has the class names of the one before.
func dropTwins(seg *Segmentation, keep []bool) {
	sums, powers := seg.sums(), make([]uint64, len(keep)+1)
	powers[0] = 1
	for i := range keep {
		powers[i+1] = powers[i] * fnvPrime
	}
	first := make(map[uint64]int32, len(seg.elems))
	end := int32(0) // of the part that was settled last
	for i := range seg.elems {
		e := &seg.elems[i]
		m := &seg.marks[e.marks]
		words := seg.facts.words[e.b1] - seg.facts.words[e.b0]
		if e.b0 < end || e.parent < 0 || words < besideWords || !slices.Contains(keep[e.b0:e.b1], true) || m[markTd] != 0 || m[markPre] != 0 || m[markQuote] != 0 {
			continue
		}
		sum := sums[e.b1] - sums[e.b0]*powers[e.b1-e.b0]
		k, ok := first[sum]
		if !ok {
			first[sum] = int32(i)
			continue
		}
		o := &seg.elems[k]
		if o.b1 > e.b0 || !seg.sameTexts(o, e) {
			continue
		}
		least := int32(twinWords)
		if o.parent == e.parent {
			if least = besideWords; o.sig == e.sig {
				least = refrainWords
			}
		} else if e.b1-e.b0 < 2 {
			continue
		}
		if words < least {
			if o.parent == e.parent {
				end = e.b1
			}
			continue
		}
		end = e.b1
		if !seg.sameHeading(o, e) {
			continue
		}
		for at := e.b0; at < e.b1; at++ {
			keep[at] = keep[at] && !keep[o.b0+at-e.b0]
		}
	}
}

// sums are the sums of the texts before each block: those of a part follow from two of them.
func (seg *Segmentation) sums() []uint64 {
	out := make([]uint64, len(seg.blocks)+1)
	for i := range seg.blocks {
		out[i+1] = out[i]*fnvPrime + seg.blocks[i].hash
	}
	return out
}

// sameTexts reports whether two parts have the same texts.
func (seg *Segmentation) sameTexts(o, e *element) bool {
	if o.b1-o.b0 != e.b1-e.b0 {
		return false
	}
	for k := e.b0; k < e.b1; k++ {
		if seg.blocks[k].hash != seg.blocks[o.b0+k-e.b0].hash {
			return false
		}
	}
	return true
}

// sameHeading reports whether two parts with the same texts stand under one heading: the
// last one before them that is above those within.
func (seg *Segmentation) sameHeading(o, e *element) bool {
	level := uint8(7)
	for i := e.b0; i < e.b1; i++ {
		if l := seg.blocks[i].level; l > 0 {
			level = min(level, l)
		}
	}
	return seg.above(o.b0, level) == seg.above(e.b0, level)
}

// above returns the last heading above a level before block i, or -1.
func (seg *Segmentation) above(i int32, level uint8) int32 {
	for i > 0 {
		if i = seg.facts.head[i-1].last; i < 0 || seg.blocks[i].level < level {
			return i
		}
	}
	return -1
}

package blocks

import (
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file has what only package train asks of a segmentation.

// Rows computes the features of all blocks, in the order of [FeatureNames]. A
// feature that a block lacks is NaN.
func (seg *Segmentation) Rows() [][]float32 {
	out := make([][]float32, len(seg.blocks))
	for i := range out {
		r := row{}
		seg.facts.blockRow(&r, seg, i)
		out[i] = r.v
	}
	return out
}

// EachToken calls f with the class and id tokens of the elements around block
// i, the innermost first. level counts elements from 0.
func (seg *Segmentation) EachToken(i int, f func(level int, token uint32)) {
	level := 0
	for x := seg.blocks[i].elem; x >= 0; x = seg.elems[x].parent {
		n := seg.elems[x].node
		for k := range n.Attr {
			if a := &n.Attr[k]; a.Key == "class" || a.Key == "id" {
				for t := scanTokens(a.Val); t.next(); {
					f(level, t.hash)
				}
			}
		}
		level++
	}
}

// HashWords hashes the words of a text as those of a block are, limit at most.
func HashWords(s string, limit int) []uint32 {
	var out []uint32
	h, in := uint32(wordOffset), false
	for _, r := range s {
		if text.IsWord(r) {
			if unicode.IsUpper(r) {
				r = unicode.ToLower(r)
			}
			h = (h ^ uint32(r)) * wordPrime
			in = true
			continue
		}
		if in {
			out = append(out, h)
		}
		if len(out) >= limit {
			return out
		}
		h, in = wordOffset, false
	}
	if in {
		out = append(out, h)
	}
	return out
}

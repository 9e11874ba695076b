package blocks

import (
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html/atom"
)

// This file has what only bench/internal/train asks of a segmentation.

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

// TypeRow computes the features of the page's type, in the order of [TypeNames]. One that the
// page lacks is NaN, and 0 if it has no blocks.
func (seg *Segmentation) TypeRow() []float32 {
	r := row{}
	seg.facts.typeRow(&r, seg)
	return append(r.v, make([]float32, len(TypeNames())-len(r.v))...)
}

// LexiconRows computes the features that depend on the lexicon, those whose names begin
// with "lx_", with another lexicon.
func (seg *Segmentation) LexiconRows(lex Lexicon) [][]float32 {
	seg.lexicon = lex
	clear(seg.classes)
	seg.named = seg.named[:0]
	for i := range seg.elems {
		e := &seg.elems[i]
		e.lex = seg.names(dom.Attr(e.node, "class")).lex
		if id := dom.Attr(e.node, "id"); id != "" {
			own := seg.tokens(id)
			e.lex.merge(&own.lex)
		}
		seg.facts.cum[i] = lexStat{}
		if e.parent >= 0 {
			seg.facts.cum[i] = seg.facts.cum[e.parent]
		}
		seg.facts.cum[i].merge(&e.lex)
	}
	out := make([][]float32, len(seg.blocks))
	for i := range out {
		r := row{}
		seg.facts.lexiconRow(&r, seg, &seg.elems[seg.blocks[i].elem])
		out[i] = r.v
	}
	return out
}

// InCaption reports whether block i is within the caption of a figure or a table.
func (seg *Segmentation) InCaption(i int) bool {
	return seg.marks[seg.elems[seg.blocks[i].elem].marks][markCaption] != 0
}

// IsByline reports whether markup or text say that block i is the line of an author, a
// date or a price.
func (seg *Segmentation) IsByline(i int) bool {
	const levels = 3 // from the block to the element that says so
	b := &seg.blocks[i]
	e := &seg.elems[b.elem]
	m := &seg.marks[e.marks]
	return m.distance(namedAuthor, e.depth) <= levels || m.distance(namedDate, e.depth) <= levels || b.money || b.inner&innerTime != 0 || e.node.DataAtom == atom.Time
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

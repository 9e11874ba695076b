package blocks

import (
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file keeps what the page says it is made of: the ingredients and the steps of a
// recipe, the steps of instructions, questions with their answers. A list of short
// lines looks like a menu to the model, and the page's own data, or the attributes of
// its markup, say that it is none. Only what the page shows is kept: the data say which
// blocks, and are not copied.

const (
	maxPartWords = 600    // of one part
	maxAllParts  = 20_000 // words of all parts
	leastParts   = 3      // blocks with parts: fewer say too little

	// A block is a part if this share of its pairs of words stands in one: pages
	// add counters and notes to what they state.
	partShare = .75

	// An element of which this share of the words stands in parts is whole: an
	// amount of one word beside what it measures has no pair of words.
	partOfElement = .6
)

// keepParts chooses the blocks that hold the parts that a page says it has, and
// completes the elements that hold little else. On a thread the posts are completed by
// their own rule: beside an answer stand its votes, its controls and its comments.
func keepParts(seg *Segmentation, keep []bool, c Choices) {
	is := seg.partBlocks(c)
	if is == nil {
		return
	}
	places := map[uint64]bool{}       // of parts
	words := make([]int32, len(is)+1) // in parts, prefix sum
	count := make([]int32, len(is)+1)
	for i, part := range is {
		words[i+1], count[i+1] = words[i], count[i]
		if part {
			keep[i] = true
			places[seg.elems[seg.blocks[i].elem].kinKey()] = true
			words[i+1] += seg.blocks[i].words
			count[i+1]++
		}
	}
	if c.Type == page.Forum {
		return
	}
	for i := 1; i < len(seg.elems); i++ {
		e := &seg.elems[i]
		all, in := seg.facts.words[e.b1]-seg.facts.words[e.b0], words[e.b1]-words[e.b0]
		if count[e.b1]-count[e.b0] < leastParts || float32(in) < partOfElement*float32(all) {
			continue
		}
		for k := e.b0; k < e.b1; k++ {
			keep[k] = keep[k] || places[seg.elems[seg.blocks[k].elem].kinKey()] || !seg.isControl(int(k))
		}
	}
}

// partBlocks returns which blocks hold parts; nil for too few.
func (seg *Segmentation) partBlocks(c Choices) []bool {
	pairs := pairsOf(c.Parts)
	is := seg.equalBlocks(c.Parts)
	n := 0
	for i := range seg.blocks {
		b := &seg.blocks[i]
		if seg.inChrome(i) || seg.within(i, markRelated) || b.inner&innerButton != 0 {
			is[i] = false
			continue
		}
		marked := seg.elems[b.elem].part && (c.Type != page.Forum || b.words > postWords)
		if is[i] || marked || pairs != nil && pairs.share(seg.words[b.w0:b.w1]) >= partShare {
			is[i] = true
			n++
		}
	}
	if n < leastParts {
		return nil
	}
	return is
}

// equalBlocks returns which blocks stand in an element that says what a part says, letter by
// letter: pages write the amount, its unit and what it measures with and without spaces, in a
// block each. A part of one word says too little.
func (seg *Segmentation) equalBlocks(parts []string) []bool {
	const most = 6 // blocks of a part
	is := make([]bool, len(seg.blocks))
	said := map[uint64]bool{}
	for _, p := range parts[:min(len(parts), maxAllParts/10)] {
		if len(p) <= maxField && len(HashWords(p, 2)) == 2 {
			said[lettersOf([]byte(p))] = true
		}
	}
	if len(said) == 0 {
		return is
	}
	for i := range seg.elems {
		e := &seg.elems[i]
		if e.b0 == e.b1 || e.b1-e.b0 > most {
			continue
		}
		if from, to := seg.blocks[e.b0].s0, seg.blocks[e.b1-1].s1; to-from <= maxField && said[lettersOf(seg.buf[from:to])] {
			for k := e.b0; k < e.b1; k++ {
				is[k] = true
			}
		}
	}
	return is
}

// maxField bounds a part that is compared letter by letter, in bytes.
const maxField = 200

// lettersOf hashes the letters and digits of a text, without case.
func lettersOf(s []byte) uint64 {
	h := uint64(fnvOffset)
	for _, r := range string(s) {
		if text.IsWord(r) {
			h = (h ^ uint64(unicode.ToLower(r))) * fnvPrime
		}
	}
	return h
}

// wordPairs are the hashes of the pairs of neighbouring words of some texts.
type wordPairs map[uint64]struct{}

// pairsOf returns the pairs of the parts, nil for none.
func pairsOf(parts []string) wordPairs {
	var pairs wordPairs
	total := 0
	for _, p := range parts {
		words := HashWords(p, maxPartWords)
		if total += len(words); total > maxAllParts {
			break
		}
		for k := 1; k < len(words); k++ {
			if pairs == nil {
				pairs = wordPairs{}
			}
			pairs[hashOf(words[k-1:k+1])] = struct{}{}
		}
	}
	return pairs
}

// share is the share of a text's pairs of words that are in p; 0 for a text of one
// word.
func (p wordPairs) share(words []uint32) float32 {
	if len(words) < 2 {
		return 0
	}
	n := 0
	for k := 1; k < len(words); k++ {
		if _, ok := p[hashOf(words[k-1:k+1])]; ok {
			n++
		}
	}
	return float32(n) / float32(len(words)-1)
}

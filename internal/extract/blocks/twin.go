package blocks

import "slices"

// This file leaves out parts of a page that stand there twice: pages have a part for wide
// and one for narrow screens, and a post above its answer.

// Words that parts have at least which are copies.
const (
	screenWords  = 5   // of which a class name says that one is for some screens only
	twinWords    = 40  // others
	refrainWords = 100 // of one parent, with the same first class name
)

// dropTwins drops what is chosen of the second of two parts with the same texts, if it is
// chosen of the first one too and nothing else that is chosen stands between them. What is
// said of one record, in one clause or after one verse may be said again after the next one.
func dropTwins(seg *Segmentation, keep []bool) {
	const markHide = firstGroup + groupHidden // such as "mobile" and "hidden"
	hashes := make([]uint64, len(keep))
	for i := range hashes {
		hashes[i] = seg.blocks[i].hash
	}
	texts := sumsOf(hashes)
	first := make(map[uint64]int32, len(seg.elems))
	at, last, end := int32(0), int32(-1), int32(0) // last: the chosen block before at; end: of the part that was dropped last
	for i := range seg.elems {
		e := &seg.elems[i]
		for ; at < e.b0; at++ {
			if keep[at] {
				last = at
			}
		}
		m := &seg.marks[e.marks]
		words := seg.facts.words[e.b1] - seg.facts.words[e.b0]
		if e.b0 < end || e.parent < 0 || words < screenWords || e.inList || m[markTd] != 0 || m[markPre] != 0 || m[markQuote] != 0 {
			continue
		}
		sum := texts.of(e.b0, e.b1)
		k, ok := first[sum]
		if !ok {
			first[sum] = int32(i)
			continue
		}
		o := &seg.elems[k]
		least := int32(twinWords)
		switch {
		case m[markHide] != 0 || seg.marks[o.marks][markHide] != 0:
			least = screenWords
		case o.parent == e.parent && o.kin == e.kin:
			least = refrainWords
		}
		if words < least || last >= o.b1 || o.b1 > e.b0 || !seg.sameTexts(o, e) {
			continue
		}
		end = e.b1
		for b := e.b0; b < e.b1; b++ {
			keep[b] = keep[b] && !keep[o.b0+b-e.b0]
		}
	}
}

// textSums are the sums of the texts before each text of a row: those of a part follow from two of them.
type textSums struct{ sums, powers []uint64 }

func sumsOf(hashes []uint64) textSums {
	s := textSums{make([]uint64, len(hashes)+1), make([]uint64, len(hashes)+1)}
	s.powers[0] = 1
	for i, h := range hashes {
		s.sums[i+1] = s.sums[i]*fnvPrime + h
		s.powers[i+1] = s.powers[i] * fnvPrime
	}
	return s
}

func (s textSums) of(b0, b1 int32) uint64 { return s.sums[b1] - s.sums[b0]*s.powers[b1-b0] }

// sameTexts reports whether two parts have the same texts.
func (seg *Segmentation) sameTexts(o, e *element) bool {
	return slices.EqualFunc(seg.blocks[o.b0:o.b1], seg.blocks[e.b0:e.b1], func(a, b block) bool { return a.hash == b.hash })
}

// repeats finds rows of chosen texts that stand a second time right behind themselves.
type repeats struct {
	rank  []int32 // the chosen blocks before each block
	texts textSums
	n     int32 // texts of the row that was found last
	end   int32 // of its second copy, by rank
}

func (seg *Segmentation) repeats(keep []bool) repeats {
	r := repeats{rank: make([]int32, len(keep))}
	var hashes []uint64
	for i, k := range keep {
		r.rank[i] = int32(len(hashes))
		if k {
			hashes = append(hashes, seg.blocks[i].hash)
		}
	}
	r.texts = sumsOf(hashes)
	return r
}

// follows reports whether block i repeats block j before it with all that stands between
// them. It is asked for rising i.
func (r *repeats) follows(i, j int32) bool {
	at := r.rank[i]
	for _, n := range [...]int32{at - r.rank[j], r.n} { // of three rows the third one repeats the second
		if at >= r.end && 0 < n && n <= at && int(at+n) < len(r.texts.sums) && r.texts.of(at-n, at) == r.texts.of(at, at+n) {
			r.n, r.end = n, at+n
		}
	}
	return at < r.end
}

package blocks

// This file keeps uniform siblings together: the rows of a listing, the links of
// an index, the cards of a grid. The model judges each block by its place, so
// that those at the edge of a run get a lower probability than those within it,
// and the cut that maximises an expected F1 falls between them by chance.

const (
	minSiblings = 3 // uniform siblings are a run from here on

	// Shares of a run that must be chosen: from mostChosen on the rest is added,
	// below fewChosen it is dropped. (Word F1 over all pages +.0000, stated
	// fields that are found whole .650 to .652; from .5 on .657, with word F1
	// -.0003.)
	mostChosen = 2. / 3
	fewChosen  = 1. / 5

	// strong is the evidence that a block is not like its siblings: how far its
	// probability is from the mean of the run, divided by the distance from the mean to 0 or 1.
	strong = .5
)

// siblingRun is what uniform siblings have in common.
type siblingRun struct {
	blocks, kept int32
	sum          float32 // of probabilities
}

// keepSiblings adds the rest of a run of uniform siblings of which most are
// chosen, and drops a run of which few are, but for blocks with strong evidence
// to the contrary. alike counts the siblings of each element's signature.
func keepSiblings(seg *Segmentation, alike []int32, p []float32, keep []bool) {
	of, runs := seg.siblings(alike)
	for i, r := range of {
		if r < 0 {
			continue
		}
		runs[r].blocks++
		runs[r].sum += p[i]
		if keep[i] {
			runs[r].kept++
		}
	}
	for i, r := range of {
		if r < 0 || runs[r].blocks < minSiblings {
			continue
		}
		share, mean := float32(runs[r].kept)/float32(runs[r].blocks), runs[r].sum/float32(runs[r].blocks)
		switch {
		case share >= mostChosen:
			keep[i] = keep[i] || p[i] >= mean*(1-strong)
		case share < fewChosen:
			keep[i] = keep[i] && p[i] > mean+(1-mean)*strong
		}
	}
}

// siblings gives each block the index of its run, -1 for none, and the empty
// runs. Blocks of a run are at the same place in siblings of one parent that
// have the same tag and class names, and are all links or none. Paragraphs
// belong to no run: each has text enough to be judged by.
func (seg *Segmentation) siblings(alike []int32) (of []int32, runs []siblingRun) {
	of = make([]int32, len(seg.blocks))
	index := seg.counter(len(seg.blocks))
	for i := range of {
		of[i] = -1
		b := &seg.blocks[i]
		linked := b.isLink()
		if b.words >= proseBlock && !linked {
			continue
		}
		// The innermost sibling around the block, and the way down to it.
		place, e := uint64(fnvOffset), b.elem
		for e >= 0 && alike[e] < minSiblings {
			place = (place ^ seg.elems[e].sig) * fnvPrime
			e = seg.elems[e].parent
		}
		if e < 0 {
			continue
		}
		place = ((place^seg.elems[e].sig)*fnvPrime ^ uint64(seg.elems[e].parent+1)) * fnvPrime
		if linked {
			place = ^place
		}
		r := index.slot(place)
		if *r == 0 {
			runs = append(runs, siblingRun{})
			*r = int32(len(runs))
		}
		of[i] = *r - 1
	}
	return of, runs
}

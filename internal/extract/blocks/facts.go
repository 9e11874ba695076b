package blocks

import "golang.org/x/net/html/atom"

// This file computes the parts that features of all blocks share: sums,
// groups, runs, sections and the elements that hold most of the paragraphs.

// pageFacts is computed once for the features of all blocks of a page.
type pageFacts struct {
	nb                 int
	words, chars, link []int32 // prefix sums, nb+1
	paras, paraWords   []int32 // of paragraphs: 20 words or more, under 30 % links
	links, images      []int32 // prefix sums
	kinds              [linkKinds][]int32
	tw, tc, tp, tpw    float32 // totals, at least 1
	isPara             []bool
	path               []uint64 // by block: hash of the last six signatures
	group, groupIndex  []int32  // by block: index into groups, and the blocks of the group before it
	groups             []pathGroup
	rep                []int32 // by element: siblings of its signature
	cum                []lexStat
	dup, dupIndex      []int32
	familiar           []float32 // by block: share of its words that paragraphs before have
	h1                 int
	title, desc        []uint32 // word hashes
	head               []headInfo
	prevPara, nextPara []int32
	run0, run1         []int32
	roots              [3]root
	domGroup           int32
	domParent          int32
	page               []pageFeature

	numbers, room []int32 // the memory of most slices, and what of it is left
}

type pageFeature struct {
	name string
	v    float32
}

type pathGroup struct {
	n, first, last int32
	words          float32
	squares        float32
	link, chars    float32
	uniq           int32
}

type headInfo struct {
	last      int32 // index of the last heading block at or before, -1
	sec0, end int32 // section: from its heading to the next of the same or a higher level
}

// root is the deepest element that holds a share of the page's paragraph words.
type root struct {
	elem int32   // -1 where the page has no paragraphs
	path []int32 // elements from the body to elem, by depth
}

// counter counts by 64-bit key, in one array, without allocation per key.
type counter struct {
	keys []uint64
	vals []int32
	mask uint64
}

// counter returns an empty counter for at most n keys. It holds until the next call: all
// counters of a segmentation have the same memory.
func (seg *Segmentation) counter(n int) *counter {
	size := 16
	for size < 2*n {
		size *= 2
	}
	c := &seg.counts
	c.keys, c.vals, c.mask = zeroed(c.keys, size), zeroed(c.vals, size), uint64(size-1)
	return c
}

// zeroed returns n zero values, in the memory of s where it is large enough.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// slot returns the value's place of key k, which starts at 0. At most as many
// keys as announced may be used.
func (t *counter) slot(k uint64) *int32 { return &t.vals[t.at(k)] }

// at is the index of the value of key k.
func (t *counter) at(k uint64) int32 {
	if k == 0 {
		k = 1
	}
	i := (k * 0x9E3779B97F4A7C15 >> 20) & t.mask
	for t.keys[i] != k && t.keys[i] != 0 {
		i = (i + 1) & t.mask
	}
	t.keys[i] = k
	return int32(i)
}

// factsOf computes the pageFacts, in a few linear passes.
func (seg *Segmentation) factsOf(title, desc string) *pageFacts {
	nb := len(seg.blocks)
	f := seg.facts
	if f == nil {
		f = &pageFacts{}
	}
	f.reset(nb, len(seg.elems))
	f.title, f.desc = HashWords(title, 32), HashWords(desc, 64)
	f.sums(seg)
	f.repeats(seg)
	f.findGroups(seg)
	f.familiarity(seg)
	f.headings(seg)
	f.elements(seg)
	f.paragraphs(seg)
	f.sections(seg)
	f.runs()
	f.findRoots(seg)
	f.pageLevel(seg)
	return f
}

// reset forgets a page, and makes room for one with so many blocks and elements in the
// same memory.
func (f *pageFacts) reset(nb, ne int) {
	*f = pageFacts{
		nb: nb, h1: -1, domGroup: -1, domParent: -1, numbers: f.numbers, groups: f.groups[:0], page: f.page[:0],
		isPara: zeroed(f.isPara, nb), path: zeroed(f.path, nb), familiar: zeroed(f.familiar, nb), head: zeroed(f.head, nb), cum: zeroed(f.cum, ne),
	}
	f.numbers = zeroed(f.numbers, (7+linkKinds)*(nb+1)+10*nb+2*ne)
	f.room = f.numbers
	f.words, f.chars, f.link = f.take(nb+1), f.take(nb+1), f.take(nb+1)
	f.paras, f.paraWords, f.links, f.images = f.take(nb+1), f.take(nb+1), f.take(nb+1), f.take(nb+1)
	for k := range f.kinds {
		f.kinds[k] = f.take(nb + 1)
	}
	f.group, f.groupIndex, f.dup, f.dupIndex, f.prevPara, f.nextPara = f.take(nb), f.take(nb), f.take(nb), f.take(nb), f.take(nb), f.take(nb)
	f.run0, f.run1 = f.take(nb), f.take(nb)
	f.rep = f.take(ne)
}

// take returns n of the zeros that reset has made.
func (f *pageFacts) take(n int) []int32 {
	s := f.room[:n:n]
	f.room = f.room[n:]
	return s
}

// sums computes the prefix sums and totals, and which blocks are paragraphs.
func (f *pageFacts) sums(seg *Segmentation) {
	for i := range seg.blocks {
		b := &seg.blocks[i]
		f.words[i+1] = f.words[i] + b.words
		f.chars[i+1] = f.chars[i] + b.chars
		f.link[i+1] = f.link[i] + b.link
		f.links[i+1] = f.links[i] + b.links
		f.images[i+1] = f.images[i] + b.images
		f.paras[i+1], f.paraWords[i+1] = f.paras[i], f.paraWords[i]
		if b.words >= 20 && 10*b.link < 3*max(b.chars, 1) {
			f.isPara[i] = true
			f.paras[i+1]++
			f.paraWords[i+1] += b.words
		}
		for k := range f.kinds {
			f.kinds[k][i+1] = f.kinds[k][i] + int32(b.kinds[k])
		}
	}
	f.tw = max(float32(f.words[f.nb]), 1)
	f.tc = max(float32(f.chars[f.nb]), 1)
	f.tp = max(float32(f.paras[f.nb]), 1)
	f.tpw = max(float32(f.paraWords[f.nb]), 1)
}

// repeats counts the blocks with the same text.
func (f *pageFacts) repeats(seg *Segmentation) {
	texts := seg.counter(f.nb)
	for i := range seg.blocks {
		s := texts.slot(seg.blocks[i].hash)
		f.dupIndex[i] = *s
		*s++
	}
	for i := range seg.blocks {
		f.dup[i] = *texts.slot(seg.blocks[i].hash)
	}
}

// findGroups collects the blocks on the same DOM path. It needs repeats.
func (f *pageFacts) findGroups(seg *Segmentation) {
	paths := seg.counter(f.nb)
	for i := range seg.blocks {
		b := &seg.blocks[i]
		h := seg.pathHash(b.elem)
		f.path[i] = h
		g := paths.slot(h)
		if *g == 0 {
			f.groups = append(f.groups, pathGroup{first: int32(i)})
			*g = int32(len(f.groups))
		}
		f.group[i] = *g - 1
		pg := &f.groups[*g-1]
		f.groupIndex[i] = pg.n
		pg.n++
		pg.last = int32(i)
		w := float32(b.words)
		pg.words += w
		pg.squares += w * w
		pg.link += float32(b.link)
		pg.chars += float32(b.chars)
		if f.dupIndex[i] == 0 {
			pg.uniq++
		}
	}
}

// familiarity computes the share of words that paragraphs before have.
func (f *pageFacts) familiarity(seg *Segmentation) {
	var bloom [1 << 11]uint64 // words of paragraphs so far: 2^17 bits
	for i := range seg.blocks {
		b := &seg.blocks[i]
		hits := 0
		for _, x := range seg.words[b.w0:b.w1] {
			if bloom[x>>6&(1<<11-1)]>>(x&63)&1 != 0 {
				hits++
			}
		}
		f.familiar[i] = float32(hits) / float32(max(b.w1-b.w0, 1))
		if f.isPara[i] {
			for _, x := range seg.words[b.w0:b.w1] {
				bloom[x>>6&(1<<11-1)] |= 1 << (x & 63)
			}
		}
	}
}

// headings finds the last heading before each block, and the main one: the h1
// that shares most words with the title.
func (f *pageFacts) headings(seg *Segmentation) {
	best, last := float32(0), int32(-1)
	for i := range seg.blocks {
		b := &seg.blocks[i]
		if b.level == 1 {
			ov := float32(0.11)
			if len(f.title) > 0 {
				ov = float32(overlap(seg.words[b.w0:b.w1], f.title))/float32(max(b.w1-b.w0, 1)) + .01
			}
			if ov > best {
				best, f.h1 = ov, i
			}
		}
		if b.level > 0 {
			last = int32(i)
		}
		f.head[i].last = last
	}
}

// elements counts siblings of the same signature, and sums up the lexicon from
// the body down.
func (f *pageFacts) elements(seg *Segmentation) {
	n := 0
	for i := range seg.elems {
		if e := &seg.elems[i]; e.b1 > e.b0 {
			n++
		}
	}
	siblings := seg.counter(n)
	for i := range seg.elems {
		if e := &seg.elems[i]; e.b1 > e.b0 {
			f.rep[i] = siblings.at(e.siblingKey())
			siblings.vals[f.rep[i]]++
		}
	}
	for i := range seg.elems {
		e := &seg.elems[i]
		if e.parent >= 0 {
			f.cum[i] = f.cum[e.parent]
		}
		f.cum[i].merge(&e.lex)
		if e.b1 > e.b0 {
			f.rep[i] = siblings.vals[f.rep[i]]
		}
	}
}

// siblingKey is equal for siblings of the same tag and classes.
func (e *element) siblingKey() uint64 { return e.sig ^ uint64(e.parent+1)*fnvPrime }

func (seg *Segmentation) pathHash(e int32) uint64 {
	h := uint64(fnvOffset)
	for k := 0; k < 6 && e >= 0; k++ {
		h = (h ^ seg.elems[e].sig) * fnvPrime
		e = seg.elems[e].parent
	}
	return h
}

// overlap counts the words of a that are in b; both are short or cut off.
func overlap(a, b []uint32) int {
	if len(a) > 60 {
		a = a[:60]
	}
	n := 0
	for _, x := range a {
		for _, y := range b {
			if x == y {
				n++
				break
			}
		}
	}
	return n
}

// paragraphs finds the nearest paragraphs and the dominant paragraph style.
func (f *pageFacts) paragraphs(seg *Segmentation) {
	last := int32(-1)
	for i := range f.nb {
		f.prevPara[i] = last
		if f.isPara[i] {
			last = int32(i)
		}
	}
	last = -1
	for i := f.nb - 1; i >= 0; i-- {
		f.nextPara[i] = last
		if f.isPara[i] {
			last = int32(i)
		}
	}
	if f.paras[f.nb] == 0 {
		return
	}
	byGroup, byElem := f.take(len(f.groups)), f.take(len(seg.elems)) // words
	var bg, be int32 = -1, -1
	for i := range f.nb {
		if !f.isPara[i] {
			continue
		}
		b := &seg.blocks[i]
		g := f.group[i]
		byGroup[g] += b.words
		if bg < 0 || byGroup[g] > byGroup[bg] {
			bg = g
		}
		p := seg.elems[b.elem].parent
		if p < 0 {
			p = b.elem
		}
		byElem[p] += b.words
		if be < 0 || byElem[p] > byElem[be] {
			be = p
		}
	}
	f.domGroup, f.domParent = bg, be
}

// sections gives each block the section of its heading.
func (f *pageFacts) sections(seg *Segmentation) {
	var stack []int32
	end := f.take(f.nb)
	for i := range f.nb {
		end[i] = int32(f.nb)
		lv := seg.blocks[i].level
		if lv > 0 && lv <= 4 {
			for len(stack) > 0 && seg.blocks[stack[len(stack)-1]].level >= lv {
				end[stack[len(stack)-1]] = int32(i)
				stack = stack[:len(stack)-1]
			}
			stack = append(stack, int32(i))
		}
		f.head[i].sec0 = -1
		if len(stack) > 0 {
			f.head[i].sec0 = stack[len(stack)-1]
		}
	}
	for i := range f.nb {
		if s := f.head[i].sec0; s >= 0 {
			f.head[i].end = end[s]
		} else {
			f.head[i].end = int32(i) + 1
		}
	}
}

// runs finds the runs of blocks with the same path.
func (f *pageFacts) runs() {
	for i := 0; i < f.nb; {
		j := i + 1
		for j < f.nb && f.path[j] == f.path[i] {
			j++
		}
		for k := i; k < j; k++ {
			f.run0[k], f.run1[k] = int32(i), int32(j)
		}
		i = j
	}
}

// findRoots descends from the body to the deepest element that holds 50, 75
// and 90 % of the words in paragraphs.
func (f *pageFacts) findRoots(seg *Segmentation) {
	for q := range f.roots {
		f.roots[q].elem = -1
	}
	if f.paras[f.nb] == 0 || len(seg.elems) == 0 {
		return
	}
	share := [3]float32{.5, .75, .9}
	for q := range f.roots {
		r := int32(0)
		path := []int32{0}
		// Children of r come after r in page order; one pass finds the heavy
		// child at each level.
		for i := int32(1); i < int32(len(seg.elems)); i++ {
			e := &seg.elems[i]
			if e.parent != r {
				continue
			}
			if float32(f.paraWords[e.b1]-f.paraWords[e.b0]) >= share[q]*f.tpw {
				r = i
				path = append(path, i)
			}
		}
		f.roots[q].elem = r
		f.roots[q].path = path
	}
}

// pageLevel computes the features that all blocks of a page share.
func (f *pageFacts) pageLevel(seg *Segmentation) {
	t := f.tagTotals(seg)
	b := f.blockTotals(seg)
	maxGroup := float32(0)
	for i := range f.groups {
		maxGroup = max(maxGroup, f.groups[i].words)
	}
	h1pos := float32(-1)
	if f.h1 >= 0 {
		h1pos = float32(f.h1) / float32(max(f.nb, 1))
	}
	nb := float32(f.nb)
	links := max(float32(f.links[f.nb]), 1)
	f.page = append(f.page, []pageFeature{
		{"pg_words", f.tw}, {"pg_ld", float32(f.link[f.nb]) / f.tc}, {"pg_nb", nb},
		{"pg_np", float32(f.paras[f.nb])}, {"pg_pfrac", float32(f.paraWords[f.nb]) / f.tw},
		{"pg_ncode", t.pre}, {"pg_nart", t.article}, {"pg_nform", t.form},
		{"pg_nh1", t.h1}, {"pg_h2", t.h2}, {"pg_h3", t.h3}, {"pg_ntab", t.table},
		{"pg_li", t.li}, {"pg_main", t.main}, {"pg_section", t.section},
		{"pg_mw", f.tw / max(nb, 1)}, {"pg_money", b.money}, {"pg_maxblk", b.top[0]},
		{"pg_maxgrp", maxGroup / f.tw}, {"pg_top5", (b.top[0] + b.top[1] + b.top[2] + b.top[3] + b.top[4]) / f.tw},
		{"pg_h1pos", h1pos}, {"pg_artw", float32(t.articleMost) / f.tw},
		{"pg_artsum", float32(t.articleSum) / f.tw}, {"pg_mainw", float32(t.mainMost) / f.tw},
		{"pg_dup", b.repeated / f.tw}, {"pg_img", float32(f.images[f.nb]) / max(nb, 1)},
		{"pg_ext", float32(f.kinds[linkExternal][f.nb]) / links}, {"pg_tax", float32(f.kinds[linkTaxonomy][f.nb]) / links},
	}...)
}

// tagTotals counts elements by tag, and words of articles and of main.
type tagTotals struct {
	pre, article, form, h1, h2, h3, table, li, main, section float32
	articleMost, articleSum, mainMost                        int32 // words
}

func (f *pageFacts) tagTotals(seg *Segmentation) (t tagTotals) {
	for i := range seg.elems {
		e := &seg.elems[i]
		w := f.words[e.b1] - f.words[e.b0]
		switch e.node.DataAtom {
		case atom.Pre:
			t.pre++
		case atom.Article:
			t.article++
			t.articleMost = max(t.articleMost, w)
			t.articleSum += w
		case atom.Form:
			t.form++
		case atom.H1:
			t.h1++
		case atom.H2:
			t.h2++
		case atom.H3:
			t.h3++
		case atom.Table:
			t.table++
		case atom.Li:
			t.li++
		case atom.Main:
			t.main++
			t.mainMost = max(t.mainMost, w)
		case atom.Section:
			t.section++
		}
	}
	return t
}

// blockTotals are sums over blocks.
type blockTotals struct {
	top      [5]float32 // words of the longest blocks, the longest first
	money    float32    // blocks with a price
	repeated float32    // words of blocks whose text stood before
}

func (f *pageFacts) blockTotals(seg *Segmentation) (t blockTotals) {
	for i := range seg.blocks {
		w := float32(seg.blocks[i].words)
		for k := range t.top {
			if w > t.top[k] {
				copy(t.top[k+1:], t.top[k:4])
				t.top[k] = w
				break
			}
		}
		if seg.blocks[i].money {
			t.money++
		}
		if f.dupIndex[i] > 0 {
			t.repeated += w
		}
	}
	return t
}

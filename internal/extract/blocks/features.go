package blocks

import (
	"math"
	"unicode"
)

// This file computes the features of a page's blocks. One function gives both
// the names and the values, for training and for use, so that the two cannot
// drift apart. Which features matter was measured (see the model card); word
// statistics of a language are left out on purpose, since they do not travel.
//
// Rules: every feature is a finite number or NaN for "there is none"; features
// that shares of the page would leave unstable use max(x, 1) below the line;
// nothing here allocates for a block; a row depends on the page and the index
// only, so that rows can be computed in any order and again.

// row receives the features of one block.
type row struct {
	v     []float32
	names []string // filled only when named
	named bool
}

func (r *row) add(name string, x float32) {
	r.v = append(r.v, x)
	if r.named {
		r.names = append(r.names, name)
	}
}

func (r *row) flag(name string, b bool) {
	x := float32(0)
	if b {
		x = 1
	}
	r.add(name, x)
}

// none adds NaN for each name.
func (r *row) none(names ...string) {
	for _, name := range names {
		r.add(name, nan)
	}
}

var nan = float32(math.NaN())

func ratio(a, b int32) float32 { return float32(a) / float32(max(b, 1)) }

// blockRow appends the features of block i to r. The order is that of
// [FeatureNames].
func (f *pageFacts) blockRow(r *row, seg *Segmentation, i int) {
	f.localRow(r, seg, i)
	f.pageRow(r)
}

// pageRow has what is the same for all blocks of the page.
func (f *pageFacts) pageRow(r *row) {
	for _, p := range f.page {
		r.add(p.name, p.v)
	}
}

// typeRow has what the forests of page types ask for: the features of the page, the share of its
// words within elements of each kind, and the means of its blocks' own features by their words.
// The order is that of [TypeNames].
func (f *pageFacts) typeRow(r *row, seg *Segmentation) {
	f.pageRow(r)
	var (
		within [numMarks]float32
		means  []float32
		b      row
		all    float32
	)
	for i := range seg.blocks {
		e := &seg.elems[seg.blocks[i].elem]
		w := float32(seg.blocks[i].words + 1)
		all += w
		for k := range within {
			if seg.marks[e.marks].distance(k, e.depth) < noMark {
				within[k] += w
			}
		}
		b.v, b.named = b.v[:0], r.named
		f.ownRow(&b, &seg.blocks[i], e)
		if means == nil {
			means = make([]float32, len(b.v))
		}
		for k, x := range b.v {
			means[k] += w * x
		}
	}
	all = max(all, 1)
	for k, x := range within {
		r.add("ty_"+kinds.names[k], x/all)
	}
	for k, x := range means {
		name := ""
		if b.named {
			name = "ty_" + b.names[k]
		}
		r.add(name, x/all)
	}
}

// localRow has the features before those of the page.
func (f *pageFacts) localRow(r *row, seg *Segmentation, i int) {
	f.unmarkedRow(r, seg, i)
	e := &seg.elems[seg.blocks[i].elem]
	markRow(r, &seg.marks[e.marks], e.depth)
}

// unmarkedRow has the features before those of markRow.
func (f *pageFacts) unmarkedRow(r *row, seg *Segmentation, i int) {
	b := &seg.blocks[i]
	e := &seg.elems[b.elem]
	f.ownRow(r, b, e)
	f.placeRow(r, seg, i)
	f.wordRow(r, seg, i)
	f.groupRow(r, i)
	f.ancestorRow(r, seg, i)
	f.neighbourRow(r, seg, i)
	f.windowRow(r, i)
	f.paragraphRow(r, seg, i)
	f.sectionRow(r, seg, i)
	for q := range f.roots {
		f.rootRow(r, seg, int32(i), b.elem, q)
	}
	f.linkRow(r, seg, b)
	f.lexiconRow(r, seg, e)
}

// ownRow describes the block itself.
func (f *pageFacts) ownRow(r *row, b *block, e *element) {
	w, c := float32(b.words), float32(max(b.chars, 1))
	wc := max(w, 1)
	r.add("w", w)
	r.add("chars", c)
	r.add("ld", float32(b.link)/c)
	r.add("na", float32(b.links))
	r.add("avgw", c/wc)
	r.add("pun", float32(b.punct)/wc)
	r.add("npun", float32(b.punct))
	r.add("endp", endClass(b.last))
	r.add("q", float32(b.question))
	r.add("dig", float32(b.digits)/c)
	r.add("up", float32(b.upper)/c)
	r.add("cap", float32(b.capital)/wc)
	r.add("sym", float32(b.symbols)/c)
	r.add("sep", float32(b.separators))
	r.add("nonasc", float32(b.nonASCII)/c)
	r.flag("st_up", unicode.IsUpper(b.first))
	r.flag("st_dig", unicode.IsDigit(b.first))
	r.add("bold", float32(b.bold)/c)
	r.add("inner", float32(b.inner))
	r.flag("money", b.money)
	r.flag("copy", b.copyright)
	r.add("img", float32(b.images))
	r.add("tag", float32(e.tag))
	r.add("hl", float32(b.level))
	r.add("depth", float32(e.depth))
	r.flag("hidden", e.hidden)
}

// placeRow has the place of the block on the page.
func (f *pageFacts) placeRow(r *row, seg *Segmentation, i int) {
	nb := int32(f.nb)
	i32 := int32(i)
	r.add("pos", float32(i)/float32(nb))
	r.add("idx", float32(i))
	r.add("idxe", float32(nb-i32))
	r.add("tpos", float32(f.words[i])/f.tw)
	r.add("wb", float32(f.words[i]))
	r.add("wa", f.tw-float32(f.words[i+1]))
	if f.h1 >= 0 {
		r.add("h1d", float32(i-f.h1))
		r.add("h1w", float32(f.words[i]-f.words[f.h1]))
	} else {
		r.none("h1d", "h1w")
	}
	if hd := &f.head[i]; hd.last >= 0 {
		r.add("hdd", float32(i32-hd.last))
		r.add("hdl", float32(seg.blocks[hd.last].level))
		r.add("hdw", float32(f.words[i]-f.words[hd.last]))
	} else {
		r.none("hdd", "hdl", "hdw")
	}
}

// wordRow compares the words of the block with the title, the description and
// the rest of the page.
func (f *pageFacts) wordRow(r *row, seg *Segmentation, i int) {
	b := &seg.blocks[i]
	words := seg.words[b.w0:b.w1]
	nw := float32(max(min(len(words), 60), 1))
	ov := float32(overlap(words, f.title))
	r.add("tit", ov/nw)
	r.add("titr", ov/float32(max(len(f.title), 1)))
	ov = float32(overlap(words, f.desc))
	r.add("desc", ov/nw)
	r.add("descr", ov/float32(max(len(f.desc), 1)))
	r.add("dup", float32(f.dup[i]))
	r.add("dupi", float32(f.dupIndex[i]))
	r.add("seen", f.familiar[i])
}

// groupRow describes the blocks on the same DOM path, and the run of them that
// the block is in.
func (f *pageFacts) groupRow(r *row, i int) {
	g := &f.groups[f.group[i]]
	gn := float32(g.n)
	mean := g.words / gn
	r.add("g_n", gn)
	r.add("g_mw", mean)
	r.add("g_fr", g.words/f.tw)
	r.add("g_ld", g.link/max(g.chars, 1))
	r.add("g_i", float32(f.groupIndex[i]))
	r.add("g_span", float32(g.last-g.first)/float32(f.nb))
	r.add("g_sd", float32(math.Sqrt(float64(max(g.squares/gn-mean*mean, 0)))))
	r.add("g_u", float32(g.uniq)/gn)
	n := f.run1[i] - f.run0[i]
	r.add("run_n", float32(n))
	r.add("run_w", float32(f.words[f.run1[i]]-f.words[f.run0[i]]))
	r.add("run_ld", ratio(f.link[f.run1[i]]-f.link[f.run0[i]], f.chars[f.run1[i]]-f.chars[f.run0[i]]))
	r.add("run_i", float32(int32(i)-f.run0[i]))
}

// ancestorRow describes six levels of ancestors, the element itself first.
func (f *pageFacts) ancestorRow(r *row, seg *Segmentation, i int) {
	x := seg.blocks[i].elem
	for lv := range 6 {
		nm := &ancestorNames[lv]
		if x < 0 {
			r.none(nm[:]...)
			continue
		}
		a := &seg.elems[x]
		aw := f.words[a.b1] - f.words[a.b0]
		k := a.b1 - a.b0
		r.add(nm[0], float32(aw))
		r.add(nm[1], float32(aw)/f.tw)
		r.add(nm[2], ratio(f.link[a.b1]-f.link[a.b0], f.chars[a.b1]-f.chars[a.b0]))
		r.add(nm[3], float32(k))
		r.add(nm[4], float32(aw)/float32(max(k, 1)))
		r.add(nm[5], float32(f.paras[a.b1]-f.paras[a.b0]))
		r.add(nm[6], float32(f.rep[x]))
		r.add(nm[7], float32(int32(i)-a.b0)/float32(max(k, 1)))
		x = a.parent
	}
}

// neighbourRow describes the two blocks on each side, and how far up the block
// and the next ones have an ancestor in common.
func (f *pageFacts) neighbourRow(r *row, seg *Segmentation, i int) {
	for k, d := range [4]int32{-1, 1, -2, 2} {
		j := int32(i) + d
		nm := &neighbourNames[k]
		if j < 0 || j >= int32(f.nb) {
			r.none(nm[:]...)
			continue
		}
		o := &seg.blocks[j]
		r.add(nm[0], float32(o.words))
		r.add(nm[1], ratio(o.link, o.chars))
		r.flag(nm[2], f.path[j] == f.path[i])
	}
	for k, d := range [2]int32{-1, 1} {
		j := int32(i) + d
		if j < 0 || j >= int32(f.nb) {
			r.add(commonNames[k], nan)
			continue
		}
		y, up := seg.blocks[i].elem, float32(0)
		for y >= 0 && !(seg.elems[y].b0 <= j && j < seg.elems[y].b1) {
			y = seg.elems[y].parent
			up++
		}
		r.add(commonNames[k], up)
	}
}

// windowRow sums up the blocks around.
func (f *pageFacts) windowRow(r *row, i int) {
	for k, win := range [2]int32{5, 15} {
		nm := &windowNames[k]
		lo, hi := max(int32(i)-win, 0), min(int32(i)+1+win, int32(f.nb))
		r.add(nm[0], float32(f.words[i]-f.words[lo]))
		r.add(nm[1], ratio(f.link[i]-f.link[lo], f.chars[i]-f.chars[lo]))
		r.add(nm[2], float32(f.words[hi]-f.words[i+1]))
		r.add(nm[3], ratio(f.link[hi]-f.link[i+1], f.chars[hi]-f.chars[i+1]))
		r.add(nm[4], float32(f.paras[hi]-f.paras[lo]))
	}
}

// paragraphRow has the number of paragraphs before and after the block, and the
// distance to the next ones.
func (f *pageFacts) paragraphRow(r *row, seg *Segmentation, i int) {
	r.add("par_bf", float32(f.paras[i])/f.tp)
	r.add("par_af", f.tp-float32(f.paras[i+1]))
	r.add("parw_bf", float32(f.paraWords[i])/f.tpw)
	r.add("parw_af", (f.tpw-float32(f.paraWords[i+1]))/f.tpw)
	if p := f.prevPara[i]; p >= 0 {
		r.add("dpb", float32(int32(i)-p))
		r.add("dpbw", float32(f.words[i]-f.words[p+1]))
	} else {
		r.none("dpb", "dpbw")
	}
	if p := f.nextPara[i]; p >= 0 {
		r.add("dpn", float32(p-int32(i)))
		r.add("dpnw", float32(f.words[p]-f.words[i+1]))
	} else {
		r.none("dpn", "dpnw")
	}
	f.dominantRow(r, seg, i)
}

// dominantRow compares the block with the path and the element that most words
// of paragraphs are in.
func (f *pageFacts) dominantRow(r *row, seg *Segmentation, i int) {
	if f.domGroup >= 0 {
		r.flag("dom_same", f.group[i] == f.domGroup)
		r.add("dom_wf", f.groups[f.domGroup].words/f.tw)
		d := &seg.elems[f.domParent]
		r.add("domp_off", f.wordsFrom(int32(i), d))
	} else {
		r.none("dom_same", "dom_wf", "domp_off")
	}
}

// wordsFrom returns the words between block i and an element: positive before
// it, negative behind it, 0 within.
func (f *pageFacts) wordsFrom(i int32, e *element) float32 {
	if i < e.b0 {
		return float32(f.words[e.b0] - f.words[i])
	}
	if i >= e.b1 {
		return -float32(f.words[i] - f.words[e.b1])
	}
	return 0
}

// sectionRow describes the section under the last heading.
func (f *pageFacts) sectionRow(r *row, seg *Segmentation, i int) {
	hd := &f.head[i]
	s0 := max(hd.sec0, 0)
	r.add("hs_w", float32(f.words[hd.end]-f.words[s0]))
	r.add("hs_ld", ratio(f.link[hd.end]-f.link[s0], f.chars[hd.end]-f.chars[s0]))
	r.add("hs_np", float32(f.paras[hd.end]-f.paras[s0]))
	r.add("hs_n", float32(hd.end-s0))
	r.add("hs_rem", float32(hd.end-int32(i)))
	if hd.sec0 >= 0 {
		h := &seg.blocks[hd.sec0]
		r.add("hs_hld", ratio(h.link, h.chars))
		r.add("hs_hw", float32(h.words))
	} else {
		r.none("hs_hld", "hs_hw")
	}
}

// linkRow counts links by kind: the block's own, and those of its parent and
// grandparent.
func (f *pageFacts) linkRow(r *row, seg *Segmentation, b *block) {
	pa := seg.elems[b.elem].parent
	if pa < 0 {
		pa = b.elem
	}
	ga := seg.elems[pa].parent
	if ga < 0 {
		ga = pa
	}
	for k := range linkKinds {
		nm := &kindNames[k]
		r.add(nm[0], float32(b.kinds[k]))
		for q, a := range [2]int32{pa, ga} {
			an := &seg.elems[a]
			r.add(nm[1+q], ratio(f.kinds[k][an.b1]-f.kinds[k][an.b0], f.links[an.b1]-f.links[an.b0]))
		}
	}
	for q, a := range [2]int32{pa, ga} {
		an := &seg.elems[a]
		r.add(parentNames[2*q], float32(f.links[an.b1]-f.links[an.b0]))
		r.add(parentNames[2*q+1], float32(f.images[an.b1]-f.images[an.b0]))
	}
}

// lexiconRow sums up what class and id names say: those of the element and its
// parent, and those further up.
func (f *pageFacts) lexiconRow(r *row, seg *Segmentation, e *element) {
	near := e.lex
	far := lexStat{}
	if e.parent >= 0 {
		near.merge(&seg.elems[e.parent].lex)
		if gp := seg.elems[e.parent].parent; gp >= 0 {
			far = f.cum[gp]
		}
	}
	if near.n > 0 {
		r.add("lx_near_min", float32(near.nearMin))
		r.add("lx_near_max", float32(near.nearMax))
		r.add("lx_near_mean", float32(near.nearSum)/float32(near.n))
		r.add("lx_near_sum", float32(near.nearSum))
	} else {
		r.none("lx_near_min", "lx_near_max", "lx_near_mean", "lx_near_sum")
	}
	if far.n > 0 {
		r.add("lx_far_min", float32(far.farMin))
		r.add("lx_far_max", float32(far.farMax))
		r.add("lx_far_mean", float32(far.farSum)/float32(far.n))
		r.add("lx_far_sum", float32(far.farSum))
	} else {
		r.none("lx_far_min", "lx_far_max", "lx_far_mean", "lx_far_sum")
	}
}

// noMark is the distance to an ancestor of a kind where there is none, and the largest one.
const noMark = 30

// markRow has the distance to the nearest ancestor of each kind.
func markRow(r *row, m *marks, depth int32) {
	for k := range m {
		r.add(kinds.names[k], float32(m.distance(k, depth)))
	}
}

// distance returns how many levels above an element of a depth its nearest ancestor of a kind
// is, from 1 for the element itself to noMark.
func (m *marks) distance(k int, depth int32) int32 {
	if m[k] == 0 {
		return noMark
	}
	return min(depth-int32(m[k])+1, noMark)
}

// rootRow compares the block with an element that holds most of the paragraphs.
func (f *pageFacts) rootRow(r *row, seg *Segmentation, i, ei int32, q int) {
	nm := &rootNames[q]
	rt := &f.roots[q]
	if rt.elem < 0 {
		r.none(nm[:]...)
		return
	}
	re := &seg.elems[rt.elem]
	r.flag(nm[0], re.b0 <= i && i < re.b1)
	y, down, prev := ei, float32(0), int32(-1)
	up := float32(99)
	for y >= 0 {
		if d := seg.elems[y].depth; int(d) < len(rt.path) && rt.path[d] == y {
			up = float32(len(rt.path) - 1 - int(d))
			break
		}
		prev = y
		y = seg.elems[y].parent
		down++
	}
	r.add(nm[1], down)
	r.add(nm[2], up)
	r.add(nm[3], f.wordsFrom(i, re))
	// The child of the root that holds the block: how it looks, what follows.
	a, z := i, i+1
	if prev >= 0 && up == 0 {
		a, z = seg.elems[prev].b0, seg.elems[prev].b1
	}
	r.add(nm[4], ratio(f.link[z]-f.link[a], f.chars[z]-f.chars[a]))
	r.add(nm[5], float32(f.paras[z]-f.paras[a]))
	r.add(nm[6], float32(f.words[z]-f.words[a]))
	r.add(nm[7], float32(f.paraWords[max(re.b1, z)]-f.paraWords[z])/f.tpw)
	r.add(nm[8], float32(f.paraWords[a]-f.paraWords[min(re.b0, a)])/f.tpw)
}

// endClass says how a block's text ends: 2 as a sentence, 1 with a colon, 0
// otherwise.
func endClass(r rune) float32 {
	switch r {
	case '.', '!', '?', '…', '"', '”', '。', '！', '？', ')', '»':
		return 2
	case ':', '：':
		return 1
	}
	return 0
}

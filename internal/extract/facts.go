package extract

import (
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file computes what the features of all blocks of a page share: sums,
// groups, runs, sections and the elements that hold most of the paragraphs.

// pageFacts is what the features of a page's blocks share.
type pageFacts struct {
	nb                 int
	words, chars, link []int32 // prefix sums, nb+1
	paras, paraWords   []int32 // of paragraphs: 20 words or more, under 30 % links
	links, images      []int32 // prefix sums
	kinds              [linkKinds][]int32
	tw, tc, tp, tpw    float32 // totals, at least 1
	isPara             []bool
	path               []uint64 // by block: hash of the last six signatures
	group              []int32  // by block: index into groups
	groups             []pathGroup
	rep                []int32 // by element: siblings of its signature
	cum                []lexStat
	dup, dupIndex      []int32
	seen               []float32
	h1                 int
	title, desc        []uint32 // word hashes
	head               []headInfo
	prevPara, nextPara []int32
	run0, run1         []int32
	roots              [3]root
	domGroup           int32
	domParent          int32
	page               []pageFeature
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
	index          int32 // running, while rows are made
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

// table counts by 64-bit key, in one array, without allocation per key.
type table struct {
	keys []uint64
	vals []int32
	mask uint64
}

func newTable(n int) *table {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return &table{keys: make([]uint64, size), vals: make([]int32, size), mask: uint64(size - 1)}
}

// slot returns the value's place of key k, which starts at 0. At most as many
// keys as announced may be used.
func (t *table) slot(k uint64) *int32 {
	if k == 0 {
		k = 1
	}
	i := (k * 0x9E3779B97F4A7C15 >> 20) & t.mask
	for t.keys[i] != k && t.keys[i] != 0 {
		i = (i + 1) & t.mask
	}
	t.keys[i] = k
	return &t.vals[i]
}

// facts computes what the blocks' features share, in a few linear passes.
func (l *layout) facts(title, desc string, path string) *pageFacts {
	nb, ne := len(l.blocks), len(l.elems)
	f := &pageFacts{nb: nb, h1: -1, domGroup: -1, domParent: -1}
	ints := make([]int32, (7+linkKinds)*(nb+1)+6*nb+ne)
	take := func(n int) []int32 { s := ints[:n:n]; ints = ints[n:]; return s }
	f.words, f.chars, f.link = take(nb+1), take(nb+1), take(nb+1)
	f.paras, f.paraWords, f.links, f.images = take(nb+1), take(nb+1), take(nb+1), take(nb+1)
	for k := range f.kinds {
		f.kinds[k] = take(nb + 1)
	}
	f.group, f.dup, f.dupIndex, f.prevPara, f.nextPara = take(nb), take(nb), take(nb), take(nb), take(nb)
	f.isPara = make([]bool, nb)
	f.path = make([]uint64, nb)
	f.seen = make([]float32, nb)
	f.head = make([]headInfo, nb)

	f.title, f.desc = wordHashes(title, 32), wordHashes(desc, 64)
	texts := newTable(nb)
	paths := newTable(nb)
	best := float32(0)
	var bloom [1 << 11]uint64 // words of paragraphs so far: 2^17 bits
	lastHead := int32(-1)
	for i := range l.blocks {
		b := &l.blocks[i]
		para := b.words >= 20 && 10*b.link < 3*max(b.chars, 1)
		f.isPara[i] = para
		f.words[i+1] = f.words[i] + b.words
		f.chars[i+1] = f.chars[i] + b.chars
		f.link[i+1] = f.link[i] + b.link
		f.links[i+1] = f.links[i] + b.links
		f.images[i+1] = f.images[i] + b.images
		f.paras[i+1], f.paraWords[i+1] = f.paras[i], f.paraWords[i]
		if para {
			f.paras[i+1]++
			f.paraWords[i+1] += b.words
		}
		for k := range f.kinds {
			f.kinds[k][i+1] = f.kinds[k][i] + int32(b.kinds[k])
		}
		// Same text.
		s := texts.slot(b.hash)
		f.dupIndex[i] = *s
		*s++
		// Same DOM path.
		h := l.pathHash(b.elem)
		f.path[i] = h
		g := paths.slot(h)
		if *g == 0 {
			f.groups = append(f.groups, pathGroup{first: int32(i)})
			*g = int32(len(f.groups))
		}
		f.group[i] = *g - 1
		pg := &f.groups[*g-1]
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
		// Words seen in paragraphs before.
		hits := 0
		for _, x := range l.words[b.w0:b.w1] {
			if bloom[x>>6&(1<<11-1)]>>(x&63)&1 != 0 {
				hits++
			}
		}
		f.seen[i] = float32(hits) / float32(max(b.w1-b.w0, 1))
		if para {
			for _, x := range l.words[b.w0:b.w1] {
				bloom[x>>6&(1<<11-1)] |= 1 << (x & 63)
			}
		}
		// The main heading: the h1 that shares most words with the title.
		if b.level == 1 {
			ov := float32(0.11)
			if len(f.title) > 0 {
				ov = float32(overlap(l.words[b.w0:b.w1], f.title))/float32(max(b.w1-b.w0, 1)) + .01
			}
			if ov > best {
				best, f.h1 = ov, i
			}
		}
		if b.level > 0 {
			lastHead = int32(i)
		}
		f.head[i].last = lastHead
	}
	for i := range l.blocks {
		f.dup[i] = *texts.slot(l.blocks[i].hash)
	}
	f.tw = max(float32(f.words[nb]), 1)
	f.tc = max(float32(f.chars[nb]), 1)
	f.tp = max(float32(f.paras[nb]), 1)
	f.tpw = max(float32(f.paraWords[nb]), 1)

	// Elements: repeated siblings, cumulated lexicon.
	f.rep = take(ne)
	sib := newTable(ne)
	for i := range l.elems {
		e := &l.elems[i]
		if e.b1 > e.b0 {
			*sib.slot(e.sig ^ uint64(e.parent+1)*fnvPrime)++
		}
	}
	f.cum = make([]lexStat, ne)
	for i := range l.elems {
		e := &l.elems[i]
		if e.parent >= 0 {
			f.cum[i] = f.cum[e.parent]
		}
		f.cum[i].merge(&e.lex)
		if e.b1 > e.b0 {
			f.rep[i] = *sib.slot(e.sig ^ uint64(e.parent+1)*fnvPrime)
		}
	}
	f.paragraphs(l)
	f.sections(l)
	f.runs()
	f.findRoots(l)
	f.pageLevel(l, path)
	return f
}

func (l *layout) pathHash(e int32) uint64 {
	h := uint64(fnvOffset)
	for k := 0; k < 6 && e >= 0; k++ {
		h = (h ^ l.elems[e].sig) * fnvPrime
		e = l.elems[e].parent
	}
	return h
}

func wordHashes(s string, limit int) []uint32 {
	var out []uint32
	h, in := uint32(2166136261), false
	for _, r := range s {
		if text.IsWord(r) {
			if unicode.IsUpper(r) {
				r = unicode.ToLower(r)
			}
			h = (h ^ uint32(r)) * 16777619
			in = true
			continue
		}
		if in {
			out = append(out, h)
		}
		if len(out) >= limit {
			return out
		}
		h, in = 2166136261, false
	}
	if in {
		out = append(out, h)
	}
	return out
}

// overlap counts the words of a that stand in b; both are short or cut off.
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
func (f *pageFacts) paragraphs(l *layout) {
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
	byGroup := make([]int32, len(f.groups))
	byElem := make([]int32, len(l.elems))
	var bg, be int32 = -1, -1
	for i := range f.nb {
		if !f.isPara[i] {
			continue
		}
		b := &l.blocks[i]
		g := f.group[i]
		byGroup[g] += b.words
		if bg < 0 || byGroup[g] > byGroup[bg] {
			bg = g
		}
		p := l.elems[b.elem].parent
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
func (f *pageFacts) sections(l *layout) {
	var stack []int32
	end := make([]int32, f.nb)
	for i := range f.nb {
		end[i] = int32(f.nb)
		lv := l.blocks[i].level
		if lv > 0 && lv <= 4 {
			for len(stack) > 0 && l.blocks[stack[len(stack)-1]].level >= lv {
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
	f.run0, f.run1 = make([]int32, f.nb), make([]int32, f.nb)
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
func (f *pageFacts) findRoots(l *layout) {
	for q := range f.roots {
		f.roots[q].elem = -1
	}
	if f.paras[f.nb] == 0 || len(l.elems) == 0 {
		return
	}
	share := [3]float32{.5, .75, .9}
	for q := range f.roots {
		r := int32(0)
		path := []int32{0}
		// Children of r stand after r in page order; one pass finds the heavy
		// child at each level.
		for i := int32(1); i < int32(len(l.elems)); i++ {
			e := &l.elems[i]
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
func (f *pageFacts) pageLevel(l *layout, path string) {
	var counts struct {
		pre, article, form, h1, h2, h3, table, li, main, section, money, headings float32
		artMax, artSum, mainMax                                                   int32
	}
	for i := range l.elems {
		e := &l.elems[i]
		w := f.words[e.b1] - f.words[e.b0]
		switch e.node.Data {
		case "pre":
			counts.pre++
		case "article":
			counts.article++
			counts.artMax = max(counts.artMax, w)
			counts.artSum += w
		case "form":
			counts.form++
		case "h1":
			counts.h1++
		case "h2":
			counts.h2++
		case "h3":
			counts.h3++
		case "table":
			counts.table++
		case "li":
			counts.li++
		case "main":
			counts.main++
			counts.mainMax = max(counts.mainMax, w)
		case "section":
			counts.section++
		}
	}
	maxBlock, maxGroup := float32(0), float32(0)
	var top [5]float32
	dup := float32(0)
	for i := range l.blocks {
		w := float32(l.blocks[i].words)
		maxBlock = max(maxBlock, w)
		for k := range top {
			if w > top[k] {
				copy(top[k+1:], top[k:4])
				top[k] = w
				break
			}
		}
		if l.blocks[i].money {
			counts.money++
		}
		if f.dupIndex[i] > 0 {
			dup += w
		}
	}
	for i := range f.groups {
		maxGroup = max(maxGroup, f.groups[i].words)
	}
	segs, slug := 0, 0
	path = strings.ToLower(path)
	for s := range strings.SplitSeq(path, "/") {
		if s != "" {
			segs++
			slug = max(slug, strings.Count(s, "-")+strings.Count(s, "_"))
		}
	}
	h1pos := float32(-1)
	if f.h1 >= 0 {
		h1pos = float32(f.h1) / float32(max(f.nb, 1))
	}
	nb := float32(f.nb)
	tl := max(float32(f.links[f.nb]), 1)
	has := func(words ...string) float32 {
		for _, w := range words {
			if strings.Contains(path, w) {
				return 1
			}
		}
		return 0
	}
	f.page = []pageFeature{
		{"pg_words", f.tw}, {"pg_ld", float32(f.link[f.nb]) / f.tc}, {"pg_nb", nb},
		{"pg_np", float32(f.paras[f.nb])}, {"pg_pfrac", float32(f.paraWords[f.nb]) / f.tw},
		{"pg_ncode", counts.pre}, {"pg_nart", counts.article}, {"pg_nform", counts.form},
		{"pg_nh1", counts.h1}, {"pg_h2", counts.h2}, {"pg_h3", counts.h3}, {"pg_ntab", counts.table},
		{"pg_li", counts.li}, {"pg_main", counts.main}, {"pg_section", counts.section},
		{"pg_mw", f.tw / max(nb, 1)}, {"pg_nseg", float32(segs)}, {"pg_slug", float32(slug)},
		{"pg_pathlen", float32(len(path))}, {"pg_money", counts.money}, {"pg_maxblk", maxBlock},
		{"pg_maxgrp", maxGroup / f.tw}, {"pg_top5", (top[0] + top[1] + top[2] + top[3] + top[4]) / f.tw},
		{"pg_h1pos", h1pos}, {"pg_artw", float32(counts.artMax) / f.tw},
		{"pg_artsum", float32(counts.artSum) / f.tw}, {"pg_mainw", float32(counts.mainMax) / f.tw},
		{"pg_dup", dup / f.tw}, {"pg_img", float32(f.images[f.nb]) / max(nb, 1)},
		{"pg_ext", float32(f.kinds[linkExternal][f.nb]) / tl}, {"pg_tax", float32(f.kinds[linkTaxonomy][f.nb]) / tl},
		{"url_forum", has("forum", "thread", "topic", "/t/", "discuss", "community", "question", "/r/", "viewtopic", "answers", "comments")},
		{"url_product", has("product", "/p/", "/dp/", "item", "/buy", "sku")},
		{"url_collection", has("collection", "categor", "shop", "/c/", "store", "browse", "catalog")},
		{"url_docs", has("docs", "/doc", "reference", "/api", "manual", "guide", "wiki", "tutorial", "learn", "help", "/kb", "support")},
		{"url_blog", has("blog", "/20", "news", "article", "post", "story", "stories", "press")},
		{"url_list", has("list", "best", "/top", "courses", "directory", "index", "archive", "jobs", "events", "search", "resources", "library")},
		{"url_service", has("service", "solutions", "pricing", "features", "platform", "about", "software", "company", "consult")},
	}
}

package blocks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file chooses the blocks of posts: all of their text, and nothing that the
// program of the thread adds to it.

// settlePosts completes the thread, and leaves out the parts of posts that are
// not their text.
func settlePosts(seg *Segmentation, keep []bool, c Choices) {
	seg.thread = seg.posts(keep)
	said := seg.sayings()
	if !slices.ContainsFunc(seg.thread, func(p post) bool { return !said.isCopy(seg, &p) }) {
		seg.thread = nil // one text, shown several times
	}
	if c.Type != page.Article && seg.known == nil {
		seg.takeOpening()
	}
	if c.Comments != CommentsNever {
		seg.completePosts(keep, c.Type)
	}
	for k := range seg.thread {
		p := &seg.thread[k]
		if p.heading() == "" {
			continue
		}
		for _, i := range p.head {
			keep[i] = false
		}
		copied, labels := said.isCopy(seg, p), said.hasText(seg, p, keep)
		for i := p.b0; i < p.b1; i++ {
			b := &seg.blocks[i]
			control := b.words <= postWords && len(seg.thread) >= minRecords && (2*said.posts[b.hash] > len(seg.thread) || labels && said.isLabel(seg, p, i))
			if control || seg.isBeside(i, p) || !copied && said.repeats(seg, p, b) {
				keep[i] = false
			}
		}
	}
	if len(seg.thread) > 0 {
		if c.Type == page.Forum {
			seg.trace.note(keep, ofPost)
			seg.keepSubject(keep)
			seg.trace.note(keep, asHeading)
		}
		seg.dropSubjects(keep)
		seg.dropBareHeadings(keep)
	} else if c.Type == page.Forum {
		seg.keepBetween(keep)
	}
}

// keepBetween completes a thread whose authors no mark tells: what stands between its
// texts, each time at the same place and in other words, says who wrote them and when.
func (seg *Segmentation) keepBetween(keep []bool) {
	texts := map[uint64][]int32{} // chosen ones by place
	var most []int32
	for i := range seg.blocks {
		if b := &seg.blocks[i]; keep[i] && b.words >= proseLine && b.level == 0 {
			at := seg.place(b.elem)
			if texts[at] = append(texts[at], int32(i)); len(texts[at]) > len(most) {
				most = texts[at]
			}
		}
	}
	if len(most) < minRecords {
		return
	}
	type label struct {
		gaps, last int
		said       map[uint64]bool
		at         []int32
	}
	labels := map[uint64]*label{}
	for k, end := range most {
		begin := max(end-titleBlocks, 0)
		if k > 0 {
			begin = max(begin, most[k-1]+1)
		}
		for i := begin; i < end; i++ {
			b := &seg.blocks[i]
			if b.words == 0 || b.words > headWords || b.inner&innerButton != 0 || seg.isControl(int(i)) || seg.inChrome(int(i)) {
				continue
			}
			l := labels[seg.place(b.elem)]
			if l == nil {
				l = &label{said: map[uint64]bool{}}
				labels[seg.place(b.elem)] = l
			}
			if l.last != k+1 {
				l.gaps, l.last = l.gaps+1, k+1
			}
			l.said[b.hash] = true
			l.at = append(l.at, i)
		}
	}
	for _, l := range labels {
		if 4*l.gaps >= 3*len(most) && 2*len(l.said) >= l.gaps {
			for _, i := range l.at {
				keep[i] = true
			}
		}
	}
}

// takeOpening puts the opening post before the thread where programs write it in another
// way than the answers: what stands between the heading of the page and the first answer
// below a name that is marked as theirs are.
func (seg *Segmentation) takeOpening() {
	if len(seg.thread) < leastPosts || seg.thread[0].name == nil {
		return
	}
	first := &seg.thread[0]
	for i := max(seg.anchor()+1, 0); i < first.b0; i++ {
		name := seg.authorIn(i)
		if name == nil || !isMarkedAlike(name, first.name) {
			continue
		}
		e := seg.blocks[i].elem
		for up := seg.elems[e].parent; up >= 0 && seg.elems[up].b1 <= first.b0; up = seg.elems[up].parent {
			e = up
		}
		el := &seg.elems[e]
		p := post{b0: max(el.b0, seg.anchor()+1), b1: el.b1, kind: first.kind, depth: min(el.depth, first.depth), name: name}
		if seg.facts.words[p.b1]-seg.facts.words[p.b0] < 2*postWords {
			continue
		}
		seg.describePost(&p)
		seg.thread = slices.Insert(seg.thread, 0, p)
		return
	}
}

// isMarkedAlike reports whether the markup calls two elements authors in the same words.
func isMarkedAlike(a, b *html.Node) bool {
	return a.DataAtom == b.DataAtom && dom.Attr(a, "class") == dom.Attr(b, "class") && dom.Attr(a, "itemprop") == dom.Attr(b, "itemprop")
}

// keepSubject keeps the heading above the thread that says what the page is called, at any
// level: some programs write it as a link. The one that is kept may stand within the first post.
func (seg *Segmentation) keepSubject(keep []bool) {
	first, last := &seg.thread[0], int32(-1)
	for i := range first.b1 {
		if b := &seg.blocks[i]; b.level == 0 || b.words == 0 || !seg.namesPage(int(i)) || seg.inChrome(int(i)) {
			continue
		}
		if keep[i] && (i < first.b0 || seg.blocks[i].level == 1) {
			return
		}
		if i < first.b0 {
			last = i
		}
	}
	if last >= 0 {
		keep[last] = true
	}
}

// dropSubjects drops the headings of posts that say again what a heading above the thread
// says, perhaps behind a word such as "Re": the author of the post is its heading.
func (seg *Segmentation) dropSubjects(keep []bool) {
	var above [][]uint32
	for i := range seg.thread[0].b0 {
		if b := &seg.blocks[i]; keep[i] && b.level > 0 && b.words > 0 {
			above = append(above, seg.words[b.w0:b.w1])
		}
	}
	for k := range seg.thread {
		p := &seg.thread[k]
		for i := p.b0; i < p.b1 && p.heading() != ""; i++ {
			b := &seg.blocks[i]
			words := seg.words[b.w0:b.w1]
			if keep[i] && b.level > 0 && slices.ContainsFunc(above, func(a []uint32) bool {
				return len(words) >= len(a) && len(words) <= len(a)+1 && slices.Equal(words[len(words)-len(a):], a)
			}) {
				keep[i] = false
			}
		}
	}
}

// dropBareHeadings leaves out the headings of a thread that have lost what stood below
// them, for example "6 Comments" without comments: they belong to the text before them
// rather than to the one behind, and no picture stands below them.
func (seg *Segmentation) dropBareHeadings(keep []bool) {
	before := make([]int32, len(keep)) // the last chosen text up to each block, -1 for none
	last := int32(-1)
	for i := range keep {
		if keep[i] && seg.blocks[i].level == 0 {
			last = int32(i)
		}
		before[i] = last
	}
	next := int32(-1)
	for i := int32(len(keep)) - 1; i >= 0; i-- {
		switch b := &seg.blocks[i]; {
		case !keep[i]:
		case b.level == 0:
			next = i
		case b.level > 1 && before[i] >= 0:
			own := seg.common(before[i], i)
			if own >= 0 && (next < 0 || seg.elems[own].b1 <= next) && !seg.hasPicture(own, i) {
				keep[i] = false
			}
		}
	}
}

// hasPicture reports whether a picture stands right behind block i in an element.
func (seg *Segmentation) hasPicture(e, i int32) bool {
	k, ok := slices.BinarySearchFunc(seg.pictures, i+1, func(p picture, at int32) int { return cmp.Compare(p.at, at) })
	if !ok {
		return false
	}
	up := seg.pictures[k].elem
	for up > e {
		up = seg.elems[up].parent
	}
	return up == e
}

// sayings are the texts of a thread that repeat.
type sayings struct {
	places map[uint64]labelPlace
	kinds  map[uint64]int  // of a kind: how many posts it has
	posts  map[uint64]int  // of a short text: how often it stands in posts
	again  map[saying]bool // a text stands in several posts of an author
}

// A labelPlace is a place in posts, where all of them may have a label such as
// "Posts: 12".
type labelPlace struct {
	posts   int   // that have a text there
	last    int   // of them, by number from 1 on
	longest int32 // words
}

// isLabel reports whether most posts of a kind, or of all, have short texts only at the
// place of block i.
func (s sayings) isLabel(seg *Segmentation, p *post, i int32) bool {
	at := s.places[seg.placeIn(i, p)]
	all := len(seg.thread)
	if n := s.kinds[p.kind]; n >= minRecords {
		all = n
	}
	return at.longest <= postWords && 2*at.posts > all
}

// hasText reports whether a post has a chosen text beside labels.
func (s sayings) hasText(seg *Segmentation, p *post, keep []bool) bool {
	for i := p.b0; i < p.b1; i++ {
		if keep[i] && !s.isLabel(seg, p, i) {
			return true
		}
	}
	return false
}

// A saying is a text of an author.
type saying struct {
	author string
	hash   uint64
}

func (seg *Segmentation) sayings() sayings {
	out := sayings{map[uint64]labelPlace{}, map[uint64]int{}, map[uint64]int{}, map[saying]bool{}}
	last := map[saying]int{} // number of the last post that has a text, from 1 on
	for k := range seg.thread {
		p := &seg.thread[k]
		out.kinds[p.kind]++
		for i := p.b0; i < p.b1; i++ {
			b := &seg.blocks[i]
			if b.words <= postWords {
				out.posts[b.hash]++
			}
			key := seg.placeIn(i, p)
			at := out.places[key]
			if at.last != k+1 {
				at.posts, at.last = at.posts+1, k+1
			}
			at.longest = max(at.longest, b.words)
			out.places[key] = at
			s := saying{p.author, b.hash}
			if before := last[s]; before != 0 && before != k+1 {
				out.again[s] = true
			}
			last[s] = k + 1
		}
	}
	return out
}

// repeats reports whether a block stands in several posts of its author, as a motto
// does.
func (s sayings) repeats(seg *Segmentation, p *post, b *block) bool {
	return b.words >= 2 && s.again[saying{p.author, b.hash}] && seg.marks[seg.elems[b.elem].marks][markQuote] == 0
}

// isCopy reports whether most of a post stands in another one of its author: then it
// is shown twice, and what repeats is not a motto.
func (s sayings) isCopy(seg *Segmentation, p *post) bool {
	words := int32(0)
	for i := p.b0; i < p.b1; i++ {
		if b := &seg.blocks[i]; s.again[saying{p.author, b.hash}] {
			words += b.words
		}
	}
	return 2*words > seg.facts.words[p.b1]-seg.facts.words[p.b0]
}

// completePosts chooses the text of all posts of a kind where most of them have
// chosen text, or, on a page that is a thread, some: a thread without some of its
// answers says something else. What is text in a post is known from the others: the
// places within a post of which most words are chosen. Short remarks under an
// answer are a kind of their own.
func (seg *Segmentation) completePosts(keep []bool, t page.Type) {
	type kind struct{ posts, written, words, depth int32 }
	type share struct{ kept, all int32 }
	kinds := map[uint64]kind{}
	places := map[uint64]share{}
	for i := range seg.thread {
		p := &seg.thread[i]
		k := kinds[p.kind]
		if k.posts++; k.posts == 1 || p.depth < k.depth {
			k.depth = p.depth
		}
		k.words += seg.facts.words[p.b1] - seg.facts.words[p.b0]
		if seg.hasText(p, keep) {
			k.written++
			for i := p.b0; i < p.b1; i++ {
				key := seg.placeIn(i, p)
				s := places[key]
				s.all += seg.blocks[i].words
				if keep[i] {
					s.kept += seg.blocks[i].words
				}
				places[key] = s
			}
		}
		kinds[p.kind] = k
	}
	longest, outer := int32(0), int32(0) // words of the posts of the kind with the longest, on average, and its depth
	for _, k := range kinds {
		if mean := k.words / k.posts; mean > longest || mean == longest && k.depth > outer {
			longest, outer = mean, k.depth
		}
	}
	for k := range seg.thread {
		p := &seg.thread[k]
		kind := kinds[p.kind]
		remark := kind.words < remarkWords*kind.posts && 2*kind.words < longest*kind.posts && kind.depth > outer
		thread := t == page.Forum && !remark
		if kind.written == 0 && (!thread || kind.depth > outer) || !thread && (kind.posts < minRecords || 2*kind.written < kind.posts && !(t == page.Forum && kind.written > 0)) {
			continue
		}
		for i := p.b0; i < p.b1; i++ {
			if s := places[seg.placeIn(i, p)]; s.all > 0 && 2*s.kept > s.all && seg.isRemarkIn(&seg.blocks[i], p) {
				keep[i] = true
			}
		}
		if thread && seg.hasText(p, keep) {
			seg.keepCode(p, keep)
			seg.settleQuotations(p, keep)
		} else if thread {
			for i := p.b0; i < p.b1; i++ {
				if b := &seg.blocks[i]; b.words >= 3 && 2*b.link < b.chars && seg.isRemarkIn(b, p) && !slices.Contains(p.head, i) {
					keep[i] = true
				}
			}
		}
	}
}

// keepCode takes in the code of a post, which its text speaks of.
func (seg *Segmentation) keepCode(p *post, keep []bool) {
	within := uint8(min(p.depth, 254)) + 1
	for i := p.b0; i < p.b1; i++ {
		if seg.marks[seg.elems[seg.blocks[i].elem].marks][markPre] > within {
			keep[i] = true
		}
	}
}

// settleQuotations keeps the quotations of a post whole, with the line that says who said it,
// where half of their words are chosen, and leaves out the others.
func (seg *Segmentation) settleQuotations(p *post, keep []bool) {
	for i := p.b0; i < p.b1; {
		at := seg.quotationAt(i, p)
		end := i + 1
		for end < p.b1 && seg.quotationAt(end, p) == at {
			end++
		}
		if at >= 0 {
			seg.settleQuotation(i, end, p, keep)
		}
		i = end
	}
}

// settleQuotation keeps or drops the quotation in the blocks from i up to end.
func (seg *Segmentation) settleQuotation(i, end int32, p *post, keep []bool) {
	whole := 2*seg.chosenWords(keep, i, end) >= seg.facts.words[end]-seg.facts.words[i]
	for k := i; k < end; k++ {
		keep[k] = whole && seg.isSaid(k) && (keep[k] || seg.isRemarkIn(&seg.blocks[k], p))
	}
	if o := i - 1; o >= p.b0 && seg.blocks[o].words <= headWords && seg.blocks[o].last == ':' {
		keep[o] = whole
	}
}

// quotationAt returns the outermost quotation within a post that holds block i, -1 for none.
func (seg *Segmentation) quotationAt(i int32, p *post) int32 {
	at := int32(-1)
	for e := seg.blocks[i].elem; e >= 0 && seg.isWithin(e, p); e = seg.elems[e].parent {
		if isQuotation(seg.elems[e].node) {
			at = e
		}
	}
	return at
}

// isWithin reports whether an element is a part of a post, and not all of it.
func (seg *Segmentation) isWithin(e int32, p *post) bool {
	el := &seg.elems[e]
	return el.b0 >= p.b0 && el.b1 <= p.b1 && (el.b0 > p.b0 || el.b1 < p.b1)
}

// classOf returns the class names of an element, as many as are read: each block below it asks
// for them again.
func classOf(n *html.Node) string {
	const most = 1000 // bytes
	c := dom.Attr(n, "class")
	return c[:min(len(c), most)]
}

// isQuotation reports whether an element holds what somebody else said: programs write it as
// blockquote, in which some write their own posts too, or name it so.
func isQuotation(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Blockquote:
		return !isTextClass(classOf(n))
	case atom.Div, atom.Aside:
		for c := range strings.FieldsSeq(classOf(n)) {
			if isQuoteClass(strings.ToLower(c)) {
				return true
			}
		}
	}
	return false
}

// isQuoteClass reports whether a class name, in lower case, is one of a quotation.
func isQuoteClass(c string) bool {
	return strings.HasPrefix(c, "quote") || strings.HasPrefix(c, "bbcode") && strings.Contains(c, "quote")
}

// isRemarkIn is isRemark, but a form around all posts does not count, nor does one
// around the text of each.
func (seg *Segmentation) isRemarkIn(b *block, p *post) bool {
	m := &seg.marks[seg.elems[b.elem].marks]
	within := uint8(min(p.depth, 254)) + 1
	text := b.words >= 3 && m[markLabel] <= within && b.inner&innerLabel == 0
	return (m[markForm] <= within || text) && m[markButton] <= within && m[markNav] <= within && m[markDialog] <= within && b.inner&innerButton == 0
}

// hasText reports whether a text of a post is chosen.
func (seg *Segmentation) hasText(p *post, keep []bool) bool {
	for i := p.b0; i < p.b1; i++ {
		if keep[i] && seg.blocks[i].words > 2 && !slices.Contains(p.head, i) {
			return true
		}
	}
	return false
}

// placeIn is equal for blocks at the same place in posts.
func (seg *Segmentation) placeIn(i int32, p *post) uint64 { return seg.pathIn(i, p.b0, p.b1) }

// pathIn is equal for blocks at the same place in elements of one kind, each of which
// holds the blocks from b0 up to b1.
func (seg *Segmentation) pathIn(i, b0, b1 int32) uint64 {
	h := uint64(fnvOffset)
	e := seg.blocks[i].elem
	for k := 0; k < 8 && e >= 0 && (seg.elems[e].b0 > b0 || seg.elems[e].b1 < b1); k++ {
		h = (h ^ seg.elems[e].kin) * fnvPrime
		e = seg.elems[e].parent
	}
	if e >= 0 {
		h ^= seg.elems[e].kin
	}
	return h
}

// isAround reports whether n holds an element that is not nil.
func isAround(n, within *html.Node) bool {
	for within != nil && within != n {
		within = within.Parent
	}
	return within != nil
}

// isBeside reports whether block i of a post stands in a signature, or in what the marks of
// the program say is not its text. What names the author is a signature in another sense.
func (seg *Segmentation) isBeside(i int32, p *post) bool {
	const levels, signed = 12, 4
	e := seg.blocks[i].elem
	for k := 0; k < levels && e >= 0 && seg.isWithin(e, p); k++ {
		n := seg.elems[e].node
		if seg.beside[n] {
			return true
		}
		if k < signed && strings.Contains(strings.ToLower(classOf(n)), "signature") && !isAround(n, p.name) {
			return true
		}
		e = seg.elems[e].parent
	}
	return false
}

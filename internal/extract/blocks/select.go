package blocks

import (
	"bytes"
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Choices are the parts of the choice of blocks that the caller or the page's type
// decides.
type Choices struct {
	Comments Comments
	Type     page.Type
	Items    []string // names of the items that the page says it lists
	Parts    []string // texts of the ingredients, steps, questions and answers that the page says it has

	// IsDate reports whether a line is a date and nothing else; nil: none is.
	IsDate func(line string) bool
	// IsPrice reports whether a line shows the price that the page's data states for its
	// product; nil: it states none.
	IsPrice func(line []byte) bool

	// Off has the names of stages that are omitted, to measure what they are for; see
	// Stages.
	Off map[string]bool
}

// Stages returns the names of the stages that Choices.Off can omit.
func Stages() []string {
	return []string{"keepSiblings", "keepShort", "settleComments", "completeUnits", "keepParts", "keepRecords", "keepHeadings", "keepOwnHeadings", "keepSummaries", "keepLabels", "dropRepeats", "dropBehind", "dropBareLabels", "settlePosts"}
}

// run runs a stage that is not off.
func (c *Choices) run(stage string, f func()) {
	if !c.Off[stage] {
		f()
	}
}

// Choose returns the blocks that maximise the page's expected word F1, a
// prefix of the blocks by falling probability, applies c, and adds
// the rest of incomplete tables and code. On a long page it chooses no block if none
// reaches FairChance: then the page is only boilerplate.
func (seg *Segmentation) Choose(p []float32, c Choices) []bool {
	keep := make([]bool, len(p))
	order := make([]int32, len(p))
	for i := range p {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(p[b], p[a]) })
	joint := float32(0)
	if c.Type == page.Article {
		joint = jointShare
	}
	t := seg.trace
	switch short := seg.IsShort(); {
	case len(p) > 0 && p[order[0]] >= FairChance:
		for _, i := range order[:bestCut(seg, p, order, joint)] {
			keep[i] = true
		}
		t.note(keep, byScore)
		c.run("keepSiblings", func() { keepSiblings(seg, seg.facts.rep, p, keep) })
		t.note(keep, bySiblings)
		if short {
			c.run("keepShort", func() { keepShort(seg, p, keep) })
		}
	case short:
		c.run("keepShort", func() { keepShort(seg, p, keep) })
	default:
		return keep
	}
	t.note(keep, asShort)
	c.run("settleComments", func() { settleComments(seg, keep, c.Comments, c.Type) })
	t.note(keep, asComment)
	c.run("completeUnits", func() { completeUnits(seg, keep) })
	t.note(keep, ofUnit)
	c.run("keepParts", func() { keepParts(seg, keep, c) })
	t.note(keep, ofPart)
	c.run("keepRecords", func() { keepRecords(seg, keep, c) })
	t.note(keep, ofRecord)
	c.run("keepHeadings", func() { keepHeadings(seg, p, keep) })
	c.run("keepOwnHeadings", func() { keepOwnHeadings(seg, keep) })
	c.run("keepSummaries", func() { keepSummaries(seg, keep) })
	c.run("keepLabels", func() { keepLabels(seg, keep) })
	t.note(keep, asHeading)
	c.run("dropRepeats", func() { dropRepeats(seg, keep) })
	t.note(keep, asRepeat)
	c.run("dropBehind", func() { dropBehind(seg, keep, c.Type) })
	t.note(keep, asBehind)
	c.run("dropBareLabels", func() { dropBareLabels(seg, keep) })
	t.note(keep, asBare)
	c.run("settlePosts", func() { settlePosts(seg, keep, c) })
	t.note(keep, ofPost)
	return keep
}

// proseBlock is the number of words from which on a block is prose.
const proseBlock = 20

// FairChance is the probability that at least one block must reach. (Word F1
// over all pages, in cross-validation: +.003, all of it on pages of only
// navigation.)
const FairChance = .2

// jointShare is the weight, on articles, of the expectation in which blocks are
// right or wrong together. A model that is wrong about one paragraph of an article's
// margin is wrong about all of it. (Word F1 of articles, in cross-validation: .957
// without, .959 with; other kinds of pages lose.)
const jointShare = .8

// bestCut returns how many blocks of the order to take so that the expected F1
// is greatest. There are two expectations. With independent blocks it is
// 2·Σ(w·p in S) / (w(S)+Σ(w·p)) (research note: .867 → .879 over a fixed
// threshold). With blocks that are right or wrong together, the truth is the set of
// blocks with p > u for a u that is uniform in 0..1, and the F1 against it is
// averaged over u.
func bestCut(seg *Segmentation, p []float32, order []int32, joint float32) int {
	const steps = 40
	var truth [steps]float64 // words of the blocks with p > u
	var expected float64
	for _, i := range order {
		w := float64(seg.blocks[i].words)
		expected += w * float64(p[i])
		for k := range truth {
			if p[i] <= (float32(k)+.5)/steps {
				break
			}
			truth[k] += w
		}
	}
	var size, hit, best float64
	n := 0
	for k, i := range order {
		w := float64(seg.blocks[i].words)
		size += w
		hit += w * float64(p[i])
		f := 2 * hit / max(size+expected, 1e-9)
		if joint > 0 {
			sum := 0.
			for _, t := range truth {
				sum += 2 * min(size, t) / max(size+t, 1e-9)
			}
			f += float64(joint) * (sum/steps - f)
		}
		if f >= best {
			best, n = f, k+1
		}
	}
	return n
}

// completeUnits adds the rest of tables, code, definition lists and quotations of which
// most words are chosen, and those but quotations that are between chosen text: a table
// without its header row, code without a line, or a quotation without whose it is, is
// wrong rather than short. Tables that contain tables are layout, and are not completed.
func completeUnits(seg *Segmentation, keep []bool) {
	for i := len(seg.elems) - 1; i >= 0; i-- { // inner elements first
		e := &seg.elems[i]
		switch e.node.DataAtom {
		case atom.Table, atom.Pre, atom.Dl:
		case atom.Button:
			if dom.MidSentence(e.node) && seg.amidst(e, keep) {
				seg.keepAll(e, keep)
			}
			continue
		case atom.Blockquote:
			if !isQuotation(e.node) {
				continue
			}
		default:
			continue
		}
		if e.node.DataAtom == atom.Table && holdsTable(seg, int32(i)) {
			continue
		}
		var kept, all int32
		for k := e.b0; k < e.b1; k++ {
			all += seg.blocks[k].words
			if keep[k] {
				kept += seg.blocks[k].words
			}
		}
		share := int32(2)
		if e.node.DataAtom == atom.Table && hasHeader(e.node) {
			share = dataShare
		}
		if kept > 0 && share*kept >= all || kept == 0 && e.node.DataAtom != atom.Blockquote && seg.amidst(e, keep) {
			for k := e.b0; k < e.b1; k++ {
				keep[k] = keep[k] || e.node.DataAtom != atom.Blockquote || seg.isSaid(k)
			}
		}
	}
}

// keepAll chooses all of an element.
func (seg *Segmentation) keepAll(e *element, keep []bool) {
	for k := e.b0; k < e.b1; k++ {
		keep[k] = true
	}
}

// isSaid reports whether block i of a quotation is its text or names whose it is: neither
// a button nor a link that leads nowhere, such as "Click to expand".
func (seg *Segmentation) isSaid(i int32) bool {
	b := &seg.blocks[i]
	for up, k := seg.texts[b.t0].Parent, 0; up != nil && k < 4; up, k = up.Parent, k+1 {
		if up.DataAtom == atom.A {
			return b.inner&innerButton == 0 && dom.Attr(up, "href") != ""
		}
	}
	return b.inner&innerButton == 0
}

// dataShare is how many times its chosen words a table with a header row has at most
// that is completed: the cells of a row say something false without the others.
const dataShare = 4

// hasHeader reports whether a table has header cells, which layout has not.
func hasHeader(table *html.Node) bool {
	for n := range dom.Below(table) {
		if n.DataAtom == atom.Th {
			return true
		}
	}
	return false
}

// amidst reports whether an element is between chosen text of its parent, or of the
// innermost element that has more than it.
func (seg *Segmentation) amidst(e *element, keep []bool) bool {
	if e.parent < 0 || e.b0 == e.b1 {
		return false
	}
	p := &seg.elems[e.parent]
	for p.parent >= 0 && p.b0 == e.b0 && p.b1 == e.b1 {
		p = &seg.elems[p.parent]
	}
	return e.b0 > p.b0 && e.b1 < p.b1 && keep[e.b0-1] && keep[e.b1]
}

// holdsTable reports whether element i contains another table. Elements
// come in page order, so that its descendants follow it.
func holdsTable(seg *Segmentation, i int32) bool {
	for k := i + 1; int(k) < len(seg.elems) && seg.elems[k].depth > seg.elems[i].depth; k++ {
		if seg.elems[k].node.DataAtom == atom.Table {
			return true
		}
	}
	return false
}

// keepHeadings takes in the headings of chosen blocks, which are too short to
// matter in an expected F1 and matter to a reader: a heading right before a
// chosen block that is not quite improbable, and the nearest first-level
// heading shortly before the first chosen block. (Measured in cross-validation: see
// the model card.)
func keepHeadings(seg *Segmentation, p []float32, keep []bool) {
	for i := len(keep) - 2; i >= 0; i-- {
		b := &seg.blocks[i]
		if !keep[i] && keep[i+1] && b.level > 0 {
			keep[i] = b.level == 1 || p[i] > .1 && 2*b.link <= b.chars
		}
	}
	const mostBlocks, mostWords = 12, 60
	first := slices.Index(keep, true)
	words := int32(0)
	for i := first - 1; i >= max(first-mostBlocks, 0) && words <= mostWords; i-- {
		b := &seg.blocks[i]
		if b.level == 1 && b.link == 0 && (seg.blocks[first].level != 1 || seg.namesPage(i)) {
			keep[i] = true
			return
		}
		words += b.words
	}
	if h := seg.facts.h1; h >= 0 && h < first && seg.namesPage(h) && !seg.inChrome(h) {
		keep[h] = true
	}
}

// keepSummaries takes in the summary of each details element of which a text is chosen:
// it is the heading of what the element shows.
func keepSummaries(seg *Segmentation, keep []bool) {
	for i := range seg.elems {
		e := &seg.elems[i]
		if e.node.DataAtom != atom.Summary || e.b0 == e.b1 || e.parent < 0 || seg.elems[e.parent].node.DataAtom != atom.Details {
			continue
		}
		if slices.Contains(keep[e.b1:seg.elems[e.parent].b1], true) {
			for k := e.b0; k < e.b1; k++ {
				keep[k] = true
			}
		}
	}
}

// keepLabels takes in what an item of a list says before the list that it holds, where a
// text of that list is chosen: it is the heading of the list.
func keepLabels(seg *Segmentation, keep []bool) {
	const most, levels = 2, 3 // blocks of a label, and elements between item and list
	for i := range seg.elems {
		e := &seg.elems[i]
		if a := e.node.DataAtom; a != atom.Ul && a != atom.Ol || !slices.Contains(keep[e.b0:e.b1], true) {
			continue
		}
		up := e.parent
		for k := 1; k < levels && up >= 0 && seg.elems[up].node.DataAtom != atom.Li; k++ {
			up = seg.elems[up].parent
		}
		if up < 0 || seg.elems[up].node.DataAtom != atom.Li {
			continue
		}
		b0 := seg.elems[up].b0
		if n := e.b0 - b0; n == 0 || n > most || slices.Contains(keep[b0:e.b0], true) {
			continue
		}
		for k := b0; k < e.b0; k++ {
			b := &seg.blocks[k]
			keep[k] = b.words > 0 && b.words <= mostTitle && b.inner&innerButton == 0
		}
	}
}

// namesPage reports whether a heading says most of what the <title> says. One that is a
// link may be the name of the site, unless the <title> begins with it.
func (seg *Segmentation) namesPage(i int) bool {
	b, title := &seg.blocks[i], seg.facts.title
	words := seg.words[b.w0:b.w1]
	n := overlap(words, title)
	return 5*n >= 4*len(words) && 2*n >= len(title) && (b.link == 0 || len(words) <= len(title) && slices.Equal(words, title[:len(words)]))
}

// dropRepeats drops second copies of texts of 8 words or more: of a text and a link
// with the same words the link, and of texts in different parts of the page under
// one heading, as pages have for wide and for narrow screens, the later one, if all
// that stands between them is repeated too, or a class name says that one is hidden. A
// refrain, a clause after another one, an item of a list, code and headings are not
// copies. Of two copies the one below the main heading stays.
func dropRepeats(seg *Segmentation, keep []bool) {
	const copied = 8 // words
	first, was := seg.counter(len(keep)), slices.Clone(keep)
	rows := seg.repeats(was)
	for i, k := range keep {
		b := &seg.blocks[i]
		if !k || b.words < copied {
			continue
		}
		s := first.slot(b.hash)
		if *s == 0 {
			*s = int32(i) + 1
			continue
		}
		j := *s - 1
		o := &seg.blocks[j]
		switch linked, before := b.isLink(), o.isLink(); {
		case b.level == 0 && linked && !before:
			keep[i] = false
		case o.level == 0 && before && !linked:
			keep[j] = false
			*s = int32(i) + 1
		case b.level == 0 && o.level == 0 && int(j) < seg.facts.h1 && seg.facts.h1 < i && seg.isElsewhere(int32(i), j):
			keep[j] = false
			*s = int32(i) + 1
		case b.level == 0 && seg.isCopy(int32(i), j, &rows):
			keep[i] = false
		}
	}
	dropTwins(seg, keep)
	dropTeasers(seg, keep)
	seg.dropBareRepeats(was, keep)
	dropEchoes(seg, keep)
}

// dropEchoes drops headings that say again what the main heading right before them says.
func dropEchoes(seg *Segmentation, keep []bool) {
	last := -1 // the chosen block before
	for i := range keep {
		if !keep[i] {
			continue
		}
		b := &seg.blocks[i]
		if last >= 0 && b.level > 0 && seg.blocks[last].level == 1 && b.hash == seg.blocks[last].hash {
			keep[i] = false
			continue
		}
		last = i
	}
}

// dropBareRepeats drops second copies of headings whose text was dropped as a copy. was
// is the choice before the copies were dropped.
func (seg *Segmentation) dropBareRepeats(was, keep []bool) {
	seen := map[uint64]bool{}
	for i := range keep {
		b := &seg.blocks[i]
		if b.level == 0 || !keep[i] {
			continue
		}
		bare, copied := true, false
		for k := i + 1; k < len(keep) && seg.blocks[k].level == 0; k++ {
			if keep[k] {
				bare = false
				break
			}
			copied = copied || was[k]
		}
		if bare && copied && seen[b.hash] {
			keep[i] = false
		}
		seen[b.hash] = true
	}
}

// dropBareLabels drops the labels of links that are left out: "Related stories", "See
// also:". What follows would seem to stand below them. A label is a heading in a box with two
// such links or more and with nothing else, or a few words and a colon right before one.
// (In cross-validation: segments +.001, WCXB, whose truth has some of these labels, -.0001.)
func dropBareLabels(seg *Segmentation, keep []bool) {
	const (
		least     = 4 // words of the links
		mostLabel = 8 // words before a colon
	)
	for i := range keep {
		b := &seg.blocks[i]
		if !keep[i] || b.level == 1 || b.isLink() {
			continue
		}
		end, words := i+1, int32(0)
		for end < len(keep) && !keep[end] && seg.blocks[end].level == 0 && seg.blocks[end].isLink() {
			words += seg.blocks[end].words
			end++
		}
		if words < least {
			continue
		}
		if b.level > 0 {
			first, last := seg.box(i)
			keep[i] = end-i <= 2 || last != end || slices.Contains(keep[first:i], true)
		} else {
			keep[i] = b.words > mostLabel || !bytes.HasSuffix(bytes.TrimRight(seg.buf[b.s0:b.s1], " "), []byte(":"))
		}
	}
}

// box returns the blocks of the smallest element that has more than block i.
func (seg *Segmentation) box(i int) (first, end int) {
	e := &seg.elems[seg.blocks[i].elem]
	for e.b1-e.b0 <= 1 && e.parent >= 0 {
		e = &seg.elems[e.parent]
	}
	return int(e.b0), int(e.b1)
}

// dropTeasers drops the beginning of a text that stands near it in full: pages have both
// where a control opens the rest. A teaser ends in an ellipsis, or is prose that breaks off
// within a sentence. A name or a verse that begins as another one does is none.
func dropTeasers(seg *Segmentation, keep []bool) {
	const (
		least = 8  // words
		near  = 24 // blocks
	)
	last := seg.counter(len(keep))
	for i, k := range keep {
		b := &seg.blocks[i]
		words := seg.words[b.w0:b.w1]
		if !k || b.level > 0 || len(words) < least {
			continue
		}
		s := last.slot(hashOf(words[:least]))
		j := *s - 1
		*s = int32(i) + 1
		if j < 0 || int32(i)-j > near || !seg.isElsewhere(int32(i), j) {
			continue
		}
		switch o := seg.words[seg.blocks[j].w0:seg.blocks[j].w1]; {
		case len(o) < len(words) && slices.Equal(o, words[:len(o)]) && seg.breaksOff(j):
			keep[j] = false
		case len(words) < len(o) && slices.Equal(words, o[:len(words)]) && seg.breaksOff(int32(i)):
			keep[i] = false
			*s = j + 1
		}
	}
}

// breaksOff reports whether the text of a block ends within a sentence.
func (seg *Segmentation) breaksOff(i int32) bool {
	t := bytes.TrimRight(seg.buf[seg.blocks[i].s0:seg.blocks[i].s1], " ")
	if bytes.HasSuffix(t, []byte("…")) || bytes.HasSuffix(t, []byte("...")) {
		return true
	}
	r, _ := utf8.DecodeLastRune(t)
	return seg.blocks[i].words >= proseBlock && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '(' || r == ',')
}

// isElsewhere reports whether block i stands in another part of the page than block j, and
// is not a line of code, of a list, of a table or of a quotation.
func (seg *Segmentation) isElsewhere(i, j int32) bool {
	e := &seg.elems[seg.blocks[i].elem]
	m := &seg.marks[e.marks]
	return e.parent != seg.elems[seg.blocks[j].elem].parent && m[markPre] == 0 && !e.inList && m[markTd] == 0 && m[markQuote] == 0
}

// isCopy reports whether block i is block j shown again in another part of the
// page.
func (seg *Segmentation) isCopy(i, j int32, rows *repeats) bool {
	if !seg.isElsewhere(i, j) {
		return false
	}
	const markHide = firstGroup + groupHidden // such as "mobile" and "hidden"
	m, o := &seg.marks[seg.elems[seg.blocks[i].elem].marks], &seg.elems[seg.blocks[j].elem]
	return seg.facts.head[i].last == seg.facts.head[j].last && rows.follows(i, j) || m[markHide] != 0 || seg.marks[o.marks][markHide] != 0
}

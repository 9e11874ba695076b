package extract

import (
	"cmp"
	"slices"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var emptyNode = &html.Node{Type: html.ElementNode, Data: "body"}

// label gives each block its probability to be main content, and the page the
// log-odds of its types.
func (m *model) label(l *layout, f *pageFacts) (p []float32, types typeScores) {
	p = make([]float32, f.nb)
	r := row{v: make([]float32, 0, len(m.index))}
	var v inputs
	for i := range f.nb {
		r.v = r.v[:0]
		f.blockRow(&r, l, i)
		m.pick(&v, r.v)
		p[i] = sigmoid(m.score(&v))
	}
	if f.nb > 0 {
		// The forests of types look at features of the page alone, which are
		// the same in each row.
		for k := range types {
			types[k] = m.types[k].score(&v)
		}
	}
	return p, types
}

// choices are what a caller or the page's type has to say in the choice of
// blocks.
type choices struct {
	comments Comments
	kind     page.Type
}

// choose returns the blocks that maximise the page's expected word F1, a
// prefix of the blocks by falling probability, brings them in line with c, and
// takes in what a reader would miss. On a long page no block is chosen when none
// has a fair chance: then the page is all frame.
func choose(l *layout, f *pageFacts, p []float32, c choices) []bool {
	keep := make([]bool, len(p))
	order := make([]int32, len(p))
	for i := range p {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(p[b], p[a]) })
	joint := float32(0)
	if c.kind == page.Article {
		joint = jointShare
	}
	switch short := l.isShort(); {
	case len(p) > 0 && p[order[0]] >= fairChance:
		for _, i := range order[:bestCut(l, p, order, joint)] {
			keep[i] = true
		}
		keepSiblings(l, f.rep, p, keep)
		if short {
			keepShort(l, p, keep)
		}
	case short:
		keepShort(l, p, keep)
	default:
		return keep
	}
	settleComments(l, keep, c.comments, c.kind)
	completeUnits(l, keep)
	keepHeadings(l, p, keep)
	dropRepeats(l, keep)
	return keep
}

// fairChance is the probability that at least one block must reach. (Word F1
// over all pages, out of fold: +.003, all of it on pages that are nothing but
// navigation.)
const fairChance = .2

// jointShare is how much of the expectation on articles takes blocks to stand
// or fall together. A model that is wrong about one paragraph of an article's
// margin is wrong about all of it. (Word F1 of articles, out of fold: .957
// without, .959 with; other kinds of pages lose.)
const jointShare = .8

// bestCut returns how many blocks of the order to take so that the expected F1
// is greatest. There are two expectations. With independent blocks it is
// 2·Σ(w·p in S) / (w(S)+Σ(w·p)) (research note: .867 → .879 over a fixed
// threshold). With blocks that stand or fall together, the truth is the set of
// blocks with p > u for a u that is uniform in 0..1, and the F1 against it is
// averaged over u.
func bestCut(l *layout, p []float32, order []int32, joint float32) int {
	const steps = 40
	var truth [steps]float64 // words of the blocks with p > u
	var expected float64
	for _, i := range order {
		w := float64(l.blocks[i].words)
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
		w := float64(l.blocks[i].words)
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

// completeUnits takes in the rest of tables, code and definition lists of which most words are
// chosen, and those that stand amidst chosen text: a table without its header
// row, or code without a line, is wrong rather than short. Tables that hold
// tables are layout and no unit.
func completeUnits(l *layout, keep []bool) {
	for i := len(l.elems) - 1; i >= 0; i-- { // inner elements first
		e := &l.elems[i]
		switch e.node.DataAtom {
		case atom.Table, atom.Pre, atom.Dl:
		default:
			continue
		}
		if e.node.DataAtom == atom.Table && holdsTable(l, int32(i)) {
			continue
		}
		var kept, all int32
		for k := e.b0; k < e.b1; k++ {
			all += l.blocks[k].words
			if keep[k] {
				kept += l.blocks[k].words
			}
		}
		if kept > 0 && 2*kept >= all || kept == 0 && l.amidst(e, keep) {
			for k := e.b0; k < e.b1; k++ {
				keep[k] = true
			}
		}
	}
}

// amidst reports whether an element stands between chosen text of its parent.
func (l *layout) amidst(e *elem, keep []bool) bool {
	if e.parent < 0 || e.b0 == e.b1 {
		return false
	}
	p := &l.elems[e.parent]
	return e.b0 > p.b0 && e.b1 < p.b1 && keep[e.b0-1] && keep[e.b1]
}

// holdsTable reports whether another table stands within element i. Elements
// come in page order, so that its descendants follow it.
func holdsTable(l *layout, i int32) bool {
	for k := i + 1; int(k) < len(l.elems) && l.elems[k].depth > l.elems[i].depth; k++ {
		if l.elems[k].node.DataAtom == atom.Table {
			return true
		}
	}
	return false
}

// keepHeadings takes in the headings of chosen blocks, which are too short to
// matter in an expected F1 and matter to a reader: a heading right before a
// chosen block that is not quite improbable, and the nearest first-level
// heading shortly before the first chosen block. (Measured out of fold: see
// the model card.)
func keepHeadings(l *layout, p []float32, keep []bool) {
	for i := len(keep) - 2; i >= 0; i-- {
		b := &l.blocks[i]
		if !keep[i] && keep[i+1] && b.level > 0 {
			keep[i] = b.level == 1 || p[i] > .1 && 2*b.link <= b.chars
		}
	}
	const mostBlocks, mostWords = 12, 60
	first := slices.Index(keep, true)
	words := int32(0)
	for i := first - 1; i >= max(first-mostBlocks, 0) && words <= mostWords; i-- {
		b := &l.blocks[i]
		if b.level == 1 && b.link == 0 {
			keep[i] = true
			return
		}
		words += b.words
	}
}

// dropRepeats keeps the first of blocks with the same text of 8 words or more.
func dropRepeats(l *layout, keep []bool) {
	seen := newCounter(len(keep))
	for i, k := range keep {
		if !k || l.blocks[i].words < 8 {
			continue
		}
		s := seen.slot(l.blocks[i].hash)
		if *s > 0 {
			keep[i] = false
		}
		*s++
	}
}

func (l *layout) weigh(prob []float32, keep []bool) (w weights) {
	for i := range l.blocks {
		b := &l.blocks[i]
		w.all += b.words
		w.chars += b.chars
		w.link += b.link
		w.best = max(w.best, prob[i])
		if prob[i] >= .5 {
			w.good += b.words
		}
		if i < len(keep) && keep[i] {
			w.chosen += b.words
		}
		if 2*b.link < b.chars && l.marks[l.elems[b.elem].marks][markForm] == 0 && !l.inChrome(i) {
			w.own += b.words
		}
		if 2*b.link < b.chars && b.words >= proseBlock && prob[i] >= fairChance {
			w.prose += b.words
		}
	}
	return w
}

// weights are sums over the blocks of a page, most of them in words.
type weights struct {
	good   int32 // of blocks that are rather content than not
	prose  int32 // of longer blocks that are no links and not surely frame
	own    int32 // of blocks that are no links and stand in no form and no page chrome
	all    int32
	chosen int32
	chars  int32 // characters
	link   int32 // … of links
	best   float32
}

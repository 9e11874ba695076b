package blocks

import (
	"iter"
	"slices"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Segment removes what the body of a page hides, cuts it into blocks and
// computes the parts that their features share. It parses noscript elements where they
// are the page. p receives the counts of hidden text. The caller returns the result
// with release. Where stop, which may be nil, returns an error, it leaves off.
func (m *Model) Segment(doc *html.Node, p *page.Page, stop func() error) *Segmentation {
	seg, _ := m.used.Get().(*Segmentation)
	if seg == nil {
		seg = &Segmentation{}
	}
	seg.lexicon, seg.model = m, m
	seg.patience = dom.Patience{Stop: stop}
	seg.read(doc, p)
	return seg
}

// segment is [model.segment] with another lexicon, nil for none, and without a
// model: the result has features and cannot be labelled.
func Segment(lex Lexicon, doc *html.Node, p *page.Page) *Segmentation {
	seg := &Segmentation{lexicon: lex}
	seg.read(doc, p)
	return seg
}

// Release gives the memory of a segmentation back. Nothing of it may be used
// any more.
func (seg *Segmentation) Release() {
	const mostText, mostElems = 4 << 20, 2 * maxBlocks // what one huge page took is not kept
	if seg.model != nil && cap(seg.buf) <= mostText && cap(seg.blocks) <= maxBlocks && cap(seg.elems) <= mostElems {
		m := seg.model
		seg.reset()
		m.used.Put(seg)
	}
}

func (seg *Segmentation) read(doc *html.Node, p *page.Page) {
	head := dom.ReadHead(doc)
	host := ownHost(doc)
	if head.Body != nil {
		stop := seg.patience.Stop
		dom.RemoveHidden(head.Body, p, stop)
		seg.cut(head.Body, host)
		if dom.ReviveNoscript(head.Body, seg.visible(), visibleIn) {
			dom.RemoveHidden(head.Body, p, stop)
			seg.reset()
			seg.patience.Stop = stop
			seg.cut(head.Body, host)
		}
	}
	seg.facts = seg.factsOf(head.Title, head.Description)
}

// Recut reads the body again after its content was replaced.
func (seg *Segmentation) Recut(head dom.Head, p *page.Page) {
	stop := seg.patience.Stop
	dom.RemoveHidden(head.Body, p, stop)
	seg.reset()
	seg.patience.Stop = stop
	seg.cut(head.Body, "")
	seg.facts = seg.factsOf(head.Title, head.Description)
}

// Beyond reports whether the page has more blocks than are labelled: those behind are not
// in the segmentation.
func (seg *Segmentation) Beyond() bool { return seg.beyond }

// visible counts the characters of all blocks, without white space.
func (seg *Segmentation) visible() (chars int) {
	for i := range seg.blocks {
		chars += int(seg.blocks[i].chars)
	}
	return chars
}

// visibleIn counts the characters of an element, without white space.
func visibleIn(n *html.Node) int {
	seg := Segmentation{}
	seg.cut(n, "")
	return seg.visible()
}

// Block is what later stages see of a block.
type Block struct {
	Text   []byte   // with single spaces; valid until the segmentation changes
	Hashes []uint32 // of the words, in lower case; see [HashWords]
	Words  int32    // two CJK characters count as one
	Chars  int32    // without white space
	Link   int32    // characters within links
	Level  uint8    // of the heading, 1 to 6, or 0
}

// IsLink reports whether half of the block or more is links.
func (b *Block) IsLink() bool { return 2*b.Link >= b.Chars }

// Len returns the number of blocks.
func (seg *Segmentation) Len() int { return len(seg.blocks) }

// InCode reports whether block i is code.
func (seg *Segmentation) InCode(i int) bool {
	for n := seg.elems[seg.blocks[i].elem].node; n != nil; n = n.Parent {
		if n.DataAtom == atom.Pre || n.DataAtom == atom.Code {
			return true
		}
	}
	return false
}

// Text returns the texts of all blocks, one behind the other.
func (seg *Segmentation) Text() []byte { return seg.buf }

// Lines is the text of all blocks, a line for each, without what is struck out, for example
// a price before a sale.
func (seg *Segmentation) Lines() []byte {
	out := make([]byte, 0, len(seg.buf)+len(seg.blocks))
	for i := range seg.blocks {
		b := &seg.blocks[i]
		if texts := seg.texts[b.t0:b.t1]; slices.ContainsFunc(texts, isStruck) {
			for _, t := range texts {
				if !isStruck(t) {
					out = append(append(out, t.Data...), ' ')
				}
			}
		} else {
			out = append(out, seg.buf[b.s0:b.s1]...)
		}
		out = append(out, '\n')
	}
	return out
}

// isStruck reports whether a text is struck out by its markup.
func isStruck(t *html.Node) bool {
	const levels = 4
	for up, k := t.Parent, 0; up != nil && k < levels; up, k = up.Parent, k+1 {
		if up.DataAtom == atom.Del || up.DataAtom == atom.S || up.DataAtom == atom.Strike {
			return true
		}
	}
	return false
}

// Blocks lists the blocks in page order.
func (seg *Segmentation) Blocks() iter.Seq2[int, Block] {
	return func(yield func(int, Block) bool) {
		for i := range seg.blocks {
			b := &seg.blocks[i]
			if !yield(i, Block{Text: seg.buf[b.s0:b.s1], Hashes: seg.words[b.w0:b.w1], Words: b.words, Chars: b.chars, Link: b.link, Level: b.level}) {
				return
			}
		}
	}
}

// Weights are sums over the blocks of a page, most of them in words.
type Weights struct {
	Good   int32 // of blocks that are rather content than not
	Prose  int32 // of longer blocks that are not links and not surely boilerplate
	All    int32
	Plain  int32 // of blocks that are not mostly links
	Own    int32 // of these, those outside of forms and boilerplate elements
	Chosen int32
	Chars  int32 // characters
	Link   int32 // characters within links
	Best   float32
}

// IsOwn reports whether a block is outside of forms and boilerplate elements.
func (seg *Segmentation) IsOwn(i int) bool {
	return seg.marks[seg.elems[seg.blocks[i].elem].marks][markForm] == 0 && !seg.inChrome(i)
}

// Weigh sums up the blocks by their probabilities and by what was chosen.
func (seg *Segmentation) Weigh(prob []float32, keep []bool) (w Weights) {
	for i, b := range seg.Blocks() {
		w.All += b.Words
		w.Chars += b.Chars
		w.Link += b.Link
		w.Best = max(w.Best, prob[i])
		if prob[i] >= .5 {
			w.Good += b.Words
		}
		if i < len(keep) && keep[i] {
			w.Chosen += b.Words
		}
		if b.IsLink() {
			continue
		}
		w.Plain += b.Words
		if seg.IsOwn(i) {
			w.Own += b.Words
		}
		if b.Words >= proseBlock && prob[i] >= FairChance {
			w.Prose += b.Words
		}
	}
	return w
}

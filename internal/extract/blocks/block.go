// Package blocks provides the main content of an HTML page: it cuts the body into
// blocks of text, gives each block the probability to be main content, and
// chooses the blocks.
//
//	m, err := blocks.Load()
//	seg := m.Segment(doc, p, nil)
//	defer seg.Release()
//	prob, types := seg.Label()
//	keep := seg.Choose(prob, blocks.Choices{Type: page.Article})
//	chosen := seg.Select(keep) // for the converter
//
// The stages, in order:
//
//   - block.go and scan.go cut the body into blocks; mark.go and lexicon.go read class and id
//     names; facts.go and features.go describe each block by about 200 numbers.
//   - model.go, a small forest of boosted trees, gives each block its probability.
//   - stated.go and posts.go raise it where the page itself states what its content is: items of a
//     list, steps of a recipe, the price of the product, the posts of a thread.
//   - region.go finds the main region and the boilerplate in it, at the least cost; lost
//     content counts several times as much as kept boilerplate.
//   - close.go keeps what kept text points at: footnotes, announced code, headings.
//   - omitted.go counts the text that was left out.
//   - selection.go turns the choice into a selection of nodes.
//
// choose.go runs the stages after the model, thresholds.go has the numbers that decide, why.go
// says in words what decided about a block. There are no rules for single sites, and the URL
// decides nothing. The model is a data file, embedded; docs/model-card.md says what it was
// trained on and how well it does.
//
// # Guarantees
//
// A [Model] is read-only and safe for concurrent use; a [Segmentation] belongs to
// one goroutine. Features are pure: a row depends on the page and the index of
// its block. Time and memory are linear in the page.
//
// # Limits
//
// 20,000 blocks are labelled. Where no block has a fair chance and the page is
// long, none is chosen: the caller decides what that means.
package blocks

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// An element is an element that bounds text: every block-level element of the
// body, and an inline element that has block-level children.
type element struct {
	node   *html.Node
	parent int32 // index, -1 for the body
	depth  int32
	b0, b1 int32  // the text blocks within: blocks[b0:b1]
	sig    uint64 // tag and class names
	kin    uint64 // tag and first class name: records of one kind differ in the others
	marks  int32  // index into marks of the segmentation
	tag    uint8  // see tags
	lex    lexStat
	hidden bool // by an attribute or inline style, itself or an ancestor
	inList bool
	item   bool // it has an item of microdata
	part   bool // itself or an ancestor is an ingredient or a step by its markup
}

// A block is a maximal run of inline content between block boundaries; two
// line breaks in a row are a boundary too.
type block struct {
	elem       int32
	t0, t1     int32 // the text nodes: texts[t0:t1]
	s0, s1     int32 // the normalized text: buf[s0:s1]
	words      int32 // runs of letters, digits and underscores; two CJK characters count as one
	chars      int32 // without white space
	link       int32 // chars within links
	bold       int32 // chars within b, strong or a heading-like weight
	digits     int32
	upper      int32
	capital    int32 // words that begin with an upper-case letter
	punct      int32
	symbols    int32
	nonASCII   int32
	question   int32
	separators int32 // | » › • · / →
	links      int32
	kinds      [linkKinds]uint16
	images     int32
	last       rune
	first      rune
	inner      innerTags
	hash       uint64 // of the lower-cased text
	w0, w1     int32  // the words' hashes: words[w0:w1]
	money      bool   // a currency sign next to a digit
	copyright  bool
	level      uint8 // heading level 1 to 6 of the element or its parent, or 0
}

// isLink reports whether half of the block or more is links.
func (b *block) isLink() bool { return 2*b.link >= b.chars }

type innerTags uint8

const (
	innerCode innerTags = 1 << iota
	innerBold
	innerTime
	innerLabel
	innerSpan
	innerButton
)

// Kinds of link targets, after the second study's features.
const (
	linkInternal = iota
	linkExternal
	linkFragment
	linkScript
	linkSocial
	linkTaxonomy
	linkKinds
)

// A picture is an image, rule or other element without text that may belong to
// the content: its place is before blocks[at].
type picture struct {
	node *html.Node
	elem int32
	at   int32
}

// Segmentation is the body of a page cut into blocks. Everything lies in page
// order. [Model.Segment] makes one.
type Segmentation struct {
	elems    []element
	blocks   []block
	texts    []*html.Node
	pictures []picture
	buf      []byte
	words    []uint32
	host     string // see ownHost

	marks    []marks
	recent   [32]recentMarks
	classes  map[string]int32 // class attributes, and their places in named
	named    []names
	lexicon  Lexicon             // nil: no class or id says anything
	model    *Model              // that the memory goes back to; nil for none
	facts    *pageFacts          // computed once for the features of all blocks
	counts   counter             // see counter
	rows     []inputs            // features of blocks that are judged together
	thread   []post              // the posts, after Choose
	items    bool                // some element has an item of microdata
	program  *generator          // that made the page; nil for none that is known
	known    []post              // the posts that its marks name
	asked    bool                // whether both were looked for
	places   [][]authorAt        // names of authors by their places; nil until they are looked for
	patience dom.Patience        // of the walk
	trace    *trace              // which step decided about each block; nil: nobody asks
	beyond   bool                // the page has more than maxBlocks
	content  []bool              // by element, after Choose: it is in the main region
	beside   map[*html.Node]bool // what is not text in posts
	// State of the walk.
	cur       block
	open      bool
	space     bool
	linkDep   int32
	linkKind  int
	linkFresh bool
	boldDep   int32
	codeDep   int32
	brs       int
}

// reset empties the segmentation and keeps its memory, without a hold on the tree.
func (seg *Segmentation) reset() {
	clear(seg.elems)
	clear(seg.texts)
	clear(seg.pictures)
	classes := seg.classes
	clear(classes)
	*seg = Segmentation{
		elems: seg.elems[:0], blocks: seg.blocks[:0], texts: seg.texts[:0], pictures: seg.pictures[:0],
		buf: seg.buf[:0], words: seg.words[:0], marks: seg.marks[:0], classes: classes, named: seg.named[:0], lexicon: seg.lexicon, model: seg.model,
		facts: seg.facts, counts: seg.counts, rows: seg.rows,
	}
}

// maxBlocks bounds what is scored; pages of the benchmark have 350 on average
// and 6,000 at most.
const maxBlocks = 20_000

// cut walks the body once and cuts it into blocks.
func (seg *Segmentation) cut(body *html.Node, host string) {
	seg.host = host
	seg.marks = append(seg.marks[:0], marks{})
	clear(seg.recent[:])
	seg.walkBlock(body, -1)
	seg.flush()
}

func (seg *Segmentation) walkBlock(n *html.Node, parent int32) {
	i := int32(len(seg.elems))
	e := element{node: n, parent: parent, b0: int32(len(seg.blocks))}
	var pm int32
	if parent >= 0 {
		pe := &seg.elems[parent]
		e.depth, pm = pe.depth+1, pe.marks
		e.hidden, e.inList, e.part = pe.hidden, pe.inList, pe.part
	}
	if n.DataAtom == atom.Li {
		e.inList = true
	}
	e.marks = seg.mark(n, pm, e.depth, &e)
	seg.items = seg.items || e.item
	seg.elems = append(seg.elems, e)
	seg.walkChildren(n, i)
	seg.flush()
	seg.elems[i].b1 = int32(len(seg.blocks))
}

func (seg *Segmentation) walkChildren(n *html.Node, ei int32) {
	for c := n.FirstChild; c != nil && !seg.patience.Over(); c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			seg.text(c, ei)
		case html.ElementNode:
			seg.element(c, ei)
		}
	}
}

func (seg *Segmentation) element(c *html.Node, ei int32) {
	a := c.DataAtom
	switch {
	case dom.IsDropped(a) && !dom.IsRevived(c):
	case a == atom.Br:
		if seg.brs++; seg.brs >= 2 {
			seg.flush()
		}
		seg.space = true
	case a == atom.Img || a == atom.Hr || a == atom.Picture:
		seg.picture(c, ei)
	case a == atom.Math || a == 0 && strings.HasPrefix(c.Data, "mjx-"):
		seg.formula(c, ei)
	case bounds(c) || hasBlockChild(c):
		seg.flush()
		if a == atom.A { // a link around blocks is a boundary and a link
			seg.openLink(c)
			defer seg.closeLink()
		}
		seg.walkBlock(c, ei)
	default:
		seg.inline(c, ei)
	}
}

// picture notes a picture or a rule; a rule ends the block before it.
func (seg *Segmentation) picture(c *html.Node, ei int32) {
	if c.DataAtom != atom.Img {
		seg.flush()
	}
	if seg.open {
		seg.cur.images++
	}
	seg.pictures = append(seg.pictures, picture{c, ei, int32(len(seg.blocks))}) // before or within the open block
}

// inline walks an element within a block.
func (seg *Segmentation) inline(c *html.Node, ei int32) {
	switch c.DataAtom {
	case atom.A:
		seg.openLink(c)
		seg.walkChildren(c, ei)
		seg.closeLink()
	case atom.B, atom.Strong:
		seg.boldDep++
		seg.walkChildren(c, ei)
		seg.boldDep--
	case atom.Code, atom.Kbd, atom.Tt, atom.Samp:
		seg.codeDep++
		seg.walkChildren(c, ei)
		seg.codeDep--
	default:
		before, wasOpen := seg.cur.chars, seg.open
		seg.walkChildren(c, ei)
		if seg.open && (seg.cur.chars > before || !wasOpen) {
			seg.cur.inner |= innerOf(c.DataAtom)
		}
	}
}

// innerOf returns what an inline element with text makes of its block.
func innerOf(a atom.Atom) innerTags {
	switch a {
	case atom.Time:
		return innerTime
	case atom.Label:
		return innerLabel
	case atom.Span:
		return innerSpan
	}
	return 0
}

func (seg *Segmentation) closeLink() { seg.linkDep-- }

func (seg *Segmentation) openLink(a *html.Node) {
	seg.linkDep++
	seg.linkFresh = true
	seg.linkKind = seg.kindOf(a)
}

// text adds a text node to the open block, or opens one.
func (seg *Segmentation) text(n *html.Node, ei int32) {
	s := n.Data
	// A text of only white space neither opens nor closes a block.
	i := 0
	for i < len(s) && dom.IsSpace(s[i]) {
		i++
	}
	if i == len(s) {
		seg.space = true
		return
	}
	if len(seg.blocks) >= maxBlocks && !seg.open {
		seg.beyond = true
		return
	}
	if !seg.open {
		seg.begin(ei)
		seg.linkFresh = seg.linkDep > 0 // a link around blocks counts in each
	}
	if seg.linkFresh && seg.linkDep > 0 {
		seg.linkFresh = false
		seg.cur.links++
		seg.cur.kinds[seg.linkKind]++
	}
	seg.brs = 0
	seg.texts = append(seg.texts, n)
	seg.scan(s)
}

// formula adds a formula to the open block as one piece: its inner elements are
// no blocks, and it stays with the sentence that it belongs to.
func (seg *Segmentation) formula(n *html.Node, ei int32) {
	if !seg.open {
		seg.begin(ei)
	}
	seg.texts = append(seg.texts, n)
	for c := range dom.Below(n) {
		if c.Type == html.TextNode && c.Parent.Data != "annotation" {
			seg.scan(c.Data)
		}
	}
}

func (seg *Segmentation) begin(ei int32) {
	seg.cur = block{elem: ei, t0: int32(len(seg.texts)), s0: int32(len(seg.buf)), w0: int32(len(seg.words)), hash: fnvOffset}
	seg.open = true
	seg.space = false
	e := &seg.elems[ei]
	seg.cur.level = dom.HeadingLevel(e.node)
	if seg.cur.level == 0 && e.parent >= 0 {
		seg.cur.level = dom.HeadingLevel(seg.elems[e.parent].node)
	}
	if e.node.DataAtom == atom.Button {
		seg.cur.inner |= innerButton
	}
}

// flush closes the open block.
func (seg *Segmentation) flush() {
	seg.brs = 0
	seg.space = false
	if !seg.open {
		return
	}
	seg.open = false
	b := &seg.cur
	b.t1, b.s1, b.w1 = int32(len(seg.texts)), int32(len(seg.buf)), int32(len(seg.words))
	if b.chars == 0 {
		seg.texts = seg.texts[:b.t0]
		return
	}
	seg.blocks = append(seg.blocks, *b)
}

// bounds reports whether an element ends the text before it: blocks do, and
// elements that HTML does not know, save within a sentence.
func bounds(n *html.Node) bool {
	a := n.DataAtom
	return !dom.IsInline(a) && !(a == 0 && (dom.InSentence(n) || strings.HasPrefix(n.Data, "mjx-")))
}

// hasBlockChild reports whether an inline element wraps blocks. It looks two
// levels down: span > span > div is as deep as real pages go.
func hasBlockChild(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isBlockIn(c) {
			return true
		}
		if c.DataAtom == atom.Math || dom.IsDropped(c.DataAtom) {
			continue
		}
		for d := c.FirstChild; d != nil; d = d.NextSibling {
			if isBlockIn(d) {
				return true
			}
		}
	}
	return false
}

func isBlockIn(n *html.Node) bool {
	return n.Type == html.ElementNode && bounds(n) && !dom.IsDropped(n.DataAtom) && n.DataAtom != atom.Hr
}

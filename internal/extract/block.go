package extract

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// An elem is an element that bounds text: every block-level element of the
// body, and an inline element that has block-level children.
type elem struct {
	node   *html.Node
	parent int32 // index, -1 for the body
	depth  int32
	b0, b1 int32  // the text blocks within: blocks[b0:b1]
	sig    uint64 // tag and class names
	marks  int32  // index into layout.marks
	tag    uint8  // see tags
	lex    lexStat
	hidden bool // by an attribute or inline style, itself or an ancestor
	inList bool
}

// A block is a maximal run of inline content between block boundaries; two
// line breaks in a row are a boundary too.
type block struct {
	elem       int32
	t0, t1     int32 // the text nodes: layout.texts[t0:t1]
	s0, s1     int32 // the folded text: layout.buf[s0:s1]
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
	w0, w1     int32  // the words' hashes: layout.words[w0:w1]
	money      bool   // a currency sign next to a digit
	copyright  bool
	level      uint8 // heading level 1 to 6 of the element or its parent, or 0
}

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
// the content: it stands before blocks[at].
type picture struct {
	node *html.Node
	elem int32
	at   int32
}

// layout is the body cut into blocks. Everything lies in page order.
type layout struct {
	elems    []elem
	blocks   []block
	texts    []*html.Node
	pictures []picture
	buf      []byte
	words    []uint32
	host     string // the page's host without www., for link kinds

	marks   []marks
	classes map[string]names
	lexicon lexicon
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

// reset empties the layout and keeps its memory, without a hold on the tree.
func (l *layout) reset() {
	clear(l.elems)
	clear(l.texts)
	clear(l.pictures)
	classes := l.classes
	clear(classes)
	*l = layout{
		elems: l.elems[:0], blocks: l.blocks[:0], texts: l.texts[:0], pictures: l.pictures[:0],
		buf: l.buf[:0], words: l.words[:0], marks: l.marks[:0], classes: classes, lexicon: l.lexicon,
	}
}

// maxBlocks bounds what is scored; pages of the benchmark have 350 on average
// and 6,000 at most.
const maxBlocks = 20_000

// cut walks the body once and cuts it into blocks.
func (l *layout) cut(body *html.Node, host string) {
	l.host = host
	l.marks = append(l.marks[:0], marks{})
	l.walkBlock(body, -1)
	l.flush()
}

func (l *layout) walkBlock(n *html.Node, parent int32) {
	i := int32(len(l.elems))
	e := elem{node: n, parent: parent, b0: int32(len(l.blocks))}
	var pm int32
	if parent >= 0 {
		pe := &l.elems[parent]
		e.depth, pm = pe.depth+1, pe.marks
		e.hidden, e.inList = pe.hidden, pe.inList
	}
	if n.DataAtom == atom.Li {
		e.inList = true
	}
	e.marks = l.mark(n, pm, e.depth, &e)
	l.elems = append(l.elems, e)
	l.walkChildren(n, i)
	l.flush()
	l.elems[i].b1 = int32(len(l.blocks))
}

func (l *layout) walkChildren(n *html.Node, ei int32) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			l.text(c, ei)
		case html.ElementNode:
			l.element(c, ei)
		}
	}
}

func (l *layout) element(c *html.Node, ei int32) {
	a := c.DataAtom
	switch {
	case dom.IsDropped(a) && !dom.IsRevived(c):
	case a == atom.Br:
		if l.brs++; l.brs >= 2 {
			l.flush()
		}
		l.space = true
	case a == atom.Img || a == atom.Hr || a == atom.Picture:
		l.picture(c, ei)
	case a == atom.Math || a == 0 && strings.HasPrefix(c.Data, "mjx-"):
		l.formula(c, ei)
	case bounds(c) || hasBlockChild(c):
		l.flush()
		if a == atom.A { // a link around blocks is a boundary and a link
			l.openLink(c)
			defer l.closeLink()
		}
		l.walkBlock(c, ei)
	default:
		l.inline(c, ei)
	}
}

// picture notes a picture or a rule; a rule ends the block before it.
func (l *layout) picture(c *html.Node, ei int32) {
	if c.DataAtom != atom.Img {
		l.flush()
	}
	if l.open {
		l.cur.images++
	}
	l.pictures = append(l.pictures, picture{c, ei, int32(len(l.blocks))}) // before or within the open block
}

// inline walks an element within a block.
func (l *layout) inline(c *html.Node, ei int32) {
	switch c.DataAtom {
	case atom.A:
		l.openLink(c)
		l.walkChildren(c, ei)
		l.closeLink()
	case atom.B, atom.Strong:
		l.boldDep++
		l.walkChildren(c, ei)
		l.boldDep--
	case atom.Code, atom.Kbd, atom.Tt, atom.Samp:
		l.codeDep++
		l.walkChildren(c, ei)
		l.codeDep--
	default:
		before, wasOpen := l.cur.chars, l.open
		l.walkChildren(c, ei)
		if l.open && (l.cur.chars > before || !wasOpen) {
			l.cur.inner |= innerOf(c.DataAtom)
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

func (l *layout) closeLink() { l.linkDep-- }

func (l *layout) openLink(a *html.Node) {
	l.linkDep++
	l.linkFresh = true
	l.linkKind = l.kindOf(a)
}

// text adds a text node to the open block, or opens one.
func (l *layout) text(n *html.Node, ei int32) {
	s := n.Data
	// White space alone neither opens nor closes anything.
	i := 0
	for i < len(s) && dom.IsSpace(s[i]) {
		i++
	}
	if i == len(s) {
		l.space = true
		return
	}
	if len(l.blocks) >= maxBlocks && !l.open {
		return
	}
	if !l.open {
		l.begin(ei)
		l.linkFresh = l.linkDep > 0 // a link around blocks counts in each
	}
	if l.linkFresh && l.linkDep > 0 {
		l.linkFresh = false
		l.cur.links++
		l.cur.kinds[l.linkKind]++
	}
	l.brs = 0
	l.texts = append(l.texts, n)
	l.scan(s)
}

// formula adds a formula to the open block as one piece: its inner elements are
// no blocks, and it stays with the sentence that it belongs to.
func (l *layout) formula(n *html.Node, ei int32) {
	if !l.open {
		l.begin(ei)
	}
	l.texts = append(l.texts, n)
	for c := range n.Descendants() {
		if c.Type == html.TextNode && c.Parent.Data != "annotation" {
			l.scan(c.Data)
		}
	}
}

func (l *layout) begin(ei int32) {
	l.cur = block{elem: ei, t0: int32(len(l.texts)), s0: int32(len(l.buf)), w0: int32(len(l.words)), hash: fnvOffset}
	l.open = true
	l.space = false
	e := &l.elems[ei]
	l.cur.level = dom.HeadingLevel(e.node)
	if l.cur.level == 0 && e.parent >= 0 {
		l.cur.level = dom.HeadingLevel(l.elems[e.parent].node)
	}
	if e.node.DataAtom == atom.Button {
		l.cur.inner |= innerButton
	}
}

// flush closes the open block.
func (l *layout) flush() {
	l.brs = 0
	l.space = false
	if !l.open {
		return
	}
	l.open = false
	b := &l.cur
	b.t1, b.s1, b.w1 = int32(len(l.texts)), int32(len(l.buf)), int32(len(l.words))
	if b.chars == 0 {
		l.texts = l.texts[:b.t0]
		return
	}
	l.blocks = append(l.blocks, *b)
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

// analyse takes out what the page hides, cuts the body of the tree into blocks
// of l, and computes what their features share.
func (l *layout) analyse(doc *html.Node, url string, p *page.Page) *pageFacts {
	head := dom.ReadHead(doc)
	host, path := dom.HostAndPath(url)
	if head.Body != nil {
		dom.RemoveHidden(head.Body, p)
		l.cut(head.Body, host)
		if dom.ReviveNoscript(head.Body, l.visible(), visibleIn) {
			dom.RemoveHidden(head.Body, p)
			l.reset()
			l.cut(head.Body, host)
		}
	}
	return l.facts(head.Title, head.Description, path)
}

// plainText counts the words of blocks that are not mostly links.
func (l *layout) plainText() (n int32) {
	for i := range l.blocks {
		if b := &l.blocks[i]; 2*b.link < b.chars {
			n += b.words
		}
	}
	return n
}

// visible counts the characters of all blocks, without white space.
func (l *layout) visible() (chars int) {
	for i := range l.blocks {
		chars += int(l.blocks[i].chars)
	}
	return chars
}

// visibleIn counts the characters of an element, without white space.
func visibleIn(n *html.Node) int {
	l := layout{}
	l.cut(n, "")
	return l.visible()
}

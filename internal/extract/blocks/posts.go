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

// This file keeps the posts of a thread: their text is content, and the author and date of each
// become its heading.

// raisePosts finds the posts of the page. On a forum it makes their texts probable, and
// what programs write beside them improbable: profiles, counters, signatures.
func (seg *Segmentation) raisePosts(p []float32, c Choices) {
	seg.thread = seg.posts(nil)
	if c.Type != page.Forum || c.Comments == CommentsNever {
		return
	}
	levels := seg.profileLevels()
	for k := range seg.thread {
		t := &seg.thread[k]
		profile := seg.profileOf(t, levels)
		for i := t.b0; i < t.b1; i++ {
			b := &seg.blocks[i]
			switch {
			case slices.Contains(t.head, i):
				p[i] = postChance
			case seg.isBeside(i, t), profile != nil && profile.b0 <= i && i < profile.b1, p[i] < controlChance && seg.isControl(int(i)):
				p[i] = 0
				t.beside = append(t.beside, i)
			case b.words >= postText && 2*b.link < b.chars && seg.isRemarkIn(b, t):
				p[i] = max(p[i], postChance)
			}
		}
	}
}

// profileLevels is how many levels above the name of its author the profile of each post is: its
// largest element without prose, and not all of the post. It is that of the post
// with the smallest one, since the text of another may be short; 0 where no post has prose.
func (seg *Segmentation) profileLevels() int {
	least, prose := -1, false
	for k := range seg.thread {
		t := &seg.thread[k]
		if len(t.head) == 0 {
			continue
		}
		levels := 0
		prose = prose || seg.longest(t.b0, t.b1) >= proseLine
		for e := seg.blocks[t.head[0]].elem; e >= 0 && seg.isWithin(e, t); e = seg.elems[e].parent {
			if seg.longest(seg.elems[e].b0, seg.elems[e].b1) >= proseLine {
				break
			}
			levels++
		}
		if least < 0 || levels < least {
			least = levels
		}
	}
	if !prose {
		return 0
	}
	return max(least, 0)
}

// longest is how many words the longest of the blocks from b0 up to b1 has.
func (seg *Segmentation) longest(b0, b1 int32) (words int32) {
	for i := b0; i < b1; i++ {
		words = max(words, seg.blocks[i].words)
	}
	return words
}

// profileOf is the element around the name of the author of a post, nil for none.
func (seg *Segmentation) profileOf(t *post, levels int) *element {
	if len(t.head) == 0 || levels == 0 {
		return nil
	}
	e := seg.blocks[t.head[0]].elem
	for range levels - 1 {
		e = seg.elems[e].parent
	}
	if !seg.isWithin(e, t) {
		return nil
	}
	return &seg.elems[e]
}

// headPosts leaves the lines that say who wrote a post and when to the heading of the post, where
// text of it is kept, and drops what programs write beside the text.
func (seg *Segmentation) headPosts(keep []bool) {
	for k := range seg.thread {
		t := &seg.thread[k]
		if t.heading() == "" || !seg.hasText(t, keep) {
			continue
		}
		for _, i := range slices.Concat(t.head, t.beside) {
			keep[i] = false
		}
	}
}

// postAt returns the number of the post that contains block i, -1 for none.
func (seg *Segmentation) postAt(i int32) int {
	k, at := slices.BinarySearchFunc(seg.thread, i, func(p post, i int32) int { return cmp.Compare(p.b0, i) })
	if !at {
		k-- // the post that begins before the block
	}
	if k >= 0 && i < seg.thread[k].b1 {
		return k
	}
	return -1
}

// hasText reports whether a text of a post is kept.
func (seg *Segmentation) hasText(t *post, keep []bool) bool {
	for i := t.b0; i < t.b1; i++ {
		if keep[i] && !slices.Contains(t.head, i) {
			return true
		}
	}
	return false
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
	within := uint8(min(p.depth, maxMarkDepth)) + 1
	text := b.words >= 3 && m[markLabel] <= within && b.inner&innerLabel == 0
	return (m[markForm] <= within || text) && m[markButton] <= within && m[markNav] <= within && m[markDialog] <= within && b.inner&innerButton == 0
}

// isAround reports whether n holds an element that is not nil.
func isAround(n, within *html.Node) bool {
	for within != nil && within != n {
		within = within.Parent
	}
	return within != nil
}

// isBeside reports whether block i of a post is in a signature or a profile, or in what the marks of
// the program say is not its text. What names the author is a signature in another sense.
func (seg *Segmentation) isBeside(i int32, p *post) bool {
	const levels, signed = 12, 4
	e := seg.blocks[i].elem
	for k := 0; k < levels && e >= 0 && seg.isWithin(e, p); k++ {
		n := seg.elems[e].node
		if seg.beside[n] {
			return true
		}
		if class := strings.ToLower(classOf(n)); k < signed && (strings.Contains(class, "signature") || strings.Contains(class, "profile")) && !isAround(n, p.name) {
			return true
		}
		e = seg.elems[e].parent
	}
	return false
}

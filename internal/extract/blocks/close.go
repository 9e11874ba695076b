package blocks

import (
	"iter"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file keeps what kept text points at, and drops what is said twice.

// keepLinked keeps what kept text leads to within the page, such as the text of a footnote,
// and the code, list or table that a kept sentence announces with a colon.
func (seg *Segmentation) keepLinked(keep []bool) {
	var byID map[string]int32 // made at the first link within the page
	for i := range keep {
		b := &seg.blocks[i]
		if !keep[i] {
			continue
		}
		if b.kinds[linkFragment] > 0 && b.words > b.links { // more than a list of links
			ids := seg.fragments(b)
			if byID == nil && len(ids) > 0 {
				byID = seg.noteTargets()
			}
			for _, id := range ids {
				if e, ok := byID[id]; ok {
					keepAll(keep, &seg.elems[e])
				}
			}
		}
		if b.last == ':' || b.last == '：' {
			if e := seg.announced(int32(i)); e != nil {
				keepAll(keep, e)
			}
		}
	}
}

// keepAll keeps all of an element.
func keepAll(keep []bool, e *element) {
	for k := e.b0; k < e.b1; k++ {
		keep[k] = true
	}
}

// noteTargets returns the elements of few words that have an id, outside of page chrome. An
// anchor within a text stands for the element that the text is in.
func (seg *Segmentation) noteTargets() map[string]int32 {
	out := map[string]int32{}
	add := func(id string, e int32) {
		el := &seg.elems[e]
		if id == "" || el.b0 == el.b1 || seg.inChrome(int(el.b0)) || seg.facts.words[el.b1]-seg.facts.words[el.b0] > noteWords {
			return
		}
		if _, known := out[id]; !known {
			out[id] = e
		}
	}
	for i := range seg.elems {
		add(dom.Attr(seg.elems[i].node, "id"), int32(i))
	}
	for i := range seg.blocks {
		b := &seg.blocks[i]
		if b.links == 0 {
			continue
		}
		for n := range seg.inlineOf(b) {
			add(dom.Attr(n, "id"), b.elem)
			add(dom.Attr(n, "name"), b.elem)
		}
	}
	return out
}

// inlineOf lists the inline elements around the texts of a block.
func (seg *Segmentation) inlineOf(b *block) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		top := seg.elems[b.elem].node
		for _, t := range seg.texts[b.t0:b.t1] {
			for n, k := t.Parent, 0; n != nil && n != top && k < inlineLevels; n, k = n.Parent, k+1 {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// fragments lists the fragments that the links of a block lead to.
func (seg *Segmentation) fragments(b *block) (ids []string) {
	for n := range seg.inlineOf(b) {
		if id, ok := strings.CutPrefix(dom.Attr(n, "href"), "#"); ok && n.DataAtom == atom.A && len(ids) < mostFragments && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// announced returns the list, table, code or quotation that begins right after block i; nil for
// none. E.g. the <pre> after "Run this:".
func (seg *Segmentation) announced(i int32) *element {
	if int(i)+1 >= len(seg.blocks) {
		return nil
	}
	var found *element
	for e := seg.blocks[i+1].elem; e >= 0 && seg.elems[e].b0 > i; e = seg.elems[e].parent {
		switch seg.elems[e].node.DataAtom {
		case atom.Pre, atom.Table, atom.Ul, atom.Ol, atom.Dl, atom.Blockquote:
			if !seg.inChrome(int(i) + 1) {
				found = &seg.elems[e]
			}
		}
	}
	return found
}

// keepHeadings keeps the heading of each kept text: the nearest one before it whose section
// contains the text. Without it the text would be under the heading of something else. The
// main heading is kept with the first content shortly after it, and the summary of
// a details element with what it opens.
func (seg *Segmentation) keepHeadings(keep []bool) {
	last := int32(-1)
	for i := range keep {
		switch b := &seg.blocks[i]; {
		case b.level > 0:
			last = int32(i)
		case last >= 0 && keep[i] && b.words >= bodyWords && !keep[last] && seg.shareSection(last, int32(i)):
			keep[last] = true
		}
	}
	for i := range seg.elems {
		e := &seg.elems[i]
		if e.node.DataAtom == atom.Summary && e.parent >= 0 && slices.Contains(keep[e.b1:seg.elems[e.parent].b1], true) {
			keepAll(keep, e)
		}
	}
	first, h := slices.Index(keep, true), seg.anchor()
	if h >= 0 && int(h) < first && !seg.inChrome(int(h)) && (seg.namesPage(int(h)) || seg.facts.words[first]-seg.facts.words[h] <= nearTitle) {
		keep[h] = true
	}
}

// sectionLevels is how far above a heading the element of its section is at most.
const sectionLevels = 5

// shareSection reports whether a heading and a text after it are in one section: an
// element a few levels above the heading that contains both.
func (seg *Segmentation) shareSection(h, i int32) bool {
	e := seg.blocks[h].elem
	for range sectionLevels {
		if e < 0 {
			return false
		}
		if seg.elems[e].b0 <= i && seg.elems[e].b1 > i {
			return true
		}
		e = seg.elems[e].parent
	}
	return false
}

// dropCopies drops second copies of prose, as pages have them for wide and for narrow screens:
// in another element, and neither code, a list of any kind, a table nor a quotation. Of a text and
// the same text as a link one stays, of a copy before the main heading and one below it the
// latter. A repeated heading that loses what is below it goes too.
func (seg *Segmentation) dropCopies(keep []bool) {
	first := seg.counter(len(keep))
	heading, lost, full := -1, false, false // a heading that repeats, and what became of the text below it
	end := func() {
		if heading >= 0 && lost && !full {
			keep[heading] = false
		}
		heading = -1
	}
	for i, k := range keep {
		b := &seg.blocks[i]
		if b.level > 0 {
			end()
		}
		if !k {
			continue
		}
		s := first.slot(b.hash)
		j := *s - 1 // the copy before
		if j < 0 {
			*s = int32(i) + 1
		}
		if b.level > 0 {
			if j >= 0 {
				heading, lost, full = i, false, false
			}
			continue
		}
		if j >= 0 && seg.isCopy(int32(i), j) {
			if int(j) < seg.facts.h1 && seg.facts.h1 < i {
				keep[j], *s = false, int32(i)+1
			} else {
				keep[i], lost = false, true
			}
		}
		full = full || keep[i]
	}
	end()
}

// isCopy reports whether block i shows the text of block j once more.
func (seg *Segmentation) isCopy(i, j int32) bool {
	b, o := &seg.blocks[i], &seg.blocks[j]
	e := &seg.elems[b.elem]
	m := &seg.marks[e.marks]
	if b.words < proseLine || b.words < proseBlock && b.isLink() == o.isLink() || seg.facts.dup[i] > mostCopies {
		return false
	}
	if h, g := seg.facts.head[i].last, seg.facts.head[j].last; h >= 0 && g >= 0 && seg.blocks[h].hash != seg.blocks[g].hash {
		return false // below another heading it says something else
	}
	p, q := seg.postAt(i), seg.postAt(j)
	return (p == q || p < 0 || q < 0) && e.parent != seg.elems[o.elem].parent && m[markPre] == 0 && !e.inList && m[markDl] == 0 && m[markTd] == 0 && m[markQuote] == 0
}

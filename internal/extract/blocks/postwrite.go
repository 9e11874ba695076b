package blocks

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file writes posts into the tree: a heading with author and date, and the text
// below it.

// HeadPosts puts a heading before each post of the thread into the tree, for a page
// that is read whole.
func (seg *Segmentation) HeadPosts() {
	all := make([]bool, len(seg.blocks))
	for i := range all {
		all[i] = true
	}
	seg.writeHeadings(dom.Selection{}, all)
}

// writeHeadings puts a heading before the first chosen text of each post into the
// tree, and names it in the selection.
func (seg *Segmentation) writeHeadings(sel dom.Selection, keep []bool) {
	for k := range seg.thread {
		p := &seg.thread[k]
		line := p.heading()
		if line == "" {
			continue
		}
		for i := seg.textFrom(p, keep); i < p.b1; i++ {
			if keep[i] {
				h := dom.Leaf(atom.H3, "", html.EscapeString(line))
				at := seg.startOf(i, p)
				at.Parent.InsertBefore(h, at)
				sel[h] = dom.KeepAll
				unlist(h)
				seg.unquote(i, p, keep)
				break
			}
		}
		seg.quote(p, keep)
	}
}

// textFrom returns the block from which on a post has its text: the heading of the page
// stands above the opening post that holds it.
func (seg *Segmentation) textFrom(p *post, keep []bool) int32 {
	for i := p.b0; i < p.b1; i++ {
		if seg.blocks[i].level == 1 && keep[i] {
			return i + 1
		}
		if keep[i] && seg.blocks[i].words > headWords {
			break
		}
	}
	return p.b0
}

// unlist makes plain containers of the list items that a heading stands in, and of
// their lists: a thread that is marked up as a list is not one to read.
func unlist(h *html.Node) {
	for up, k := h.Parent, 0; up != nil && k < 8; up, k = up.Parent, k+1 {
		if up.DataAtom != atom.Li {
			continue
		}
		for _, n := range [2]*html.Node{up, up.Parent} {
			if n != nil && (n.DataAtom == atom.Li || n.DataAtom == atom.Ul || n.DataAtom == atom.Ol) {
				n.DataAtom, n.Data = atom.Div, "div"
			}
		}
	}
}

// unquote makes a plain container of a quotation that holds all of a post: some
// programs write the text of posts into one. i is the first chosen block.
func (seg *Segmentation) unquote(i int32, p *post, keep []bool) {
	last := i
	for k := i; k < p.b1; k++ {
		if keep[k] {
			last = k
		}
	}
	for e := seg.blocks[i].elem; e >= 0 && seg.elems[e].b0 >= p.b0 && seg.elems[e].b1 <= p.b1; e = seg.elems[e].parent {
		if n := seg.elems[e].node; n.DataAtom == atom.Blockquote && seg.elems[e].b1 > last && isTextClass(classOf(n)) {
			n.DataAtom, n.Data = atom.Div, "div"
		}
	}
}

// isTextClass reports whether a class says that an element holds a text, and not
// what somebody else said.
func isTextClass(class string) bool {
	text := false
	for c := range strings.FieldsSeq(strings.ToLower(class)) {
		if isQuoteClass(c) {
			return false
		}
		text = text || (strings.Contains(c, "text") || strings.Contains(c, "content") || strings.Contains(c, "body")) && !strings.Contains(c, "quote")
	}
	return text
}

// quote makes quotations of the elements of a post that are quotations by their names alone.
func (seg *Segmentation) quote(p *post, keep []bool) {
	for i := p.b0; i < p.b1; i++ {
		if !keep[i] {
			continue
		}
		if e := seg.quotationAt(i, p); e >= 0 && seg.elems[e].node.DataAtom != atom.Blockquote {
			n := seg.elems[e].node
			n.DataAtom, n.Data = atom.Blockquote, "blockquote"
		}
	}
}

// startOf returns the node before which a heading stands over block i: the
// outermost element of the post that begins with the block, and not a part of a
// list or a table.
func (seg *Segmentation) startOf(i int32, p *post) *html.Node {
	b := &seg.blocks[i]
	e := b.elem
	var whole *html.Node // a quotation, list or table that the text begins with
	for up := e; up >= 0 && seg.elems[up].b0 >= p.b0 && seg.elems[up].b1 <= p.b1; up = seg.elems[up].parent {
		switch n := seg.elems[up].node; n.DataAtom {
		case atom.Blockquote, atom.Ul, atom.Ol, atom.Dl, atom.Table:
			if all := seg.elems[up].b0 == p.b0 && seg.elems[up].b1 == p.b1; all {
				continue
			}
			if !isPart(n.Parent) || n.Parent.DataAtom == atom.Li || n.Parent.DataAtom == atom.Td {
				whole = n
			}
		}
	}
	if whole != nil {
		return whole
	}
	if seg.elems[e].b0 != i || isPart(seg.elems[e].node) {
		at, top := seg.texts[b.t0], seg.elems[e].node
		for at.Parent != top && at.Parent != nil && at.Parent.Parent != nil {
			at = at.Parent
		}
		return at
	}
	for up := seg.elems[e].parent; up >= 0 && seg.elems[up].b0 == i && i > p.b0 && !isPart(seg.elems[up].node); up = seg.elems[up].parent {
		e = up
	}
	return seg.elems[e].node
}

// isPart reports whether an element can stand only within a certain other one, or
// holds only certain ones.
func isPart(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Tr, atom.Td, atom.Th, atom.Tbody, atom.Thead, atom.Table, atom.Li, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Body:
		return true
	}
	return false
}

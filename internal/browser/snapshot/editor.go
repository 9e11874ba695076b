package snapshot

import "strings"

// Rules of editors. An editor of one paragraph is a field with a value. One with several blocks
// (paragraphs, headings, entries, cells) keeps them: its own ref comes first, the blocks follow,
// each with a ref to click on, and what is bold or in italics has marks as in Markdown.
//
//	[Note](t1)
//	# [Plan](p1)
//	[Buy **rope**](p2)

// isEditor reports whether a field holds more than one line of plain text.
func (w *writer) isEditor(i int) bool {
	d, blocks, rich := w.d, 0, false
	if isField(d.tag(i)) || w.m.size[i] == 0 {
		return false
	}
	d.descend(i, editorNodes, func(j int) bool {
		switch {
		case !w.m.shown[j]:
		case d.kind(j) == textNode:
			rich = rich || w.emphasis(j) != ""
		case w.isBlock(j):
			blocks++
			rich = rich || d.isHeading(j) || d.tag(j) == "li"
		case w.m.control[j] != noControl:
			rich = true
		}
		return !rich && blocks < 2
	})
	return rich || blocks > 1
}

// editor writes a field with its blocks.
func (w *writer) editor(i, depth int, ref string) {
	d := w.d
	w.brk()
	w.write(d.name(i), d.state(i, kindText), ref)
	w.brk()
	before := w.inEditor
	w.inEditor = i
	w.children(i, depth)
	w.inEditor = before
	w.brk()
}

// isBlock reports whether an element is a block that has words and contains no other block.
func (w *writer) isBlock(i int) bool {
	d := w.d
	if d.kind(i) != element || w.m.size[i] == 0 || w.m.control[i] != noControl || isInline(d.style(i, styleDisplay)) {
		return false
	}
	for c := int(d.first[i]); c != 0; c = int(d.next[c]) {
		if d.kind(c) == element && w.m.size[c] > 0 && !isInline(d.style(c, styleDisplay)) {
			return false
		}
	}
	return true
}

// block gives a block of an editor a ref, which its first words get.
func (w *writer) block(i int) {
	if w.inEditor == 0 || !w.isBlock(i) {
		return
	}
	n := w.d.node(i)
	ref := w.refs.name(n, kindPassage, nil)
	w.page.nodes[n] = place{from: len(w.page.Lines), to: len(w.page.Lines) + 1, frame: w.d.str(w.d.src.FrameID), inView: w.inWindow(i)}
	w.owner = &owned{"", ref}
}

// emphasis is the mark of a text that is bold or in italics and whose block is not.
func (w *writer) emphasis(i int) string {
	d := w.d
	block := d.up(i)
	for block > 0 && isInline(d.style(block, styleDisplay)) {
		block = d.up(block)
	}
	mark := ""
	if block > 0 && d.isBold(i) && !d.isBold(block) {
		mark = "**"
	}
	if style := d.style(i, styleFontStyle); block > 0 && (style == "italic" || style == "oblique") && d.style(block, styleFontStyle) != style {
		mark += "*"
	}
	return mark
}

// isBold reports whether the letters in a node are bold: Chromium writes the weight as a number.
func (d *doc) isBold(i int) bool {
	f, ok := pixels(d.style(i, styleFontWeight))
	return ok && f >= boldWeight
}

func isInline(display string) bool {
	return display == "" || display == "contents" || strings.HasPrefix(display, "inline") || display == "none"
}

// isField reports whether the browser itself draws a field.
func isField(tag string) bool { return tag == "input" || tag == "textarea" || tag == "select" }

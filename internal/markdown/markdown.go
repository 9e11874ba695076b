// Package markdown provides the text forms of a page: CommonMark with GFM
// tables, plain text, the outline, and windows over long text.
//
//	text := markdown.Render(p, markdown.Options{Images: true})
//	part, next, cut := markdown.Window(text, 0, 9500)
//	for _, s := range markdown.Outline(p) {
//		fmt.Println(s.ID, s.Title, s.Tokens)
//	}
//
// Rendering is one append-only walk over the blocks. Where Markdown has no syntax
// for something, it is written so that it reads well as text and contains no
// unintended Markdown:
//
//   - Definition lists: the term in bold on a line, then ": definition", as in
//     Markdown Extra. Further blocks of a definition are indented by two.
//   - Tables: spans are expanded. The text is in the first cell; cells to
//     its right stay empty; cells below repeat a short text, so that each row
//     makes sense without the others. Columns without any text are left out.
//     Blocks in cells become one line with <br> and bullets.
//   - Groups: their label as a bold line. Collapsed content is marked
//     "(collapsed)".
//   - Subscripts and superscripts: <sub> and <sup>. Formulas: $…$ and $$…$$.
//     Footnotes: [^1].
//
// # Guarantees
//
// The output is valid UTF-8 if the page is, and its length is linear in the size of
// the page. Text is escaped only where it would be parsed as markup: a CommonMark
// parser finds exactly the links of the page, and every fence is closed. Only lines
// of code can end in white space.
//
// # Limits
//
// Indentation stops at 20 levels: deeper lists and quotations stay at that level. It
// ends after 8 MB of indentation: what follows is at the margin.
// Emphasis that CommonMark cannot express, for example in the middle of a word next
// to punctuation, leaves out the punctuation or is dropped; its text is kept.
package markdown

import (
	"sync"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// Options choose the output. The zero value is the output for a model.
type Options struct {
	// Images writes images as ![alt](src). Otherwise they become [image: alt], and
	// images without alternative text are left out.
	Images bool
	// Titles writes the titles of links and images.
	Titles bool
	// Words writes only the text of links, and leaves out images that have text
	// beside them. It is for searches in the text, which do not need URLs.
	Words bool
	// NoLinks writes only the text of links, and NoImages leaves out images.
	NoLinks, NoImages bool
	// References writes links as [text][1], with a list of the URLs at the end.
	References bool
}

// Render returns the content of p as Markdown, without a final newline.
func Render(p *page.Page, o Options) string {
	if p == nil {
		return ""
	}
	return Blocks(p.Blocks, o)
}

// Blocks returns blocks as Markdown, without a final newline.
func Blocks(blocks []page.Block, o Options) string {
	buf := buffers.Get().(*[]byte)
	w := writer{o: o, b: (*buf)[:0]}
	w.blocks(blocks, false)
	w.trim(0)
	w.references()
	text := string(w.b)
	if cap(w.b) <= maxKept {
		*buf = w.b
	}
	buffers.Put(buf)
	return text
}

// buffers are used again: a text is copied once it is complete.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Package markdown provides the text forms of a page: CommonMark with GFM
// tables, plain text, the outline, and windows over long text.
//
//	text := markdown.Render(p, markdown.Options{Images: true})
//	part, next, cut := markdown.Window(text, 0, 9500)
//	for _, s := range markdown.Outline(p) {
//		fmt.Println(s.ID, s.Title, s.Tokens)
//	}
//
// A rendering is one append-only walk over the blocks. What Markdown has no
// form for takes the form that reads best as text and is still harmless
// Markdown:
//
//   - Definition lists: the term in bold on a line, then ": definition", as in
//     Markdown Extra. Further blocks of a definition are indented by two.
//   - Tables: spans are expanded. The text stands in the first cell; cells to
//     its right stay empty; cells below repeat a short text, so that a row can
//     be read alone. Columns that are empty throughout are left out. Blocks in
//     cells become one line with <br> and bullets.
//   - Groups: their label as a bold line. Collapsed content is marked
//     "(collapsed)".
//   - Subscripts and superscripts: <sub> and <sup>. Formulas: $…$ and $$…$$.
//     Footnotes: [^1].
//
// # Guarantees
//
// The output is valid UTF-8 if the page is, and linear in the size of the
// page. Text is escaped where it would be read as markup and nowhere else: a
// CommonMark parser sees the links of the page and no others, and every fence
// is closed. Lines do not end in white space, but for those of code.
//
// # Limits
//
// Indentation stops at 20 levels: deeper lists and quotations go on at that
// level. Emphasis that CommonMark cannot express, as in the middle of a word
// next to punctuation, is moved off the punctuation or dropped; its text stays.
package markdown

import "github.com/spyhop-dev/spyhop/internal/page"

// Options choose the form. The zero value is that for a model.
type Options struct {
	// Images shows images as ![alt](src). Otherwise they are [image: alt], and
	// those without alternative text are left out.
	Images bool
	// Titles shows the titles of links and images.
	Titles bool
	// Words writes links as their text, and leaves images out where there is
	// text beside them: for who looks for words and pays for what is around
	// them.
	Words bool
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
	w := writer{o: o}
	w.blocks(blocks, false)
	w.trim(0)
	return string(w.b)
}

package live

import (
	"context"
	"html"
	"html/template"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file is the only writer of foreign markup: Markdown becomes the document model,
// and the document model becomes HTML. The model has no kind for a script, a form, a
// frame or an attribute, so that nothing of that kind has a way through. All text is
// escaped. Links lead to http, https and mailto; pictures are links and are not
// loaded.

// maxHTML bounds the HTML of one page, in bytes.
const maxHTML = 4 << 20

// render writes Markdown as HTML. Headings begin at the given level, and none is
// skipped, so that the outline of the page around it stays whole. A first heading that
// repeats the title is left out.
func render(ctx context.Context, markdown, base, title string, level int) template.HTML {
	p, err := extract.Document([]byte(markdown), "text/markdown", extract.Options{URL: base, Whole: true, Stop: ctx.Err})
	if err != nil || p == nil {
		// Every text can be shown as it is.
		return template.HTML(`<pre class="plain" tabindex="0">` + html.EscapeString(markdown) + `</pre>`)
	}
	w := &htmlWriter{top: level, last: level - 1}
	all := p.Blocks
	if len(all) > 0 && all[0].Kind == page.Heading && strings.EqualFold(plain(all[0].Inlines), title) {
		all = all[1:]
	}
	w.blocks(all)
	return template.HTML(w.String())
}

// plain is the text of inlines.
func plain(all []page.Inline) string {
	var b strings.Builder
	for i := range all {
		b.WriteString(all[i].Text + plain(all[i].Children))
	}
	return strings.TrimSpace(b.String())
}

type htmlWriter struct {
	strings.Builder
	top, last int // levels of headings
	full      bool
}

// text writes escaped text.
func (w *htmlWriter) text(s string) { w.WriteString(html.EscapeString(s)) }

func (w *htmlWriter) blocks(all []page.Block) {
	for i := range all {
		if w.full {
			return
		}
		if w.Len() > maxHTML {
			w.full = true
			w.WriteString("<p class=\"cut\">The rest of the page is not shown here. The source view has it.</p>\n")
			return
		}
		w.block(&all[i])
	}
}

// wrapped writes children within an element of ours.
func (w *htmlWriter) wrapped(open, close string, children func()) {
	w.WriteString(open)
	children()
	w.WriteString(close + "\n")
}

// elements are those of the blocks that have only inlines, or only children.
var elements = map[page.Kind]struct {
	open, close string
	inlines     bool
}{
	page.Paragraph:      {`<p dir="auto">`, "</p>", true},
	page.Term:           {`<dt dir="auto">`, "</dt>", true},
	page.Quote:          {"<blockquote>", "</blockquote>", false},
	page.DefinitionList: {"<dl>", "</dl>", false},
	page.Definition:     {"<dd>", "</dd>", false},
}

func (w *htmlWriter) block(b *page.Block) {
	inlines := func() { w.mark(b.Mark); w.inlines(b.Inlines) }
	children := func() { w.blocks(b.Children) }
	if e, ok := elements[b.Kind]; ok {
		inner := children
		if e.inlines {
			inner = inlines
		}
		w.wrapped(e.open, e.close, inner)
		return
	}
	switch b.Kind {
	case page.Heading:
		w.last = min(w.top+max(b.Level, 1)-1, w.last+1, 6)
		n := strconv.Itoa(w.last)
		w.wrapped("<h"+n+` dir="auto">`, "</h"+n+">", inlines)
	case page.Code:
		w.wrapped(`<pre tabindex="0"><code>`, "</code></pre>", func() { w.text(b.Text) })
	case page.List:
		open, close := "<ul>", "</ul>"
		if b.Ordered {
			open, close = `<ol start="`+strconv.Itoa(b.Start)+`">`, "</ol>"
		}
		w.wrapped(open, close, children)
	case page.Item:
		w.wrapped("<li>", "</li>", func() {
			switch b.Check {
			case page.Checked:
				w.WriteString("☑ ")
			case page.Unchecked:
				w.WriteString("☐ ")
			}
			children()
		})
	case page.TableBlock:
		w.table(b.Table)
	case page.Rule:
		w.WriteString("<hr>\n")
	case page.Math:
		w.wrapped(`<pre class="math" tabindex="0">`, "</pre>", func() { w.text(b.Text) })
	case page.Footnote:
		w.wrapped(`<div class="footnote"><sup>`, "</div>", func() { w.text(b.ID); w.WriteString("</sup> "); children() })
	case page.Group:
		w.wrapped(`<div class="group">`, "</div>", func() { w.label(b); children() })
	}
}

// label writes the label of a group.
func (w *htmlWriter) label(b *page.Block) {
	if b.Label == "" && b.Mark == page.NoMark {
		return
	}
	w.WriteString(`<p class="label" dir="auto">`)
	w.mark(b.Mark)
	w.text(b.Label)
	w.WriteString("</p>\n")
}

// mark says why a person may not see a block.
func (w *htmlWriter) mark(m page.Mark) {
	if m != page.NoMark {
		w.WriteString(`<em class="mark">` + html.EscapeString(m.String()) + "</em> ")
	}
}

func (w *htmlWriter) inlines(all []page.Inline) {
	for i := range all {
		w.inline(&all[i])
	}
}

func (w *htmlWriter) inline(in *page.Inline) {
	within := func(tag string) {
		w.WriteString("<" + tag + ">")
		w.inlines(in.Children)
		w.WriteString("</" + tag + ">")
	}
	switch in.Kind {
	case page.Text:
		w.text(in.Text)
	case page.Emphasis:
		within("em")
	case page.Strong:
		within("strong")
	case page.Strike:
		within("s")
	case page.Sub:
		within("sub")
	case page.Sup:
		within("sup")
	case page.CodeSpan:
		w.WriteString("<code>")
		w.text(in.Text)
		w.WriteString("</code>")
	case page.MathInline:
		w.WriteString(`<code class="math">`)
		w.text(in.Text)
		w.WriteString("</code>")
	case page.LinkInline:
		w.link(in.URL, func() { w.inlines(in.Children) })
	case page.ImageInline:
		alt := in.Text
		if alt == "" {
			alt = "without a description"
		}
		w.link(in.URL, func() { w.WriteString(`<span class="picture">picture: `); w.text(alt); w.WriteString("</span>") })
	case page.Break:
		w.WriteString("<br>")
	case page.FootnoteRef:
		w.WriteString("<sup>")
		w.text(in.Text)
		w.WriteString("</sup>")
	}
}

// outbound is what links to other sites carry: they learn nothing of this page and
// cannot reach it.
const outbound = ` rel="noopener noreferrer nofollow" target="_blank"`

func (w *htmlWriter) link(address string, content func()) {
	if !linkable(address) {
		content()
		return
	}
	w.WriteString(`<a href="`)
	w.text(address)
	w.WriteString(`"` + outbound + `>`)
	content()
	w.WriteString("</a>")
}

// linkable reports whether a page of ours may link to an address.
func linkable(address string) bool {
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if len(address) > len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// maxSpan bounds the rows and columns that a cell covers.
const maxSpan = 100

func (w *htmlWriter) table(t *page.Table) {
	if t == nil {
		return
	}
	w.WriteString(`<div class="scroll" tabindex="0" role="group" aria-label="table"><table>`)
	if len(t.Caption) > 0 {
		w.WriteString("<caption>")
		w.inlines(t.Caption)
		w.WriteString("</caption>")
	}
	for r, row := range t.Rows {
		if w.Len() > maxHTML {
			break
		}
		w.WriteString("<tr>")
		for c := range row {
			cell := &row[c]
			tag := "td"
			if r < t.HeaderRows || cell.Header {
				tag = "th"
			}
			w.WriteString("<" + tag)
			if n := min(cell.ColSpan, maxSpan); n > 1 {
				w.WriteString(` colspan="` + strconv.Itoa(n) + `"`)
			}
			if n := min(cell.RowSpan, maxSpan); n > 1 {
				w.WriteString(` rowspan="` + strconv.Itoa(n) + `"`)
			}
			w.WriteString(">")
			if len(cell.Blocks) == 1 && cell.Blocks[0].Kind == page.Paragraph {
				w.inlines(cell.Blocks[0].Inlines)
			} else {
				w.blocks(cell.Blocks)
			}
			w.WriteString("</" + tag + ">")
		}
		w.WriteString("</tr>\n")
	}
	w.WriteString("</table></div>\n")
}

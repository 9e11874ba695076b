package markdown

import (
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// PlainText returns the text of p without markup: a blank line between blocks, a
// line for each item and each row, tabs between cells, only the text of links, and
// the TeX of formulas. Alternative texts of images are included only when there is
// no other text. On articles, documentation and threads, a first-level heading that
// repeats the title is left out: the title is metadata, and is shown beside the
// text.
func PlainText(p *page.Page) string {
	if p == nil {
		return ""
	}
	var t plain
	title := -1
	switch p.Type {
	case page.Article, page.Documentation, page.Forum:
		if p.Method == page.MethodSpyhop {
			title = titleHeading(p)
		}
	}
	for i := range p.Blocks {
		if i != title {
			t.block(&p.Blocks[i])
		}
	}
	if len(t.b) == 0 {
		t.images = true
		t.blocks(p.Blocks)
	}
	return string(t.b)
}

// titleHeading returns the index of the heading that repeats the title, or -1.
func titleHeading(p *page.Page) int {
	want := letters(p.Meta.Title)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if want == "" || b.Kind != page.Heading || b.Level != 1 {
			continue
		}
		var t plain
		t.inlines(b.Inlines)
		if strings.EqualFold(letters(string(t.b)), want) {
			return i
		}
	}
	return -1
}

// letters keeps the letters and digits of s.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

type plain struct {
	b      []byte
	due    int  // newlines before the next text
	images bool // write the descriptions of images
}

// begin ends what was before with n newlines.
func (t *plain) begin(n int) { t.due = max(t.due, n) }

func (t *plain) text(s string) {
	if s == "" {
		return
	}
	if t.due > 0 {
		for n := len(t.b); n > 0 && t.b[n-1] == ' '; n-- {
			t.b = t.b[:n-1]
		}
		if len(t.b) > 0 {
			for range t.due {
				t.b = append(t.b, '\n')
			}
		}
		t.due = 0
	}
	if s[0] == ' ' {
		if n := len(t.b); n == 0 || t.b[n-1] == ' ' || t.b[n-1] == '\n' {
			s = s[1:]
		}
	}
	t.b = append(t.b, s...)
}

func (t *plain) inlines(in []page.Inline) {
	for i := range in {
		x := &in[i]
		switch x.Kind {
		case page.Break:
			t.begin(1)
		case page.ImageInline:
			if t.images {
				t.text(x.Text)
			}
		case page.FootnoteRef:
			t.text("[")
			t.text(x.Text)
			t.text("]")
		default:
			if i > 0 && x.Kind == page.LinkInline && in[i-1].Kind == page.LinkInline {
				t.text(" ") // entries of a menu
			}
			t.text(x.Text)
			t.inlines(x.Children)
		}
	}
}

func (t *plain) blocks(blocks []page.Block) {
	for i := range blocks {
		t.block(&blocks[i])
	}
}

func (t *plain) block(b *page.Block) {
	switch b.Kind {
	case page.List:
		t.begin(2)
		for i := range b.Children {
			if i > 0 {
				n := 1
				if b.Loose {
					n = 2
				}
				t.begin(n)
			}
			t.item(b.Children[i].Children)
		}
		t.begin(2)
	case page.TableBlock:
		t.begin(2)
		if b.Table != nil {
			t.table(b.Table)
		}
		t.begin(2)
	case page.DefinitionList:
		t.begin(2)
		for i := range b.Children {
			t.begin(1)
			if k := &b.Children[i]; k.Kind == page.Term {
				t.inlines(k.Inlines)
			} else {
				t.item(k.Children)
			}
		}
		t.begin(2)
	case page.Footnote:
		t.begin(2)
		t.text("[")
		t.text(b.ID)
		t.text("] ")
		t.item(b.Children)
		t.begin(2)
	default:
		t.begin(2)
		t.text(b.Label)
		if b.Label != "" {
			t.begin(2)
		}
		t.text(b.Text)
		t.inlines(b.Inlines)
		t.blocks(b.Children)
		t.begin(2)
	}
}

// item writes blocks: the first on the current line, nested lists line by line below
// it.
func (t *plain) item(blocks []page.Block) {
	for i := range blocks {
		b := &blocks[i]
		switch {
		case i == 0 && (b.Kind == page.Paragraph || b.Kind == page.Heading):
			t.inlines(b.Inlines)
		case b.Kind == page.List && (i == 0 || blocks[i-1].Kind == page.Paragraph):
			for j := range b.Children {
				if i > 0 || j > 0 {
					t.begin(1)
				}
				t.item(b.Children[j].Children)
			}
		default:
			t.block(b)
		}
	}
}

func (t *plain) table(tb *page.Table) {
	t.inlines(tb.Caption)
	for _, r := range tb.Rows {
		t.begin(1)
		cells := make([]string, len(r))
		for j := range r {
			cells[j] = cellLine(r[j].Blocks, t.images)
		}
		t.text(strings.Join(cells, "\t"))
	}
}

// cellLine returns the words of a cell in one line.
func cellLine(blocks []page.Block, images bool) string {
	in := plain{images: images}
	in.blocks(blocks)
	return strings.Join(strings.Fields(string(in.b)), " ")
}

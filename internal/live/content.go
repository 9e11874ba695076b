package live

import (
	"context"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// Foreign markup comes as Markdown, which becomes the document model, which
// templates/page.html writes. The model has no kind for a script, a form, a frame or an
// attribute, so that nothing of that kind has a way through, and html/template escapes the
// rest. Links lead to http, https and mailto; pictures are links and are not loaded.

const (
	// maxMarkdown bounds the Markdown that is shown as a page, in bytes; longer texts are
	// shown as they are.
	maxMarkdown = 1 << 20
	// topHeading is the level below the headings of the view.
	topHeading = 3
	// maxSpan bounds the rows and columns that a cell covers.
	maxSpan = 100
)

// content is the content of a page for the template: Blocks, or Plain where they cannot be
// had.
type content struct {
	Blocks []page.Block
	Plain  string
}

// contentOf reads Markdown. A first heading that repeats the title is left out.
func contentOf(ctx context.Context, markdown, base, title string) content {
	if len(markdown) > maxMarkdown {
		return content{Plain: markdown}
	}
	p, err := extract.Document([]byte(markdown), "text/markdown", extract.Options{URL: base, Whole: true, Stop: ctx.Err})
	if err != nil || p == nil {
		return content{Plain: markdown}
	}
	all := p.Blocks
	if len(all) > 0 && all[0].Kind == page.Heading && strings.EqualFold(page.InlineText(all[0].Inlines), title) {
		all = all[1:]
	}
	last := topHeading - 1
	setLevels(all, &last)
	return content{Blocks: all}
}

// setLevels gives headings levels from topHeading on, of which none is skipped, so that the
// outline of the page around them stays whole. last is the level of the heading before.
func setLevels(all []page.Block, last *int) {
	for i := range all {
		b := &all[i]
		if b.Kind == page.Heading {
			b.Level = min(topHeading+max(b.Level, 1)-1, *last+1, 6)
			*last = b.Level
		}
		setLevels(b.Children, last)
		if b.Table == nil {
			continue
		}
		for _, row := range b.Table.Rows {
			for c := range row {
				setLevels(row[c].Blocks, last)
			}
		}
	}
}

// kinds are the kinds of the document model, for the template.
type kinds struct {
	Paragraph, Heading, Code, Quote, List, Item, DefinitionList, Term, Definition, TableBlock, Rule, Math, Footnote, Group page.Kind
	Text, Emphasis, Strong, Strike, Sub, Sup, CodeSpan, LinkInline, ImageInline, MathInline, Break, FootnoteRef            page.InlineKind
	Checked, Unchecked                                                                                                     page.Check
}

func allKinds() kinds {
	return kinds{
		page.Paragraph, page.Heading, page.Code, page.Quote, page.List, page.Item, page.DefinitionList, page.Term, page.Definition, page.TableBlock, page.Rule, page.Math, page.Footnote, page.Group,
		page.Text, page.Emphasis, page.Strong, page.Strike, page.Sub, page.Sup, page.CodeSpan, page.LinkInline, page.ImageInline, page.MathInline, page.Break, page.FootnoteRef,
		page.Checked, page.Unchecked,
	}
}

// spanOf is the value of colspan or rowspan; 0 for none.
func spanOf(n int) int {
	if n = min(n, maxSpan); n > 1 {
		return n
	}
	return 0
}

// loneOf is the text of a cell that is one paragraph; nil for other cells.
func loneOf(blocks []page.Block) []page.Inline {
	if len(blocks) == 1 && blocks[0].Kind == page.Paragraph {
		return blocks[0].Inlines
	}
	return nil
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

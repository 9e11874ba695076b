package document

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// readOpenDocument reads odt, ods and odp files: OpenDocument 1.3, part 3.
func readOpenDocument(b *builder, body []byte) error {
	a, _, err := openArchive(body)
	if err != nil {
		return err
	}
	t, err := a.tree("content.xml")
	if err != nil {
		return err
	}
	if t == nil {
		return &Error{Code: Malformed, Cause: errNoPart}
	}
	if m, err := a.tree("meta.xml"); err == nil && m != nil {
		b.Meta.Title = text.Line(m.first("title").content())
		b.Meta.Byline = text.Line(m.first("creator").content())
		b.Meta.Published = isoDate(m.first("creation-date").content())
		b.Meta.Modified = isoDate(m.first("date").content())
		b.Meta.Language = text.Line(m.first("language").content())
	}
	b.open(t.first("body"), 0)
	return nil
}

// open walks the body of an OpenDocument file.
func (b *builder) open(n *node, depth int) {
	if n == nil {
		return
	}
	for _, c := range n.children {
		switch c.name {
		case "h":
			level, err := strconv.Atoi(c.attr("outline-level"))
			if err != nil {
				level = 1
			}
			if in := b.span(c); page.InlineText(in) != "" {
				b.add(page.Block{Kind: page.Heading, Level: min(max(level, 1), 6), Inlines: in})
			}
		case "p":
			if in := b.span(c); page.InlineText(in) != "" {
				b.add(page.Block{Kind: page.Paragraph, Inlines: in})
			}
		case "list":
			if l := b.list(c, 0); len(l.Children) > 0 {
				b.add(l)
			}
		case "table":
			if name := c.attr("name"); c.space == "table" && depth <= 1 && strings.Contains(b.mediaType, "spreadsheet") {
				b.heading(2, name)
			}
			b.table(openRows(b, c))
		case "page": // of a presentation
			b.heading(2, c.attr("name"))
			b.open(c, depth+1)
		case "tracked-changes", "sequence-decls", "forms", "annotation", "table-of-content-source":
		default:
			b.open(c, depth+1)
		}
	}
}

// span reads the inlines of a paragraph.
func (b *builder) span(n *node) []page.Inline {
	var out []page.Inline
	for _, c := range n.children {
		switch c.name {
		case "":
			if s := b.fold(c.text); s != "" {
				out = append(out, page.Inline{Kind: page.Text, Text: s})
			}
		case "s", "tab":
			out = append(out, page.Inline{Kind: page.Text, Text: " "})
		case "line-break":
			out = append(out, page.Inline{Kind: page.Break})
		case "a":
			in := b.span(c)
			if u, err := weburl.Parse(c.attr("href")); err == nil && len(in) > 0 {
				b.link(u, page.InlineText(in))
				in = []page.Inline{{Kind: page.LinkInline, URL: u.String(), Children: in}}
			}
			out = append(out, in...)
		case "note", "annotation":
			if body := c.child("note-body"); body != nil {
				out = append(out, page.Inline{Kind: page.Text, Text: " (" + b.clean(body.content()) + ")"})
			}
		default:
			out = append(out, b.span(c)...)
		}
	}
	return out
}

func (b *builder) list(n *node, depth int) page.Block {
	l := page.Block{Kind: page.List}
	for _, item := range n.children {
		if item.name != "list-item" && item.name != "list-header" {
			continue
		}
		i := page.Block{Kind: page.Item}
		for _, c := range item.children {
			switch {
			case c.name == "list" && depth < 16:
				if in := b.list(c, depth+1); len(in.Children) > 0 {
					i.Children = append(i.Children, in)
				}
			case c.name == "p" || c.name == "h":
				if in := b.span(c); page.InlineText(in) != "" {
					i.Children = append(i.Children, page.Block{Kind: page.Paragraph, Inlines: in})
				}
			}
		}
		if len(i.Children) > 0 {
			l.Children = append(l.Children, i)
		}
	}
	return l
}

// openRows reads the rows of a table. Repeated cells are written out where
// they hold text; runs of empty ones at the end fill sheets to their edge and
// are left out.
func openRows(b *builder, t *node) [][]string {
	var out [][]string
	cells := 0
	for _, r := range t.find("table-row") {
		var row []string
		pending := 0
		for _, c := range r.children {
			if c.name != "table-cell" && c.name != "covered-table-cell" {
				continue
			}
			repeat, err := strconv.Atoi(c.attr("number-columns-repeated"))
			if err != nil || repeat < 1 {
				repeat = 1
			}
			var parts []string
			for _, p := range c.find("p") {
				if s := page.InlineText(b.span(p)); s != "" {
					parts = append(parts, s)
				}
			}
			s := strings.Join(parts, " ")
			if s == "" {
				pending = min(pending+repeat, maxColumns)
				continue
			}
			for range min(pending, maxColumns-len(row)) {
				row = append(row, "")
			}
			pending = 0
			for range min(repeat, maxColumns-len(row)) {
				row = append(row, s)
			}
		}
		if len(row) == 0 {
			continue
		}
		out = append(out, row)
		if cells += len(row); cells > maxCells {
			break
		}
	}
	return out
}

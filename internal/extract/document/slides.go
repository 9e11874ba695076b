package document

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

const maxSlides = 1000

// readSlides reads a pptx file: ECMA-376, part 1, section 19. Each slide is a
// section under its title, with its notes last.
func readSlides(b *builder, body []byte) error {
	a, _, err := openArchive(body)
	if err != nil {
		return err
	}
	const main = "ppt/presentation.xml"
	show, err := a.tree(main)
	if err != nil {
		return err
	}
	if show == nil {
		return &Error{Code: Malformed, Cause: errNoPart}
	}
	b.core(a)
	files := a.relations(main)
	for i, s := range show.find("sldId") {
		if i >= maxSlides {
			b.cut = true
			break
		}
		name := ""
		for _, at := range s.attrs { // r:id beside id
			if at.Name.Local == "id" && files[at.Value] != "" {
				name = files[at.Value]
			}
		}
		t, err := a.tree(name)
		if err != nil {
			return err
		}
		if t == nil {
			continue
		}
		if t.child("sld").attr("show") == "0" {
			b.Note(page.NoteDisplay, 1)
			continue
		}
		b.slide(t)
		for _, rel := range a.relations(name) {
			if !strings.Contains(rel, "notesSlide") {
				continue
			}
			if notes, err := a.tree(rel); err == nil && notes != nil {
				b.notes(notes)
			}
		}
	}
	return nil
}

func (b *builder) slide(t *node) {
	tree := t.first("spTree")
	for _, sp := range tree.find("sp") {
		if kind := sp.first("ph").attr("type"); kind == "title" || kind == "ctrTitle" {
			b.heading(2, b.paragraphs(sp))
		}
	}
	for _, c := range tree.find("graphicFrame") {
		if tbl := c.first("tbl"); tbl != nil {
			var rows [][]string
			for _, tr := range tbl.find("tr") {
				var row []string
				for _, tc := range tr.find("tc") {
					row = append(row, b.paragraphs(tc))
				}
				rows = append(rows, row)
			}
			b.table(rows)
		}
	}
	for _, sp := range tree.find("sp") {
		switch sp.first("ph").attr("type") {
		case "title", "ctrTitle", "dt", "ftr", "sldNum":
			continue
		}
		var items []page.Block
		for _, p := range sp.find("p") {
			if s := b.clean(paragraph(p)); s != "" {
				items = append(items, page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: plain(s)}}})
			}
		}
		switch {
		case len(items) == 1:
			b.add(items[0].Children[0])
		case len(items) > 1:
			b.add(page.Block{Kind: page.List, Children: items})
		}
	}
}

func (b *builder) notes(t *node) {
	for _, sp := range t.find("sp") {
		if sp.first("ph").attr("type") == "body" {
			if s := b.paragraphs(sp); s != "" {
				b.add(page.Block{Kind: page.Quote, Children: []page.Block{{Kind: page.Paragraph, Inlines: plain(s)}}})
			}
		}
	}
}

// paragraphs joins the text of the paragraphs of a shape.
func (b *builder) paragraphs(n *node) string {
	var out []string
	for _, p := range n.find("p") {
		if s := b.clean(paragraph(p)); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

func paragraph(p *node) string {
	var b strings.Builder
	for _, c := range p.children {
		switch c.name {
		case "r", "fld":
			b.WriteString(c.child("t").content())
		case "br":
			b.WriteByte(' ')
		}
	}
	return b.String()
}

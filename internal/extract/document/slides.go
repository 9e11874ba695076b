package document

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// slides converts a pptx file: ECMA-376, part 1, section 19. Each slide is a
// section under its title, with its shapes in reading order (slideorder.go)
// and its notes as a quotation.
type slides struct {
	b       *builder
	a       *archive
	links   relations       // of the slide
	layouts []*node         // its layout and its master
	footers map[string]bool // dates and footers that were written: slides repeat them
}

func readSlides(b *builder, body []byte) error {
	a, main, show, err := openOffice(b, body, "ppt/presentation.xml")
	if err != nil {
		return err
	}
	s := &slides{b: b, a: a, footers: map[string]bool{}}
	files := a.relations(main)
	for i, id := range show.find("sldId") {
		if i >= maxSlides {
			b.cut = true
			break
		}
		name := ""
		for _, at := range id.attrs { // r:id beside id
			if at.Name.Local == "id" && files.byID(at.Value) != "" {
				name = files.byID(at.Value)
			}
		}
		if t := a.tree(name); t != nil {
			s.slide(t, name)
		}
	}
	return nil
}

func (s *slides) slide(t *node, name string) {
	if show := t.child("sld").attr("show"); show == "0" || show == "false" {
		s.b.Omit(page.HiddenDisplay, 1)
		return
	}
	own := s.a.relations(name)
	s.links, s.layouts = own, nil
	if layout := own.byKind("slideLayout", ""); layout != "" {
		s.layouts = []*node{s.a.shared(layout), s.a.shared(s.a.relations(layout).byKind("slideMaster", ""))}
	}
	tree := t.first("spTree")
	s.titles(tree)
	s.shapes(tree)
	if name := own.byKind("notesSlide", ""); name != "" {
		if notes := s.a.tree(name); notes != nil {
			s.links = s.a.relations(name)
			s.notes(notes)
		}
	}
}

// titles writes the titles of a slide, which are its heading.
func (s *slides) titles(tree *node) {
	for _, sp := range tree.find("sp") {
		if isTitle(sp) && !isHiddenShape(sp) {
			s.b.heading(2, s.line(sp))
		}
	}
}

func isTitle(sp *node) bool {
	kind := sp.first("ph").attr("type")
	return kind == "title" || kind == "ctrTitle"
}

// shapes writes the shapes of a tree but its titles.
func (s *slides) shapes(tree *node) {
	for _, c := range s.inOrder(tree) {
		switch {
		case isHiddenShape(c):
			s.b.Omit(page.HiddenDisplay, 1)
		case c.name == "grpSp":
			s.shapes(c)
		case c.name == "graphicFrame":
			s.frame(c)
		default:
			s.shape(c)
		}
	}
}

func isHiddenShape(c *node) bool {
	for _, k := range c.children {
		if strings.HasPrefix(k.name, "nv") && isTrue(k.child("cNvPr").attr("hidden")) {
			return true
		}
	}
	return false
}

// frame writes a table, a chart or a diagram.
func (s *slides) frame(n *node) {
	data := n.child("graphic").child("graphicData")
	if t := data.first("tbl"); t != nil {
		var rows [][]string
		for _, tr := range t.find("tr") {
			var row []string
			for _, tc := range tr.kids("tc") {
				row = append(row, s.line(tc))
			}
			rows = append(rows, row)
		}
		s.b.table(rows)
	}
	for _, c := range data.find("chart") {
		s.b.chart(s.a, s.links.byID(c.attr("id")))
	}
	for _, c := range data.find("relIds") {
		s.b.diagram(s.a, s.links.byID(c.attr("dm")))
	}
}

func (s *slides) shape(sp *node) {
	switch sp.first("ph").attr("type") {
	case "sldNum":
		return
	case "dt", "ftr":
		if in := s.line(sp); !s.footers[in] {
			s.footers[in] = true
			s.b.paragraph(in)
		}
		return
	}
	var list listStack
	var counts [wordLevels]int
	var first []page.Inline
	items := 0
	for _, p := range sp.child("txBody").kids("p") {
		in := joined(s.inlines(p))
		if page.InlineText(in) == "" {
			continue
		}
		props := p.child("pPr")
		n := number{}
		n.level, _ = props.number("lvl")
		n.level = min(max(n.level, 0), wordLevels-1)
		clear(counts[n.level+1:])
		if auto := props.child("buAutoNum"); auto != nil {
			if from, ok := auto.number("startAt"); ok && counts[n.level] == 0 {
				counts[n.level] = from - 1
			}
			counts[n.level]++
			n.ordered, n.n = true, counts[n.level]
		} else {
			counts[n.level] = 0
		}
		if items++; items == 1 {
			first = in
		}
		list.item(n, in, s.b)
	}
	if l, ok := list.take(); ok && items > 1 {
		s.b.add(l)
	} else if ok {
		s.b.text(first, false)
	}
}

func (s *slides) notes(t *node) {
	for _, sp := range t.find("sp") {
		if sp.first("ph").attr("type") != "body" {
			continue
		}
		for _, p := range sp.child("txBody").kids("p") {
			if in := joined(s.inlines(p)); page.InlineText(in) != "" {
				s.b.quote(in)
			}
		}
	}
}

// line is the text of the paragraphs of a shape as one line.
func (s *slides) line(n *node) string {
	var out []string
	for _, p := range n.find("p") {
		if t := page.InlineText(s.inlines(p)); t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, " ")
}

// inlines converts the runs of a paragraph.
func (s *slides) inlines(p *node) []page.Inline {
	var out []page.Inline
	for _, c := range p.children {
		switch c.name {
		case "r", "fld":
			if t := s.b.fold(c.child("t").content()); t != "" {
				out = append(out, s.b.linked(s.links.byID(c.child("rPr").child("hlinkClick").attr("id")), plain(t))...)
			}
		case "br":
			out = append(out, page.Inline{Kind: page.Text, Text: " "})
		case "m":
			for _, f := range c.children {
				if t := texOf(f); f.name != "" && t != "" {
					out = append(out, page.Inline{Kind: page.MathInline, Text: t})
				}
			}
		case "AlternateContent":
			out = append(out, s.inlines(alternative(c))...)
		}
	}
	return out
}

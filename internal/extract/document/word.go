package document

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// word reads a docx file: ECMA-376, part 1, section 17.
type word struct {
	b      *builder
	levels map[string]int    // heading levels of styles
	links  map[string]string // targets of relations
	notes  map[string]bool
	list   []page.Block // items of the list that is open
}

func readWord(b *builder, body []byte) error {
	a, _, err := openArchive(body)
	if err != nil {
		return err
	}
	main := "word/document.xml"
	doc, err := a.tree(main)
	if err != nil {
		return err
	}
	if doc == nil {
		return &Error{Code: Malformed, Cause: errNoPart}
	}
	b.core(a)
	w := &word{b: b, levels: map[string]int{}, links: a.relations(main), notes: map[string]bool{}}
	if styles, err := a.tree("word/styles.xml"); err == nil && styles != nil {
		for _, s := range styles.find("style") {
			if l := styleLevel(s); l > 0 {
				w.levels[s.attr("styleId")] = l
			}
		}
	}
	w.blocks(doc.first("body"))
	w.close()
	for _, file := range []string{"word/footnotes.xml", "word/endnotes.xml"} {
		if t, err := a.tree(file); err == nil && t != nil {
			w.footnotes(t)
		}
	}
	return nil
}

// core reads the properties that all Office Open XML files have.
func (b *builder) core(a *archive) {
	t, err := a.tree("docProps/core.xml")
	if err != nil || t == nil {
		return
	}
	b.Meta.Title = text.Line(t.first("title").content())
	b.Meta.Byline = text.Line(t.first("creator").content())
	b.Meta.Published = isoDate(t.first("created").content())
	b.Meta.Modified = isoDate(t.first("modified").content())
	b.Meta.Excerpt = text.Line(t.first("description").content())
	b.Meta.Language = text.Line(t.first("language").content())
}

// styleLevel is the heading level of a style, by its name or outline level.
func styleLevel(s *node) int {
	name := strings.ToLower(s.child("name").attr("val"))
	if name == "title" {
		return 1
	}
	if rest, ok := strings.CutPrefix(name, "heading "); ok {
		if n, err := strconv.Atoi(rest); err == nil {
			return n
		}
	}
	if o := s.first("outlineLvl"); o != nil {
		if n, err := strconv.Atoi(o.attr("val")); err == nil && n < 9 {
			return n + 1
		}
	}
	return 0
}

func (w *word) blocks(n *node) {
	if n == nil {
		return
	}
	for _, c := range n.children {
		switch c.name {
		case "p":
			w.paragraph(c)
		case "tbl":
			w.close()
			w.table(c)
		case "sdt":
			w.blocks(c.child("sdtContent"))
		case "ins", "smartTag", "customXml":
			w.blocks(c)
		}
	}
}

func (w *word) paragraph(p *node) {
	in := w.inlines(p)
	if page.InlineText(in) == "" {
		return
	}
	props := p.child("pPr")
	level := w.levels[props.child("pStyle").attr("val")]
	if o := props.child("outlineLvl"); o != nil && level == 0 {
		if n, err := strconv.Atoi(o.attr("val")); err == nil && n < 9 {
			level = n + 1
		}
	}
	switch {
	case level > 0:
		w.close()
		w.b.add(page.Block{Kind: page.Heading, Level: min(level, 6), Inlines: in})
	case props.child("numPr") != nil:
		w.item(in, props.child("numPr").child("ilvl").attr("val"))
	default:
		w.close()
		w.b.add(page.Block{Kind: page.Paragraph, Inlines: in})
	}
}

// item appends to the open list, one level deeper at most.
func (w *word) item(in []page.Inline, level string) {
	item := page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: in}}}
	if level != "" && level != "0" && len(w.list) > 0 {
		last := &w.list[len(w.list)-1]
		if n := len(last.Children); last.Children[n-1].Kind == page.List {
			last.Children[n-1].Children = append(last.Children[n-1].Children, item)
		} else {
			last.Children = append(last.Children, page.Block{Kind: page.List, Children: []page.Block{item}})
		}
		return
	}
	w.list = append(w.list, item)
}

func (w *word) close() {
	if len(w.list) > 0 {
		w.b.add(page.Block{Kind: page.List, Children: w.list})
		w.list = nil
	}
}

// inlines reads the runs of a paragraph. Deleted text is left out.
func (w *word) inlines(n *node) []page.Inline {
	var out []page.Inline
	for _, c := range n.children {
		switch c.name {
		case "r":
			out = append(out, w.run(c)...)
		case "hyperlink":
			in := w.inlines(c)
			if u, err := weburl.Parse(w.links[c.attr("id")]); err == nil && len(in) > 0 {
				out = append(out, page.Inline{Kind: page.LinkInline, URL: u.String(), Children: in})
				w.b.link(u, page.InlineText(in))
				continue
			}
			out = append(out, in...)
		case "ins", "smartTag", "sdt", "sdtContent", "fldSimple", "customXml":
			out = append(out, w.inlines(c)...)
		case "oMath", "oMathPara":
			if s := w.b.clean(c.content()); s != "" {
				out = append(out, page.Inline{Kind: page.Text, Text: s})
			}
		}
	}
	return out
}

func (w *word) run(r *node) []page.Inline {
	var out []page.Inline
	var b strings.Builder
	flush := func() {
		if s := w.b.fold(b.String()); s != "" {
			out = append(out, page.Inline{Kind: page.Text, Text: s})
		}
		b.Reset()
	}
	props := r.child("rPr")
	if on(props.child("vanish")) {
		w.b.Note(page.NoteDisplay, 1)
		return nil
	}
	for _, c := range r.children {
		switch c.name {
		case "t":
			b.WriteString(c.content())
		case "tab":
			b.WriteByte(' ')
		case "br", "cr":
			flush()
			out = append(out, page.Inline{Kind: page.Break})
		case "noBreakHyphen":
			b.WriteByte('-')
		case "footnoteReference", "endnoteReference":
			flush()
			label := c.attr("id")
			w.notes[label] = true
			out = append(out, page.Inline{Kind: page.FootnoteRef, Text: label})
		}
	}
	flush()
	if len(out) == 0 {
		return nil
	}
	if on(props.child("b")) {
		out = []page.Inline{{Kind: page.Strong, Children: out}}
	}
	if on(props.child("i")) {
		out = []page.Inline{{Kind: page.Emphasis, Children: out}}
	}
	return out
}

// on reports whether a toggle property is set.
func on(n *node) bool {
	v := n.attr("val")
	return n != nil && v != "0" && v != "false" && v != "none"
}

func (w *word) table(t *node) {
	var rows [][]string
	for _, tr := range t.find("tr") {
		var row []string
		for _, tc := range tr.find("tc") {
			var parts []string
			for _, p := range tc.find("p") {
				if s := page.InlineText(w.inlines(p)); s != "" {
					parts = append(parts, s)
				}
			}
			row = append(row, strings.Join(parts, " "))
			if n, err := strconv.Atoi(tc.first("gridSpan").attr("val")); err == nil {
				for range min(n-1, 100) {
					row = append(row, "")
				}
			}
		}
		rows = append(rows, row)
	}
	w.b.table(rows)
}

func (w *word) footnotes(t *node) {
	for _, name := range []string{"footnote", "endnote"} {
		for _, f := range t.find(name) {
			id := f.attr("id")
			if !w.notes[id] {
				continue
			}
			delete(w.notes, id)
			var in []page.Inline
			for _, p := range f.find("p") {
				in = append(in, w.inlines(p)...)
			}
			if len(in) > 0 {
				w.b.add(page.Block{Kind: page.Footnote, ID: id, Children: []page.Block{{Kind: page.Paragraph, Inlines: in}}})
			}
		}
	}
}

// link notes an address that the document links to.
func (b *builder) link(u weburl.URL, label string) {
	if len(b.Links) < 5000 {
		b.Links = append(b.Links, page.Link{URL: u.WithoutFragment().String(), Text: text.Line(label), Count: 1})
	}
}

// fold folds white space and keeps one space at the ends, since a run may end
// in the middle of a sentence.
func (b *builder) fold(s string) string {
	c := b.clean(s)
	switch {
	case s == "":
		return ""
	case c == "":
		return " "
	}
	if isSpace(s[0]) {
		c = " " + c
	}
	if isSpace(s[len(s)-1]) {
		c += " "
	}
	return c
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isoDate keeps a date that begins as ISO 8601 does.
func isoDate(s string) string {
	s = text.Line(s)
	if len(s) >= 10 && s[4] == '-' && s[7] == '-' && !strings.ContainsAny(s, " <>") && len(s) <= 35 {
		return s
	}
	return ""
}

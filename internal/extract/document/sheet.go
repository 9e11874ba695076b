package document

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

var errNoPart = errors.New("its main part is missing")

// sheets converts an xlsx file: ECMA-376, part 1, section 18. Dates are
// written as in ISO 8601, percentages as in the sheet, other numbers as they
// are stored. Hidden sheets, rows and columns are left out and counted. Rows
// and columns that a filter or a closed group hides are content.
type sheets struct {
	b        *builder
	a        *archive
	shared   []string
	formats  []cellFormat // by the style of a cell
	from1904 bool
	filled   bool // a sheet has content
}

func readSheets(b *builder, body []byte) error {
	a, main, book, err := openOffice(b, body, "xl/workbook.xml")
	if err != nil {
		return err
	}
	s := &sheets{b: b, a: a, from1904: isTrue(book.first("workbookPr").attr("date1904"))}
	files := a.relations(main)
	for _, si := range a.tree(files.byKind("sharedStrings", "xl/sharedStrings.xml")).find("si") {
		s.shared = append(s.shared, richText(si))
	}
	s.formats = readFormats(a.tree(files.byKind("styles", "xl/styles.xml")))
	for i, sh := range book.find("sheet") {
		if i >= maxSheets || b.cells <= 0 {
			b.cut = true
			break
		}
		if state := sh.attr("state"); state == "hidden" || state == "veryHidden" {
			b.Omit(page.HiddenDisplay, 1)
			continue
		}
		name := files.byID(sh.attr("id"))
		s.sheet(sh.attr("name"), a.tree(name), a.relations(name))
	}
	if !s.filled {
		b.Blocks = nil
	}
	return nil
}

// readFormats reads the number formats of the styles of cells.
func readFormats(styles *node) (out []cellFormat) {
	custom := map[string]cellFormat{}
	for _, f := range styles.first("numFmts").kids("numFmt") {
		custom[f.attr("numFmtId")] = formatOf(f.attr("formatCode"))
	}
	for _, xf := range styles.first("cellXfs").kids("xf") {
		f, ok := custom[xf.attr("numFmtId")]
		if !ok {
			f = builtinFormat(xf.attr("numFmtId"))
		}
		out = append(out, f)
	}
	return out
}

// richText is the text of a string without its reading aids (rPh).
func richText(n *node) string {
	var b strings.Builder
	for _, c := range n.childrenOf() {
		switch c.name {
		case "t":
			c.write(&b)
		case "r":
			b.WriteString(c.child("t").content())
		}
	}
	return b.String()
}

// sheet writes one worksheet.
func (s *sheets) sheet(name string, t *node, links relations) {
	g := &sheetGrid{sheets: s, grid: grid{to: s.b}, links: linksOf(t, links), filtered: isFiltered(t)}
	for _, l := range links.list {
		if l.kind == "table" {
			g.filtered = g.filtered || isFiltered(s.a.tree(l.target))
		}
	}
	g.columns(t)
	g.read(t)
	rows := g.finish()
	boxes := s.boxes(links)
	s.b.heading(2, name)
	s.b.grid(rows)
	s.b.add(boxes...)
	s.filled = s.filled || len(rows) > 0 || len(boxes) > 0
}

// isFiltered reports whether a filter of a sheet or a table is in use.
func isFiltered(t *node) bool { return t.first("autoFilter").child("filterColumn") != nil }

// boxes are the texts of the shapes on a sheet. Charts repeat what the cells
// contain.
func (s *sheets) boxes(links relations) []page.Block {
	name := links.byKind("drawing", "")
	t := s.a.tree(name)
	if name == "" || t == nil {
		return nil
	}
	return s.b.collect(func() {
		inner := &slides{b: s.b, a: s.a, links: s.a.relations(name), footers: map[string]bool{}}
		for _, k := range []string{"twoCellAnchor", "oneCellAnchor", "absoluteAnchor"} {
			for _, anchor := range t.find(k) {
				var shapes []*node
				for _, c := range anchor.children {
					if c.name == "sp" || c.name == "grpSp" || c.name == "AlternateContent" {
						shapes = append(shapes, c)
					}
				}
				inner.shapes(&node{children: shapes})
			}
		}
	})
}

// sheetGrid is a worksheet.
type sheetGrid struct {
	*sheets
	grid
	links    map[string]string
	filtered bool
}

// columns finds which columns are hidden.
func (g *sheetGrid) columns(t *node) {
	for _, c := range t.first("cols").kids("col") {
		from, ok1 := c.number("min")
		to, ok2 := c.number("max")
		level, _ := c.number("outlineLevel")
		for i := max(from, 1); ok1 && ok2 && i <= min(to, maxColumns); i++ {
			g.hidden[i-1] = isTrue(c.attr("hidden")) && level == 0
		}
	}
}

// linksOf are the addresses that cells link to.
func linksOf(t *node, links relations) map[string]string {
	out := map[string]string{}
	for _, h := range t.first("hyperlinks").kids("hyperlink") {
		if address := links.byID(h.attr("id")); address != "" {
			first, _, _ := strings.Cut(h.attr("ref"), ":")
			out[first] = address
		}
	}
	return out
}

// read converts the rows of a worksheet; those without text are left out.
func (g *sheetGrid) read(t *node) {
	for _, r := range t.find("row") {
		var row []page.Cell
		next := 0
		for _, c := range r.kids("c") {
			col := column(c.attr("r"))
			if col < 0 {
				col = next
			}
			next = col + 1
			if v := g.b.cellText(g.text(c)); v != "" {
				row = g.put(row, col, []page.Block{{Kind: page.Paragraph, Inlines: g.linked(c, v)}})
			}
		}
		if level, _ := r.number("outlineLevel"); isTrue(r.attr("hidden")) && level == 0 && !g.filtered {
			g.b.Omit(page.HiddenDisplay, min(len(row), 1))
		} else if !g.add(row, 1) {
			break
		}
	}
}

// linked makes a link of the text of a cell that has an address.
func (g *sheetGrid) linked(c *node, v string) []page.Inline {
	address := g.links[c.attr("r")]
	if f, ok := strings.CutPrefix(c.child("f").content(), `HYPERLINK("`); address == "" && ok {
		address, _, _ = strings.Cut(f, `"`)
	}
	return g.b.linked(address, plain(v))
}

// text is the text of a cell.
func (g *sheetGrid) text(c *node) string {
	v := c.child("v").content()
	switch c.attr("t") {
	case "s":
		if i, err := strconv.Atoi(strings.TrimSpace(v)); err == nil && i >= 0 && i < len(g.shared) {
			return g.shared[i]
		}
		return ""
	case "inlineStr":
		return richText(c.child("is"))
	case "b":
		if v == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "", "n":
		var f cellFormat
		if i, ok := c.number("s"); ok && i >= 0 && i < len(g.formats) {
			f = g.formats[i]
		}
		return f.text(v, g.from1904)
	}
	return v
}

// column is the index of the letters of a cell's address, or -1.
func column(ref string) int {
	n := 0
	for i := 0; i < len(ref) && i < maxColumnLetters; i++ {
		c := ref[i]
		if c < 'A' || c > 'Z' {
			break
		}
		n = n*('Z'-'A'+1) + int(c-'A') + 1
	}
	return n - 1
}

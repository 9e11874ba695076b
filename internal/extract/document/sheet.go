package document

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

var errNoPart = errors.New("its main part is missing")

// collapsedMark stands before what a control of the document shows, as on a
// page; in a cell it is text.
const collapsedMark = "(collapsed)"

const (
	maxSheets  = 100
	maxColumns = 256
)

// sheets reads an xlsx file: ECMA-376, part 1, section 18. Numbers come as they
// are stored, with as many digits as tell them apart, and dates as ISO 8601
// writes them. What a sheet hides is left out and counted: rows, columns, and
// cells whose format, colour or size shows nothing.
type sheets struct {
	b      *builder
	a      *archive
	shared []string
	days   dates
	looks  []cellLook // by the style of a cell
	filled bool       // a sheet holds something
}

// cellLook is how the cells of a style hide their text.
type cellLook struct {
	always page.OmissionKind // whatever else the sheet says; "" for not at all
	text   bool              // its format shows numbers only
	colour bool              // the text has the colour of the cell
}

func readSheets(b *builder, body []byte) error {
	a, _, err := openArchive(b, body)
	if err != nil {
		return err
	}
	main, book, err := a.mainPart("xl/workbook.xml")
	if err != nil {
		return err
	}
	b.core(a)
	s := &sheets{b: b, a: a}
	files := a.relations(main)
	if t, err := a.tree(files.byKind("sharedStrings", "xl/sharedStrings.xml")); err != nil {
		return err
	} else if t != nil {
		for _, si := range t.find("si") {
			s.shared = append(s.shared, richText(si))
		}
	}
	styles, err := a.tree(files.byKind("styles", "xl/styles.xml"))
	if err != nil {
		return err
	}
	s.days, s.looks = readDates(styles, book), readLooks(styles)
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
		t, err := a.tree(name)
		if err != nil {
			return err
		}
		s.sheet(sh.attr("name"), t, a.relations(name))
	}
	if !s.filled {
		b.Blocks = nil
	}
	return nil
}

// richText is the text of a string without its reading aids (rPh).
func richText(n *node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range n.children {
		switch c.name {
		case "t":
			c.write(&b)
		case "r":
			t := c.child("t").content()
			if isOddRun(c, n) && strings.TrimSpace(t) != "" {
				b.WriteString(unknownMark)
			}
			b.WriteString(t)
		}
	}
	return b.String()
}

// isOddRun reports whether a run of a string is white or tiny and others are not: on one
// ground a person does not see both.
func isOddRun(r, all *node) bool {
	hides := func(r *node) bool {
		props := r.child("rPr")
		size, err := strconv.ParseFloat(props.child("sz").attr("val"), 64)
		return sheetColour(props.child("color")) == "FFFFFF" || err == nil && size <= tinyHalfPoints/2
	}
	if !hides(r) {
		return false
	}
	for _, other := range all.kids("r") {
		if !hides(other) {
			return true
		}
	}
	return false
}

// readLooks reads how styles hide text.
func readLooks(styles *node) []cellLook {
	hiding, numbers := map[string]bool{}, map[string]bool{}
	for _, f := range styles.first("numFmts").kids("numFmt") {
		// The sections are for numbers above and below zero, zero, and text.
		parts, id := strings.Split(strings.ReplaceAll(f.attr("formatCode"), " ", ""), ";"), f.attr("numFmtId")
		hiding[id] = len(parts) == 4 && strings.Join(parts, "") == ""
		numbers[id] = len(parts) == 4 && parts[3] == ""
	}
	fonts, fills := styles.first("fonts").kids("font"), styles.first("fills").kids("fill")
	at := func(list []*node, x *node, name string) *node {
		if i, ok := x.number(name); ok && i >= 0 && i < len(list) {
			return list[i]
		}
		return nil
	}
	var out []cellLook
	for _, x := range styles.first("cellXfs").kids("xf") {
		var l cellLook
		font, fill := at(fonts, x, "fontId"), at(fills, x, "fillId").child("patternFill")
		if size, err := strconv.ParseFloat(font.child("sz").attr("val"), 64); err == nil && size <= tinyHalfPoints/2 {
			l.always = page.HiddenSize
		}
		if hiding[x.attr("numFmtId")] {
			l.always = page.HiddenDisplay
		}
		l.text = numbers[x.attr("numFmtId")]
		ground := "FFFFFF"
		// Excel paints nothing for the first fill, whatever the file says of it.
		if p := fill.attr("patternType"); p != "" && p != "none" && x.attr("fillId") != "0" {
			ground = sheetColour(fill.child("fgColor"))
		}
		l.colour = sameColour(sheetColour(font.child("color")), ground)
		out = append(out, l)
	}
	return out
}

// sheetColour is a colour of a workbook; "" where it depends on more.
func sheetColour(c *node) string {
	if c.attr("tint") != "" && c.attr("tint") != "0" {
		return ""
	}
	if rgb := c.attr("rgb"); len(rgb) == 8 {
		return rgb[2:]
	}
	switch {
	case c.attr("theme") == "0", c.attr("indexed") == "1", c.attr("indexed") == "9":
		return "FFFFFF"
	case c.attr("theme") == "1", c.attr("indexed") == "0", c.attr("indexed") == "8":
		return "000000"
	}
	return ""
}

// sheet writes one worksheet.
func (s *sheets) sheet(name string, t *node, links relations) {
	g := &sheetGrid{sheets: s, hidden: map[int]bool{}, links: linksOf(t, links)}
	g.columns(t)
	g.merge(t.first("mergeCells"))
	g.filtered(t.first("autoFilter"))
	for _, l := range links.list {
		if l.kind == "table" {
			table, err := s.a.tree(l.target)
			s.b.cut = s.b.cut || err != nil
			g.filtered(table.first("autoFilter"))
			g.ruled = append(g.ruled, table.attr("ref"))
		}
	}
	for _, rule := range t.find("conditionalFormatting") {
		g.ruled = append(g.ruled, strings.Fields(rule.attr("sqref"))...)
	}
	rows := g.rows(t)
	for range g.hidden {
		s.b.Omit(page.HiddenDisplay, 1)
	}
	boxes := s.boxes(links)
	s.b.heading(2, name)
	s.b.grid(rows)
	s.b.add(boxes...)
	s.filled = s.filled || len(rows) > 0 || len(boxes) > 0
}

// boxes are the texts of the shapes on a sheet.
func (s *sheets) boxes(links relations) []page.Block {
	name := links.byKind("drawing", "")
	if name == "" {
		return nil
	}
	t, err := s.a.tree(name)
	if err != nil || t == nil {
		return nil
	}
	return s.b.collect(func() {
		inner := &slides{b: s.b, a: s.a, links: s.a.relations(name), margin: map[string]bool{}}
		for _, k := range []string{"twoCellAnchor", "oneCellAnchor", "absoluteAnchor"} {
			for _, anchor := range t.find(k) {
				inner.shapes(&node{children: shapesOf(anchor)}, place{scaleX: 1, scaleY: 1}, false)
			}
		}
	})
}

// shapesOf are the shapes of an anchor. Charts show what the cells hold.
func shapesOf(anchor *node) []*node {
	var out []*node
	for _, c := range anchor.children {
		if c.name == "sp" || c.name == "grpSp" || c.name == "AlternateContent" {
			out = append(out, c)
		}
	}
	return out
}

// sheetGrid is a worksheet in reading. Rows and columns that a group or a
// filter hides are shown by a control of the sheet: they stay, with a mark.
type sheetGrid struct {
	*sheets
	shown   [maxColumns]int  // where a column stands among those that are shown; -1: it is hidden
	folded  [maxColumns]bool // a column of a group that is closed, not marked so far
	hidden  map[int]bool     // hidden columns that hold something
	merged  map[string]bool  // cells that a merged cell lies over
	links   map[string]string
	ruled   []string // the areas where rules and styles of tables change colours
	filters [][2]int // the rows of filters that are in use: the first, which stays, and the last
}

// narrowest is the least width of a column that shows a part of a letter, in letters.
const narrowest = .2

// columns tells which columns are shown.
func (g *sheetGrid) columns(t *node) {
	var hidden [maxColumns]bool
	if t.first("sheetFormatPr").attr("defaultColWidth") == "0" {
		for i := range hidden {
			hidden[i] = true
		}
	}
	for _, c := range t.first("cols").kids("col") {
		from, ok1 := c.number("min")
		to, ok2 := c.number("max")
		if !ok1 || !ok2 {
			continue
		}
		width, err := strconv.ParseFloat(c.attr("width"), 64)
		level, _ := c.number("outlineLevel")
		for i := max(from, 1); i <= min(to, maxColumns); i++ {
			hidden[i-1] = isTrue(c.attr("hidden")) || err == nil && width < narrowest
			if hidden[i-1] && level > 0 {
				hidden[i-1], g.folded[i-1] = false, true
			}
		}
	}
	n := 0
	for i := range g.shown {
		if g.shown[i] = n; hidden[i] {
			g.shown[i] = -1
			continue
		}
		n++
	}
}

// maxMerged bounds the cells that merged cells lie over.
const maxMerged = 100_000

// merge notes the cells that merged cells lie over: the first of each shows its text.
func (g *sheetGrid) merge(all *node) {
	g.merged = map[string]bool{}
	for _, m := range all.kids("mergeCell") {
		first, last, ok := strings.Cut(m.attr("ref"), ":")
		from, ok1 := rowOf(first)
		to, ok2 := rowOf(last)
		left, right := column(first), column(last)
		if !ok || !ok1 || !ok2 || left < 0 || left > right {
			continue // rows without a column would be counted without end
		}
		for row := from; row <= to; row++ {
			for col := left; col <= right; col++ {
				if len(g.merged) >= maxMerged {
					return
				}
				if row != from || col != left {
					g.merged[columnName(col)+strconv.Itoa(row)] = true
				}
			}
		}
	}
}

// columnName is the letters of a column in a cell's address.
func columnName(col int) string {
	name := ""
	for col++; col > 0; col = (col - 1) / 26 {
		name = string(rune('A'+(col-1)%26)) + name
	}
	return name
}

// filtered notes the rows of a filter that hides some of them.
func (g *sheetGrid) filtered(f *node) {
	if f.child("filterColumn") == nil {
		return
	}
	_, end, _ := strings.Cut(f.attr("ref"), ":")
	from, _ := rowOf(f.attr("ref"))
	to, _ := rowOf(end)
	g.filters = append(g.filters, [2]int{from, to})
}

// inFilter reports whether a filter decides about a row.
func (g *sheetGrid) inFilter(row int) bool {
	return slices.ContainsFunc(g.filters, func(f [2]int) bool { return row > f[0] && row <= f[1] })
}

// isRuled reports whether rules or the style of a table may change the colours of a cell.
func (g *sheetGrid) isRuled(ref string) bool {
	row, ok := rowOf(ref)
	col := column(ref)
	return !ok || len(g.ruled) > maxRuled || slices.ContainsFunc(g.ruled, func(area string) bool {
		first, last, _ := strings.Cut(area, ":")
		from, ok1 := rowOf(first)
		to, ok2 := rowOf(cmp.Or(last, first))
		return !ok1 || !ok2 || row >= from && row <= to && col >= column(first) && col <= column(cmp.Or(last, first))
	})
}

// maxRuled bounds the areas that are looked at for each cell.
const maxRuled = 100

// rowOf is the row of a cell's address.
func rowOf(ref string) (int, bool) {
	ref, _, _ = strings.Cut(ref, ":")
	n, err := strconv.Atoi(strings.TrimLeft(ref, "$ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	return n, err == nil
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

// rows reads the rows of a worksheet; cells that are left out are empty. zeroHeight hides
// rows that do not stand in the file: Excel writes visible rows without a height then.
func (g *sheetGrid) rows(t *node) [][]page.Cell {
	var out [][]page.Cell
	for i, r := range t.find("row") {
		at, ok := r.number("r")
		if !ok {
			at = i + 1
		}
		height, err := strconv.ParseFloat(r.attr("ht"), 64)
		var kind page.OmissionKind
		switch {
		case isTrue(r.attr("hidden")):
			kind = page.HiddenDisplay
		case err == nil && height < tinyHalfPoints/2:
			kind = page.HiddenSize
		}
		level, _ := r.number("outlineLevel")
		folded := kind == page.HiddenDisplay && (level > 0 || g.inFilter(at))
		if kind != "" && !folded {
			if rowHolds(r) {
				g.b.Omit(kind, 1)
			}
			continue
		}
		row, some := g.row(r)
		if !some {
			continue
		}
		for k := range row {
			if b := row[k].Blocks; folded && len(b) > 0 {
				b[0].Inlines = labelled(collapsedMark, b[0].Inlines)
				break
			}
		}
		if g.b.cells -= len(row); g.b.cells < 0 {
			g.b.cut = true
			break
		}
		out = append(out, row)
	}
	return out
}

func rowHolds(r *node) bool {
	for _, c := range r.kids("c") {
		if c.child("v") != nil || c.child("is") != nil {
			return true
		}
	}
	return false
}

// row reads the cells of a row; some says that one holds text.
func (g *sheetGrid) row(r *node) (row []page.Cell, some bool) {
	next := 0
	for _, c := range r.kids("c") {
		col := column(c.attr("r"))
		if col < 0 {
			col = next
		}
		next = col + 1
		v := g.value(c)
		if col >= maxColumns {
			g.b.cut = g.b.cut || v != ""
			continue
		}
		at := g.shown[col]
		if at < 0 {
			if v != "" {
				g.hidden[col] = true
			}
			continue
		}
		if v != "" && g.merged[c.attr("r")] {
			g.b.Omit(page.HiddenDisplay, 1)
			continue
		}
		for len(row) <= at {
			row = append(row, page.Cell{})
		}
		if v = g.b.cellText(v); v == "" {
			continue
		}
		some = true
		in := g.linked(c, v)
		if g.folded[col] {
			in, g.folded[col] = labelled(collapsedMark, in), false
		}
		row[at].Blocks = []page.Block{{Kind: page.Paragraph, Inlines: in}}
	}
	return row, some
}

// linked makes a link of the text of a cell that has an address.
func (g *sheetGrid) linked(c *node, v string) []page.Inline {
	address := g.links[c.attr("r")]
	if f := c.child("f").content(); address == "" && strings.HasPrefix(f, `HYPERLINK("`) {
		address, _, _ = strings.Cut(f[len(`HYPERLINK("`):], `"`)
	}
	u, err := weburl.Parse(address)
	if err != nil || address == "" {
		return plain(v)
	}
	g.b.link(u, v)
	return []page.Inline{{Kind: page.LinkInline, URL: u.String(), Children: plain(v)}}
}

// value is the text of a cell, unless its style hides it.
func (g *sheetGrid) value(c *node) string {
	v := g.text(c)
	i, ok := c.number("s")
	if strings.TrimSpace(v) == "" || !ok || i < 0 || i >= len(g.looks) {
		return v
	}
	isText := c.attr("t") == "s" || c.attr("t") == "inlineStr" || c.attr("t") == "str"
	switch l := g.looks[i]; {
	case l.text && isText:
		g.b.Omit(page.HiddenDisplay, 1)
	case l.always != "":
		g.b.Omit(l.always, 1)
	case l.colour && !g.isRuled(c.attr("r")):
		g.b.Omit(page.HiddenColor, 1)
	default:
		return v
	}
	return ""
}

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
		if date := g.days.text(c.attr("s"), v); date != v {
			return date
		}
		return shortNumber(v)
	}
	return v
}

// shortNumber removes the digits that only a binary fraction has, zeros at the end, and the
// exponent of what is neither huge nor tiny: programs store 0.1 as 0.10000000000000001, 0.094
// as 9.4E-2, and 1 as 1.0.
func shortNumber(v string) string {
	if !strings.ContainsAny(v, ".Ee") {
		return v
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil || f > 1e15 || f < -1e15 {
		return v
	}
	const noise = 4 // digits
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if f > -1e-5 && f < 1e-5 && f != 0 {
		s = strconv.FormatFloat(f, 'g', -1, 64)
	}
	if sum := general(f); len(sum)+noise <= len(s) {
		return sum // 0.1 + 0.2 is 0.30000000000000004
	}
	return s
}

// column is the index of the letters of a cell's address, or -1.
func column(ref string) int {
	n := 0
	for i := 0; i < len(ref) && i < 4; i++ {
		c := ref[i]
		if c < 'A' || c > 'Z' {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	return n - 1
}

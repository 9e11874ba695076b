package convert

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tableFacts are facts about one table. They are computed for all tables before the first
// one is converted: for each by itself would be quadratic in nested tables.
type tableFacts struct {
	outer    bool // has another table in it
	headings bool // has a heading
	text     int  // bytes of text outside of inner tables
}

// survey looks through the page once.
func (c *converter) survey() {
	c.tables = map[*html.Node]*tableFacts{}
	var walk func(n *html.Node, in *tableFacts)
	walk = func(n *html.Node, in *tableFacts) {
		for k := range n.ChildNodes() {
			of := in
			switch {
			case k.Type == html.TextNode:
				in.text += len(k.Data)
			case k.DataAtom == atom.Table:
				in.outer = true
				of = new(tableFacts)
				c.tables[k] = of
			case dom.HeadingLevel(k) > 0:
				in.headings = true
			case k.DataAtom == atom.Script || k.DataAtom == atom.Style:
				continue
			}
			walk(k, of)
		}
	}
	walk(c.root, new(tableFacts))
}

// tableRow is a row as the tree has it.
type tableRow struct {
	n     *html.Node
	head  bool
	v     dom.Choice
	cells int
}

// tableParts are the rows of a table in the order in which they are shown, and
// sums over them.
type tableParts struct {
	rows, foot         []tableRow
	caption            *html.Node
	cols, cells, heads int
}

// table converts a table: to one where its cells are data, to plain blocks
// where it is only layout.
func (c *converter) table(n *html.Node, v dom.Choice) {
	if c.only > 0 || c.deep() {
		c.block(n, v)
		return
	}
	if c.codeTable(n) {
		return
	}
	if c.tables == nil {
		c.survey()
	}
	c.flush()
	p := c.partsOf(n, v)
	switch f := c.tables[n]; {
	case f != nil && f.headings && !f.outer && p.cols > 1 && p.hasSections():
		c.sections(p, v)
	case c.isLayout(n, p.cols, len(p.rows), p.cells, p.heads):
		c.layoutTable(p.rows, p.caption, v)
	default:
		c.dataTable(p, v)
	}
}

// dataTable converts a table whose cells are data.
func (c *converter) dataTable(p tableParts, v dom.Choice) {
	c.depth += 2
	t := &page.Table{Rows: make([][]page.Cell, 0, len(p.rows))}
	if p.caption != nil && c.asked(p.caption, v) != dom.DropAll {
		t.Caption = c.inlineContent(p.caption, c.asked(p.caption, v))
	}
	c.fill(t, p.rows)
	c.depth -= 2
	if t.HeaderRows == len(t.Rows) && t.HeaderRows > 1 {
		t.HeaderRows = 1 // all cells are th: it is the first row that heads
	}
	t.Align = align(p.rows, p.cols)
	if len(t.Rows) > 0 {
		c.out = append(c.out, page.Block{Kind: page.TableBlock, Table: t})
	}
}

// hasSections reports whether each heading of a table is in a row of its own: it heads the
// rows that follow.
func (p *tableParts) hasSections() bool {
	for _, r := range p.rows {
		if r.cells != 1 && hasHeading(r.n) {
			return false
		}
	}
	return true
}

func hasHeading(n *html.Node) bool {
	for k := range dom.Below(n) {
		if dom.HeadingLevel(k) > 0 {
			return true
		}
	}
	return false
}

// sections converts a table whose rows have headings: each run of rows between them is a table.
func (c *converter) sections(p tableParts, v dom.Choice) {
	if p.caption != nil {
		c.node(p.caption, v)
		c.flush()
	}
	rows := p.rows
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r tableRow) bool { return hasHeading(r.n) })
		if n < 0 {
			n = len(rows)
		}
		if n > 0 {
			c.dataTable(tableParts{rows: rows[:n], cols: p.cols}, v)
			rows = rows[n:]
			continue
		}
		c.layoutTable(rows[:1], nil, v)
		rows = rows[1:]
	}
}

// partsOf collects the chosen rows of a table.
func (c *converter) partsOf(n *html.Node, v dom.Choice) tableParts {
	var p tableParts
	c.collect(&p, n, v, 0)
	p.rows = append(p.rows, p.foot...)
	return p
}

func (c *converter) collect(p *tableParts, n *html.Node, v dom.Choice, depth int) {
	for k := range n.ChildNodes() {
		switch {
		case k.DataAtom == atom.Caption:
			p.caption = k
		case isRow(k) && n.DataAtom == atom.Tfoot:
			p.add(&p.foot, c, k, false, v)
		case isRow(k):
			p.add(&p.rows, c, k, n.DataAtom == atom.Thead, v)
		case depth < maxTableDepth && (k.DataAtom == atom.Thead || k.DataAtom == atom.Tbody || k.DataAtom == atom.Tfoot || n.DataAtom != atom.Table && k.Type == html.ElementNode):
			if kv := c.asked(k, v); kv != dom.DropAll {
				c.collect(p, k, kv, depth+1)
			}
		}
	}
}

// add appends a row to a part of the table.
func (p *tableParts) add(to *[]tableRow, c *converter, tr *html.Node, head bool, v dom.Choice) {
	rv := c.asked(tr, v)
	if rv == dom.DropAll {
		return
	}
	w := 0
	for k := tr.FirstChild; k != nil; k = k.NextSibling {
		if isCell(k) {
			w++
			if isHeader(k) {
				p.heads++
			}
		}
	}
	p.cells += w
	p.cols = max(p.cols, w)
	*to = append(*to, tableRow{tr, head, rv, w})
}

func isRow(n *html.Node) bool { return n.DataAtom == atom.Tr || dom.Attr(n, "role") == "row" }

func isHeader(n *html.Node) bool {
	return n.DataAtom == atom.Th || dom.HasToken("columnheader rowheader", dom.Attr(n, "role"))
}

func isCell(n *html.Node) bool {
	return n.DataAtom == atom.Td || isHeader(n) || dom.HasToken("cell gridcell", dom.Attr(n, "role"))
}

// isRoleTable reports whether an element is a table by the roles of its parts, and all of
// its text is in cells.
func isRoleTable(n *html.Node) bool {
	is := dom.HasToken("table grid treegrid rowgroup", dom.Attr(n, "role"))
	for k := n.FirstChild; k != nil && !is; k = k.NextSibling {
		is = dom.Attr(k, "role") == "row"
	}
	if !is {
		return false
	}
	nodes, texts := 0, 0
	for k := range dom.Below(n) {
		if nodes++; nodes > mathNodes {
			return false
		}
		if !dom.IsWordy(k) {
			continue
		}
		texts++
		up := k.Parent
		for up != n && !isCell(up) {
			up = up.Parent
		}
		if up == n {
			return false
		}
	}
	return texts > 0
}

// fill converts the rows of a table, without those that are empty. The header
// rows are the first ones whose cells are all headers.
func (c *converter) fill(t *page.Table, rows []tableRow) {
	leading := true
	for _, r := range rows {
		row, allHead, filled := c.row(r)
		if !filled {
			continue // a spacer
		}
		if len(t.Rows) == 0 && !r.head && !allHead && len(rows) > 1 {
			allHead = takeBoldHeader(row)
		}
		if leading = leading && (r.head || allHead); leading {
			t.HeaderRows++
		}
		t.Rows = append(t.Rows, row)
	}
}

// row converts the cells of a row. allHead says that all cells with content
// are headers, filled that there are some.
func (c *converter) row(r tableRow) (row []page.Cell, allHead, filled bool) {
	row, allHead = make([]page.Cell, 0, r.cells), true
	for k := r.n.FirstChild; k != nil; k = k.NextSibling {
		if !isCell(k) {
			continue
		}
		cell := c.cell(k, r.v)
		if len(cell.Blocks) > 0 {
			filled = true
			allHead = allHead && cell.Header
		}
		row = append(row, cell)
	}
	return row, allHead, filled
}

func (c *converter) cell(n *html.Node, v dom.Choice) page.Cell {
	cell := page.Cell{Header: isHeader(n), ColSpan: 1, RowSpan: 1}
	if i, ok := span(n, "colspan"); ok {
		cell.ColSpan = min(i, maxColSpan)
	}
	if i, ok := span(n, "rowspan"); ok {
		cell.RowSpan = min(i, maxRowSpan)
	}
	if nv := c.asked(n, v); nv != dom.DropAll {
		cell.Blocks = c.contained(n, nv)
	}
	return cell
}

// takeBoldHeader reports whether a first row of several cells is bold
// throughout, like a header, and removes the bold: a header row shows it anyway.
func takeBoldHeader(row []page.Cell) bool {
	if len(row) < 2 || !allBold(row) {
		return false
	}
	for i := range row {
		if b := row[i].Blocks; len(b) == 1 {
			b[0].Inlines = b[0].Inlines[0].Children
		}
	}
	return true
}

// isLayout reports whether a table arranges a page rather than data.
func (c *converter) isLayout(n *html.Node, cols, rows, cells, heads int) bool {
	switch dom.Attr(n, "role") {
	case "presentation", "none":
		return true
	case "table", "grid", "treegrid":
		return cols < 2
	}
	if cols < 2 {
		return true
	}
	f := c.tables[n]
	if f == nil { // by roles
		return false
	}
	if f.outer {
		return true
	}
	if heads > 0 {
		return false
	}
	// Without a header cell: cells with headings or with pages of text.
	return f.headings || rows == 1 && f.text > layoutBytes || f.text > layoutPerCell*cells
}

// layoutTable converts the cells of a table one after the other.
func (c *converter) layoutTable(rows []tableRow, caption *html.Node, v dom.Choice) {
	if caption != nil {
		c.node(caption, v)
		c.flush()
	}
	for _, r := range rows {
		for k := r.n.FirstChild; k != nil; k = k.NextSibling {
			if k.Type != html.ElementNode {
				continue
			}
			if kv := c.asked(k, r.v); kv != dom.DropAll {
				c.flush()
				c.cellMark(k)
				c.children(k, kv)
				c.flush()
			}
		}
	}
}

// span returns a colspan or a rowspan. A rowspan of 0 goes to the end of the group.
func span(n *html.Node, key string) (int, bool) {
	i, err := strconv.Atoi(strings.TrimSpace(dom.Attr(n, key)))
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && i == 0 && key == "rowspan":
		return maxRowSpan, true
	}
	return i, err == nil && i > 0
}

// allBold reports whether each cell with content is one bold text: a header in
// all but name.
func allBold(row []page.Cell) bool {
	for i := range row {
		b := row[i].Blocks
		if len(b) == 0 {
			continue
		}
		if len(b) != 1 || b[0].Kind != page.Paragraph || len(b[0].Inlines) != 1 || b[0].Inlines[0].Kind != page.Strong {
			return false
		}
	}
	return true
}

// align takes the alignment of the columns from the first rows: that of the first cell which
// has one. A cell over several columns ends the row.
func align(rows []tableRow, cols int) []page.Align {
	al, any := make([]page.Align, cols), false
	for _, r := range rows[:min(len(rows), alignRows)] {
		col := 0
		for k := range r.n.ChildNodes() {
			if !isCell(k) {
				continue
			}
			if w, ok := span(k, "colspan"); ok && w > 1 {
				break
			}
			if al[col] == page.AlignNone {
				al[col] = alignOf(k)
				any = any || al[col] != page.AlignNone
			}
			col++
		}
	}
	if !any {
		return nil
	}
	return al
}

func alignOf(n *html.Node) page.Align {
	v := dom.Attr(n, "align")
	if _, rest, ok := strings.Cut(dom.Attr(n, "style"), "text-align"); ok && v == "" {
		v, _, _ = strings.Cut(strings.TrimLeft(rest, ": "), ";")
	}
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "left", "start":
		return page.AlignLeft
	case "center":
		return page.AlignCenter
	case "right", "end":
		return page.AlignRight
	}
	return page.AlignNone
}

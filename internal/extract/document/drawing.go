package document

import (
	"cmp"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file converts charts and diagrams, which docx and pptx files share:
// ECMA-376, part 1, sections 21.2 and 21.4.

// chart appends the titles of a chart, and its values as a table: a row for
// each category, a column for each series.
func (b *builder) chart(a *archive, name string) {
	t := a.shared(name)
	if t == nil {
		return
	}
	b.paragraph(textOf(t.first("chart").child("title")))
	rows := [][]string{{textOf(either(t.first("plotArea"), "catAx", "dateAx").child("title"))}}
	for _, axis := range t.find("valAx") {
		b.paragraph(textOf(axis.child("title")))
	}
	from1904 := isTrue(t.first("date1904").attr("val"))
	series := t.find("ser")
	b.cut = b.cut || len(series) > maxSeries
	for i, s := range series[:min(len(series), maxSeries)] {
		rows[0] = append(rows[0], cmp.Or(textOf(s.child("tx")), pointsOf(s.child("tx"), from1904)[0]))
		names, values := pointsOf(either(s, "cat", "xVal"), from1904), pointsOf(either(s, "val", "yVal"), from1904)
		for k := range max(len(names), len(values)) {
			if k+1 >= len(rows) {
				rows = append(rows, []string{""})
			}
			row := append(rows[k+1], make([]string, i+2-len(rows[k+1]))...)
			if k < len(names) {
				row[0] = cmp.Or(row[0], names[k])
			}
			if k < len(values) {
				row[i+1] = values[k]
			}
			rows[k+1] = row
		}
	}
	if len(series) > 0 {
		b.table(rows)
	}
}

// pointsOf are the values that a chart stores of a range, as it shows them; at
// least one.
func pointsOf(n *node, from1904 bool) []string {
	out := []string{n.child("v").content()}
	if levels := n.find("lvl"); len(levels) > 0 { // categories of several levels: the innermost comes first
		n = levels[0]
	}
	isNumber := n.first("numCache") != nil || n.first("numLit") != nil
	format := n.first("formatCode").content()
	for i, p := range n.find("pt") {
		at, ok := p.number("idx")
		if !ok {
			at = i
		}
		if at < 0 || at >= maxPoints {
			continue
		}
		for len(out) <= at {
			out = append(out, "")
		}
		out[at] = p.child("v").content()
		if isNumber {
			out[at] = formatOf(cmp.Or(p.attr("formatCode"), format)).text(out[at], from1904)
		}
	}
	return out
}

// textOf joins the paragraphs of a text of a drawing.
func textOf(n *node) string {
	var b strings.Builder
	for _, p := range n.find("p") {
		for _, t := range p.find("t") {
			t.write(&b)
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

// diagram appends the texts of a diagram as a list.
func (b *builder) diagram(a *archive, name string) {
	var items []page.Block
	for _, p := range a.shared(name).first("ptLst").kids("pt") {
		if s := b.clean(textOf(p.child("t"))); s != "" && (p.attr("type") == "" || p.attr("type") == "node" || p.attr("type") == "asst") {
			items = append(items, page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: plain(s)}}})
		}
	}
	if len(items) > 0 {
		b.add(page.Block{Kind: page.List, Children: items})
	}
}

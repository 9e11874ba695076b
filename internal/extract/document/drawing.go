package document

import (
	"sort"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file reads charts and diagrams, which docx and pptx files share:
// ECMA-376, part 1, sections 21.2 and 21.4.

const (
	maxSeries = 100
	maxPoints = 2000
)

// chart appends the title of a chart and its values as a table: a row for each
// category, a column for each series.
func (b *builder) chart(a *archive, name string) {
	t, err := a.shared(name)
	if err != nil || t == nil {
		b.cut = b.cut || err != nil
		return
	}
	b.paragraph(textOf(t.first("chart").child("title")))
	series := t.find("ser")
	if len(series) > maxSeries {
		series, b.cut = series[:maxSeries], true
	}
	rows := [][]string{{""}}
	for i, s := range series {
		head := textOf(s.child("tx"))
		if head == "" {
			head = pointsOf(s.child("tx"))[0]
		}
		rows[0] = append(rows[0], head)
		names := s.child("cat")
		if names == nil {
			names = s.child("xVal")
		}
		values := s.child("val")
		if values == nil {
			values = s.child("yVal")
		}
		names2, values2 := pointsOf(names), pointsOf(values)
		for k := range max(len(names2), len(values2)) {
			if k >= maxPoints {
				b.cut = true
				break
			}
			for len(rows) < k+2 {
				rows = append(rows, []string{""})
			}
			if rows[k+1][0] == "" && k < len(names2) {
				rows[k+1][0] = names2[k]
			}
			for len(rows[k+1]) < i+2 {
				rows[k+1] = append(rows[k+1], "")
			}
			if k < len(values2) {
				rows[k+1][i+1] = values2[k]
			}
		}
	}
	if len(rows) > 1 || len(series) > 0 && rows[0][len(rows[0])-1] != "" {
		b.table(rows)
	}
}

// pointsOf are the values that a chart stores of a range; at least one.
func pointsOf(n *node) []string {
	out := []string{""}
	levels := n.find("lvl") // categories of several levels: the innermost comes first
	if len(levels) > 0 {
		n = levels[0]
	}
	for i, p := range n.find("pt") {
		at, ok := p.number("idx")
		if !ok {
			at = i
		}
		if at < 0 || at > maxPoints {
			continue
		}
		for len(out) <= at {
			out = append(out, "")
		}
		out[at] = p.child("v").content()
	}
	if v := n.child("v"); v != nil {
		out[0] = v.content()
	}
	return out
}

// textOf joins the paragraphs of a text of a drawing.
func textOf(n *node) string {
	s := ""
	for _, p := range n.find("p") {
		for _, t := range p.find("t") {
			s += t.content()
		}
		s += " "
	}
	return s
}

// diagram appends the texts of a diagram as a list, each below the one that it
// belongs to. What no connection leads to comes last.
func (b *builder) diagram(a *archive, name string) {
	t, err := a.shared(name)
	if err != nil || t == nil {
		b.cut = b.cut || err != nil
		return
	}
	points := map[string]*node{}
	var order []string
	root := ""
	for _, p := range t.first("ptLst").kids("pt") {
		switch p.attr("type") {
		case "doc":
			root = p.attr("modelId")
		case "", "node", "asst":
			points[p.attr("modelId")] = p
			order = append(order, p.attr("modelId"))
		}
	}
	type edge struct {
		to string
		at int
	}
	below := map[string][]edge{}
	for _, c := range t.first("cxnLst").kids("cxn") {
		if k := c.attr("type"); k == "" || k == "parOf" {
			at, _ := c.number("srcOrd")
			below[c.attr("srcId")] = append(below[c.attr("srcId")], edge{c.attr("destId"), at})
		}
	}
	seen := map[string]bool{}
	var list func(id string, depth int) page.Block
	list = func(id string, depth int) page.Block {
		l := page.Block{Kind: page.List}
		next := below[id]
		sort.SliceStable(next, func(i, k int) bool { return next[i].at < next[k].at })
		for _, e := range next {
			if seen[e.to] || points[e.to] == nil || depth > 16 {
				continue
			}
			seen[e.to] = true
			item := page.Block{Kind: page.Item}
			if s := b.clean(textOf(points[e.to].child("t"))); s != "" {
				item.Children = append(item.Children, page.Block{Kind: page.Paragraph, Inlines: plain(s)})
			}
			if inner := list(e.to, depth+1); len(inner.Children) > 0 {
				if len(item.Children) == 0 {
					l.Children = append(l.Children, inner.Children...)
					continue
				}
				item.Children = append(item.Children, inner)
			}
			if len(item.Children) > 0 {
				l.Children = append(l.Children, item)
			}
		}
		return l
	}
	all := list(root, 0)
	for _, id := range order {
		if !seen[id] {
			if s := b.clean(textOf(points[id].child("t"))); s != "" {
				all.Children = append(all.Children, page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: plain(s)}}})
			}
		}
	}
	if len(all.Children) > 0 {
		b.add(all)
	}
}

package document

import (
	"cmp"
	"sort"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file reads charts and diagrams, which docx and pptx files share:
// ECMA-376, part 1, sections 21.2 and 21.4.

const (
	maxSeries = 100
	maxPoints = 2000
)

// chart appends the titles of a chart and of its axes, and its values as a table: a row for
// each category, a column for each series. The title of the categories stands above them.
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
	values := chartValues{{textOf(either(t.first("plotArea"), "catAx", "dateAx").child("title"))}}
	for _, axis := range t.find("valAx") {
		b.paragraph(textOf(axis.child("title")))
	}
	from1904 := isTrue(t.first("date1904").attr("val"))
	for i, s := range series {
		head := textOf(s.child("tx"))
		if head == "" {
			head = pointsOf(s.child("tx"), from1904)[0]
		}
		values[0] = append(values[0], head)
		if !values.add(i+1, pointsOf(either(s, "cat", "xVal"), from1904), pointsOf(either(s, "val", "yVal"), from1904)) {
			b.cut = true
		}
	}
	if len(values) > 1 || len(series) > 0 && values[0][len(values[0])-1] != "" {
		b.table(values)
	}
}

// either is the child with the first name, else that with the second.
func either(n *node, first, second string) *node {
	if c := n.child(first); c != nil {
		return c
	}
	return n.child(second)
}

// chartValues are the rows of a table; the first one has the names of the series, the
// first cell of each other the category.
type chartValues [][]string

// add puts the values of a series into a column. It returns false if there are too
// many.
func (v *chartValues) add(column int, names, values []string) bool {
	for k := range max(len(names), len(values)) {
		if k >= maxPoints {
			return false
		}
		for len(*v) < k+2 {
			*v = append(*v, []string{""})
		}
		row := &(*v)[k+1]
		if (*row)[0] == "" && k < len(names) {
			(*row)[0] = names[k]
		}
		for len(*row) < column+1 {
			*row = append(*row, "")
		}
		if k < len(values) {
			(*row)[column] = values[k]
		}
	}
	return true
}

// pointsOf are the values that a chart stores of a range, as it shows them; at least one.
func pointsOf(n *node, from1904 bool) []string {
	out := []string{""}
	levels := n.find("lvl") // categories of several levels: the innermost comes first
	if len(levels) > 0 {
		n = levels[0]
	}
	isNumber := n.first("numCache") != nil || n.first("numLit") != nil
	format := n.first("formatCode").content()
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
		if isNumber {
			out[at] = shownNumber(out[at], cmp.Or(p.attr("formatCode"), format), from1904)
		}
	}
	if v := n.child("v"); v != nil {
		out[0] = v.content()
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
	return b.String()
}

// diagram appends the texts of a diagram as a list, each below the one that it
// belongs to. What no connection leads to comes last.
func (b *builder) diagram(a *archive, name string) {
	t, err := a.shared(name)
	if err != nil || t == nil {
		b.cut = b.cut || err != nil
		return
	}
	d := readDiagram(t)
	all := b.diagramList(d, d.root, 0)
	for _, id := range d.order {
		if d.seen[id] {
			continue
		}
		if s := b.clean(textOf(d.points[id].child("t"))); s != "" {
			all.Children = append(all.Children, page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: plain(s)}}})
		}
	}
	if len(all.Children) > 0 {
		b.add(all)
	}
}

// diagram is what a diagram consists of, by the identifiers of its points.
type diagram struct {
	points map[string]*node
	order  []string // of the points in the file
	root   string
	below  map[string][]connection
	seen   map[string]bool // written already
}

type connection struct {
	to string
	at int
}

func readDiagram(t *node) *diagram {
	d := &diagram{points: map[string]*node{}, below: map[string][]connection{}, seen: map[string]bool{}}
	for _, p := range t.first("ptLst").kids("pt") {
		switch p.attr("type") {
		case "doc":
			d.root = p.attr("modelId")
		case "", "node", "asst":
			d.points[p.attr("modelId")] = p
			d.order = append(d.order, p.attr("modelId"))
		}
	}
	for _, c := range t.first("cxnLst").kids("cxn") {
		if k := c.attr("type"); k == "" || k == "parOf" {
			at, _ := c.number("srcOrd")
			d.below[c.attr("srcId")] = append(d.below[c.attr("srcId")], connection{c.attr("destId"), at})
		}
	}
	for _, next := range d.below {
		sort.SliceStable(next, func(i, k int) bool { return next[i].at < next[k].at })
	}
	return d
}

// diagramList writes what is below a point, each point once.
func (b *builder) diagramList(d *diagram, id string, depth int) page.Block {
	l := page.Block{Kind: page.List}
	for _, c := range d.below[id] {
		if d.seen[c.to] || d.points[c.to] == nil || depth > 16 {
			continue
		}
		d.seen[c.to] = true
		item := page.Block{Kind: page.Item}
		if s := b.clean(textOf(d.points[c.to].child("t"))); s != "" {
			item.Children = append(item.Children, page.Block{Kind: page.Paragraph, Inlines: plain(s)})
		}
		if inner := b.diagramList(d, c.to, depth+1); len(inner.Children) > 0 {
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

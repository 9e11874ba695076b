package document

import (
	"path"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// word converts a docx file: ECMA-376, part 1, section 17. Styles are in
// wordstyle.go, numbering in wordlist.go, runs and fields in wordrun.go,
// formulas in formula.go, charts and diagrams in drawing.go.
type word struct {
	b      *builder
	a      *archive
	styles *wordStyles
	lists  *wordLists
	links  relations         // of the current part
	notes  map[string]string // labels of the notes that the text refers to, by kind and id
	open   listStack
	boxes  []*node     // text boxes and drawings of the current paragraph
	fields []wordField // that are open
}

func readWord(b *builder, body []byte) error {
	a, main, doc, err := openOffice(b, body, "word/document.xml")
	if err != nil {
		return err
	}
	w := &word{b: b, a: a, links: a.relations(main), notes: map[string]string{}}
	own, dir := w.links, path.Dir(main)
	part := func(kind string) (string, *node) {
		name := own.byKind(kind, path.Join(dir, kind+".xml"))
		return name, a.tree(name)
	}
	_, styles := part("styles")
	_, numbering := part("numbering")
	w.styles, w.lists = readWordStyles(styles), readWordLists(numbering)
	w.blocks(doc.first("body"))
	w.close()
	for _, kind := range []string{"footnote", "endnote"} {
		if name, t := part(kind + "s"); t != nil {
			w.links = a.relations(name)
			w.footnotes(t, kind)
		}
	}
	return nil
}

func (w *word) blocks(n *node) {
	for _, c := range n.childrenOf() {
		switch c.name {
		case "p":
			w.paragraph(c)
		case "tbl":
			w.close()
			w.table(c)
		case "sdt":
			w.blocks(c.child("sdtContent"))
		case "ins", "moveTo", "smartTag", "customXml":
			w.blocks(c)
		case "AlternateContent":
			w.blocks(alternative(c))
		case "oMathPara", "oMath":
			w.close()
			w.b.formula(c)
		}
	}
}

func (w *word) paragraph(p *node) {
	outer := w.boxes
	w.boxes = nil
	props := p.child("pPr")
	look := w.styles.paragraph(props)
	in := joined(w.inlines(p, look))
	boxes := w.boxes
	w.boxes = outer
	w.dropInstructions()
	number, numbered := w.lists.next(w.styles.numbering(props), props)
	switch {
	case look.level == 0 && w.styles.isCode(p, look) && (!isEmpty(in) || look.code):
		w.close()
		w.b.code(w.codeLine(p, look))
	case isEmpty(in):
		w.b.blank()
	case look.level > 0 && page.InlineText(in) != "":
		w.close()
		w.b.add(page.Block{Kind: page.Heading, Level: min(look.level, deepestHeading), Inlines: labelled(number.label, in)})
	case numbered:
		w.open.item(number, in, w.b)
	default:
		w.close()
		w.b.text(in, look.quote)
	}
	for _, box := range boxes {
		w.close()
		w.box(box)
	}
}

// text appends a paragraph, a formula that is alone in it, or a quotation.
func (b *builder) text(in []page.Inline, quote bool) {
	f := onlyFormula(in)
	switch {
	case f != "":
		b.add(page.Block{Kind: page.Math, Text: f})
	case quote:
		b.quote(in)
	default:
		b.add(page.Block{Kind: page.Paragraph, Inlines: in})
	}
}

// box writes what a paragraph anchors: a text box, a chart or a diagram.
func (w *word) box(n *node) {
	switch n.name {
	case "txbxContent":
		w.blocks(n)
		w.close()
	case "chart":
		w.b.chart(w.a, w.links.byID(n.attr("id")))
	case "relIds":
		w.b.diagram(w.a, w.links.byID(n.attr("dm")))
	}
}

// anchored returns the text boxes, charts and diagrams of a drawing.
func (w *word) anchored(n *node) (out []*node) {
	if isTrue(n.child("docPr").attr("hidden")) || isTrue(n.attr("hidden")) || strings.Contains(strings.ReplaceAll(n.attr("style"), " ", ""), "visibility:hidden") {
		w.hide(n)
		return nil
	}
	for _, c := range n.children {
		switch {
		case c.name == "txbxContent", c.name == "relIds", c.name == "chart" && c.attr("id") != "":
			out = append(out, c)
		case c.name == "AlternateContent":
			out = append(out, w.anchored(alternative(c))...)
		default:
			out = append(out, w.anchored(c)...)
		}
	}
	return out
}

// hide counts an element that is hidden if it has text.
func (w *word) hide(n *node) {
	if holds(n) {
		w.b.Omit(page.HiddenDisplay, 1)
	}
}

// labelled puts the number of a paragraph before its text.
func labelled(label string, in []page.Inline) []page.Inline {
	if label == "" {
		return in
	}
	return append([]page.Inline{{Kind: page.Text, Text: label + " "}}, in...)
}

// close ends the open list.
func (w *word) close() {
	w.lists.open = nil
	if l, ok := w.open.take(); ok {
		w.b.add(l)
	}
}

// nested returns the blocks of a cell or a note.
func (w *word) nested(n *node) []page.Block {
	open, levels := w.open, w.lists.open
	w.open, w.lists.open = listStack{}, nil
	out := w.b.collect(func() {
		w.blocks(n)
		w.close()
	})
	w.open, w.lists.open = open, levels
	return out
}

func (w *word) table(t *node) {
	var rows [][]page.Cell
	for _, tr := range rowsOf(t, "tr") {
		props := tr.child("trPr")
		if props.child("del") != nil {
			continue
		}
		if on(props.child("hidden")) {
			w.hide(tr)
			continue
		}
		var row []page.Cell
		for _, tc := range rowsOf(tr, "tc") {
			props := tc.child("tcPr")
			cell := page.Cell{ColSpan: 1}
			if n, ok := props.child("gridSpan").number("val"); ok {
				cell.ColSpan = min(max(n, 1), maxColumns)
			}
			if m := props.child("vMerge"); m == nil || m.attr("val") == "restart" {
				if w.b.cells--; w.b.cells < 0 {
					w.b.cut = true
				} else {
					cell.Blocks = w.nested(tc)
				}
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	if len(rows) == 1 && len(rows[0]) == 1 { // a frame around text
		w.b.add(rows[0][0].Blocks...)
		return
	}
	w.b.grid(rows)
}

// rowsOf are the rows of a table or the cells of a row, with those in content
// controls.
func rowsOf(n *node, name string) []*node {
	var out []*node
	for _, c := range n.children {
		switch c.name {
		case name:
			out = append(out, c)
		case "sdt", "sdtContent", "ins", "customXml", "smartTag", "moveTo":
			out = append(out, rowsOf(c, name)...)
		}
	}
	return out
}

// label numbers the notes in the order in which the text refers to them.
// Footnotes and endnotes have ids of their own.
func (w *word) label(kind, id string) string {
	key := kind + " " + id
	if w.notes[key] == "" {
		w.notes[key] = strconv.Itoa(len(w.notes) + 1)
	}
	return w.notes[key]
}

func (w *word) footnotes(t *node, kind string) {
	for _, f := range t.find(kind) {
		label := w.notes[kind+" "+f.attr("id")]
		if label == "" {
			continue
		}
		if c := w.nested(f); len(c) > 0 {
			w.b.add(page.Block{Kind: page.Footnote, ID: label, Children: c})
		}
	}
}

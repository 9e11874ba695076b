package document

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// openFile converts odt, ods and odp files: OpenDocument 1.3, part 3. Styles
// are in openstyle.go, lists in openlist.go, tables in opentable.go.
type openFile struct {
	b       *builder
	a       *archive
	styles  *openStyles
	lists   openLists
	boxes   []*node      // frames and shapes of the current paragraph
	notes   []page.Block // in the order of the text
	objects int          // embedded objects so far
}

var errEncrypted = errors.New("it is encrypted with a password")

func readOpenDocument(b *builder, body []byte) error {
	a, _, err := openArchive(b, body)
	if err != nil {
		return err
	}
	if m, _, err := a.unpack("META-INF/manifest.xml"); err == nil && bytes.Contains(m, []byte("encryption-data")) {
		return &Error{Code: Malformed, Cause: errEncrypted}
	}
	t := a.tree("content.xml")
	if t == nil {
		return &Error{Code: Malformed, Cause: errNoPart}
	}
	if m := a.tree("meta.xml"); m != nil {
		b.metadata(m, "creation-date", "date")
	}
	o := &openFile{b: b, a: a, styles: readOpenStyles(a.tree("styles.xml"), t), lists: openLists{counts: map[string]*openCounts{}}}
	o.blocks(t.first("body"), 0)
	o.close()
	b.add(o.notes...)
	return nil
}

// close ends the open list.
func (o *openFile) close() {
	if l, ok := o.lists.open.take(); ok {
		o.b.add(l)
	}
}

// blocks converts the body of a file, or a part of it.
func (o *openFile) blocks(n *node, depth int) {
	for _, c := range n.childrenOf() {
		switch c.name {
		case "":
		case "h", "p":
			o.paragraph(c)
		case "list":
			o.list(c)
		case "table":
			o.close()
			o.table(c, depth)
		case "page": // of a presentation
			o.close()
			o.page(c, depth)
		case "section":
			if c.attr("display") == "none" || c.attr("is-hidden") == "true" {
				o.hide(c)
				continue
			}
			o.blocks(c, depth+1)
		case "object":
			o.close()
			o.object(c)
		case "frame":
			o.close()
			o.frame(c, depth)
		case "tracked-changes", "sequence-decls", "variable-decls", "user-field-decls", "forms", "annotation", "title", "desc", "notes":
		default:
			if !strings.HasSuffix(c.name, "-source") {
				o.blocks(c, depth+1)
			}
		}
	}
}

// isShape reports whether an element is a shape of a drawing.
func isShape(n *node) bool { return n.space == "draw" || n.space == "dr3d" }

// hide counts a hidden element if it has text.
func (o *openFile) hide(n *node) {
	if strings.TrimSpace(n.content()) != "" {
		o.b.Omit(page.HiddenDisplay, 1)
	}
}

func (o *openFile) paragraph(p *node) {
	label := ""
	if level, _ := p.number("outline-level"); p.name == "h" && p.attr("is-list-header") != "true" && strings.TrimSpace(p.content()) != "" {
		label = o.outline(max(level, 1))
	}
	o.heading(p, label)
}

// heading writes a heading with its number, or a paragraph.
func (o *openFile) heading(p *node, label string) {
	o.close()
	look := o.styles.look("paragraph", p.attr("style-name"), openLook{})
	if h := p.first("hidden-paragraph"); h != nil && h.attr("is-hidden") == "true" {
		o.hide(p)
		return
	}
	in, boxes := o.inlines(p, look)
	level, _ := p.number("outline-level")
	switch text := page.InlineText(in); {
	case p.name == "h" && text != "":
		o.b.add(page.Block{Kind: page.Heading, Level: min(max(level, 1), deepestHeading), Inlines: labelled(label, in)})
	case look.title && text != "":
		o.b.add(page.Block{Kind: page.Heading, Level: 1, Inlines: in})
	case look.code, text != "" && onlyFormula(in) == "" && o.isMono(p, look):
		o.b.code(o.codeLine(p, look))
	case !isEmpty(in):
		o.b.text(in, look.quote)
	default:
		o.b.blank()
	}
	o.anchored(boxes)
}

// isMono reports whether all text of a paragraph has a monospaced font and
// the usual text has not.
func (o *openFile) isMono(n *node, look openLook) bool {
	if o.styles.look("paragraph", "", openLook{}).mono || o.styles.look("paragraph", "Standard", openLook{}).mono {
		return false
	}
	for _, c := range n.children {
		inner := look
		if c.name == "span" {
			inner = o.styles.look("text", c.attr("style-name"), look)
		}
		if c.name == "" && strings.TrimSpace(c.text) != "" && !look.mono || c.name != "" && !o.isMono(c, inner) {
			return false
		}
	}
	return true
}

// codeLine is the text of a paragraph of code with all of its white space.
func (o *openFile) codeLine(n *node, look openLook) string {
	var b strings.Builder
	for _, c := range n.children {
		switch c.name {
		case "":
			b.WriteString(c.text)
		case "s":
			b.WriteString(strings.Repeat(" ", min(repeated(c, "c"), maxSpaces)))
		case "tab":
			b.WriteByte('\t')
		case "line-break":
			b.WriteByte('\n')
		case "span", "a":
			if inner := o.styles.look("text", c.attr("style-name"), look); !inner.none {
				b.WriteString(o.codeLine(c, inner))
			}
		}
	}
	return b.String()
}

// inlines converts a paragraph; boxes is what it anchors.
func (o *openFile) inlines(p *node, look openLook) (in []page.Inline, boxes []*node) {
	outer := o.boxes
	o.boxes = nil
	in = joined(o.spans(p, look))
	boxes, o.boxes = o.boxes, outer
	return in, boxes
}

// anchored writes what a paragraph anchors, after it.
func (o *openFile) anchored(boxes []*node) {
	for _, c := range boxes {
		o.close()
		if c.name == "frame" {
			o.frame(c, 0)
		} else {
			o.blocks(c, 0)
		}
		o.close()
	}
}

// picture represents the picture in a frame by its alternative text; nil for
// other frames. It is empty where the picture has none.
func (o *openFile) picture(frame *node) []page.Inline {
	for _, c := range frame.children {
		switch c.name {
		case "object", "text-box", "table":
			return nil
		case "image":
			return append([]page.Inline{}, o.b.picture(either(frame, "desc", "title").content())...)
		}
	}
	return nil
}

// frame writes the first content of a frame: the others are the same in other
// formats.
func (o *openFile) frame(n *node, depth int) {
	if in := o.picture(n); len(in) > 0 {
		o.b.add(page.Block{Kind: page.Paragraph, Inlines: in})
	}
	for _, c := range n.children {
		switch c.name {
		case "object":
			o.object(c)
			return
		case "text-box", "table":
			o.blocks(&node{children: []*node{c}}, depth+1)
			return
		}
	}
}

// spans converts the inlines of a paragraph.
func (o *openFile) spans(n *node, look openLook) []page.Inline {
	var out []page.Inline
	for _, c := range n.children {
		out = append(out, o.span(c, look)...)
	}
	return out
}

// span converts one node of a paragraph.
func (o *openFile) span(c *node, look openLook) []page.Inline {
	switch c.name {
	case "":
		s := o.b.fold(c.text)
		if look.none && strings.TrimSpace(s) != "" {
			o.b.Omit(page.HiddenDisplay, 1)
			return nil
		}
		if s == "" {
			return nil
		}
		return plain(s)
	case "s", "tab":
		return plain(" ")
	case "line-break":
		return []page.Inline{{Kind: page.Break}}
	case "span":
		return o.styled(c, look)
	case "a":
		return o.b.linked(c.attr("href"), joined(o.spans(c, look)))
	case "note":
		return []page.Inline{{Kind: page.FootnoteRef, Text: o.note(c)}}
	case "hidden-text":
		if c.attr("is-hidden") == "true" {
			o.hide(c)
			return nil
		}
	case "frame":
		if f := o.formula(c.child("object")); f != "" {
			return []page.Inline{{Kind: page.MathInline, Text: f}}
		}
		if in := o.picture(c); in != nil {
			return in
		}
		o.boxes = append(o.boxes, c)
		return nil
	case "annotation", "ruby-text", "script", "title", "desc", "hidden-paragraph", "number": // which is counted
		return nil
	default:
		if isShape(c) {
			o.boxes = append(o.boxes, c)
			return nil
		}
	}
	return o.spans(c, look)
}

// styled converts a span with a style of its own.
func (o *openFile) styled(c *node, look openLook) []page.Inline {
	outer := look
	look = o.styles.look("text", c.attr("style-name"), look)
	in := joined(o.spans(c, look))
	if page.InlineText(in) == "" {
		return in
	}
	in = asCode(in, look.mono && !outer.mono)
	return marked(in, look.bold, look.italic, look.struck, look.above, look.below)
}

// note converts a footnote or an endnote and returns its label.
func (o *openFile) note(n *node) string {
	label := strconv.Itoa(len(o.notes) + 1)
	o.notes = append(o.notes, page.Block{Kind: page.Footnote, ID: label})
	at := len(o.notes) - 1
	o.notes[at].Children = o.nested(n.child("note-body"))
	return label
}

// nested returns the blocks of a cell or a note.
func (o *openFile) nested(n *node) []page.Block {
	outer := o.lists.open
	o.lists.open = listStack{}
	out := o.b.collect(func() {
		o.blocks(n, 1)
		o.close()
	})
	o.lists.open = outer
	return out
}

// page writes a slide, unless it is hidden, under its title or its name.
func (o *openFile) page(n *node, depth int) {
	if o.styles.property("drawing-page", n.attr("style-name"), "visibility") == "hidden" {
		o.b.Omit(page.HiddenDisplay, 1)
		return
	}
	title, rest := "", &node{}
	for _, c := range n.children {
		if title == "" && c.name == "frame" && c.attr("class") == "title" {
			for _, b := range o.nested(&node{children: []*node{c}}) {
				title += " " + page.InlineText(b.Inlines)
			}
			continue
		}
		rest.children = append(rest.children, c)
	}
	o.b.heading(2, cmp.Or(strings.TrimSpace(title), n.attr("name")))
	o.blocks(rest, depth+1)
	o.close()
	for _, notes := range n.kids("notes") {
		if c := o.nested(notes); len(c) > 0 {
			o.b.add(page.Block{Kind: page.Quote, Children: c})
		}
	}
}

// formula is the TeX of an object that is a formula; "" for others.
func (o *openFile) formula(object *node) string {
	math := o.embedded(object).first("math")
	if math == nil || o.b.o.Read == nil {
		return ""
	}
	var b bytes.Buffer
	writeHTML(&b, math)
	p, err := o.b.o.Read(b.Bytes(), "text/html")
	if err != nil || p == nil {
		return ""
	}
	for _, block := range p.Blocks {
		if block.Kind == page.Math {
			return block.Text
		}
		for _, i := range block.Inlines {
			if i.Kind == page.MathInline {
				return i.Text
			}
		}
	}
	return ""
}

// embedded is the content of an object, which may be a part of its own.
func (o *openFile) embedded(object *node) *node {
	href := object.attr("href")
	if href == "" || strings.Contains(href, ":") {
		return object
	}
	if o.objects++; o.objects > maxObjects {
		o.b.cut = true
		return nil
	}
	return o.a.tree(path.Join(href, "content.xml"))
}

// object writes a formula or the values of a chart.
func (o *openFile) object(n *node) {
	if f := o.formula(n); f != "" {
		o.b.add(page.Block{Kind: page.Math, Text: f})
		return
	}
	chart := o.embedded(n).first("chart")
	if inner := chart.child("chart"); inner != nil { // the body of the file has the same name
		chart = inner
	}
	if chart == nil {
		return
	}
	o.b.paragraph(chart.child("title").content())
	if t := chart.child("table"); t != nil {
		o.table(t, 2)
	}
}

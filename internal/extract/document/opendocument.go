package document

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// openFile reads odt, ods and odp files: OpenDocument 1.3, part 3. Styles are in
// openstyle.go, lists in openlist.go, tables in opentable.go.
type openFile struct {
	b       *builder
	a       *archive
	styles  *openStyles
	lists   openLists
	boxes   []*node      // frames and shapes of the paragraph that is being read
	notes   []page.Block // in the order of the text
	objects int          // embedded objects that were read
	ground  string       // the colour behind the text; "" for that of the page, unknownColour in shapes without a colour
	paper   string       // the colour of the slide; "" for white
}

var errEncrypted = errors.New("it is encrypted with a password")

const maxObjectsOfFile = 1000

func readOpenDocument(b *builder, body []byte) error {
	a, _, err := openArchive(b, body)
	if err != nil {
		return err
	}
	if m, err := a.part("META-INF/manifest.xml"); err == nil && bytes.Contains(m, []byte("encryption-data")) {
		return &Error{Code: Malformed, Cause: errEncrypted}
	}
	t, err := a.tree("content.xml")
	if err != nil {
		return err
	}
	if t == nil {
		return &Error{Code: Malformed, Cause: errNoPart}
	}
	if m, err := a.tree("meta.xml"); err == nil && m != nil {
		b.Meta.Title = text.Line(m.first("title").content())
		b.Meta.Byline = text.Line(m.first("creator").content())
		b.Meta.Published = isoDate(m.first("creation-date").content())
		b.Meta.Modified = isoDate(m.first("date").content())
		b.Meta.Language = text.Line(m.first("language").content())
	}
	shared, err := a.tree("styles.xml")
	if err != nil {
		return err
	}
	o := &openFile{b: b, a: a, styles: readOpenStyles(shared, t)}
	o.lists = newOpenLists(o.styles)
	o.blocks(t.first("body"), 0)
	o.close()
	b.add(o.notes...)
	return nil
}

// close ends the list that is open.
func (o *openFile) close() {
	if l, ok := o.lists.open.take(); ok {
		o.b.add(l)
	}
}

// blocks walks the body of a file, or a part of it.
func (o *openFile) blocks(n *node, depth int) {
	if n == nil {
		return
	}
	for _, c := range n.children {
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
				o.hide(c, page.HiddenDisplay)
				continue
			}
			if c.attr("display") == "condition" { // the condition is not evaluated
				o.close()
				o.b.paragraph(unknownMark)
			}
			o.over(o.styles.ground("section", c.attr("style-name")), func() { o.blocks(c, depth+1) })
		case "object":
			o.close()
			o.object(c)
		case "frame":
			o.close()
			o.frame(c, depth)
		case "tracked-changes", "sequence-decls", "variable-decls", "user-field-decls", "forms", "annotation", "title", "desc", "notes", "tab-protected":
		default:
			switch {
			case isShape(c):
				o.over(o.styles.fill(c), func() { o.blocks(c, depth+1) })
			case !strings.HasSuffix(c.name, "-source"):
				o.blocks(c, depth+1)
			}
		}
	}
}

// isShape reports whether an element is a shape of a drawing.
func isShape(n *node) bool { return n.space == "draw" || n.space == "dr3d" }

// over calls write for what stands on a colour; "" stands for the one around it.
func (o *openFile) over(ground string, write func()) {
	outer := o.ground
	if ground != "" {
		o.ground = ground
	}
	write()
	o.ground = outer
}

// hide counts an element that holds text and is not shown.
func (o *openFile) hide(n *node, kind page.OmissionKind) {
	if strings.TrimSpace(n.content()) != "" {
		o.b.Omit(kind, 1)
	}
}

func (o *openFile) paragraph(p *node) {
	o.numbered(p, func(level int) string {
		if p.attr("is-list-header") == "true" {
			return ""
		}
		return o.lists.outline(level)
	})
}

// numbered writes a paragraph or a heading; label counts a heading and returns its
// number, "" for none.
func (o *openFile) numbered(p *node, label func(level int) string) {
	look := o.styles.look("paragraph", p.attr("style-name"), openLook{ground: o.ground})
	if h := p.first("hidden-paragraph"); h != nil && h.attr("is-hidden") == "true" {
		o.hide(p, page.HiddenDisplay)
		return
	}
	in, boxes := o.inlines(p, look)
	switch {
	case isEmpty(in):
	case p.name == "h" && page.InlineText(in) != "":
		o.close()
		level, _ := p.number("outline-level")
		level = max(level, 1)
		o.b.add(page.Block{Kind: page.Heading, Level: min(level, 6), Inlines: labelled(label(level), in)})
	case look.title && page.InlineText(in) != "":
		o.close()
		o.b.add(page.Block{Kind: page.Heading, Level: 1, Inlines: in})
	default:
		o.close()
		if f := onlyFormula(in); f != "" {
			o.b.add(page.Block{Kind: page.Math, Text: f})
			break
		}
		if look.quote {
			o.b.quote(in)
			break
		}
		o.b.add(page.Block{Kind: page.Paragraph, Inlines: in})
	}
	o.anchored(boxes)
}

// inlines reads a paragraph; boxes is what it anchors.
func (o *openFile) inlines(p *node, look openLook) (in []page.Inline, boxes []*node) {
	outer := o.boxes
	o.boxes = nil
	in = joined(o.spans(p, look))
	boxes, o.boxes = o.boxes, outer
	return in, boxes
}

// anchored writes what a paragraph anchors, after it.
func (o *openFile) anchored(boxes []*node) {
	if len(boxes) > 0 {
		o.close()
	}
	for _, c := range boxes {
		if c.name == "frame" {
			o.frame(c, 0)
		} else {
			o.over(o.styles.fill(c), func() { o.blocks(c, 0) })
		}
		o.close()
	}
}

// picture stands for the picture that a frame holds, by its alternative text; nil for
// other frames. It is empty where the picture has none.
func (o *openFile) picture(frame *node) []page.Inline {
	for _, c := range frame.children {
		switch c.name {
		case "object", "text-box", "table":
			return nil
		case "image":
			alt := frame.child("desc")
			if alt == nil {
				alt = frame.child("title")
			}
			return append([]page.Inline{}, o.b.picture(alt.content())...)
		}
	}
	return nil
}

// frame writes the first thing in a frame that can be read: the others are the
// same in other formats.
func (o *openFile) frame(n *node, depth int) {
	if n.attr("anchor-type") == "page" && o.styles.beside(n) {
		o.hide(n, page.HiddenOffScreen)
		return
	}
	for _, side := range [...]string{"width", "height"} {
		if v := n.attr(side); v != "" && !strings.HasSuffix(v, "%") && points(v) <= 0 && strings.HasPrefix(v, "0") {
			o.hide(n, page.HiddenSize)
			return
		}
	}
	if in := o.picture(n); len(in) > 0 {
		o.b.add(page.Block{Kind: page.Paragraph, Inlines: in})
	}
	for _, c := range n.children {
		switch c.name {
		case "object":
			o.object(c)
			return
		case "text-box", "table":
			o.over(o.styles.fill(n), func() { o.blocks(&node{children: []*node{c}}, depth+1) })
			return
		}
	}
}

// spans reads the inlines of a paragraph.
func (o *openFile) spans(n *node, look openLook) []page.Inline {
	var out []page.Inline
	for _, c := range n.children {
		out = append(out, o.span(c, look)...)
	}
	return out
}

// span reads one node of a paragraph.
func (o *openFile) span(c *node, look openLook) []page.Inline {
	switch c.name {
	case "":
		return o.letters(c.text, look)
	case "s", "tab":
		return []page.Inline{{Kind: page.Text, Text: " "}}
	case "line-break":
		return []page.Inline{{Kind: page.Break}}
	case "span":
		return o.styled(c, look)
	case "a":
		in := joined(o.spans(c, look))
		if u, err := weburl.Parse(c.attr("href")); err == nil && page.InlineText(in) != "" {
			o.b.link(u, page.InlineText(in))
			in = []page.Inline{{Kind: page.LinkInline, URL: u.String(), Children: in}}
		}
		return in
	case "note":
		if label := o.note(c); label != "" {
			return []page.Inline{{Kind: page.FootnoteRef, Text: label}}
		}
		return nil
	case "hidden-text":
		if c.attr("is-hidden") == "true" {
			o.hide(c, page.HiddenDisplay)
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

// letters is a text in a look, which may hide it.
func (o *openFile) letters(text string, look openLook) []page.Inline {
	s := o.b.fold(text)
	if kind := look.hidden(); kind != "" && strings.TrimSpace(s) != "" {
		o.b.Omit(kind, 1)
		return nil
	}
	if s == "" {
		return nil
	}
	if look.ground == unknownColour && !look.auto && sameColour(look.colour, cmp.Or(o.paper, "FFFFFF")) && strings.TrimSpace(s) != "" {
		s = unknownMark + s // something may stand behind it
	}
	return []page.Inline{{Kind: page.Text, Text: s}}
}

// styled reads a span with a style of its own.
func (o *openFile) styled(c *node, look openLook) []page.Inline {
	look = o.styles.look("text", c.attr("style-name"), look)
	in := joined(o.spans(c, look))
	if page.InlineText(in) == "" {
		return in
	}
	for _, m := range []struct {
		set  bool
		kind page.InlineKind
	}{{look.bold, page.Strong}, {look.italic, page.Emphasis}, {look.struck, page.Strike}, {look.above, page.Sup}, {look.below, page.Sub}} {
		if m.set {
			in = []page.Inline{{Kind: m.kind, Children: in}}
		}
	}
	return in
}

// note reads a footnote or an endnote and returns its label.
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

// page writes a slide, unless it is hidden, under its title. The name of a slide without one,
// which only the program shows, stands for it.
func (o *openFile) page(n *node, depth int) {
	if o.styles.hiddenPage(n.attr("style-name")) {
		o.b.Omit(page.HiddenDisplay, 1)
		return
	}
	defer func(outer string) { o.paper = outer }(o.paper)
	o.paper = o.styles.paper(n)
	title, seen := "", &node{}
	for _, c := range n.children {
		switch {
		case c.name != "" && o.styles.beside(c):
			o.hide(c, page.HiddenOffScreen)
			continue
		case title == "" && c.name == "frame" && c.attr("class") == "title":
			for _, b := range o.nested(&node{children: []*node{c}}) {
				title += " " + page.InlineText(b.Inlines)
			}
			continue
		}
		seen.children = append(seen.children, c)
	}
	o.b.heading(2, cmp.Or(strings.TrimSpace(title), n.attr("name")))
	o.blocks(seen, depth+1)
	o.close()
	o.paper = ""
	for _, notes := range n.kids("notes") {
		if c := o.nested(notes); len(c) > 0 {
			o.b.add(page.Block{Kind: page.Quote, Children: c})
		}
	}
}

// formula is the TeX of an object that is a formula; "" for others.
func (o *openFile) formula(object *node) string {
	t := o.embedded(object)
	math := t.first("math")
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

// embedded is the content of an object, which may stand in a part of its own.
func (o *openFile) embedded(object *node) *node {
	if object == nil {
		return nil
	}
	if href := object.attr("href"); href != "" && !strings.Contains(href, ":") {
		if o.objects++; o.objects > maxObjectsOfFile {
			o.b.cut = true
			return nil
		}
		t, err := o.a.tree(path.Join(href, "content.xml"))
		if err != nil {
			o.b.cut = true
			return nil
		}
		return t
	}
	return object
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
	if t := chart.child("title"); t != nil {
		o.b.paragraph(t.content())
	}
	if t := chart.child("table"); t != nil {
		o.table(t, 2)
	}
}

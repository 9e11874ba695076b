package document

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// word reads a docx file: ECMA-376, part 1, section 17. Styles are in
// wordstyle.go, numbering in wordlist.go, fields in wordfield.go, formulas in
// formula.go, charts and diagrams in drawing.go.
type word struct {
	b      *builder
	a      *archive
	styles *wordStyles
	lists  *wordLists
	links  relations         // of the part that is being read
	notes  map[string]string // labels of the notes that the text refers to, by kind and id
	carry  carried           // what the next paragraph begins with
	open   listStack
	boxes  []*node        // text boxes and drawings of the paragraph that is being read
	fields []wordField    // that are open
	broken map[*node]bool // marks of fields that never end
	behind bool           // a picture stands behind the text
	shade  string         // what the cell that is being read is filled with
	boxed  bool           // a text box without a fill is being read: something may be behind it
	fills  map[*node]string
}

// carried is what belongs to the next paragraph: a large first letter, or a
// paragraph whose end is deleted.
type carried struct {
	in    []page.Inline
	boxes []*node
}

func readWord(b *builder, body []byte) error {
	a, _, err := openArchive(b, body)
	if err != nil {
		return err
	}
	main, doc, err := a.mainPart("word/document.xml")
	if err != nil {
		return err
	}
	b.core(a)
	w := &word{b: b, a: a, links: a.relations(main), notes: map[string]string{}}
	dir := main[:strings.LastIndexByte(main, '/')+1]
	part := func(kind, usual string) *node {
		t, err := a.tree(w.links.byKind(kind, dir+usual))
		b.cut = b.cut || err != nil
		return t
	}
	w.styles = readWordStyles(part("styles", "styles.xml"), doc.first("background").attr("color"))
	w.styles.theme = themeOf(part("theme", "theme/theme1.xml"))
	w.lists = readWordLists(part("numbering", "numbering.xml"))
	w.behind = hasBehind(doc)
	w.broken = brokenFields(doc)
	w.blocks(doc.first("body"))
	w.close()
	for _, name := range []string{"footnote", "endnote"} {
		t := part(name+"s", name+"s.xml")
		if t == nil {
			continue
		}
		outer := w.links
		w.broken = brokenFields(t)
		w.links = a.relations(w.links.byKind(name+"s", dir+name+"s.xml"))
		w.footnotes(t, name)
		w.links = outer
	}
	return nil
}

// hasBehind reports whether a drawing or a shape stands behind the text.
func hasBehind(n *node) bool {
	for _, c := range n.children {
		if c.name == "anchor" && c.attr("behindDoc") == "1" || strings.Contains(c.attr("style"), "z-index:-") || hasBehind(c) {
			return true
		}
	}
	return false
}

// core reads the properties that all Office Open XML files have.
func (b *builder) core(a *archive) {
	t, err := a.tree(a.relations("").byKind("core-properties", "docProps/core.xml"))
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
		case "ins", "moveTo", "smartTag", "customXml", "Choice":
			w.blocks(c)
		case "AlternateContent":
			w.blocks(alternative(c))
		case "oMathPara", "oMath":
			w.close()
			w.b.formula(c)
		case "altChunk":
			w.close()
			w.chunk(w.links.byID(c.attr("id")))
		}
	}
}

// chunk writes a part in another format (section 17.17.2.1).
func (w *word) chunk(name string) {
	body, err := w.a.part(name)
	if err != nil || body == nil {
		w.b.cut = w.b.cut || err != nil
		return
	}
	switch low := strings.ToLower(name); {
	case strings.HasSuffix(low, ".html"), strings.HasSuffix(low, ".htm"), strings.HasSuffix(low, ".xhtml"):
		w.b.part(body, "text/html")
	case strings.HasSuffix(low, ".txt"):
		w.b.lines(decodeCharset(body, ""))
	case strings.HasSuffix(low, ".mht"), strings.HasSuffix(low, ".mhtml"):
		r := &mailReader{b: w.b, parts: maxMailParts, left: maxMailText}
		r.part(r.parse(body, "text/plain", 0), 1)
	default:
		w.b.cut = true
	}
}

func (w *word) paragraph(p *node) {
	outer := w.boxes
	w.boxes = nil
	props := p.child("pPr")
	look := w.styles.paragraph(props)
	in := append(w.carry.in, w.inlines(p, look)...)
	boxes := append(w.carry.boxes, w.boxes...)
	w.boxes, w.carry = outer, carried{}
	if goesOn(props) {
		w.carry = carried{in, boxes}
		return
	}
	in = joined(in)
	number, numbered := w.lists.next(w.styles.numbering(props))
	switch {
	case isEmpty(in):
		if len(boxes) > 0 {
			w.close()
		}
	case look.level > 0 && page.InlineText(in) != "":
		w.close()
		w.b.add(page.Block{Kind: page.Heading, Level: min(look.level, 6), Inlines: labelled(number.label, in)})
	case numbered:
		if len(boxes) > 0 {
			defer w.close()
		}
		w.open.item(number, in, w.b)
	default:
		w.close()
		if f := onlyFormula(in); f != "" {
			w.b.add(page.Block{Kind: page.Math, Text: f})
			break
		}
		if look.quote {
			w.b.quote(in)
			break
		}
		w.b.add(page.Block{Kind: page.Paragraph, Inlines: in})
	}
	for _, box := range boxes {
		w.close()
		w.box(box)
	}
}

// goesOn reports whether a paragraph continues in the next one.
func goesOn(props *node) bool {
	v := props.child("framePr").attr("dropCap")
	mark := props.child("rPr")
	return v == "drop" || v == "margin" || mark.child("del") != nil || mark.child("moveFrom") != nil
}

// box writes what a paragraph anchors: a text box, a chart or a diagram.
func (w *word) box(n *node) {
	switch n.name {
	case "txbxContent":
		outer := *w
		w.shade = w.fills[n]
		if w.boxed = w.shade == ""; !w.boxed {
			w.behind = false
		}
		w.blocks(n)
		w.close()
		w.boxed, w.behind, w.shade = outer.boxed, outer.behind, outer.shade
	case "chart":
		w.b.chart(w.a, w.links.byID(n.attr("id")))
	case "relIds":
		w.b.diagram(w.a, w.links.byID(n.attr("dm")))
	}
}

// labelled puts the number of a paragraph before its text.
func labelled(label string, in []page.Inline) []page.Inline {
	if label == "" {
		return in
	}
	return append([]page.Inline{{Kind: page.Text, Text: label + " "}}, in...)
}

// close ends the list that is open, and a paragraph that nothing continues.
func (w *word) close() {
	if l, ok := w.open.take(); ok {
		w.b.add(l)
	}
	c := w.carry
	w.carry = carried{}
	if !isEmpty(c.in) {
		w.b.add(page.Block{Kind: page.Paragraph, Inlines: joined(c.in)})
	}
	for _, box := range c.boxes {
		w.box(box)
	}
}

// nested returns the blocks of a cell or a note.
func (w *word) nested(n *node) []page.Block {
	open, carry := w.open, w.carry
	w.open, w.carry = listStack{}, carried{}
	out := w.b.collect(func() {
		w.blocks(n)
		w.close()
	})
	w.open, w.carry = open, carry
	return out
}

// inlines reads the runs of a paragraph. Deleted text, and moved text at its
// old place, are left out.
func (w *word) inlines(n *node, look wordLook) []page.Inline {
	var out []page.Inline
	depth := len(w.fields)
	for _, c := range n.children {
		switch c.name {
		case "r":
			if f := c.child("fldChar"); f != nil && !w.broken[f] {
				out = w.field(f, out, depth)
			}
			out = append(out, w.run(c, look)...)
		case "hyperlink":
			in := joined(w.inlines(c, look))
			address := w.links.byID(c.attr("id"))
			if anchor := c.attr("anchor"); address != "" && anchor != "" && !strings.Contains(address, "#") {
				address += "#" + anchor
			}
			out = append(out, w.b.linked(address, in)...)
		case "fldSimple":
			in := w.inlines(c, look)
			if address := addressIn(c.attr("instr")); address != "" {
				in = w.b.linked(address, joined(in))
			}
			out = append(out, in...)
		case "ins", "moveTo", "smartTag", "sdt", "sdtContent", "customXml", "dir", "bdo", "rubyBase":
			out = append(out, w.inlines(c, look)...)
		case "oMath", "oMathPara":
			if s := texOf(c); s != "" {
				out = append(out, page.Inline{Kind: page.MathInline, Text: s})
			}
		case "AlternateContent":
			out = append(out, w.inlines(alternative(c), look)...)
		}
	}
	return out
}

// linked makes a link of inlines where the address is one.
func (b *builder) linked(address string, in []page.Inline) []page.Inline {
	u, err := weburl.Parse(address)
	if err != nil || page.InlineText(in) == "" {
		return in
	}
	b.link(u, page.InlineText(in))
	return []page.Inline{{Kind: page.LinkInline, URL: u.String(), Children: in}}
}

func (w *word) run(r *node, look wordLook) []page.Inline {
	props := r.child("rPr")
	look = w.styles.run(props, look)
	if kind := w.hidden(look); kind != "" {
		if strings.TrimSpace(w.runText(r)) != "" {
			w.b.Omit(kind, 1)
		}
		return nil
	}
	out := w.runContent(r)
	if page.InlineText(out) == "" {
		return out
	}
	if look.far || look.drawnIn(w.ground(look)) || look.web && len(page.InlineText(out)) >= webMark { // what is certain is left out above
		out = append([]page.Inline{{Kind: page.Text, Text: unknownMark}}, out...)
	}
	for _, m := range []struct {
		set  bool
		kind page.InlineKind
	}{{on(props.child("b")), page.Strong}, {on(props.child("i")), page.Emphasis}, {on(props.child("strike")) || on(props.child("dstrike")), page.Strike},
		{props.child("vertAlign").attr("val") == "superscript", page.Sup}, {props.child("vertAlign").attr("val") == "subscript", page.Sub}} {
		if m.set {
			out = []page.Inline{{Kind: m.kind, Children: out}}
		}
	}
	return out
}

// unknownMark stands before text whose visibility cannot be computed.
const unknownMark = "(visibility unknown) "

// hidden is how a run is hidden, or "".
func (w *word) hidden(look wordLook) page.OmissionKind {
	switch {
	case look.vanish:
		return page.HiddenDisplay
	case look.size > 0 && look.size <= tinyHalfPoints || look.scale > 0 && look.scale <= tinyScale, look.lieTogether():
		return page.HiddenSize
	case look.clear:
		return page.HiddenOpacity
	case look.low:
		return page.HiddenSize
	case look.beside:
		return page.HiddenOffScreen
	case !w.behind && !w.boxed && !look.edged && look.drawnIn(w.ground(look)):
		return page.HiddenColor
	}
	return ""
}

// ground is the colour behind a run; "" where it is not known.
func (w *word) ground(look wordLook) string {
	for _, c := range []string{look.mark, look.shade, w.shade, w.styles.page} {
		if c != "" && c != "auto" {
			return c
		}
	}
	return "FFFFFF"
}

// runText is the text of a run without its looks.
func (w *word) runText(r *node) string {
	var b strings.Builder
	for _, t := range r.kids("t") {
		t.write(&b)
	}
	return b.String()
}

// runContent reads what a run shows.
func (w *word) runContent(r *node) []page.Inline {
	var out []page.Inline
	var b strings.Builder
	flush := func() {
		if s := w.b.fold(b.String()); s != "" {
			out = append(out, page.Inline{Kind: page.Text, Text: s})
		}
		b.Reset()
	}
	for _, c := range r.children {
		switch c.name {
		case "instrText":
			if n := len(w.fields); n > 0 && len(w.fields[n-1].instruction) < 4096 {
				w.fields[n-1].instruction += c.content()
			}
		case "t":
			if !w.instructed() {
				b.WriteString(c.content())
			}
		case "tab", "ptab":
			b.WriteByte(' ')
		case "br", "cr":
			flush()
			out = append(out, page.Inline{Kind: page.Break})
		case "noBreakHyphen":
			b.WriteByte('-')
		case "sym":
			if v, err := strconv.ParseUint(c.attr("char"), 16, 32); err == nil {
				b.WriteString(symbolOf(c.attr("font"), rune(v)))
			}
		case "footnoteReference", "endnoteReference":
			flush()
			out = append(out, page.Inline{Kind: page.FootnoteRef, Text: w.label(strings.TrimSuffix(c.name, "Reference"), c.attr("id"))})
		case "ruby":
			flush()
			out = append(out, w.inlines(c, wordLook{})...)
		case "drawing", "pict", "object":
			flush()
			out = append(out, w.b.picture(pictureText(c))...)
			w.boxes = w.anchored(c, "", w.boxes)
		case "AlternateContent":
			flush()
			out = append(out, w.runContent(alternative(c))...)
		}
	}
	flush()
	return out
}

// pictureText is the alternative text of the picture in a drawing.
func pictureText(drawing *node) string {
	for _, c := range drawing.children {
		switch {
		case c.name == "inline" || c.name == "anchor":
			if props := c.child("docPr"); c.first("pic") != nil && !isTrue(props.attr("hidden")) {
				return props.attr("descr")
			}
		case c.child("imagedata") != nil:
			return c.attr("alt")
		}
	}
	return ""
}

// picture stands for a picture by its alternative text; none without one.
func (b *builder) picture(alt string) []page.Inline {
	if alt = b.clean(alt); alt == "" {
		return nil
	}
	return []page.Inline{{Kind: page.ImageInline, Text: alt}}
}

// isEmpty reports whether inlines have neither text nor pictures nor notes.
func isEmpty(in []page.Inline) bool {
	for _, i := range in {
		if i.Kind == page.ImageInline || i.Kind == page.FootnoteRef || !isEmpty(i.Children) {
			return false
		}
	}
	return page.InlineText(in) == ""
}

// alternative is the branch of an AlternateContent that is read: the first
// choice that holds text or something that is read, otherwise the fallback
// (ECMA-376, part 3, section 7.5). Each branch says the same.
func alternative(n *node) *node {
	for _, c := range n.kids("Choice") {
		if isUnderstood(c.attr("Requires")) && holds(c) {
			return c
		}
	}
	if f := n.child("Fallback"); f != nil {
		return f
	}
	return &node{}
}

// isUnderstood reports whether office programs know all these extensions, by the prefixes that
// they use: a choice that requires another one is not shown.
func isUnderstood(prefixes string) bool {
	for p := range strings.FieldsSeq(prefixes) {
		switch known := strings.TrimRight(p, "0123456789"); known {
		case "wps", "wpg", "wpc", "wpi", "wp", "w", "wne", "w16se", "w16cex", "w16cid", "w16sdtdh", "w16sdtfl", "w16du", "cx", "aink", "am3d", "a", "c", "p", "x", "x12ac", "xr", "xdr", "cdr",
			"v", "ma", "mv", "oel", "sle", "dsp", "pic", "thm", "iact", "p202", "psuz", "pslz", "asvg", "ahyp", "adec", "wetp", "we", "mx", "o", "m", "r", "dgm", "com":
		default:
			return strings.HasPrefix(known, "w16") || strings.HasPrefix(known, "cx")
		}
	}
	return true
}

func holds(n *node) bool {
	for _, c := range n.children {
		switch c.name {
		case "t":
			if strings.TrimSpace(c.content()) != "" {
				return true
			}
		case "chart", "relIds":
			return true
		}
		if holds(c) {
			return true
		}
	}
	return false
}

// joined puts neighbours of one kind together: programs cut words into runs.
func joined(in []page.Inline) []page.Inline {
	var out []page.Inline
	for len(in) > 0 {
		n := 1
		for n < len(in) && in[n].Kind == in[0].Kind {
			n++
		}
		same := in[:n]
		in = in[n:]
		switch kind := same[0].Kind; {
		case n == 1:
			out = append(out, same[0])
		case kind == page.Text:
			var b strings.Builder
			for _, i := range same {
				b.WriteString(i.Text)
			}
			out = append(out, page.Inline{Kind: kind, Text: b.String()})
		case kind == page.Strong, kind == page.Emphasis, kind == page.Strike, kind == page.Sub, kind == page.Sup:
			var children []page.Inline
			for _, i := range same {
				children = append(children, i.Children...)
			}
			out = append(out, page.Inline{Kind: kind, Children: joined(children)})
		default:
			out = append(out, same...)
		}
	}
	return out
}

// onlyFormula is the formula that a paragraph consists of, or "".
func onlyFormula(in []page.Inline) string {
	out := ""
	for _, i := range in {
		switch {
		case i.Kind == page.MathInline && out == "":
			out = i.Text
		case i.Kind != page.Text || strings.TrimSpace(i.Text) != "":
			return ""
		}
	}
	return out
}

// on reports whether a toggle property is set.
func on(n *node) bool {
	v := n.attr("val")
	return n != nil && v != "0" && v != "false" && v != "none" && v != "off"
}

func (w *word) table(t *node) {
	outer, style := w.shade, w.styles.table
	defer func() { w.styles.table = style }()
	whole := t.child("tblPr") // once: without it, all rows are looked at
	name := whole.child("tblStyle").attr("val")
	w.styles.table = w.styles.tableLook(name)
	if n, ok := whole.child("tblInd").number("w"); ok && n <= -2*pageTwips {
		w.b.Omit(page.HiddenOffScreen, 1)
		return
	}
	behind := outer // of cells that say nothing
	if s := shadeOf(whole.child("shd")); s != "" && s != "auto" {
		behind = s
	} else if w.styles.shaded(name) {
		behind = unknownColour
	}
	var rows [][]page.Cell
	for _, tr := range rowsOf(t, "tr") {
		if isLowRow(tr) {
			w.b.Omit(page.HiddenSize, 1)
			continue
		}
		if tr.child("trPr").child("del") != nil {
			continue
		}
		if on(tr.child("trPr").child("hidden")) {
			w.b.Omit(page.HiddenDisplay, 1)
			continue
		}
		var row []page.Cell
		for _, tc := range rowsOf(tr, "tc") {
			props := tc.child("tcPr")
			w.shade = behind
			if s := shadeOf(props.child("shd")); s != "" && s != "auto" {
				w.shade = s
			}
			cell := page.Cell{ColSpan: 1}
			if n, ok := props.child("gridSpan").number("val"); ok {
				cell.ColSpan = min(max(n, 1), 100)
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
	w.shade = outer
	if len(rows) == 1 && len(rows[0]) == 1 { // a frame around text
		w.b.add(rows[0][0].Blocks...)
		return
	}
	w.b.grid(rows)
}

// rowsOf are the rows of a table or the cells of a row, those within content
// controls too.
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
func (w *word) label(name, id string) string {
	key := name + " " + id
	if w.notes[key] == "" {
		w.notes[key] = strconv.Itoa(len(w.notes) + 1)
	}
	return w.notes[key]
}

func (w *word) footnotes(t *node, name string) {
	for _, f := range t.find(name) {
		label := w.notes[name+" "+f.attr("id")]
		if label == "" {
			continue
		}
		if c := w.nested(f); len(c) > 0 {
			w.b.add(page.Block{Kind: page.Footnote, ID: label, Children: c})
		}
	}
}

// link notes an address that the document links to.
func (b *builder) link(u weburl.URL, label string) {
	if len(b.Links) < maxLinks {
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
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsSpace(first) {
		c = " " + c
	}
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsSpace(last) {
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

package document

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file reads the Rich Text Format, version 1.9.1. Its text is read once from front to end;
// what each group sets ends with the group. Its tokens are in rtflex.go.

const (
	maxRichDepth = 500
	maxRichFonts = 5000
	maxRichRuns  = 100_000 // pieces of text of one look, ends of lines and notes
)

// symbolCharset is the charset of the font of this name.
const symbolCharset = "Symbol"

// richLook is what a group can set.
type richLook struct {
	skip                        bool   // what the group holds is not text of the page
	into                        string // "", or what the text of the group says: a name of a destination
	bold, italic, struck        bool
	above, below, hidden, gone  bool
	size, colour, ground, shade int // half points; places in the table of colours
	charset                     string
	unicodeSkip                 int // how many characters stand for one of Unicode in older programs
}

// rich is a file in reading.
type rich struct {
	b *builder
	richLook
	stack     []richLook
	over      int // groups beyond the bound
	runs      int // pieces of text so far
	usual     string
	fonts     map[int]string // charsets
	font      int            // in the table of fonts
	usualFont int
	colours   []int       // red, green, blue; -1 for the usual one
	levels    map[int]int // of headings, by style
	style     int         // in the table of styles
	pending   []byte      // bytes of a charset
	units     []uint16    // of UTF-16
	skipping  int         // characters that stand for the last one of Unicode
	said      map[string]*strings.Builder
	painted   bool // the pages have a colour
	richParagraph
	cells  []page.Cell
	rows   [][]page.Cell
	fields []richField
	notes  []page.Block
	outer  []richNote // around the note that is being read
}

// richField is a field whose result is being read.
type richField struct {
	depth, from int
	address     string
}

// richParagraph is the paragraph that is being read, and where it stands.
type richParagraph struct {
	out     []page.Inline
	heading int
	level   int // of the list
	table   bool
	cell    []page.Block // of the table, or the blocks of a note
	list    listStack
	inner   bool // the paragraph stands in a table in a cell
	nest    richNest
}

// richNest is a table in a cell. Those within it become rows of it.
type richNest struct {
	open   bool
	before []page.Block // of the cell
	cells  []page.Cell
	rows   [][]page.Cell
}

// richNote is what is put aside while a note is read.
type richNote struct {
	depth int
	richParagraph
	label *strings.Builder // of the item that refers to the note
}

func readRich(b *builder, body []byte) error {
	if !bytes.HasPrefix(body, []byte("{\\rtf")) {
		return &Error{Code: Malformed}
	}
	r := &rich{b: b, usual: "windows-1252", fonts: map[int]string{}, levels: map[int]int{}, said: map[string]*strings.Builder{}}
	r.reset()
	r.unicodeSkip = 1
	l := richLexer{b: body}
	for {
		t := l.next()
		switch t.kind {
		case richEnd:
			b.cut = true // the file ends within a group
			r.end()
			return nil
		case richOpen:
			if len(r.stack) >= maxRichDepth {
				b.cut = true
				r.over++
				continue
			}
			r.flush()
			r.skipping = 0
			r.stack = append(r.stack, r.richLook)
		case richClose:
			if r.over > 0 {
				r.over--
				continue
			}
			if r.close(); len(r.stack) == 0 { // no program shows what follows
				b.cut = b.cut || len(bytes.Trim(body[l.at:], " \t\r\n\x00")) > 0
				r.end()
				return nil
			}
		case richLetterRun:
			r.bytes(t.text)
		case richHex:
			if r.skipping > 0 {
				r.skipping--
				continue
			}
			r.bytes(t.text)
		case richWord:
			r.word(t, &l)
		}
	}
}

// end writes what is left.
func (r *rich) end() {
	r.paragraph()
	r.endTable()
	r.endList()
	r.b.add(r.notes...)
	r.b.Meta.Title, r.b.Meta.Byline, r.b.Meta.Excerpt = r.words("title"), r.words("author"), r.words("subject")
}

// words is what a group of a name said, as a line.
func (r *rich) words(name string) string {
	if s := r.said[name]; s != nil {
		return text.Line(s.String())
	}
	return ""
}

// close ends a group.
func (r *rich) close() {
	r.flush()
	r.skipping = 0
	n := len(r.stack)
	if n == 0 {
		return
	}
	if k := len(r.fields); k > 0 && r.fields[k-1].depth == n {
		f := r.fields[k-1]
		r.fields = r.fields[:k-1]
		if f.from < len(r.out) && f.address != "" {
			r.out = append(r.out[:f.from], r.b.linked(f.address, joined(r.out[f.from:]))...)
		}
	}
	if k := len(r.outer); k > 0 && r.outer[k-1].depth == n {
		r.paragraph()
		r.endList()
		label := strconv.Itoa(len(r.notes) + 1)
		if len(r.cell) > 0 {
			r.notes = append(r.notes, page.Block{Kind: page.Footnote, ID: label, Children: r.cell})
		}
		r.richParagraph = r.outer[k-1].richParagraph
		if l := r.outer[k-1].label; l != nil {
			r.said["listtext"] = l
		}
		r.outer = r.outer[:k-1]
		if label != strconv.Itoa(len(r.notes)+1) {
			r.take(page.Inline{Kind: page.FootnoteRef, Text: label})
		}
	}
	ended := r.into
	r.richLook = r.stack[n-1]
	r.stack = r.stack[:n-1]
	if ended == "fonttbl" && r.into == "" {
		r.charset = r.fonts[r.usualFont]
	}
}

// take appends to the paragraph.
func (r *rich) take(in page.Inline) {
	if r.runs++; r.runs > maxRichRuns {
		r.b.cut = true
		return
	}
	r.out = append(r.out, in)
}

// bytes takes letters in the charset of the font.
func (r *rich) bytes(s []byte) {
	if r.skipping > 0 {
		n := min(r.skipping, len(s))
		r.skipping -= n
		s = s[n:]
	}
	if len(s) == 0 || r.skip {
		return
	}
	r.endUnits()
	r.pending = append(r.pending, s...)
}

// letter takes a text that a control word stands for.
func (r *rich) letter(s string) {
	r.flush()
	if !r.skip {
		r.say(s)
	}
}

func (r *rich) endUnits() {
	if len(r.units) > 0 {
		s := string(utf16.Decode(r.units))
		if r.units[0] >= 0xf000 && r.units[0] <= 0xf0ff && r.charset == symbolCharset {
			s = symbols(r.units)
		}
		r.units = r.units[:0]
		r.say(s)
	}
}

// symbols is what codes of the font Symbol show.
func symbols[T byte | uint16](codes []T) string {
	var b strings.Builder
	for _, c := range codes {
		b.WriteString(symbolOf(symbolCharset, rune(c)))
	}
	return b.String()
}

// flush ends the letters of one look.
func (r *rich) flush() {
	r.endUnits()
	if len(r.pending) > 0 {
		s := ""
		if r.charset == symbolCharset {
			s = symbols(r.pending)
		} else {
			s = decodeCharset(r.pending, cmp.Or(r.charset, r.usual))
		}
		r.pending = r.pending[:0]
		r.say(s)
	}
}

// say appends a text to the paragraph, or to what a group of another kind says.
func (r *rich) say(s string) {
	if r.skip {
		return
	}
	if r.into != "" {
		if r.into == "fonttbl" || r.into == "stylesheet" || r.into == "colortbl" {
			r.define(s)
			return
		}
		w := r.said[r.into]
		if w == nil {
			w = &strings.Builder{}
			r.said[r.into] = w
		}
		if w.Len() < 4096 {
			w.WriteString(s)
		}
		return
	}
	if kind := r.unseen(); kind != "" || r.gone {
		if strings.TrimSpace(s) != "" && !r.gone {
			r.b.Omit(kind, 1)
		}
		return
	}
	if s = r.b.fold(s); s == "" {
		return
	}
	in := page.Inline{Kind: page.Text, Text: s}
	if strings.TrimSpace(s) != "" {
		for _, m := range []struct {
			set  bool
			kind page.InlineKind
		}{{r.bold, page.Strong}, {r.italic, page.Emphasis}, {r.struck, page.Strike}, {r.above, page.Sup}, {r.below, page.Sub}} {
			if m.set {
				in = page.Inline{Kind: m.kind, Children: []page.Inline{in}}
			}
		}
	}
	r.take(in)
}

// unseen is how the text of a look is hidden, or "".
func (r *rich) unseen() page.OmissionKind {
	colour := func(i, usual int) int {
		if i > 0 && i < len(r.colours) && r.colours[i] >= 0 {
			return r.colours[i]
		}
		return usual
	}
	const white = 0xffffff
	ground := colour(cmp.Or(r.ground, r.shade), white)
	hex := func(c int) string { return strconv.FormatInt(int64(c), 16) }
	switch {
	case r.hidden:
		return page.HiddenDisplay
	case r.size <= tinyHalfPoints:
		return page.HiddenSize
	case !r.table && !r.painted && sameColour(hex(colour(r.colour, 0)), hex(ground)):
		return page.HiddenColor
	}
	return ""
}

// define takes a piece of the tables at the start of a file.
func (r *rich) define(s string) {
	switch r.into {
	case "fonttbl":
		if strings.TrimRight(s, "; ") == symbolCharset && len(r.fonts) < maxRichFonts {
			r.fonts[r.font] = symbolCharset
		}
	case "colortbl":
		for range strings.Count(s, ";") {
			if len(r.colours) < 1<<16 {
				r.colours = append(r.colours, r.colour)
			}
			r.colour = -1
		}
	case "stylesheet":
		name, level, ok := strings.Cut(strings.ToLower(strings.TrimRight(s, "; ")), " ")
		if n, err := strconv.Atoi(level); ok && name == "heading" && err == nil {
			r.levels[r.style] = n
		} else if strings.TrimSpace(name) == "title" && !ok {
			r.levels[r.style] = 1
		}
	}
}

// reset is what \plain sets.
func (r *rich) reset() {
	r.bold, r.italic, r.struck, r.above, r.below, r.hidden = false, false, false, false, false, false
	r.size, r.colour, r.ground, r.charset = 24, 0, 0, r.fonts[r.usualFont]
}

// paragraph ends a paragraph.
func (r *rich) paragraph() {
	r.flush()
	in := joined(r.out)
	r.out = nil
	for i := range r.fields {
		if k := len(r.outer); k == 0 || r.fields[i].depth > r.outer[k-1].depth { // not around the note
			r.fields[i].from = 0
		}
	}
	label := r.words("listtext")
	delete(r.said, "listtext")
	if isEmpty(in) {
		return
	}
	if !r.table && len(r.outer) == 0 {
		r.endTable()
	}
	switch {
	case r.heading > 0:
		r.endList()
		r.put(page.Block{Kind: page.Heading, Level: min(r.heading, 6), Inlines: labelled(label, in)})
	case label != "":
		n := number{level: min(max(r.level, 0), 8), label: label}
		digits := strings.TrimRight(label, ".)")
		if v, err := strconv.Atoi(digits); err == nil && v >= 0 && len(label)-len(digits) <= 1 {
			n.ordered, n.n = true, v
		} else if !strings.ContainsFunc(label, func(c rune) bool { return c < 0x80 && (isLetter(byte(c)) && c != 'o' || c >= '0' && c <= '9') }) {
			n.label = "" // a bullet
		}
		outer := r.b.Blocks
		r.b.Blocks = nil
		r.list.item(n, in, r.b)
		ended := r.b.Blocks
		r.b.Blocks = outer
		r.put(ended...)
	default:
		r.endList()
		r.put(page.Block{Kind: page.Paragraph, Inlines: in})
	}
}

// put appends blocks to the cell, the note or the page.
func (r *rich) put(blocks ...page.Block) {
	if r.table || len(r.outer) > 0 {
		if !r.inner {
			r.endNest()
		}
		r.cell = append(r.cell, blocks...)
		return
	}
	r.b.add(blocks...)
}

func (r *rich) endList() {
	if l, ok := r.list.take(); ok {
		r.put(l)
	}
}

// endCell ends a cell of a row. In a note the cells are paragraphs.
func (r *rich) endCell() {
	if len(r.outer) > 0 {
		r.paragraph()
		return
	}
	r.table = true
	r.paragraph()
	r.endList()
	if !r.inner {
		r.endNest()
	}
	if r.b.cells--; r.b.cells < 0 {
		r.b.cut, r.cell = true, nil
		return
	}
	c := page.Cell{Blocks: r.cell}
	r.cell = nil
	if r.nest.open {
		r.nest.cells = append(r.nest.cells, c)
		return
	}
	r.cells = append(r.cells, c)
}

// beginNest begins a table in a cell, unless one is open.
func (r *rich) beginNest() {
	r.inner = len(r.outer) == 0
	if r.inner && !r.nest.open {
		r.endList()
		r.nest = richNest{open: true, before: r.cell}
		r.cell = nil
	}
}

func (r *rich) endNestRow() {
	if len(r.nest.cells) > 0 {
		r.nest.rows = append(r.nest.rows, r.nest.cells)
		r.nest.cells = nil
	}
}

// endNest puts a table that was in a cell behind what the cell holds.
func (r *rich) endNest() {
	if !r.nest.open {
		return
	}
	r.endNestRow()
	rows, after := r.nest.rows, r.cell
	r.cell = append(r.nest.before, r.b.collect(func() { r.b.grid(rows) })...)
	r.cell = append(r.cell, after...)
	r.nest = richNest{}
}

func (r *rich) endRow() {
	if len(r.outer) > 0 {
		return
	}
	r.inner = false
	r.endNest()
	if len(r.cells) > 0 {
		r.rows = append(r.rows, r.cells)
	}
	r.cells, r.table = nil, false
}

// endTable ends a table: a paragraph outside of it follows.
func (r *rich) endTable() {
	r.endRow()
	rows := r.rows
	r.rows = nil
	if len(rows) == 1 && len(rows[0]) == 1 { // a frame around text
		r.b.add(rows[0][0].Blocks...)
	} else {
		r.b.grid(rows)
	}
	if c := r.cell; len(c) > 0 { // a row that never ends
		r.cell = nil
		r.b.add(c...)
	}
}

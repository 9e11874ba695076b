package markdown

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// writer renders blocks into one buffer. Each line begins with the prefix of
// the containers around it.
type writer struct {
	o      Options
	b      []byte
	prefix []byte
	level  int  // containers in the prefix
	padded int  // bytes of prefixes that were written
	flat   bool // these are too many: lines have no prefix any more

	bol     int  // where the content of the line begins, after prefix and markers
	first   bool // the line is the first of its block
	inLink  int  // within link text
	inCell  bool // within a table cell: one line
	inHead  bool // within a heading: one line
	hasMath bool // the block holds formulas: every dollar sign counts
	dollar  bool // the block has a dollar sign that could open a formula
	worded  bool // with Options.Words: there is text beside the images
	linkEnd int  // … and where the last link ended
	bold    int  // within bold text of our own

	long map[*page.Cell]bool // cells that span rows and are too long to be repeated

	urls    []string // of Options.References, and their numbers
	numbers map[string]int

	item      byte // the marker of the list item that begins here, or 0
	onHeading func(b *page.Block, at int)
}

// trim removes spaces at the end of the buffer, but nothing before from.
func (w *writer) trim(from int) {
	for n := len(w.b); n > from && w.b[n-1] == ' '; n-- {
		w.b = w.b[:n-1]
	}
}

// blocks writes blocks in order. tight means that they are in an item of a tight
// list, without blank lines where none is needed.
func (w *writer) blocks(blocks []page.Block, tight bool) {
	prev := -1 // the last block that was written
	marker := byte(0)
	for i := range blocks {
		b := &blocks[i]
		mark := marks{len(w.b), w.bol, w.item}
		if prev >= 0 {
			p := &blocks[prev]
			switch {
			case tight && joins(p, b):
				w.newline()
			case p.Kind == page.Group && b.Kind == page.Group && p.Label == "" && b.Label == "" && b.Mark == page.NoMark:
				// Two posts with nothing between them but their border.
				w.blank()
				w.b = append(w.b, "---"...)
				w.blank()
			default:
				w.blank()
			}
			w.item = 0
		}
		at := len(w.b)
		m := byte(0)
		if b.Kind == page.List {
			// Two adjacent lists would be one: the second gets another marker.
			m = '-'
			if b.Ordered {
				m = '.'
			}
			if prev >= 0 && blocks[prev].Kind == page.List && blocks[prev].Ordered == b.Ordered && marker == m {
				m = '*'
				if b.Ordered {
					m = ')'
				}
			}
		}
		w.block(b, m)
		if len(w.b) == at { // nothing came of it
			w.b, w.bol, w.item = w.b[:mark.len], mark.bol, mark.item
			continue
		}
		prev, marker = i, m
	}
}

type marks struct {
	len, bol int
	item     byte
}

// joins reports whether b can follow p without a blank line, because it interrupts
// p.
func joins(p, b *page.Block) bool {
	switch b.Kind {
	case page.List:
		if len(b.Children) == 0 || len(b.Children[0].Children) == 0 {
			return false
		}
		if p.Kind != page.Paragraph && p.Kind != page.Heading && p.Kind != page.Code {
			return false
		}
		return !b.Ordered || b.Start == 1 || p.Kind != page.Paragraph
	case page.Code, page.Heading, page.Quote:
		return p.Kind != page.Group && p.Kind != page.TableBlock && (b.Kind != page.Quote || p.Kind != page.Quote)
	case page.Paragraph:
		return p.Kind == page.Heading || p.Kind == page.Code || p.Kind == page.Rule
	}
	return false
}

func (w *writer) block(b *page.Block, marker byte) {
	w.first = true
	switch b.Kind {
	case page.Paragraph:
		w.paragraph(b.Inlines)
		w.shownMark(b)
	case page.Heading:
		w.heading(b)
	case page.Code:
		w.code(b.Text, b.Lang)
	case page.Quote:
		if len(b.Children) == 0 {
			w.b = append(w.b, '>')
			return
		}
		w.container("> ", "> ", b.Children, false)
	case page.List:
		w.list(b, marker)
	case page.Item, page.Definition:
		w.blocks(b.Children, false)
	case page.Term:
		w.paragraph(b.Inlines)
	case page.DefinitionList:
		w.definitions(b)
	case page.TableBlock:
		w.table(b.Table)
	case page.Rule:
		// In an item, "- ---" would be a rule, not an item.
		if w.item == '-' {
			w.b = append(w.b, "***"...)
		} else {
			w.b = append(w.b, "---"...)
		}
	case page.Math:
		w.displayMath(b.Text)
	case page.Footnote:
		w.footnote(b)
	case page.Group:
		w.group(b)
	}
}

func (w *writer) paragraph(in []page.Inline) {
	w.bol = len(w.b)
	w.hasMath, w.dollar = holdsMath(in), false
	w.worded = w.o.Words && holdsWords(in)
	w.inlines(in, 0)
	w.trim(w.bol)
}

func (w *writer) shownMark(b *page.Block) {
	if b.Mark != page.NoMark {
		w.b = append(append(w.b, ' '), b.Mark.String()...)
	}
}

func (w *writer) heading(b *page.Block) {
	start := len(w.b)
	for range min(max(b.Level, 1), maxLevel) {
		w.b = append(w.b, '#')
	}
	w.b = append(w.b, ' ')
	at := len(w.b)
	w.inHead, w.hasMath, w.dollar = true, holdsMath(b.Inlines), false
	w.worded = w.o.Words && holdsWords(b.Inlines)
	w.bol = at
	w.inlines(b.Inlines, 0)
	w.inHead = false
	w.trim(at)
	if len(w.b) == at {
		if len(b.Inlines) > 0 {
			w.b = w.b[:start]
		} else { // written empty
			w.b = w.b[:at-1]
		}
		return
	}
	if w.onHeading != nil {
		w.onHeading(b, start)
	}
	// A closing run of # would not be text.
	if n := len(w.b); w.b[n-1] == '#' {
		i := n
		for i > at && w.b[i-1] == '#' {
			i--
		}
		if i == at || w.b[i-1] == ' ' {
			w.b = append(w.b, 0)
			copy(w.b[n:], w.b[n-1:n])
			w.b[n-1] = '\\'
		}
	}
	w.shownMark(b)
}

// container writes children whose first line begins with lead and whose other
// lines begin with prefix.
func (w *writer) container(lead, prefix string, children []page.Block, tight bool) {
	if !w.canEnter() {
		w.blocks(children, tight)
		return
	}
	leave := w.enter(prefix)
	w.b = append(w.b, lead...)
	w.bol = len(w.b)
	w.blocks(children, tight)
	w.leave(leave)
}

const spaces = "            "

func (w *writer) list(b *page.Block, marker byte) {
	loose := b.Loose
	num := b.Start
	wrote := false
	outer := w.item
	for i := range b.Children {
		it := &b.Children[i]
		if wrote {
			if loose {
				w.blank()
			} else {
				w.newline()
			}
		}
		wrote = true
		var lead [16]byte
		l := lead[:0]
		if b.Ordered {
			l = strconv.AppendInt(l, int64(min(max(num, 0), maxNumber)), 10)
			num++
		}
		l = append(l, marker, ' ')
		width := len(l)
		at := len(w.b)
		if len(it.Children) == 0 {
			w.b = append(w.b, l[:width-1]...)
			continue
		}
		w.item = marker
		if !w.canEnter() {
			// Deeper items go on at this level, each on its line.
			w.b = append(w.b, l...)
			w.bol = len(w.b)
			w.check(it)
			w.blocks(it.Children, true)
			continue
		}
		leave := w.enter(spaces[:width])
		w.b = append(w.b, l...)
		w.bol = len(w.b)
		w.check(it)
		begin := len(w.b)
		w.blocks(it.Children, !loose)
		if len(w.b) == begin { // an item of nothing that shows
			w.b = w.b[:at+width-1]
		}
		w.leave(leave)
	}
	w.item = outer
}

func (w *writer) check(it *page.Block) {
	switch it.Check {
	case page.Checked:
		w.b = append(w.b, "[x] "...)
	case page.Unchecked:
		w.b = append(w.b, "[ ] "...)
	}
	w.bol = len(w.b)
}

func (w *writer) definitions(b *page.Block) {
	const (
		nothing = iota
		term
		inline // a definition on its own line
		blocky
	)
	last := nothing
	for i := range b.Children {
		k := &b.Children[i]
		if k.Kind == page.Term {
			switch last {
			case term:
				w.newline()
			case inline, blocky:
				w.blank()
			}
			at := len(w.b)
			w.bol = at
			w.first = true
			w.hasMath, w.dollar = holdsMath(k.Inlines), false
			w.strongLine(k.Inlines)
			if len(w.b) == at {
				continue
			}
			last = term
			continue
		}
		if len(k.Children) == 0 {
			continue
		}
		if k.Children[0].Kind == page.Paragraph {
			switch last {
			case blocky:
				w.blank()
			case term, inline:
				w.newline()
			}
			w.container(": ", "  ", k.Children, false)
			if last = inline; len(k.Children) > 1 {
				last = blocky
			}
			continue
		}
		if last != nothing {
			w.blank()
		}
		w.container("", "", k.Children, false)
		last = blocky
	}
}

// strongLine writes a line of bold text, without nested bold marks.
func (w *writer) strongLine(in []page.Inline) {
	one := [1]page.Inline{{Kind: page.Strong, Children: in}}
	w.bold++
	w.mark(&one[0], 0)
	w.bold--
	w.trim(w.bol)
}

func (w *writer) footnote(b *page.Block) {
	w.b = append(w.b, "[^"...)
	w.label(b.ID)
	w.b = append(w.b, "]: "...)
	w.bol = len(w.b)
	if len(b.Children) == 0 {
		return
	}
	w.container("", "    ", b.Children, false)
}

func (w *writer) group(b *page.Block) {
	if b.Label != "" {
		w.bol = len(w.b)
		w.hasMath, w.dollar = false, false
		w.strongLine([]page.Inline{{Kind: page.Text, Text: b.Label}})
		w.shownMark(b)
	} else {
		w.b = append(w.b, b.Mark.String()...)
	}
	if len(b.Children) == 0 {
		return
	}
	if b.Label != "" || b.Mark != page.NoMark {
		w.blank()
	}
	w.blocks(b.Children, false)
}

// longerRun returns a length of at least least that is longer than any run of backticks in s.
func longerRun(s string, least int) int {
	run := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			run = 0
			continue
		}
		if run++; run >= least {
			least = run + 1
		}
	}
	return least
}

// code writes a fenced block. The fence is longer than any run in the text.
func (w *writer) code(text, lang string) {
	w.reserve(strings.Count(text, "\n") + 2)
	fence := longerRun(text, minFence)
	for range fence {
		w.b = append(w.b, '`')
	}
	for i := 0; i < len(lang) && i < maxLang; i++ {
		// The info string ends at a space; a backtick would undo the fence.
		if c := lang[i]; c > ' ' && c != '`' && c != 0x7f {
			w.b = append(w.b, c)
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if text == "" {
			break
		}
		w.b = append(w.b, '\n')
		if line == "" {
			w.padEmpty()
		} else {
			w.pad()
		}
		w.b = append(w.b, line...)
	}
	w.b = append(w.b, '\n')
	w.pad()
	for range fence {
		w.b = append(w.b, '`')
	}
	w.bol = len(w.b)
}

// displayMath writes a formula as a block. Empty lines would end it.
func (w *writer) displayMath(tex string) {
	w.reserve(strings.Count(tex, "\n") + 2)
	w.b = append(w.b, "$$"...)
	for line := range strings.SplitSeq(tex, "\n") {
		at := len(w.b)
		w.newline()
		begin := len(w.b)
		w.tex(line, true)
		w.trim(begin)
		if len(w.b) == begin {
			w.b = w.b[:at]
		}
	}
	w.newline()
	w.b = append(w.b, "$$"...)
}

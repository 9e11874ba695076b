package passage

import (
	"strings"
	"unicode/utf8"
)

// A unit is the smallest piece of Markdown that is read by itself: a heading, a
// paragraph or a part of a long one, an item of a list, a row of a table, a
// block of code. Units are cut out of what package markdown writes, line by
// line: put in order with what is between them they are the text.
type unit struct {
	from, to int // bytes; without the line end
	kind     unitKind
	level    int // of a heading
	table    int // rows and head: which table; -1 elsewhere
	// fence is what opens the block of code that this is a part of.
	fence string
}

type unitKind uint8

const (
	paragraphUnit unitKind = iota
	headingUnit
	itemUnit
	codeUnit
	headUnit // the head of a table, with the row of dashes below it
	rowUnit
)

const (
	longParagraph = 700 // bytes: one is cut into sentences beyond that
	sentences     = 350 // … of at least so many bytes together
	longCode      = 1600
)

// units cuts Markdown; whole leaves long paragraphs and blocks of code whole.
func units(md string, whole bool) []unit {
	c := unitCutter{md: md, table: -1, whole: whole}
	for at := 0; at < len(md); {
		end := lineEnd(md, at)
		c.line(at, end)
		at = end + 1
	}
	c.flush()
	return c.out
}

// Pieces returns where the headings, paragraphs, items, rows of tables and blocks of code of
// Markdown begin, in order, and the level of each that is a heading, else 0. Long ones are
// in parts.
func Pieces(md string) (starts, levels []int) {
	for _, u := range units(md, false) {
		starts, levels = append(starts, u.from), append(levels, u.level)
	}
	return starts, levels
}

type unitCutter struct {
	md    string
	out   []unit
	table int // the number of the last table
	rows  int // lines of the table that is open; 0 for none
	whole bool
	open  bool // further lines belong to the last unit
	fence string
}

func lineEnd(s string, at int) int {
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(s)
}

// line takes the line from at to end.
func (c *unitCutter) line(at, end int) {
	line := c.md[at:end]
	text := strings.TrimLeft(line, " >")
	indent := len(line) - len(text)
	if c.fence != "" {
		c.last().to = end
		if run := fenceRun(text); strings.HasPrefix(run, c.fence) {
			c.fence = ""
			c.flush()
		}
		return
	}
	body := text[itemMark(text):]
	run := fenceRun(body)
	switch {
	case text == "":
		c.flush()
	case run != "":
		c.flush()
		c.begin(at, end, codeUnit)
		c.last().fence, c.fence = body, run
	case text[0] == '|':
		c.row(at, end, line)
	case len(body) < len(text):
		c.flush()
		c.begin(at, end, itemUnit)
	case headingLevel(text) > 0 && indent == 0:
		c.flush()
		c.begin(at, end, headingUnit)
		c.last().level = headingLevel(text)
		c.flush()
	case c.open:
		c.last().to = end
	default:
		c.flush()
		c.begin(at, end, paragraphUnit)
	}
}

func (c *unitCutter) last() *unit { return &c.out[len(c.out)-1] }

func (c *unitCutter) begin(at, end int, k unitKind) {
	c.out = append(c.out, unit{from: at, to: end, kind: k, table: -1})
	c.open = true
}

// flush ends the unit that is open, and cuts it when it is long.
func (c *unitCutter) flush() {
	if c.open {
		u := *c.last()
		switch {
		case c.whole:
		case (u.kind == paragraphUnit || u.kind == itemUnit) && u.to-u.from > longParagraph:
			c.sentences(u)
		case u.kind == codeUnit && u.to-u.from > longCode:
			c.lines(u)
		case u.kind == codeUnit:
			c.last().fence = "" // all of it is there
		}
	}
	c.open, c.rows = false, 0
}

// row takes a line of a table. The first two are its head.
func (c *unitCutter) row(at, end int, line string) {
	switch c.rows {
	case 0:
		c.flush()
		c.table++
		c.begin(at, end, headUnit)
		c.last().table = c.table
		c.open = false
	case 1:
		c.last().to = end
	default:
		c.out = append(c.out, unit{from: at, to: end, kind: rowUnit, table: c.table})
	}
	c.rows++
}

// sentences cuts a paragraph behind sentences, and one without any at words.
func (c *unitCutter) sentences(u unit) {
	c.out = c.out[:len(c.out)-1]
	whole := u
	for i := u.from; i < u.to-1; i++ {
		if n := i - u.from; n < sentences || whole.to-i <= sentences/2 {
			continue
		} else if !endsSentence(c.md, i) && (n < longCode || !utf8.RuneStart(c.md[i+1])) {
			continue
		}
		c.out = append(c.out, unit{from: u.from, to: i + 1, kind: u.kind, table: -1})
		for i++; i < u.to && c.md[i] == ' '; i++ {
		}
		u.from, u.kind = i, paragraphUnit
	}
	c.out = append(c.out, u)
}

// endsSentence reports whether a sentence may end with the byte at i.
func endsSentence(s string, i int) bool {
	switch s[i] {
	case '.', '!', '?':
		return s[i+1] == ' ' || s[i+1] == '\n'
	case '\n':
		return true
	}
	// 。！？ end in these bytes.
	return i >= 2 && (s[i-2:i+1] == "。" || s[i-2:i+1] == "！" || s[i-2:i+1] == "？")
}

// lines cuts long code into runs of lines.
func (c *unitCutter) lines(u unit) {
	c.out = c.out[:len(c.out)-1]
	for i := u.from; i < u.to; i++ {
		if n := i - u.from; n >= longCode && u.to-i > sentences && (c.md[i] == '\n' || n >= 2*longCode && utf8.RuneStart(c.md[i])) {
			part := u
			part.to = i
			c.out = append(c.out, part)
			if c.md[i] == '\n' {
				i++
			}
			u.from = i
		}
	}
	c.out = append(c.out, u)
}

// itemMark is the length of the marker of a list item, 0 for none.
func itemMark(s string) int {
	i := 0
	for i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	switch {
	case i > 0 && i+1 < len(s) && (s[i] == '.' || s[i] == ')') && s[i+1] == ' ':
		return i + 2
	case i == 0 && len(s) > 1 && (s[0] == '-' || s[0] == '*') && s[1] == ' ':
		return 2
	}
	return 0
}

// headingLevel is the level of an ATX heading, 0 for another line.
func headingLevel(s string) int {
	n := 0
	for n < len(s) && s[n] == '#' {
		n++
	}
	if n > 6 || n == len(s) || s[n] != ' ' {
		return 0
	}
	return n
}

package pdf

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/text/unicode/norm"
)

// This file makes blocks of lines: headings by size and weight, paragraphs by
// spacing and indents, code by fonts of one width, lists by their bullets.

// maker makes the blocks of a document.
type maker struct {
	body   float64 // the size of most of the text
	sizes  []float64
	blocks []page.Block
	page   int
	width  float64 // of the column
	fresh  bool    // the next block is the first of its page
	begin  bool    // the next block is the first of its column
	joined bool    // the page's first lines went to the paragraph before it
	open   bool    // the last paragraph of a column may go on
}

func makeBlocks(sheets []*sheet) []page.Block {
	m := &maker{}
	m.measure(sheets)
	for _, turned := range []bool{false, true} {
		for _, s := range sheets {
			m.page, m.fresh, m.joined = s.number, !turned, false
			for i := range s.regions {
				if s.regions[i].turned == turned {
					m.region(s.regions[i].lines)
					s.regions[i].lines = nil // the blocks have their text
				}
			}
		}
	}
	return m.blocks
}

// half rounds a size to half points.
func half(size float64) float64 { return math.Round(size*2) / 2 }

// measure finds the size of the body and the sizes of headings.
func (m *maker) measure(sheets []*sheet) {
	chars := map[float64]int{}
	lines := map[float64]int{}
	for _, s := range sheets {
		for _, r := range s.regions {
			for _, l := range r.lines {
				if l.table == nil && !l.running && !r.turned {
					chars[half(l.size)] += l.chars
					lines[half(l.size)]++
				}
			}
		}
	}
	most := 0
	for size, n := range chars {
		if n > most || n == most && size < m.body {
			most, m.body = n, size
		}
	}
	for size := range chars {
		if size >= m.body*largerSize {
			m.sizes = append(m.sizes, size)
		}
	}
	sort.Sort(sort.Reverse(sort.Float64Slice(m.sizes)))
}

// level is that of a heading of this size, 1 to 6.
func (m *maker) level(l *line) int {
	i := slices.Index(m.sizes, half(l.size))
	if i < 0 {
		i = len(m.sizes)
	}
	return min(i+1, maxLevel)
}

// heading reports whether a line is one by its look.
func (m *maker) heading(l *line) bool {
	if l.table != nil || l.mono || l.chars < 2 || l.chars > maxHeading || !hasLetter(l.text) {
		return false
	}
	if half(l.size) >= m.body*largerSize {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(l.text)
	first, _ := utf8.DecodeRuneInString(l.text)
	return l.bold && half(l.size) >= m.body*smaller && l.chars <= maxBold && l.x1-l.x0 < otherSize*m.width && !strings.ContainsRune(".,;:", last) &&
		(unicode.IsUpper(first) || unicode.IsDigit(first) || isHan(first))
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// region makes the blocks of a column.
func (m *maker) region(all []line) {
	lines := make([]line, 0, len(all))
	toLeft := 0
	for _, l := range all {
		if !l.running {
			lines = append(lines, l)
			if l.toLeft {
				toLeft++
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	if toLeft*2 > len(lines) {
		mirrorLines(lines)
	}
	m.begin = true
	left, right, leading := m.extent(lines)
	m.width = right - left
	if len(lines) < minTableRows {
		m.width = math.Inf(1) // too little to tell
	}
	for i := 0; i < len(lines); {
		l := &lines[i]
		switch {
		case l.table != nil:
			m.add(l.table.block)
			i++
		case l.mono:
			i = m.code(lines, i, leading)
		case m.heading(l):
			i = m.headings(lines, i)
		default:
			i = m.paragraph(lines, i, left, right, leading)
		}
	}
}

// mirrorLines puts lines that begin at the right to the left.
func mirrorLines(lines []line) {
	for i := range lines {
		if l := &lines[i]; l.toLeft || !l.mono {
			l.x0, l.x1 = -l.x1, -l.x0
		}
	}
}

// extent returns the edges of a column, and the distance of its lines.
func (m *maker) extent(lines []line) (left, right, leading float64) {
	left, right = math.Inf(1), math.Inf(-1)
	var steps []float64
	for i, l := range lines {
		left, right = min(left, l.x0), max(right, l.x1)
		if i > 0 && half(l.size) == half(lines[i-1].size) && l.base-lines[i-1].base > minRowStep*l.size {
			steps = append(steps, l.base-lines[i-1].base)
		}
	}
	if len(steps) == 0 {
		return left, right, usualLeading * m.body
	}
	sort.Float64s(steps)
	if leading = steps[len(steps)/leadingPart]; len(steps) < minTableRows {
		leading = min(leading, 2*m.body)
	}
	return left, right, leading
}

// add appends a block, with the anchor of its page where it is the first.
func (m *maker) add(b page.Block) {
	if m.fresh || b.Kind == page.Heading {
		b.ID = "page=" + strconv.Itoa(m.page)
	}
	m.fresh, m.begin, m.open = false, false, false
	m.blocks = append(m.blocks, b)
}

// code takes the lines of one width that follow each other.
func (m *maker) code(lines []line, i int, leading float64) int {
	left := lines[i].x0
	j := i
	for ; j < len(lines) && lines[j].mono && lines[j].table == nil; j++ {
		left = min(left, lines[j].x0)
	}
	var b strings.Builder
	for k := i; k < j; k++ {
		if k > i {
			b.WriteByte('\n')
			if lines[k].base-lines[k-1].base > closeLines*max(leading, lines[k].size) {
				b.WriteByte('\n')
			}
		}
		indent := int(math.Round((lines[k].x0 - left) / (monoWidth * lines[k].size)))
		b.WriteString(strings.Repeat(" ", min(max(indent, 0), maxIndent)))
		b.WriteString(lines[k].text)
	}
	m.add(page.Block{Kind: page.Code, Text: b.String()})
	return j
}

// headings takes a heading with the lines that it goes on in.
func (m *maker) headings(lines []line, i int) int {
	l := lines[i]
	text := l.text
	j := i + 1
	for ; j < len(lines) && j <= i+maxHeadingLines; j++ {
		n := &lines[j]
		if n.table != nil || half(n.size) != half(l.size) || n.bold != l.bold || n.mono || n.base-lines[j-1].base > maxWrapStep*l.size || n.base < lines[j-1].base {
			break
		}
		if numbered(n.text) && numbered(l.text) {
			break
		}
		text = joinLines(text, n.text)
	}
	if utf8.RuneCountInString(text) > maxHeading {
		m.add(paragraph(l.text))
		return i + 1
	}
	m.add(page.Block{Kind: page.Heading, Level: m.level(&l), Inlines: []page.Inline{{Kind: page.Text, Text: text}}})
	return j
}

func numbered(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// paragraph takes lines up to where the next begins.
func (m *maker) paragraph(lines []line, i int, left, right, leading float64) int {
	right = measure(lines[i:], right, leading)
	text := lines[i].text
	mark, number := startsItem(text)
	j := i + 1
	for ; j < len(lines); j++ {
		l, p := &lines[j], &lines[j-1]
		if len(text) > maxParagraph || m.isOther(l, p, leading) {
			break
		}
		ended := isShort(p, l, left, right)
		if next, n := startsItem(l.text); next != "" && (n == 0 || n == number+1 || ended || endsSentence(p.text)) {
			break
		}
		if j > i+1 && (isFirst(l, p, left) || mark != "" && l.x0-p.x0 < -l.size/2) || ended && endsSentence(p.text) {
			break // the first line of the next is indented, or the item or the paragraph is over
		}
		if ended && !endsHyphen(p.text) {
			text += "\n" + l.text
		} else {
			text = joinLines(text, l.text)
		}
	}
	if mark != "" && !strings.HasPrefix(mark, "[") {
		m.item(strings.TrimSpace(text[len(mark):]), number)
		return j
	}
	m.goOn(text)
	m.open = !endsSentence(text) && !lines[j-1].columns
	return j
}

// goOn writes a paragraph, or the rest of the one that the column or the page before ended in.
func (m *maker) goOn(text string) {
	last := m.unfinished()
	if last == nil || !goesOn(text) {
		m.add(paragraph(text))
		return
	}
	last.Text = joinLines(last.Text, text)
	m.joined, m.begin = m.fresh, false // the anchor waits for the page's first block
}

// isOther reports whether a line cannot belong to the paragraph of the one before it.
func (m *maker) isOther(l, before *line, leading float64) bool {
	return l.table != nil || l.mono || m.heading(l) || l.columns || before.columns || leads(before.text) || isApart(l, before, leading)
}

// isFirst reports whether a line is indented as the first of a paragraph.
func isFirst(l, before *line, left float64) bool {
	return l.x0-before.x0 > shortSlack*l.size && before.x0 < left+l.size/2 && l.x0 < left+maxFirst*l.size
}

// measure is where the lines of a paragraph end: at the edge of the column, or earlier
// if most of the lines that follow each other end there.
func measure(lines []line, right, leading float64) float64 {
	n := 1
	local := lines[0].x1
	for n < min(len(lines), maxMeasured) && lines[n].table == nil && !isApart(&lines[n], &lines[n-1], leading) {
		local = max(local, lines[n].x1)
		n++
	}
	full := 0
	for _, l := range lines[:n] {
		if width := local - l.x0; l.x1-l.x0 > fullLine*width && width > minMeasure*l.size {
			full++
		}
	}
	if full >= minTableRows && float64(full) >= proseFull*float64(n) {
		return local
	}
	return right
}

// isShort reports whether the first word of a line had room on the line before it, so
// that the author ended that line, as in an address.
func isShort(p, l *line, left, right float64) bool {
	room := right - p.x1
	if before := p.x0 - left; before > 2*p.size && math.Abs(before-room) < p.size { // centred
		room += before
	}
	return room > l.first+shortSlack*p.size
}

func endsHyphen(s string) bool { return strings.HasSuffix(s, "-") || strings.HasSuffix(s, "\u2010") }

// isApart reports whether a line stands too far below the one before it, or is
// of another size.
func isApart(l, before *line, leading float64) bool {
	gap := l.base - before.base
	return gap < 0 || gap > apartFrom*max(leading, usualLeading*min(l.size, before.size)) ||
		math.Abs(l.size-before.size) > sameSize*before.size && l.chars > minChars && before.chars > minChars
}

// unfinished returns the text of the paragraph that the column or the page before
// ended in, or nil.
func (m *maker) unfinished() *page.Inline {
	n := len(m.blocks)
	if !m.begin || m.joined || !m.open || n == 0 || m.blocks[n-1].Kind != page.Paragraph {
		return nil
	}
	in := m.blocks[n-1].Inlines
	if last := &in[len(in)-1]; len(last.Text) < maxParagraph {
		return last
	}
	return nil
}

// item appends to the list that is last if its number follows, or begins one.
func (m *maker) item(text string, number int) {
	b := page.Block{Kind: page.Item, Children: []page.Block{paragraph(text)}}
	if n := len(m.blocks); n > 0 && m.blocks[n-1].Kind == page.List && !m.fresh {
		if last := &m.blocks[n-1]; !last.Ordered && number == 0 || last.Ordered && number == last.Start+len(last.Children) {
			last.Children = append(last.Children, b)
			return
		}
	}
	m.add(page.Block{Kind: page.List, Ordered: number > 0, Start: number, Children: []page.Block{b}})
}

// startsItem returns the bullet or the number that a text begins with, or "". The
// number of "[12]", the mark of a reference, is 12.
func startsItem(s string) (mark string, number int) {
	for _, mark := range bullets {
		if rest, ok := strings.CutPrefix(s, mark); ok && strings.TrimSpace(rest) != "" && (rest[0] == ' ' || mark == "•") {
			return mark, 0
		}
	}
	mark, rest, _ := strings.Cut(s, " ")
	digits := strings.Trim(mark, "()[].")
	if n, err := strconv.Atoi(digits); err == nil && rest != "" && len(digits) <= maxMarker && n > 0 {
		switch strings.Replace(mark, digits, "1", 1) {
		case "1.", "1)", "(1)", "[1]":
			return mark, n
		}
	}
	return "", 0
}

var bullets = [...]string{"•", "◦", "▪", "‣", "■", "∙", "●", "○", "–", "∗"}

// leads reports whether a line is one of a table of contents: dots lead to the
// number at its end.
func leads(s string) bool {
	return strings.Contains(s, " … ") && s[len(s)-1] >= '0' && s[len(s)-1] <= '9'
}

// foldLeaders makes one ellipsis of the dots that lead to a page number.
func foldLeaders(s string) string {
	if !strings.Contains(s, "...") && !strings.Contains(s, ". . .") {
		return s
	}
	var b strings.Builder
	for s != "" {
		rest := strings.TrimLeft(s, ". ")
		if n := len(s) - len(rest); strings.Count(s[:n], ".") >= leaderDots && rest != "" {
			b.WriteString(" … ")
		} else {
			b.WriteString(s[:n])
		}
		n := strings.IndexAny(rest, ". ")
		if n < 0 {
			n = len(rest)
		}
		b.WriteString(rest[:n])
		s = rest[n:]
	}
	return clean(b.String())
}

func endsSentence(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, "\"'”’)]"))
	return strings.ContainsRune(".!?:;。！？؟؛۔", r)
}

// goesOn: the text begins in the middle of a sentence.
func goesOn(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// joinLines joins the text of a line to what stands before it: a word that was
// hyphenated becomes one again, and writing without spaces gets none.
func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	last, n := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	switch {
	case (last == '-' || last == '\u2010') && unicode.IsLower(first):
		before, _ := utf8.DecodeLastRuneInString(a[:len(a)-n])
		if unicode.IsLetter(before) {
			return a[:len(a)-n] + b
		}
	case isHan(last) && isHan(first):
		return a + b
	}
	return a + " " + b
}

// readable makes plain letters of ligatures and of the presentation forms of
// Arabic and Hebrew.
func readable(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return unfold(s)
		}
	}
	return s
}

func unfold(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= 0xfb00 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc {
			// A mark without a letter is written with a space before it.
			b.WriteString(strings.TrimPrefix(norm.NFKC.String(string(r)), " "))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

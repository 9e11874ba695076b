package markdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// Section is a heading and what stands below it, up to the next heading of its
// level or above.
type Section struct {
	// ID names the section within the page: the heading's words in lower case,
	// joined by hyphens, with -2, -3, … where they repeat. It does not change
	// as long as the headings do not.
	ID string `json:"id"`
	// Anchor is the heading's anchor in the page, the fragment of a URL, or "".
	Anchor string `json:"anchor,omitempty"`
	Title  string `json:"title"`  // plain text
	Level  int    `json:"level"`  // 1 to 6
	Tokens int    `json:"tokens"` // of the section with its subsections, by Tokens
	// Start and End delimit the section in the text of Render with the same
	// options, in characters (code points).
	Start int `json:"start"`
	End   int `json:"end"`
}

// Outline returns the sections of p as Render with zero options writes them,
// in order. Text before the first heading belongs to no section.
func Outline(p *page.Page) []Section { return OutlineOf(p, Options{}) }

// OutlineOf is Outline for other options; only Tokens, Start and End differ.
func OutlineOf(p *page.Page, o Options) []Section {
	if p == nil {
		return nil
	}
	var sections []Section
	var at []int
	w := writer{o: o}
	ids := idMaker{}
	w.onHeading = func(b *page.Block, start int) {
		title := headingText(b.Inlines)
		sections = append(sections, Section{ID: ids.make(title), Anchor: b.ID, Title: title, Level: min(max(b.Level, 1), 6)})
		at = append(at, start)
	}
	w.blocks(p.Blocks, false)
	w.trim(0)
	if len(sections) == 0 {
		return nil
	}
	// One pass for the characters, one for the ends: a section ends where the
	// next of its level or above begins.
	chars := make([]int, len(at)+1)
	cost := make([]int, len(at)+1)
	n, from := utf8.RuneCount(w.b[:at[0]]), at[0]
	for i := range at {
		end := len(w.b)
		if i+1 < len(at) {
			end = at[i+1]
		}
		chars[i] = n
		n += utf8.RuneCount(w.b[from:end])
		cost[i+1] = cost[i] + tokens4(w.b[from:end])
		from = end
	}
	chars[len(at)] = n
	var open []int
	for i := 0; i <= len(sections); i++ {
		for len(open) > 0 && (i == len(sections) || sections[open[len(open)-1]].Level >= sections[i].Level) {
			k := open[len(open)-1]
			open = open[:len(open)-1]
			sections[k].Start, sections[k].End = chars[k], chars[i]
			sections[k].Tokens = (cost[i] - cost[k] + 3) / 4
		}
		open = append(open, i)
	}
	return sections
}

// SectionBlocks returns the blocks of the section with an ID or anchor, its
// heading first, and whether there is one. Only headings that are not within
// another block have blocks of their own to be returned; of others it is the
// top-level block they stand in.
func SectionBlocks(p *page.Page, id string) ([]page.Block, bool) {
	if p == nil || id == "" {
		return nil, false
	}
	ids := idMaker{}
	from, level := -1, 0
	byAnchor := -1
	var find func(blocks []page.Block) (hit, anchor bool)
	find = func(blocks []page.Block) (hit, anchor bool) {
		for i := range blocks {
			b := &blocks[i]
			if b.Kind == page.Heading {
				if title := headingText(b.Inlines); title != "" && ids.make(title) == id {
					hit = true
				}
				anchor = anchor || b.ID == id
				continue
			}
			h, a := find(b.Children)
			hit, anchor = hit || h, anchor || a
		}
		return hit, anchor
	}
	for i := range p.Blocks {
		hit, anchor := find(p.Blocks[i : i+1])
		if hit && from < 0 {
			from = i
		}
		if anchor && byAnchor < 0 {
			byAnchor = i
		}
	}
	if from < 0 {
		from = byAnchor
	}
	if from < 0 {
		return nil, false
	}
	if p.Blocks[from].Kind != page.Heading {
		return p.Blocks[from : from+1], true
	}
	level = p.Blocks[from].Level
	to := from + 1
	for to < len(p.Blocks) && (p.Blocks[to].Kind != page.Heading || p.Blocks[to].Level > level) {
		to++
	}
	return p.Blocks[from:to], true
}

func headingText(in []page.Inline) string {
	var t plain
	for i := range in {
		if in[i].Kind == page.Break {
			t.text(" ")
			continue
		}
		if in[i].Kind != page.FootnoteRef {
			t.inlines(in[i : i+1])
		}
	}
	return strings.TrimSpace(strings.ReplaceAll(string(t.b), "\n", " "))
}

// idMaker makes the IDs of a page's sections in order.
type idMaker struct {
	seen map[string]int
}

func (m *idMaker) make(title string) string {
	if m.seen == nil {
		m.seen = map[string]int{}
	}
	s := slug(title)
	n := m.seen[s] + 1
	id := s
	if n > 1 {
		for {
			id = s + "-" + strconv.Itoa(n)
			if m.seen[id] == 0 {
				break
			}
			n++
		}
	}
	m.seen[s] = n
	if id != s {
		m.seen[id] = 1
	}
	return id
}

// slug returns the letters and digits of a title in lower case, joined by
// hyphens, at most about 60 bytes.
func slug(title string) string {
	b := make([]byte, 0, 64)
	gap := false
	for _, r := range title {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			gap = true
			continue
		}
		if gap && len(b) > 0 {
			if len(b) >= 60 {
				break
			}
			b = append(b, '-')
		}
		gap = false
		b = utf8.AppendRune(b, unicode.ToLower(r))
		if len(b) >= 80 {
			break
		}
	}
	if len(b) == 0 {
		return "section"
	}
	return string(b)
}

// OutlineText prints an outline: a line for each heading, indented by its level,
// with its identifier and the tokens of its section.
func OutlineText(sections []Section) string {
	var b strings.Builder
	for _, s := range sections {
		b.WriteString(strings.Repeat("  ", max(s.Level-1, 0)))
		b.WriteString("- " + s.Title + " (" + s.ID + ", ~" + strconv.Itoa(s.Tokens) + " tokens)\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

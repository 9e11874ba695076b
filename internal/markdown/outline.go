package markdown

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// Section is a heading and the content below it; its tokens are those of text.Tokens,
// and its place is that in the text of Render with the same options.
type Section = result.Section

// Outline returns the sections of p in order, with the offsets that they have in the
// output of Render with zero Options. Text before the first heading does not belong
// to a section.
func Outline(p *page.Page) []Section { return OutlineOf(p, Options{}) }

// OutlineOf is Outline for other options; only Tokens, Start and End differ.
func OutlineOf(p *page.Page, o Options) []Section {
	_, sections := RenderOutline(p, o)
	return sections
}

// RenderOutline is Render and OutlineOf in one walk.
func RenderOutline(p *page.Page, o Options) (string, []Section) {
	if p == nil {
		return "", nil
	}
	var sections []Section
	var at []int
	w := writer{o: o}
	ids := idMaker{}
	w.onHeading = func(b *page.Block, start int) {
		title := headingText(b.Inlines)
		sections = append(sections, Section{ID: ids.make(title), Anchor: b.ID, Title: title, Level: min(max(b.Level, 1), maxLevel)})
		at = append(at, start)
	}
	w.blocks(p.Blocks, false)
	w.trim(0)
	w.measure(sections, at)
	w.references()
	return string(w.b), sections
}

// measure sets Start, End and Tokens of the sections, whose headings begin at the
// offsets at.
func (w *writer) measure(sections []Section, at []int) {
	if len(sections) == 0 {
		return
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
		cost[i+1] = cost[i] + text.QuartersOf(w.b[from:end])
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
}

// Part is a run of top-level blocks of a page.
type Part struct {
	From, To int // indexes into Page.Blocks
	Section  int // the index in the outline of the first section in it
}

// Parts returns the top-level blocks of the sections with these IDs or anchors, in
// page order and without duplicates, and the names that no section has. For a
// heading within another block, and for a term of a definition list, it returns the
// top-level block around it. IDs have precedence over anchors.
func Parts(p *page.Page, names []string) (parts []Part, missing []string) {
	if p == nil {
		return nil, names
	}
	x := indexSections(p)
	for _, name := range names {
		from, ok := x.byID[name]
		if !ok {
			from, ok = x.byAnchor[name]
		}
		if !ok {
			missing = append(missing, name)
			continue
		}
		parts = append(parts, Part{from, sectionEnd(p, from), x.before[from]})
	}
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	kept := parts[:0]
	for _, part := range parts {
		if n := len(kept); n > 0 && part.From < kept[n-1].To {
			continue // sections are nested or disjoint
		}
		kept = append(kept, part)
	}
	return kept, missing
}

// sectionEnd returns the index of the top-level block after the section, or the
// single block, that begins at from.
func sectionEnd(p *page.Page, from int) int {
	to := from + 1
	if b := &p.Blocks[from]; b.Kind == page.Heading {
		for to < len(p.Blocks) && (p.Blocks[to].Kind != page.Heading || p.Blocks[to].Level > b.Level) {
			to++
		}
	}
	return to
}

// sectionIndex maps the IDs and anchors of sections to the top-level blocks that
// they are in.
type sectionIndex struct {
	byID, byAnchor map[string]int
	before         []int // number of sections that begin before a top-level block
	ids            idMaker
}

func indexSections(p *page.Page) *sectionIndex {
	x := &sectionIndex{byID: map[string]int{}, byAnchor: map[string]int{}, before: make([]int, len(p.Blocks)+1)}
	for i := range p.Blocks {
		x.before[i+1] = x.before[i] + x.add(p.Blocks[i:i+1], i)
	}
	return x
}

// add indexes the sections in blocks of the top-level block i, and returns their
// number.
func (x *sectionIndex) add(blocks []page.Block, i int) (sections int) {
	first := func(m map[string]int, name string) {
		if _, ok := m[name]; !ok && name != "" {
			m[name] = i
		}
	}
	for j := range blocks {
		b := &blocks[j]
		switch b.Kind {
		case page.Heading:
			if title := headingText(b.Inlines); title != "" {
				first(x.byID, x.ids.make(title))
				sections++
			}
			first(x.byAnchor, b.ID)
		case page.Term:
			first(x.byAnchor, b.ID)
		default:
			sections += x.add(b.Children, i)
		}
	}
	return sections
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
	b := make([]byte, 0, maxSlug)
	gap := false
	for _, r := range title {
		if unicode.IsMark(r) && text.ClassOf(r).Invisible() {
			continue // a selector, whose base may be an emoji
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			gap = true
			continue
		}
		if gap && len(b) > 0 {
			if len(b) >= maxSlug {
				break
			}
			b = append(b, '-')
		}
		gap = false
		b = utf8.AppendRune(b, unicode.ToLower(r))
		if len(b) >= 2*maxSlug {
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

// SectionAt returns the innermost section that holds a character, or nil.
func SectionAt(sections []Section, char int) *Section {
	for i := len(sections) - 1; i >= 0; i-- {
		if s := &sections[i]; s.Start <= char && char < s.End {
			return s
		}
	}
	return nil
}

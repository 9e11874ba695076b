package snapshot

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

// Rules of records. A record is one of several parts of a page that are built
// alike: a row, a card, an entry of a list. Its first words tell it from the others,
// and a control in it acts on it. A ref belongs to the record that it was given in:
// where a page writes another record into the same elements, or draws others in
// their place, the ref is not passed on.
//
//   - An element is a record where a sibling has the same name and the same names of
//     children.
//   - Its words are its heading, else its first text that is seen, with two letters
//     or digits at least; a picture's alternative text is one, and where there is no
//     text, the name for assistive technology. Where another record
//     has the same, as with "Sale" or "New", the texts after it belong to the words.
//     Clocks, percentages and decimal fractions are left out: they change by
//     themselves.
//   - Words without a letter count where no record around has any with one.
//   - Where records say the same, as the buttons of a list whose headings stand beside
//     them, the text before tells them apart, if it is another one for each.

// A Mark is a record that a control is in.
type Mark struct {
	// Up is how many parents are between: 0 is the control itself.
	Up int
	// Words are the texts that tell the record from others, a line each.
	Words string
	// Back is 0 where the words stand in the element, else how many elements before it.
	Back int
}

// In reports whether the words of a record are among the texts that an element has
// now.
func (m Mark) In(texts []string) bool {
	for words := range strings.SplitSeq(m.Words, "\n") {
		if !slices.ContainsFunc(texts, func(s string) bool { return Steady(s) == words }) {
			return false
		}
	}
	return true
}

// records looks for the records of a document; it remembers what it found.
type records struct {
	d     *doc
	m     *marks
	likes map[int]map[uint64]int // of the children of a node, how many are built alike
	first map[int][]string       // texts that have been looked up
	same  map[int]map[said]int   // of the children of a node, how many say the same
	heads map[int]map[int]Mark   // of the children of a node that say the same, what stands before each
}

// said is a text of a record of one build.
type said struct {
	build uint64
	text  string
}

func newRecords(d *doc, m *marks) *records {
	return &records{d, m, make(map[int]map[uint64]int), make(map[int][]string), make(map[int]map[said]int), make(map[int]map[int]Mark)}
}

// of returns the records around a control, the innermost first.
func (r *records) of(i int) []Mark {
	if isGround(r.d.tag(i)) {
		return nil
	}
	var out []Mark
	lettered := false
	for j, up := i, 0; j > 0 && up < recordLevels; j, up = r.d.up(j), up+1 {
		if r.d.kind(j) != element {
			continue
		}
		switch r.d.tag(j) {
		case "body", "html", "main":
			return r.chosen(out, lettered)
		}
		if !r.alike(j) {
			continue
		}
		if words := r.words(j); words != "" && (up == 0 || letters(words) > 1) {
			out = append(out, Mark{Up: up, Words: words})
			lettered = lettered || strings.ContainsFunc(words, unicode.IsLetter)
		}
		if m, ok := r.headOf(j); ok && r.isPressed(i) {
			m.Up = up
			out, lettered = append(out, m), true
		}
	}
	return r.chosen(out, lettered)
}

// isGround reports whether an element is one that is pointed into: what is written beside it, as
// the tip at a chart, follows the mouse and says nothing of what it is.
func isGround(tag string) bool { return tag == "canvas" || tag == "svg" || tag == "video" }

func (r *records) chosen(all []Mark, lettered bool) []Mark {
	return slices.DeleteFunc(all, func(m Mark) bool { return lettered && !strings.ContainsFunc(m.Words, unicode.IsLetter) })
}

// alike reports whether a sibling of an element is built like it. A large part of the page is no
// record: what comes first in it changes with all that it holds.
func (r *records) alike(i int) bool {
	up := r.d.up(i)
	if up < 0 || int(r.d.last[i])-i >= recordNodes {
		return false
	}
	counts := r.likes[up]
	if counts == nil {
		counts = make(map[uint64]int)
		for c := int(r.d.first[up]); c != 0; c = int(r.d.next[c]) {
			if r.d.kind(c) == element {
				counts[r.build(c)]++
			}
		}
		r.likes[up] = counts
	}
	return counts[r.build(i)] > 1
}

// build is a number for the name of an element and those of its children (FNV-1a).
func (r *records) build(i int) uint64 {
	const prime = 1099511628211
	h := (uint64(14695981039346656037) ^ uint64(r.d.src.Nodes.Name[i])) * prime
	for c, n := int(r.d.first[i]), 0; c != 0 && n < 12; c = int(r.d.next[c]) {
		if r.d.kind(c) == element {
			h = (h ^ uint64(r.d.src.Nodes.Name[c]+1)) * prime
			n++
		}
	}
	return h
}

// words are the texts that tell a record from others.
func (r *records) words(i int) string {
	texts := r.texts(i)
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	up := r.d.up(i)
	counts := r.same[up]
	if counts == nil {
		counts = make(map[said]int)
		for c := int(r.d.first[up]); c != 0; c = int(r.d.next[c]) {
			if r.d.kind(c) == element {
				build := r.build(c)
				for _, s := range r.texts(c) {
					counts[said{build, s}]++
				}
			}
		}
		r.same[up] = counts
	}
	build := r.build(i)
	for n, s := range texts {
		if counts[said{build, s}] < 2 {
			return strings.Join(texts[:n+1], "\n")
		}
	}
	return strings.Join(texts, "\n")
}

// isPressed reports whether a control is one that does something, not one that holds a value.
func (r *records) isPressed(i int) bool {
	switch r.m.control[i] {
	case kindLink, kindButton, kindClick:
		return true
	}
	return false
}

// headOf returns what stands before an element that says the same as others of its build.
func (r *records) headOf(i int) (Mark, bool) {
	up := r.d.up(i)
	heads, ok := r.heads[up]
	if !ok {
		heads = r.headsIn(up)
		r.heads[up] = heads
	}
	m, ok := heads[i]
	return m, ok
}

func (r *records) headsIn(up int) map[int]Mark {
	type group struct {
		count int
		heads map[string]bool
	}
	groups := make(map[said]*group)
	each := func(f func(c int, key said)) {
		for c := int(r.d.first[up]); c != 0; c = int(r.d.next[c]) {
			var key said
			if r.d.kind(c) == element {
				key = said{r.build(c), r.words(c)}
			}
			f(c, key)
		}
	}
	each(func(_ int, key said) {
		if groups[key] == nil {
			groups[key] = &group{heads: make(map[string]bool)}
		}
		groups[key].count++
	})
	out := make(map[int]Mark)
	last, at, n := "", 0, 0 // the last text, the number of the element that it is in or behind, and of the one at hand
	each(func(c int, key said) {
		if r.d.kind(c) == textNode && r.m.shown[c] {
			if s := Steady(r.d.str(r.d.src.Nodes.Value[c])); isWord(s) {
				last, at = s, n
			}
		}
		if r.d.kind(c) != element {
			return
		}
		n++
		if g := groups[key]; g.count > 1 && last != "" {
			out[c] = Mark{Words: last, Back: n - at}
			g.heads[last] = true
		}
		if texts := r.texts(c); r.m.control[c] == noControl && !r.m.inside[c] && len(texts) > 0 && isWord(texts[0]) {
			last, at = texts[0], n
		}
	})
	each(func(c int, key said) {
		if g := groups[key]; len(g.heads) < g.count {
			delete(out, c)
		}
	})
	return out
}

// isWord reports whether a text may be the name of something.
func isWord(s string) bool { return letters(s) > 1 && strings.ContainsFunc(s, unicode.IsLetter) }

// texts are the first texts in an element, each once, its heading before all.
func (r *records) texts(i int) []string {
	if out, ok := r.first[i]; ok {
		return out
	}
	var out []string
	heading, label := "", ""
	add := func(j int, s string) {
		s = Steady(s)
		if letters(s) == 0 || slices.Contains(out, s) {
			return
		}
		if heading == "" && r.headed(j, i) {
			heading = s
		} else if len(out) < recordTexts {
			out = append(out, s)
		}
	}
	if !r.holdsValue(i) {
		label = Steady(r.d.attr(i, "aria-label"))
		r.d.walk(i, recordNodes, func(j int) step {
			switch {
			case r.holdsValue(j):
				return past // its text is its value, which changes
			case !r.m.shown[j]:
			case r.d.kind(j) == textNode:
				add(j, r.d.str(r.d.src.Nodes.Value[j]))
			case r.d.tag(j) == "img":
				add(j, r.d.attr(j, "alt"))
			case label == "":
				label = Steady(r.d.attr(j, "aria-label"))
			}
			if len(out) == recordTexts && heading != "" {
				return stop
			}
			return into
		})
	}
	if heading != "" {
		out = append([]string{heading}, out...)
		out = out[:min(len(out), recordTexts)]
	}
	if len(out) == 0 && label != "" {
		out = []string{label}
	}
	r.first[i] = out
	return out
}

// headed reports whether a text stands in a heading of a record.
func (r *records) headed(j, record int) bool {
	for up, n := r.d.up(j), 0; up > record && n < 4; up, n = r.d.up(up), n+1 {
		if headingLevel(r.d.tag(up)) > 0 {
			return true
		}
	}
	return false
}

// holdsValue reports whether the text of a control is what it holds or does now: that
// of a field, of what opens a list, of a switch.
func (r *records) holdsValue(i int) bool {
	switch r.m.control[i] {
	case noControl:
		return false
	case kindText, kindCombo, kindSlider:
		return true
	}
	return r.d.has(i, "aria-haspopup") || r.d.has(i, "aria-pressed") || r.d.has(i, "aria-expanded")
}

// near are the words beside a control that is in no record: what a control that
// comes in its place has to stand beside too.
func (r *records) near(i int) string {
	if isGround(r.d.tag(i)) {
		return ""
	}
	s := ""
	for up, n := r.d.up(i), 0; s == "" && up > 0 && n < recordLevels; up, n = r.d.up(up), n+1 {
		if r.d.tag(up) == "body" {
			break // beside everything
		}
		r.d.descend(up, recordNodes, func(j int) bool {
			if r.d.kind(j) == textNode && r.m.shown[j] && !r.d.within(j, i) { // beside the control
				if words := uncounted(Steady(r.d.str(r.d.src.Nodes.Value[j]))); letters(words) > 1 {
					s = words
				}
			}
			return s == ""
		})
	}
	return s
}

// uncounted is a text without the number that it begins with, if it counts something: "3 left",
// which is the same place as "2 left".
func uncounted(s string) string {
	rest := strings.TrimLeft(s, "0123456789")
	if len(rest) > 1 && len(rest) < len(s) && rest[0] == ' ' && rest[1] >= 'a' && rest[1] <= 'z' {
		return rest[1:]
	}
	return s
}

// identity is a number for what the markup says a control is for, as a URL, an identifier
// or the number of a record. Attributes that tell a state or a look are left out.
func (d *doc) identity(i int, kind byte) uint64 {
	h := fnv.New64a()
	for n := 0; i > 0 && n <= keyLevels; i, n = d.up(i), n+1 {
		if d.kind(i) != element {
			continue
		}
		a := d.src.Nodes.Attributes[i]
		for k := 0; k+1 < len(a); k += 2 {
			name, value := d.str(a[k]), d.str(a[k+1])
			switch name {
			case "href", "id", "name", "onclick":
			case "value":
				if kind == kindText || kind == kindCombo || kind == kindSlider {
					continue
				}
			default:
				if !strings.HasPrefix(name, "data-") || !strings.ContainsAny(value, "0123456789") && !strings.HasSuffix(name, "id") && !strings.HasSuffix(name, "key") {
					continue
				}
			}
			_, _ = h.Write([]byte(name + value[:min(len(value), 2*recordBytes)]))
		}
	}
	return h.Sum64()
}

// Steady is a text without what changes by itself, as records are compared.
func Steady(s string) string {
	if len(s) > 4*recordBytes {
		s = s[:4*recordBytes]
	}
	var out []string
	for _, w := range strings.Fields(s) {
		digits := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsLetter(r) && r != '%' })
		if strings.ContainsAny(digits, ":.,%") && !strings.ContainsFunc(digits, unicode.IsLetter) {
			continue
		}
		out = append(out, w)
	}
	return clip(clean(strings.Join(out, " ")), recordBytes)
}

// differ reports whether the records of a control are other ones than before.
func differ(before, now []Mark) bool {
	for _, b := range before {
		for _, n := range now {
			if b.Up == n.Up && (b.Back > 0) == (n.Back > 0) && b.Words != n.Words {
				return true
			}
		}
	}
	return false
}

// Marks are the records that the control of a ref was in when the page was read.
func (p *Page) Marks(n Node) []Mark { return p.nodes[n].marks }

// recordOf is what a control is in or beside, for comparisons.
func (p *Page) recordOf(n Node) string {
	at := p.nodes[n]
	if len(at.marks) == 0 {
		return at.near
	}
	words := make([]string, len(at.marks))
	for i, m := range at.marks {
		words[i] = m.Words
	}
	return strings.Join(words, "\n")
}

// A trace is what a ref was on when it was seen last.
type trace struct {
	words, record, title string
	line                 int
}

// remember keeps what the page's refs are on.
func (p *Page) remember(refs *Refs) {
	for i := range p.Lines {
		words := ""
		for _, ref := range p.Lines[i].Refs {
			n, ok := refs.nodes[ref]
			if !ok {
				continue
			}
			if words == "" {
				words = p.signature(i)
			}
			refs.traces[ref] = trace{words, p.recordOf(n), p.title(n), i}
		}
	}
}

// title is the name of a record: its outermost words.
func (p *Page) title(n Node) string {
	if marks := p.nodes[n].marks; len(marks) > 0 {
		return strings.ReplaceAll(marks[len(marks)-1].Words, "\n", " · ")
	}
	return ""
}

// A Successor is what took the place of a control that has left the page.
type Successor struct {
	// Was is the line that the control was in, without refs, and Record the record.
	Was, Record string
	// Ref is that of the successor, empty where there is none; Line is its line and
	// NowRecord its record. Same says that it is in the same record.
	Ref, Line, NowRecord string
	Same                 bool
	// Named is a name that stands for the successor alone, where its line says what that of
	// the control said.
	Named Name
}

// Successor looks for the element in the place of a stale ref. It returns false if the
// ref was never given to this document.
func (p *Page) Successor(ref string, refs *Refs) (Successor, bool) {
	was, ok := refs.traces[ref]
	if !ok {
		return Successor{}, false
	}
	out := Successor{Was: was.words[strings.IndexByte(was.words, '\n')+1:], Record: was.title}
	best := 0
	for i := range p.Lines {
		for _, r := range p.Lines[i].Refs {
			n, there := refs.nodes[r]
			if !there || r[0] != ref[0] || r == ref {
				continue
			}
			score, same, alike := 0, was.record != "" && p.recordOf(n) == was.record, p.signature(i) == was.words
			for k, is := range [...]bool{max(i-was.line, was.line-i) <= 2, alike, same} {
				if is {
					score += 1 << k
				}
			}
			if score > best {
				best = score
				out.Ref, out.Line, out.NowRecord, out.Same, out.Named = r, p.Lines[i].Text, p.title(n), same, Name{}
				if alike {
					out.Named = p.nameFor(r, out.Line)
				}
			}
		}
	}
	return out, true
}

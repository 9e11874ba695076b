package snapshot

import (
	"slices"
	"strings"
)

// Rules of an element that takes the place of another. Pages that redraw themselves,
// on a timer or after each key, replace elements by similar ones. What has the same
// words at the same place in its line, where as many went as came, is taken for the same
// if its markup names the same thing too (doc.identity): it takes the ref. What is only
// hidden, as what was scrolled out of its box, has not gone. A line with other words is
// another one, and so is one in another record or, outside of records, beside other words
// (record.go): a button in the row of another person is another button.

// Redrawn reports whether the page shows other elements than at an earlier look.
func (p *Page) Redrawn(before *Page) bool {
	if before == nil || len(p.nodes) != len(before.nodes) {
		return true
	}
	for n := range p.nodes {
		if _, ok := before.nodes[n]; !ok {
			return true
		}
	}
	return false
}

// Keep gives elements of a page the refs of those whose place they took since
// an earlier look at the same document.
func (p *Page) Keep(before *Page, refs *Refs) {
	defer p.remember(refs)
	p.unseen = before == nil || before.unseen
	if !slices.ContainsFunc(p.Lines, func(l Line) bool { return l.behind }) {
		p.unseen = false
	}
	if before == nil {
		return
	}
	lines := make(map[string]int) // what lines say, by number
	gone := make(map[standing][]string)
	before.each(func(n Node) bool { _, there := p.nodes[n]; return !there && !p.hidden[n] }, refs, lines, func(at standing, _, _ int, ref string) {
		gone[at] = append(gone[at], ref)
	})
	if len(gone) == 0 {
		return
	}
	type control struct {
		at        standing
		line, nth int
		ref       string
	}
	var came []control
	count := make(map[standing]int)
	p.each(func(n Node) bool { _, old := before.nodes[n]; return !old }, refs, lines, func(at standing, line, nth int, ref string) {
		came = append(came, control{at, line, nth, ref})
		count[at]++
	})
	// Unused numbers are used again, the last ones first.
	changed := make(map[int]bool)
	for _, c := range slices.Backward(came) {
		old := gone[c.at]
		if len(old) == 0 || count[c.at] != len(old) {
			continue
		}
		ref := old[len(old)-1]
		gone[c.at] = old[:len(old)-1]
		count[c.at]--
		refs.move(c.ref, ref)
		if v, ok := p.values[c.ref]; ok {
			delete(p.values, c.ref)
			p.values[ref] = v
		}
		if to, ok := p.links[c.ref]; ok {
			delete(p.links, c.ref)
			p.links[ref] = to
		}
		if !changed[c.line] {
			changed[c.line] = true
			p.Lines[c.line].was = slices.Clone(p.Lines[c.line].Refs)
		}
		p.Lines[c.line].Refs[c.nth] = ref
	}
	for i := range changed {
		p.Lines[i].rename()
	}
}

// A standing is where a control stands: what its line says, and which control
// of the line it is.
type standing struct {
	line, nth int
	record    string
	key       uint64
}

// each calls f for the controls that are chosen. lines gives what lines say a
// number, those of other pages included.
func (p *Page) each(chosen func(Node) bool, refs *Refs, lines map[string]int, f func(at standing, line, nth int, ref string)) {
	for i := range p.Lines {
		says := -1
		for k, ref := range p.Lines[i].Refs {
			n, ok := refs.nodes[ref]
			if !ok || !chosen(n) {
				continue
			}
			if says < 0 {
				words := p.signature(i)
				if says, ok = lines[words]; !ok {
					says = len(lines)
					lines[words] = says
				}
			}
			f(standing{says, k, p.recordOf(n), p.nodes[n].key}, i, k, ref)
		}
	}
}

// signature is a line with its part of the page, without the numbers of its
// refs.
func (p *Page) signature(i int) string {
	l := &p.Lines[i]
	var b strings.Builder
	if l.Region >= 0 {
		b.WriteString(p.Regions[l.Region].Kind + " " + p.Regions[l.Region].Name + "\n")
	}
	rest := l.Text
	for _, ref := range l.Refs {
		before, after, _ := strings.Cut(rest, "]("+ref+")")
		b.WriteString(before + "](" + ref[:1] + ")")
		rest = after
	}
	b.WriteString(rest)
	return b.String()
}

// rename rewrites the refs of a line.
func (l *Line) rename() {
	var b strings.Builder
	rest := l.Text
	for k, was := range l.was {
		before, after, ok := strings.Cut(rest, "]("+was+")")
		if !ok {
			break
		}
		b.WriteString(before + "](" + l.Refs[k] + ")")
		rest = after
	}
	l.Text, l.was = b.String()+rest, nil
}

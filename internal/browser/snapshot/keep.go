package snapshot

import (
	"strconv"
	"strings"
)

// Rules of an element that takes the place of another. Pages that draw
// themselves anew, on a clock or after each key, replace elements by their
// like. What stands in the same words at the same place in its line, where as
// many went as came, is taken for the same: it keeps the ref. A line with other
// words is another one: a button of the row of somebody else is not the one
// that was seen.

// Keep gives elements of a page the refs of those whose place they took since
// an earlier look at the same document.
func (p *Page) Keep(before *Page, refs *Refs) {
	if before == nil {
		return
	}
	// Numbers that are not in use any more are given again, the last ones first.
	var came []spotInLine
	for i := range p.Lines {
		for k, ref := range p.Lines[i].Refs {
			if _, old := before.nodes[refs.nodes[ref]]; !old {
				came = append(came, spotInLine{i, k})
			}
		}
	}
	if len(came) == 0 {
		return
	}
	gone := make(map[string][]string) // refs by signature
	for i := range before.Lines {
		var words string
		for k, ref := range before.Lines[i].Refs {
			n, ok := refs.nodes[ref]
			if _, there := p.nodes[n]; !ok || there {
				continue
			}
			if words == "" {
				words = before.signature(i)
			}
			s := words + strconv.Itoa(k)
			gone[s] = append(gone[s], ref)
		}
	}
	if len(gone) == 0 {
		return
	}
	count := make(map[string]int)
	signatures := make([]string, len(came))
	for j, c := range came {
		signatures[j] = p.signature(c.line) + strconv.Itoa(c.nth)
		count[signatures[j]]++
	}
	for j := len(came) - 1; j >= 0; j-- {
		old := gone[signatures[j]]
		if len(old) == 0 || count[signatures[j]] != len(old) {
			continue
		}
		p.take(came[j], old[len(old)-1], refs)
		gone[signatures[j]] = old[:len(old)-1]
		count[signatures[j]]--
	}
}

// A spotInLine is a control: its line, and which one of the line it is.
type spotInLine struct{ line, nth int }

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
	b.WriteString(rest + "\n")
	return b.String()
}

// take gives a control the ref of another one.
func (p *Page) take(c spotInLine, ref string, refs *Refs) {
	l := &p.Lines[c.line]
	mine := l.Refs[c.nth]
	n := refs.nodes[mine]
	if old, ok := refs.nodes[ref]; ok {
		delete(refs.names, old)
	}
	delete(refs.nodes, mine)
	refs.names[n], refs.nodes[ref] = ref, n
	refs.numbers[ref[0]&127].free(mine)
	l.Text = strings.Replace(l.Text, "]("+mine+")", "]("+ref+")", 1)
	l.Refs[c.nth] = ref
	if v, ok := p.values[mine]; ok {
		delete(p.values, mine)
		p.values[ref] = v
	}
}

package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Estimate is the number of tokens of a text, in hundredths by character: the
// weights were fitted to o200k on snapshots of twelve real pages, and then
// raised by a tenth, so that budgets hold. Snapshots have more digits and
// brackets than prose, for which a quarter of the bytes does.
func Estimate(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			n += 24
		case r == ' ', r == '\n':
		case r >= '0' && r <= '9':
			n += 77
		case r < 0x80:
			n += 66
		case r < 0x2e80:
			n += 77
		default:
			n += 100
		}
	}
	return (n + 99) / 100
}

// Tokens is the estimate of the whole page.
func (p *Page) Tokens() int {
	p = p.front()
	n := 0
	for i := range p.Lines {
		n += Estimate(p.Lines[i].Text) + 1
	}
	return n
}

// Text is the whole page.
func (p *Page) Text() string { return p.Within(-1) }

// mark is the sign of a line that an earlier look did not have.
func (l *Line) mark() string {
	if l.fresh {
		return "+ "
	}
	return ""
}

// foldText is the line for what is behind a dialog.
func foldText(lines int) string {
	return "… " + text.Count(lines, "line") + " behind the dialog, usable when it is closed; browser_find looks there too"
}

// Part returns what stands in the element of a ref; false when the page does
// not have it.
func (p *Page) Part(ref string, refs *Refs) (*Page, bool) {
	n, ok := refs.Node(ref)
	if !ok {
		return nil, false
	}
	out := &Page{Regions: p.Regions, Truncated: p.Truncated, nodes: p.nodes}
	from, to := 0, 0
	if at, ok := p.nodes[n]; ok {
		from, to = at.from, min(at.to, len(p.Lines))
		for to == from+1 && to < len(p.Lines) && p.Lines[from].opens {
			from, to = from+1, to+1 // its line came after the one of its region
		}
		out.inView = at.inView
	} else if r := slices.IndexFunc(p.Regions, func(g Region) bool { return g.Ref == ref }); r >= 0 && p.Regions[r].line >= 0 {
		from = p.Regions[r].line
		to = from + 1
		for to < len(p.Lines) && p.within(p.Lines[to].Region, r) {
			to++
		}
		out.inView = slices.ContainsFunc(p.Lines[from:to], func(l Line) bool { return l.InView })
	} else {
		return nil, false
	}
	for _, l := range p.Lines[from:to] {
		out.covered = out.covered || l.behind
		l.behind = false
		out.Lines = append(out.Lines, l)
		for _, r := range l.Refs {
			if v, ok := p.values[r]; ok {
				out.Lines = append(out.Lines, Line{Text: r + " holds: " + v, Region: l.Region})
			}
		}
	}
	return out, true
}

// InWindow reports whether some of a part of a page stands in the window.
func (p *Page) InWindow() bool { return p.inView }

// Covered reports whether a dialog lies over a part of a page.
func (p *Page) Covered() bool { return p.covered }

// within reports whether region r is outer or inside of it.
func (p *Page) within(r, outer int) bool {
	for n := 0; r >= 0 && n <= len(p.Regions); n++ {
		if r == outer {
			return true
		}
		r = p.Regions[r].up
	}
	return false
}

// Weights of lines. The most useful lines come first: a dialog hides the rest, headings say what there is, fields and buttons of the main part can be
// used; navigation and footers are the same on every page.
func (p *Page) weight(l *Line) int {
	w := 30
	switch {
	case l.Level > 0 && l.Level <= 2:
		w += 40
	case l.Level > 0:
		w += 25
	}
	if l.InView {
		w += 15
	}
	for _, r := range l.Refs {
		switch r[0] {
		case kindText, kindCombo, kindCheck, kindRadio, kindSlider, kindFile:
			w += 30
		case kindButton, kindOption, kindClick:
			w += 15
		case kindLink:
			w += 4
		}
		if w > 100 {
			break
		}
	}
	for r, n := l.Region, 0; r >= 0 && n < 16; r, n = p.Regions[r].up, n+1 {
		switch p.Regions[r].Kind {
		case "dialog", "alert":
			w += 60
		case "main", "search":
			w += 15
		case "footer":
			w -= 25
		case "nav", "aside":
			w -= 15
		case "iframe":
			w -= 5
		}
	}
	return w
}

// restTokens are for the line that says how to see the rest.
const restTokens = 45

// longLine is how much of a text without controls is shown where there is not
// room for all of the page.
const longLine = 160

// Within is the page within a number of tokens by estimate: what matters most,
// in the page's order, with a line for what is left out and how to see it.
// Less than zero means no limit.
func (p *Page) Within(most int) string {
	p = p.front()
	var b strings.Builder
	total := p.Tokens()
	if most < 0 || total <= most {
		for i := range p.Lines {
			b.WriteString(p.Lines[i].mark() + p.Lines[i].Text)
			b.WriteByte('\n')
		}
		p.cutShort(&b)
		return b.String()
	}
	keep := p.choose(most - restTokens)
	left, tokens, region := 0, 0, -1
	gap := func() {
		if left > 0 {
			where := ""
			if region >= 0 && p.Regions[region].Ref != "" {
				where = ": ref=" + p.Regions[region].Ref
			}
			fmt.Fprintf(&b, "… %s, ~%d tokens%s\n", text.Count(left, "line"), tokens, where)
		}
		left, tokens, region = 0, 0, -1
	}
	for i := range p.Lines {
		l := &p.Lines[i]
		if keep[i] == "" {
			if left == 0 {
				region = p.written(l.Region)
			} else {
				region = p.common(region, p.written(l.Region))
			}
			left++
			tokens += Estimate(l.Text) + 1
			continue
		}
		gap()
		b.WriteString(l.mark() + keep[i])
		b.WriteByte('\n')
	}
	gap()
	fmt.Fprintf(&b, "(~%d of ~%d tokens: browser_snapshot with ref or a higher max_tokens shows the rest, browser_find looks for words)\n", Estimate(b.String()), total)
	p.cutShort(&b)
	return b.String()
}

// cutShort writes what is missing whatever the budget is.
func (p *Page) cutShort(b *strings.Builder) {
	if p.Truncated {
		b.WriteString("(the page is too large to be taken whole)\n")
	}
}

// common is the innermost region around two.
func (p *Page) common(a, b int) int {
	for n := 0; a >= 0 && n <= len(p.Regions); n++ {
		if p.within(b, a) {
			return a
		}
		a = p.Regions[a].up
	}
	return -1
}

// choose returns the lines that fit, each as it is written, "" for the others.
// Lines that weigh the same are taken in the page's order. Each run of lines
// that is left out costs a line of its own, which is what the share is for.
func (p *Page) choose(most int) []string {
	order := make([]int, len(p.Lines))
	weights := make([]int, len(p.Lines))
	for i := range p.Lines {
		order[i] = i
		weights[i] = p.weight(&p.Lines[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return weights[b] - weights[a] })
	const gapTokens = 10
	keep := make([]string, len(p.Lines))
	spent := gapTokens
	for _, i := range order {
		l := &p.Lines[i]
		text := l.Text
		if len(l.Refs) == 0 && l.Level == 0 {
			text = clip(text, longLine)
		}
		cost := Estimate(text) + 1
		// A line beside kept lines makes no gap; a single line makes one.
		before, after := i > 0 && keep[i-1] != "", i+1 < len(keep) && keep[i+1] != ""
		switch {
		case !before && !after:
			cost += gapTokens
		case before && after:
			cost -= gapTokens
		}
		if spent+cost <= most {
			keep[i] = text
			spent += cost
		}
	}
	return keep
}

// Find returns the lines that match, at most as many as fit in a budget of
// tokens, how many lines these are, and how many match. A line without controls
// is given a ref (p…), to scroll to and to select from; nil refs give none.
func (p *Page) Find(match func(string) bool, most int, refs *Refs) (lines string, shown, count int) {
	var b strings.Builder
	tokens, region := 0, -2
	for i := range p.Lines {
		l := &p.Lines[i]
		if l.opens || !match(l.Text) {
			continue
		}
		count++
		if tokens > most {
			continue
		}
		shown++
		at := p.written(l.Region)
		if at != region && at >= 0 {
			g := &p.Regions[at]
			head := clip(p.Lines[g.line].Text, 600) + " (ref=" + g.Ref + ")"
			tokens += Estimate(head) + 1
			b.WriteString(head + "\n")
		}
		region = at
		text := clip(l.Text, 600)
		if len(l.Refs) == 0 && l.node != (Node{}) && refs != nil {
			ref := refs.name(l.node, kindPassage, nil)
			p.nodes[l.node] = place{from: i, to: i + 1, frame: l.frame}
			text += " (ref=" + ref + ")"
		}
		if l.behind {
			text += " (behind the dialog)"
		}
		tokens += Estimate(text) + 1
		b.WriteString(text)
		b.WriteByte('\n')
	}
	return b.String(), shown, count
}

package snapshot

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
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
	out := &Page{Regions: p.Regions, Truncated: p.Truncated, nodes: p.nodes, links: p.links, whole: -1}
	from, to := 0, 0
	if at, ok := p.nodes[n]; ok {
		from, to = at.from, min(at.to, len(p.Lines))
		for to == from+1 && to < len(p.Lines) && p.Lines[from].opens {
			from, to = from+1, to+1 // its line came after the one of its region
		}
		out.inView = at.inView
	} else if r := slices.IndexFunc(p.Regions, func(g Region) bool { return g.Ref == ref }); r >= 0 && p.Regions[r].line >= 0 {
		from, out.whole = p.Regions[r].line, r
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

// Weights of lines. What the page is about comes first: a dialog hides the rest, headings say what
// there is, lines with new words say something, fields can be filled in. Rows of the same buttons
// again and again say nothing, and navigation and footers are the same on every page.
func (p *Page) weight(l *Line, n news) int {
	w := weightLine + min(n.fresh, mostFresh)*weightWord
	if n.price {
		w += weightPrice
	}
	switch {
	case l.Level > 0 && l.Level <= 2:
		w += weightTitle
	case l.Level > 0:
		w += weightHeading
	}
	if l.InView {
		w += weightInView
	}
	control := 0
	for _, r := range l.Refs {
		switch r[0] {
		case kindText, kindCombo, kindCheck, kindRadio, kindSlider, kindFile:
			control = max(control, weightField)
		case kindButton, kindOption, kindClick:
			control = max(control, weightButton)
		case kindLink:
			control = max(control, weightLink)
		}
	}
	if w += control; n.again || n.fresh == 0 && n.words > 0 && n.words <= fewWords*len(l.Refs) {
		w -= weightAgain
	}
	for r, n := l.Region, 0; r >= 0 && n < 16; r, n = p.Regions[r].up, n+1 {
		w += weightRegion[p.Regions[r].Kind]
	}
	return w
}

// news is what a line says.
type news struct {
	words, fresh int  // words, and those of them that no line before has
	price        bool // a sum of money is in it
	again        bool // it has buttons alone, as lines before it have
}

func (p *Page) news() []news {
	out := make([]news, len(p.Lines))
	seen := make(map[string]bool)
	rows := 0 // of buttons alone
	for i := range p.Lines {
		n, buttons := &out[i], 0
		for _, part := range parts(p.Lines[i].Text) {
			part, ref, control := strings.Cut(part, "](")
			if control && strings.IndexByte("bko", ref[0]) >= 0 {
				buttons++
			}
			money := strings.IndexFunc(part, func(r rune) bool { return unicode.Is(unicode.Sc, r) })
			n.price = n.price || money >= 0 && strings.ContainsAny(part, "0123456789")
			for word := range strings.FieldsFuncSeq(strings.ToLower(part), func(r rune) bool { return !unicode.IsLetter(r) }) {
				if n.words++; !seen[word] {
					seen[word] = true
					n.fresh++
				}
			}
			if !control && letters(part) > 0 {
				buttons = -mostRow
			}
		}
		if buttons > 0 && buttons == len(p.Lines[i].Refs) && p.Lines[i].Level == 0 {
			rows++
			n.again = rows > buttonRows
		}
	}
	return out
}

// Within is the page within a number of tokens by estimate: what matters most,
// in the page's order, with a line for what is left out and how to see it.
// Less than zero means no limit.
func (p *Page) Within(most int) string {
	p = p.front()
	var b strings.Builder
	total := p.Tokens()
	write := func(text string) {
		b.WriteString(text)
		b.WriteByte('\n')
	}
	if most < 0 || total <= most {
		for i := range p.Lines {
			write(p.Lines[i].Text)
		}
		p.cutShort(&b)
		return b.String()
	}
	keep := p.choose(most - restTokens)
	from, tokens, region := 0, 0, -1
	gap := func(to int) {
		if from == to {
			return
		}
		fold := fmt.Sprintf("… %s, ~%d tokens", text.Count(to-from, "line"), tokens)
		if region >= 0 && !p.within(p.whole, region) && p.Regions[region].Ref != "" {
			fold += ": ref=" + p.Regions[region].Ref
		}
		if tokens <= Estimate(fold)+1 {
			for i := from; i < to; i++ {
				write(p.Lines[i].Text)
			}
		} else {
			b.WriteString(fold + "\n")
		}
	}
	for i := range p.Lines {
		l := &p.Lines[i]
		if keep[i] != "" {
			gap(i)
			write(keep[i])
			from, tokens, region = i+1, 0, -1
			continue
		}
		if from == i {
			region = p.written(l.Region)
		} else {
			region = p.common(region, p.written(l.Region))
		}
		tokens += Estimate(l.Text) + 1
	}
	gap(len(p.Lines))
	fmt.Fprintf(&b, "(~%d of ~%d tokens: browser_snapshot with ref or a higher max_tokens shows the rest, browser_find looks for words)\n", Estimate(b.String()), total)
	p.cutShort(&b)
	return b.String()
}

// cutShort writes what is missing whatever the budget is.
func (p *Page) cutShort(b *strings.Builder) {
	if p.Truncated {
		b.WriteString("(the page is too large to be taken whole)\n")
	}
	if p.unpainted > 0 {
		fmt.Fprintf(b, "(~%d tokens of text are on the page but not painted: it may still be loading, or need what did not load)\n", p.unpainted)
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
// that is left out costs a line of its own. Texts without controls are cut first, and
// shown whole where there is room in the end.
func (p *Page) choose(most int) []string {
	order := make([]int, len(p.Lines))
	weights := make([]int, len(p.Lines))
	all := p.news()
	for i := range p.Lines {
		order[i] = i
		weights[i] = p.weight(&p.Lines[i], all[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return weights[b] - weights[a] })
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
	for _, i := range order {
		if keep[i] == "" || keep[i] == p.Lines[i].Text {
			continue
		}
		if more := Estimate(p.Lines[i].Text) - Estimate(keep[i]); spent+more <= most {
			keep[i] = p.Lines[i].Text
			spent += more
		}
	}
	return keep
}

// A link is where a control leads, as its markup says it, and what that is relative to.
type link struct{ base, href string }

// WithLinks is the page with the URLs of its links: [Next](a7 /page/2). URLs of the page's own site
// have no host.
func (p *Page) WithLinks() *Page {
	out := *p
	out.Lines = slices.Clone(p.Lines)
	for i := range out.Lines {
		l := &out.Lines[i]
		for _, ref := range l.Refs {
			if to, ok := p.links[ref]; ok {
				if s := to.short(); s != "" {
					l.Text = strings.Replace(l.Text, "]("+ref+")", "]("+ref+" "+s+")", 1)
				}
			}
		}
	}
	return &out
}

// short is a URL as it is written in a snapshot; "" for one that only scripts understand.
func (l link) short() string {
	base, _ := weburl.Parse(l.base)
	u, err := base.Resolve(l.href)
	if err != nil || !strings.Contains(" http https mailto tel ", " "+u.Scheme()+" ") {
		return ""
	}
	s := u.String()
	if own := base.Origin(); strings.HasPrefix(s, own+"/") {
		s = s[len(own):]
	}
	return clip(strings.NewReplacer("(", "%28", ")", "%29").Replace(text.Line(s)), mostURL)
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
			n := l.nodeOf(match)
			ref := refs.name(n, kindPassage, nil)
			p.nodes[n] = place{from: i, to: i + 1, frame: l.frame}
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

// nodeOf is what has the words that match first.
func (l *Line) nodeOf(match func(string) bool) Node {
	after := sort.Search(len(l.later), func(k int) bool { return match(l.Text[:min(l.later[k].at, len(l.Text))]) })
	if after == 0 {
		return l.node
	}
	return l.later[after-1].node
}

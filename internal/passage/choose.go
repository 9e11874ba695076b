package passage

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/markdown"
)

// This file takes units by what they are worth within a budget, and writes them.

// Chosen is what Passages come to within a budget.
type Chosen struct {
	Text  string
	Count int  // of passages
	Gaps  bool // something was left out, and is marked
}

// Markdown is the text that the passages are chosen from.
func (p *Passages) Markdown() string { return p.md }

// Brief makes the passages end before the budget, where they very likely hold the answer.
func (p *Passages) Brief() *Passages {
	p.brief = true
	return p
}

// Choose returns the passages that answer best, in page order, within a budget
// in characters and tokens, of which 0 is none.
func (p *Passages) Choose(chars, tokens int) Chosen {
	budget := cost{chars, quarters * tokens}
	if chars <= 0 {
		budget.chars = math.MaxInt / 2
	}
	if tokens <= 0 {
		budget.quarters = math.MaxInt / 2
	}
	if all := costOf(p.md); all.within(budget) && (!p.brief || !p.matched || all.quarters <= quarters*fewTokens) {
		chosen := make([]bool, len(p.units))
		for i := range chosen {
			chosen[i] = !p.ignored(i)
		}
		return p.write(chosen)
	}
	order := p.byWorth()
	c := p.write(p.choose(order, budget))
	if c.Count == 0 && len(order) > 0 {
		// Not even one fits: the beginning of the best.
		best := p.units[order[0]]
		window := func(limit int) (string, int, bool) { return markdown.Window(p.md[best.from:best.to], 0, limit) }
		c.Text, _, _, _ = markdown.Fit(window, chars, tokens)
		c.Count, c.Gaps = 1, true
	}
	return c
}

// ignored reports whether a unit is as if it were not there: it stands outside
// of the main content and nothing speaks for it.
func (p *Passages) ignored(i int) bool {
	return p.facts[i].aside && p.units[i].table < 0 && p.facts[i].likely == 0
}

// choice is which units are chosen within a budget.
type choice struct {
	p                *Passages
	chosen           []bool
	left             cost
	all, have        float64 // likelihoods: of the page, of what is chosen
	gapCost, rowCost cost
}

// choose marks the units that are worth most for their cost.
func (p *Passages) choose(order []int, budget cost) []bool {
	c := choice{p: p, chosen: make([]bool, len(p.units)), gapCost: costOf("\n\n" + Gap + "\n\n"), rowCost: costOf(rowGap)}
	c.left = budget.minus(c.gapCost) // the one at the end, or the beginning
	for i := range p.facts {
		c.all += p.facts[i].likely
	}
	ends := p.brief && p.matched && len(order) > 0 && p.units[order[0]].table < 0
	for _, i := range order {
		switch {
		case c.chosen[i]:
			continue
		case ends && budget.quarters-c.left.quarters >= quarters*fewTokens && c.have >= enough*c.all:
		case p.units[i].table < 0 && p.matched:
			c.takeText(i)
			continue
		case c.takeRow(i) || p.matched:
			continue
		}
		break // what is wanted is there, or it is the beginning that is wanted
	}
	if p.matched {
		p.join(c.chosen, c.left)
	}
	return c.chosen
}

// price is what taking a unit costs with what is written before it.
func (c *choice) price(i int) cost {
	p, u := c.p, &c.p.units[i]
	switch {
	case i > 0 && c.chosen[i-1]:
		return p.facts[i].cost.plus(costOf(p.md[p.units[i-1].to:u.from]))
	case u.kind == rowUnit:
		return p.facts[i].cost.plus(c.rowCost)
	}
	own := p.facts[i].cost.plus(c.gapCost)
	if u.fence != "" {
		own = own.plus(costOf(u.fence)).plus(costOf(u.fence)).plus(cost{2, 2})
	}
	return own
}

// take takes units if they have room together.
func (c *choice) take(units ...int) bool {
	need := cost{}
	for _, i := range units {
		need = need.plus(c.price(i))
	}
	if !need.within(c.left) {
		return false
	}
	c.left = c.left.minus(need)
	for _, i := range units {
		if !c.chosen[i] {
			c.chosen[i] = true
			c.have += c.p.facts[i].likely
		}
	}
	return true
}

// takeText takes a unit, a heading with the beginning of its text, and the headings above it.
func (c *choice) takeText(i int) {
	with := slices.DeleteFunc(c.p.withText(i), func(k int) bool { return c.chosen[k] })
	c.take(append(with, c.p.headingsOf(i, c.chosen)...)...)
}

// takeRow takes a row of a table with its head, or a unit where nothing matches, and the
// headings above it that have room.
func (c *choice) takeRow(i int) bool {
	with := []int{i}
	if t := c.p.units[i].table; t >= 0 && !c.chosen[c.p.table[t].head] {
		with = append(with, c.p.table[t].head)
	}
	if !c.take(with...) {
		return false
	}
	for _, h := range c.p.headingsOf(i, c.chosen) {
		c.take(h)
	}
	return true
}

// headingsOf are the headings above unit i that are not chosen: without them a passage
// seems to stand below the heading of the one before. A heading right above the nearest
// one is a part of it, except for a table, whose head says what it is.
func (p *Passages) headingsOf(i int, chosen []bool) []int {
	const long = 300 // characters: what is longer than that is not read as a heading
	var out []int
	for h := p.facts[i].heading; h >= 0 && p.facts[h].cost.chars < long; h = p.facts[h].heading {
		if !chosen[h] {
			out = append(out, h)
		}
		if above := p.facts[h].heading; p.units[i].table >= 0 || above < 0 || above != p.before(h) || p.units[above].level >= p.units[h].level {
			break
		}
	}
	return out
}

// byWorth orders the units by likelihood for cost, or as they stand on the page
// where nothing matches. Heads of tables come with their rows. Rows of a table
// pay about the same each: a short one is not worth more.
func (p *Passages) byWorth() []int {
	order := make([]int, 0, len(p.units))
	worth := make([]float64, len(p.units))
	for i, u := range p.units {
		if !p.matched && p.facts[i].aside || p.matched && p.facts[i].likely == 0 {
			continue
		}
		if u.kind != headUnit {
			price := overhead
			for _, k := range p.withText(i) {
				price += p.facts[k].cost.quarters
			}
			worth[i] = p.facts[i].likely / float64(price)
			order = append(order, i)
		}
	}
	for _, t := range p.table {
		mean := p.meanCost(t)
		for i := t.first; i < t.last; i++ {
			worth[i] = p.facts[i].likely / ((float64(p.facts[i].cost.quarters)+mean)/2 + overhead)
		}
	}
	if !p.matched {
		return order
	}
	return ranked(order, func(i int) float64 { return worth[i] })
}

// ranked orders units by a score, best first.
func ranked(order []int, score func(i int) float64) []int {
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
	return order
}

// meanCost is what a row of a table costs, in quarters of tokens.
func (p *Passages) meanCost(t tableFacts) float64 {
	sum := 0
	for i := t.first; i < t.last; i++ {
		sum += p.facts[i].cost.quarters
	}
	return float64(sum) / float64(max(t.last-t.first, 1))
}

// write writes the chosen units.
func (p *Passages) write(chosen []bool) Chosen {
	var b strings.Builder
	var c Chosen
	last, skipped := -1, false // skipped: something between last and here
	for i, u := range p.units {
		if !chosen[i] {
			skipped = skipped || !p.ignored(i)
			continue
		}
		switch {
		case last == i-1 && last >= 0:
			b.WriteString(p.md[p.units[last].to:u.from])
		case last >= 0 && u.table >= 0 && p.units[last].table == u.table:
			b.WriteString(rowGap)
		default:
			p.begin(&b, i, last, skipped)
			if skipped || last < 0 {
				c.Count++
			}
		}
		b.WriteString(p.md[u.from:u.to])
		c.Gaps = c.Gaps || skipped
		last, skipped = i, false
	}
	p.closeFence(&b, last)
	if skipped && last >= 0 {
		b.WriteString("\n\n" + Gap)
		c.Gaps = true
	}
	c.Text, c.Gaps = b.String(), c.Gaps || p.cut
	return c
}

// begin writes what is before unit i behind another passage, which ends with unit last.
func (p *Passages) begin(b *strings.Builder, i, last int, skipped bool) {
	p.closeFence(b, last)
	if last >= 0 {
		b.WriteString("\n\n")
	}
	if skipped {
		b.WriteString(Gap + "\n\n")
	}
	if fence := p.units[i].fence; fence != "" && i > 0 && !p.endsFence(i-1) {
		b.WriteString(fence + "\n")
	}
}

// closeFence ends the block of code that unit last is a part of, if it is not its end.
func (p *Passages) closeFence(b *strings.Builder, last int) {
	if last >= 0 && p.units[last].fence != "" && !p.endsFence(last) {
		b.WriteString("\n" + fenceRun(p.units[last].fence))
	}
}

// endsFence reports whether a part of a block of code is its last.
func (p *Passages) endsFence(i int) bool {
	return i+1 == len(p.units) || p.units[i+1].fence == "" || p.units[i+1].from > p.units[i].to+1
}

// before is the unit before unit i, and after the one behind it, or -1: beside a unit of
// the main content is one of the main content.
func (p *Passages) before(i int) int { return p.beside(i, i-1) }

func (p *Passages) after(i int) int { return p.beside(i, i+1) }

func (p *Passages) beside(i, k int) int {
	if k < 0 || k == len(p.units) || p.facts[k].aside != p.facts[i].aside {
		return -1
	}
	return k
}

// withText is unit i; behind a heading comes the beginning of its text.
func (p *Passages) withText(i int) []int {
	after := p.after(i)
	if p.units[i].kind == headingUnit && after >= 0 && p.units[after].table < 0 && p.units[after].kind != headingUnit {
		return []int{i, after}
	}
	return []int{i}
}

// join chooses what is short and stands between two chosen units of prose.
func (p *Passages) join(chosen []bool, left cost) {
	last := -1
	for i := range p.units {
		if !chosen[i] {
			continue
		}
		if last >= 0 && last < i-1 && p.units[last].table < 0 && p.units[i].table < 0 {
			if need, prose := p.between(last, i); prose && need.chars <= bridge && need.within(left) {
				left = left.minus(need)
				for k := last + 1; k < i; k++ {
					chosen[k] = !p.ignored(k)
				}
			}
		}
		last = i
	}
}

// between is what the units between two others cost, and whether they are prose.
func (p *Passages) between(i, j int) (need cost, prose bool) {
	prose = true
	for k := i + 1; k < j; k++ {
		if !p.ignored(k) {
			prose = prose && p.units[k].table < 0 && p.units[k].fence == "" && p.units[k].kind != headingUnit
			need = need.plus(p.facts[k].cost).plus(costOf("\n\n"))
		}
	}
	return need, prose
}

// Shares divides a budget: each gets what it needs or an equal part of what those that need
// less have left. Of a budget of 0 all get 0.
func Shares(needs []int, budget int) []int {
	out := make([]int, len(needs))
	order := make([]int, len(needs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return needs[a] - needs[b] })
	for i, k := range order {
		out[k] = min(needs[k], max(budget, 0)/(len(order)-i))
		budget -= out[k]
	}
	return out
}

package reader

import (
	"math"
	"slices"
	"strings"
)

// Of the passages of a large page, only those are kept which may be chosen: what is known of
// every unit of it takes up to ten times its text, and the answers of a call for several pages
// are cut when the last of them is there.

const (
	// keptBudgets is how many times the budget of an answer is kept: a smaller share of the
	// budget chooses others than the whole does where one of these is too long for it.
	keptBudgets = 3
	// manyUnits is from how many units on passages are shortened.
	manyUnits = 4000
)

// shorten drops the units that Choose does not take with at most so many characters and
// tokens, 0 for no limit. A hole stands in their place.
func (p *Passages) shorten(chars, tokens int) {
	if chars <= 0 || len(p.units) < manyUnits {
		return
	}
	budget := cost{keptBudgets * chars, math.MaxInt / 2}
	if tokens > 0 {
		budget.quarters = keptBudgets * 4 * tokens
	}
	order := p.byWorth()
	keep := p.choose(order, budget)
	if len(order) > 0 {
		keep[order[0]] = true
	}
	// What a unit needs comes with it.
	for i := range slices.Clone(keep) {
		if !keep[i] {
			continue
		}
		for _, k := range p.together(nil, i, keep) {
			keep[k] = true
		}
		if h := p.facts[i].heading; h >= 0 {
			keep[h] = true
		}
		if t := p.units[i].table; t >= 0 {
			keep[p.table[t].head] = true
		}
	}
	p.keepOnly(keep)
}

// keepOnly drops the units that are not to be kept.
func (p *Passages) keepOnly(keep []bool) {
	var (
		md    strings.Builder
		units []unit
		facts []unitFacts
		now   = make([]int, len(p.units)) // places of the units that are kept
	)
	add := func(u unit, f unitFacts, text string) {
		u.from = md.Len()
		md.WriteString(text)
		u.to = md.Len()
		units, facts = append(units, u), append(facts, f)
	}
	last := -1
	for i, u := range p.units {
		now[i] = -1
		if !keep[i] {
			continue
		}
		switch {
		case last == i-1 && last >= 0:
			md.WriteString(p.md[p.units[last].to:u.from])
		case i > 0:
			hole := unitFacts{hole: true, aside: true, heading: -1, cost: cost{1 << 40, 1 << 40}}
			for k := last + 1; k < i; k++ {
				hole.aside = hole.aside && p.ignored(k)
			}
			// A block of code that goes on behind the hole, or before it, goes on in it.
			h, space := unit{kind: paragraphUnit, table: -1}, "\n\n"
			if last >= 0 && !p.endsFence(last) {
				h.fence = p.units[last].fence
			} else if last >= 0 {
				md.WriteString("\n\n")
			}
			if u.fence != "" && !p.beginsFence(i) {
				h.fence, space = u.fence, "\n"
			}
			add(h, hole, "")
			md.WriteString(space)
		}
		now[i] = len(units)
		add(u, p.facts[i], p.md[u.from:u.to])
		last = i
	}
	tables := make([]tableFacts, len(p.table))
	for i, t := range p.table {
		tables[i] = tableFacts{head: now[t.head], mean: p.meanCost(t)}
		for k := t.first; k < t.last; k++ {
			if now[k] < 0 {
				continue
			}
			if tables[i].last == 0 {
				tables[i].first = now[k]
			}
			tables[i].last = now[k] + 1
		}
	}
	p.md, p.units, p.facts, p.table = md.String(), units, facts, tables
	for i := range facts {
		f := &facts[i]
		if f.heading >= 0 {
			f.heading = now[f.heading]
		}
		if f.leads {
			after := p.after(i)
			f.leads = after >= 0 && !facts[after].hole
		}
		if f.trails {
			before := p.before(i)
			f.trails = before >= 0 && !facts[before].hole
		}
	}
}

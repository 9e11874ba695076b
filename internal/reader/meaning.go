package reader

import (
	"context"
	"math"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/meaning"
)

// decay is how much less likely each rank of the order by words and meaning is than the
// one before: e to the power of minus it.
const decay = .3

// byMeaning ranks the passages by what they mean beside their words. The order by words
// stays where vectors cannot be had.
func (p *Passages) byMeaning(ctx context.Context, query string, embed func(context.Context, []string) ([]meaning.Vector, error)) error {
	chunks := meaning.Chunks(p.md)
	texts := []string{query}
	for _, c := range chunks {
		texts = append(texts, p.md[c.From:c.To])
	}
	part, stop := deadline.Share(ctx, 2) // a server that hangs leaves time for the answer
	defer stop()
	vectors, err := embed(part, texts)
	if err != nil || len(vectors) != len(texts) {
		return err
	}
	score := make([]float64, len(p.units))
	var order []int // those that speak for themselves by words
	for i := range p.units {
		if p.facts[i].likely > 0 {
			order = append(order, i)
		}
	}
	for rank, i := range ranked(order, func(i int) float64 { return p.facts[i].likely }) {
		score[i] = meaning.Fused(rank)
	}
	for rank, k := range meaning.Near(vectors[0], vectors[1:]) {
		for i, u := range p.units {
			if u.from >= chunks[k].From && u.from < chunks[k].To && p.tells(i) {
				score[i] += meaning.Fused(rank)
				p.matched, p.meant = true, true
			}
		}
	}
	if !p.meant {
		return nil
	}
	order = order[:0]
	for i := range score {
		p.facts[i].likely = 0
		if score[i] > 0 {
			order = append(order, i)
		}
	}
	for rank, i := range ranked(order, func(i int) float64 { return score[i] }) {
		p.facts[i].likely = math.Exp(-decay * float64(rank))
	}
	return nil
}

// tells reports whether unit i says something by itself.
func (p *Passages) tells(i int) bool {
	u, f := p.units[i], p.facts[i]
	return u.kind != headingUnit && u.kind != headUnit && !f.wordless && (!f.aside || f.likely > 0)
}

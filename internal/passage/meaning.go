package passage

import (
	"context"
	"math"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/meaning"
)

// decay is how much less likely each rank of the order by words and meaning is than the
// one before: e to the power of minus it.
const decay = .3

// ByMeaning ranks the passages by what they mean beside their words. The order by words
// stays where vectors cannot be had.
func (p *Passages) ByMeaning(ctx context.Context, query string, embed func(context.Context, []string) ([]meaning.Vector, error)) error {
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
	byWords := positive(len(score), func(i int) float64 { return p.facts[i].likely })
	for rank, i := range byWords {
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
	for i := range score {
		p.facts[i].likely = 0
	}
	for rank, i := range positive(len(score), func(i int) float64 { return score[i] }) {
		p.facts[i].likely = math.Exp(-decay * float64(rank))
	}
	return nil
}

// positive are the numbers below n with a score above 0, best first.
func positive(n int, score func(i int) float64) (order []int) {
	for i := range n {
		if score(i) > 0 {
			order = append(order, i)
		}
	}
	return ranked(order, score)
}

// tells reports whether unit i says something by itself.
func (p *Passages) tells(i int) bool {
	u, f := p.units[i], p.facts[i]
	return u.kind != headingUnit && u.kind != headUnit && !f.wordless && (!f.aside || f.likely > 0)
}

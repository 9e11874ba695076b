package train

import "math"

// Lexicon is a lexicon under construction. It can leave the pages of one
// domain out, so that no page is described by itself.
type Lexicon struct {
	sum      [2]map[uint32]float32
	n        [2]map[uint32]int32
	mean     [2]float64
	byDomain map[string][]*Sample
	minPages int32
	without  [2]map[uint32][2]float32 // sum and count of the domain left out
}

// NewLexicon counts the tokens of the samples; a token counts from
// minPages pages on.
func NewLexicon(samples []*Sample, minPages int) *Lexicon {
	t := &Lexicon{byDomain: map[string][]*Sample{}, minPages: int32(minPages)}
	for k := range t.sum {
		t.sum[k], t.n[k] = map[uint32]float32{}, map[uint32]int32{}
	}
	for _, s := range samples {
		t.byDomain[s.Domain] = append(t.byDomain[s.Domain], s)
		for k := range s.stats {
			for h, y := range s.stats[k] {
				t.sum[k][h] += y
				t.n[k][h]++
			}
		}
	}
	for k := range t.sum {
		var y, n float64
		for h, v := range t.sum[k] {
			y += float64(v)
			n += float64(t.n[k][h])
		}
		t.mean[k] = y / max(n, 1)
	}
	return t
}

// Without returns the lexicon as the pages of a domain may see it.
func (t *Lexicon) Without(domain string) *Lexicon {
	c := *t
	for k := range c.without {
		c.without[k] = map[uint32][2]float32{}
		for _, s := range t.byDomain[domain] {
			for h, y := range s.stats[k] {
				w := c.without[k][h]
				c.without[k][h] = [2]float32{w[0] + y, w[1] + 1}
			}
		}
	}
	return &c
}

func (t *Lexicon) logOdds(k int, h uint32) (int8, bool) {
	n, s := float64(t.n[k][h]), float64(t.sum[k][h])
	if w, ok := t.without[k][h]; ok {
		s -= float64(w[0])
		n -= float64(w[1])
	}
	if n < float64(t.minPages) {
		return 0, false
	}
	const prior = 2
	m := t.mean[k]
	p := min(max((s+prior*m)/(n+prior), .003), .997)
	x := math.Log(p/(1-p)) - math.Log(m/(1-m))
	return int8(min(max(math.Round(16*x), -127), 127)), true
}

// Tokens returns the log-odds, near and far, of the tokens that say something.
func (t *Lexicon) Tokens() map[uint32][2]int8 {
	tokens := map[uint32][2]int8{}
	for k := range t.n {
		for h := range t.n[k] {
			if near, far, ok := t.Lookup(h); ok && (near != 0 || far != 0) {
				tokens[h] = [2]int8{near, far}
			}
		}
	}
	return tokens
}

// Lookup implements [blocks.Lexicon].
func (t *Lexicon) Lookup(h uint32) (near, far int8, ok bool) {
	near, ok1 := t.logOdds(0, h)
	far, ok2 := t.logOdds(1, h)
	return near, far, ok1 || ok2
}

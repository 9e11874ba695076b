package blocks

// Lexicon says how often text under a class or id token is main content.
type Lexicon interface {
	// lookup returns the log-odds, in sixteenths, that a block belongs to the
	// main content if the token is on its element or the element's parent
	// (near), and if it is on a higher ancestor (far), relative to all blocks.
	Lookup(token uint32) (near, far int8, ok bool)
}

// lexStat sums up the tokens of an element.
type lexStat struct {
	n                int16
	nearSum, farSum  int16
	nearMin, nearMax int8
	farMin, farMax   int8
}

func (s *lexStat) add(near, far int8) {
	o := lexStat{n: 1, nearSum: int16(near), farSum: int16(far), nearMin: near, nearMax: near, farMin: far, farMax: far}
	s.merge(&o)
}

func (s *lexStat) merge(o *lexStat) {
	switch {
	case o.n == 0:
		return
	case s.n == 0:
		*s = *o
		return
	case s.n > 200:
		return // deep trees: the sums are bounded
	}
	s.n += o.n
	s.nearSum += o.nearSum
	s.farSum += o.farSum
	s.nearMin, s.nearMax = min(s.nearMin, o.nearMin), max(s.nearMax, o.nearMax)
	s.farMin, s.farMax = min(s.farMin, o.farMin), max(s.farMax, o.farMax)
}

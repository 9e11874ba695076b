package reader

import (
	"math"

	"github.com/spyhop-dev/spyhop/internal/terms"
)

// This file says of each unit of a page where it stands, and how well its words match a query.

// place is where a unit stands: below which headings.
type place struct {
	heading int    // the last one, or -1
	path    [7]int // the last one of each level, or -1
}

func newPlace() place {
	return place{heading: -1, path: [7]int{-1, -1, -1, -1, -1, -1, -1}}
}

// enter goes below the heading that is unit i.
func (l *place) enter(i, level int) {
	l.heading, l.path[level] = i, i
	for k := level + 1; k < len(l.path); k++ {
		l.path[k] = -1
	}
}

// counts are how often the terms of a query stand in the units.
type counts struct {
	terms  *queryTerms
	tf     []uint8 // by unit and term, twice: forms of a word count half
	order  []uint8 // by unit: terms that follow each other as in the query
	length []int   // by unit, in words
	said   []int   // by unit: words that are not the query's
	df     []int   // by term: units that have it
	idf    []float64
	mean   float64 // length
	all    float64 // sum of idf

	scanner terms.Scanner
}

func (c *counts) of(i int) []uint8 { return c.tf[i*c.terms.n : (i+1)*c.terms.n] }

func (c *counts) count(i int, text string) {
	const most = 250
	tf := c.of(i)
	last := -1
	c.scanner.Scan(text, func(w []byte) {
		c.length[i]++
		t, exact := c.terms.match(w)
		if t < 0 {
			if !terms.IsStopWord(string(w)) {
				last = -1
				c.said[i]++
			}
			return
		}
		if tf[t] < most {
			tf[t] += 2
			if !exact {
				tf[t]--
			}
		}
		if last >= 0 && c.terms.next[last] == t && c.order[i] < most {
			c.order[i]++
		}
		last = t
	})
	c.mean += float64(c.length[i])
	for t, n := range tf {
		if n > 0 {
			c.df[t]++
		}
	}
}

// weigh is called when all units are counted.
func (c *counts) weigh(units int) {
	c.mean = c.mean/float64(max(units, 1)) + 1
	c.idf = make([]float64, len(c.df))
	for t, df := range c.df {
		c.idf[t] = math.Log(1 + (float64(units-df)+.5)/(float64(df)+.5))
		if df > 0 {
			c.all += c.idf[t]
		}
	}
	c.all = max(c.all, 1e-9)
}

// score is BM25, as a share of what all terms that the page has would give.
func (c *counts) score(i int) float64 {
	s := 0.
	norm := bmK1 * (1 - bmB + bmB*float64(c.length[i])/c.mean)
	for t, n := range c.of(i) {
		if n > 0 {
			tf := float64(n) / 2
			s += c.idf[t] * tf * (bmK1 + 1) / (tf + norm)
		}
	}
	return s / c.all * (1 + weightOrder*float64(min(c.order[i], 4)))
}

// covers is the share of the terms, by weight, that any of the units has.
func (c *counts) covers(units []int) float64 {
	s := 0.
	for t := range c.idf {
		for _, i := range units {
			if i >= 0 && c.of(i)[t] > 0 {
				s += c.idf[t]
				break
			}
		}
	}
	return s / c.all
}

package passage

import (
	"math"
	"slices"

	"github.com/spyhop-dev/spyhop/internal/terms"
)

// maxTerms bounds the different words of a query that are looked for: a unit has a bit
// for each.
const maxTerms = 48

// Query is the words of a query, each with a number.
type Query struct {
	index  map[string]int // by stem
	prefix map[string]int // by the first letters of long stems
	next   []int          // the term that follows in the query, or -1
	n      int
	wanted wanted // what the query asks for by its kind
}

// prefixLen is how many letters two long words have to share to be taken for
// forms of one.
const prefixLen = 5

// NewQuery reads a query; nil: it has no word to look for.
func NewQuery(query string) *Query {
	t := readQuery(query)
	if t.n == 0 {
		return nil
	}
	return t
}

func readQuery(query string) *Query {
	t := &Query{index: map[string]int{}, prefix: map[string]int{}, wanted: wantedBy(query)}
	last := -1
	terms.Scan(query, func(word []byte) {
		if terms.IsStopWord(string(word)) {
			return
		}
		s := string(terms.Stem(word))
		i, known := t.index[s]
		if !known {
			if t.n == maxTerms {
				return
			}
			i = t.n
			t.n++
			t.index[s] = i
			t.next = append(t.next, -1)
			if len(s) >= prefixLen && s[0] >= 'a' {
				if _, taken := t.prefix[s[:prefixLen]]; !taken {
					t.prefix[s[:prefixLen]] = i
				}
			}
		}
		if last >= 0 && t.next[last] < 0 {
			t.next[last] = i
		}
		last = i
	})
	return t
}

// match returns the number of the term that a word is a form of, and whether it
// is one exactly; -1 for none.
func (t *Query) match(word []byte) (term int, exact bool) {
	s := terms.Stem(word)
	if i, ok := t.index[string(s)]; ok {
		return i, true
	}
	if len(s) >= prefixLen && s[0] >= 'a' {
		if i, ok := t.prefix[string(s[:prefixLen])]; ok {
			return i, false
		}
	}
	return -1, false
}

// counts are how often each term of a query is in the units.
type counts struct {
	terms  *Query
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
		if slices.ContainsFunc(units, func(i int) bool { return c.of(i)[t] > 0 }) {
			s += c.idf[t]
		}
	}
	return s / c.all
}

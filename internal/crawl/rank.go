package crawl

import (
	"math"
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/terms"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
)

// A query ranks what is known of a page before it is read: its address and what
// others call it. The weight of a word of the query is how rare it is among all
// pages that are known (inverse document frequency); a page scores the share of the
// query's weight that it covers. Words of addresses are often glued together
// ("ddlsystemcolumns"), so a word counts in part where it stands within another.

// glued is how much a word counts that stands within a longer one, short how much one
// counts of which an address has the beginning ("config" for "configuration").
const glued, short = .7, .6

// minGlued is the number of letters below which a word within another is chance.
const minGlued = 4

// Query is the words of a query. The zero Query has none.
type Query struct{ words []string }

// NewQuery reads a query. Words that say nothing of the subject are left out; a
// query of only such words keeps them.
func NewQuery(s string) Query {
	const most = 32
	words, stop := terms.Stems(s, most)
	if len(words) == 0 {
		return Query{stop}
	}
	return Query{words}
}

// Len is the number of its words.
func (q Query) Len() int { return len(q.words) }

// frequencies count in how many texts the words of a query stand. Other words have no
// weight, so that texts with many words cost no memory.
type frequencies struct {
	texts map[string]int // for each word of the query
	n     int
}

func (q Query) frequencies() frequencies {
	f := frequencies{texts: make(map[string]int, len(q.words))}
	for _, w := range q.words {
		f.texts[w] = 0
	}
	return f
}

// idf is the weight of a word: high for a rare one, and never 0, so that a query
// of frequent words still ranks.
func (f *frequencies) idf(word string) float64 {
	return math.Log(1 + (float64(f.n)+1)/(float64(f.texts[word])+.5))
}

// add counts the words of one text.
func (f *frequencies) add(words []string) {
	for w := range f.texts {
		if slices.Contains(words, w) {
			f.texts[w]++
		}
	}
	f.n++
}

// wordsOf are the words of a short text as Query has them.
func wordsOf(s string) (out []string) {
	terms.Scan(s, func(w []byte) { out = append(out, string(terms.Stem(w))) })
	return out
}

// wordsOfURL are the words of a path and a query string, percent-decoded.
func wordsOfURL(u weburl.URL) []string {
	path := u.Path()
	if i := strings.LastIndexByte(path, '.'); i > 0 && len(path)-i <= 6 {
		path = path[:i] // the ending of a file says nothing
	}
	if q := u.RawQuery(); q != "" {
		path += " " + q
	}
	if plain, err := url.PathUnescape(path); err == nil {
		path = strings.ToValidUTF8(plain, " ")
	}
	return wordsOf(path)
}

// share is the part of the query's weight that texts cover, from 0 to 1. Words of
// the first text may be glued.
func (q Query) share(f *frequencies, texts ...[]string) float64 {
	var got, all float64
	for _, w := range q.words {
		weight, best := f.idf(w), 0.
		for i, text := range texts {
			if best == 1 {
				break
			}
			for _, t := range text {
				if t == w {
					best = 1
					break
				}
				if i == 0 && best < glued && len(w) >= minGlued && len(t) > len(w) && strings.Contains(t, w) {
					best = glued
				}
				if i == 0 && best < short && len(t) >= minGlued && len(w) > len(t) && strings.HasPrefix(w, t) {
					best = short
				}
			}
		}
		got, all = got+weight*best, all+weight
	}
	if all == 0 {
		return 0
	}
	return got / all
}

// Rank orders links by how well they match a query, best first, and drops those
// that do not match at all.
func Rank(links []result.MapLink, query string) []result.MapLink {
	q := NewQuery(query)
	if q.Len() == 0 {
		return links
	}
	type words struct{ address, title []string }
	all := make([]words, len(links))
	f := q.frequencies()
	for i, l := range links {
		if u, err := weburl.Parse(l.URL); err == nil {
			all[i].address = wordsOfURL(u)
		}
		all[i].title = wordsOf(l.Title)
		f.add(slices.Concat(all[i].address, all[i].title))
	}
	var out []result.MapLink
	for i, l := range links {
		// A title that is all about the query stands above one that mentions it.
		if l.Score = q.share(&f, all[i].address, all[i].title); l.Score == 0 {
			continue
		}
		l.Score -= .02 * math.Log1p(float64(len(all[i].address)+len(all[i].title)))
		l.Score = max(l.Score, .001)
		out = append(out, l)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out
}

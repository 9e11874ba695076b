package search

import (
	"slices"
	"strings"
)

// fuseK reduces the weight of the first ranks (Cormack, Clarke and Büttcher,
// SIGIR 2009, found 60 on TREC data).
const fuseK = 60

// fuseLists merges ranked lists by reciprocal rank: a result's score is the sum of
// 1/(60+rank) over the lists that have it. Ties keep the order of the lists.
// Results of several lists with the same address become one, with the longest
// snippet and the names of all sources. It returns at most n results, best
// first, and changes none of its arguments.
func fuseLists(lists [][]Result, n int) []Result {
	type scored struct {
		Result
		score   float64
		best    int
		sources []string
	}
	var all []*scored
	byKey := make(map[string]*scored)
	for _, l := range lists {
		for rank, r := range l {
			key := identity(r.URL)
			s := byKey[key]
			if s == nil {
				s = &scored{Result: r, best: rank}
				byKey[key] = s
				all = append(all, s)
			}
			if len(r.Snippet) > len(s.Snippet) {
				s.Snippet = r.Snippet
			}
			if s.Published == "" {
				s.Published = r.Published
			}
			if rank < s.best {
				s.best = rank
				s.sources = slices.Insert(s.sources, 0, r.Source)
			} else {
				s.sources = append(s.sources, r.Source)
			}
			s.score += 1 / float64(fuseK+rank+1)
		}
	}
	slices.SortStableFunc(all, func(a, b *scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	out := make([]Result, 0, min(n, len(all)))
	for _, s := range all[:min(n, len(all))] {
		s.Source, s.Score = strings.Join(s.sources, ","), s.score
		out = append(out, s.Result)
	}
	return out
}

package search

import (
	"math"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/terms"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// having returns the providers that have a topic: of those that the selection names, or
// for "auto" of all that are configured.
func (s *Searcher) having(topic string, names []string, chosen string) ([]string, error) {
	if topic == "" {
		return names, nil
	}
	if list, _ := selection(chosen); len(list) == 0 || list[0] == "auto" {
		names = s.configuredOrder()
	}
	out := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		r, _ := rowOf(s.rows, name)
		return !slices.Contains(r.define().topics, topic)
	})
	if len(out) > 0 {
		return out, nil
	}
	all := namesOf(s.rows, func(r row) bool { return slices.Contains(r.define().topics, topic) })
	return nil, invalid("these have it: "+strings.Join(all, ", "), "no configured search provider has the topic %s", text.Name(topic))
}

// rate gives results their scores, and puts those of preferred hosts first.
func (t *Terms) rate(results []Result) {
	best := 0.
	for i := range results {
		best = max(best, results[i].Score)
	}
	query, _ := terms.Stems(t.Text, 0)
	for i := range results {
		r := &results[i]
		if best > 0 {
			r.Score = max(r.Score, 0) / best
		} else {
			n := 0
			has, _ := terms.Stems(r.Title+" "+r.Snippet, 0)
			for _, w := range query {
				if slices.Contains(has, w) {
					n++
				}
			}
			r.Score = float64(n)/float64(2*max(len(query), 1)) + 1/float64(2*(i+1))
		}
		r.Score = math.Round(1000*r.Score) / 1000
	}
	if t.prefer == nil {
		return
	}
	preferred := func(r Result) bool {
		u, err := weburl.Parse(r.URL)
		if err != nil {
			return false
		}
		_, ok := t.prefer.Match(u.Host())
		return ok
	}
	slices.SortStableFunc(results, func(a, b Result) int {
		switch pa, pb := preferred(a), preferred(b); {
		case pa && !pb:
			return -1
		case pb && !pa:
			return 1
		}
		return 0
	})
}

package audit

import (
	"maps"

	"github.com/spyhop-dev/spyhop/result"
)

// maxLabels bounds the entries of a map; further labels count as "other".
const maxLabels = 200

func observe(h *result.Histogram, seconds float64) {
	bounds := h.Bounds()
	i := 0
	for i < len(bounds) && seconds > bounds[i] {
		i++
	}
	h.Buckets[i]++
	h.Count++
	h.Sum += seconds
}

func newMetrics() Metrics {
	return Metrics{
		Calls: map[string]uint64{}, Errors: map[string]uint64{},
		Cache: map[string]uint64{}, Rules: map[string]uint64{},
	}
}

func count(m *Metrics, e Event) {
	switch e.Kind {
	case Call:
		add(m.Calls, e.Tool)
		if e.Error != "" {
			add(m.Errors, e.Error)
		}
		if e.Cache != "" {
			add(m.Cache, e.Cache)
		}
		m.Bytes += uint64(max(e.Bytes, 0))
		observe(&m.Seconds, e.Milliseconds/1000)
	case Decision:
		if e.Decision == Allow {
			m.Allowed++
			return
		}
		m.Blocked++
		add(m.Rules, e.Rule)
	}
}

func add(counts map[string]uint64, label string) {
	if _, known := counts[label]; !known && len(counts) >= maxLabels {
		label = "other"
	}
	counts[label]++
}

func clone(m *Metrics) Metrics {
	c := *m
	c.Calls, c.Errors, c.Cache, c.Rules = maps.Clone(m.Calls), maps.Clone(m.Errors), maps.Clone(m.Cache), maps.Clone(m.Rules)
	return c
}

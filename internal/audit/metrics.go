package audit

import (
	"maps"
	"time"

	"github.com/spyhop-dev/spyhop/result"
)

// maxLabels bounds the entries of a map; further labels count as "other".
const maxLabels = 200

func newMetrics() Metrics {
	return Metrics{
		Calls: map[string]uint64{}, Errors: map[string]uint64{},
		Cache: map[string]uint64{}, Rules: map[string]uint64{}, Seconds: map[string]result.Histogram{},
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
		label := e.Tool
		if _, known := m.Seconds[label]; !known && len(m.Seconds) >= maxLabels {
			label = "other"
		}
		h := m.Seconds[label]
		h.Observe(time.Duration(e.Milliseconds * float64(time.Millisecond)))
		m.Seconds[label] = h
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
	c.Seconds = maps.Clone(m.Seconds)
	return c
}

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
		Calls: map[string]uint64{}, Errors: map[string]uint64{}, ToolErrors: map[string]map[string]uint64{},
		Cache: map[string]uint64{}, Rules: map[string]uint64{}, Seconds: map[string]result.Histogram{},
	}
}

func count(m *Metrics, e Event) {
	switch e.Kind {
	case Call:
		add(m.Calls, e.Tool)
		if e.Error != "" {
			add(m.Errors, e.Error)
			label := within(m.ToolErrors, e.Tool)
			if m.ToolErrors[label] == nil {
				m.ToolErrors[label] = map[string]uint64{}
			}
			add(m.ToolErrors[label], e.Error)
		}
		if e.Cache != "" {
			add(m.Cache, e.Cache)
		}
		m.Bytes += uint64(max(e.Bytes, 0))
		label := within(m.Seconds, e.Tool)
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

func add(counts map[string]uint64, label string) { counts[within(counts, label)]++ }

// within returns the label under which a map with room counts one.
func within[V any](counts map[string]V, label string) string {
	if _, known := counts[label]; !known && len(counts) >= maxLabels {
		return "other"
	}
	return label
}

func clone(m *Metrics) Metrics {
	c := *m
	c.Calls, c.Errors, c.Cache, c.Rules = maps.Clone(m.Calls), maps.Clone(m.Errors), maps.Clone(m.Cache), maps.Clone(m.Rules)
	c.Seconds = maps.Clone(m.Seconds)
	c.ToolErrors = make(map[string]map[string]uint64, len(m.ToolErrors))
	for label, errors := range m.ToolErrors {
		c.ToolErrors[label] = maps.Clone(errors)
	}
	return c
}

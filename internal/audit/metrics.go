package audit

import "maps"

// Metrics are counters of events. The zero value of a map entry is absence.
type Metrics struct {
	// Calls by tool, Errors of calls by type, Cache by what memory did.
	Calls, Errors, Cache map[string]uint64
	// Allowed and Blocked count verdicts; Rules the blocked ones by rule.
	Allowed, Blocked uint64
	Rules            map[string]uint64
	// Bytes sums the bodies of calls on the wire.
	Bytes uint64
	// Seconds is how long calls took.
	Seconds Histogram
	// FeedDropped counts events that a reader of the feed was too slow for,
	// FileErrors those that could not be written.
	FeedDropped, FileErrors uint64
}

// maxLabels bounds the entries of a map; what comes later counts as "other".
const maxLabels = 200

// Histogram counts values by upper bounds.
type Histogram struct {
	// Buckets[i] counts the values up to Bounds()[i], and not those of the
	// buckets before; the last one counts what is above all bounds.
	Buckets [11]uint64
	Count   uint64
	Sum     float64
}

// Bounds are the upper bounds of the buckets but the last, in seconds: half of
// all reads end within the first ones, and no call lasts longer than the last.
func (h *Histogram) Bounds() [10]float64 {
	return [10]float64{.01, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
}

func (h *Histogram) add(v float64) {
	bounds := h.Bounds()
	i := 0
	for i < len(bounds) && v > bounds[i] {
		i++
	}
	h.Buckets[i]++
	h.Count++
	h.Sum += v
}

func newMetrics() Metrics {
	return Metrics{
		Calls: map[string]uint64{}, Errors: map[string]uint64{},
		Cache: map[string]uint64{}, Rules: map[string]uint64{},
	}
}

func (m *Metrics) count(e Event) {
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
		m.Seconds.add(e.Milliseconds / 1000)
	case Verdict:
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

func (m *Metrics) clone() Metrics {
	c := *m
	c.Calls, c.Errors, c.Cache, c.Rules = maps.Clone(m.Calls), maps.Clone(m.Errors), maps.Clone(m.Cache), maps.Clone(m.Rules)
	return c
}

package serve

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/result"
)

// metrics answers with the counters of the audit log in the text format of
// Prometheus (version 0.0.4).
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	var m result.Metrics
	if s.o.Audit != nil {
		m = s.o.Audit.Metrics()
	}
	e := exposition{}
	e.family("spyhop_build_info", "gauge", "The version, as a label.")
	e.sample("spyhop_build_info", "version", s.o.Version, "1")
	e.counters("spyhop_calls_total", "Calls of tools, or the addresses that they asked for.", "tool", m.Calls)
	e.counters("spyhop_call_errors_total", "Calls that failed, by type of error.", "type", m.Errors)
	e.counters("spyhop_cache_total", "Calls that a memory had a part in.", "result", m.Cache)
	e.counters("spyhop_verdicts_total", "Verdicts of the policy.", "decision", map[string]uint64{"allow": m.Allowed, "block": m.Blocked})
	e.counters("spyhop_blocked_total", "Verdicts that blocked, by rule.", "rule", m.Rules)
	e.counters("spyhop_wire_bytes_total", "Bytes of bodies that calls received.", "", map[string]uint64{"": m.Bytes})
	e.counters("spyhop_audit_lost_total", "Events that the feed or the file did not take.", "sink",
		map[string]uint64{"feed": m.FeedDropped, "file": m.FileErrors})

	const seconds = "spyhop_call_seconds"
	e.family(seconds, "histogram", "How long calls took.")
	var below uint64
	for i, bound := range m.Seconds.Bounds() {
		below += m.Seconds.Buckets[i]
		e.sample(seconds+"_bucket", "le", strconv.FormatFloat(bound, 'g', -1, 64), strconv.FormatUint(below, 10))
	}
	e.sample(seconds+"_bucket", "le", "+Inf", strconv.FormatUint(m.Seconds.Count, 10))
	e.sample(seconds+"_sum", "", "", strconv.FormatFloat(m.Seconds.Sum, 'g', -1, 64))
	e.sample(seconds+"_count", "", "", strconv.FormatUint(m.Seconds.Count, 10))

	e.family("spyhop_running_calls", "gauge", "Calls that run now.")
	e.sample("spyhop_running_calls", "", "", strconv.Itoa(len(s.calls)))
	answer(w, "text/plain; version=0.0.4; charset=utf-8", e.Bytes())
}

// exposition is a page in the text format.
type exposition struct{ bytes.Buffer }

func (e *exposition) family(name, kind, help string) {
	fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (e *exposition) sample(name, label, value, number string) {
	if label != "" {
		// What the format escapes in values, and nothing else.
		name += "{" + label + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + `"}`
	}
	fmt.Fprintf(e, "%s %s\n", name, number)
}

func (e *exposition) counters(name, help, label string, values map[string]uint64) {
	e.family(name, "counter", help)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		e.sample(name, label, key, strconv.FormatUint(values[key], 10))
	}
}

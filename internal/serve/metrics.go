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
	const failed = "spyhop_call_errors_total"
	e.family(failed, "counter", "Calls that failed, by tool and type of error.")
	for _, name := range slices.Sorted(maps.Keys(m.ToolErrors)) {
		for _, kind := range slices.Sorted(maps.Keys(m.ToolErrors[name])) {
			e.sample(failed, "tool", name, strconv.FormatUint(m.ToolErrors[name][kind], 10), "type", kind)
		}
	}
	e.counters("spyhop_cache_total", "Calls that a cache, a remembered failure or an equal call in flight answered.", "result", m.Cache)
	e.counters("spyhop_verdicts_total", "Verdicts of the policy.", "decision", map[string]uint64{"allow": m.Allowed, "block": m.Blocked})
	e.counters("spyhop_blocked_total", "Verdicts that blocked, by rule.", "rule", m.Rules)
	e.counters("spyhop_wire_bytes_total", "Bytes of bodies that calls received.", "", map[string]uint64{"": m.Bytes})
	e.counters("spyhop_audit_lost_total", "Events that the feed or the file did not take.", "sink",
		map[string]uint64{"feed": m.FeedDropped, "file": m.FileErrors})
	if s.o.LogLost != nil {
		e.counters("spyhop_log_lost_total", "Lines of the server's log, the access log included, that were not written.", "", map[string]uint64{"": s.o.LogLost()})
	}

	const seconds = "spyhop_call_seconds"
	e.family(seconds, "histogram", "How long calls took, by tool.")
	for _, name := range slices.Sorted(maps.Keys(m.Seconds)) {
		e.histogram(seconds, m.Seconds[name], "tool", name)
	}

	e.gauge("spyhop_running_calls", "Calls that run now.", s.quotas.running.Load())
	e.counters("spyhop_calls_refused_total", "Requests that were refused before their call began.", "reason", s.quotas.refused.byReason())
	open, refused := s.connections.counts()
	e.gauge("spyhop_connections", "Connections that are open now.", int64(open))
	e.counters("spyhop_connections_refused_total", "Connections that found no place.", "", map[string]uint64{"": refused})
	e.gauge("spyhop_mcp_sessions", "Sessions of MCP that are open now.", int64(s.mcp.count()))
	e.counters("spyhop_mcp_sessions_replaced_total", "Idle sessions of MCP that were ended to make room for others.", "", map[string]uint64{"": s.mcp.held.count()})
	e.gauge("spyhop_mcp_streams", "Streams of MCP that are open now.", int64(s.mcp.streams.count()))
	if s.servesJobs() {
		e.gauge("spyhop_job_streams", "Streams of events of jobs that are open now.", int64(s.followers.count()))
	}
	if s.o.Health != nil {
		e.health(s.o.Health.Health())
	}
	e.process(s.started)
	answer(w, "text/plain; version=0.0.4; charset=utf-8", e.Bytes())
}

// exposition is a page in the text format.
type exposition struct{ bytes.Buffer }

func (e *exposition) family(name, kind, help string) {
	fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes a number with a label, and with further pairs of label and value; an
// empty label is none.
func (e *exposition) sample(name, label, value, number string, more ...string) {
	e.WriteString(name)
	if label != "" {
		// What the format escapes in values, and nothing else.
		escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
		fmt.Fprintf(e, `{%s="%s"`, label, escape.Replace(value))
		for i := 0; i+1 < len(more); i += 2 {
			fmt.Fprintf(e, `,%s="%s"`, more[i], escape.Replace(more[i+1]))
		}
		e.WriteByte('}')
	}
	fmt.Fprintf(e, " %s\n", number)
}

// histogram writes the samples of a histogram, with a label unless that is empty.
func (e *exposition) histogram(name string, h result.Histogram, label, value string) {
	var below uint64
	bucket := func(bound string) {
		n := strconv.FormatUint(below, 10)
		if label == "" {
			e.sample(name+"_bucket", "le", bound, n)
		} else {
			e.sample(name+"_bucket", label, value, n, "le", bound)
		}
	}
	for i, bound := range h.Bounds() {
		below += h.Buckets[i]
		bucket(strconv.FormatFloat(bound, 'g', -1, 64))
	}
	below = h.Count
	bucket("+Inf")
	e.sample(name+"_sum", label, value, strconv.FormatFloat(h.Sum, 'g', -1, 64))
	e.sample(name+"_count", label, value, strconv.FormatUint(h.Count, 10))
}

func (e *exposition) gauge(name, help string, value int64) {
	e.family(name, "gauge", help)
	e.sample(name, "", "", strconv.FormatInt(value, 10))
}

func (e *exposition) counters(name, help, label string, values map[string]uint64) {
	e.family(name, "counter", help)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		e.sample(name, label, key, strconv.FormatUint(values[key], 10))
	}
}

// whether is a statement as a number.
func whether(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// health writes the state of the parts that work for the server.
func (e *exposition) health(h result.Health) {
	q := h.Queue
	e.gauge("spyhop_queue_slots", "Pages that are parsed at a time, at most.", int64(q.Slots))
	e.gauge("spyhop_queue_working", "Pages that are parsed now.", int64(q.Working))
	e.gauge("spyhop_queue_waiting", "Pages that wait for their turn to be parsed.", int64(q.Waiting))
	e.gauge("spyhop_queue_memory_limit_bytes", "Memory for pages that are parsed; 0 means no limit.", q.Memory)
	e.gauge("spyhop_queue_memory_bytes", "Memory that the pages which are parsed now are expected to need.", q.InUse)
	e.counters("spyhop_queue_rejected_total", "Pages that found the queue of their caller full.", "", map[string]uint64{"": q.Rejected})
	e.family("spyhop_queue_wait_seconds", "histogram", "How long pages waited for their turn; small ones do not wait.")
	e.histogram("spyhop_queue_wait_seconds", q.Waits, "", "")

	e.gauge("spyhop_store_trouble", "Whether nothing can be stored now.", whether(h.Store.Trouble != ""))
	e.counters("spyhop_store_dropped_total", "Writes that were left out so that no call waits for them.", "", map[string]uint64{"": h.Store.Dropped})
	e.counters("spyhop_store_errors_total", "Failures of the store, by kind.", "kind", h.Store.Errors)

	e.gauge("spyhop_jobs_running", "Crawls and batches that run in the background now.", int64(h.Jobs.Running))
	e.gauge("spyhop_jobs_limit", "Crawls and batches that may run in the background at a time.", int64(h.Jobs.Most))

	e.gauge("spyhop_browser_running", "Whether the process of the browser runs.", whether(h.Browser.Running))
	e.gauge("spyhop_browser_trouble", "Whether no page of the browser can be made now.", whether(h.Browser.Trouble != ""))
	e.gauge("spyhop_browser_contexts", "Contexts of the browser that are open now.", int64(h.Browser.Contexts))
	e.gauge("spyhop_browser_tabs", "Tabs of the browser that are open now.", int64(h.Browser.Tabs))
	e.gauge("spyhop_browser_calls", "Operations that use the browser now.", int64(h.Browser.Calls))
	e.gauge("spyhop_browser_memory_bytes", "Memory that the processes of the browser have for themselves.", h.Browser.Memory)
}

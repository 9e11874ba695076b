package serve

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/audit"
)

// TestMetrics: every line is of the format, every sample belongs to the family
// above it, and the numbers are those of the log.
func TestMetrics(t *testing.T) {
	log := audit.New(audit.Options{})
	log.Record(audit.Event{Kind: audit.Call, Tool: "web_fetch", Bytes: 1000, Milliseconds: 20, Cache: "hit"})
	log.Record(audit.Event{Kind: audit.Call, Tool: "a\"b\\c\nd", Milliseconds: 40_000, Error: "Timeout"})
	log.Record(audit.Event{Kind: audit.Call, Tool: "a\"b\\c\nd", Milliseconds: 40_000, Error: "Timeout"})
	log.Record(audit.Event{Kind: audit.Call, Tool: "web_fetch", Milliseconds: 1, Error: "Blocked"})
	log.Record(audit.Event{Kind: audit.Decision, Decision: audit.Block, Rule: "address"})
	log.Record(audit.Event{Kind: audit.Decision, Decision: audit.Allow})
	w := do(newServer(t, Options{Audit: log, Version: "1.2.3"}), "GET", "/metrics", "")
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	page := w.Body.String()
	help := regexp.MustCompile(`^# HELP (\w+) [A-Z].*\.$`)
	kind := regexp.MustCompile(`^# TYPE (\w+) (counter|gauge|histogram)$`)
	sample := regexp.MustCompile(`^(\w+)(\{\w+="([^"\\\n]|\\[\\"n])*"(,\w+="[^"\\\n]*")*\})? [0-9.e+]+$`)
	family, typed := "", false
	seen := map[string]bool{}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if m := help.FindStringSubmatch(line); m != nil {
			if seen[m[1]] {
				t.Errorf("%s stands there twice", m[1])
			}
			family, typed, seen[m[1]] = m[1], false, true
		} else if m := kind.FindStringSubmatch(line); m != nil && m[1] == family {
			typed = true
		} else if m := sample.FindStringSubmatch(line); m == nil || !typed || !strings.HasPrefix(m[1], family) {
			t.Errorf("below %s: %q", family, line)
		}
	}
	for _, want := range []string{
		`spyhop_build_info{version="1.2.3"} 1`,
		`spyhop_calls_total{tool="web_fetch"} 2`,
		`spyhop_calls_total{tool="a\"b\\c\nd"} 2`,
		`spyhop_call_errors_total{tool="a\"b\\c\nd",type="Timeout"} 2`,
		`spyhop_call_errors_total{tool="web_fetch",type="Blocked"} 1`,
		`spyhop_cache_total{result="hit"} 1`,
		`spyhop_verdicts_total{decision="allow"} 1`,
		`spyhop_blocked_total{rule="address"} 1`,
		`spyhop_wire_bytes_total 1000`,
		`spyhop_call_seconds_bucket{tool="web_fetch",le="0.01"} 1`,
		`spyhop_call_seconds_bucket{tool="web_fetch",le="0.05"} 2`,
		`spyhop_call_seconds_bucket{tool="web_fetch",le="30"} 2`,
		`spyhop_call_seconds_bucket{tool="a\"b\\c\nd",le="30"} 0`,
		`spyhop_call_seconds_bucket{tool="a\"b\\c\nd",le="60"} 2`,
		`spyhop_call_seconds_bucket{tool="web_fetch",le="+Inf"} 2`,
		`spyhop_call_seconds_sum{tool="a\"b\\c\nd"} 80`,
		`spyhop_call_seconds_count{tool="web_fetch"} 2`,
		`spyhop_connections 0`,
		`spyhop_connections_refused_total 0`,
		`spyhop_mcp_sessions 0`,
		`spyhop_audit_lost_total{sink="file"} 0`,
	} {
		if !strings.Contains(page, "\n"+want+"\n") {
			t.Errorf("not there: %s", want)
		}
	}
	if w := do(newServer(t, Options{}), "GET", "/metrics", ""); w.Code != 200 || !strings.Contains(w.Body.String(), "# TYPE spyhop_call_seconds histogram\n") {
		t.Errorf("without a log: %d %s", w.Code, w.Body)
	}
}

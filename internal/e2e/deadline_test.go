package e2e_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/tool"
)

// TestOneDeadline: a call ends at its deadline, on every
// surface, and its message names the time that ran. A site whose first byte
// comes late shows it: no limit within a call is its own.
func TestOneDeadline(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name     string
		request  request
		settings []string
		seconds  string // in the message; empty: it is read
	}{
		{"an argument that is long enough", fetching("https://slow.example.com/900ms", "timeout_ms", 20_000), nil, ""},
		{"an argument that is too short", fetching("https://slow.example.com/20s", "timeout_ms", 400), nil, "0.4"},
		{"a setting that is long enough", fetching("https://slow.example.com/901ms"), []string{"WEB_FETCH_TIMEOUT_MS=20000"}, ""},
		{"a setting that is too short", fetching("https://slow.example.com/21s"), []string{"WEB_FETCH_TIMEOUT_MS=450"}, "0.45"},
		{"an argument beyond the setting", fetching("https://slow.example.com/902ms", "timeout_ms", 20_000), []string{"WEB_FETCH_TIMEOUT_MS=300"}, ""},
		{"web_browse, long enough", browsing("https://slow.example.com/903ms"), []string{"WEB_FETCH_TIMEOUT_MS=20000"}, ""},
		{"web_browse, too short", browsing("https://slow.example.com/2500ms"), []string{"WEB_FETCH_TIMEOUT_MS=500"}, "0.5"},
		// In real seconds: the first byte comes later than any client's habit.
		{"12 s within the default of 30", fetching("https://slow.example.com/12s"), nil, ""},
		{"12 s within 5", fetching("https://slow.example.com/12s", "timeout_ms", 5000), nil, "5"},
		{"web_browse, 12 s within the default of 30", browsing("https://slow.example.com/12s"), nil, ""},
		{"web_browse, 12 s within 5", browsing("https://slow.example.com/12s"), []string{"WEB_FETCH_TIMEOUT_MS=5000"}, "5"},
	}
	// All of it begins now: it mostly waits.
	said := make([]answers, len(rows))
	var all sync.WaitGroup
	for i, c := range rows {
		w := newWorld(t, nil, c.settings...)
		all.Go(func() { said[i] = w.everySurface(c.request) })
	}
	all.Wait()
	for i, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			said[i].check(t, func(t *testing.T, surface string, o outcome) {
				switch {
				case c.seconds == "":
					if o.failure != nil || !strings.Contains(o.text, "# Late\n") {
						t.Errorf("%.300q", o.text)
					}
				case c.request.tool == "web_browse":
					isString(t, surface, o, "Error: Request timed out after "+c.seconds+" seconds", tool.ExitNetwork)
				default:
					fails(t, surface, o, tool.Timeout, "Failed to connect to "+c.request.args["url"].(string)+": '", "after "+c.seconds+" seconds")
				}
			})
		})
	}
}

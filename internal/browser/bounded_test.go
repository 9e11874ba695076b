package browser_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestAnswersAreBounded: whatever a page does to its address, title, dialogs and
// windows, what an answer says of it stays short.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{
		"/address": `<p>here<script>history.pushState(0, '', '?q=' + 'x'.repeat(500000)); document.title = 'y'.repeat(500000)</script>`,
		"/hash":    `<p>here<script>location.hash = 'x'.repeat(500000)</script>`,
		"/alerts":  `<p>here<script>for (let i = 0; i < 10; i++) alert(i + ' words of the page '.repeat(1000))</script>`,
		"/asks":    `<p>here<script>setTimeout(() => confirm('words '.repeat(100000)))</script>`,
		"/windows": `<p>here<script>for (let i = 0; i < 30; i++) open('/?' + i)</script>`,
	})
	const most = 6000
	for _, path := range []string{"/address", "/hash", "/alerts", "/asks", "/windows"} {
		p, err := b.Navigate(t.Context(), browser.Place{Context: "c" + path[1:]}, browser.Navigation{URL: url + path})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if data, _ := json.Marshal(p); len(data) > most || !strings.Contains(string(data), url) {
			t.Errorf("%s: %d bytes: %.3000s", path, len(data), data)
		}
		at := browser.Place{Context: p.Context, Tab: p.Tab}
		tabs, _, err := b.Tabs(t.Context(), at, "list", browser.Navigation{})
		if data, _ := json.Marshal(tabs); err != nil || len(data) > 3*most {
			t.Errorf("%s: the tabs take %d bytes, %v", path, len(data), err)
		}
		s, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{})
		if data, _ := json.Marshal(s); err != nil || len(data) > most {
			t.Errorf("%s: the snapshot takes %d bytes, %v: %.3000s", path, len(data), err, data)
		}
	}
}

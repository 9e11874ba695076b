package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestStorms: pages that flood the browser. Each call ends within its time, what it
// answers is bounded, and the next page can be read.
func TestStorms(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	const page = `<!doctype html><title>Storm</title><h1>Storm</h1><button onclick="go()">Go</button><p id=o>words</p><script>`
	storms := map[string]string{
		"addresses": page + `function go() { let n = 0; setInterval(() => { for (let i = 0; i < 50; i++) history.pushState(0, '', '?' + n++ + 'x'.repeat(60000)); }, 5) } go()</script>`,
		"alerts":    page + `function go() { for (let i = 0; i < 300; i++) alert('no '.repeat(3000) + i) }</script>`,
		"redirects": page + `function go() { location = '/redirects?' + 'x'.repeat(60000) } setTimeout(go, 50)</script>`,
		"popups":    page + `function go() { for (let i = 0; i < 60; i++) { window.open('/calm?' + i); const a = document.createElement('a'); a.href = 'data:application/octet-stream,' + i; a.download = 'f'.repeat(300) + i; a.click() } }</script>`,
		"redraws":   page + `function go() { o.textContent = 'gone' } setInterval(() => { const b = document.querySelector('button'), c = b.cloneNode(true); b.replaceWith(c); o.textContent += ' again' }, 30)</script>`,
		"questions": page + `function go() { for (const f of [() => Notification.requestPermission(), () => navigator.geolocation.getCurrentPosition(() => {}), () => navigator.mediaDevices.getUserMedia({audio: true}), () => navigator.clipboard.readText(), () => document.requestStorageAccess()]) { try { const p = f(); p && p.catch && p.catch(() => 0) } catch {} } }</script>`,
		"logs":      page + `function go() { for (let i = 0; i < 20000; i++) console.log('fog '.repeat(500) + i) } go()</script>`,
	}
	hosts := map[string]http.HandlerFunc{"calm.example.org": serves("text/html", "<!doctype html><title>Calm</title><p>Calm words")}
	for name, html := range storms {
		hosts[name+".example.org"] = serves("text/html", html)
	}
	w := newWorld(t, hosts, "WEB_HTTP=allow")
	s, err := w.onStdio()
	if err != nil {
		t.Fatal(err)
	}
	// most is the longest that a call may take, on a slow machine too: its own time
	// limit of 60 s, and what ending a page costs.
	const most = 75 * time.Second
	call := func(t *testing.T, name string, args map[string]any) (text string, failed bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), most)
		defer cancel()
		begun := time.Now()
		r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, c := range r.Content {
			if c, ok := c.(*mcp.TextContent); ok {
				text += c.Text
			}
		}
		if len(text) > maxAnswer {
			t.Errorf("%s: an answer of %d bytes: %.300s", name, len(text), text)
		}
		t.Logf("%s: %.1f s", name, time.Since(begun).Seconds())
		if r.IsError && strings.TrimSpace(text) == "" {
			t.Errorf("%s failed without a word", name)
		}
		return text, r.IsError
	}
	for name := range storms {
		t.Run(name, func(t *testing.T) {
			call(t, "navigate_to_url", map[string]any{"url": "http://" + name + ".example.org/"})
			call(t, "browser_snapshot", nil)
			call(t, "browser_click", map[string]any{"ref": `button "Go"`})
			for _, what := range []string{"console", "network"} {
				call(t, "browser_log", map[string]any{"what": what})
			}
			call(t, "browser_tabs", nil)
			call(t, "browser_snapshot", nil)
			text, failed := call(t, "navigate_to_url", map[string]any{"url": "http://calm.example.org/"})
			if failed { // the call before may have ended the page
				text, failed = call(t, "navigate_to_url", map[string]any{"url": "http://calm.example.org/"})
			}
			if failed || !strings.Contains(text, "Calm words") {
				t.Errorf("the next page: %s", text)
			}
		})
	}
}

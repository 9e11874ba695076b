package e2e_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestSessionContexts: the browser contexts of a session of MCP end with it, and
// callers with other tokens reach neither them nor a saved state.
func TestSessionContexts(t *testing.T) {
	needsBrowser(t)
	w := newWorld(t, nil, "WEB_HTTP=allow")
	url := w.httpServer(t, "contexts", "WEB_SERVE_TOKENS="+w.tokens(t, 0o600, "ann", "bob"))
	connect := func(name, era string) *mcp.ClientSession {
		t.Helper()
		s, err := w.connect(&mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: bearer("token-of-" + name)}}, era)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	call := func(s *mcp.ClientSession, tool string, args map[string]any) string {
		t.Helper()
		o, err := calledOver(s, nil, request{tool, args})
		if err != nil {
			t.Fatal(err)
		}
		return o.text
	}
	ann, stateless := connect("ann", withSession), connect("ann", withoutSession)
	for _, s := range []*mcp.ClientSession{ann, stateless} {
		if text := call(s, "navigate_to_url", map[string]any{"url": "http://script.example.org/", "context": "mine"}); !strings.Contains(text, "mine") {
			t.Fatal(text)
		}
	}
	if text := call(ann, "browser_state", map[string]any{"action": "save", "name": "shop", "context": "mine"}); !strings.Contains(text, "is saved") {
		t.Fatal(text)
	}
	for who, s := range map[string]*mcp.ClientSession{"bob": connect("bob", withSession), "stateless bob": connect("bob", withoutSession), "another session of ann": connect("ann", withSession)} {
		if text := call(s, "browser_snapshot", map[string]any{"context": "mine"}); !strings.Contains(text, `"mine" is not open`) {
			t.Errorf("%s reaches a context: %s", who, text)
		}
		if text := call(s, "browser_state", map[string]any{"action": "restore", "name": "shop"}); strings.HasPrefix(who, "another") == strings.Contains(text, "no state") {
			t.Errorf("%s and ann's state: %s", who, text)
		}
		call(s, "close_browser", nil) // a restored state opens a context
	}
	// The engine goes with the last context; the session's end is seen by that.
	call(stateless, "close_browser", nil)
	if n := browsers(t, w); n == 0 {
		t.Fatal("the browser has ended before the session")
	}
	_ = ann.Close()
	for deadline := time.Now().Add(time.Minute); browsers(t, w) > 0; {
		if time.Now().After(deadline) {
			t.Fatal("the contexts of an ended session keep the browser running")
		}
	}
}

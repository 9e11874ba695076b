package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
	surface "github.com/spyhop-dev/spyhop/internal/serve"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestBrowserPatterns: the usage patterns of the design "Browser Tool Hierarchy",
// as written there, over every surface: no call names a context. After the last
// one no process and no folder of the browser is left.
func TestBrowserPatterns(t *testing.T) {
	if _, err := browser.Find("", false); err != nil {
		t.Skip("no browser on this machine: scripts/setup installs one")
	}
	const link = "http://docs.example.org/asyncio"
	n := newInternet(t, spyhop.Config{HTTP: "allow", NegativeTTL: -1, HostRate: -1, DataDir: t.TempDir()}, map[string]http.HandlerFunc{
		"html.duckduckgo.com": serves("text/html", `<!DOCTYPE html><div id="links" class="results"><div class="result results_links web-result">
			<h2 class="result__title"><a class="result__a" href="`+link+`">asyncio - Python Docs</a></h2><a class="result__snippet">A library.</a></div></div>`),
		"docs.example.org": serves("text/html", article("asyncio", story(8))),
	})
	// Profiles stand here while a browser runs. Chromium wants a short path.
	folder, err := os.MkdirTemp("", "b")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	t.Setenv("TMPDIR", folder)

	type call = patternCall
	patterns := map[string][]call{
		"search, extract, close": {
			{"google_search", `{"query":"Python asyncio tutorial"}`, link},
			{"extract_page_content", `{"url":"` + link + `"}`, "asyncio"},
			{"close_browser", `{}`, "the browser is closed"},
		},
		"extract, close": {
			{"extract_page_content", `{"url":"` + link + `"}`, "asyncio"},
			{"close_browser", `{}`, "the browser is closed"},
		},
		"search, navigate, screenshot, close": {
			{"google_search", `{"query":"Python asyncio"}`, link},
			{"navigate_to_url", `{"url":"` + link + `"}`, "asyncio"},
			{"take_web_screenshot", `{"full_page":true}`, link},
			{"close_browser", `{}`, "the browser is closed"},
		},
	}
	// Each surface runs calls and returns what a reader gets of each.
	surfaces := map[string]func(*testing.T, *spyhop.Client, []call) []string{
		"plan": planPattern,
		"rest": restPattern,
	}
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		for _, way := range []string{"http", "stdio"} {
			surfaces["mcp "+way+" "+era] = func(t *testing.T, c *spyhop.Client, calls []call) []string { return mcpPattern(t, c, way, era, calls) }
		}
	}
	for name, run := range surfaces {
		for pattern, calls := range patterns {
			t.Run(name+"/"+pattern, func(t *testing.T) {
				for i, got := range run(t, n.client(t), calls) {
					if !strings.Contains(got, calls[i].want) {
						t.Errorf("%s: %s, want %s", calls[i].tool, got, calls[i].want)
					}
					if names := strings.Contains(got, "context"); calls[i].tool != "google_search" && calls[i].tool != "close_browser" && !names {
						t.Errorf("%s does not name its context: %s", calls[i].tool, got)
					}
				}
				if left, err := filepath.Glob(filepath.Join(folder, "spyhop-browser-*")); err != nil || len(left) > 0 {
					t.Errorf("the browser has left %q, %v", left, err)
				}
			})
		}
	}
}

type patternCall = struct{ tool, args, want string }

func planPattern(t *testing.T, client *spyhop.Client, calls []patternCall) []string {
	var steps []string
	for i, c := range calls {
		steps = append(steps, fmt.Sprintf(`{"id":"s%d","tool":%q,"args":%s}`, i, c.tool, c.args))
	}
	plan, err := tool.ParsePlan([]byte(`{"steps":[` + strings.Join(steps, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := client.Catalog().RunPlan(t.Context(), plan, spyhop.CallOptions{Given: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range results {
		out = append(out, r.Result.Text)
	}
	return out
}

func restPattern(t *testing.T, client *spyhop.Client, calls []patternCall) []string {
	s, err := surface.New(surface.Options{Catalog: client.Catalog(), Files: client.CaptureDir()})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range calls {
		r := httptest.NewRequest("POST", "http://127.0.0.1:7749/v1/tools/"+c.tool, strings.NewReader(c.args))
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		var object map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &object); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d %s", c.tool, w.Code, w.Body)
		}
		if c.tool == "take_web_screenshot" && (object["context"] == "" || object["file_url"] == nil || object["screenshot_path"] == nil) {
			t.Errorf("%s", w.Body)
		}
		out = append(out, w.Body.String())
	}
	return out
}

func mcpPattern(t *testing.T, client *spyhop.Client, way, era string, calls []patternCall) []string {
	options := surface.Options{Catalog: client.Catalog(), Version: "test"}
	var transport mcp.Transport
	if way == "http" {
		s, err := surface.New(options)
		if err != nil {
			t.Fatal(err)
		}
		over := httptest.NewServer(s.Handler())
		t.Cleanup(func() { over.CloseClientConnections(); over.Close() })
		transport = &mcp.StreamableClientTransport{Endpoint: over.URL + "/mcp"}
	} else {
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		go func() {
			_ = surface.Stdio(context.WithoutCancel(t.Context()), in, out, options) // ends with the client's end of the pipe
			out.Close()
		}()
		transport = &mcp.IOTransport{Reader: fromServer, Writer: toServer}
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	var out []string
	for _, c := range calls {
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.args)})
		if err != nil || r.IsError || len(r.Content) == 0 {
			t.Fatalf("%s: %v %+v", c.tool, err, r)
		}
		if _, pictured := r.Content[len(r.Content)-1].(*mcp.ImageContent); pictured != (c.tool == "take_web_screenshot") {
			t.Errorf("%s: %d parts", c.tool, len(r.Content))
		}
		if r.StructuredContent != nil {
			t.Errorf("%s has structured content, which hides its text", c.tool)
		}
		out = append(out, r.Content[0].(*mcp.TextContent).Text)
	}
	return out
}

// TestNothingOpen: over REST a call for which no page is open is InvalidInput, with
// the next step.
func TestNothingOpen(t *testing.T) {
	if _, err := browser.Find("", false); err != nil {
		t.Skip("no browser on this machine: scripts/setup installs one")
	}
	n := newInternet(t, spyhop.Config{}, nil)
	s, err := surface.New(surface.Options{Catalog: n.client(t).Catalog()})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "http://127.0.0.1:7749/v1/tools/take_web_screenshot", bytes.NewReader([]byte(`{}`)))
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	if w.Code != 400 || !strings.Contains(w.Body.String(), `"error_type":"InvalidInput"`) || !strings.Contains(w.Body.String(), "navigate_to_url with a url") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

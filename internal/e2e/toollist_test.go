package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestToolListSize: what a client is shown in tools/list stays within its budget of
// o200k tokens: 1,200 for core, 900 for crawl, 5,700 for the default list, 7,200 for all. Bytes stand for tokens:
// of the lists with 1,199, 752 and 5,525 tokens, which tiktoken-go counted, a token
// had 4.15, 4.07 and 4.15 bytes. The bounds assume 4.148, 4.05, 4.14 and 4.14.
func TestToolListSize(t *testing.T) {
	w := newWorld(t, nil)
	for profile, most := range map[string]int{"core": 4_978, "crawl": 3_645, "core,browser,crawl": 23_600, "all": 29_800} {
		data, err := json.Marshal(w.lists(t, "--tools", profile))
		if err != nil {
			t.Fatal(err)
		}
		for escape, plain := range map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"} {
			data = bytes.ReplaceAll(data, []byte(escape), []byte(plain))
		}
		if t.Logf("%s: %d bytes", profile, len(data)); len(data) > most || len(data) < 1000 {
			t.Errorf("tools/list of %s has %d bytes, more than %d: count its tokens", profile, len(data), most)
		}
	}
}

// TestTextOnly: no tool shows clients an output schema or answers with structured
// content: clients that see it drop the text or the picture.
func TestTextOnly(t *testing.T) {
	t.Parallel()
	_, err := browser.Find("", false)
	browses := err == nil
	w := newWorld(t, map[string]http.HandlerFunc{
		"tides.example.org":   serves("text/html", `<!doctype html><title>Tides</title><main><h1>Tides</h1>`+fog+`<form><label>Name <input name="name"></label><button>Go</button><select name="s" aria-label="Line"><option>Blue</option></select></form><a href="/more">More</a></main>`),
		"html.duckduckgo.com": serves("text/html", `<html><body><div id="links" class="results"><div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="http://tides.example.org/">Tides</a></h2><a class="result__snippet">The ferry left</a></div></div></body></html>`),
	}, "WEB_HTTP=allow", "WEB_ALLOW_SCRIPT=true", "WEB_UPLOAD_DIR="+t.TempDir())
	const url = "http://tides.example.org/"
	calls := []struct {
		name string
		args map[string]any
	}{
		{"web_fetch", map[string]any{"url": url, "render": "never"}},
		{"web_fetch", map[string]any{"urls": []string{url, url + "a"}, "render": "never"}},
		{"web_fetch", map[string]any{"url": url, "mode": "json", "render": "never"}},
		{"web_search", map[string]any{"query": "tides"}},
		{"web_search", map[string]any{"query": "tides", "include_content": true}},
		{"web_map", map[string]any{"url": url}},
		{"web_crawl", map[string]any{"url": url, "max_pages": 2, "query": "ferry"}},
		{"web_recall", map[string]any{"query": "tides"}},
		{"web_browse", map[string]any{"url": url}},
		{"google_search", map[string]any{"query": "tides"}},
		{"navigate_to_url", map[string]any{"url": url}},
		{"extract_page_content", map[string]any{"url": url}},
		{"browser_snapshot", nil},
		{"browser_find", map[string]any{"text": "Tides"}},
		{"browser_click", map[string]any{"ref": "e1"}},
		{"browser_hover", map[string]any{"ref": "e1"}},
		{"browser_type", map[string]any{"ref": "e1", "text": "Ada"}},
		{"browser_fill_form", map[string]any{"fields": []any{map[string]any{"ref": "e1", "value": "Ada"}}}},
		{"browser_select_option", map[string]any{"ref": "e1", "values": []string{"Blue"}}},
		{"browser_drag", map[string]any{"from": "e1", "to": "e2"}},
		{"browser_mouse", map[string]any{"ref": "e1", "path": []string{"1,1"}}},
		{"browser_resize", map[string]any{"media": "light"}},
		{"browser_route", map[string]any{"action": "clear"}},
		{"browser_upload_file", map[string]any{"ref": "e1", "paths": []string{"x"}}},
		{"browser_press_key", map[string]any{"key": "Tab"}},
		{"browser_scroll", map[string]any{"direction": "down"}},
		{"browser_wait_for", map[string]any{"text": "Tides"}},
		{"browser_tabs", nil},
		{"browser_dialog", map[string]any{"accept": false}},
		{"browser_cookies", nil},
		{"browser_state", map[string]any{"action": "save", "name": "x"}},
		{"browser_log", nil},
		{"browser_batch", map[string]any{"steps": []any{map[string]any{"tool": "browser_press_key", "args": map[string]any{"key": "Tab"}}}}},
		{"browser_evaluate", map[string]any{"script": "document.title"}},
		{"take_web_screenshot", nil},
		{"save_page_as_pdf", nil},
		{"close_browser", nil},
	}
	for _, era := range []string{withSession, withoutSession} {
		t.Run(era, func(t *testing.T) {
			s, err := w.connect(&mcp.CommandTransport{Command: w.command(context.Background(), "text "+era, "mcp", "--tools", "all"), TerminateDuration: 20 * time.Second}, era)
			if err != nil {
				t.Fatal(err)
			}
			list, err := s.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range list.Tools {
				if d.OutputSchema != nil {
					t.Errorf("%s has an output schema", d.Name)
				}
				if !slices.ContainsFunc(calls, func(c struct {
					name string
					args map[string]any
				}) bool {
					return c.name == d.Name
				}) {
					t.Errorf("%s is not called", d.Name)
				}
			}
			for _, c := range calls {
				if !browses && (strings.Contains(c.name, "browse") || slices.Contains([]string{"google_search", "navigate_to_url", "extract_page_content", "take_web_screenshot", "save_page_as_pdf"}, c.name)) {
					continue
				}
				if c.args == nil {
					c.args = map[string]any{}
				}
				r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: c.name, Arguments: c.args})
				if err != nil {
					t.Fatal(c.name, err)
				}
				if len(r.Content) == 0 || r.StructuredContent != nil {
					t.Errorf("%s: %d parts, structured content %v", c.name, len(r.Content), r.StructuredContent)
				}
				if strings.HasPrefix(c.name, "web_") && r.IsError {
					t.Errorf("%s %s: %s", c.name, jsonOf(t, c.args), jsonOf(t, r.Content))
				}
			}
		})
	}
}

package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
	server "github.com/spyhop-dev/spyhop/internal/serve"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestBrowserToolHierarchy is the design "Browser Tool Hierarchy"; what needs a
// browser is skipped where there is none. docs/reference-designs.md has the
// table.
func TestBrowserToolHierarchy(t *testing.T) {
	ctx := context.Background()
	const results = `<!DOCTYPE html><html><body><div id="links" class="results">
<div class="result results_links results_links_deep web-result"><h2 class="result__title"><a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fdocs.python.org%2F3%2Flibrary%2Fasyncio.html&rut=1">asyncio - Python Docs</a></h2><a class="result__snippet" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fdocs.python.org%2F">A library to write <b>concurrent</b> code.</a></div>
<div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="https://realpython.com/async-io-python/">Async IO</a></h2><a class="result__snippet">A walkthrough.</a></div>
</div></body></html>`
	n := newInternet(t, spyhop.Config{NegativeTTL: -1}, map[string]http.HandlerFunc{
		"html.duckduckgo.com": serves("text/html", results),
		"docs.python.org":     serves("text/html", article("asyncio", story(8))),
	})
	client := n.client(t)

	t.Run("google_search asks DuckDuckGo and needs no key", func(t *testing.T) {
		r, err := client.Call(ctx, "google_search", json.RawMessage(`{"query":"Python asyncio documentation","num_results":2}`), spyhop.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(r.Data)
		if want := `{"results":[{"title":"asyncio - Python Docs","link":"https://docs.python.org/3/library/asyncio.html","snippet":"A library to write concurrent code."},` +
			`{"title":"Async IO","link":"https://realpython.com/async-io-python/","snippet":"A walkthrough."}],"query":"Python asyncio documentation","num_results":2}`; err != nil || string(data) != want {
			t.Errorf("%v\n got %s\nwant %s", err, data, want)
		}
		if got := n.requests(); len(got) != 1 || !strings.HasPrefix(got[0], "POST https://html.duckduckgo.com/html") && !strings.HasPrefix(got[0], "GET https://html.duckduckgo.com/html") {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("kind, level and the tree", func(t *testing.T) {
		d, _ := client.Catalog().Lookup("google_search")
		if d.Kind != tool.Browser || d.Level != tool.Search || !strings.HasSuffix(d.PromptLine(), " | LEVEL 1 | browser_tool") {
			t.Errorf("%s", d.PromptLine())
		}
		_, tree, ok := strings.Cut(tool.Tree(client.Catalog().List()), "browser_tool\n")
		if !ok || !strings.Contains(tree, "level 1: search\n") || !strings.Contains(tree, "input: query (str), num_results? (int)") ||
			!strings.Contains(tree, "output: results (list[dict]), query (str), num_results (int)") {
			t.Errorf("%s", tree)
		}
	})
	t.Run("an error is a value with four members", func(t *testing.T) {
		down := newInternet(t, spyhop.Config{}, map[string]http.HandlerFunc{"html.duckduckgo.com": nil, "lite.duckduckgo.com": nil})
		_, err := down.client(t).Call(ctx, "google_search", json.RawMessage(`{"query":"x"}`), spyhop.CallOptions{})
		var e *spyhop.Error
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var value map[string]any
		if err := json.Unmarshal(data, &value); err != nil {
			t.Fatal(err)
		}
		if value["error"] != true || value["error_type"] != "SearchError" || value["error_message"] == "" || value["retry_possible"] != true {
			t.Errorf("%s", data)
		}
	})
	t.Run("tools of the caller's own stand beside", func(t *testing.T) {
		err := client.Register(tool.Declaration{Name: "create_keynote", Description: "Make slides.", Level: tool.CleanUp,
			Input: tool.Object(tool.String("title", "").Require(), tool.String("content", "").Require()),
			Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
				return tool.Result{Text: c.Args.String("title")}, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]tool.Kind{}
		for _, d := range client.Catalog().List() {
			kinds[d.Name] = d.Kind
		}
		if kinds["create_keynote"] != tool.Plain || kinds["google_search"] != tool.Browser {
			t.Errorf("%v", kinds)
		}
	})
	t.Run("a tool that does not exist is named, with the nearest one", func(t *testing.T) {
		_, err := client.Call(ctx, "gogle_search", nil, spyhop.CallOptions{})
		var e *spyhop.Error
		if !errors.As(err, &e) || e.Type != tool.InvalidInput || !strings.Contains(e.Message, `"gogle_search"`) {
			t.Errorf("%v", err)
		}
		if e != nil && e.Hint != `did you mean "google_search"?` {
			t.Errorf("%s", e.Hint)
		}
	})
	t.Run("search, then extract, as a plan", func(t *testing.T) {
		// The design's own steps, in a browser, stand below.
		plan, err := tool.ParsePlan([]byte(`{"steps":[
			{"id":"s1","tool":"google_search","args":{"query":"Python asyncio documentation"}},
			{"id":"s2","tool":"web_fetch","args":{"url":"${s1.results[0].link}"}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		steps, err := client.Catalog().RunPlan(ctx, plan, spyhop.CallOptions{}, nil)
		if err != nil || len(steps) != 2 || !strings.HasPrefix(steps[1].Result.Text, "Contents of https://docs.python.org/3/library/asyncio.html:\n") {
			t.Errorf("%v %+v", err, steps)
		}
		plan.Steps[1].Tool = "extract_contents"
		if problems := client.Catalog().CheckPlan(plan); len(problems) != 1 || !strings.Contains(problems[0].Message, `"extract_contents" is unknown`) {
			t.Errorf("%+v", problems)
		}
		if _, err := client.Catalog().RunPlan(ctx, plan, spyhop.CallOptions{}, nil); err == nil {
			t.Error("a plan with an unknown tool was run")
		}
	})

	// What follows opens pages: over plain http and of a domain that no browser
	// asks for by https alone, since it believes no certificate of a test.
	captures := t.TempDir()
	pages := newInternet(t, spyhop.Config{HTTP: "allow", NegativeTTL: -1, HostRate: -1, DataDir: captures}, map[string]http.HandlerFunc{
		"html.duckduckgo.com": serves("text/html", strings.ReplaceAll(results, "https%3A%2F%2Fdocs.python.org", "http%3A%2F%2Fdocs.example.org")),
		"docs.example.org": serves("text/html", `<!doctype html><title>asyncio</title><nav><a href="/x">Tutorials elsewhere</a></nav><main id="root"></main>
			<script>root.innerHTML = '<h1>asyncio</h1>' + Array.from('12345678', n => '<p>Chapter ' + n + ' of a library to write concurrent code with the words async and await, which a script has put here.</p>').join('')</script>`),
	})
	inBrowser := func(t *testing.T) *spyhop.Client {
		t.Helper()
		if _, err := browser.Find("", false); err != nil {
			t.Skip("no browser on this machine: scripts/setup installs one")
		}
		// Profiles stand here while a browser runs. Chromium wants a short path.
		folder, err := os.MkdirTemp("", "b")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(folder) })
		t.Setenv("TMPDIR", folder)
		return pages.client(t)
	}
	call := func(t *testing.T, client *spyhop.Client, name, args string) map[string]any {
		t.Helper()
		r, err := client.Call(ctx, name, json.RawMessage(args), spyhop.CallOptions{Given: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		data, err := json.Marshal(r.Data)
		if err != nil {
			t.Fatal(err)
		}
		var out map[string]any
		if err := json.Unmarshal(data, &out); err != nil {
			t.Fatalf("%s: %v in %s", name, err, data)
		}
		return out
	}
	t.Run("search, navigate, screenshot, close", func(t *testing.T) {
		client := inBrowser(t)
		found := call(t, client, "google_search", `{"query":"Python asyncio documentation"}`)
		link := found["results"].([]any)[0].(map[string]any)["link"].(string)
		where := call(t, client, "navigate_to_url", `{"url":"`+link+`","wait_until":"load"}`)
		if where["url"] != link || where["title"] != "asyncio" || where["status"] != 200.0 {
			t.Errorf("navigate_to_url: %v", where)
		}
		content := call(t, client, "extract_page_content", `{}`)
		text, _ := content["content"].(string)
		if !strings.HasPrefix(text, "# asyncio") || !strings.Contains(text, "which a script has put here") || strings.Contains(text, "elsewhere") ||
			content["title"] != "asyncio" || content["url"] != link || content["word_count"].(float64) < 100 || content["extraction_method"] != "spyhop" || content["page_type"] == "" {
			t.Errorf("extract_page_content: %v", content)
		}
		shot := call(t, client, "take_web_screenshot", `{"full_page":true}`)
		file := shot["screenshot_path"].(string)
		picture, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer picture.Close()
		size, err := png.DecodeConfig(picture)
		if err != nil || float64(size.Width) != shot["width"] || float64(size.Height) != shot["height"] || shot["url"] != link || !strings.HasPrefix(file, captures) {
			t.Errorf("take_web_screenshot: %v %+v %v", shot, size, err)
		}
		if message := call(t, client, "close_browser", `{}`)["message"]; message != "the browser is closed" {
			t.Errorf("close_browser: %v", message)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the picture does not stay: %v", err)
		}
	})
	t.Run("search, then extract_page_content, as a plan", func(t *testing.T) {
		client := inBrowser(t)
		plan, err := tool.ParsePlan([]byte(`{"steps":[
			{"id":"s1","tool":"google_search","args":{"query":"Python asyncio documentation"}},
			{"id":"s2","tool":"extract_page_content","args":{"url":"${s1.results[0].link}"}},
			{"id":"s3","tool":"close_browser","args":{}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		steps, err := client.Catalog().RunPlan(ctx, plan, spyhop.CallOptions{Given: true}, nil)
		if err != nil || len(steps) != 3 || !strings.Contains(steps[1].Result.Text, "which a script has put here") {
			t.Errorf("%v %+v", err, steps)
		}
	})
	t.Run("it starts when it is needed, and can be closed and started again", func(t *testing.T) {
		client := inBrowser(t)
		running := func() int {
			profiles, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "spyhop-browser-*"))
			if err != nil {
				t.Fatal(err)
			}
			return len(profiles)
		}
		for _, step := range []struct {
			name, args string
			want       int
		}{
			{"google_search", `{"query":"asyncio"}`, 0},
			{"web_fetch", `{"url":"http://docs.example.org/","render":"never","mode":"raw"}`, 0},
			{"close_browser", `{}`, 0},
			{"navigate_to_url", `{"url":"http://docs.example.org/"}`, 1},
			{"browser_snapshot", `{}`, 1},
			{"close_browser", `{}`, 0},
			{"google_search", `{"query":"asyncio"}`, 0},
			{"extract_page_content", `{"url":"http://docs.example.org/"}`, 1},
			{"close_browser", `{}`, 0},
		} {
			call(t, client, step.name, step.args)
			if got := running(); got != step.want {
				t.Errorf("after %s %d browsers run, want %d", step.name, got, step.want)
			}
		}
	})
	t.Run("captures over plain HTTP", func(t *testing.T) {
		client := inBrowser(t)
		s, err := server.New(server.Options{Catalog: client.Catalog(), Files: client.CaptureDir()})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(method, path, body string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(method, "http://127.0.0.1:7749"+path, strings.NewReader(body))
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			return w
		}
		for _, c := range []struct{ tool, kind, starts string }{{"take_web_screenshot", "image/png", "\x89PNG"}, {"save_page_as_pdf", "application/pdf", "%PDF-"}} {
			w := ask("POST", "/v1/tools/"+c.tool, `{"url":"http://docs.example.org/"}`)
			var made struct {
				URL string `json:"file_url"`
			}
			if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || made.URL == "" {
				t.Fatalf("%s: %d %s %v", c.tool, w.Code, w.Body, err)
			}
			w = ask("GET", made.URL, "")
			if w.Code != 200 || w.Header().Get("Content-Type") != c.kind || !strings.HasPrefix(w.Body.String(), c.starts) {
				t.Errorf("%s: %d %v", made.URL, w.Code, w.Header())
			}
		}
	})
}

package spyhop_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/tool"
)

// TestBrowserToolHierarchy is the design "Browser Tool Hierarchy", as far as no
// browser is needed. docs/reference-designs.md has the table.
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
		err := client.Register(spyhop.Tool{Name: "create_keynote", Description: "Make slides.", Level: tool.CleanUp,
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
		// Of the design's own steps the second needs extract_page_content.
		plan, err := spyhop.ParsePlan([]byte(`{"steps":[
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
}

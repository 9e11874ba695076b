package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	_ "image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/demosite"
	"github.com/spyhop-dev/spyhop/tool"
)

// The documentation that the design's examples look for. The browser opens plain
// http, on a domain that it does not force to https: it does not trust the
// certificates of a test.
const (
	asyncioDocs = "http://docs.example.org/3/library/asyncio.html"
	foundDocs   = `<!DOCTYPE html><html><body><div id="links" class="results">
<div class="result results_links results_links_deep web-result"><h2 class="result__title"><a class="result__a" href="//duckduckgo.com/l/?uddg=http%3A%2F%2Fdocs.example.org%2F3%2Flibrary%2Fasyncio.html&rut=1">asyncio - Python Docs</a></h2><a class="result__snippet" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fdocs.python.org%2F">A library to write <b>concurrent</b> code.</a></div>
<div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="https://realpython.com/async-io-python/">Async IO</a></h2><a class="result__snippet">A walkthrough.</a></div>
</div></body></html>`
	scriptedDocs = `<!doctype html><title>asyncio</title><nav><a href="/x">Tutorials elsewhere</a></nav><main id="root"></main>
<script>root.innerHTML = '<h1>asyncio</h1>' + Array.from('12345678', n => '<p>Chapter ' + n + ' of a library to write concurrent code with the words async and await, which a script has put here.</p>').join('')</script>`
	tideForm = `<!doctype html><title>Tides</title><main><h1>Tides</h1><form><label><input type="checkbox" id="post" name="post"> Send them by post</label> <label>Name <input name="name"></label><button>Go</button></form></main>`
)

// TestBrowserToolHierarchy is the design "Browser Tool Hierarchy", by the program
// and its servers; parts that need a browser are skipped if there is none.
// docs/reference-designs.md has the table.
func TestBrowserToolHierarchy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]http.HandlerFunc{
		"html.duckduckgo.com": serves("text/html", foundDocs),
		"docs.example.org":    serves("text/html", scriptedDocs),
		"tides.example.org":   serves("text/html", tideForm),
		"leads.example.org": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.168.1.1/", http.StatusFound)
		},
	}, "WEB_HTTP=allow")
	post := func(t *testing.T, w *world, name string, args map[string]any) map[string]any {
		t.Helper()
		o := w.must(t, byREST, request{name, args})
		if o.failure != nil {
			t.Fatalf("%s %v: %s", name, args, o.text)
		}
		return o.object
	}

	t.Run("google_search asks DuckDuckGo and needs no key", func(t *testing.T) {
		w.n.requests()
		o := w.must(t, byREST, request{"google_search", map[string]any{"query": "Python asyncio documentation", "num_results": 2}})
		want := map[string]any{"query": "Python asyncio documentation", "num_results": 2.0, "results": []any{
			map[string]any{"title": "asyncio - Python Docs", "link": asyncioDocs, "snippet": "A library to write concurrent code."},
			map[string]any{"title": "Async IO", "link": "https://realpython.com/async-io-python/", "snippet": "A walkthrough."}}}
		if got, wanted := jsonOf(t, o.object), jsonOf(t, want); got != wanted {
			t.Errorf("got  %s\nwant %s", got, wanted)
		}
		if got := w.n.requests(); len(got) != 1 || !strings.Contains(got[0], " https://html.duckduckgo.com/html") {
			t.Errorf("asked for %q", got)
		}
		for _, surface := range []string{byStdio, bySession, bySingle, byCall, byAgent, byPlan} {
			has(t, w.must(t, surface, request{"google_search", map[string]any{"query": "Python asyncio documentation"}}).text, "asyncio - Python Docs", asyncioDocs, "A library to write concurrent code.")
		}
	})
	t.Run("kind, level and the tree", func(t *testing.T) {
		prompt := w.run("tools", "--prompt").stdout
		for name, level := range map[string]string{"google_search": "1", "navigate_to_url": "2", "extract_page_content": "2", "take_web_screenshot": "3", "close_browser": "4"} {
			if !regexp.MustCompile(`(?m)^- ` + name + `: .* \| LEVEL ` + level + ` \| browser_tool$`).MatchString(prompt) {
				t.Errorf("%s: %s", name, prompt)
			}
		}
		_, tree, _ := strings.Cut(w.run("tools", "--tree").stdout, "browser_tool\n")
		has(t, tree, "level 1: search\n", "input: query (str), num_results? (int)", "output: results (list[dict]), query (str), num_results (int)")
	})
	t.Run("the tree has what each tool answers", func(t *testing.T) {
		_, tree, _ := strings.Cut(w.run("tools", "--tree").stdout, "browser_tool\n")
		if in, out := strings.Count(tree, "input:"), strings.Count(tree, "output:"); in == 0 || out < in {
			t.Errorf("%d tools have an input and %d an output:\n%s", in, out, tree)
		}
	})
	t.Run("kind and level over MCP", func(t *testing.T) {
		for _, d := range w.lists(t, "--tools", "all") {
			if d.Name == "take_web_screenshot" {
				has(t, jsonOf(t, d.Meta), `"kind":"browser_tool"`, `"level":3`)
			}
		}
	})
	t.Run("level 1 is where the browser's tools are", func(t *testing.T) {
		for flags, listed := range map[string]bool{"": false, "--tools browser": true} { // it is accepted in both
			if names := namesOf(w.lists(t, strings.Fields(flags)...)); strings.Contains(names, "google_search") != listed || !strings.Contains(names, "close_browser") {
				t.Errorf("%q: %s", flags, names)
			}
		}
	})
	t.Run("an error is a value with four members", func(t *testing.T) {
		down := newWorld(t, map[string]http.HandlerFunc{"html.duckduckgo.com": nil, "lite.duckduckgo.com": nil})
		for _, surface := range []string{byREST, byCall} {
			o := down.must(t, surface, request{"google_search", map[string]any{"query": "x"}})
			if v := o.object; v["error"] != true || v["error_type"] != "SearchError" || v["error_message"] == "" || v["retry_possible"] != true {
				t.Errorf("%s: %v", surface, v)
			}
		}
	})
	t.Run("tools of the caller are listed too", func(t *testing.T) {
		client, err := w.library()
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		err = client.Register(tool.Declaration{Name: "create_keynote", Description: "Make slides.", Level: tool.CleanUp,
			Input: tool.Object(tool.String("title", "").Require(), tool.String("content", "").Require()),
			Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
				return tool.Result{Text: c.Args.String("title") + ": " + c.Args.String("content")}, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		// The design's example, with its four steps.
		steps := runPlan(t, client, `{"steps":[
			{"id":"s1","tool":"google_search","args":{"query":"Python asyncio tutorial"}},
			{"id":"s2","tool":"web_fetch","args":{"url":"${s1.results[0].link}","render":"never","mode":"raw"}},
			{"id":"s3","tool":"close_browser","args":{}},
			{"id":"s4","tool":"create_keynote","args":{"title":"Asyncio","content":"${s2.content}"}}]}`)
		if len(steps) != 4 || !strings.HasPrefix(steps[3].Result.Text, "Asyncio: <!doctype html>") {
			t.Errorf("%+v", steps)
		}
	})
	t.Run("a tool that does not exist is named, with the nearest one", func(t *testing.T) {
		for _, surface := range []string{byCall, byPlan} {
			o := w.must(t, surface, request{"gogle_search", map[string]any{"query": "x"}})
			if o.failure == nil || o.failure.Type != tool.InvalidInput || !strings.Contains(o.failure.Message, `"gogle_search"`) || o.failure.Hint != `did you mean "google_search"?` || o.exit != 2 {
				t.Errorf("%s: %+v %v", surface, o, o.failure)
			}
		}
		if o := w.must(t, byREST, request{"gogle_search", nil}); o.status != 404 || o.failure.Hint != `did you mean "google_search"?` {
			t.Errorf("%+v", o)
		}
		said, _, err := w.ask(demosite.Turns{{Tool: "gogle_search", Args: `{"query":"x"}`}, {Text: "No."}}, "--tools", "google_search", "x")
		if err != nil || len(said) != 1 || !strings.Contains(said[0], `did you mean "google_search"?`) {
			t.Errorf("%v %q", err, said)
		}
	})
	t.Run("a plan is checked for what tools do not answer", func(t *testing.T) {
		const plan = `{"steps":[{"id":"a","tool":"navigate_to_url","args":{"url":"https://example.com"}},
			{"id":"b","tool":"extract_page_content","args":{"url":"${a.uurl}"}},{"id":"c","tool":"take_web_screenshot","args":{}},
			{"id":"d","tool":"web_browse","args":{"url":"${c.screenshot_paht}"}},{"id":"e","tool":"web_browse","args":{"url":"${b.contnet}"}}]}`
		r := w.runAs("plans", plan, "plan", "validate", "-")
		if r.exit != 2 {
			t.Errorf("%+v", r)
		}
		has(t, r.stdout, `"uurl"`, `did you mean "url"?`, `"screenshot_paht"`, `did you mean "screenshot_path"?`, `"contnet"`, `did you mean "content"?`)
	})
	t.Run("search, then extract, as a plan", func(t *testing.T) {
		r := w.runAs("plans", `{"steps":[{"id":"s1","tool":"google_search","args":{"query":"Python asyncio documentation"}},
			{"id":"s2","tool":"web_fetch","args":{"url":"${s1.results[0].link}","render":"never","mode":"raw"}}]}`, "plan", "run", "-")
		has(t, r.stdout, "== s1: google_search\n", "asyncio - Python Docs", "== s2: web_fetch\nContents of "+asyncioDocs+":\n")
		if r = w.runAs("plans", `{"steps":[{"id":"s1","tool":"extract_contents","args":{}}]}`, "plan", "run", "-"); r.exit != 2 || !strings.Contains(r.stdout, `tool "extract_contents" is unknown`) {
			t.Errorf("%+v", r)
		}
	})

	// The design's three patterns and its first two examples, word for word, over
	// plain HTTP without a context.
	patterns := map[string][]struct {
		name string
		args map[string]any
	}{
		"search, extract, close": {
			{"google_search", map[string]any{"query": "Python asyncio documentation"}},
			{"extract_page_content", map[string]any{"url": "LINK"}}, {"close_browser", map[string]any{}}},
		"address, extract, close": {
			{"extract_page_content", map[string]any{"url": asyncioDocs}}, {"close_browser", map[string]any{}}},
		"search, navigate, screenshot, close": {
			{"google_search", map[string]any{"query": "LangChain official website"}},
			{"navigate_to_url", map[string]any{"url": "LINK"}}, {"take_web_screenshot", map[string]any{"full_page": true}}, {"close_browser", map[string]any{}}},
	}
	for name, steps := range patterns {
		t.Run(name, func(t *testing.T) {
			needsBrowser(t)
			there := w.with(t)
			link, file := "", ""
			for _, s := range steps {
				if s.args["url"] == "LINK" {
					s.args["url"] = link
				}
				o := post(t, there, s.name, s.args)
				if c, _ := o["context"].(string); c == "" && s.name != "google_search" && s.name != "close_browser" {
					t.Errorf("%s does not name its context: %v", s.name, o)
				}
				switch s.name {
				case "google_search":
					link = o["results"].([]any)[0].(map[string]any)["link"].(string)
				case "navigate_to_url":
					if o["url"] != link || o["title"] != "asyncio" || o["status"] != 200.0 {
						t.Errorf("%v", o)
					}
				case "extract_page_content":
					text, _ := o["content"].(string)
					if !strings.HasPrefix(text, "# asyncio") || !strings.Contains(text, "which a script has put here") || strings.Contains(text, "elsewhere") ||
						o["title"] != "asyncio" || o["url"] != asyncioDocs || o["word_count"].(float64) < 100 || o["extraction_method"] != "spyhop" || o["page_type"] == "" {
						t.Errorf("%v", o)
					}
				case "take_web_screenshot":
					if file, _ = o["screenshot_path"].(string); o["url"] != asyncioDocs || !strings.HasPrefix(file, there.data("serve")) {
						t.Errorf("%v", o)
					}
					notBlank(t, file, o["width"], o["height"])
				case "close_browser":
					if o["message"] != "the browser is closed" {
						t.Errorf("%v", o)
					}
				}
			}
			if n := browsers(t, there); n != 0 {
				t.Errorf("%d browsers run after close_browser", n)
			}
			if file == "" {
				return
			}
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the picture does not stay: %v", err)
			}
		})
		t.Run(name+", over MCP", func(t *testing.T) {
			needsBrowser(t)
			there := w.with(t)
			for _, connect := range []func() (*mcp.ClientSession, error){there.onStdio, func() (*mcp.ClientSession, error) { return there.overHTTP(withSession) },
				func() (*mcp.ClientSession, error) { return there.overHTTP(withoutSession) }} {
				s, err := connect()
				if err != nil {
					t.Fatal(err)
				}
				for _, step := range steps {
					args := map[string]any{}
					for k, v := range step.args {
						if args[k] = v; v == "LINK" {
							args[k] = asyncioDocs
						}
					}
					r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: step.name, Arguments: args})
					if err != nil || r.IsError {
						t.Fatalf("%s: %v %s", step.name, err, jsonOf(t, r))
					}
					text := r.Content[0].(*mcp.TextContent).Text
					if step.name != "google_search" && step.name != "close_browser" {
						has(t, text, "; context ")
					}
					switch step.name {
					case "extract_page_content":
						has(t, text, "# asyncio", "which a script has put here")
					case "take_web_screenshot":
						has(t, text, asyncioDocs)
						picture, ok := r.Content[len(r.Content)-1].(*mcp.ImageContent)
						if !ok {
							t.Fatalf("there is no picture: %s", text)
						}
						coloured(t, bytes.NewReader(picture.Data))
					}
				}
			}
			if n := browsers(t, there); n != 0 {
				t.Errorf("%d browsers run after close_browser", n)
			}
		})
	}
	t.Run("search, then extract_page_content, as a plan", func(t *testing.T) {
		needsBrowser(t)
		r := w.runAs("plans", `{"steps":[
			{"id":"s1","tool":"google_search","args":{"query":"Python asyncio documentation"}},
			{"id":"s2","tool":"extract_page_content","args":{"url":"${s1.results[0].link}"}},
			{"id":"s3","tool":"close_browser","args":{}}]}`, "plan", "run", "-")
		has(t, r.stdout, "== s1: google_search\n", "== s2: extract_page_content\n", "which a script has put here", "== s3: close_browser\n", "the browser is closed")
		r = w.runAs("plans", `{"steps":[
			{"id":"s1","tool":"google_search","args":{"query":"LangChain official website"}},
			{"id":"s2","tool":"navigate_to_url","args":{"url":"${s1.results[0].link}"}},
			{"id":"s3","tool":"take_web_screenshot","args":{"full_page":true}},
			{"id":"s4","tool":"close_browser","args":{}}]}`, "plan", "run", "-")
		file := regexp.MustCompile(`screenshot_path (\S+)`).FindStringSubmatch(r.stdout)
		if file == nil || r.exit != 0 {
			t.Fatalf("%+v", r)
		}
		notBlank(t, file[1], nil, nil)
	})
	t.Run("an agent searches, extracts and closes", func(t *testing.T) {
		needsBrowser(t)
		said, r, err := w.ask(demosite.Turns{{Tool: "google_search", Args: `{"query":"Python asyncio documentation"}`}, {Tool: "extract_page_content", Args: `{"url":"` + asyncioDocs + `"}`},
			{Tool: "close_browser", Args: `{}`}, {Text: `It is "a library to write concurrent code" [1].`}}, "--tools", "google_search", "--tools", "extract_page_content", "--tools", "close_browser",
			"Search for Python's asyncio documentation and extract the tutorial content")
		if err != nil || r.exit != 0 || len(said) != 3 || strings.Contains(r.stdout, "unverified") {
			t.Fatalf("%v %+v %q", err, r, said)
		}
		has(t, said[1], "which a script has put here")
		has(t, r.stdout, "[1] asyncio, "+asyncioDocs)
	})
	t.Run("with nothing open the next step is said", func(t *testing.T) {
		needsBrowser(t)
		there := w.with(t)
		for _, name := range []string{"take_web_screenshot", "extract_page_content", "save_page_as_pdf", "browser_snapshot"} {
			for _, surface := range []string{byREST, byCall, byStdio, bySession, bySingle} {
				fails(t, surface, there.must(t, surface, request{name, map[string]any{}}), tool.InvalidInput, "no page is open")
			}
		}
		if o := there.must(t, byREST, request{"browser_snapshot", map[string]any{"context": "invented"}}); o.failure == nil || o.status != 400 || !strings.Contains(o.text, "invented") {
			t.Errorf("an invented context: %+v", o)
		}
		post(t, there, "close_browser", map[string]any{})
		if o := post(t, there, "navigate_to_url", map[string]any{"url": asyncioDocs}); o["context"] == nil || o["context"] == "" {
			t.Errorf("the answer does not name its context: %v", o)
		}
	})
	t.Run("it starts when it is needed, and can be closed and started again", func(t *testing.T) {
		needsBrowser(t)
		there := w.with(t)
		for _, step := range []struct {
			name string
			args map[string]any
			want int
		}{
			{"google_search", map[string]any{"query": "asyncio"}, 0},
			{"web_fetch", map[string]any{"url": asyncioDocs, "render": "never", "mode": "raw"}, 0},
			{"close_browser", map[string]any{}, 0},
			{"navigate_to_url", map[string]any{"url": asyncioDocs}, 1},
			{"browser_snapshot", map[string]any{}, 1},
			{"close_browser", map[string]any{}, 0},
			{"google_search", map[string]any{"query": "asyncio"}, 0},
			{"extract_page_content", map[string]any{"url": asyncioDocs}, 1},
			{"close_browser", map[string]any{}, 0},
		} {
			post(t, there, step.name, step.args)
			if got := browsers(t, there); got != step.want {
				t.Errorf("after %s %d browsers run, want %d", step.name, got, step.want)
			}
		}
	})
	t.Run("captures over plain HTTP", func(t *testing.T) {
		needsBrowser(t)
		for name, starts := range map[string]string{"take_web_screenshot": "\x89PNG", "save_page_as_pdf": "%PDF-"} {
			made := post(t, w, name, map[string]any{"url": asyncioDocs})
			url, _ := w.url()
			r, err := http.Get(url + made["file_url"].(string))
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(r.Body)
			r.Body.Close()
			if kind := map[string]string{"take_web_screenshot": "image/png", "save_page_as_pdf": "application/pdf"}[name]; err != nil || r.StatusCode != 200 || r.Header.Get("Content-Type") != kind || !strings.HasPrefix(string(body), starts) {
				t.Errorf("%s: %v %s %.20q", name, err, r.Status, body)
			}
		}
	})
	t.Run("a person takes a picture and saves a page", func(t *testing.T) {
		needsBrowser(t)
		r := w.run("screenshot", "--full-page", asyncioDocs)
		notBlank(t, strings.TrimSpace(r.stdout), nil, nil)
		r = w.run("pdf", "-o", "page.pdf", asyncioDocs)
		if data, err := os.ReadFile(filepath.Join(w.home, "page.pdf")); err != nil || !bytes.HasPrefix(data, []byte("%PDF-")) || r.exit != 0 {
			t.Errorf("%v %+v", err, r)
		}
		if r = w.run("snapshot", asyncioDocs); r.exit != 0 || !strings.Contains(r.stdout, "[Tutorials elsewhere](") {
			t.Errorf("%+v", r)
		}
	})
	t.Run("a form is filled, boxes too", func(t *testing.T) {
		needsBrowser(t)
		there := w.with(t)
		post(t, there, "navigate_to_url", map[string]any{"url": "http://tides.example.org/", "context": "form"})
		page, _ := post(t, there, "browser_snapshot", map[string]any{"context": "form"})["content"].(string)
		box, name := refOf(t, page, "Send them by post"), refOf(t, page, "Name")
		post(t, there, "browser_fill_form", map[string]any{"context": "form", "fields": []any{map[string]any{"ref": box, "value": true}, map[string]any{"ref": name, "value": "Ada"}}})
		page, _ = post(t, there, "browser_snapshot", map[string]any{"context": "form"})["content"].(string)
		has(t, page, "Ada", "checked")
	})
	t.Run("a redirect inside is refused in the browser too", func(t *testing.T) {
		needsBrowser(t)
		for _, surface := range []string{byREST, byCall, byStdio} {
			fails(t, surface, w.must(t, surface, request{"navigate_to_url", map[string]any{"url": "http://leads.example.org/"}}), tool.Blocked)
		}
	})
}

// browsers counts those that run in a world: the children with a profile of the
// programs whose HOME it is.
func browsers(t *testing.T, w *world) (n int) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(lines) == 0 {
		t.Skip("no /proc here")
	}
	for _, name := range lines {
		line, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(line, []byte("--user-data-dir=")) || bytes.Contains(line, []byte("--type=")) {
			continue
		}
		status, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "status"))
		_, parent, _ := strings.Cut(string(status), "PPid:")
		parent, _, _ = strings.Cut(parent, "\n")
		env, _ := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(parent), "environ"))
		if bytes.Contains(append([]byte{0}, env...), []byte("\x00HOME="+w.home+"\x00")) {
			n++
		}
	}
	return n
}

// notBlank holds a picture to its size and to having something on it.
func notBlank(t *testing.T, file string, width, height any) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := coloured(t, f)
	if width != nil && (float64(size.X) != width || float64(size.Y) != height) {
		t.Errorf("%v, said to be %v x %v", size, width, height)
	}
}

// coloured holds a picture to more than one colour.
func coloured(t *testing.T, r io.Reader) image.Point {
	t.Helper()
	picture, _, err := image.Decode(r)
	if err != nil {
		t.Fatal(err)
	}
	b := picture.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if picture.At(x, y) != picture.At(b.Min.X, b.Min.Y) {
				return b.Size()
			}
		}
	}
	t.Error("the picture is blank")
	return b.Size()
}

// refOf is the ref of a control in a snapshot.
func refOf(t *testing.T, page, label string) string {
	t.Helper()
	m := regexp.MustCompile(`\[[^\]]*` + regexp.QuoteMeta(label) + `[^\]]*\]\(([a-z]+\d+)`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("%q has no ref in %q", label, page)
	}
	return m[1]
}

func runPlan(t *testing.T, client *spyhop.Client, text string) []tool.StepResult {
	t.Helper()
	plan, err := tool.ParsePlan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	steps, err := client.Catalog().RunPlan(context.Background(), plan, spyhop.CallOptions{Given: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestSecureWebResearch is the design "Secure Web Research Tool", by the program
// and its servers: web-search and web-fetch behind strict hygiene of addresses.
// docs/reference-designs.md has the table.
func TestSecureWebResearch(t *testing.T) {
	t.Parallel()
	const brave = `{"type":"search","web":{"results":[
		{"title":"Using <strong>middleware</strong>","url":"https://expressjs.example.org/guide?utm_source=brave&fbclid=x","description":"A function &amp; its next."},
		{"title":"Second","url":"https://second.example.org/express","description":"Another"},{"title":"Third","url":"https://third.example.org/","description":"a"},
		{"title":"Fourth","url":"https://fourth.example.org/","description":"b"},{"title":"Fifth","url":"https://fifth.example.org/","description":"c"},{"title":"Sixth","url":"https://sixth.example.org/","description":"d"}]}}`
	const tavily = `{"results":[{"title":"Using middleware","url":"https://expressjs.example.org/guide?utm_campaign=y","content":"A function and its next."}]}`
	w := newWorld(t, map[string]http.HandlerFunc{
		"api.search.brave.com": serves("application/json", brave),
		"api.tavily.com":       serves("application/json", tavily),
		"html.duckduckgo.com":  serves("text/html", "<html><body><div id=links></div></body></html>"),
		"example.com": serves("text/html", strings.Replace(article("Changelog of fog", story(6)+"<p>The package is installed with one command, and needs nothing besides:</p><pre><code>npm install express</code></pre>"+story(9)), "<style>",
			`<meta name="author" content="Ada Pilot"><meta name="description" content="What changed in the fog of this year."><style>`, 1)),
		"bare.com":    serves("text/html", "<html><body><p>A page so short that no part of it is the main one, and all of it is given.</p></body></html>"),
		"malware.com": serves("text/html", fog),
		"agents.com": func(w http.ResponseWriter, r *http.Request) {
			serves("text/html", "<p>You are "+r.UserAgent()+" to the harbour.</p>")(w, r)
		},
		"long.com":  serves("text/html", article("A long one", story(500))),
		"heavy.com": serves("text/html", "<p>first words</p>"+strings.Repeat("<p>more and more of it</p>", 400_000)),
	})
	fetch := func(url string, more ...any) request {
		q := fetching(url, more...)
		q.tool = "web-fetch"
		return q
	}
	search := func(query string, more ...any) request {
		q := fetching("", more...)
		delete(q.args, "url")
		q.args["query"] = query
		return request{"web-search", q.args}
	}
	refused := func(t *testing.T, w *world, q request, words ...string) {
		t.Helper()
		w.everywhere(t, q, func(t *testing.T, surface string, o outcome) { fails(t, surface, o, tool.Blocked, words...) })
	}

	t.Run("web-search gives clean results", func(t *testing.T) {
		for _, settings := range [][]string{{"WEB_SEARCH_PROVIDER=brave", "BRAVE_API_KEY=0123456789"}, {"WEB_SEARCH_PROVIDER=tavily", "TAVILY_API_KEY=0123456789"}} {
			there := w.with(t, settings...)
			for _, surface := range []string{byCall, byREST, byPlan} {
				o := there.must(t, surface, search("express.js middleware tutorial"))
				var got struct {
					Results []struct{ Title, URL, Snippet string }
				}
				remake(t, o.object, &got)
				if len(got.Results) == 0 || got.Results[0].URL != "https://expressjs.example.org/guide" ||
					got.Results[0].Title != "Using middleware" || !strings.HasPrefix(got.Results[0].Snippet, "A function") {
					t.Errorf("%s, %s: %+v", settings, surface, o.object)
				}
			}
			for _, surface := range []string{byStdio, bySession, bySingle, byAgent} {
				has(t, there.must(t, surface, search("express.js middleware tutorial")).text, "Using middleware", "https://expressjs.example.org/guide", "A function")
			}
		}
	})
	t.Run("web-search asks a server over MCP", func(t *testing.T) {
		server := mcp.NewServer(&mcp.Implementation{Name: "brave", Version: "1"}, nil)
		server.AddTool(&mcp.Tool{Name: "brave_web_search", Description: "Search the web", InputSchema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},"count":{"type":"integer"}},"required":["query"]}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `{"url":"https://expressjs.example.org/guide?utm_source=brave","title":"Using <strong>middleware</strong>","description":"A function &amp; its next."}`}}}, nil
			})
		srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
		defer srv.Close()
		there := w.with(t, "WEB_SEARCH_MCP="+srv.URL+"/mcp")
		there.n.requests()
		for _, surface := range []string{byCommand, byCall, byStdio, bySession, bySingle, byREST, byAgent, byPlan} {
			q := search("express.js middleware tutorial")
			if surface == byCommand {
				q.tool = "web_search"
			}
			o := there.must(t, surface, q)
			if o.failure != nil {
				t.Errorf("%s: %v", surface, o.failure)
			}
			text := o.text
			if surface == byREST {
				text = fmt.Sprint(o.object)
			}
			has(t, text, "Using middleware", "https://expressjs.example.org/guide", "A function & its next.")
			if strings.Contains(text, "utm_source") {
				t.Errorf("%s: %s", surface, text)
			}
		}
		if got := there.n.requests(); len(got) != 0 {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("maxResults is 5 when left out", func(t *testing.T) {
		there := w.with(t, "WEB_SEARCH_PROVIDER=brave", "BRAVE_API_KEY=0123456789")
		for n, q := range map[int]request{5: search("express"), 2: search("express", "maxResults", 2)} {
			results, _ := there.must(t, byREST, q).object["results"].([]any)
			if len(results) != n {
				t.Errorf("%d results, want %d", len(results), n)
			}
		}
	})
	t.Run("no provider is an error that says how to configure one", func(t *testing.T) {
		there := w.with(t, "WEB_SEARCH_PROVIDER=none")
		there.everywhere(t, search("x"), func(t *testing.T, surface string, o outcome) {
			setting := "WEB_SEARCH_PROVIDER"
			if surface == byGo {
				setting = "Config.SearchProvider"
			}
			fails(t, surface, o, tool.SearchError, setting, "brave", "tavily")
		})
		there.n.requests()
		o := there.must(t, byREST, request{"google_search", map[string]any{"query": "x"}}) // off is off
		fails(t, byREST, o, tool.SearchError, "WEB_SEARCH_PROVIDER")
		if got := there.n.requests(); len(got) > 0 {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("web-fetch gives url, title, markdown, byline, excerpt", func(t *testing.T) {
		w.n.requests()
		for _, surface := range []string{byCall, byREST, byPlan, byGo} {
			o := w.must(t, surface, fetch("https://example.com/article?utm_source=twitter&fbclid=abc", "extractMode", "readability"))
			var got struct{ URL, Title, Markdown, Byline, Excerpt string }
			remake(t, o.object, &got)
			if got.URL != "https://example.com/article" || got.Title != "Changelog of fog" || got.Byline != "Ada Pilot" ||
				got.Excerpt != "What changed in the fog of this year." || !strings.Contains(got.Markdown, "npm install express") {
				t.Errorf("%s: %+v", surface, got)
			}
			for _, chrome := range []string{"Shop", "Buy now", "All rights", "<p>", "<div"} {
				if strings.Contains(got.Markdown, chrome) {
					t.Errorf("%s: %q is there", surface, chrome)
				}
			}
		}
		for _, asked := range w.n.requests() {
			if asked != "GET https://example.com/article" {
				t.Errorf("asked for %q", asked)
			}
		}
		for _, surface := range []string{byCall, byREST} {
			o := w.must(t, surface, fetch("https://example.com/article", "extractMode", "raw"))
			var got struct{ Markdown string }
			if remake(t, o.object, &got); !strings.Contains(got.Markdown, "<pre><code>npm install express") {
				t.Errorf("%s, raw: %.200s", surface, got.Markdown)
			}
		}
	})
	t.Run("a model is told byline and excerpt", func(t *testing.T) {
		facts, _, _ := strings.Cut(w.must(t, byStdio, fetch("https://example.com/article")).text, "<untrusted")
		has(t, facts, "Ada Pilot", "What changed in the fog of this year.")
	})
	t.Run("tracking parameters are not sent", func(t *testing.T) {
		w.n.requests()
		if r := w.run("fetch", "https://example.com/a?id=7&utm_source=t&utm_medium=m&fbclid=a&gclid=b&mc_eid=c&_ga=d&ref=e"); r.exit != 0 {
			t.Fatalf("%+v", r)
		}
		if got := fmt.Sprint(w.n.requests()); got != "[GET https://example.com/a?id=7]" {
			t.Error(got)
		}
	})
	t.Run("a blocked domain is refused without a request", func(t *testing.T) {
		there := w.with(t, "WEB_DOMAIN_BLOCKLIST=malware.com,evil.org")
		w.n.requests()
		for _, host := range []string{"malware.com", "www.malware.com", "evil.org"} {
			refused(t, there, fetch("https://"+host+"/x"), host)
		}
		if got := w.n.requests(); len(got) != 0 {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("an allowlist is the whole world", func(t *testing.T) {
		there := w.with(t, "WEB_DOMAIN_ALLOWLIST=example.com")
		refused(t, there, fetch("https://bare.com/"), "bare.com")
		if o := there.must(t, byREST, fetch("https://example.com/")); o.status != 200 {
			t.Errorf("%+v", o)
		}
	})
	t.Run("private addresses are refused, by redirect too", func(t *testing.T) {
		there := w.with(t, "WEB_REDIRECTS=follow")
		for _, url := range []string{"http://169.254.169.254/", "http://localhost:3000/", "http://127.0.0.1/", "http://10.1.2.3/", "http://172.16.0.1/",
			"http://192.168.0.1/", "http://[::1]/", "http://0x7f.1/", "https://inside.example.com/", "https://private.example.com/"} {
			for _, surface := range []string{byREST, byStdio, bySession, bySingle} {
				fails(t, surface, there.must(t, surface, fetch(url)), tool.Blocked)
			}
		}
		refused(t, there, fetch("http://169.254.169.254/"), "169.254.169.254")
		refused(t, there, fetch("http://localhost:3000/"), "localhost")
	})
	t.Run("plain http is refused where it is not allowed", func(t *testing.T) {
		there := w.with(t, "WEB_ALLOW_HTTP=false")
		w.n.requests()
		refused(t, there, fetch("http://example.com/"), "http")
		if got := w.n.requests(); len(got) != 0 {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("no article is the whole body", func(t *testing.T) {
		if got, _ := w.must(t, byREST, fetch("https://bare.com/")).object["markdown"].(string); !strings.HasPrefix(got, "A page so short") {
			t.Errorf("%q", got)
		}
	})
	t.Run("content is cut to the setting between words", func(t *testing.T) {
		whole := w.must(t, byREST, fetch("https://example.com/", "max_length", 0)).object["markdown"].(string)
		there := w.with(t, "WEB_MAX_CONTENT_CHARS=500")
		there.everywhere(t, fetch("https://example.com/"), func(t *testing.T, surface string, o outcome) {
			const notice = "\n\nThe content goes on: these are characters 1 to "
			has(t, o.text, notice)
			part := o.text[:max(0, strings.LastIndex(o.text, notice))]
			if surface != byREST {
				part = inFence(t, o.text)
			}
			if rest, ok := strings.CutPrefix(whole, part); !ok || len(part) > 500 || len(part) < 400 || !strings.ContainsAny(part[len(part)-1:]+rest[:1], " \n") {
				t.Errorf("%d characters, then %.20q", len(part), rest)
			}
		})
	})
	t.Run("the setting can be larger than the default, over MCP too", func(t *testing.T) {
		there := w.with(t, "WEB_MAX_CONTENT_CHARS=50000")
		for _, surface := range []string{byStdio, bySession, bySingle, byCall} {
			if n := len(inFence(t, there.must(t, surface, fetch("https://long.com/")).text)); n < 49_000 {
				t.Errorf("%s: %d characters", surface, n)
			}
		}
	})
	t.Run("a response is read up to its limit", func(t *testing.T) {
		var got struct {
			Verdict  string
			Metadata struct {
				Length int `json:"content_length"`
			}
		}
		remake(t, w.must(t, byREST, fetch("https://heavy.com/")).object, &got)
		if got.Verdict != "partial" || got.Metadata.Length != 5<<20 {
			t.Errorf("%+v", got)
		}
		remake(t, w.with(t, "WEB_MAX_RESPONSE_BYTES=100000").must(t, byREST, fetch("https://heavy.com/")).object, &got)
		if got.Verdict != "partial" || got.Metadata.Length != 100_000 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("the user agent is a setting", func(t *testing.T) {
		there := w.with(t, "WEB_USER_AGENT=AgentLoop/1.0")
		for _, surface := range []string{byCommand, byStdio, byREST, byAgent} {
			has(t, there.must(t, surface, fetching("https://agents.com/")).text, "You are AgentLoop/1.0 to the harbour")
		}
	})
	t.Run("cautious, and audited", func(t *testing.T) {
		var tools []struct{ Name, Permission string }
		r := w.run("tools", "--json")
		if err := json.Unmarshal([]byte(r.stdout), &tools); err != nil {
			t.Fatalf("%v in %.300s", err, r.stdout)
		}
		for _, d := range tools {
			if (d.Name == "web_search" || d.Name == "web_fetch") && d.Permission != "cautious" {
				t.Errorf("%+v", d)
			}
		}
		there := w.with(t)
		there.must(t, byREST, fetch("https://example.com/"))
		there.must(t, byStdio, fetch("https://example.com/"))
		for part, caller := range map[string]string{"serve": "rest", "mcp": "mcp:e2e"} {
			log, err := os.ReadFile(filepath.Join(there.data(part), "audit.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			has(t, string(log), `"url":"https://example.com/"`, `"tool":"web_fetch"`, `"caller":"`+caller+`"`)
		}
	})
}

// TestSearchSmoke has the program ask real services: one that needs no key, and
// those whose key is in the environment.
func TestSearchSmoke(t *testing.T) {
	if os.Getenv("WEB_SEARCH_SMOKE") != "true" {
		t.Skip("WEB_SEARCH_SMOKE is not true: no real service is asked")
	}
	providers := []string{"wikipedia"}
	for _, name := range search.Names() {
		if os.Getenv(search.KeyName(name)) != "" {
			providers = append(providers, name)
		}
	}
	for _, name := range providers {
		t.Run(name, func(t *testing.T) {
			c := exec.Command(must(t, product), "search", "--json", "--provider", name, "go programming language")
			c.Env = append(os.Environ(), "WEB_DATA_DIR="+t.TempDir())
			out, err := c.Output()
			var got struct{ Results []struct{ URL string } }
			if err != nil || json.Unmarshal(out, &got) != nil || len(got.Results) == 0 {
				t.Errorf("%v %s", err, out)
			}
		})
	}
}

// fails holds a call to an error of a type, with words in its text, in the form
// of the surface.
func fails(t *testing.T, surface string, o outcome, kind tool.ErrorType, words ...string) {
	t.Helper()
	if o.failure == nil {
		t.Fatalf("%s: no failure: %.300q", surface, o.text)
	}
	if o.failure.Type != kind && o.failure.Type != "" {
		t.Errorf("%s: %s, want %s: %s", surface, o.failure.Type, kind, o.text)
	}
	has(t, o.text, words...)
	switch surface {
	case byCommand, byCall, byPlan:
		if o.exit != kind.ExitCode() {
			t.Errorf("%s: exit status %d, want %d", surface, o.exit, kind.ExitCode())
		}
	case byREST:
		if o.status != kind.HTTPStatus() {
			t.Errorf("%s: status %d, want %d", surface, o.status, kind.HTTPStatus())
		}
	}
}

// remake reads an object as another type.
func remake(t *testing.T, object, into any) {
	t.Helper()
	data, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

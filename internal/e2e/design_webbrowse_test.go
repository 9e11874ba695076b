package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/demosite"
)

// TestTinyAgentWebBrowse is the design "Web Browse Tool Specification" of
// tinyAgent, requirement by requirement, by the program and its servers.
// docs/reference-designs.md has the table.
func TestTinyAgentWebBrowse(t *testing.T) {
	t.Parallel()
	sent := make(chan http.Header, 1)
	w := newWorld(t, map[string]http.HandlerFunc{
		"example.com": serves("text/html", article("Ferries in fog", fog+fog)),
		"welcome.com": serves("text/html", `<h1>Welcome</h1><p>This is <strong>important</strong> content.</p><ul><li>Item 1</li><li>Item 2</li></ul>`),
		"rich.com": serves("text/html", article("Ferries in fog", fog+`<h2>Times</h2><p>See <a href="/log">the log</a> or <code>fog.c</code>.</p><table><tr><th>Buoy</th><th>Seen</th></tr><tr><td>green</td><td>7:11</td></tr></table><h2>The horn</h2><p>Nobody on deck spoke, and the pilot sounded the horn by a rule that has two lines and that he has known for nineteen years.</p><pre><code>if (fog) horn();
sleep(minute);</code></pre><ol><li>Sound the horn once for each vessel that is heard.</li><li>Stop when nobody has answered for an hour.</li></ol>`+story(2))),
		"long.com": serves("text/html", article("Ferries in fog", story(200))),
		"agents.com": func(w http.ResponseWriter, r *http.Request) {
			sent <- r.Header
			fmt.Fprint(w, fog)
		},
		"news.ycombinator.com": serves("text/html", `<title>Hacker News</title><table><tr><td>1.</td><td><a href="https://a.example.org/">A lighthouse in Go</a></td></tr><tr><td>2.</td><td><a href="https://b.example.org/">Show HN: fog horns</a></td></tr><tr><td>3.</td><td><a href="https://c.example.org/">Ask HN: who keeps a ferry?</a></td></tr></table>`),
		"html.duckduckgo.com":  serves("text/html", `<!DOCTYPE html><html><body><div id="links" class="results"><div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="https://example.com/">Python tutorials</a></h2><a class="result__snippet">Learn it.</a></div></div></body></html>`),
	})
	browse := func(t *testing.T, url string) string {
		t.Helper()
		return w.must(t, byStdio, browsing(url)).text
	}

	t.Run("name, one argument and the prompt line", func(t *testing.T) {
		want := "- web_browse: Browse a website and return content as Markdown. | args=(url: str) -> str\n"
		if r := w.run("tools", "--prompt", "--profile", "classic"); !strings.HasPrefix(r.stdout, want) {
			t.Errorf("%q, want %q", r.stdout, want)
		}
		tools := w.lists(t, "--tools", "web_browse")
		form, err := json.Marshal(tools[0].InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]struct{ Type string }
			Required   []string
		}
		if err := json.Unmarshal(form, &schema); err != nil || len(schema.Properties) != 1 || schema.Properties["url"].Type != "string" || fmt.Sprint(schema.Required) != "[url]" {
			t.Errorf("%v %s", err, form)
		}
	})
	t.Run("the page's example of a transformation", func(t *testing.T) {
		w.everywhere(t, browsing("https://welcome.com"), func(t *testing.T, surface string, o outcome) {
			want := "# Welcome\n\nThis is **important** content.\n\n- Item 1\n- Item 2"
			if got := strings.TrimSuffix(o.text, "\n"); got != want && (surface != byAgent || !strings.Contains(got, "\n"+want+"\n")) {
				t.Errorf("%q, want %q", got, want)
			}
			if o.object["result"] != want && o.object != nil && surface != byAgent {
				t.Errorf("%v", o.object)
			}
		})
	})
	t.Run("valid addresses", func(t *testing.T) {
		for url, wire := range map[string]string{
			"https://example.com":                  "https://example.com/",
			"http://example.com":                   "https://example.com/",
			"https://example.com/path?query=value": "https://example.com/path?query=value",
		} {
			w.n.requests()
			if r := w.runAs(url, "", "browse", url); !strings.HasPrefix(r.stdout, "# Ferries in fog\n") || r.exit != 0 {
				t.Errorf("%s: %+v", url, r)
			}
			if asked := w.n.requests(); len(asked) != 1 || asked[0] != "GET "+wire {
				t.Errorf("%s: asked for %q", url, asked)
			}
		}
	})
	t.Run("every error is a string", func(t *testing.T) {
		const invalid = "Error: Invalid URL format - must start with http:// or https://"
		for _, c := range []struct {
			url, want string
			exit      int
		}{
			{"example.com", invalid, 2},
			{"ftp://example.com", invalid, 2},
			{"", invalid, 2},
			{"not-a-url", invalid, 2},
			{"https://gone.example.com/", "Error: HTTP 404 - Failed to fetch URL", 4},
			{"https://failing.example.com/", "Error: HTTP 500 - Failed to fetch URL", 4},
			{"https://closed.example.com/", "Error: Failed to connect to URL", 5},
			{"https://empty.example.com/", "Error: No readable content found on page", 6},
			{"https://down.example.com/", "Error: No readable content found on page", 6},
			{"https://picture.example.com/", "Error: Failed to parse HTML content", 6},
			{"https://circle.example.com/", "Error: Too many redirects", 1},
			{"https://film.example.com/", "Error: Unsupported content type video/mp4", 6},
			{"http://127.0.0.1/", "Error: Blocked - 127.0.0.1 is not a public address", 3},
			{"http://10.0.0.1/", "Error: Blocked - 10.0.0.1 is not a public address", 3},
			{"https://inside.example.com/", "Error: Blocked - 192.168.1.1 is not a public address", 3},
			{"https://private.example.com/", "Error: Blocked - private.example.com does not resolve to public addresses only", 3},
		} {
			t.Run(c.url, func(t *testing.T) {
				w.everywhere(t, browsing(c.url), func(t *testing.T, surface string, o outcome) { isString(t, surface, o, c.want, c.exit) })
			})
		}
	})
	t.Run("a file is no address", func(t *testing.T) {
		const want = "Error: Invalid URL format - must start with http:// or https://"
		w.everywhere(t, browsing("file:///etc/passwd"), func(t *testing.T, surface string, o outcome) {
			if surface == byCommand { // a person is told which command reads files
				if o.exit != 2 || o.text != "error: file:///etc/passwd is a file, not a URL\nhint: run: spyhop extract /etc/passwd" {
					t.Errorf("%d %q", o.exit, o.text)
				}
				return
			}
			isString(t, surface, o, want, 2)
		})
	})
	t.Run("a time-out is a string with its seconds", func(t *testing.T) {
		short := w.with(t, "WEB_FETCH_TIMEOUT_MS=300")
		short.everywhere(t, browsing("https://slow.example.com/2s"), func(t *testing.T, surface string, o outcome) {
			isString(t, surface, o, "Error: Request timed out after 0.3 seconds", 5)
		})
	})
	t.Run("redirects are followed, to other hosts too", func(t *testing.T) {
		w.everywhere(t, browsing("https://moved.example.com/"), func(t *testing.T, _ string, o outcome) {
			if !strings.Contains(o.text, "# Arrived\n") || o.failure != nil {
				t.Errorf("%q", o.text)
			}
		})
	})
	t.Run("a page is read once, and a host is asked at a rate", func(t *testing.T) {
		w.n.requests()
		for i := range 3 {
			if r := w.runAs("kept", "", "browse", "https://welcome.com/kept"); !strings.HasPrefix(r.stdout, "# Welcome\n") {
				t.Errorf("read %d: %+v", i+1, r)
			}
		}
		if asked := w.n.requests(); len(asked) != 1 {
			t.Errorf("asked for %q", asked)
		}
		// After four requests the next one would have to wait for longer than its
		// call may take.
		there := w.with(t, "WEB_HOST_RATE=1/m", "WEB_FETCH_TIMEOUT_MS=5000")
		for i := range 8 {
			o := there.must(t, byStdio, browsing(fmt.Sprintf("https://welcome.com/%d", i)))
			if want := map[bool]string{true: "# Welcome\n", false: "Error: "}[i < 4]; !strings.HasPrefix(o.text, want) {
				t.Errorf("request %d: %q", i+1, o.text)
			}
		}
		if asked := w.n.requests(); len(asked) != 4 {
			t.Errorf("asked for %q", asked)
		}
		if o := there.must(t, byStdio, browsing("https://example.com/")); !strings.HasPrefix(o.text, "# Ferries") {
			t.Errorf("another host: %q", o.text)
		}
	})
	t.Run("the user agent names the program", func(t *testing.T) {
		browse(t, "https://agents.com/")
		if agent := (<-sent).Get("User-Agent"); !strings.Contains(agent, "Spyhop/"+spyhop.Version) {
			t.Errorf("%q", agent)
		}
	})
	t.Run("structure stays, chrome goes", func(t *testing.T) {
		got := browse(t, "https://rich.com/")
		for _, want := range []string{"# Ferries in fog", "## Times", "[the log](https://rich.com/log)", "`fog.c`", "| Buoy | Seen |", "| green | 7:11 |", "if (fog) horn();", "1. Sound the horn", "2. Stop when"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is missing in\n%s", want, got)
			}
		}
		for _, chrome := range []string{"Shop", "Buy now", "All rights", "tracked", "margin", "Contents of", "<<<"} {
			if strings.Contains(got, chrome) {
				t.Errorf("%q is there:\n%s", chrome, got)
			}
		}
	})
	t.Run("10,000 characters and the notice", func(t *testing.T) {
		w.everywhere(t, browsing("https://long.com/"), func(t *testing.T, surface string, o outcome) {
			text := strings.TrimSuffix(o.text, "\n")
			if surface == byAgent {
				_, text, _ = strings.Cut(text, ">>>\n")
				text, _, _ = strings.Cut(text, "\n<<<end of result")
			}
			body, ok := strings.CutSuffix(text, "\n\n[Content truncated - showing first 10,000 characters]")
			if length := len([]rune(body)); !ok || length > 10_000 || length < 9_000 {
				t.Errorf("%d characters, notice %v", length, ok)
			}
		})
		if got := browse(t, "https://example.com/"); strings.Contains(got, "truncated") {
			t.Errorf("a short page has the notice: %q", got)
		}
	})
	t.Run("it is in a catalog of chosen tools", func(t *testing.T) {
		if got := namesOf(w.lists(t, "--tools", "classic")); got != "google_search web_browse" {
			t.Error(got)
		}
		if got := namesOf(w.lists(t, "--tools", "web_browse,web_search")); got != "web_search web_browse" && got != "web_browse web_search" {
			t.Error(got)
		}
	})
	t.Run("pages made by scripts", func(t *testing.T) {
		const url = "http://script.example.org/"
		without := w.with(t, "WEB_HTTP=allow", "WEB_BROWSER="+filepath.Join(t.TempDir(), "none"))
		if r := without.run("browse", url); r.stdout != "Error: No readable content found on page\n" || r.exit != 6 {
			t.Errorf("without a browser: %+v", r)
		}
		needsBrowser(t)
		if r := w.with(t, "WEB_HTTP=allow").run("browse", url); !strings.HasPrefix(r.stdout, "# Ferries") || !strings.Contains(r.stdout, "left the quay at dawn") {
			t.Errorf("with a browser: %+v", r)
		}
	})
	// The design's examples, with a model that is a script.
	for _, c := range []struct {
		name, question string
		flags          []string
		turns          demosite.Turns
		read           []string // of each result
	}{
		{"an agent browses", "What is on the example.com homepage?", []string{"--max-steps", "2", "--tools", "web_browse"},
			demosite.Turns{{Tool: "web_browse", Args: `{"url":"https://example.com"}`}, {Text: "Ferries in fog [1]."}}, []string{"# Ferries in fog"}},
		{"an agent summarises", "Browse https://example.com and summarize the main content", []string{"--max-steps", "3", "--tools", "web_browse"},
			demosite.Turns{{Tool: "web_browse", Args: `{"url":"https://example.com"}`}, {Text: `"nobody on deck spoke" [1].`}}, []string{"nobody on deck spoke"}},
		{"an agent reads headlines", "Browse https://news.ycombinator.com and tell me the top 3 story headlines", []string{"--max-steps", "3", "--tools", "web_browse"},
			demosite.Turns{{Tool: "web_browse", Args: `{"url":"https://news.ycombinator.com"}`}, {Text: `The first is "A lighthouse in Go" [1].`}}, []string{"A lighthouse in Go"}},
		{"an agent searches, then browses", "Search for Python tutorials, then browse the top result and summarize it", []string{"--tools", "web_browse", "--tools", "web_search"},
			demosite.Turns{{Tool: "web_search", Args: `{"query":"Python tutorials"}`}, {Tool: "web_browse", Args: `{"url":"https://example.com/"}`}, {Text: `"nobody on deck spoke" [1].`}},
			[]string{"https://example.com/", "# Ferries in fog"}},
		{"an agent goes on after an error", "Browse https://gone.example.com", []string{"--tools", "web_browse"},
			demosite.Turns{{Tool: "web_browse", Args: `{"url":"https://gone.example.com"}`}, {Tool: "web_browse", Args: `{"url":"https://example.com"}`}, {Text: "Ferries [1]."}},
			[]string{"Error: HTTP 404 - Failed to fetch URL", "# Ferries in fog"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			said, r, err := w.ask(c.turns, append(c.flags, c.question)...)
			if err != nil || r.exit != 0 || len(said) != len(c.read) || !strings.HasPrefix(r.stdout, strings.SplitN(c.turns[len(c.turns)-1].Text, " [", 2)[0]) {
				t.Fatalf("%v %+v %q", err, r, said)
			}
			for i, want := range c.read {
				if !strings.Contains(said[i], want) {
					t.Errorf("%q is missing in %q", want, said[i])
				}
			}
			if !strings.Contains(r.stdout, "\n[1] ") || !strings.Contains(r.stdout, "https://") {
				t.Errorf("no citation: %q", r.stdout)
			}
		})
	}
}

// isString holds a call of web_browse to a string that is an answer: it fails
// in no other way, but that a process tells its caller by its status.
func isString(t *testing.T, surface string, o outcome, want string, exit int) {
	t.Helper()
	text := strings.TrimSuffix(o.text, "\n")
	if surface == byAgent {
		_, text, _ = strings.Cut(text, ">>>\n")
		text, _, _ = strings.Cut(text, "\n<<<end of result")
	}
	if text != want || o.failure != nil {
		t.Errorf("%q %v\nwant %q", text, o.failure, want)
	}
	if (surface == byCommand || surface == byCall) && o.exit != exit || (surface == byPlan || surface == byAgent) && o.exit != 0 || surface == byREST && o.status != 200 {
		t.Errorf("exit %d, status %d", o.exit, o.status)
	}
}

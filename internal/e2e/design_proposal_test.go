package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/demosite"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestWebFetchProposal is the design "Proposal: WebFetch Tool", by the program
// and its servers. docs/reference-designs.md has the table.
func TestWebFetchProposal(t *testing.T) {
	sent := make(chan http.Header, 100)
	versions := article("Versions", "<p>The latest version of React is React 19, and it was released on a foggy day at the end of the year.</p>"+story(8))
	w := newWorld(t, map[string]http.HandlerFunc{
		"react.dev":  serves("text/html", versions),
		"lodash.com": serves("text/html", article("Lodash documentation", story(3)+"<h2>debounce</h2><p>The lodash debounce function creates a debounced version of a function that delays invoking until after wait milliseconds have elapsed since the last time the debounced function was invoked.</p>"+story(4))),
		"old-docs.example.com": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://new-docs.example.org/api", http.StatusMovedPermanently)
		},
		"new-docs.example.org": serves("text/html", article("The API", story(8))),
		"moved.com": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/there" {
				http.Redirect(w, r, "/there", http.StatusFound)
				return
			}
			serves("text/html", article("Moved within", story(8)))(w, r)
		},
		"cookies.com": func(w http.ResponseWriter, r *http.Request) {
			sent <- r.Header
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "1"})
			serves("text/html", fog)(w, r)
		},
	})
	fetch := func(url string, more ...any) request {
		q := fetching(url, more...)
		q.tool = "WebFetch"
		return q
	}

	t.Run("success, content and metadata", func(t *testing.T) {
		for _, surface := range []string{byCall, byREST, byGo, byPlan} {
			o := w.must(t, surface, fetch("https://react.dev/versions"))
			var got struct {
				Success  bool
				Title    string
				Markdown string
				Content  string
				Metadata struct {
					ContentLength int       `json:"content_length"`
					ContentType   string    `json:"content_type"`
					FetchedAt     time.Time `json:"fetched_at"`
					Cached        bool
				}
			}
			remake(t, o.object, &got)
			if !got.Success || got.Title != "Versions" || !strings.HasPrefix(got.Markdown+got.Content, "# Versions\n") || got.Metadata.ContentType != "text/html" ||
				got.Metadata.ContentLength != len(versions) || time.Since(got.Metadata.FetchedAt) > time.Hour {
				t.Errorf("%s: %+v", surface, got)
			}
		}
	})
	t.Run("called WebFetch, it answers with that design's members", func(t *testing.T) {
		o := w.must(t, byREST, fetch("https://react.dev/versions"))
		var got struct {
			Success  bool
			Content  string
			Metadata struct {
				Title         string
				ContentLength int       `json:"contentLength"`
				ContentType   string    `json:"contentType"`
				FetchedAt     time.Time `json:"fetchedAt"`
				Cached        bool
			}
		}
		remake(t, o.object, &got)
		if !got.Success || !strings.HasPrefix(got.Content, "# Versions\n") || got.Metadata.Title != "Versions" || got.Metadata.ContentLength != len(versions) ||
			got.Metadata.ContentType != "text/html" || got.Metadata.FetchedAt.IsZero() {
			t.Errorf("%v", o.object)
		}
		moved := w.with(t, "WEB_REDIRECTS=same-host").must(t, byREST, fetch("https://old-docs.example.com/api"))
		if moved.object["redirectUrl"] != "https://new-docs.example.org/api" || moved.object["success"] != true {
			t.Errorf("%v", moved.object)
		}
	})
	t.Run("repeated requests come from the cache", func(t *testing.T) {
		there := w.with(t)
		w.n.requests()
		for i := range 2 {
			if o := there.must(t, byStdio, fetch("https://react.dev/docs")); strings.Contains(o.text, "; cached\n") != (i == 1) {
				t.Errorf("read %d: %s", i+1, o.text)
			}
		}
		there.must(t, byREST, fetch("https://react.dev/docs"))
		again := there.must(t, byREST, fetch("https://react.dev/docs"))
		if m, _ := again.object["metadata"].(map[string]any); m["cached"] != true {
			t.Errorf("%v", m)
		}
		if got := w.n.requests(); len(got) != 2 { // the folders of the two servers
			t.Errorf("asked for %q", got)
		}
		for range 2 { // another process, the same folder
			there.run("fetch", "https://react.dev/blog")
		}
		if got := w.n.requests(); len(got) != 1 {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("http is upgraded", func(t *testing.T) {
		w.n.requests()
		w.everywhere(t, fetch("http://moved.com/there"), func(t *testing.T, _ string, o outcome) {
			if o.failure != nil {
				t.Error(o.failure)
			}
		})
		for _, asked := range w.n.requests() {
			if asked != "GET https://moved.com/there" {
				t.Errorf("asked for %q", asked)
			}
		}
	})
	t.Run("a redirect to another host is told, not followed", func(t *testing.T) {
		const told = "The URL redirected to: https://new-docs.example.org/api\nPlease make a new web_fetch request with this URL."
		w.everywhere(t, fetch("https://old-docs.example.com/api"), func(t *testing.T, surface string, o outcome) {
			if surface == byAgent {
				has(t, o.text, "\n"+told+"\n")
				return
			}
			if surface != byREST && strings.TrimSuffix(o.text, "\n") != told {
				t.Errorf("%q", o.text)
			}
			if o.object != nil && (o.object["redirect_url"] == nil && o.object["redirectUrl"] == nil || o.object["markdown"] != nil && o.object["markdown"] != "") {
				t.Errorf("%v", o.object)
			}
		})
		if got := w.n.requests(); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "new-docs") }) {
			t.Errorf("asked for %q", got)
		}
		// A person follows.
		if r := w.run("fetch", "https://old-docs.example.com/api"); r.exit != 0 || !strings.HasPrefix(r.stdout, "# The API\n") {
			t.Errorf("%+v", r)
		}
	})
	t.Run("a redirect within the host is followed", func(t *testing.T) {
		w.everywhere(t, fetch("https://moved.com/here"), func(t *testing.T, _ string, o outcome) { has(t, o.text, "# Moved within\n") })
	})
	t.Run("no credentials and no cookies", func(t *testing.T) {
		for _, path := range []string{"a", "b"} {
			for _, surface := range []string{byStdio, byREST, bySession} {
				w.must(t, surface, fetch("https://cookies.com/"+surface[:1]+path))
			}
		}
		for range len(sent) {
			if h := <-sent; h.Get("Cookie") != "" || h.Get("Authorization") != "" || !strings.Contains(h.Get("User-Agent"), "Spyhop") {
				t.Errorf("%v", h)
			}
		}
		w.everywhere(t, fetch("https://user:pw@react.dev/"), func(t *testing.T, surface string, o outcome) {
			fails(t, surface, o, tool.Blocked)
			if strings.Contains(o.text, "pw@") {
				t.Errorf("the password is shown: %q", o.text)
			}
		})
		w.everywhere(t, fetch("https://react.dev/", "headers", map[string]string{"Cookie": "a=b"}), func(t *testing.T, surface string, o outcome) {
			fails(t, surface, o, tool.InvalidInput, "Cookie")
		})
	})
	t.Run("addresses inside are blocked", func(t *testing.T) {
		for _, host := range []string{"localhost", "127.0.0.1", "0.0.0.0", "10.1.1.1", "192.168.1.1", "172.16.0.1", "172.31.0.1", "169.254.169.254", "[::1]", "private-server.internal", "private.example.com"} {
			for _, surface := range []string{byREST, byStdio} {
				o := w.must(t, surface, fetch("https://"+host+"/docs"))
				fails(t, surface, o, tool.Blocked)
				if o.failure.Retryable {
					t.Errorf("%s: %v", host, o.failure)
				}
			}
		}
		fails(t, byREST, w.must(t, byREST, fetch("ftp://react.dev/")), tool.Blocked)
	})
	t.Run("only complete addresses", func(t *testing.T) {
		for _, url := range []string{"", "https://", "https://exa mple.com/", "https://[x]/"} {
			for _, surface := range []string{byREST, byStdio, byCall} {
				fails(t, surface, w.must(t, surface, fetch(url)), tool.InvalidURL)
			}
		}
	})
	t.Run("allowed and blocked domains", func(t *testing.T) {
		there := w.with(t, "WEB_DOMAIN_ALLOWLIST=react.dev,gone.example.com", "WEB_DOMAIN_BLOCKLIST=gone.example.com")
		for _, url := range []string{"https://moved.com/", "https://gone.example.com/"} {
			fails(t, byREST, there.must(t, byREST, fetch(url)), tool.Blocked)
		}
		if o := there.must(t, byREST, fetch("https://react.dev/")); o.failure != nil {
			t.Error(o.failure)
		}
	})
	t.Run("time-outs: 30 s, at most 120", func(t *testing.T) {
		w.everywhere(t, fetch("https://slow.example.com/2s", "timeout_ms", 300), func(t *testing.T, surface string, o outcome) {
			fails(t, surface, o, tool.Timeout, "Failed to connect to https://slow.example.com/2s: '", "0.3 seconds")
			if o.failure.Type != "" && surface != byAgent && !o.failure.Retryable {
				t.Error("no retry is said to help")
			}
		})
		o := w.must(t, byStdio, fetch("https://react.dev/versions", "timeout_ms", 500_000))
		has(t, o.text, "120000")
	})
	t.Run("errors say what happened", func(t *testing.T) {
		for url, c := range map[string]struct {
			kind tool.ErrorType
			text string
		}{
			"https://closed.example.com/": {tool.ConnectionError, "Failed to connect to https://closed.example.com/: '"},
			"https://gone.example.com/":   {tool.HTTPError, "Failed to fetch https://gone.example.com/: HTTP 404 Not Found"},
			// The design's own example.
			"https://private-server.internal/docs": {tool.Blocked, "Failed to fetch https://private-server.internal/docs: "},
		} {
			w.everywhere(t, fetch(url), func(t *testing.T, surface string, o outcome) { fails(t, surface, o, c.kind, c.text) })
		}
	})
	t.Run("a prompt without a model is never answered in silence", func(t *testing.T) {
		q := fetch("https://react.dev/versions", "prompt", "What is the latest version of React?")
		w.everywhere(t, q, func(t *testing.T, surface string, o outcome) {
			if surface != byAgent { // which has a model
				has(t, o.text, "React 19")
			}
			if surface != byREST && surface != byAgent {
				has(t, o.text, "No language model is configured")
			}
			if o.object != nil && surface != byAgent && (o.object["answered_by"] == nil || !strings.Contains(fmt.Sprint(o.object["notices"]), "No language model is configured")) {
				t.Errorf("the object does not say that no model answered: %v", o.object)
			}
		})
		r := w.run("fetch", "--prompt", "What is the latest version of React?", "https://react.dev/versions")
		has(t, r.stderr, "No language model is configured")
	})
	t.Run("a prompt is answered by a model", func(t *testing.T) {
		model := newModel(t, demosite.Turns{{Text: `It is React 19: "The latest version of React is React 19". "It is React 20".`}})
		there := w.with(t, "WEB_MODEL=openai/scripted", "OPENAI_API_KEY=sk-test-test", "WEB_MODEL_URL="+model)
		q := fetch("https://react.dev/versions", "prompt", "What is the latest version of React?")
		for _, surface := range []string{byCall, byStdio, bySession, bySingle, byREST, byPlan} {
			o := there.must(t, surface, q)
			has(t, o.text, "It is React 19", `"It is React 20" (unverified)`)
			if strings.Contains(o.text, "No language model") {
				t.Errorf("%s: %s", surface, o.text)
			}
		}
		r := there.run("fetch", "--prompt", "What is the latest version of React?", "https://react.dev/versions")
		has(t, r.stdout, "It is React 19")
	})
	// The design's examples, with a model that is a script.
	t.Run("how it is shown", func(t *testing.T) {
		there := w.with(t)
		debounce := demosite.Turns{{Tool: "web_fetch", Args: `{"url":"https://lodash.com/docs#debounce"}`}, {Text: `It "creates a debounced version of a function" [1].`}}
		for i := range 2 {
			_, r, err := there.ask(debounce, "What does the lodash debounce function do?")
			if err != nil || r.exit != 0 {
				t.Fatalf("%v %+v", err, r)
			}
			has(t, r.stderr, "● Fetch(https://lodash.com/docs#debounce)\n", "  └ Received ", "KB (200 OK)"+map[int]string{0: "\n", 1: " (cached)\n"}[i])
			has(t, r.stdout, "creates a debounced version of a function")
			if strings.Contains(r.stdout, "unverified") {
				t.Errorf("%s", r.stdout)
			}
		}
	})
	t.Run("a redirect is shown, and asked for again", func(t *testing.T) {
		said, r, err := w.with(t).ask(demosite.Turns{{Tool: "web_fetch", Args: `{"url":"https://old-docs.example.com/api"}`}, {Tool: "web_fetch", Args: `{"url":"https://new-docs.example.org/api"}`}, {Text: `The API says that "the ferry left the quay at 0 minutes past dawn" [1].`}}, "Read https://old-docs.example.com/api")
		if err != nil || r.exit != 0 || len(said) != 2 {
			t.Fatalf("%v %+v %q", err, r, said)
		}
		has(t, said[0], "The URL redirected to: https://new-docs.example.org/api\nPlease make a new web_fetch request with this URL.")
		has(t, r.stderr, "● Fetch(https://old-docs.example.com/api)\n  └ Redirected to https://new-docs.example.org/api (301 Moved Permanently)\n● Fetch(https://new-docs.example.org/api)\n  └ Received ")
		has(t, r.stdout, "[1] The API, https://new-docs.example.org/api")
	})
}

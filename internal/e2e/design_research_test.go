package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestSecureWebResearch is the design "Secure Web Research Tool": web-search
// and web-fetch behind strict hygiene of addresses. docs/reference-designs.md
// has the table.
func TestSecureWebResearch(t *testing.T) {
	ctx := context.Background()
	newNet := func(c spyhop.Config) *internet {
		brave := `{"type":"search","web":{"results":[
			{"title":"Using <strong>middleware</strong>","url":"https://expressjs.example.org/guide?utm_source=brave&fbclid=x","description":"A function &amp; its next."},
			{"title":"Second","url":"https://malware.com/express","description":"Click here"}]}}`
		tavily := `{"results":[{"title":"Using middleware","url":"https://expressjs.example.org/guide?utm_campaign=y","content":"A function and its next."}]}`
		return newInternet(t, c, map[string]http.HandlerFunc{
			"api.search.brave.com": serves("application/json", brave),
			"api.tavily.com":       serves("application/json", tavily),
			"example.com": serves("text/html", strings.Replace(article("Changelog of fog", story(6)+"<p>The package is installed with one command, and needs nothing besides:</p><pre><code>npm install express</code></pre>"+story(9)), "<style>",
				`<meta name="author" content="Ada Pilot"><meta name="description" content="What changed in the fog of this year."><style>`, 1)),
			"bare.com":    serves("text/html", "<html><body><p>A page so short that no part of it is the main one, and all of it is given.</p></body></html>"),
			"malware.com": serves("text/html", fog),
			"inside.com": func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
			},
			"heavy.com": serves("text/html", "<p>first words</p>"+strings.Repeat("<p>more and more of it</p>", 400_000)),
		})
	}
	call := func(t *testing.T, client *spyhop.Client, name, args string, into any) error {
		t.Helper()
		r, err := client.Call(ctx, name, json.RawMessage(args), spyhop.CallOptions{Caller: "mcp"})
		if err != nil || into == nil {
			return err
		}
		data, err := json.Marshal(r.Data)
		if err != nil {
			t.Fatal(err)
		}
		return json.Unmarshal(data, into)
	}
	wants := func(t *testing.T, err error, typ tool.ErrorType, words ...string) {
		t.Helper()
		var e *spyhop.Error
		if !errors.As(err, &e) || e.Type != typ {
			t.Fatalf("%v, want %s", err, typ)
		}
		for _, w := range words {
			if !strings.Contains(e.Text(), w) {
				t.Errorf("%q is missing in %q", w, e.Text())
			}
		}
	}

	t.Run("web-search gives clean results", func(t *testing.T) {
		for _, c := range []spyhop.Config{
			{SearchProvider: "brave", SearchKeys: map[string]string{"brave": "0123456789"}},
			{SearchProvider: "tavily", SearchKeys: map[string]string{"tavily": "0123456789"}},
		} {
			var got struct {
				Results []struct{ Title, URL, Snippet string }
			}
			if err := call(t, newNet(c).client(t), "web-search", `{"query":"express.js middleware tutorial","maxResults":1}`, &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Results) != 1 || got.Results[0].URL != "https://expressjs.example.org/guide" ||
				got.Results[0].Title != "Using middleware" || !strings.HasPrefix(got.Results[0].Snippet, "A function") {
				t.Errorf("%s: %+v", c.SearchProvider, got)
			}
		}
	})
	t.Run("maxResults is 5 when left out", func(t *testing.T) {
		d, _ := newNet(spyhop.Config{}).client(t).Catalog().Lookup("web-search")
		if p, _ := d.Input.Property("max_results"); p.Default != 5 {
			t.Errorf("%+v", p)
		}
	})
	t.Run("no provider is an error that says how to configure one", func(t *testing.T) {
		err := call(t, newNet(spyhop.Config{SearchProvider: "none"}).client(t), "web-search", `{"query":"x"}`, nil)
		wants(t, err, tool.SearchError, "Config.SearchProvider", "brave", "tavily")
	})
	t.Run("web-fetch gives url, title, markdown, byline, excerpt", func(t *testing.T) {
		n := newNet(spyhop.Config{})
		var got struct{ URL, Title, Markdown, Byline, Excerpt string }
		if err := call(t, n.client(t), "web-fetch", `{"url":"https://example.com/article?utm_source=twitter&fbclid=abc","extractMode":"readability"}`, &got); err != nil {
			t.Fatal(err)
		}
		if got.URL != "https://example.com/article" || got.Title != "Changelog of fog" || got.Byline != "Ada Pilot" ||
			got.Excerpt != "What changed in the fog of this year." || !strings.Contains(got.Markdown, "npm install express") {
			t.Errorf("%+v", got)
		}
		for _, chrome := range []string{"Shop", "Buy now", "All rights", "<p>", "<div"} {
			if strings.Contains(got.Markdown, chrome) {
				t.Errorf("%q is there", chrome)
			}
		}
	})
	t.Run("tracking parameters are not sent", func(t *testing.T) {
		n := newNet(spyhop.Config{})
		if err := call(t, n.client(t), "web-fetch", `{"url":"https://example.com/a?id=7&utm_source=t&utm_medium=m&fbclid=a&gclid=b&mc_eid=c&_ga=d&ref=e"}`, nil); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(n.requests()); got != "[GET https://example.com/a?id=7]" {
			t.Error(got)
		}
	})
	t.Run("a blocked domain is refused without a request", func(t *testing.T) {
		n := newNet(spyhop.Config{Blocklist: []string{"malware.com", "evil.org"}})
		for _, host := range []string{"malware.com", "www.malware.com", "evil.org"} {
			wants(t, call(t, n.client(t), "web-fetch", `{"url":"https://`+host+`/x"}`, nil), tool.Blocked, host)
		}
		if got := n.requests(); len(got) != 0 {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("an allowlist is the whole world", func(t *testing.T) {
		n := newNet(spyhop.Config{Allowlist: []string{"example.com"}})
		client := n.client(t)
		wants(t, call(t, client, "web-fetch", `{"url":"https://bare.com/"}`, nil), tool.Blocked, "bare.com")
		if err := call(t, client, "web-fetch", `{"url":"https://example.com/"}`, nil); err != nil {
			t.Error(err)
		}
	})
	t.Run("private addresses are refused, by redirect too", func(t *testing.T) {
		client := newNet(spyhop.Config{Redirects: "follow"}).client(t)
		for _, url := range []string{"http://169.254.169.254/", "http://localhost:3000/", "http://127.0.0.1/", "http://10.1.2.3/", "http://172.16.0.1/",
			"http://192.168.0.1/", "http://[::1]/", "http://0x7f.1/", "https://inside.com/"} {
			wants(t, call(t, client, "web-fetch", `{"url":"`+url+`"}`, nil), tool.Blocked)
		}
	})
	t.Run("plain http is refused where it is not allowed", func(t *testing.T) {
		n := newNet(spyhop.Config{HTTP: "refuse"})
		wants(t, call(t, n.client(t), "web-fetch", `{"url":"http://example.com/"}`, nil), tool.Blocked, "http")
		if got := n.requests(); len(got) != 0 {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("no article is the whole body", func(t *testing.T) {
		var got struct{ Markdown string }
		if err := call(t, newNet(spyhop.Config{}).client(t), "web-fetch", `{"url":"https://bare.com/"}`, &got); err != nil || !strings.HasPrefix(got.Markdown, "A page so short") {
			t.Errorf("%v %q", err, got.Markdown)
		}
	})
	t.Run("content is cut to the setting between words", func(t *testing.T) {
		n := newNet(spyhop.Config{MaxContentChars: 500})
		r, err := n.client(t).Call(ctx, "web-fetch", json.RawMessage(`{"url":"https://example.com/"}`), spyhop.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		part := inFence(t, r.Text)
		whole, err := n.client(t).Fetch(ctx, spyhop.FetchRequest{URL: "https://example.com/", MaxLength: spyhop.NoLimit})
		if err != nil {
			t.Fatal(err)
		}
		rest, ok := strings.CutPrefix(whole.Markdown, part)
		if !ok || len(part) > 500 || len(part) < 400 || !strings.ContainsAny(part[len(part)-1:]+rest[:1], " \n") {
			t.Errorf("%d characters, then %.20q", len(part), rest)
		}
	})
	t.Run("a response is read up to its limit", func(t *testing.T) {
		var got struct {
			Verdict  string
			Metadata struct {
				Length int `json:"content_length"`
			}
		}
		if err := call(t, newNet(spyhop.Config{}).client(t), "web-fetch", `{"url":"https://heavy.com/"}`, &got); err != nil || got.Verdict != "partial" || got.Metadata.Length != 5<<20 {
			t.Errorf("%v %+v", err, got)
		}
	})
	t.Run("cautious, and audited", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		client := newNet(spyhop.Config{AuditLog: path}).client(t)
		for _, name := range []string{"web-search", "web-fetch"} {
			if d, _ := client.Catalog().Lookup(name); d.Permission != tool.Cautious {
				t.Errorf("%s is %s", name, d.Permission)
			}
		}
		if err := call(t, client, "web-fetch", `{"url":"https://example.com/"}`, nil); err != nil {
			t.Fatal(err)
		}
		client.Close()
		if log, err := os.ReadFile(path); err != nil || !strings.Contains(string(log), `"url":"https://example.com/"`) || !strings.Contains(string(log), `"tool":"web_fetch"`) {
			t.Errorf("%v %s", err, log)
		}
	})
}

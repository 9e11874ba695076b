package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestTinyAgentWebBrowse is the design "Web Browse Tool Specification" of
// tinyAgent, requirement by requirement. docs/reference-designs.md has the
// table.
func TestTinyAgentWebBrowse(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", code) }
	}
	sent := make(chan http.Header, 1)
	n := newInternet(t, spyhop.Config{NegativeTTL: spyhop.Off, CacheTTL: spyhop.Off}, map[string]http.HandlerFunc{
		"example.com": serves("text/html", article("Ferries in fog", fog+fog)),
		"welcome.com": serves("text/html", `<h1>Welcome</h1><p>This is <strong>important</strong> content.</p><ul><li>Item 1</li><li>Item 2</li></ul>`),
		"rich.com": serves("text/html", article("Ferries in fog", fog+`<h2>Times</h2><p>See <a href="/log">the log</a> or <code>fog.c</code>.</p><table><tr><th>Buoy</th><th>Seen</th></tr><tr><td>green</td><td>7:11</td></tr></table><h2>The horn</h2><p>Nobody on deck spoke, and the pilot sounded the horn by a rule that has two lines and that he has known for nineteen years.</p><pre><code>if (fog) horn();
sleep(minute);</code></pre><ol><li>Sound the horn once for each vessel that is heard.</li><li>Stop when nobody has answered for an hour.</li></ol>`+story(2))),
		"long.com":    serves("text/html", article("Ferries in fog", story(200))),
		"empty.com":   serves("text/html", "<html><head><title>Nothing</title></head><body></body></html>"),
		"gone.com":    status(404),
		"broken.com":  status(500),
		"hanging.com": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"closed.com":  nil,
		"old.com": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://example.com/", http.StatusMovedPermanently)
		},
		"circle.com": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"x", http.StatusFound) },
		"inside.com": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.168.1.1/", http.StatusFound)
		},
		"film.com":          serves("video/mp4", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"),
		"agents.com":        func(w http.ResponseWriter, r *http.Request) { sent <- r.Header; fmt.Fprint(w, fog) },
		"sub.deep.test.com": nil,
	})
	client := n.client(t)
	browse := func(url string) string {
		args, _ := json.Marshal(map[string]string{"url": url})
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		if strings.Contains(url, "hanging") {
			ctx, cancel = context.WithTimeout(ctx, 30*time.Millisecond) // for 30 seconds
		}
		defer cancel()
		r, err := client.Call(ctx, "web_browse", args, spyhop.CallOptions{})
		if err != nil {
			t.Errorf("%q: it fails in another way than by a string: %v", url, err)
		}
		return r.Text
	}

	t.Run("name, one argument and the prompt line", func(t *testing.T) {
		d, ok := client.Catalog().Lookup("web_browse")
		if want := "- web_browse: Browse a website and return content as Markdown. | args=(url: str) -> str"; !ok || d.PromptLine() != want {
			t.Errorf("%q, want %q", d.PromptLine(), want)
		}
	})
	t.Run("the page's example of a transformation", func(t *testing.T) {
		if got, want := browse("https://welcome.com"), "# Welcome\n\nThis is **important** content.\n\n- Item 1\n- Item 2"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
	t.Run("valid addresses", func(t *testing.T) {
		for url, wire := range map[string]string{
			"https://example.com":                  "https://example.com/",
			"http://example.com":                   "https://example.com/",
			"https://example.com/path?query=value": "https://example.com/path?query=value",
		} {
			n.requests()
			if got := browse(url); !strings.HasPrefix(got, "# Ferries in fog\n") {
				t.Errorf("%s: %q", url, got)
			}
			if asked := n.requests(); len(asked) != 1 || asked[0] != "GET "+wire {
				t.Errorf("%s: asked for %q", url, asked)
			}
		}
	})
	t.Run("every error is a string", func(t *testing.T) {
		n.requests()
		for url, want := range map[string]string{
			"example.com":          "Error: Invalid URL format - must start with http:// or https://",
			"ftp://example.com":    "Error: Invalid URL format - must start with http:// or https://",
			"":                     "Error: Invalid URL format - must start with http:// or https://",
			"not-a-url":            "Error: Invalid URL format - must start with http:// or https://",
			"file:///etc/passwd":   "Error: Invalid URL format - must start with http:// or https://",
			"https://gone.com/":    "Error: HTTP 404 - Failed to fetch URL",
			"https://broken.com/":  "Error: HTTP 500 - Failed to fetch URL",
			"https://hanging.com/": "Error: Request timed out after 30 seconds",
			"https://closed.com/":  "Error: Failed to connect to URL",
			"https://empty.com/":   "Error: No readable content found on page",
			"https://circle.com/":  "Error: Too many redirects",
			"https://film.com/":    "Error: Unsupported content type video/mp4",
			"http://127.0.0.1/":    "Error: Blocked - 127.0.0.1 is not a public address",
			"http://10.0.0.1/":     "Error: Blocked - 10.0.0.1 is not a public address",
			"https://inside.com/":  "Error: Blocked - 192.168.1.1 is not a public address",
		} {
			if got := browse(url); got != want {
				t.Errorf("%q:\n got %q\nwant %q", url, got, want)
			}
		}
	})
	t.Run("redirects are followed, to other hosts too", func(t *testing.T) {
		if got := browse("https://old.com/"); !strings.HasPrefix(got, "# Ferries in fog\n") {
			t.Errorf("%q", got)
		}
	})
	t.Run("the user agent names the program", func(t *testing.T) {
		browse("https://agents.com/")
		if agent := (<-sent).Get("User-Agent"); !strings.Contains(agent, "Spyhop/"+spyhop.Version) {
			t.Errorf("%q", agent)
		}
	})
	t.Run("structure stays, chrome goes", func(t *testing.T) {
		got := browse("https://rich.com/")
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
		body, ok := strings.CutSuffix(browse("https://long.com/"), "\n\n[Content truncated - showing first 10,000 characters]")
		if length := len([]rune(body)); !ok || length > 10_000 || length < 9_000 {
			t.Errorf("%d characters, notice %v", length, ok)
		}
		if got := browse("https://example.com/"); strings.Contains(got, "truncated") {
			t.Errorf("a short page has the notice: %q", got)
		}
	})
	t.Run("it is in a catalog of chosen tools", func(t *testing.T) {
		var names []string
		for _, d := range client.Catalog().List(tool.Classic) {
			names = append(names, d.Name)
		}
		if got := strings.Join(names, " "); got != "web_browse google_search" {
			t.Error(got)
		}
	})
	t.Run("pages made by scripts", func(t *testing.T) {
		const shell = `<!doctype html><title>Ferries</title><body><div id="root"></div><script src="/app.js"></script>`
		scripts := newInternet(t, spyhop.Config{HTTP: "allow", NegativeTTL: -1}, map[string]http.HandlerFunc{
			"app.example.com": func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/app.js" {
					serves("text/javascript", "root.innerHTML = `<main><h1>Ferries</h1>"+fog+fog+fog+"</main>`")(w, r)
					return
				}
				serves("text/html", shell)(w, r)
			},
		})
		without := scripts.config
		without.Browser = filepath.Join(t.TempDir(), "none")
		limited, err := spyhop.New(without)
		if err != nil {
			t.Fatal(err)
		}
		defer limited.Close()
		if got := limited.Browse(t.Context(), "http://app.example.com/"); got != "Error: No readable content found on page" {
			t.Errorf("without a browser: %q", got)
		}
		if _, err := browser.Find("", false); err != nil {
			t.Skip("no browser on this machine: scripts/setup installs one")
		}
		if got := scripts.client(t).Browse(t.Context(), "http://app.example.com/"); !strings.HasPrefix(got, "# Ferries") || !strings.Contains(got, "left the quay at dawn") {
			t.Errorf("with a browser: %q", got)
		}
	})
}

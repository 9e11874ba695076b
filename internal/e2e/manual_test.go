package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/demosite"
)

// notRun begins a block of the manual that no test runs, and says why.
const notRun = "# not run in the tests: "

// runElsewhere are lines of the manual and of the README that other tests run.
var runElsewhere = map[string]string{
	"spyhop serve":                             "every world of these tests",
	"spyhop init":                              "the script init.txtar of cmd/spyhop",
	"spyhop demo":                              "TestReadme",
	"spyhop doctor":                            "the script doctor.txtar of cmd/spyhop",
	"spyhop doctor --security":                 "TestSecurity of cmd/spyhop",
	"spyhop config init":                       "the script config.txtar of cmd/spyhop",
	`spyhop ask "how do whales sleep?"`:        "TestUsualCommands",
	"claude mcp add spyhop -- spyhop mcp":      "TestUsualCommands starts the server",
	"codex mcp add spyhop -- spyhop mcp":       "TestUsualCommands starts the server",
	"go install ./cmd/spyhop":                  "TestProduct",
	`export PATH="$PATH:$(go env GOPATH)/bin"`: "TestProduct",
	"git clone https://github.com/spyhop-dev/spyhop && cd spyhop": "make try",
}

// TestManual runs every block of shell in the README and in the pages of docs/, line by line, as a
// reader would, on doubles of the public pages that they name. A block that cannot be
// run here begins with notRun. Files come from the blocks below "Save this as".
func TestManual(t *testing.T) {
	w := manualWorld(t)
	for _, d := range documents(t) {
		languages := "(?:sh|console)"
		switch d.name {
		case "command.md", "reference-designs.md": // TestExamples of cmd/spyhop; TestReadmeRecipes
			continue
		case "http.md": // TestUsualCommands runs its lines
			languages = "console"
		}
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			w := w.with(t)
			for _, m := range regexp.MustCompile("(?s)Save this as `([^`\n]+)`[^`]*```\\w+\n(.*?)```").FindAllStringSubmatch(d.text, -1) {
				if err := os.WriteFile(filepath.Join(w.home, m[1]), []byte(m[2]), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range map[string]string{"page.html": article("Ferries in fog", fog+story(6)), "page.md": "# Page\n"} {
				if err := os.WriteFile(filepath.Join(w.home, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, block := range blocksOf(d.text, languages) {
				if strings.HasPrefix(block, notRun) {
					continue
				}
				session, want, _ := strings.Cut(block, "\n")
				session, isSession := strings.CutPrefix(session, "$ ")
				if !isSession {
					session, want = block, ""
				}
				for line := range strings.Lines(session) {
					line = strings.TrimSpace(regexp.MustCompile(`\s+# .*`).ReplaceAllString(line, ""))
					if line == "" || runElsewhere[line] != "" {
						continue
					}
					w.line(t, line, want)
				}
			}
		})
	}
}

// line runs a line of the manual. With want, its output has to be that, whatever its exit
// code; else the code has to be 0. Only calls of spyhop and curl are run.
func (w *world) line(t *testing.T, line, want string) {
	t.Helper()
	if !regexp.MustCompile(`^([A-Z_]+=\S+ )*(spyhop|curl) `).MatchString(line) {
		t.Errorf("%s is no call of spyhop or curl: begin the block with %q", line, notRun+"…")
		return
	}
	if strings.Contains(line, "spyhop browser ") || strings.Contains(line, "spyhop plan run") || strings.Contains(line, "--scroll") || strings.Contains(line, "--render always") || strings.Contains(line, "--wait-for") {
		needsBrowser(t)
		line = strings.ReplaceAll(line, "https://", "http://") // the browser does not trust the double's authority
	}
	if strings.Contains(line, "127.0.0.1:7749") {
		url, err := w.url()
		if err != nil {
			t.Fatal(err)
		}
		line = strings.ReplaceAll(line, "127.0.0.1:7749", strings.TrimPrefix(url, "http://"))
	}
	c := exec.Command("sh", "-c", line)
	c.Dir = w.home
	c.Env = append([]string{"WEB_DATA_DIR=" + w.data("manual")}, w.settings...)
	out, err := c.Output()
	if want == "" && (err != nil || strings.Contains(string(out), `"error":true`)) {
		t.Errorf("%s: %v\n%s%s", line, err, out, exitText(err))
	}
	if want != "" && strings.TrimSpace(string(out)) != strings.TrimSpace(want) {
		t.Errorf("%s prints\n%s\nthe page says\n%s", line, out, want)
	}
}

// manualWorld has doubles of the public pages of the manual, and the program as "spyhop".
func manualWorld(t *testing.T) *world {
	hits := `<!DOCTYPE html><div id="links" class="results">`
	for _, u := range []string{"https://go.dev/doc/effective_go", "https://quotes.toscrape.com/"} {
		hits += `<div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="` + u + `">Found</a></h2><a class="result__snippet">A page.</a></div>`
	}
	quote := func(text string) string {
		return `<div class="quote"><span class="text">“` + text + `”</span><span>by <small class="author">Albert Einstein</small> <a href="/author/Albert-Einstein">(about)</a></span><div class="tags">Tags: <a class="tag" href="/tag/change/">change</a></div></div>`
	}
	quotes := "<!DOCTYPE html><html><head><title>Quotes to Scrape</title></head><body><h1>Quotes to Scrape</h1>"
	w := newWorld(t, map[string]http.HandlerFunc{
		"example.com": serves("text/html", `<!doctype html><html lang="en"><head><title>Example Domain</title></head><body><div><h1>Example Domain</h1><p>This domain is for use in documentation examples without needing permission. Avoid use in operations.</p><p><a href="https://iana.org/domains/example">Learn more</a></p></div></body></html>`),
		"go.dev": paths(map[string]string{
			"/":                 article("The Go Programming Language", story(5)+`<p><a href="/doc/">Documentation</a> <a href="/doc/install">Download and install</a></p>`),
			"/doc/":             article("Documentation", story(5)+`<p><a href="/doc/effective_go">Effective Go</a> <a href="/doc/install">Download and install</a></p>`),
			"/doc/install":      article("Download and install", story(6)),
			"/doc/effective_go": article("Effective Go", story(3)+`<h2 id="allocation_new">Allocation with <code>new</code></h2><p>Go has two allocation primitives, the built-in functions new and make. They do different things and apply to different types, and new(T) returns a pointer to zeroed storage; the memory model says when others see it.</p>`+story(9)),
		}),
		"books.toscrape.com": paths(map[string]string{"/": readFile(t, "testdata/manual/books.html")}),
		"quotes.toscrape.com": paths(map[string]string{
			"/":      quotes + quote("The world as we have created it is a process of our thinking. It cannot be changed without changing our thinking.") + quote("There are only two ways to live your life. One is as though nothing is a miracle. The other is as though everything is a miracle.") + "</body></html>",
			"/js/":   quotes + `<div id="list"></div><script>document.getElementById("list").innerHTML = '` + quote("The world as we have created it is a process of our thinking.") + `'</script></body></html>`,
			"/login": quotes + `<form action="/login" method="post"><label for="username">Username</label><input type="text" id="username" name="username"><label for="password">Password</label><input type="password" id="password" name="password"><input type="submit" value="Login"></form></body></html>`,
		}),
		"hooks.example.org":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
		"html.duckduckgo.com": serves("text/html", hits+"</div>"),
	}, "WEB_HTTP=allow", "WEB_MODEL=openai/scripted", "OPENAI_API_KEY=sk-test-test", "WEB_MODEL_URL="+newModel(t, demosite.Turns{{Text: `{"author": "Albert Einstein", "topic": "change"}`}}))
	w.onPath(t)
	return w
}

// paths serves pages by their path.
func paths(pages map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}
}

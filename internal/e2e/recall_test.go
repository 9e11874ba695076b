package e2e_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What a page said is found again after it was read, without a request to the site,
// on every surface; each owner finds its own pages, and the policy judges them again.
func TestRecall(t *testing.T) {
	requests := 0
	w := newWorld(t, map[string]http.HandlerFunc{
		"harbour.example.com": func(w http.ResponseWriter, r *http.Request) {
			requests++
			serves("text/html", "<!doctype html><title>Harbour rules</title><main><h1>Rules</h1><h2>In the fog</h2><p>"+
				"Vessels that meet in the <a href=/fog>fog</a> sound the horn twice and slow down to three knots.</p><p>"+
				strings.Repeat("The harbour master decides about everything else. ", 20)+"</p></main>")(w, r)
		},
	})
	r := w.run("recall", "horn in the fog")
	if r.exit != 6 || !strings.Contains(r.stderr, "no page has been read yet") {
		t.Errorf("exit %d\n%s", r.exit, r.stderr)
	}
	if r := w.run("fetch", "harbour.example.com"); r.exit != 0 {
		t.Fatal(r.stderr)
	}
	r = w.run("recall", "horn in the fog")
	for _, want := range []string{"- Rules — https://harbour.example.com/ (version ", `  "Vessels that meet in the fog sound the horn twice and slow down to three knots." (In the fog, `, "#:~:text=Vessels%20that%20meet"} {
		if r.exit != 0 || !strings.Contains(r.stdout, want) {
			t.Errorf("exit %d, no %q in\n%s%s", r.exit, want, r.stdout, r.stderr)
		}
	}
	if !strings.Contains(r.stderr, "best matches: 1 of 1 page read") {
		t.Errorf("%s", r.stderr)
	}
	r = w.run("recall", "--json", "--site", "https://harbour.example.com/x", "fog horn")
	var found struct {
		Searched int
		Pages    []struct {
			URL, Version string
			Passages     []struct {
				Text, Section, Link string
				Start, End          int
			}
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &found); err != nil || len(found.Pages) != 1 || found.Pages[0].Passages[0].Section != "In the fog" || found.Pages[0].Passages[0].End <= found.Pages[0].Passages[0].Start {
		t.Errorf("%v\n%s", err, r.stdout)
	}
	if r := w.run("recall", "--web-domain-blocklist", "example.com", "fog horn"); r.exit != 3 || strings.Contains(r.stderr+r.stdout, "harbour.example") {
		t.Errorf("exit %d: a page that the policy refuses today is shown\n%s%s", r.exit, r.stdout, r.stderr)
	}
	if r := w.run("recall", "--web-recall", "off", "fog horn"); r.exit != 2 || !strings.Contains(r.stderr, "WEB_RECALL=on") {
		t.Errorf("exit %d\n%s", r.exit, r.stderr)
	}
	if r := w.run("recall", "--for", "anonymous", "fog horn"); r.exit != 6 {
		t.Errorf("exit %d: another owner's page is found\n%s", r.exit, r.stdout)
	}
	for _, args := range [][]string{{"recall"}, {"recall", "--forget", "all", "fog"}, {"recall", "--since", "soon", "fog"}} {
		if r := w.run(args...); r.exit != 1 && r.exit != 2 {
			t.Errorf("%q: exit %d\n%s", args, r.exit, r.stderr)
		}
	}

	// Over MCP, the page that web_fetch has just read is found at once.
	session, err := w.onStdio()
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args map[string]any) string {
		t.Helper()
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].(*mcp.TextContent).Text
	}
	call("web_fetch", map[string]any{"url": "https://harbour.example.com/"})
	before := requests
	text := call("web_recall", map[string]any{"query": "how many knots in fog"})
	_, fenced, _ := strings.Cut(text, "<untrusted text ")
	if !strings.Contains(fenced, "slow down to three knots") || !strings.Contains(text, "Call web_fetch with an address above") {
		t.Errorf("%s", text)
	}
	if requests != before {
		t.Errorf("%d requests to the site for recalls", requests-before)
	}

	if r := w.run("recall", "--forget", "example.com"); r.exit != 0 || !strings.Contains(r.stdout, "forgot 1 versions of pages") {
		t.Errorf("exit %d\n%s%s", r.exit, r.stdout, r.stderr)
	}
	if r := w.run("recall", "fog horn"); r.exit != 6 {
		t.Errorf("exit %d: found after it was forgotten\n%s", r.exit, r.stdout)
	}
}

// What a crawl has read is found by its job, and only that.
func TestRecallOfCrawl(t *testing.T) {
	w := newWorld(t, map[string]http.HandlerFunc{
		"isle.example.com": func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/":
				serves("text/html", "<title>Isle</title><main><h1>Isle</h1><p>"+fog+"</p><a href=/light>The lighthouse</a></main>")(w, r)
			case "/light":
				serves("text/html", "<title>Light</title><main><h1>Lighthouse</h1><p>The lamp of the tower turns every eleven seconds. "+fog+"</p></main>")(w, r)
			default:
				http.NotFound(w, r)
			}
		},
	})
	crawl := w.run("crawl", "--json", "isle.example.com")
	var c struct{ Job string }
	if err := json.Unmarshal([]byte(crawl.stdout), &c); crawl.exit != 0 || err != nil || c.Job == "" {
		t.Fatalf("exit %d, %v\n%s%s", crawl.exit, err, crawl.stdout, crawl.stderr)
	}
	r := w.run("recall", "--job", c.Job, "how often does the lamp turn")
	if r.exit != 0 || !strings.Contains(r.stdout, "https://isle.example.com/light") || !strings.Contains(r.stdout, "eleven seconds") {
		t.Errorf("exit %d\n%s%s", r.exit, r.stdout, r.stderr)
	}
	if r := w.run("recall", "--job", "other", "lamp"); r.exit != 6 || !strings.Contains(r.stderr, "leave out site, job and since") {
		t.Errorf("exit %d\n%s%s", r.exit, r.stdout, r.stderr)
	}
}

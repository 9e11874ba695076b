package serve

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// reads is a catalog with a web_fetch that answers as the address says, and the calls
// that it got.
func reads(t *testing.T) (*tool.Catalog, *[]tool.Call) {
	t.Helper()
	var calls []tool.Call
	c := tool.NewCatalog()
	err := c.Register(tool.Declaration{Name: "web_fetch", Title: "Fetch", Description: "Reads.", Level: tool.Read, Profile: tool.Core,
		Annotations: tool.Annotations{ReadOnly: true},
		Input: tool.Object(tool.String("url", "").Require(), tool.String("mode", ""), tool.Integer("start_index", ""), tool.String("login", ""), tool.Boolean("images", ""),
			tool.String("query", ""), tool.String("render", "")),
		Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
			calls = append(calls, c)
			f := &result.Fetch{Success: true, URL: c.Args.String("url"), Title: "T", Markdown: "# T\n\ntext"}
			switch {
			case strings.Contains(f.URL, "gone"):
				e := tool.NewError(tool.HTTPError, "HTTP 404", "look elsewhere")
				return tool.Result{}, e
			case strings.Contains(f.URL, "moved"):
				f.Markdown, f.RedirectURL = "", "https://new.example/?a=1"
			case strings.Contains(f.URL, "loop"):
				f.Markdown, f.RedirectURL = "", f.URL
			case strings.Contains(f.URL, "long"):
				f.NextStartIndex, f.Notices = new(20000), []string{"It goes on."}
			}
			if c.Args.String("mode") == "text" {
				f.Markdown, f.Content = "", "text"
			}
			return tool.Result{Text: "for a model", Data: f, Noted: true}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return c, &calls
}

// TestRead: the address behind /read/ in every spelling, and what comes back.
func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		path   string
		header []string
		code   int
		asked  string // the last address
		media  string
		body   string
	}{
		"an address":            {"/read/https://example.com/a//b", nil, 200, "https://example.com/a//b", "text/markdown; charset=utf-8", "# T\n\ntext\n"},
		"with a query":          {"/read/https://example.com/?a=1&url=https://b.example/", nil, 200, "https://example.com/?a=1&url=https://b.example/", "text/markdown; charset=utf-8", "# T"},
		"dots stay":             {"/read/https://example.com/a/../b", nil, 200, "https://example.com/a/../b", "text/markdown; charset=utf-8", "# T"},
		"one slash":             {"/read/https:/example.com/a", nil, 200, "https://example.com/a", "text/markdown; charset=utf-8", "# T"},
		"encoded":               {"/read/https%3A%2F%2Fexample.com%2Fa%3Fb=1", nil, 200, "https://example.com/a?b=1", "text/markdown; charset=utf-8", "# T"},
		"an encoded slash":      {"/read/https://example.com/a%2Fb", nil, 200, "https://example.com/a%2Fb", "text/markdown; charset=utf-8", "# T"},
		"without a scheme":      {"/read/example.com/a", nil, 200, "example.com/a", "text/markdown; charset=utf-8", "# T"},
		"as text":               {"/read/https://example.com/", []string{"Accept", "text/plain"}, 200, "https://example.com/", "text/plain; charset=utf-8", "text\n"},
		"as an object":          {"/read/https://example.com/", []string{"Accept", "application/json"}, 200, "https://example.com/", "application/json", `"markdown":"# T`},
		"in a browser":          {"/read/https://example.com/", []string{"Accept", "text/html,*/*;q=0.8", "Sec-Fetch-Site", "none"}, 200, "https://example.com/", "text/plain; charset=utf-8", "# T"},
		"a redirect":            {"/read/https://moved.example/", nil, 200, "https://new.example/?a=1", "text/markdown; charset=utf-8", "# T"},
		"redirects without end": {"/read/https://loop.example/", nil, 502, "https://loop.example/", "application/problem+json", "sixth time"},
		"a failure":             {"/read/https://gone.example/", nil, 502, "https://gone.example/", "application/problem+json", "look elsewhere"},
		"nothing":               {"/read/", nil, 400, "", "application/problem+json", "no URL follows"},
		"a page elsewhere":      {"/read/https://example.com/", []string{"Sec-Fetch-Site", "cross-site"}, 403, "", "application/problem+json", "other sites"},
		"a picture elsewhere":   {"/read/https://example.com/", []string{"Referer", "https://evil.example/x"}, 403, "", "application/problem+json", "other sites"},
		"a sibling":             {"/read/https://example.com/", []string{"Sec-Fetch-Site", "same-site"}, 403, "", "application/problem+json", "other sites"},
		"a login in the query":  {"/read/https://example.com/?login=bank", nil, 200, "https://example.com/?login=bank", "text/markdown; charset=utf-8", "# T"},
	} {
		t.Run(name, func(t *testing.T) {
			catalog, calls := reads(t)
			w := do(newServer(t, Options{Catalog: catalog}), "GET", c.path, "", c.header...)
			if w.Code != c.code || w.Header().Get("Content-Type") != c.media || !strings.Contains(w.Body.String(), c.body) {
				t.Fatalf("%d %s %s", w.Code, w.Header().Get("Content-Type"), w.Body)
			}
			asked := ""
			for i, call := range *calls {
				asked = call.Args.String("url")
				if call.Args.Has("login") || call.Access != nil || call.Given != (i == 0) {
					t.Errorf("called with %v, given %v", call.Args, call.Given)
				}
			}
			if asked != c.asked {
				t.Errorf("asked for %q, want %q", asked, c.asked)
			}
			if c.code == 200 && !strings.Contains(w.Header().Get("Content-Security-Policy"), "sandbox") {
				t.Error("a browser may run what stands in the page")
			}
		})
	}
	catalog, _ := reads(t)
	s := newServer(t, Options{Catalog: catalog})
	if w := do(s, "POST", "/read/https://example.com/", ""); w.Code != 405 || w.Header().Get("Allow") != "GET" {
		t.Errorf("POST: %d", w.Code)
	}
	w := do(s, "GET", "/read/https://long.example/", "")
	if link := w.Header().Get("Link"); link != `</v1/tools/web_fetch?start_index=20000&url=https%3A%2F%2Flong.example%2F>; rel="next"; type="text/markdown"` {
		t.Errorf("Link: %s", link)
	}
	if n := w.Header().Values("Spyhop-Notice"); len(n) != 1 || n[0] != "It goes on." {
		t.Errorf("notices %q", n)
	}
	if w := do(newServer(t, Options{Catalog: catalog, Tokens: tokensOf(t, "sesame")}), "GET", "/read/https://example.com/", ""); w.Code != 401 {
		t.Errorf("without a token: %d", w.Code)
	}
}

// TestReadOverTheWire: net/http's mux does not clean the path of an address.
func TestReadOverTheWire(t *testing.T) {
	catalog, calls := reads(t)
	url, _ := start(t, newServer(t, Options{Catalog: catalog}))
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Get(url + "/read/https://example.com/a//b/../c?d=//e")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 || len(*calls) != 1 || (*calls)[0].Args.String("url") != "https://example.com/a//b/../c?d=//e" {
		t.Errorf("%d %v", res.StatusCode, *calls)
	}
	// An address by itself is not redirected to a path with one slash; the answer says where
	// pages are read.
	if res, err = client.Get(url + "/https://example.com/a"); err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	if res.StatusCode != 404 || !strings.Contains(string(body), "GET /read/https://example.com/a reads that page") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

// TestAcceptMarkdown: each tool answers with text where the caller prefers it.
func TestAcceptMarkdown(t *testing.T) {
	catalog, _ := reads(t)
	s := newServer(t, Options{Catalog: catalog})
	for accept, want := range map[string]string{
		"":                         "application/json",
		"*/*":                      "application/json",
		"application/json":         "application/json",
		"text/markdown":            "text/markdown; charset=utf-8",
		"text/markdown, */*;q=0.1": "text/markdown; charset=utf-8",
		"text/markdown;q=0.4, application/json;q=0.5": "application/json",
		"text/markdown;q=x":                           "application/json",
		"application/json, text/markdown":             "application/json",
		"text/html":                                   "application/json",
	} {
		w := do(s, "POST", "/v1/tools/web_fetch", `{"url":"https://example.com/"}`, "Accept", accept)
		if w.Code != 200 || w.Header().Get("Content-Type") != want {
			t.Errorf("Accept: %s: %d %s", accept, w.Code, w.Header().Get("Content-Type"))
		}
	}
	gate := newTestTools(t)
	close(gate.open)
	w := do(newServer(t, Options{Catalog: gate.Catalog}), "POST", "/v1/tools/gate", "{}", "Accept", "text/markdown")
	if w.Body.String() != "through <the> gate\n" {
		t.Errorf("%s", w.Body)
	}
}

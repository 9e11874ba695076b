package serve

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/tool"
	"golang.org/x/net/html"
)

// TestDocs: the page loads nothing, runs nothing, is whole, and says everything
// that there is.
func TestDocs(t *testing.T) {
	s := newServer(t, Options{Version: "1.2.3 <beta>", Tokens: tokensOf(t, "sesame")})
	w := do(s, "GET", "/docs", "", "Authorization", "Bearer sesame")
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	page := w.Body.String()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	ids, links, style := map[string]bool{}, []string{}, ""
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script", "img", "iframe", "object", "embed", "base":
			t.Errorf("a <%s>", n.Data)
		case "b":
			t.Error("markup of a description is markup of the page")
		case "style":
			style = n.FirstChild.Data
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "id" && ids[a.Val]:
				t.Errorf("the id %q is used twice", a.Val)
			case a.Key == "id":
				ids[a.Val] = true
			case a.Key == "action" && a.Val != "/docs":
				t.Errorf("a form of %s", a.Val)
			case a.Key == "href" && n.Data == "link" && a.Val == "data:,":
			case a.Key == "href":
				links = append(links, a.Val)
			case a.Key == "src" || a.Key == "style" || strings.HasPrefix(a.Key, "on"):
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	for _, l := range links {
		path, id, _ := strings.Cut(l, "#")
		switch {
		case path == "" && !ids[id]:
			t.Errorf("%s leads nowhere", l)
		case path != "" && do(s, "GET", path, "", "Authorization", "Bearer sesame").Code != 200:
			t.Errorf("%s does not answer", l)
		}
	}
	for _, d := range s.tools {
		if !ids[d.Name] {
			t.Errorf("nothing about %s", d.Name)
		}
	}
	for _, e := range tool.ErrorTypes() {
		if !ids[string(e)] {
			t.Errorf("nothing about %s, where problems lead", e)
		}
		if e != tool.Internal && e.Meaning() == tool.Internal.Meaning() {
			t.Errorf("%s has no meaning", e)
		}
	}
	hash := sha256.Sum256([]byte(style))
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+"'; ") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	if regexp.MustCompile(`url\(|@import|https?:`).MatchString(style) {
		t.Error("the style loads something")
	}
	for _, want := range []string{
		"<small>1.2.3 &lt;beta&gt;</small>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("not there: %s", want)
		}
	}
	if strings.Contains(page, "sesame") {
		t.Error("the token stands there")
	}
}

// TestManual: the pages of the manual and what a search finds load nothing and run nothing.
func TestManual(t *testing.T) {
	s := newServer(t, Options{})
	for path, want := range map[string]string{
		"/docs/fetching":                      "<h2 id=\"spend-few-tokens\">Spend few tokens</h2>",
		"/docs/settings":                      "<h3 id=\"web_http\"><code>WEB_HTTP</code></h3>",
		"/docs?q=resume+a+crawl":              "<a href=\"/docs/crawl#stop-resume-update\">",
		"/docs?q=<b>zebra":                    "0 results for “&lt;b&gt;zebra”",
		"/docs?q=" + strings.Repeat("x", 300): "0 results",
		"/docs/tools":                         "<h2 id=\"web_fetch\">",
	} {
		w := do(s, "GET", path, "")
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) || strings.Contains(w.Body.String(), "<script") || strings.Contains(w.Body.String(), "<img") ||
			!strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %d, no %s", path, w.Code, want)
		}
	}
	if w := do(s, "GET", "/docs/echo_text", ""); w.Code != 302 || w.Header().Get("Location") != "/docs/tools#echo_text" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if w := do(s, "GET", "/docs/nowhere", ""); w.Code != 404 || !strings.Contains(w.Body.String(), "GET /docs") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

package e2e_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A site with a robots.txt, an index of two sitemaps, one of them compressed, a
// feed, llms.txt and links; and one with nothing but links.
func mapped() map[string]http.HandlerFunc {
	files := map[string]string{
		"/robots.txt": "User-agent: *\nDisallow: /private/\nSitemap: https://maps.example.com/index.xml\n",
		"/index.xml":  "<sitemapindex><sitemap><loc>/posts.xml.gz</loc></sitemap><sitemap><loc>http://10.0.0.7/inside.xml</loc></sitemap><sitemap><loc>/pages.xml</loc></sitemap></sitemapindex>",
		"/pages.xml":  "<urlset><url><loc>/private/plan</loc></url><url><loc>/docs/install</loc><lastmod>2026-05-06</lastmod></url><url><loc>https://elsewhere.example.com/x</loc></url></urlset>",
		"/feed.xml":   "<rss><channel><item><title>How whales\n sleep</title><link>/posts/7</link></item></channel></rss>",
		"/llms.txt":   "# Maps\n\n- [The guide](/guide.md)\n",
		"/":           "<html><head><title>Maps</title><link rel=alternate type='application/rss+xml' href=/feed.xml></head><body><main><h1>Maps</h1><p>All about maps and how to make them, with a list of <a href=/start>where to start</a> and more.</p></main></body></html>",
	}
	return map[string]http.HandlerFunc{
		"maps.example.com": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/posts.xml.gz" {
				w.Header().Set("Content-Type", "application/gzip")
				z := gzip.NewWriter(w)
				defer z.Close()
				fmt.Fprint(z, "<urlset>")
				for i := range 1000 {
					fmt.Fprintf(z, "<url><loc>/posts/%d</loc></url>", i)
				}
				// The compressed file is longer than the head that is read of such content.
				noise := rand.New(rand.NewPCG(1, 2))
				for range 8000 {
					fmt.Fprintf(z, "<!-- %016x -->", noise.Uint64())
				}
				fmt.Fprint(z, "</urlset>")
				return
			}
			body, ok := files[r.URL.Path]
			if !ok {
				http.NotFound(w, r)
				return
			}
			if strings.HasPrefix(body, "<html") {
				w.Header().Set("Content-Type", "text/html")
			}
			fmt.Fprint(w, body)
		},
		"links.example.com": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" {
				// Many sites answer like this for a missing file.
				w.Header().Set("Content-Type", "text/html")
			}
			fmt.Fprint(w, "<html><body><p>See <a href=/one>the first page</a> and <a href='https://elsewhere.example.com/'>another site</a>.</p></body></html>")
		},
	}
}

// The map of a site on every surface: the same pages, and what could not be read.
func TestMap(t *testing.T) {
	w := newWorld(t, mapped())

	r := w.run("map", "maps.example.com")
	lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
	if r.exit != 0 || len(lines) != 1004 || lines[0] != "https://maps.example.com/posts/0" {
		t.Fatalf("exit %d, %d lines, first %q\n%s", r.exit, len(lines), lines[0], r.stderr)
	}
	for _, want := range []string{"1004 pages of maps.example.com; by source: sitemap 1002, feed 1, llms.txt 1, links 1", "newest change 2026-05-06",
		"1 that robots.txt refuses to a crawl", "1 of other hosts left out", "1 unreadable or incomplete: Failed to fetch http://10.0.0.7/inside.xml"} {
		if !strings.Contains(r.stderr, want) {
			t.Errorf("stderr does not say %q:\n%s", want, r.stderr)
		}
	}

	r = w.run("map", "--query", "whales sleep", "--json", "maps.example.com")
	var m struct {
		Total int
		Links []struct{ URL, Title string }
	}
	if err := json.Unmarshal([]byte(r.stdout), &m); err != nil || m.Total != 1004 || len(m.Links) != 1 || m.Links[0].URL != "https://maps.example.com/posts/7" || m.Links[0].Title != "How whales sleep" {
		t.Errorf("%v\n%s%s", err, r.stdout, r.stderr)
	}

	r = w.run("map", "--tree", "maps.example.com")
	if !strings.Contains(r.stdout, "/posts/ (1000): /posts/0, /posts/1\n") {
		t.Errorf("tree:\n%s%s", r.stdout, r.stderr)
	}

	r = w.run("map", "links.example.com")
	if r.exit != 0 || r.stdout != "https://links.example.com/one\n" || !strings.Contains(r.stderr, "The site has no sitemap; these are the links of the page.") {
		t.Errorf("exit %d\n%s%s", r.exit, r.stdout, r.stderr)
	}

	r = w.run("map", "--include", "/nowhere", "maps.example.com")
	if r.exit != 6 || r.stdout != "" || !strings.Contains(r.stderr, "URLs of the site passes include and exclude") {
		t.Errorf("exit %d\n%s%s", r.exit, r.stdout, r.stderr)
	}
	r = w.run("map", "--sources", "sitemaps", "maps.example.com")
	if r.exit != 2 || !strings.Contains(r.stderr, "the sources are sitemap, feed, llms.txt and links") {
		t.Errorf("exit %d\n%s", r.exit, r.stderr)
	}
	r = w.run("map", "private.example.com")
	if r.exit != 3 {
		t.Errorf("a private site: exit %d\n%s", r.exit, r.stderr)
	}

	w.everywhere(t, request{"web_map", map[string]any{"url": "https://maps.example.com/", "query": "install"}}, func(t *testing.T, surface string, o outcome) {
		object, _ := json.Marshal(o.object)
		if o.failure != nil || !strings.Contains(o.text+string(object), "https://maps.example.com/docs/install") {
			t.Errorf("%s%s", o.text, object)
		}
		if forModels(surface) && surface != byAgent && !strings.Contains(o.text, "1004 pages of maps.example.com") {
			t.Errorf("%s", o.text)
		}
	})
}

// Over MCP the tool is listed with the profile that has it. Its answer is bounded
// and has no structured content.
func TestMapOverMCP(t *testing.T) {
	w := newWorld(t, mapped())
	names := ""
	for _, d := range w.lists(t, "--tools", "crawl") {
		names += d.Name + " "
	}
	if names != "web_crawl web_map web_recall " {
		t.Errorf("the profile crawl lists %q", names)
	}
	session, err := w.onStdio()
	if err != nil {
		t.Fatal(err)
	}
	r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "web_map", Arguments: map[string]any{"url": "maps.example.com", "limit": 3}})
	if err != nil || r.IsError {
		t.Fatal(err, r)
	}
	text := r.Content[0].(*mcp.TextContent).Text
	if len(text) >= 10_000 || !strings.Contains(text, "/posts/ (1000): /posts/0, /posts/1") || !strings.Contains(text, "Call web_map with a query") {
		t.Error(text)
	}
	// The whole list is a resource, outside of the bound of answers.
	whole, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "spyhop://map/https://maps.example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	list := whole.Contents[0].Text
	if !strings.HasPrefix(list, "Pages of https://maps.example.com/: 1004 of 1004 that the site names.\n") || strings.Count(list, "\nhttps://maps.example.com/") != 1004 ||
		!strings.Contains(list, "\nhttps://maps.example.com/docs/install (2026-05-06)\n") || !strings.Contains(list, "\nhttps://maps.example.com/posts/7 — How whales sleep\n") || !strings.Contains(list, "</") {
		t.Errorf("%d bytes: %.600s", len(list), list)
	}
	if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "spyhop://map/http://10.0.0.7/"}); err == nil || !strings.Contains(err.Error(), "10.0.0.7 is not a public address") {
		t.Errorf("the map of a private site: %v", err)
	}
	templates, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 3 {
		t.Errorf("%+v %v", templates, err)
	}
	if r.StructuredContent != nil {
		t.Error("the answer has structured content beside the text")
	}
}

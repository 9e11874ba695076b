package docs

import (
	"regexp"
	"strings"
	"testing"
)

// TestPages: every page has a title and a body, loads nothing, and its links lead to pages and
// headings of the manual.
func TestPages(t *testing.T) {
	pages := 0
	for _, s := range Sections() {
		for _, p := range s.Pages {
			pages++
			if p.Title == "" || !strings.Contains(p.HTML, "<h1 id=") {
				t.Errorf("%s: %.200s", p.Name, p.HTML)
			}
			if m := regexp.MustCompile(`<(img|script|style|iframe)|raw HTML omitted|(src|style|on\w+)="`).FindString(p.HTML); m != "" {
				t.Errorf("%s contains %s", p.Name, m)
			}
			for _, m := range regexp.MustCompile(`href="/docs/([^"#]+)(?:#([^"]+))?"`).FindAllStringSubmatch(p.HTML, -1) {
				to, ok := Find(m[1])
				if !ok {
					t.Errorf("%s: the link to %s leads nowhere", p.Name, m[1])
				} else if m[2] != "" && !strings.Contains(to.HTML, `id="`+m[2]+`"`) {
					t.Errorf("%s: %s has no heading %s", p.Name, m[1], m[2])
				}
			}
		}
	}
	if pages < 35 {
		t.Errorf("%d pages", pages)
	}
	if _, ok := Find("nowhere"); ok {
		t.Error("a page that does not exist was found")
	}
}

func TestSearch(t *testing.T) {
	for query, want := range map[string]string{
		"resume":             "crawl#stop-resume-update",
		"x-selector":         "structured-data#a-schema-with-selectors",
		"WEB_HOST_RATE":      "settings#web_host_rate",
		"Lists SCROLL":       "fetching#lists-that-load-when-you-scroll",
		"named tokens":       "http#named-tokens",
		"zebra giraffe okra": "",
		"":                   "",
	} {
		got := ""
		if hits := Search(query); len(hits) > 0 {
			got = hits[0].Page.Name + "#" + hits[0].ID
			if hits[0].Text == "" && hits[0].Heading == "" {
				t.Errorf("%s: an empty hit", query)
			}
		}
		if got != want {
			t.Errorf("%q finds %s first, want %s", query, got, want)
		}
	}
}

func TestDestination(t *testing.T) {
	for to, want := range map[string]string{
		"fetching.md#cache":        "/docs/fetching#cache",
		"#cache":                   "#cache",
		"../SECURITY.md":           repository + "SECURITY.md",
		"decisions/0001-x.md":      repository + "docs/decisions/0001-x.md",
		"https://example.com/a.md": "https://example.com/a.md",
		"live-page.png":            repository + "docs/live-page.png",
		"settings.md":              "/docs/settings",
	} {
		if got := destination(to); got != want {
			t.Errorf("%s leads to %s, want %s", to, got, want)
		}
	}
}

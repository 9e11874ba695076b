package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
)

func TestPageNames(t *testing.T) {
	f := &folderWriter{taken: map[string]bool{indexFile: true, failuresFile: true}}
	for _, c := range []struct{ url, want string }{
		{"https://a.example/docs/wal.html", "docs/wal.md"},
		{"https://a.example/docs/", "docs/index.md"},
		{"https://a.example/", "home.md"},
		{"https://a.example/docs/WAL.html", "docs/WAL-"}, // differs by case only
		{"https://a.example/docs/wal", "docs/wal-"},
		{"https://a.example/index.html", "index-"},
		{"https://a.example/manual.pdf", "manual.pdf.md"},
		{"https://a.example/caf%C3%A9/men%C3%BC", "café/menü.md"},
		{"https://a.example/list?page=2&sort=up", "list-page-2-sort-up.md"},
		{"https://a.example/app#/settings", "app-settings.md"},
		{"https://a.example/a/..%2f..%2fetc/passwd", "a/-..-etc/passwd.md"},
		{"https://a.example/.git/config", "git/config.md"},
		{"https://a.example/x.md/y", "x.md-/y.md"},
		{"https://b.example:8443/x", "b.example-8443/x.md"},
	} {
		if got := f.nameOf(c.url); got != c.want && !(strings.HasSuffix(c.want, "-") && strings.HasPrefix(got, c.want) && strings.HasSuffix(got, ".md")) {
			t.Errorf("%s is %s, want %s", c.url, got, c.want)
		}
	}
	long := f.nameOf("https://a.example/" + strings.Repeat("x/", 100) + strings.Repeat("ü", 500))
	if len(long) > 15*(maxNameBytes+1) || strings.Count(long, "/") >= maxNameParts {
		t.Errorf("a long name: %s", long)
	}
}

// TestFolder: links between pages are relative, those in code and to other pages are not, and
// the index has the titles.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	f, err := openFolder(nil, outputOptions{path: dir, format: "md"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*spyhop.CrawlPage{
		{URL: "https://a.example/docs/", Title: "Docs [all]", Markdown: "See [A](https://a.example/docs/a.html#part), [old](https://a.example/old) and [out](https://b.example/x).\n\n```\n[code](https://a.example/docs/a.html)\n```\n\n[B](https://a.example/docs/sub/b.html \"title\")"},
		{URL: "https://a.example/docs/a.html", RequestedURL: "https://a.example/old", Title: "A", Markdown: "[up](https://a.example/docs/)"},
		{URL: "https://a.example/docs/sub/b.html", Markdown: "[A](<https://a.example/docs/a.html>) [A](https://a.example/docs/a.html) [top](https://a.example/)"},
		{URL: "https://a.example/gone", Error: "HTTP 404 Not Found", ErrorType: "HTTPError"},
		{URL: "https://a.example/", Title: "Home", Markdown: "[A](https://a.example/docs/a.html)"},
	} {
		if err := f.write(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"docs/index.md":  "See [A](a.md#part), [old](a.md) and [out](https://b.example/x).\n\n```\n[code](https://a.example/docs/a.html)\n```\n\n[B](sub/b.md \"title\")\n",
		"docs/a.md":      "[up](index.md)\n",
		"docs/sub/b.md":  "[A](<https://a.example/docs/a.html>) [A](../a.md) [top](../../home.md)\n",
		"home.md":        "[A](docs/a.md)\n",
		"index.md":       "# a.example\n\n- [A](docs/a.md)\n- [Docs \\[all\\]](docs/index.md)\n- [docs/sub/b.md](docs/sub/b.md)\n- [Home](home.md)\n\n1 page could not be read: [failures.jsonl](failures.jsonl)\n",
		"failures.jsonl": `{"url":"https://a.example/gone","error_type":"HTTPError","reason":"HTTP 404 Not Found"}` + "\n",
	} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		_, body, front := strings.Cut(string(b), "\n---\n\n")
		if !front {
			body = string(b)
		}
		if err != nil || body != want {
			t.Errorf("%s: %q, %v, want %q", name, body, err, want)
		}
	}
}

func TestPropertiesOf(t *testing.T) {
	got, err := propertiesOf([]byte(`{"type":"object","properties":{"b":{"type":"object","properties":{"x":{}}},"a":{},"c":true}}`))
	if err != nil || strings.Join(got, " ") != "b a c" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := propertiesOf([]byte(`{"type":"array"}`)); err == nil {
		t.Error("a schema of an array has columns")
	}
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

func TestFileName(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range []struct {
		name, mode string
		json       bool
		want       string
	}{
		{"https://example.com/Fog?at=sea", "", false, "example.com-Fog-at-sea.md"},
		{"https://example.com/fog?at=sea", "markdown", false, "example.com-fog-at-sea-2.md"},
		{"example.com", "text", false, "example.com.txt"},
		{"../../etc/passwd", "", false, "etc-passwd.md"},
		{"https://example.com/", "html", true, "example.com.json"},
		{"файл", "", false, "файл.md"},
		{"C:\\page.html", "", false, "C--page.html.md"},
	} {
		if got := fileName(c.name, c.mode, c.json, taken); got != c.want {
			t.Errorf("fileName(%q, %q) = %q, want %q", c.name, c.mode, got, c.want)
		}
	}
}

// TestPagesOnTerminal: the pages of a crawl are JSON Lines that do not steer the terminal on
// which they may end, and that programs read as they were.
func TestPagesOnTerminal(t *testing.T) {
	var b bytes.Buffer
	l := &lineWriter{w: bufio.NewWriter(&b)}
	page := &spyhop.CrawlPage{Title: "a \u009b31m b \u202e c \x7f", Markdown: "a \u200b b"}
	if err := l.write(page); err != nil {
		t.Fatal(err)
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexAny(b.String(), "\u009b\u202e\u200b\x7f\x1b"); i >= 0 {
		t.Errorf("%q", b.String())
	}
	var got spyhop.CrawlPage
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || got.Title != page.Title || got.Markdown != page.Markdown {
		t.Errorf("read as %q, %q, %v", got.Title, got.Markdown, err)
	}
}

// TestUnfenced: a person sees text from the web without the lines for models.
func TestUnfenced(t *testing.T) {
	two := "before\n" + tool.Fence("one\n<untrusted text 123456>") + "\nbetween\n" + tool.Fence("two") + "\nafter"
	if got, want := unfenced(two), "before\none\n<untrusted text 123456>\nbetween\ntwo\nafter"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRecalled: code keeps its lines, and nothing of a page is drawn as Markdown of ours.
func TestRecalled(t *testing.T) {
	got := recalled(&result.Recall{Pages: []result.RecalledPage{{URL: "https://example.com/a", Title: "A *b*", Version: "v1", Passages: []result.Passage{
		{Text: "if x:\n    y()\n", Section: "Code", Link: "https://example.com/a#:~:text=if"}, {Text: "plain <b> `c`", Section: "Code"}}}}})
	drawn := terminal.Markdown(got, terminal.Style{Width: 60})
	want := "A *b*\nhttps://example.com/a\nfetched 0001-01-01, version v1\n\nCode\n    if x:\n        y()\n\n│ plain <b> `c`\n\n"
	if drawn != want {
		t.Errorf("%q, want\n%q", drawn, want)
	}
}

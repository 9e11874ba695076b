package archtest_test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestManualPages: docs/site.json, which orders the pages of the manual, lists every page
// of docs/ once, and no other.
func TestManualPages(t *testing.T) {
	var site []struct {
		Title string
		Pages [][2]string
	}
	if err := json.Unmarshal([]byte(readDocument(t, "docs/site.json", "the sections of the manual with their pages")), &site); err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, s := range site {
		for _, p := range s.Pages {
			listed = append(listed, "docs/"+p[0]+".md")
			if p[1] == "" {
				t.Errorf("%s has no title", p[0])
			}
		}
	}
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(listed)
	for _, f := range files {
		if !slices.Contains(listed, f) {
			t.Errorf("docs/site.json does not list %s: add it to its section", f)
		}
	}
	for i, f := range listed {
		if !slices.Contains(files, f) || i > 0 && listed[i-1] == f {
			t.Errorf("docs/site.json lists %s, which does not exist or is listed twice", f)
		}
	}
}

// TestLinks: every relative link of the README, the other documents of the root and of
// docs/ leads to a file, and to a heading where it has a fragment.
func TestLinks(t *testing.T) {
	headings := make(map[string][]string)
	for _, file := range manualFiles(t) {
		text := withoutCode(readDocument(t, file, ""))
		for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(text, -1) {
			if regexp.MustCompile(`^([a-z]+:|[a-z]\d+$)`).MatchString(m[1]) { // a URL, or a ref of a snapshot
				continue
			}
			name, fragment, _ := strings.Cut(m[1], "#")
			to := path.Join(path.Dir(filepath.ToSlash(file)), name)
			if name == "" {
				to = filepath.ToSlash(file)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: the link %s leads nowhere", file, m[1])
				continue
			}
			if fragment == "" || !strings.HasSuffix(to, ".md") {
				continue
			}
			if headings[to] == nil {
				headings[to] = headingsOf(readDocument(t, to, ""))
			}
			if !slices.Contains(headings[to], fragment) {
				t.Errorf("%s: the link %s leads to no heading of %s, which has %q", file, m[1], to, headings[to])
			}
		}
	}
}

// TestQuestions: the manual answers what a user looks for.
func TestQuestions(t *testing.T) {
	rows := 0
	for line := range strings.Lines(readDocument(t, "internal/archtest/testdata/questions.txt", "")) {
		question, where, ok := strings.Cut(strings.TrimSpace(line), "|")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		rows++
		page, heading, _ := strings.Cut(strings.TrimSpace(where), "#")
		text, err := os.ReadFile(filepath.Join("docs", page))
		if err != nil || heading != "" && !slices.Contains(headingsOf(string(text)), heading) {
			t.Errorf("%s: %s is not there", strings.TrimSpace(question), where)
		}
	}
	if rows < 40 {
		t.Errorf("%d questions, want 40", rows)
	}
}

// avoided are phrases that are correct and that nobody would search for, with what to write.
var avoided = []struct{ phrase, write string }{
	{`\bstand(s|ing)? (before|inside|outside|in|beside|below|above|behind|there|at|under|with|for itself)\b`, "is, comes first, is listed in"},
	{`\bis not spoken\b`, "unsupported"},
	{`as many pages were read as`, "page limit reached"},
	{`[Rr]eads? (a site|sites|them) again and again`, "watch sites and report changes"},
	{`whose addresses stand`, "fetch every URL in a file"},
	{`that promise to answer|promise(s)? little`, "the most promising pages first"},
	{`other content than before is a version`, "a new version is saved when the content changes"},
	{`[Oo]ne that had everything`, "a client that is up to date gets 204"},
	{`Ask for less, or ask a question|\bRead before\b`, "Options; History"},
	{`keeps the content\W*, and records whole`, "it keeps the main content and every record intact"},
	{`snapshots have a quarter`, "snapshots use a quarter of the tokens of Playwright MCP's"},
	{`quoted and cut\b`, "quoted and truncated"},
}

// TestWords: what users read has none of the phrases that need a second reading: documents,
// help, messages, descriptions, the live page.
func TestWords(t *testing.T) {
	files := manualFiles(t)
	for _, pattern := range []string{"cmd/spyhop/*.go", "internal/toolset/*", "internal/reader/arguments_gen.go", "internal/serve/*.go", "internal/live/templates/*", "internal/live/*.go", "internal/config/*.go", "packaging/skill/*.md", "packaging/npm/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		base := filepath.Base(file)
		if strings.HasSuffix(base, "_test.go") || slices.Contains([]string{"measured.md", "rough-edges.md", "CHANGELOG.md"}, base) {
			continue // diaries
		}
		text := readDocument(t, file, "")
		for _, a := range avoided {
			for _, at := range regexp.MustCompile(a.phrase).FindAllStringIndex(text, -1) {
				line := 1 + strings.Count(text[:at[0]], "\n")
				if strings.HasSuffix(file, ".go") && isComment(text, at[0]) {
					continue
				}
				t.Errorf("%s:%d: %q; write: %s", file, line, text[at[0]:at[1]], a.write)
			}
		}
	}
}

// isComment reports whether a position of Go source is in a line comment.
func isComment(text string, at int) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return strings.Contains(line, "//") && !strings.Contains(line, "://") && !strings.Contains(line, "\"")
}

// manualFiles are the documents that people read.
func manualFiles(t *testing.T) (out []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/decisions/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, found...)
	}
	return out
}

// withoutCode is Markdown without its fenced blocks and spans of code.
func withoutCode(md string) string {
	md = regexp.MustCompile("(?ms)^```.*?^```").ReplaceAllString(md, "")
	return regexp.MustCompile("`[^`\n]*`").ReplaceAllString(md, "")
}

// headingsOf are the fragments of the headings, as GitHub and VitePress make them.
func headingsOf(md string) (out []string) {
	md = regexp.MustCompile("(?ms)^```.*?^```").ReplaceAllString(md, "")
	for _, m := range regexp.MustCompile(`(?m)^#{1,6} (.+)$`).FindAllStringSubmatch(md, -1) {
		words := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1")
		out = append(out, strings.Map(func(r rune) rune {
			switch {
			case r == ' ' || r == '-':
				return '-'
			case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, words))
	}
	return out
}

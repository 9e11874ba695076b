package classify_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/tools/txtar"
)

// verdictCases reads a file of pages. A page may begin with a line that is its
// address.
func verdictCases(t *testing.T, name string) map[string][2]string {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata/verdict", name))
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string][2]string{}
	for _, f := range ar.Files {
		url, body := "https://site.example/", string(f.Data)
		if strings.HasPrefix(body, "https://") {
			url, body, _ = strings.Cut(body, "\n")
		}
		cases[f.Name] = [2]string{url, body}
	}
	return cases
}

// Pages that stand in for content get their verdict, and none of their text is
// given; thin pages are given.
func TestVerdicts(t *testing.T) {
	for name, c := range verdictCases(t, "stands_in.txtar") {
		want := page.Verdict(filepath.Dir(name))
		p, err := extract.HTML([]byte(c[1]), extract.Options{URL: c[0]})
		if p.Verdict != want {
			t.Errorf("%s: verdict %s\n%s", name, p.Verdict, markdown.Blocks(p.Blocks, markdown.Options{}))
			continue
		}
		if want.Success() {
			if err != nil || len(p.Blocks) == 0 {
				t.Errorf("%s: %v, %d blocks", name, err, len(p.Blocks))
			}
			continue
		}
		var e *extract.Error
		if !errors.As(err, &e) || e.Code != extract.NoContent || e.Verdict != want || !strings.Contains(e.Error(), string(want)) || len(p.Blocks) > 0 {
			t.Errorf("%s: error %v, %d blocks", name, err, len(p.Blocks))
		}
		if p, err := extract.HTML([]byte(c[1]), extract.Options{URL: c[0], Whole: true}); err == nil && !p.Verdict.Success() {
			t.Errorf("%s: the whole body was asked for, verdict %s", name, p.Verdict)
		}
	}
}

// Pages about such things, and small pages, are content.
func TestContentIsNoVerdict(t *testing.T) {
	for name, c := range verdictCases(t, "content.txtar") {
		p, err := extract.HTML([]byte(c[1]), extract.Options{URL: c[0]})
		if err != nil || p.Verdict != page.Complete {
			t.Errorf("%s: verdict %s, %v", name, p.Verdict, err)
		}
	}
}

// TestVerdictsOfRealPages reads pages that a search engine sent to programs,
// unchanged.
func TestVerdictsOfRealPages(t *testing.T) {
	dir := os.Getenv("SPYHOP_SAMPLES")
	if dir == "" {
		t.Skip("SPYHOP_SAMPLES names no folder with ddg/*.html")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "ddg", "*.html"))
	if len(files) == 0 {
		t.Fatalf("no pages in %s", dir)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		want := page.Complete
		if strings.HasPrefix(filepath.Base(f), "interstitial") {
			want = page.Challenge
		}
		if p, _ := extract.HTML(b, extract.Options{}); p.Verdict != want {
			t.Errorf("%s: verdict %s", filepath.Base(f), p.Verdict)
		}
	}
}

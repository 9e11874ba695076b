package extract

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted results in testdata")

// TestShortPages reads testdata/short. What a person sees at a glance on a short
// page is in it, except page chrome.
func TestShortPages(t *testing.T) { testPages(t, "short") }

// TestRecords reads testdata/records: pages of records and threads. Each text
// stands under the heading, name and price that are its own.
func TestRecords(t *testing.T) { testPages(t, "records") }

// testPages reads a folder of testdata: a file for each page, with what the page
// is, page.html, the verdict and, in page.md, the Markdown or the error. With
// -update verdict and page.md are written again.
func testPages(t *testing.T, folder string) {
	files, err := filepath.Glob("testdata/" + folder + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range ar.Files {
				parts[f.Name] = string(f.Data)
			}
			url := "https://harbour.example/"
			if u, ok := parts["url"]; ok {
				url = strings.TrimSpace(u)
			}
			p, err := HTML([]byte(parts["page.html"]), Options{URL: url})
			verdict, md := string(p.Verdict)+"\n", markdown.Blocks(p.Blocks, markdown.Options{Images: true})+"\n"
			if err != nil {
				md = err.Error() + "\n"
			}
			if *update {
				out := ar.Files[:0:0]
				for _, f := range ar.Files {
					if f.Name != "verdict" && f.Name != "page.md" {
						out = append(out, f)
					}
				}
				ar.Files = append(out, txtar.File{Name: "verdict", Data: []byte(verdict)}, txtar.File{Name: "page.md", Data: []byte(md)})
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if parts["verdict"] != verdict || parts["page.md"] != md {
				t.Errorf("%s--- want %s%s--- got %s%s", ar.Comment, parts["verdict"], parts["page.md"], verdict, md)
			}
		})
	}
}

package extract

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestStated reads testdata/stated: pages with their address, and what they state of
// themselves: title, byline, dates and facts. What a page does not state has no line.
// With -update the lines are written again.
func TestStated(t *testing.T) {
	files, err := filepath.Glob("testdata/stated/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil || len(ar.Files) != 3 {
				t.Fatalf("%d parts: %v", len(ar.Files), err)
			}
			url, source, want := strings.TrimSpace(string(ar.Files[0].Data)), ar.Files[1].Data, string(ar.Files[2].Data)
			p, err := HTML(source, Options{URL: url})
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, f := range [...]struct{ name, value string }{
				{"title", p.Meta.Title}, {"byline", p.Meta.Byline}, {"published", p.Meta.Published}, {"modified", p.Meta.Modified}, {"facts", p.Facts.String()},
			} {
				if f.value != "" {
					fmt.Fprintf(&got, "%s: %s\n", f.name, f.value)
				}
			}
			if *update {
				ar.Files[2].Data = []byte(got.String())
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != want {
				t.Errorf("%s--- want\n%s--- got\n%s", ar.Comment, want, got.String())
			}
		})
	}
}

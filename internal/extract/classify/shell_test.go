package classify_test

import (
	"path"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/tools/txtar"
)

// TestShell: a page that scripts would complete is a shell, with a reason; a
// complete page is not, whatever else is on it.
func TestShell(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/shell/pages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		want := page.Shell(strings.TrimPrefix(path.Dir(f.Name), "none"))
		p, _ := extract.HTML(f.Data, extract.Options{URL: "https://harbour.example/"})
		if p.Shell != want {
			t.Errorf("%s: %q, verdict %s", f.Name, p.Shell, p.Verdict)
		}
		// Whoever asks for the whole body or a part of it has the same page.
		if want == "" {
			continue
		}
		sel, err := extract.CompileSelector("main")
		if err != nil {
			t.Fatal(err)
		}
		p, _ = extract.HTML(f.Data, extract.Options{URL: "https://harbour.example/", Selector: sel})
		if p.Shell != want {
			t.Errorf("%s with a selector: %q", f.Name, p.Shell)
		}
	}
}

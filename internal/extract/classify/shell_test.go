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

// TestCommentsShell: where comments are wanted, an empty section for them is a reason to
// run the scripts, and a sign that the page is not complete.
func TestCommentsShell(t *testing.T) {
	const text = `<main><h1>Ferries in fog</h1><p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the open sea.</p><p>By noon the fog had thinned enough to show the outer marks, and the passengers came up one by one.</p></main>`
	for markup, want := range map[string]page.Shell{
		`<section id=c><h2>Discussion</h2></section><script>1</script>`:                                                                         page.ShellComments,
		`<div id="disqus_thread"></div><script src=/d.js></script>`:                                                                             page.ShellComments,
		`<div class="x comments-area"><h3>Comments (3)</h3><p>Loading</p></div><script>1</script>`:                                              page.ShellComments,
		`<section id=c><h2>Discussion</h2></section>`:                                                                                           "",
		`<div id=comments><p>The pilot says the fog was worse in the winter of the long strike, and he was there, too.</div><script>1</script>`: "",
		`<script>1</script>`: "",
	} {
		for wanted, want := range map[extract.Comments]page.Shell{extract.CommentsAlways: want, extract.CommentsAuto: ""} {
			p, err := extract.HTML([]byte("<title>Ferries in fog</title>"+text+markup), extract.Options{URL: "https://harbour.example/", Comments: wanted})
			if err != nil || p.Shell != want || (p.Verdict == page.Complete) != (want == "") {
				t.Errorf("%s: %q, want %q, verdict %s %v", markup, p.Shell, want, p.Verdict, err)
			}
		}
	}
}

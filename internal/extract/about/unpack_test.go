package about_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted results in testdata")

// TestState reads shells: the content of their data, in its words and order, without
// navigation. With -update it writes the wants again.
func TestState(t *testing.T) {
	const file = "testdata/shapes.txtar"
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range ar.Files {
		want[f.Name] = string(f.Data)
	}
	var out []txtar.File
	for _, f := range ar.Files {
		name, ok := strings.CutSuffix(f.Name, ".html")
		if !ok {
			continue
		}
		p, err := extract.HTML(f.Data, extract.Options{URL: "https://harbour.example/news/" + name})
		got := markdown.Blocks(p.Blocks, markdown.Options{}) + "\n"
		if err != nil {
			got = err.Error() + "\n"
		}
		out = append(out, f, txtar.File{Name: name + ".md", Data: []byte(got)})
		if !*update && want[name+".md"] != got {
			t.Errorf("%s:\n--- want\n%s--- got\n%s", name, want[name+".md"], got)
		}
		if from := p.FromData; from != (err == nil && name != "dom-wins") {
			t.Errorf("%s: FromData: %v", name, from)
		}
	}
	if *update {
		ar.Files = out
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// JSON-LD with an article that the page lacks is taken although the page is not
// a shell.
func TestLongArticleBody(t *testing.T) {
	words := func(stem string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s%d went past the quay. ", stem, i)
		}
		return b.String()
	}
	dom := "<main><h1>Ferries</h1><p>" + words("seal", 60) + "</p></main>"
	ld := func(body string) []byte {
		return []byte(`<title>Ferries</title><script type="application/ld+json">{"@type":"NewsArticle","headline":"Ferries","articleBody":"` + body + `"}</script>` + dom)
	}
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"longer":      {words("ship", 300), true},
		"same":        {words("seal", 60), false},
		"not so much": {words("ship", 80), false},
		"shown":       {words("seal", 60) + strings.Repeat("The end. ", 100), false},
	} {
		p, err := extract.HTML(ld(c.body), extract.Options{})
		if err != nil || p.FromData != c.want {
			t.Errorf("%s: %v, omissions %v", name, err, p.Omissions)
		}
	}
}

// Hostile data ends: no panic, no recursion without bound, and none of the
// costs that would make the test run out of time.
func TestHostileState(t *testing.T) {
	const n = 60_000
	circle := `[{"a":1,"title":3},[0,1,2,1],{"x":0,"y":1},"Ferries in fog"` + strings.Repeat(`,[0,1,2]`, 10_000) + `]`
	for _, script := range map[string]string{
		"deep":        strings.Repeat(`{"a":[`, n),
		"wide":        "[" + strings.Repeat("0,", 3*n) + "0]",
		"strings":     "[" + strings.Repeat(`"`+strings.Repeat("word and word. ", 10)+`",`, 5_000) + "0]",
		"circle":      circle,
		"unclosed":    `{"a":"` + strings.Repeat("x", n),
		"escapes":     `{"a":"` + strings.Repeat(`\u00`, n),
		"nested JSON": nest(`{"title":"Ferries in fog"}`, 12),
		"braces":      strings.Repeat(`<p>`, n),
	} {
		for _, open := range []string{`<script type="application/json">`, `<script type="application/ld+json">`, `<script>window.a=`, `<script>a={};self.__next_f.push([1,`, `<script>window.__NUXT__=(function(a){return `} {
			_, _ = extract.HTML([]byte("<title>Ferries in fog</title>"+open+script+"</script>"), extract.Options{URL: "https://a.example/ferries-in-fog"})
		}
	}
	// Many beginnings of data that never ends.
	_, _ = extract.HTML([]byte("<title>a</title><script>"+strings.Repeat("x={a:[", n)+"</script>"), extract.Options{})
}

// depthOf counts the levels of blocks.
func depthOf(blocks []page.Block) int {
	d := 0
	for i := range blocks {
		n := depthOf(blocks[i].Children)
		if t := blocks[i].Table; t != nil {
			for _, r := range t.Rows {
				for _, c := range r {
					n = max(n, depthOf(c.Blocks))
				}
			}
		}
		d = max(d, n+1)
	}
	return d
}

func nest(s string, times int) string {
	for range times {
		s = fmt.Sprintf(`{"title":"Ferries in fog","json":%q}`, s)
		if len(s) > 1<<20 {
			break
		}
	}
	return s
}

// FuzzState: whatever a script holds, a page or an error comes out, and no
// control characters.
func FuzzState(f *testing.F) {
	ar, err := txtar.ParseFile("testdata/shapes.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, a := range ar.Files {
		_, rest, ok := strings.Cut(string(a.Data), "<script")
		if _, body, ok2 := strings.Cut(rest, ">"); ok && ok2 {
			body, _, _ = strings.Cut(body, "</script>")
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<16 {
			return
		}
		for _, open := range []string{`<script type="application/json">`, `<script type="application/ld+json">`, `<script>window.a=`, `<script>self.__next_f.push([1,`} {
			p, err := extract.HTML([]byte("<title>Ferries in fog</title><body>"+open+s+"</script>"), extract.Options{URL: "https://a.example/ferries-in-fog"})
			if (err == nil) != (len(p.Blocks) > 0) {
				t.Fatalf("%v with %d blocks", err, len(p.Blocks))
			}
			if d := depthOf(p.Blocks); d > page.MaxDepth {
				t.Fatalf("%d levels", d)
			}
		}
	})
}

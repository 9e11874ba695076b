package extract

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// TestMarkdownWithinBounds shows that a document within the bounds is read as
// goldmark reads it: CommonMark's own examples, and the documents of this tree.
func TestMarkdownWithinBounds(t *testing.T) {
	plain := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList), goldmark.WithRendererOptions(html.WithUnsafe()))
	sources := map[string]string{
		"code spans":  "a `b` `` c ` d `` ``` e ` f\n`` g\n\nh ` i\n\n`j` ~~k~~ ~~~l@example.com ~m~ ~~~n~~~\n",
		"tags":        "a <b>c</b> <!-- d --> e < f <g <h>\n<https://example.com> <x@example.com> <? y ?> <!Z z> <![CDATA[ q ]]> r <\n",
		"definitions": strings.Repeat("[a]: https://example.com/ 'title'\n[b]:\n  <https://example.com/b>\n  \"long\n  title\"\n", 60) + "[a] and [b][b] and [c]\n",
		"all of them": strings.Repeat("[a]: https://example.com/\n", 128),
		"terms":       "term\n: definition\n: another\n\nother\n: - list\n  - more\n",
		"footnotes":   "a[^1] b[^x] c[^none]\n\n[^1]: one\n\n[^x]: two\n    more\n",
		"table":       "| a | b |\n|---|:-:|\n| `x \\| y` | z |\n| short |\n\npara\n\n- a\n\n  | c |\n  |---|\n  | d |\n",
		"links":       "[a](b \"t\") [c](<d e> 'f') ![g](h) [i [j](k) l](m) [n](o(p)q) [r](s (t)) [u](\nv\n\"w\") www.example.com https://example.com/a_b_c x@example.com\n",
		"tasks":       "- [ ] a\n- [x] b *c*\n  1. d\n     > e\n",
	}
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/decisions/*.md", "../toolset/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			sources[f] = string(b)
		}
	}
	if dir := os.Getenv("SPYHOP_FIDELITY"); dir != "" {
		for _, s := range commonMarkExamples(t, dir) {
			sources[s] = s
		}
	}
	if len(sources) < 20 {
		t.Fatalf("only %d documents", len(sources))
	}
	for name, src := range sources {
		var want, got bytes.Buffer
		if err := plain.Convert([]byte(src), &want); err != nil {
			t.Fatal(err)
		}
		literal, err := convertMarkdown(&got, []byte(src), true, new(int), nil)
		if err != nil {
			t.Fatal(err)
		}
		if literal {
			t.Errorf("%.60q: a bound was met", name)
		}
		if got.String() != want.String() {
			t.Errorf("%.60q: got\n%s\nwant\n%s", name, got.String(), want.String())
		}
	}
}

// commonMarkExamples are the inputs of the examples in CommonMark's own
// document, and all of them as one.
func commonMarkExamples(t *testing.T, dir string) []string {
	raw, err := os.ReadFile(filepath.Join(dir, "commonmark-spec.json"))
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct{ Markdown string }
	if err := json.Unmarshal(raw, &examples); err != nil || len(examples) < 600 {
		t.Fatalf("%d examples, %v", len(examples), err)
	}
	var out []string
	var all strings.Builder
	for _, e := range examples {
		out = append(out, e.Markdown)
		all.WriteString(e.Markdown + "\n\n")
	}
	return append(out, all.String())
}

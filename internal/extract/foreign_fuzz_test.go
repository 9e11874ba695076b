package extract

import (
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// FuzzMarkdown: any Markdown gives a page of valid text, or an error of this package.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{
		"# a\n\n- b\n  - [x] c\n\n> d\n> > e\n", "|a|b|\n|-|-|\n|`\\|`|c\n", "[a]: b 'c\n\n[a][] ![d](<e> \"f\")", "a[^b]\n\n[^b]: c\n\n  d\n",
		"a\n: b\n\n  c\n", "```go\na\n", "<div>\n\n*a*\n\n</div>", "*a_ **b*c** ~~d~~ `e``", "> - > - a\n", "\ta\n- \tb\n", "www.a.b a@b.c http://d",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := Document(body, "text/markdown", Options{URL: "https://example.com/a/b"})
		var e *Error
		switch {
		case err == nil && len(p.Blocks) == 0, err != nil && !errors.As(err, &e):
			t.Fatalf("%v", err)
		case err != nil:
			return
		}
		walkText(p.Blocks, func(s string) {
			if !utf8.ValidString(s) {
				t.Fatalf("invalid UTF-8: %q", s)
			}
		})
		if p.Type != page.Documentation {
			t.Fatalf("type %s", p.Type)
		}
	})
}

// FuzzFill: any x-selector that is taken reads any page into a value that JSON can write.
func FuzzFill(f *testing.F) {
	for _, s := range []string{"p", "a@href", "@id", ":scope", "li:has(b) > i@title", "td:nth-child(2n of .x)", "img@src", "[a='@b']@c"} {
		f.Add(s, "<ul><li><b>a</b><i title=b>c</i></ul><table><tr><td class=x>1,5<td>2</table><a id=d href=e>f</a><img src=g alt=h>")
	}
	f.Fuzz(func(t *testing.T, selector, body string) {
		s, attr, err := CompileField(selector)
		if err != nil {
			return
		}
		for kind := TextField; kind <= ListField; kind++ {
			field := &Field{Selector: s, Attr: attr, Kind: kind, Name: "a"}
			switch kind {
			case ObjectField:
				field.Members = []*Field{{Selector: s, Attr: attr, Name: "b"}}
			case ListField:
				field.Selector, field.Element = nil, &Field{Selector: s, Attr: attr, Kind: NumberField}
			}
			v, _, err := Fill([]byte(body), "text/html", Options{URL: "https://example.com/"}, field)
			var e *Error
			if err != nil && !errors.As(err, &e) {
				t.Fatal(err)
			}
			if _, err := json.Marshal(v); err != nil {
				t.Fatalf("%v: %v", v, err)
			}
		}
	})
}

package live

import (
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"
)

var pages = sync.OnceValue(parsed)

// rendered is Markdown as the view has it.
func rendered(t *testing.T, markdown, base, title string) string {
	t.Helper()
	var b strings.Builder
	if err := pages().ExecuteTemplate(&b, "page-content", contentOf(t.Context(), markdown, base, title)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestRender: Markdown in our form becomes HTML, and nothing foreign becomes more than
// text.
func TestRender(t *testing.T) {
	for name, c := range map[string]struct{ markdown, want string }{
		"a paragraph":            {"one *two* **three** `four`", `<p dir="auto">one <em>two</em> <strong>three</strong> <code>four</code></p>`},
		"headings skip no level": {"# T\n\n#### deep", `<h3 dir="auto">T</h3>` + "\n" + `<h4 dir="auto">deep</h4>`},
		"the title again":        {"# The Title\n\ntext", `<p dir="auto">text</p>`},
		"a link":                 {"[a](https://example.com/?a=1&b=%22)", `<a href="https://example.com/?a=1&amp;b=%22" rel="noopener noreferrer nofollow" target="_blank">a</a>`},
		"a relative link":        {"[a](/b)", `<a href="https://base.example/b" rel`},
		"a picture":              {"![alt <b>](https://example.com/x.png)", `<span class="picture">picture: alt</span></a>`},
		"a script":               {"a <script>alert(1)</script> b", `<p dir="auto">a b</p>`},
		"a handler":              {`<img src=x onerror=alert(1)><p onclick="alert(1)" style="position:fixed">x</p>`, "x"},
		"a script link":          {"[a](javascript:alert\\(1\\)) [b](JaVaScRiPt:x) [c](data:text/html,x) [d](vbscript:x) [e](file:///etc/passwd)", `<p dir="auto">a b c d e</p>`},
		"a form":                 {`<form action=https://evil.example><input name=token value=x><button>Send</button></form>`, "Send"},
		"a frame":                {"<iframe src=https://evil.example></iframe>\n\ntext", `<p dir="auto">text</p>`},
		"an end of code":         {"```\n</code></pre><script>x</script>\n```", "&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;x&lt;/script&gt;"},
		"a table":                {"| a | b |\n| --- | --- |\n| 1 | <b> |", "<th>a</th><th>b</th></tr>"},
		"a template":             {"{{.}} ${x}", "{{.}} ${x}"},
		"a list":                 {"3. a\n4. b", `<ol start="3"><li>`},
		"nothing":                {"", ""},
	} {
		got := rendered(t, c.markdown, "https://base.example/a", "The Title")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
		harmless(t, got)
	}
}

// harmless fails where HTML has anything that the writer has no word for.
func harmless(t *testing.T, fragment string) {
	t.Helper()
	elements := " html head body p h3 h4 h5 h6 pre code blockquote ul ol li dl dt dd table tbody caption tr th td hr div sup sub s em strong a span br "
	attributes := " dir class tabindex start colspan rowspan href rel target role aria-label "
	root, err := html.Parse(strings.NewReader(fragment))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if !strings.Contains(elements, " "+n.Data+" ") {
			t.Errorf("an element %q in %.300s", n.Data, fragment)
		}
		for _, a := range n.Attr {
			if !strings.Contains(attributes, " "+a.Key+" ") || a.Key == "href" && !linkable(a.Val) {
				t.Errorf("an attribute %s=%q in %.300s", a.Key, a.Val, fragment)
			}
			if a.Key == "class" && strings.Trim(a.Val, "abcdefghijklmnopqrstuvwxyz") != "" {
				t.Errorf("a class %q", a.Val)
			}
		}
	}
}

// FuzzRender: whatever Markdown comes, only harmless elements leave.
func FuzzRender(f *testing.F) {
	for _, s := range []string{
		"# a\n\n[b](javascript:x)", "<script>x</script>", "<svg><style><img src=x onerror=y></style></svg>", // a namespace that changes how text is read
		"<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">", // mutation
		"| a |\n|---|\n| <td onclick=x> |", "[a]: javascript:x\n\n[a]", "![x](https://a.example/\"onload=\"x)", "<https://a.example/\\\"x>", "&lt;script&gt;", "```html\n</pre>\n```",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		if len(markdown) < 20_000 {
			harmless(t, rendered(t, markdown, "https://base.example/", ""))
		}
	})
}

package dom

import (
	"bytes"
	"cmp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

// TestShape: a box of lines is code, as Doxygen writes it, and lines of a poem are not; a grid of
// boxes is a table, as Javadoc writes it.
func TestShape(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"lines", "<div class=\"fragment\"><div class=\"line\">a();</div>\n<div class=\"line\">  b();</div>\n</div>",
			`<pre class="fragment"><div class="line">a();</div><div class="line">  b();</div></pre>`},
		{"a tooltip", `<div class="fragment"><div class="line">a();</div><div class="ttc">void a()</div></div>`,
			`<pre class="fragment"><div class="line">a();</div></pre>`},
		{"a poem", `<div class="line-block"><div class="line">The lamp</div><div class="line">is lit</div></div>`, ""},
		{"text beside the lines", `<div class="code">see <div class="line">a();</div></div>`, ""},
		{"other parts", `<div class="highlight"><div class="line">a();</div><p>more</p></div>`, ""},
		{"a grid", `<div class="summary-table"><div class="table-header col-first">Name</div><div class="table-header col-last">What</div>` + "\n" + `<div class="col-first even">a</div><div class="col-last even">first</div></div>`,
			`<table class="summary-table"><tr><th class="table-header col-first">Name</th><th class="table-header col-last">What</th></tr><tr><td class="col-first even">a</td><td class="col-last even">first</td></tr></table>`},
		{"columns of a page", `<div class="row"><div class="col-first">menu</div><div class="col-last">text</div></div>`, ""},
		{"a row without an end", `<div><div class="col-last">a</div><div class="col-last">b</div><div class="col-first">c</div></div>`, ""},
	} {
		doc, err := html.Parse(strings.NewReader("<html><head></head><body>" + c.in + "</body></html>"))
		if err != nil {
			t.Fatal(err)
		}
		RemoveHidden(Body(doc), &page.Page{}, nil)
		var b bytes.Buffer
		if err := html.Render(&b, doc); err != nil {
			t.Fatal(err)
		}
		if want := "<html><head></head><body>" + cmp.Or(c.want, c.in) + "</body></html>"; b.String() != want {
			t.Errorf("%s: %s; want %s", c.name, b.String(), want)
		}
	}
}

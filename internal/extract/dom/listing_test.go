package dom

import (
	"bytes"
	"cmp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

// TestListing: a box of lines is code, as Doxygen writes it; lines of a poem are not.
func TestListing(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"lines", "<div class=\"fragment\"><div class=\"line\">a();</div>\n<div class=\"line\">  b();</div>\n</div>",
			`<pre class="fragment"><div class="line">a();</div><div class="line">  b();</div></pre>`},
		{"a tooltip", `<div class="fragment"><div class="line">a();</div><div class="ttc">void a()</div></div>`,
			`<pre class="fragment"><div class="line">a();</div></pre>`},
		{"a poem", `<div class="line-block"><div class="line">The lamp</div><div class="line">is lit</div></div>`, ""},
		{"text beside the lines", `<div class="code">see <div class="line">a();</div></div>`, ""},
		{"other parts", `<div class="highlight"><div class="line">a();</div><p>more</p></div>`, ""},
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

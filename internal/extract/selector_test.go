package extract

import (
	"errors"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

func TestSelector(t *testing.T) {
	const doc = `<title>T</title><nav><ul><li>Home<li>Shop</ul></nav><main><h1>Head</h1><p>One.</p><table id=t><tr><td>a<td>b</table>
<p style="display:none" class=x>Secret.</p></main>`
	for _, c := range []struct {
		selector, mediaType, want string
		code                      errorCode
	}{
		{"nav", "text/html", "Home Shop", 0}, // chrome, when it is asked for
		{"main p", "text/html", "One.", 0},
		{"h1, #t", "text/html", "Head a b", 0},
		{".x", "text/html", "", NoMatch}, // hidden from a person, and so from the selector
		{"article", "text/html", "", NoMatch},
		{"p[", "text/html", "", BadSelector},
		{"p", "application/json", "", NoMatch},
		{"h1", "text/markdown", "Head", 0},
	} {
		body := doc
		if c.mediaType == "text/markdown" {
			body = "# Head\n\nText."
		}
		sel, err := CompileSelector(c.selector)
		var p *page.Page
		if err == nil {
			p, err = Document([]byte(body), c.mediaType, Options{URL: "https://example.com/", Selector: sel})
		}
		var e *Error
		if errors.As(err, &e); (e == nil) != (c.code == 0) || e != nil && e.Code != c.code {
			t.Errorf("%s: error %v, want code %d", c.selector, err, c.code)
			continue
		}
		if e == nil {
			if got := words(p.Blocks); got != c.want {
				t.Errorf("%s: %q, want %q", c.selector, got, c.want)
			}
		}
	}
}

func words(blocks []page.Block) string {
	out := ""
	add := func(s string) {
		if s != "" {
			if out != "" {
				out += " "
			}
			out += s
		}
	}
	for _, b := range blocks {
		add(page.InlineText(b.Inlines))
		add(words(b.Children))
		if b.Table != nil {
			for _, r := range b.Table.Rows {
				for _, c := range r {
					add(words(c.Blocks))
				}
			}
		}
	}
	return out
}

package dom

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// Unclosed paragraphs, items and cells are siblings, not levels.
func TestImpliedEndTags(t *testing.T) {
	for _, unit := range []string{"<p>a", "<li>a", "<tr><td>a", "<dt>a<dd>b"} {
		p := &page.Page{}
		out := bounded([]byte("<div>"+strings.Repeat(unit, 2_000)), p, nil)
		if n := p.Omitted(page.OmittedNesting); n > 0 {
			t.Errorf("%q: %d flattened; %.80s", unit, n, out)
		}
	}
}

// An end tag of a paragraph that is not open makes a paragraph: so many are not read.
func TestStrayEndTags(t *testing.T) {
	doc, err := Parse([]byte("<p>a"+strings.Repeat("</p>", 2*maxTags)+"<p>b"), &page.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range Below(doc) {
		n++
	}
	if text := NodeText(doc, 100); n > 1000 || strings.Join(strings.Fields(text), " ") != "a b" {
		t.Errorf("%d nodes, %q", n, text)
	}
}

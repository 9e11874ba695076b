package css

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestSelect(t *testing.T) {
	doc, err := html.Parse(strings.NewReader(`<body><main id=m><p class="a b">one</p><div><p data-k=v>two</p></div>
<ul><li>x<li>y<li>z</ul></main><aside><p>three</p></aside>`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ selector, want string }{
		{"p", "one two three"},
		{"main p", "one two"},
		{"#m > p.a.b", "one"},
		{"[data-k=v]", "two"},
		{"li:nth-child(2)", "y"},
		{"li:not(:first-child)", "y z"},
		{"div, aside", "two three"},
		{"main, main p", "onetwo xyz"}, // what stands within a match is there once
		{"p:has(b)", ""},
		{"p::before", "error"},
		{"p,,q", "error"},
		{"", "error"},
		{"p[", "error"},
		{strings.Repeat("p,", 2000) + "p", "error"},
	} {
		s, err := Compile(c.selector)
		if err != nil {
			if c.want != "error" {
				t.Errorf("%q: %v", c.selector, err)
			}
			continue
		}
		found, complete := s.Select(doc)
		var got []string
		for _, n := range found {
			var b strings.Builder
			for d := range n.Descendants() {
				if d.Type == html.TextNode {
					b.WriteString(strings.TrimSpace(d.Data))
					if strings.Contains(d.Data, "\n") {
						b.WriteByte(' ')
					}
				}
			}
			got = append(got, strings.TrimSpace(b.String()))
		}
		if text := strings.Join(got, " "); text != c.want || !complete {
			t.Errorf("%q selects %q (complete %v), want %q", c.selector, text, complete, c.want)
		}
	}
}

// A selector that would look at every pair of elements stops at the bound.
func TestSelectIsBounded(t *testing.T) {
	doc, err := html.Parse(strings.NewReader(strings.Repeat("<p>", 20_000)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Compile("p ~ p ~ p ~ b ~ p")
	if err != nil {
		t.Fatal(err)
	}
	if found, complete := s.Select(doc); len(found) > 0 || complete {
		t.Errorf("%d found, complete %v", len(found), complete)
	}
}

package dom

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestReadScripted(t *testing.T) {
	read := func(markup string) (routes, scripted []string, scripts bool) {
		doc, err := html.Parse(strings.NewReader(markup))
		if err != nil {
			t.Fatal(err)
		}
		found, scripted, scripts := ReadScripted(doc, NewResolver("https://a.example/app/", "", doc))
		for _, l := range found {
			routes = append(routes, l.URL)
		}
		return routes, scripted, scripts
	}
	for _, c := range []struct {
		markup           string
		routes, scripted string
		scripts          bool
	}{
		{`<a href="#/a">A</a> <a href="#/a">again</a> <a href="#!b">B</a> <a href="/x#/c">C</a>`, "https://a.example/app/#/a https://a.example/app/#!b https://a.example/x#/c", "", false},
		{`<a href="#top">Top</a> <a href="#">Up</a> <a href="#!">Menu</a> <a href="page#part">P</a>`, "", "", false},
		{`<div onclick="location.href='/b'">b</div>`, "", "https://a.example/b", false},
		{"<div onclick='window.open(\"https://a.example/c#x\")'>c</div><button onclick=\"go(`d.html`)\">d</button>", "", "https://a.example/c https://a.example/app/d.html", false},
		{`<a href="javascript:go('/e')" data-href=/f>e</a> <a href=" JavaScript:void(0)">n</a>`, "", "https://a.example/f https://a.example/e", false},
		{`<div onclick="say('hello there'); say('/'); go('/x/${id}'); open('mailto:a@b.example')" data-url="name">n</div>`, "", "", false},
		{`<script>x()</script>`, "", "", true},
		{`<script type="application/ld+json">{}</script>`, "", "", false},
	} {
		routes, scripted, scripts := read(c.markup)
		if strings.Join(routes, " ") != c.routes || strings.Join(scripted, " ") != c.scripted || scripts != c.scripts {
			t.Errorf("%s: %q %q %v", c.markup, routes, scripted, scripts)
		}
	}
	var many strings.Builder
	for i := range maxRoutes + 100 {
		fmt.Fprintf(&many, `<a href="#/%d">r</a><b onclick="go('/%d')">x</b>`, i, i)
	}
	routes, scripted, _ := read(many.String())
	if len(routes) != maxRoutes || len(scripted) != maxScripted || slices.Contains(scripted, "") {
		t.Errorf("%d routes, %d scripted", len(routes), len(scripted))
	}
}

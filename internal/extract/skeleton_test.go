package extract

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/spyhop-dev/spyhop/internal/wcxb"
)

// TestSkeleton: who writes selectors sees what can be selected: no scripts, menus and hidden
// parts, three of many similar elements, all of several that are built differently, and of a
// long page the part around its heading.
func TestSkeleton(t *testing.T) {
	menu := "<nav><ul>" + strings.Repeat(`<li><a href="/x">Menu</a></li>`, 200) + "</ul></nav>"
	page := "<html><head><title>T</title><script>var x</script><meta charset=utf-8><meta property=og:title content=Boat></head><body>" + menu +
		`<div></div><div><b>one</b></div><div><i>two</i></div><div><u>three</u></div><div><em>four</em></div><div style="display:none"><p class=secret>hidden</p></div>` +
		`<ul>` + strings.Repeat(`<li class=row>Row</li>`, 50) + `</ul>` + strings.Repeat(`<p class=fill>`+strings.Repeat("x", 50)+`</p><h2>Head</h2>`, 3) +
		`<h1 class=name>Boat</h1><p class=price>12 EUR</p></body></html>`
	s := Skeleton(page, 5000)
	for _, want := range []string{`property="og:title" content="Boat"`, "<b>one", "<em>four", `<h1 class="name">Boat`, `class="price">12 EUR`, "47 similar elements more"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is missing in:\n%s", want, s)
		}
	}
	for _, not := range []string{"Menu", "var x", "hidden", "charset"} {
		if strings.Contains(s, not) {
			t.Errorf("%q is in:\n%s", not, s)
		}
	}
	long := strings.Replace(page, "<ul>", strings.Repeat(`<section><p>A part of the page</p></section><b>x</b>`, 3)+manyParts(400)+"<ul>", 1)
	if s = Skeleton(long, 3000); len(s) > 3000 || !strings.Contains(s, "<h1") || !strings.Contains(s, "12 EUR") {
		t.Errorf("%d bytes:\n%s", len(s), s)
	}
}

func manyParts(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<div class=part" + strings.Repeat("x", i%9) + strings.Repeat("y", i/9) + "><p>A part with its own class</p></div>")
	}
	return b.String()
}

// TestSkeletonOfPages: the skeleton of a real page has its heading, where the page has one
// that can be seen.
func TestSkeletonOfPages(t *testing.T) {
	pages, has := 0, 0
	for _, p := range wcxb.Pages(t, 5) {
		r := reading{}
		if r.see(p.HTML) != nil {
			continue
		}
		var heading func(n *html.Node) bool
		heading = func(n *html.Node) bool {
			if n.Data == "h1" && n.Type == html.ElementNode {
				return true
			}
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				if heading(c) {
					return true
				}
			}
			return false
		}
		if !heading(r.doc) {
			continue
		}
		pages++
		if strings.Contains(Skeleton(string(p.HTML), 24_000), "<h1") {
			has++
		}
	}
	t.Logf("%d of %d pages", has, pages)
	if float64(has) < .95*float64(pages) {
		t.Errorf("%d of %d pages", has, pages)
	}
}

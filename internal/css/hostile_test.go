package css

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// walk enters all elements of a page and returns how many of them are hidden.
func walk(t testing.TB, s *Sheets, page string) (hidden int) {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	v := s.View()
	var in func(n *html.Node)
	in = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				if v.Push(c).All != Seen {
					hidden++
				}
				in(c)
				v.Pop()
			}
		}
	}
	in(doc)
	v.Finish()
	return hidden
}

// TestHostileSheets: sheets that cost much end soon.
func TestHostileSheets(t *testing.T) {
	rep := strings.Repeat
	list := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	classes, body := list(60_000, ".c%d{color:red;display:block}"), list(20_000, "<p class=c%d>x</p>")
	deep := rep("<div>", 200) + "<p class=x>x"
	for _, c := range []struct{ name, sheet, body string }{
		{"60,000 classes", classes, body},
		{"60,000 rules for every element", rep("p:not(.x){color:red}", 60_000), body},
		{"60,000 universal rules", rep("*{color:#fff}", 60_000), body},
		{"positions", rep("p:nth-child(odd){color:red}", 60_000), body},
		{"backtracking", rep("div > div div > div div > div div > div b p{display:none}", 5_000), deep},
		{"has in has", rep("div:has(div:has(div:has(b))){display:none}", 2_000), deep},
		{"siblings", rep("p ~ p ~ p ~ p ~ b ~ p{display:none}", 5_000), body},
		{"open blocks", rep("@media screen{", 100_000), deep},
		{"open brackets", rep(":is(", 100_000), deep},
		{"open strings", rep(`"`, 100_000), deep},
		{"lists in lists", "p" + rep(":is(p,p", 300) + rep(")", 300) + "{display:none}", deep},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			var s Sheets
			s.Add(c.sheet, "", 0)
			walk(t, &s, c.body)
			t.Logf("%v, complete: %v", time.Since(start).Round(time.Millisecond), s.Complete())
			if took := time.Since(start); took > 20*time.Second { // a bound is a second; machines are slow
				t.Errorf("%v", took)
			}
		})
	}
}

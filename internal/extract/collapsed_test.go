package extract

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// answers is a list of questions whose answers are hidden, without a name or role for it.
func answers(n int, words string) string {
	return strings.Repeat(`<div class=a><h3>When do the ferries leave?</h3><div class=b style="display:none"><p>`+words+`</p></div></div>`, n)
}

// What waits behind a control of the page is content, and a group that says so; what
// scripts move into place has no mark.
func TestCollapsed(t *testing.T) {
	const words = "Ferries wait in the fog until the lamp on the pier is lit, and then go one after the other."
	for _, c := range []struct {
		name, html string
		mark       page.Mark
	}{
		{"a tab panel", `<div role=tab>Fog</div><div role=tabpanel style="display:none"><p>` + words + `</div>`, page.Collapsed},
		{"a tab panel without a tab", `<div role=tabpanel style="display:none"><p>` + words + `</div>`, page.Collapsed},
		{"a panel that a link leads to", `<ul><li><a href="#more">More</a></ul><div id=more style="display:none"><p>` + words + `</div>`, page.Collapsed},
		{"visibility that cannot be computed", `<style>.x{mask-image:url(x)}</style><div class=x><p>` + words + `</div>`, page.NoMark},
		{"an accordion by its class", `<style>.collapse{display:none}</style><div class=collapse><p>` + words + `</div>`, page.Collapsed},
		{"named by its control", `<button aria-controls=more>More</button><div id=more style="display:none"><p>` + words + `</div>`, page.Collapsed},
		{"found by searching", `<div hidden=until-found><p>` + words + `</div>`, page.Collapsed},
		{"an answer to one of several questions", answers(3, words), page.Collapsed},
		{"details", `<details><summary>More</summary><p>` + words + `</details>`, page.Collapsed},
		{"details that are open", `<details open><summary>More</summary><p>` + words + `</details>`, page.NoMark},
		{"streamed", `<div hidden id="S:0"><p>` + words + `</div>`, page.NoMark},
		{"shown", `<div role=tabpanel><p>` + words + `</div>`, page.NoMark},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := HTML([]byte("<!doctype html><body><main><h1>Ferries</h1><p>"+words+"</p>"+c.html+"</main>"), Options{Whole: true})
			if err != nil {
				t.Fatal(err)
			}
			found, mark := false, page.NoMark
			var walk func(blocks []page.Block, within page.Mark)
			walk = func(blocks []page.Block, within page.Mark) {
				for _, b := range blocks {
					in := max(within, b.Mark)
					for _, s := range b.Inlines {
						if strings.Contains(s.Text, "Ferries wait") {
							found, mark = true, in // the last one
						}
					}
					walk(b.Children, in)
				}
			}
			walk(p.Blocks, page.NoMark)
			if !found || mark != c.mark {
				t.Errorf("found %v, marked %v, want %v", found, mark, c.mark)
			}
		})
	}
}

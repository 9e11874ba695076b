package extract

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// What waits behind a control of the page is content, and a group that says so.
func TestCollapsed(t *testing.T) {
	const words = "Ferries wait in the fog until the lamp on the pier is lit, and then go one after the other."
	for _, c := range []struct {
		name, html string
		collapsed  bool
	}{
		{"a tab panel", `<div role=tabpanel style="display:none"><p>` + words + `</div>`, true},
		{"an accordion by its class", `<style>.collapse{display:none}</style><div class=collapse><p>` + words + `</div>`, true},
		{"named by its control", `<button aria-controls=more>More</button><div id=more style="display:none"><p>` + words + `</div>`, true},
		{"found by searching", `<div hidden=until-found><p>` + words + `</div>`, true},
		{"details", `<details><summary>More</summary><p>` + words + `</details>`, true},
		{"details that are open", `<details open><summary>More</summary><p>` + words + `</details>`, false},
		{"streamed", `<div hidden id="S:0"><p>` + words + `</div>`, false},
		{"shown", `<div role=tabpanel><p>` + words + `</div>`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := HTML([]byte("<!doctype html><body><main><h1>Ferries</h1><p>"+words+"</p>"+c.html+"</main>"), Options{Whole: true})
			if err != nil {
				t.Fatal(err)
			}
			found, collapsed := false, false
			var walk func(blocks []page.Block, within bool)
			walk = func(blocks []page.Block, within bool) {
				for _, b := range blocks {
					in := within || b.Collapsed
					for _, s := range b.Inlines {
						if strings.Contains(s.Text, "Ferries wait") {
							found, collapsed = true, in // the last one
						}
					}
					walk(b.Children, in)
				}
			}
			walk(p.Blocks, false)
			if !found || collapsed != c.collapsed {
				t.Errorf("found %v, collapsed %v, want %v", found, collapsed, c.collapsed)
			}
		})
	}
}

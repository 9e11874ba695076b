package extract

import (
	"fmt"
	"strings"
	"testing"
)

// No row of a long list is lost.
func TestRowsOfLongList(t *testing.T) {
	for _, row := range []string{
		"<div><a href=/p%d>Berth number %[1]d.</a></div>",
		"<div><a href=/p%d>Berth number %[1]d.</a> by the quay at eight</div>",
		"<div>Berth number %d.</div>",
	} {
		rows := ""
		for i := range 80 {
			rows += fmt.Sprintf(row, i)
		}
		p, err := HTML([]byte("<html><body>"+rows+"</body></html>"), Options{URL: "https://harbour.example/"})
		text := allText(p.Blocks)
		for i := range 80 {
			if !strings.Contains(text, fmt.Sprintf("Berth number %d.", i)) {
				t.Errorf("%s: row %d is lost: %v", row, i, err)
			}
		}
	}
}

// No card is lost where the end tags of all of them are missing, however many there are.
func TestUnclosedCards(t *testing.T) {
	for _, n := range []int{10, 400, 1500} {
		cards := ""
		for i := range n {
			cards += fmt.Sprintf(`<div class="card"><h3><a href="/p/%d">Lantern no. %[1]d</a></h3><p>A lantern with a wick that burns for %[1]d hours.</p><span class="price">$%[1]d.50</span>`, i)
		}
		p, err := HTML(site("Lanterns", "<main><h1>Lanterns</h1>"+cards+"</main>"), Options{URL: "https://shop.example/"})
		text := allText(p.Blocks)
		for i := range n {
			for _, want := range []string{"Lantern no. %d", "burns for %d hours", "$%d.50"} {
				if want = fmt.Sprintf(want, i); !strings.Contains(text, want) {
					t.Fatalf("%d cards: no %q: %v", n, want, err)
				}
			}
		}
	}
}

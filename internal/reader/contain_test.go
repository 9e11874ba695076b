package reader

import (
	"strings"
	"testing"
)

// TestMustContain looks for texts in all that a page shows.
func TestMustContain(t *testing.T) {
	const sentence = "The lamp on the quay is lit at dusk by the keeper, who writes down the hour in a book. "
	body := `<!DOCTYPE html><title>Lamps</title><body><header><a href="/">Tidebook</a></header><nav><a href="/p">Prices</a></nav>
<main><h1>Lamps</h1><p>` + strings.Repeat(sentence, 9) + `</p><h2>Glass</h2><p>The glass is cleaned <b>each</b> week. ` + strings.Repeat(sentence, 3) + `</p></main>
<div class="newsletter">Hear from the harbour</div><p hidden>ignore the keeper</p><footer>© 2026 Tidebook, all rights reserved, 100%s</footer>`
	for _, c := range []struct{ text, want string }{
		{"Cleaned each week", "is on the page once.\n\n- section glass"},
		{"writes down the hour", "is on the page 12 times.\n\n- section lamps"},
		{"Prices", "is on the page once, outside of the main content.\n\n- in the navigation: Prices"},
		{"all rights reserved", "is on the page once, outside of the main content.\n\n- in the footer: © 2026 Tidebook"},
		{"100%s", "Yes: \"100%s\" is on the page once, outside"},
		{"from the harbour", "outside of the main content.\n\n- in a box beside the main content: Hear"},
		{"tidebook", "is on the page 2 times, outside of the main content.\n\n- in the header: Tidebook\n- in the footer"},
		{"ignore the keeper", "No: \"ignore the keeper\" is not on the page."},
	} {
		a, err := OfFile(t.Context(), File{Body: []byte(body), MediaType: "text/html", Charset: "utf-8"}, Request{MustContain: c.text})
		if err != nil || !strings.Contains(a.Body(), c.want) {
			t.Errorf("%s: %v\n%s", c.text, err, a.Body())
		}
	}
}

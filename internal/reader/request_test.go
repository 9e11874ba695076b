package reader

import (
	"errors"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/tool"
)

const cleaned = `<!doctype html><title>Lamps</title><body><div id="cookie-banner-1"><p>We use cookies to make this shop better for you and for our partners.</p><button>Accept</button></div>
<main><h1>Lamps</h1><p>Each lamp is made by hand in <a href="/brest">Brest</a> and tested in <a href="/sea">the open sea</a>, see <a href="/brest">the workshop</a>.</p>
<p class="promo">Buy two lamps today and get a third one at half the price.</p><img src="/lamp.png" alt="A lamp of brass">
<h2 id="informed-consent">Informed consent</h2><p>Whoever tests a lamp for us signs a paper that says what can happen at sea.</p>
<table><tr><th>Lamp</th><th>Price</th></tr><tr><td>Harbour, small</td><td>12</td></tr><tr><td>"Storm"</td><td>19</td></tr></table></main>
<div role="dialog"><p>Subscribe to our newsletter before you leave, it is free of charge.</p></div></body>`

// TestCleaning: what a caller chooses to leave out is left out, and nothing else.
func TestCleaning(t *testing.T) {
	r := serve(t, "text/html", cleaned, nil)
	for name, c := range map[string]struct {
		q        Request
		has, not []string
		message  string
	}{
		"exclude":    {q: Request{Exclude: []string{".promo", "table"}}, has: []string{"made by hand", "signs a paper"}, not: []string{"half the price", "Storm"}},
		"consent":    {q: Request{Whole: true, Remove: []string{"consent"}}, has: []string{"signs a paper", "half the price", "newsletter"}, not: []string{"We use cookies"}},
		"overlays":   {q: Request{Whole: true, Remove: []string{"overlays"}}, has: []string{"We use cookies", "half the price"}, not: []string{"newsletter"}},
		"links":      {q: Request{Remove: []string{"links"}}, has: []string{"made by hand in Brest and tested in the open sea"}, not: []string{"/brest", "]("}},
		"images":     {q: Request{Images: true, Remove: []string{"images"}}, has: []string{"made by hand"}, not: []string{"lamp.png", "A lamp of brass"}},
		"references": {q: Request{Links: "references"}, has: []string{"[Brest][1] and tested in [the open sea][2], see [the workshop][1].", "\n\n[1]: https://example.com/brest\n[2]: https://example.com/sea"}, not: []string{"]("}},
		"csv":        {q: Request{Mode: CSV}, has: []string{"Lamp,Price\n\"Harbour, small\",12\n\"\"\"Storm\"\"\",19"}, not: []string{"made"}},
		"body":       {q: Request{Exclude: []string{"html, body"}}, has: []string{"made by hand"}},
		"nothing":    {q: Request{Exclude: []string{".nothing"}}, has: []string{"made by hand"}},
		"bad":        {q: Request{Exclude: []string{"p["}}, message: "exclude"},
		"bad kind":   {q: Request{Remove: []string{"ads"}}, message: "remove"},
		"bad links":  {q: Request{Links: "none"}, message: "links"},
		"many":       {q: Request{Exclude: make([]string, 60)}, message: "exclude"},
		"with since": {q: Request{Exclude: []string{"p"}, Since: "x"}, message: "since"},
	} {
		t.Run(name, func(t *testing.T) {
			c.q.URL = mustURL(t, "https://example.com/lamps")
			a, err := r.Read(t.Context(), c.q)
			if c.message != "" {
				var e *tool.Error
				if !errors.As(err, &e) || e.Type != tool.InvalidInput || !strings.Contains(e.Message, c.message) || e.Hint == "" {
					t.Fatalf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := a.Body()
			for _, s := range c.has {
				if !strings.Contains(got, s) {
					t.Errorf("%q is not in\n%s", s, got)
				}
			}
			for _, s := range c.not {
				if strings.Contains(got, s) {
					t.Errorf("%q is in\n%s", s, got)
				}
			}
		})
	}
}

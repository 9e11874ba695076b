package extract

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// TestJudged: where a browser has judged a page, its word counts and not the sheets',
// except in what a control shows.
func TestJudged(t *testing.T) {
	filler := strings.Repeat("<p>The ferry leaves the north quay at six and comes back at nine, and in the fog it waits.</p>", 8)
	hidden := func(s string) string { return text.OwnMark(1, s) }
	for _, c := range []struct {
		name, body string
		want       string // what comes after the filler
		removed    bool
	}{
		{name: "seen, whatever a sheet says", body: `<p style="display:none">words</p>`, want: "words"},
		{name: "not seen, whatever a sheet says", body: "<p>" + hidden("words") + "</p>", removed: true},
		{name: "a part of a text", body: "<p>one " + hidden("two") + " three</p>", want: "one three", removed: true},
		{name: "behind a button", body: `<button>More</button><div><p>` + hidden("words") + `</p><p style="display:none">` + hidden("never") + "</p></div>",
			want: "More\n\n(collapsed)\n\nwords", removed: true},
		{name: "behind a button that nobody sees", body: "<button>" + hidden("More") + "</button><div><p>" + hidden("words") + "</p></div>", removed: true},
		{name: "in details", body: "<details><summary>More</summary><p>" + hidden("words") + "</p></details>", want: "**More** (collapsed)\n\nwords"},
		{name: "a picture", body: `<p>one</p><p><img src=x alt="` + hidden("words") + `"></p>`, want: "one", removed: true},
		{name: "a picture that a script may show", body: `<script>s</script><p>one</p><p><img src=x alt=words style="opacity:0"></p>`, want: "one\n\n[image: words]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := HTML([]byte("<!doctype html><title>Ferries</title><body>"+filler+c.body), Options{URL: "https://example.com/", Judged: true, Whole: true})
			if err != nil {
				t.Fatal(err)
			}
			all := markdown.Blocks(p.Blocks, markdown.Options{})
			got := strings.TrimSpace(all[strings.LastIndex(all, "it waits.")+len("it waits."):])
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if n := p.Omitted(page.HiddenDisplay); (n > 0) != c.removed {
				t.Errorf("%d parts are removed", n)
			}
			if !p.Judged {
				t.Error("not judged")
			}
		})
	}
}

// TestCanvas: a page whose content a script draws on a canvas is not complete, and one with a text
// beside its canvas is.
func TestCanvas(t *testing.T) {
	for _, c := range []struct {
		words int
		want  page.Verdict
	}{{2, page.Thin}, {60, page.Complete}} {
		body := "<!doctype html><title>Fleet</title><h1>Fleet</h1><p>" + strings.Repeat("boats ", c.words) + "</p><canvas width=900 height=500></canvas><script>s</script>"
		p, err := HTML([]byte(body), Options{URL: "https://example.com/", Judged: true, Whole: true})
		if err != nil || p.Verdict != c.want {
			t.Errorf("%d words: %v %v", c.words, p.Verdict, err)
		}
	}
}

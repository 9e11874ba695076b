package extract

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// TestOmitted: what counts of the blocks that are not in the content.
func TestOmitted(t *testing.T) {
	const (
		lamp = "The lamp on the quay is lit at dusk by the keeper who writes down the hour in a book each day. "
		lost = "Drop this part, in which somebody tells at length how the new lens was carried up the stairs."
	)
	list := func(n int, item string) string { return "<ul>" + strings.Repeat("<li>"+item+"</li>", n) + "</ul>" }
	for _, c := range []struct {
		name, rest    string
		words, blocks int
		verdict       page.Verdict
	}{
		{"a paragraph", "<p>" + lost + "</p>", 18, 1, page.Complete},
		{"a tenth of the page", strings.Repeat("<section><h2>Drop</h2><p>"+lost+"</p></section>", 3), 54, 3, page.Partial},
		{"the page's navigation", "<nav><p>" + lost + "</p></nav><div role=navigation><p>" + lost + "</p></div>", 0, 0, page.Complete},
		{"the page's header and footer", "<header><p>" + lost + "</p></header><footer><p>" + lost + "</p></footer><div role=contentinfo>" + lost + "</div>", 0, 0, page.Complete},
		{"a footer by its class", `<div class="page-footer"><p>` + lost + `</p></div>`, 0, 0, page.Complete},
		{"content in a box that is called a footer", `<div class="footer"><p>` + lamp + `</p><p>` + lost + `</p></div>`, 18, 1, page.Complete},
		{"an article's header and footer", "<article><header><p>" + lost + "</p></header><footer><p>" + lost + "</p></footer></article>", 36, 2, page.Partial},
		{"repeated boxes", `<div class="c-cookie-bar"><p>` + lost + `</p></div><div id="newsletter"><p>` + lost + `</p></div><div class="share"><p>` + lost + `</p></div><div role="dialog">` + lost + `</div>`, 0, 0, page.Complete},
		{"names that only contain such a word", `<div class="shared-memory-adapter"><p>` + lost + `</p></div>`, 18, 1, page.Complete},
		{"a sidebar of text", "<aside><p>" + lost + "</p><p>" + lost + "</p></aside>", 36, 2, page.Partial},
		{"a list of links", list(9, `<a href="/x">Drop by here</a>`), 0, 0, page.Complete},
		{"a list of teasers", list(9, `<a href="/x">Drop by here</a> Drop more of the story in a few words`), 0, 0, page.Complete},
		{"a text with links", "<p>" + lost + ` Drop <a href="/x">one</a>, <a href="/y">two</a>.</p>`, 21, 1, page.Complete},
		{"anchors are no links", `<a id="x"><p>` + lost + "</p></a>", 18, 1, page.Complete},
		{"code behind a prompt", `<pre><span class="ad">Drop</span> the lamp of the quay</pre>`, 6, 1, page.Complete},
		{"labels", strings.Repeat("<p>Drop: 4 posts</p><p>Drop 31</p>", 3), 0, 0, page.Complete},
		{"buttons", "<button>" + lost + "</button>", 0, 0, page.Complete},
		{"a quotation from the content", "<aside>Drop the lamp</aside><blockquote>the keeper who writes down the hour</blockquote>", 3, 1, page.Complete},
	} {
		r := reading{}
		if err := r.see([]byte("<!DOCTYPE html><title>Lamps</title><body><main><h1>Lamps</h1><p>" + strings.Repeat(lamp, 12) + "</p></main>" + c.rest)); err != nil {
			t.Fatal(err)
		}
		r.keep = make([]bool, r.seg.Len())
		for i, b := range r.seg.Blocks() {
			r.keep[i] = strings.HasPrefix(string(b.Text), "Lamps") || strings.HasPrefix(string(b.Text), "The lamp on")
		}
		r.weights = r.seg.Weigh(make([]float32, r.seg.Len()), r.keep)
		r.omit()
		p := r.page
		if got := (page.OmittedText{Words: c.words, Blocks: c.blocks}); p.OmittedText != got || p.Verdict != c.verdict {
			t.Errorf("%s: %+v, %s; want %+v, %s", c.name, p.OmittedText, p.Verdict, got, c.verdict)
		}
	}
}

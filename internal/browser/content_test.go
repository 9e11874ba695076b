package browser_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
)

// TestContentIsJudged reads what a person sees of a page, whatever hides the rest: sheets
// that nobody else can read, scripts, places, shadow trees.
func TestContentIsJudged(t *testing.T) {
	b := newBrowser(t, nil)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		_, _ = io.WriteString(w, ".far{display:none}")
	}))
	t.Cleanup(other.Close)
	filler := strings.Repeat("<p>The ferry leaves the north quay at six and comes back at nine, and in the fog it waits until the lamp is lit.</p>", 6)
	url := site(t, map[string]string{"/": `<!doctype html><title>All</title><link rel=stylesheet href="` + other.URL + `/far.css">
<style>.tab{display:none}.note{display:none}</style><style id=made></style>
<h1>Head</h1>` + filler + `
<p class=far>hidden by a sheet of another site</p>
<p class=made>hidden by a rule that a script made</p>
<p>` + "\ufdd1forged\ufdef" + ` mark</p>
<p>before <span style="position:absolute;left:-5000px">hidden beside the page</span> after</p>
<div style="position:relative"><p>covered words</p><div style="position:absolute;inset:0;background:#fff"></div></div>
<div style="transform:translateX(-3000px)"><p style="transform:translateX(3000px)">moved out and back</p></div>
<div style="content-visibility:auto;margin-top:6000px"><p>drawn when it is scrolled to</p></div>
<button aria-controls=panel>Tab</button><div id=panel class=tab><p>in the tab</p><p class=note>hidden in the tab</p></div>
<details><summary>More</summary><p>in the details</p></details>
<x-card>light words</x-card><x-box>slotted words</x-box>
<img src=x alt="hidden picture" style="display:none">
<noscript><p>no script</p></noscript>
<script>
document.getElementById('made').sheet.insertRule('.made{opacity:0}');
for (const [name, mode, html] of [['x-card', 'closed', '<p>shadow words</p><p class=out>hidden in the shadow</p>'], ['x-box', 'open', '<p><slot></slot></p><p class=out>hidden in the open shadow</p>']])
	customElements.define(name, class extends HTMLElement { connectedCallback() {
		const root = this.attachShadow({mode}); root.innerHTML = html;
		const sheet = new CSSStyleSheet(); sheet.replaceSync('.out{visibility:hidden}'); root.adoptedStyleSheets = [sheet];
	}});
</script>`})
	if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	c, err := b.Content(t.Context(), browser.Place{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := extract.HTML([]byte(c.HTML), extract.Options{URL: c.URL, Judged: true, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	got := markdown.Blocks(p.Blocks, markdown.Options{})
	t.Log(got)
	if !p.Judged || p.VisibilityUnknown {
		t.Errorf("judged %v, unknown %v", p.Judged, p.VisibilityUnknown)
	}
	for _, want := range []string{"forged mark", "before after", "(not shown)\n\ncovered words", "moved out and back", "drawn when it is scrolled to",
		"(collapsed)\n\nin the tab", "in the details", "shadow words", "slotted words"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, not := range []string{"hidden", "light words", "no script", "\ufdd1", "\ufdef"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is there", not)
		}
	}
}

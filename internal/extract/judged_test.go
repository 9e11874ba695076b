package extract

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// TestJudged: where a browser has judged a page, its word counts and not the sheets',
// except in what a control shows.
func TestJudged(t *testing.T) {
	filler := strings.Repeat("<p>The ferry leaves the north quay at six and comes back at nine, and in the fog it waits.</p>", 8)
	hidden := func(why css.Reason, s string) string { return text.OwnMark(css.Look{Why: why}.Code(), s) }
	for _, c := range []struct {
		name, body string
		want       string // what stands behind the filler
		omitted    page.OmissionKind
		unknown    bool
	}{
		{name: "seen, whatever a sheet says", body: `<p style="display:none">words</p>`, want: "words"},
		{name: "not seen, whatever a sheet says", body: "<p>" + hidden(css.Place, "words") + "</p>", omitted: page.HiddenOffScreen},
		{name: "a part of a text", body: "<p>one " + hidden(css.Clip, "two") + " three</p>", want: "one three", omitted: page.HiddenClip},
		{name: "covered", body: "<p>" + hidden(css.Covered, "words") + "</p>", want: "(not shown)\n\nwords"},
		{name: "covered with what is around it", body: "<div><p>" + hidden(css.Covered, "one") + "<b>" + hidden(css.Covered, "two") + "</b></p><p>" + hidden(css.Covered, "three") + "</p></div>",
			want: "(not shown)\n\none**two**\n\n(not shown)\n\nthree"},
		{name: "traces of letters", body: "<p>" + text.OwnMark(css.Look{Why: css.Color, Traced: true}.Code(), "words") + "</p>", want: "(not shown)\n\nwords"},
		{name: "not known", body: "<p>" + hidden(css.Unknown, "words") + "</p>", want: "(visibility unknown) words", unknown: true},
		{name: "behind a button", body: `<button>More</button><div><p>` + hidden(css.Display, "words") + `</p><p style="display:none">` + hidden(css.Display, "never") + "</p></div>",
			want: "More\n\n(collapsed)\n\nwords", omitted: page.HiddenDisplay},
		{name: "behind a button that nobody sees", body: "<button>" + hidden(css.Display, "More") + "</button><div><p>" + hidden(css.Display, "words") + "</p></div>", omitted: page.HiddenDisplay},
		{name: "in details", body: "<details><summary>More</summary><p>" + hidden(css.Display, "words") + "</p></details>", want: "**More** (collapsed)\n\nwords"},
		{name: "not laid out yet", body: "<div><p>" + hidden(css.Skipped, "words") + `</p><p hidden>` + hidden(css.Skipped, "never") + "</p></div>", want: "words", omitted: page.HiddenDisplay},
		{name: "a picture", body: `<p>one</p><p><img src=x alt="` + hidden(css.Display, "words") + `"></p>`, want: "one", omitted: page.HiddenDisplay},
		{name: "a picture that a rule hides", body: `<p>one</p><p><img src=x alt=words style="opacity:0"></p>`, want: "one", omitted: page.HiddenOpacity},
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
			if n := p.Omitted(c.omitted); c.omitted != "" && n == 0 {
				t.Errorf("no omission of kind %v", c.omitted)
			}
			if !p.Judged || p.VisibilityUnknown != c.unknown {
				t.Errorf("judged %v, unknown %v", p.Judged, p.VisibilityUnknown)
			}
		})
	}
}

package blocks

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// filler makes a page long: on a short one nearly everything is kept.
var filler = "<main><p>" + strings.Repeat("the ferry leaves the quay at dawn ", 40) + "</p></main>"

// choose runs one pass over the blocks of a page. p has a digit for each block in front of the
// filler: its probability in tenths. The result has "+" for each block that is kept.
func choose(t *testing.T, html, p string, pass func(*Segmentation, []float32) []bool) string {
	t.Helper()
	doc, err := dom.Parse([]byte(html+filler), &page.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	seg := Segment(nil, doc, &page.Page{})
	if len(seg.blocks) != len(p)+1 {
		t.Fatalf("%s: %d blocks", html, len(seg.blocks)-1)
	}
	prob := make([]float32, len(seg.blocks))
	for i := range p {
		prob[i] = float32(p[i]-'0') / 10
	}
	prob[len(p)] = 1
	got := ""
	for _, k := range pass(seg, prob)[:len(p)] {
		got += map[bool]string{true: "+", false: "-"}[k]
	}
	return got
}

func TestMainRegion(t *testing.T) {
	const (
		table = "<table><tr><th>Year</th><th>Team</th></tr><tr><td>2001</td><td>Pilots</td></tr></table>"
		text  = "<p>The lamp on the pier was lit at nine and burned until the boats came home again.</p>"
		links = "<ul><li><a href=/1>Which of the ferries is the fastest of all</a><li><a href=/2>Where the ferries to the islands start</a><li><a href=/3>How to get to the harbour by train</a></ul>"
	)
	for _, c := range []struct{ name, html, p, want string }{
		{"short lines between content stay", "<div>" + text + "<p>Kept: 1893</p>" + text + "</div>", "919", "+++"},
		{"a long improbable text between content goes", "<div>" + text + "<p>" + strings.Repeat("accept our cookies ", 20) + "</p>" + text + "</div>", "909", "+-+"},
		{"a list of links between content goes as one", "<div>" + text + links + text + "</div>", "90009", "+---+"},
		{"a nav element of few words goes", "<div>" + text + "<nav><a href=/>Back to the list of piers</a></nav>" + text + "</div>", "909", "+-+"},
		{"a note in an article stays", "<main>" + text + "<aside>The glass of it is hot</aside>" + text + "</main>", "919", "+++"},
		{"text in the main element stays where it may be content", "<main>" + text + "<div><p>" + strings.Repeat("a reader may want this ", 10) + "</p></div>" + text + "</main>", "919", "+++"},
		{"elsewhere it goes", "<div>" + text + "<div><p>" + strings.Repeat("a reader may want this ", 10) + "</p></div>" + text + "</div>", "919", "+-+"},
		{"comments in it go", "<main>" + text + "<div class=comments><p>" + strings.Repeat("a reader may want this ", 10) + "</p></div>" + text + "</main>", "919", "+-+"},
		{"an aside beside it goes", "<div>" + text + "<aside>The glass of it is hot</aside>" + text + "</div>", "919", "+-+"},
		{"code in content stays whatever its score", "<div>" + text + "<pre>lamp --reset --pier=4</pre>" + text + "</div>", "909", "+++"},
		{"a table has one label", "<div>" + text + table + text + "</div>", "990009", "++++++"},
		{"improbable text alone is not content", "<aside>" + links + "</aside>", "111", "---"},
		{"a probable text outside of the main part is content", "<div>" + links + "</div><div>" + text + text + "</div>", "00099", "---++"},
	} {
		got := choose(t, c.html, c.p, func(seg *Segmentation, p []float32) []bool {
			keep, _ := seg.mainRegion(p, false)
			return keep
		})
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What kept text points at is kept with it, and its heading. "9" is kept.
func TestClose(t *testing.T) {
	linked := func(seg *Segmentation, keep []bool) { seg.keepLinked(keep) }
	headings := func(seg *Segmentation, keep []bool) { seg.keepHeadings(keep) }
	copies := func(seg *Segmentation, keep []bool) { seg.dropCopies(keep) }
	const (
		note  = "<p>The lamp was lit<a href=#n1>1</a> at nine.</p>"
		prose = "The lamp on the pier was lit at nine and burned until the boats came home again in the morning with the tide."
	)
	for _, c := range []struct {
		name    string
		pass    func(*Segmentation, []bool)
		html, p string
		want    string
	}{
		{"the text of a footnote", linked, note + "<div><p>Share this</p><ol><li id=n1>Log of 1893.</ol></div>", "900", "+-+"},
		{"the text of a footnote with an anchor in it", linked, note + "<div><p>Share this</p><p><a name=n1 href=#r1>1</a> Log of 1893.</p></div>", "900", "+-+"},
		{"not what a contents link leads to", linked, "<p><a href=#n1>Notes</a></p><p id=n1>Log of 1893.</p>", "90", "+-"},
		{"not a whole section", linked, note + "<section id=n1><p>" + strings.Repeat(prose, 20) + "</p></section>", "90", "+-"},
		{"the code that a sentence announces", linked, "<p>Run this:</p><pre>lamp --reset</pre><p>More</p>", "900", "++-"},
		{"the list that a sentence announces", linked, "<p>You need:</p><ul><li>a lamp<li>oil</ul>", "900", "+++"},
		{"not the text after another sentence", linked, "<p>Run this.</p><pre>lamp --reset</pre>", "90", "+-"},
		{"the heading of a text", headings, "<section><h2>Lamps</h2><p>By Ann</p><p>" + prose + "</p></section>", "009", "+-+"},
		{"not the heading of another section", headings, "<div><div><div><div><section><h2>Lamps</h2><p>By Ann</p></section></div></div></div></div><p>" + prose + "</p>", "009", "--+"},
		{"the summary of details", headings, "<details><summary>How long</summary><p>Six hours</p></details>", "09", "++"},
		{"a second copy of prose goes", copies, "<div><p>" + prose + "</p></div><aside><p>" + prose + "</p></aside>", "99", "+-"},
		{"a refrain stays", copies, "<div><p>" + prose + "</p><p>" + prose + "</p></div>", "99", "++"},
		{"the same text of two terms stays", copies, "<dl><dt>flash<dd><p>" + prose + "</p></dl><dl><dt>dim<dd><p>" + prose + "</p></dl>", "9999", "++++"},
		{"code that repeats stays", copies, "<div><pre>" + prose + "</pre></div><aside><pre>" + prose + "</pre></aside>", "99", "++"},
	} {
		got := choose(t, c.html, c.p, func(seg *Segmentation, p []float32) []bool {
			keep := make([]bool, len(p))
			for i := range p {
				keep[i] = p[i] > .5
			}
			c.pass(seg, keep)
			return keep
		})
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

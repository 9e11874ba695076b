package blocks

import (
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// A table of which enough is chosen is kept whole: a row without some of its cells says
// something false. "+" is a chosen block.
func TestCompleteUnits(t *testing.T) {
	const (
		header = "<table><tr><th>Year</th><th>Team</th></tr><tr><td>2001</td><td>Pilots</td></tr><tr><td>2002</td><td>Tugs</td></tr></table>"
		layout = "<table><tr><td>Year</td><td>Team</td></tr><tr><td>2001</td><td>Pilots</td></tr><tr><td>2002</td><td>Tugs</td></tr></table>"
	)
	for _, c := range []struct{ name, html, was, want string }{
		{"a third of a table with a header", header, "+-+---", "++++++"},
		{"a sixth of it", header, "-----+", "-----+"},
		{"a third of a layout", layout, "+-+---", "+-+---"},
		{"half of a layout", layout, "+-+-+-", "++++++"},
		{"code between text", "<p>Install it:</p><pre>pip install chart</pre><p>Then run it.</p>", "+-+", "+++"},
		{"code in boxes of its own", "<p>Install it:</p><div><div><pre>pip install chart</pre></div></div><p>Then run it.</p>", "+-+", "+++"},
		{"code behind text", "<section><p>Install it:</p><div><pre>pip install chart</pre></div></section><p>Then run it.</p>", "+-+", "+-+"},
	} {
		if got := chosen(t, c.html, c.was, completeUnits); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// chosen is the choice of blocks, "+" for each chosen one, after a step; was is that before it.
func chosen(t *testing.T, html, was string, step func(*Segmentation, []bool)) string {
	t.Helper()
	doc, err := dom.Parse([]byte(html), &page.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	seg := Segment(nil, doc, &page.Page{})
	if len(seg.blocks) != len(was) {
		t.Fatalf("%s: %d blocks", html, len(seg.blocks))
	}
	keep := make([]bool, len(was))
	for i := range keep {
		keep[i] = was[i] == '+'
	}
	step(seg, keep)
	got := ""
	for _, k := range keep {
		got += map[bool]string{true: "+", false: "-"}[k]
	}
	return got
}

// The label of links that are left out goes with them: the text behind them is not its own.
func TestDropBareLabels(t *testing.T) {
	const (
		links = "<ul><li><a href=/1>Which ferry is the fastest?</a><li><a href=/2>Ferries to the islands</a></ul>"
		text  = "<p>The ferry left the quay at dawn.</p>"
	)
	for _, c := range []struct{ name, html, was, want string }{
		{"a heading in a box of links", text + "<div><h4>Read also</h4>" + links + "</div>" + text, "++--+", "+---+"},
		{"links that are kept", text + "<div><h4>Read also</h4>" + links + "</div>" + text, "+++++", "+++++"},
		{"a heading in the text", text + "<h4>Read also</h4>" + links + text, "++--+", "++--+"},
		{"a section with a contents list", "<section><h2>Ferries</h2>" + links + text + "</section>", "+--+", "+--+"},
		{"the main heading", "<div><h1>Ferries</h1>" + links + "</div>" + text, "+--+", "+--+"},
		{"a button for the heading", "<div><h4>Ferries</h4><a href=/edit>Edit this section of the page</a></div>" + text, "+-+", "+-+"},
		{"a line with a colon", text + "<p>See also:</p>" + links + text, "++--+", "+---+"},
		{"a sentence with a colon", text + "<p>The harbour office has counted the passengers and says which ferry is the fastest:</p>" + links + text, "++--+", "++--+"},
		{"a question", text + "<p>Which one?</p>" + links + text, "++--+", "++--+"},
	} {
		if got := chosen(t, c.html, c.was, dropBareLabels); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Cards that lead to other pages are left out behind an article, and not where there is none.
func TestDropLinkedCards(t *testing.T) {
	const (
		text  = "<p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the sea.</p>"
		cards = "<div class=card><h3><a href=/1>Ferries</a></h3><p>Of the harbour</p></div><div class=card><h3><a href=/2>Tugs</a></h3><p>Of the mole</p></div><div class=card><h3><a href=/3>Pilots</a></h3><p>Of the coast</p></div>"
	)
	step := func(seg *Segmentation, keep []bool) {
		keepRecords(seg, keep, Choices{})
		dropLinkedCards(seg, keep)
	}
	for _, c := range []struct{ name, html, was, want string }{
		{"behind text", text + cards, "+++++++", "+------"},
		{"without text", cards, "++++++", "++++++"},
	} {
		if got := chosen(t, c.html, c.was, step); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Of two parts with the same texts the second is left out, if nothing else stands between them.
func TestDropTwins(t *testing.T) {
	const (
		line  = "<p>Take the lines in before dawn.</p>"
		prose = "<p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the sea.</p>"
	)
	long := prose + prose + line
	for _, c := range []struct{ name, html, was, want string }{
		{"for wide and for narrow screens", "<div class=desktop>" + line + "</div><div class=mobile>" + line + "</div>", "++", "+-"},
		{"the first one is not chosen", "<div class=desktop>" + line + "</div><div class=mobile>" + line + "</div>", "-+", "-+"},
		{"behind other text", "<div class=desktop>" + line + "</div><p>Ferries</p><div class=mobile>" + line + "</div>", "+++", "+++"},
		{"in boxes of their own", "<div><div>" + long + "</div></div><section><div>" + long + "</div></section>", "++++++", "+++---"},
		{"under other words", "<p>Pier A</p><div class=a>" + long + "</div><p>Pier B</p><div class=b>" + long + "</div>", "++++++++", "++++++++"},
		{"under other headings", "<h2>Pier A</h2><div class=a>" + line + "</div><h2>Pier B</h2><div class=b>" + line + "</div>", "++++", "++++"},
		{"with their headings", "<div class=wide><h2>Pier A</h2>" + long + "</div><div class=narrow><h2>Pier A</h2>" + long + "</div>", "++++++++", "++++----"},
		{"other texts", "<div class=desktop>" + line + "</div><div class=mobile><p>Close the valve below the sink.</p></div>", "++", "++"},
		{"a refrain", "<p class=stanza>The grey rope sang.</p><p class='stanza first'>Row me home before the tide</p><p class=stanza>The gulls went round.</p><p class='stanza last'>Row me home before the tide</p>", "++++", "++++"},
		{"a refrain that is sung twice", "<p class='chorus first'>Row me home before the tide</p><p class='chorus last'>Row me home before the tide</p>", "++", "++"},
		{"steps", "<ol><li class=a>Knead the dough for ten minutes.</li><li class=b>Rest.</li><li class=c>Knead the dough for ten minutes.</li></ol>", "+++", "+++"},
		{"reviews", "<div class=odd><p>Works exactly as it is described!</p></div><div class=even><p>Works exactly as it is described!</p></div>", "++", "++"},
		{"answers", "<dl><dt>A dog?</dt><dd class=a>Yes, without any extra charge.</dd><dt>A bicycle?</dt><dd class=b>Yes, without any extra charge.</dd></dl>", "++++", "++++"},
	} {
		if got := chosen(t, c.html, c.was, dropTwins); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Texts in several parts of a page are copies where all that stands between them is repeated.
func TestDropRepeats(t *testing.T) {
	const (
		a = "<div><p>The ferry left the quay at dawn and followed the coast.</p></div>"
		b = "<section><p>Nobody on deck spoke while the pilot counted the buoys.</p></section>"
	)
	for _, c := range []struct{ name, html, was, want string }{
		{"one text", a + a, "++", "+-"},
		{"a row of texts", a + b + a + b, "++++", "++--"},
		{"the end of a row is not repeated", a + b + a, "+++", "+++"},
		{"three times", a + b + a + b + a + b, "++++++", "++----"},
		{"clauses", "<p>1. Of the berth</p>" + a + "<p>2. Of the shed</p>" + a, "++++", "++++"},
		{"between texts that are not chosen", a + "<p>Share</p>" + a + "<p>Close</p>", "+-+-", "+---"},
		{"for narrow screens", a + b + "<div class=mobile>" + a + "</div>", "+++", "++-"},
	} {
		if got := chosen(t, c.html, c.was, dropRepeats); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

package blocks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// Uniform siblings are chosen or left out together, except where the model is
// sure of one. Each case has the probabilities of its blocks and the choice
// before and after, "+" for a chosen block.
func TestSiblings(t *testing.T) {
	links := func(n int) (s string) {
		for i := range n {
			s += fmt.Sprintf("<li><a href=/%d>Thing %d</a></li>", i, i)
		}
		return "<ul>" + s + "</ul>"
	}
	card := "<div class=card><h3>Cleat</h3><span><div>12 €</div></span></div>"
	prose := "<p>" + strings.Repeat("The ferry left the quay at dawn. ", 4) + "</p>"
	for _, c := range []struct {
		name, html string
		p          []float32
		was, want  string
	}{
		{"the first is added", links(5), []float32{.6, .8, .9, .9, .8}, "-++++", "+++++"},
		{"the last is added", links(5), []float32{.8, .9, .9, .8, .5}, "++++-", "+++++"},
		{"strong evidence against", links(5), []float32{.1, .8, .9, .9, .8}, "-++++", "-++++"},
		{"few are dropped", links(6), []float32{.5, .2, .2, .2, .2, .2}, "+-----", "------"},
		{"strong evidence for", links(6), []float32{.9, .2, .2, .2, .2, .2}, "+-----", "+-----"},
		{"no majority", links(4), []float32{.6, .6, .4, .4}, "++--", "++--"},
		{"two are no run", links(2), []float32{.6, .4}, "+-", "+-"},
		{"parts of cards", strings.Repeat(card, 3), []float32{.9, .4, .9, .6, .9, .6}, "+-++++", "++++++"},
		{"parts of other kinds", strings.Repeat(card, 3), []float32{.9, .1, .9, .1, .9, .1}, "+-+-+-", "+-+-+-"},
		{"paragraphs", strings.Repeat(prose, 4), []float32{.6, .9, .9, .9}, "-+++", "-+++"},
		{"links and texts", "<ul><li>One</li><li>Two</li><li>Three</li><li><a href=/>All</a></li></ul>", []float32{.9, .9, .9, .6}, "+++-", "+++-"},
	} {
		doc, err := dom.Parse([]byte(c.html), &page.Page{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		seg := Segment(nil, doc, &page.Page{})
		if len(seg.blocks) != len(c.p) {
			t.Fatalf("%s: %d blocks", c.name, len(seg.blocks))
		}
		keep := make([]bool, len(c.p))
		for i := range keep {
			keep[i] = c.was[i] == '+'
		}
		keepSiblings(seg, seg.facts.rep, c.p, keep)
		got := ""
		for _, k := range keep {
			got += map[bool]string{true: "+", false: "-"}[k]
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

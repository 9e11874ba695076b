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
	} {
		doc, err := dom.Parse([]byte(c.html), &page.Page{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		seg := Segment(nil, doc, "", &page.Page{})
		if len(seg.blocks) != len(c.was) {
			t.Fatalf("%s: %d blocks", c.name, len(seg.blocks))
		}
		keep := make([]bool, len(c.was))
		for i := range keep {
			keep[i] = c.was[i] == '+'
		}
		completeUnits(seg, keep)
		got := ""
		for _, k := range keep {
			got += map[bool]string{true: "+", false: "-"}[k]
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

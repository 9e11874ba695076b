package blocks

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// A row of features depends on the page and the index of its block only: in any
// order, and again, it is the same.
// Fixed bugs: a row counted in the group of its block, so that the second one
// differed.
func TestRowsAreRepeatable(t *testing.T) {
	html := "<title>Ferries</title><main><h1>Ferries</h1>" +
		strings.Repeat("<section><h2>Part</h2><p class=text>The ferry left the quay at dawn and followed the coast for an hour.</p><ul><li><a href=/a>One</a><li>Two</ul></section>", 5) + "</main>"
	doc, err := dom.Parse([]byte(html), &page.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	seg := Segment(nil, doc, &page.Page{})
	names, first := FeatureNames(), seg.Rows()
	if len(first) < 15 {
		t.Fatalf("%d blocks", len(first))
	}
	for i := len(first) - 1; i >= 0; i-- {
		r := row{}
		seg.facts.blockRow(&r, seg, i)
		if len(r.v) != len(names) {
			t.Fatalf("block %d has %d features, want %d", i, len(r.v), len(names))
		}
		for k, v := range r.v {
			if math.Float32bits(v) != math.Float32bits(first[i][k]) {
				t.Errorf("block %d: %s is %v, was %v", i, names[k], v, first[i][k])
			}
		}
	}
}

// The features of a page's type are shares and means by words, whatever blocks the words are in.
func TestTypeRowIsByWords(t *testing.T) {
	doc, err := dom.Parse([]byte("<body><main><p>One two three.<p>Four five six.</main><nav><a href=/a>Seven eight nine ten eleven twelve thirteen</a></nav>"), &page.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names, row := TypeNames(), Segment(nil, doc, &page.Page{}).TypeRow()
	if len(row) != len(names) {
		t.Fatalf("%d features, %d names", len(row), len(names))
	}
	for name, want := range map[string]float32{"pg_nb": 3, "ty_a_main": .5, "ty_a_nav": .5, "ty_a_form": 0, "ty_ld": .5} {
		if got := row[slices.Index(names, name)]; math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

package meaning

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestVectors(t *testing.T) {
	a, b := Quantize([]float32{1, 0, .5}), Quantize([]float32{2, 0, 1})
	if s := Similarity(a, b); s < .999 {
		t.Errorf("the same direction: %v", s)
	}
	if s := Similarity(a, Quantize([]float32{0, 3, 0})); s != 0 {
		t.Errorf("another direction: %v", s)
	}
	for _, v := range [][]float32{nil, {0, 0}, {float32(math.NaN())}, {float32(math.Inf(1))}} {
		if q := Quantize(v); Similarity(q, q) != 0 {
			t.Errorf("%v is a direction", v)
		}
	}
	got := Decode(Encode([]Vector{a, nil, b}))
	if len(got) != 3 || !slices.Equal(got[0], a) || Similarity(got[1], a) != 0 || !slices.Equal(got[2], b) {
		t.Errorf("%v", got)
	}
}

func TestChunks(t *testing.T) {
	md := "# One\n\nA text.\n\n## Two\n\n" + strings.Repeat("A sentence of some words.\n\n", 100) + strings.Repeat("| row | cell |\n", 300)
	at := 0
	for _, c := range Chunks(md) {
		if c.From != at || c.To-c.From > 2*chunkBytes {
			t.Errorf("a chunk from %d to %d after %d", c.From, c.To, at)
		}
		at = c.To
	}
	if at != len(md) || len(Chunks(strings.Repeat(md, 100))) != maxChunks || Chunks("") != nil {
		t.Errorf("%d of %d bytes", at, len(md))
	}
}

// TestOutstanding: what stands out is found whatever the usual similarity is; where all are
// alike, nothing is.
func TestOutstanding(t *testing.T) {
	for _, c := range []struct {
		near []float64
		want []int
	}{
		{[]float64{.1, .12, .09, .4, .11, .1}, []int{3}},
		{[]float64{.7, .71, .9, .7, .72, .69, .7}, []int{2}},
		{[]float64{.71, .74, .72, .93, .75, .73}, []int{3}}, // as with E5
		{[]float64{.42, .48, .45, .78, .5, .44}, []int{3}},  // as with BGE v1.5
		{[]float64{.08, .1, .05, .44, .12, .07}, []int{3}},  // as with text-embedding-3-large
		{[]float64{.2, .6}, nil},                            // too few to say
		{[]float64{0, 0, 0, 0, 0, 0}, nil},
	} {
		if got := Outstanding(c.near); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.near, got, c.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Encode([]Vector{{1, 2}}))
	f.Fuzz(func(t *testing.T, b []byte) { Near(Vector{1, 2}, Decode(b)) })
}

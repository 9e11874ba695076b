package dom

import (
	"slices"
	"testing"
)

func TestFinder(t *testing.T) {
	f := NewFinder("user", "us", "aser", "/u/", "©x", "user-name")
	for _, c := range []struct {
		s    string
		want []int
	}{
		{"", nil},
		{"u", nil},
		{"us", []int{1}},
		{"a user", []int{0, 1}},
		{"user-name", []int{0, 1, 5}},
		{"laser", []int{2}},
		{"/u/us/u/", []int{1, 3}},
		{"US use", []int{1}},
		{"5s Us", nil}, // as the texts in the low bits only
		{"©x ©", []int{4}},
	} {
		var got []int
		f.Each(c.s, func(k int) bool { got = append(got, k); return true })
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("%q holds %v, want %v", c.s, got, c.want)
		}
		if in := f.In(c.s); in != (c.want != nil) {
			t.Errorf("%q: %v", c.s, in)
		}
	}
}

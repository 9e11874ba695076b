package blocks

import "testing"

// Fixed bug: a block outside of nav elements was said to be in one, because the distance
// to no element is the largest one and not 0.
func TestPhraseOf(t *testing.T) {
	near, none := row{}, row{}
	markRow(&near, &marks{markNav: 2, markArticle: 1, firstGroup + groupPrice: 2}, 2)
	markRow(&none, &marks{}, 2)
	for _, c := range []struct {
		mark        int
		where, away string
	}{
		{markNav, "that it is in a nav element", "that it is outside of nav elements"},
		{markArticle, "that it is in an article element", "that it is outside of article elements"},
		{firstGroup + groupPrice, "that something around it is called price", "that nothing around it is called price"},
	} {
		for _, w := range []struct {
			r    *row
			want string
		}{{&near, c.where}, {&none, c.away}} {
			if got := phraseOf(markNames[c.mark], w.r.v[c.mark]); got != w.want {
				t.Errorf("%s %v: got %q, want %q", markNames[c.mark], w.r.v[c.mark], got, w.want)
			}
		}
	}
}

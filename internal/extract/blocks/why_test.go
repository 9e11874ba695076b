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

// Fixed bug: a block without an amount of money was said to be kept or dropped for one, and
// the main heading for its distance from itself.
func TestPhraseOfNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		value float32
		want  string
	}{
		{"money", 0, "that it has no amounts of money"},
		{"money", 1, "amounts of money"},
		{"hidden", 0, "that it is not hidden"},
		{"titr", 0, "that it has no words of the title"},
		{"titr", .5, "words of the title"},
		{"h1d", 0, "that it is the main heading"},
		{"h1d", 7, "its distance from the main heading"},
		{"h1w", nan, "that the page has no main heading"},
		{"hdl", nan, "that no heading stands above it"},
	} {
		if got := phraseOf(c.name, c.value); got != c.want {
			t.Errorf("%s %v: got %q, want %q", c.name, c.value, got, c.want)
		}
	}
}

package reader

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// FuzzCompare: a text is equal to itself, and what was added to it is found.
func FuzzCompare(f *testing.F) {
	f.Add("# a\n\nb\n\n- c\n- d", "# a\n\nb b\n\n- d\n- c")
	f.Add("| a | b |\n| --- | --- |\n| c | d |", "```\na\n```")
	f.Add("a\n\na\n\na", "a\n\na")
	f.Fuzz(func(t *testing.T, before, after string) {
		before, after = text.WithoutControls(before), text.WithoutControls(after)
		if d := Compare(before, before); len(d) > 0 {
			t.Fatalf("a text differs from itself: %q", d)
		}
		old := texts(before, units(before, true))
		var news []string
		for _, c := range Compare(before, after) {
			if c.Old != "" && !slices.Contains(old, c.Old) {
				t.Fatalf("%q was not there", c.Old)
			}
			news = append(news, c.New)
		}
		for _, s := range texts(after, units(after, true)) {
			if !slices.Contains(old, s) && !slices.Contains(news, s) {
				t.Fatalf("%q is missing among the changes", s)
			}
		}
	})
}

// FuzzStored: the words and excerpts of any stored page come without a panic, and an
// excerpt is a part of the page.
func FuzzStored(f *testing.F) {
	f.Add("# a_b\n\n*c* [d](e) `f_g`\n\n| h | i |\n| --- | --- |\n| j | k |", "c f_g")
	f.Add("日本語。日本語", "本")
	f.Fuzz(func(t *testing.T, md, query string) {
		md = text.WithoutControls(strings.ToValidUTF8(md, ""))
		s := NewStored("https://example.com/", "1", md)
		Words(md, func([]byte, bool) {})
		n := utf8.RuneCountInString(md)
		for _, p := range s.Excerpts(query, 3) {
			if p.Start < 0 || p.End > n || p.Start > p.End {
				t.Fatalf("from %d to %d of %d", p.Start, p.End, n)
			}
		}
	})
}

package text

import (
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"short", 5, "short"},
		{"", 0, ""},
		{"a", 0, ""},
		{"shorter", 5, "shor…"},
		{"one two three", 9, "one two…"},
		{"one two three", 8, "one two…"},
		{"one, two, three", 10, "one, two…"},
		{"abcdefgh ij", 5, "abcd…"},
		{"a bcdefghij", 6, "a bcd…"}, // a word that would leave less than half
		{"日本語日本語", 4, "日本語…"},
		{"日本語", 3, "日本語"},
		{"abe\u0301f", 4, "ab…"}, // not between a letter and its accent
		{"abc👩\u200d💻x", 6, "abc…"},
		{england + "ab", 3, "…"},
	} {
		if got := Cut(c.s, c.n); got != c.want {
			t.Errorf("Cut(%+q, %d) = %+q, want %+q", c.s, c.n, got, c.want)
		}
	}
}

func TestCutBytes(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"short", 5, "short"},
		{"shorter", 6, "sho…"},
		{"shorter", 2, ""},
		{"日本語日本語", 11, "日本…"},
		{"https://example.com/a/very/long/path", 20, "https://example.c…"},
	} {
		got := CutBytes(c.s, c.n)
		if got != c.want {
			t.Errorf("CutBytes(%+q, %d) = %+q, want %+q", c.s, c.n, got, c.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("one two three", 9)
	f.Add(england+scotland, 8)
	f.Add("e\u0301\u0301\u0301", 2)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if !utf8.ValidString(s) {
			return
		}
		n = max(n, 0)
		for name, got := range map[string]string{"Cut": Cut(s, n), "CutBytes": CutBytes(s, n)} {
			long := name == "Cut" && utf8.RuneCountInString(got) > n || name == "CutBytes" && len(got) > n
			if long || !utf8.ValidString(got) {
				t.Fatalf("%s(%+q, %d) = %+q", name, s, n, got)
			}
		}
	})
}

package text

import (
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		noun string
		want string
	}{
		{0, "line", "0 lines"}, {-1, "point", "-1 point"}, {-2, "point", "-2 points"}, {1, "line", "1 line"}, {2, "line", "2 lines"},
		{1, "reply", "1 reply"}, {3, "reply", "3 replies"}, {2, "day", "2 days"},
		{1, "more changed line", "1 more changed line"}, {7, "more page", "7 more pages"},
		{2, "address", "2 addresses"}, {2, "match", "2 matches"}, {2, "box", "2 boxes"},
	} {
		if got := Count(c.n, c.noun); got != c.want {
			t.Errorf("Count(%d, %q) = %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -999: "-999", -1000: "-1,000"} {
		if got := Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a": 1, "abcdefgh": 2, "four bytes a token": 5, "日本語": 3, "ab日": 2, "äöü": 2} {
		if got := Tokens(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

func BenchmarkTokens(b *testing.B) {
	s := strings.Repeat("Some words, äöü and 日本語. ", 20_000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Tokens(s)
	}
}

package tool

import (
	"slices"
	"strings"
)

// maxNameLength is the longest name, in bytes, that Nearest compares.
const maxNameLength = 64

// Nearest returns the candidate that is most similar to name, or "" when none
// is similar. It ignores case, "-", "_" and ".". Two names are similar when a
// few edits (insert, delete, replace, swap of neighbours) turn one into the
// other, when they have the same words in another order, or when one is a word
// of the other. Of equally similar candidates the first wins.
func Nearest(name string, candidates []string) string {
	if name == "" || len(name) > maxNameLength {
		return ""
	}
	want := normalize(name)
	best, bestDistance := "", max(len(want)/3+1, min(len(want), 2))
	for _, c := range candidates {
		if d := distance(want, normalize(c)); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	if best != "" {
		return best
	}
	for _, same := range []func(a, b string) bool{sameWords, sharesWord} {
		for _, c := range candidates {
			if same(name, c) {
				return c
			}
		}
	}
	return ""
}

// sameWords reports whether two names have the same words in another order.
func sameWords(a, b string) bool {
	words := func(s string) []string { return slices.Sorted(strings.SplitSeq(snake(s), "_")) }
	return slices.Equal(words(a), words(b))
}

// normalize removes separators and lowers the case.
func normalize(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == '_' || r == '.' || r == ' ':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// snake writes maxResults, max-results and MaxResults as max_results.
func snake(s string) string {
	var b strings.Builder
	lower := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			if lower {
				b.WriteByte('_')
			}
			b.WriteByte(c + 'a' - 'A')
			lower = false
		case c == '-' || c == '.':
			b.WriteByte('_')
			lower = false
		default:
			b.WriteByte(c)
			lower = c != '_'
		}
	}
	return b.String()
}

// sharesWord reports whether one name has three letters or more and is a whole
// word of the other.
func sharesWord(a, b string) bool {
	a, b = snake(a), snake(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 3 && strings.Contains("_"+b+"_", "_"+a+"_")
}

// distance is the optimal string alignment distance of two short strings.
func distance(a, b string) int {
	if len(a) > maxNameLength || len(b) > maxNameLength {
		return maxNameLength
	}
	var before, last, row [maxNameLength + 1]int
	for j := range row[:len(b)+1] {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

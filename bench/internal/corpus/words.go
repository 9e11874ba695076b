package corpus

import (
	"strings"
	"unicode"
)

// Kept is the share of true words that a page without loss keeps.
const Kept = .9

// Quality has what the words of a text share with those of the truth, as multisets.
type Quality struct{ F1, Precision, Recall float64 }

// Compare compares a text with the truth.
func Compare(text, truth string) Quality {
	count := map[string]int{}
	got, want, common := 0, 0, 0
	for _, w := range wordsOf(text) {
		count[w]++
		got++
	}
	for _, w := range wordsOf(truth) {
		want++
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	if got == 0 && want == 0 {
		return Quality{1, 1, 1}
	}
	q := Quality{Recall: 1} // without a truth nothing is lost
	if c := float64(common); want > 0 {
		q = Quality{2 * c / float64(got+want), c / max(float64(got), 1), c / float64(want)}
	}
	return q
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_')
	})
}

package text

import (
	"strconv"
	"strings"
)

// Count writes a number of things in English: "1 line", "2 lines". The noun is in the
// singular, and may have words before it: "more page". Messages are worded so that no
// verb depends on the number.
func Count(n int, noun string) string {
	s := strconv.Itoa(n) + " "
	if n == 1 || n == -1 {
		return s + noun
	}
	return s + plural(noun)
}

// Grouped writes a number with its thousands apart: 1,103.
func Grouped[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func plural(noun string) string {
	for _, end := range [...]string{"s", "x", "ch", "sh"} {
		if strings.HasSuffix(noun, end) {
			return noun + "es"
		}
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && stem != "" && !strings.ContainsAny(stem[len(stem)-1:], "aeiou") {
		return stem + "ies"
	}
	return noun + "s"
}

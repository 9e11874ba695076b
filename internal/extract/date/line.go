package date

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// withoutLeads removes the words before a date.
func withoutLeads(s string) string {
	for again := true; again; {
		again = false
		for _, lead := range known().leads {
			if len(s) > len(lead) && strings.EqualFold(s[:len(lead)], lead) {
				s, again = strings.TrimSpace(s[len(lead):]), true
			}
		}
	}
	return s
}

// Shown parses a date with the words before it, such as "Published".
func Shown(line string, monthFirst bool) string { return Parse(withoutLeads(line), monthFirst) }

// Day is Shown for a page whose language is not known.
func Day(line string) string { return Shown(line, true) }

// IsDate reports whether a line is a date and nothing else but the words before
// it, such as "Published", and the time of day behind it.
func IsDate(line string) bool { return HasDigit(line) && IsPlain(line) && Day(line) != "" }

// separators part a date from what is behind it.
var separators = [...]string{" | ", " · ", " • ", " - ", " – ", " — "}

// IsPlain reports whether a text has the words and numbers of a date and no others before
// the first separator.
func IsPlain(s string) bool {
	s = western(withoutLeads(s))
	for _, sep := range separators {
		s, _, _ = strings.Cut(s, sep)
	}
	year := false
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(" ,()", r) }) {
		w = strings.ToLower(strings.Trim(w, ".:|·•-"))
		switch {
		case w == "" || Month(w) > 0 || IsWeekday(w) || isTimeWord(w):
		case isDigit(w[0]):
			year = year || len(w) >= len("2006")
		default:
			return false
		}
	}
	return year
}

// In reads the dates of publication and of the last change in a line, the first of
// each: "May 3, 2025 | Updated June 1, 2025".
func In(line string, monthFirst bool) (published, modified string) {
	for line != "" {
		part := line[:partEnd(line)]
		line = strings.TrimLeft(line[len(part):], " |·•")
		switch d := Shown(part, monthFirst); {
		case d == "":
		case SaysChanged(part):
			if modified == "" {
				modified = d
			}
		case published == "" && !IsPeriod(part):
			published = d
		}
	}
	return published, modified
}

// partEnd returns where the part of a line with its first date ends: at a separator or at
// the words of a change behind a digit.
func partEnd(line string) int {
	from := strings.IndexFunc(line, isDigitOfAny)
	if from < 0 {
		return len(line)
	}
	for i := from; i < len(line); i++ {
		switch line[i] {
		case ' ', ',', '(', ';':
			if SaysChanged(line[i+1:]) || slices.ContainsFunc(separators[:3], func(sep string) bool { return strings.HasPrefix(line[i:], sep) }) {
				return max(i, 1)
			}
		}
	}
	return len(line)
}

// maxChangeWords is how many words may be before those that call a date one of a
// change: "This page was last updated on".
const maxChangeWords = 4

// SaysChanged reports whether the words before the first number of a text call the
// date behind them one of a change.
func SaysChanged(s string) bool {
	if i := strings.IndexFunc(s, unicode.IsDigit); i >= 0 {
		s = s[:i]
	}
	s = strings.ToLower(strings.TrimSpace(s))
	if changeSigns().In(s) {
		return true
	}
	for range maxChangeWords + 1 {
		if slices.ContainsFunc(known().changes, func(w string) bool { return beginsWithWords(s, w) }) {
			return true
		}
		_, rest, ok := strings.Cut(s, " ")
		if !ok {
			break
		}
		s = rest
	}
	return false
}

// beginsWithWords reports whether a text begins with words, the last of which may be
// longer only by a sign.
func beginsWithWords(s, words string) bool {
	rest, ok := strings.CutPrefix(s, words)
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLetter(r)
}

// IsPeriod reports whether a text is about when something begins, ends or lasts: it
// has one of the words for it before its first number, or is two days of two years.
func IsPeriod(s string) bool {
	if from, to, ok := strings.Cut(s, " – "); ok {
		from, to = Parse(from, true), Parse(to, true)
		if from != "" && to != "" && from[:len("2006")] != to[:len("2006")] {
			return true
		}
	}
	if i := strings.IndexFunc(s, isDigitOfAny); i >= 0 {
		s = s[:i]
	}
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	for i := len(words) - 1; i >= 0; i-- {
		if known().from[words[i]] {
			return true
		}
		if !known().articles[words[i]] {
			break
		}
	}
	return slices.ContainsFunc(words, func(w string) bool { return known().periods[w] })
}

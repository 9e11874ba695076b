package classify

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file reads lines in which pages count their records: "1–25 of 250 results",
// "Showing 24 of 514", "Page 1 of 12". The words are in verdict.txt.

// A token is a word in lower case, a whole number, or a dash.
type token struct {
	word   string
	number int // -1: it is a word or a dash
}

const dash = "-"

// tokensOf cuts a line. A number with decimals, an ordinal or a part of a name is a word.
func tokensOf(line string) (out []token) {
	line = strings.ToLower(line)
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		switch {
		case r == '-' || r == '–' || r == '—' || r == '−' || r == '/':
			out = append(out, token{dash, -1})
			if r == '/' {
				out[len(out)-1].word = "/"
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			j := i
			for j < len(line) {
				r, n := utf8.DecodeRuneInString(line[j:])
				inner := (r == '.' || r == ',' || r == '\'') && j+1 < len(line) && isDigit(line[j+1]) && isDigit(line[j-1])
				if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !inner {
					break
				}
				j += n
			}
			t := token{line[i:j], -1}
			if isDigit(line[i]) {
				t.number = wholeNumber(line[i:j])
			}
			out = append(out, t)
			i = j
			continue
		}
		i += n
	}
	return out
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// wholeNumber reads digits with separators of thousands; -1 for anything else.
func wholeNumber(s string) int {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '.' || r == '\'' })
	for i, p := range parts {
		if i > 0 && len(p) != 3 || len(p) > 9 {
			return -1
		}
	}
	n, err := strconv.Atoi(strings.Join(parts, ""))
	if err != nil || n > 1_000_000_000 {
		return -1
	}
	return n
}

// counter reads a line. With strict, it needs a word that says what is counted. Where
// the page lists things, it may count pages.
func (d *verdicts) counter(line string, strict, lists bool) (page.Sign, bool) {
	t := tokensOf(line)
	for i := range t {
		if t[i].number < 0 || i+2 >= len(t) {
			continue
		}
		first, last, k := t[i].number, t[i].number, i
		ranged := i+4 < len(t) && (t[i+1].word == dash || slices.Contains(d.lists["partial to"], t[i+1].word)) && t[i+2].number > first
		if ranged {
			last, k = t[i+2].number, i+2
		}
		paged := i > 0 && slices.Contains(d.lists["partial page"], t[i-1].word)
		of := k + 1
		if t[of].word == "out" && of+1 < len(t) {
			of++
		}
		if !slices.Contains(d.lists["partial of"], t[of].word) && !(paged && t[of].word == "/") {
			continue
		}
		total := of + 1
		for total < len(t) && t[total].number < 0 && slices.Contains(d.lists["partial about"], t[total].word) {
			total++
		}
		if total >= len(t) || t[total].number <= last || first < 1 {
			continue
		}
		s := page.Sign{Kind: page.MissingRecords, From: first, To: last, Of: t[total].number, Noun: d.nounIn(t[total+1 : min(len(t), total+3)])}
		if s.Noun == "" {
			s.Noun = d.nounIn(t[:i])
		}
		if paged {
			s.Kind, s.Noun = page.MissingPages, ""
			return s, lists
		}
		if !ranged {
			s.From = 0
		}
		named := s.Noun != "" || slices.ContainsFunc(t, func(t token) bool { return slices.Contains(d.lists["partial shown"], t.word) })
		if named || ranged && !strict {
			return s, true
		}
	}
	return page.Sign{}, false
}

// nounIn returns the first word for records.
func (d *verdicts) nounIn(t []token) string {
	for _, t := range t {
		if slices.Contains(d.lists["partial noun"], t.word) {
			return t.word
		}
	}
	return ""
}

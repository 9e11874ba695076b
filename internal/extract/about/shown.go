package about

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
)

// shown is the text of a page, in the forms in which facts are looked up.
type shown struct {
	text  string // in lower case
	plain string
	// priced are the amounts that have cents or a currency beside them, numbers are
	// all; nil until one is looked up, because articles have none among their facts.
	priced, numbers map[amount]bool
}

func newShown(page []byte) *shown {
	s := &shown{text: strings.ToLower(string(page[:min(len(page), maxShown)]))}
	s.plain = dom.PlainWords(s.text)
	return s
}

// words reports whether the page shows a text.
func (s *shown) words(value string) bool {
	w := dom.PlainWords(value)
	return w != "" && dom.HoldsWords(s.plain, w)
}

// all reports whether the page shows each of some texts.
func (s *shown) all(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { return !s.words(v) })
}

// price reports whether the page shows an amount of money.
func (s *shown) price(a amount) bool {
	s.noteNumbers()
	return s.priced[a]
}

// number reports whether the page shows a number, or it rounded to a tenth.
func (s *shown) number(a amount) bool {
	s.noteNumbers()
	return s.numbers[a] || a%tenth != 0 && s.numbers[(a+tenth/2)/tenth*tenth]
}

// date reports whether the page shows a day (2006-01-02): its year, and within a few
// words the number of the day beside its month, in digits or letters.
func (s *shown) date(day string) bool {
	year, rest, _ := strings.Cut(day, "-")
	month, number, _ := strings.Cut(strings.ReplaceAll("-"+rest, "-0", "-")[1:], "-")
	for at := 0; ; {
		i := strings.Index(s.text[at:], year)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(year)
		hasDay, hasMonth := false, false
		around := s.text[max(0, i-aroundYear):i] + " " + s.text[at:min(len(s.text), at+aroundYear)]
		for part := range strings.FieldsFuncSeq(around, isNotWord) {
			digits := strings.TrimLeft(part, "0")
			letters := strings.TrimLeft(digits, "0123456789") // 3rd, 5月
			switch digits = digits[:len(digits)-len(letters)]; {
			case digits == number && !hasDay:
				hasDay = true
			case digits == month, digits == "" && len(letters) > 2:
				hasMonth = true
			}
			hasMonth = hasMonth || digits == month && utf8.RuneCountInString(letters) == 1
		}
		if hasDay && (hasMonth || number == month) {
			return true
		}
	}
}

func isNotWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// noteNumbers notes the numbers of the text, once.
func (s *shown) noteNumbers() {
	if s.numbers != nil {
		return
	}
	s.priced, s.numbers = map[amount]bool{}, map[amount]bool{}
	for i := 0; i < len(s.text); {
		if c := s.text[i]; c < '0' || c > '9' {
			i++
			continue
		}
		i = s.noteNumber(i)
	}
}

// noteNumber notes the number at i, and returns where it ends. Groups of digits belong
// to it that one of . , ' or a space separates; a space does before three digits, or
// before two that are cents by their place: "$39 99".
func (s *shown) noteNumber(i int) int {
	note := func(end int) {
		if a, ok := parseAmount(s.text[i:end]); ok {
			s.numbers[a] = true
			if s.hasCents(i, end) || s.besideCurrency(i, end) {
				s.priced[a] = true
			}
		}
	}
	end := i + countDigits(s.text[i:])
	for note(end); end-i < 2*maxDigits; note(end) {
		size := separatorAt(s.text, end)
		n := countDigits(s.text[end+size:])
		if size == 0 || n == 0 {
			break
		}
		if isSpaceAt(s.text, end) && n != thousand {
			if n == 2 && (s.besideCurrency(i, end) || s.besideCurrency(i, end+size+n)) {
				if a, ok := parseAmount(s.text[i:end] + "." + s.text[end+size:end+size+n]); ok {
					s.priced[a], s.numbers[a] = true, true
				}
			}
			break
		}
		end += size + n
	}
	return end
}

// separatorAt is the length of a separator of digits at i, 0 for none.
func separatorAt(s string, i int) int {
	switch r, size := utf8.DecodeRuneInString(s[i:]); r {
	case '.', ',', '\'', '’', ' ', '\u00a0', '\u202f', '\u2009':
		return size
	}
	return 0
}

func isSpaceAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r == ' ' || r == '\u00a0' || r == '\u202f' || r == '\u2009'
}

// hasCents reports whether a number ends in two digits after a point or comma.
func (s *shown) hasCents(from, to int) bool {
	n := to - from
	return n > 3 && (s.text[to-3] == '.' || s.text[to-3] == ',')
}

// besideCurrency reports whether a currency, or a dash for no cents, is next to a number.
func (s *shown) besideCurrency(from, to int) bool {
	before := strings.TrimRight(s.text[max(0, from-aroundPrice/2):from], " \u00a0\u202f")
	after := strings.TrimLeft(s.text[to:min(len(s.text), to+aroundPrice/2)], " \u00a0\u202f")
	if r, _ := utf8.DecodeLastRuneInString(before); unicode.Is(unicode.Sc, r) {
		return true
	}
	if r, _ := utf8.DecodeRuneInString(after); unicode.Is(unicode.Sc, r) {
		return true
	}
	for _, dash := range [...]string{"-", "–", "—"} { // 99,- and 25.–
		if len(after) > 1 && (after[0] == ',' || after[0] == '.') && strings.HasPrefix(after[1:], dash) {
			return true
		}
	}
	for _, c := range phrases()["currencies"] {
		if rest, ok := strings.CutPrefix(after, c); ok && !startsWithLetter(rest) {
			return true
		}
		if rest, ok := strings.CutSuffix(before, c); ok {
			if r, _ := utf8.DecodeLastRuneInString(rest); !unicode.IsLetter(r) {
				return true
			}
		}
	}
	return false
}

func startsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

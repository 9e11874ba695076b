package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wanted is what a question asks for by its kind.
type wanted uint8

const (
	anything wanted = iota
	anAmount
	aDate
)

// amountWords and dateWords are the beginnings of questions for them.
var (
	amountWords = [...]string{"how much", "price", "cost", "how expensive", "fee", "wie viel kost", "preis", "kostet", "combien", "prix", "cuánto cuesta", "precio", "quanto costa", "prezzo", "hoeveel kost"}
	dateWords   = [...]string{"when", "what date", "which date", "what day", "what year", "which year", "wann", "quand", "cuándo", "quando", "wanneer", "deadline", "release date"}
)

// wantedBy says what a query asks for.
func wantedBy(query string) wanted {
	q := " " + strings.ToLower(query) + " "
	has := func(list []string) bool {
		for _, w := range list {
			i := strings.Index(q, " "+w)
			if i < 0 {
				continue
			}
			rest := q[i+1+len(w):]
			if w == "how much" && !asksForMoney(rest) {
				continue
			}
			if r, _ := utf8.DecodeRuneInString(rest); !unicode.IsLetter(r) || strings.HasPrefix(rest, "s ") {
				return true
			}
		}
		return false
	}
	switch {
	case has(amountWords[:]):
		return anAmount
	case has(dateWords[:]):
		return aDate
	}
	return anything
}

// asksForMoney reports whether what follows "how much" makes it a question for an amount of
// money, and not of a thing, as in "how much memory".
func asksForMoney(rest string) bool {
	next, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	switch strings.TrimRight(next, "?") {
	case "", "is", "are", "was", "were", "does", "do", "did", "will", "would", "should", "can", "must", "for", "to", "the", "a", "an", "money", "i", "you", "we", "per":
		return true
	}
	return false
}

// in reports whether a text has what is asked for.
func (w wanted) in(s string) bool {
	switch w {
	case anAmount:
		return hasAmount(s)
	case aDate:
		return hasDate(s)
	}
	return false
}

func hasDigit(s string) bool {
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			return true
		}
	}
	return false
}

// hasAmount reports whether a text has a number next to a currency, for example "€ 12".
func hasAmount(s string) bool {
	if !hasDigit(s) {
		return false
	}
	for i, r := range s {
		if r != '$' && (r < utf8.RuneSelf || !unicode.Is(unicode.Sc, r)) {
			continue
		}
		after := strings.TrimLeft(s[i+utf8.RuneLen(r):], " \u00a0\u202f\\")
		before := strings.TrimRight(s[:i], " \u00a0\u202f")
		if after != "" && after[0] >= '0' && after[0] <= '9' || before != "" && before[len(before)-1] >= '0' && before[len(before)-1] <= '9' {
			return true
		}
	}
	lower := strings.ToLower(s)
	for _, c := range [...]string{"usd", "eur", "gbp", "chf", " kr", " zł", "kč"} {
		if i := strings.Index(lower, c); i >= 0 && strings.ContainsAny(lower[max(0, i-6):min(len(lower), i+len(c)+6)], "0123456789") {
			return true
		}
	}
	return false
}

// months are the beginnings of the names of months in English.
const months = "jan feb mar apr may jun jul aug sep oct nov dec"

// hasDate reports whether a text has a year, or a month beside a number.
func hasDate(s string) bool {
	if !hasDigit(s) {
		return false
	}
	number, month := false, false // of the word before
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) == 4 && strings.Trim(w, "0123456789") == "" && (w[:2] == "18" || w[:2] == "19" || w[:2] == "20") {
			return true
		}
		day, name := len(w) <= 4 && w[0] >= '0' && w[0] <= '9', isMonth(w)
		if name && number || day && month {
			return true
		}
		number, month = day, name
	}
	return false
}

// isMonth reports whether a word is a month, or begins as one.
func isMonth(w string) bool {
	return len(w) >= 3 && len(w) <= 9 && w[0] >= 'A' && w[0] <= 'Z' && strings.Contains(months, strings.ToLower(w[:3]))
}

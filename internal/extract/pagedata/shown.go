package pagedata

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/result"
)

// shown is the text of a page, in the forms in which facts are looked up.
type shown struct {
	text  string // in lower case
	plain string
	// priced are the amounts that have cents or a currency beside them, numbers are
	// all; nil until one is looked up, because articles have none among their facts.
	priced, numbers map[amount]bool
}

// mostShown bounds the text that facts are looked up in, in bytes.
const mostShown = 2 << 20

func newShown(page []byte) *shown {
	s := &shown{text: strings.ToLower(string(page[:min(len(page), mostShown)]))}
	s.plain = dom.PlainWords(s.text)
	return s
}

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
// before two that are cents by their place.
func (s *shown) noteNumber(i int) int {
	digits := func(at int) int {
		n := 0
		for at+n < len(s.text) && s.text[at+n] >= '0' && s.text[at+n] <= '9' {
			n++
		}
		return n
	}
	end := i + digits(i)
	note := func(end int) {
		if a, ok := parseAmount(s.text[i:end]); ok {
			s.numbers[a] = true
			if (s.hasCents(i, end) || s.besideCurrency(i, end)) && !s.isFormer(i) {
				s.priced[a] = true
			}
		}
	}
	note(end)
	for end < len(s.text) && end-i < 24 {
		size := separatorAt(s.text, end)
		n := digits(end + size)
		if size == 0 || n == 0 {
			break
		}
		if isSpaceAt(s.text, end) {
			if n == 2 && s.besideCurrency(i, end+size+n) { // 39 99: the cents stand raised
				if a, ok := parseAmount(s.text[i:end] + "." + s.text[end+size:end+size+n]); ok {
					s.priced[a], s.numbers[a] = true, true
				}
			}
			if n != 3 {
				break
			}
		}
		end += size + n
		note(end)
	}
	return end
}

// formerWords stand before a price that is not asked any more, or was not asked here.
var formerWords = [...]string{"was", "rrp", "msrp", "list price", "regular price", "original price", "originally", "instead of", "statt", "uvp", "au lieu de", "prix conseillé",
	"antes", "precio anterior", "invece di", "anziché", "prezzo di listino", "adviesprijs", "zamiast", "вместо"}

// isFormer reports whether one of formerWords stands before the number at i.
func (s *shown) isFormer(i int) bool {
	before := strings.TrimRightFunc(s.text[max(0, i-32):i], func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) || r == ':' })
	return slices.ContainsFunc(formerWords[:], func(w string) bool {
		rest, ok := strings.CutSuffix(before, w)
		r, _ := utf8.DecodeLastRuneInString(rest)
		return ok && !unicode.IsLetter(r)
	})
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
	return n >= 4 && (s.text[to-3] == '.' || s.text[to-3] == ',')
}

// currencies are the abbreviations that stand beside amounts.
var currencies = [...]string{"usd", "eur", "gbp", "chf", "cad", "aud", "nzd", "jpy", "cny", "inr", "sek", "nok", "dkk", "pln", "czk", "huf", "ron", "try", "brl", "mxn", "zar",
	"isk", "hkd", "sgd", "krw", "thb", "vnd", "idr", "myr", "php", "aed", "sar", "ils", "uah", "rub", "bgn", "đ", "บาท", "лв", "дин",
	"kr", "zł", "kč", "ft", "lei", "fr", "rs", "tl", "r", "rm", "rp", "руб", "грн", "円", "元", "원"}

// besideCurrency reports whether a currency, or a dash for no cents, stands beside a number.
func (s *shown) besideCurrency(from, to int) bool {
	before := strings.TrimRight(s.text[max(0, from-8):from], " \u00a0\u202f")
	after := strings.TrimLeft(s.text[to:min(len(s.text), to+10)], " \u00a0\u202f")
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
	for _, c := range currencies {
		if rest, ok := strings.CutPrefix(after, c); ok && !beginsWithLetter(rest) {
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

func beginsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

// words reports whether the page shows a text.
func (s *shown) words(value string) bool {
	w := dom.PlainWords(value)
	return w != "" && dom.HoldsWords(s.plain, w)
}

// affirms reports whether the page shows a phrase beside which no word says the opposite, or
// that it will be so later or is so almost: "nicht auf Lager", "in stock: no", "in stock soon".
func (s *shown) affirms(phrase string) bool { return s.says(phrase, affirmed) }

// denies reports whether the page shows a phrase that the words beside it negate.
func (s *shown) denies(phrase string) bool { return s.says(phrase, negated) }

func (s *shown) says(phrase string, want stance) bool {
	w := dom.PlainWords(phrase)
	for at := 0; ; {
		i := strings.Index(s.plain[at:], w)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(w)
		if dom.HoldsWords(s.plain[max(0, i-1):min(len(s.plain), at+1)], w) &&
			stanceOf(s.plain[max(0, i-24):i], s.plain[at:min(len(s.plain), at+12)]) == want {
			return true
		}
	}
}

// stance is what the words beside a phrase make of it.
type stance int

const (
	affirmed stance = iota
	negated
	deferred // it will be so, or is so almost
)

// negations are words that say that what follows is not so, answers what says it behind;
// only is what makes a negation one of something else ("not only"), and deferrals say that it
// is not yet so.
var (
	negations = [...]string{"not", "no", "never", "isnt", "arent", "nicht", "kein", "keine", "nie", "pas", "plus", "nest", "non", "ne", "jamais", "nunca", "niet", "geen", "nooit", "não", "nao", "ya", "ej", "inte", "slut", "aldrig", "ikke", "není", "neni", "не", "нет"}
	answers   = [...]string{"no", "nein", "non", "nee", "não", "nej", "nie", "нет", "0", "false"}
	only      = [...]string{"only", "just", "nur", "seulement", "sólo", "solo", "soltanto", "alleen", "apenas", "bara", "kun", "только"}
	deferrals = [...]string{"soon", "back", "again", "next", "when", "once", "almost", "nearly", "bald", "wieder", "sobald", "demnächst", "fast", "ab", "bientôt", "nouveau", "presque", "pronto", "próximamente", "cuando", "casi",
		"presto", "quasi", "appena", "binnenkort", "weer", "zodra", "bijna", "breve", "quase", "quando", "snart", "nästan", "næsten", "nesten", "brzy", "скоро", "почти"}
)

// stanceOf looks at the two words before a phrase, the word behind it, and the character
// before it in scripts without spaces.
func stanceOf(before, after string) stance {
	if strings.HasSuffix(before, "没") || strings.HasSuffix(before, "沒") || strings.HasSuffix(before, "不") || strings.HasSuffix(before, "无") || strings.HasSuffix(before, "無") {
		return negated
	}
	out := affirmed
	words := strings.Fields(before)
	words = words[max(0, len(words)-2):]
	for i, w := range words {
		switch {
		case slices.Contains(negations[:], w):
			if i+1 == len(words) || !slices.Contains(only[:], words[i+1]) {
				return negated
			}
		case slices.Contains(deferrals[:], w):
			out = deferred
		}
	}
	if next := strings.Fields(after); len(next) > 0 && strings.HasPrefix(after, " ") {
		switch {
		case slices.Contains(answers[:], next[0]):
			return negated
		case slices.Contains(deferrals[:], next[0]):
			out = deferred
		}
	}
	return out
}

// PriceOf returns what tells whether a line shows the price among the facts of a page, nil
// if there is none.
func PriceOf(f *result.Facts) func(line []byte) bool {
	if f == nil {
		return nil
	}
	var prices []amount
	for _, fact := range f.Values {
		if fact.Name != "price" {
			continue
		}
		for word := range strings.FieldsSeq(fact.Value) { // "19.99 to 84.99 USD"
			if a, ok := parseAmount(word); ok {
				prices = append(prices, a)
			}
		}
	}
	if len(prices) == 0 {
		return nil
	}
	return func(line []byte) bool { return slices.ContainsFunc(prices, newShown(line).price) }
}

// price reports whether the page shows an amount of money.
func (s *shown) price(a amount) bool {
	s.noteNumbers()
	return s.priced[a]
}

// number reports whether the page shows a number, or it rounded to a tenth.
func (s *shown) number(a amount) bool {
	s.noteNumbers()
	return s.numbers[a] || a%10 != 0 && s.numbers[(a+5)/10*10]
}

// date reports whether the page shows a day (2006-01-02): its year, and beside it its
// day and its month, the latter in digits or letters.
func (s *shown) date(day string) bool {
	year, month, number := day[:4], strings.TrimPrefix(day[5:7], "0"), strings.TrimPrefix(day[8:], "0")
	for at := 0; ; {
		i := strings.Index(s.text[at:], year)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(year)
		hasDay, hasMonth := false, false
		around := s.text[max(0, i-24):i] + " " + s.text[at:min(len(s.text), at+12)]
		for part := range strings.FieldsFuncSeq(around, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			digits := strings.TrimLeft(part, "0")
			letters := strings.TrimLeft(digits, "0123456789") // 3rd, 5月
			digits = digits[:len(digits)-len(letters)]
			switch {
			case digits == number && !hasDay:
				hasDay = true
			case digits == month || digits == "" && len(letters) >= 3:
				hasMonth = true
			}
			if digits != "" && letters != "" && len([]rune(letters)) == 1 && digits == month {
				hasMonth = true
			}
		}
		if hasDay && (hasMonth || number == month) {
			return true
		}
	}
}

// clock reports whether the page shows a duration, in numbers or as 1:30:05.
func (s *shown) clock(parts []durationPart) bool {
	total := 0
	all := true
	for _, p := range parts {
		total += p.n * p.seconds
		all = all && s.number(amount(p.n)*100)
	}
	h, m, sec := total/3600, total/60%60, total%60
	two := func(n int) string { return strconv.Itoa(n/10) + strconv.Itoa(n%10) }
	short := strconv.Itoa(total/60) + ":" + two(sec)
	long := strconv.Itoa(h) + ":" + two(m) + ":" + two(sec)
	return strings.Contains(s.text, short) || strings.Contains(s.text, long) || all && len(parts) == 1
}

// amount is a number of hundredths.
type amount int64

// String writes an amount without a fraction where it has none.
func (a amount) String() string {
	whole, cents := strconv.FormatInt(int64(a)/100, 10), int64(a)%100
	if cents == 0 {
		return whole
	}
	return whole + "." + strconv.FormatInt(cents/10, 10) + strconv.FormatInt(cents%10, 10)
}

// short is String without a zero at the end of the fraction.
func (a amount) short() string {
	if s := a.String(); a%100 != 0 {
		return strings.TrimSuffix(s, "0")
	}
	return a.String()
}

// parseAmount reads a number in hundredths.
func parseAmount(s string) (amount, bool) {
	whole, fraction, ok := splitNumber(s)
	if !ok || len(whole) > 14 {
		return 0, false
	}
	var n amount
	for _, c := range []byte(whole) {
		n = 10*n + amount(c-'0')
	}
	n *= 100
	for i, c := range []byte(fraction) {
		switch {
		case i == 0:
			n += 10 * amount(c-'0')
		case i == 1:
			n += amount(c - '0')
		case i == 2 && c >= '5':
			n++
		}
	}
	return n, true
}

// wholeNumber reads a count: digits, perhaps with separators of thousands.
func wholeNumber(s string) (amount, bool) {
	s = strings.TrimSpace(s)
	if strings.ContainsFunc(s, func(r rune) bool { return (r < '0' || r > '9') && separatorAt(string(r), 0) == 0 }) {
		return 0, false
	}
	n, ok := parseAmount(s)
	return n, ok && n%100 == 0
}

// Number finds the first number in a text, in any of the usual spellings, and writes
// it as JSON does.
func Number(s string) (string, bool) {
	from := strings.IndexAny(s, "0123456789")
	if from < 0 {
		return "", false
	}
	to := from + 1
	for to < len(s) {
		size := 0
		if s[to] < '0' || s[to] > '9' {
			if size = separatorAt(s, to); size == 0 || to+size >= len(s) || s[to+size] < '0' || s[to+size] > '9' ||
				isSpaceAt(s, to) && !threeDigits(s[to+size:]) {
				break
			}
		}
		to += size + 1
	}
	whole, fraction, ok := splitNumber(s[from:to])
	if !ok {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if before := strings.TrimRightFunc(s[:from], func(r rune) bool { return r == ' ' || unicode.Is(unicode.Sc, r) }); strings.HasSuffix(before, "-") || strings.HasSuffix(before, "−") {
		if r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, "-−")); !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			whole = "-" + whole
		}
	}
	return whole, true
}

// threeDigits reports whether a text begins with three digits and no fourth.
func threeDigits(s string) bool {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n == 3
}

// splitNumber reads a number in any of the usual spellings: 1,299.00 and 1.299,00 and
// 1 299. The last point or comma is the decimal one where it is the only one of its
// kind, unless a group of at most three digits stands before it and exactly three
// behind it: then it separates thousands.
func splitNumber(s string) (whole, fraction string, ok bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if s == "" || len(s) > 24 {
		return "", "", false
	}
	if last := strings.LastIndexAny(s, ".,"); last >= 0 && strings.Count(s, s[last:last+1]) == 1 {
		after, other := s[last+1:], strings.ContainsAny(s[:last], ".,'’ ")
		if len(after) != 3 || other || last > 3 || s[0] == '0' {
			s, fraction = s[:last], after
		}
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(r)
		case separatorAt(string(r), 0) == 0:
			return "", "", false
		}
	}
	return b.String(), fraction, strings.Trim(fraction, "0123456789") == ""
}

// isoDate reads the beginning of an ISO 8601 date: its day, and the day with the
// minutes where it has a time other than midnight, and the zone that is stated.
func isoDate(s string) (day, full string) {
	s = strings.TrimSpace(s)
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return "", ""
	}
	for i, c := range []byte(s[:10]) {
		if i != 4 && i != 7 && (c < '0' || c > '9') {
			return "", ""
		}
	}
	day, full = s[:10], s[:10]
	if len(s) >= 16 && (s[10] == 'T' || s[10] == ' ') && s[13] == ':' {
		if clock := s[11:16]; clock != "00:00" && strings.Trim(clock, "0123456789:") == "" {
			full += " " + clock + zone(s[16:])
		}
	}
	return day, full
}

// zone is the zone behind the minutes of a time, as " UTC" or " +02:00"; "" for none.
func zone(s string) string {
	s = strings.TrimLeft(s, ":.0123456789")
	switch {
	case s == "Z", s == "z", s == "+00:00", s == "+0000":
		return " UTC"
	case (len(s) == 6 && s[3] == ':' || len(s) == 5) && (s[0] == '+' || s[0] == '-') && strings.Trim(s[1:], "0123456789:") == "":
		return " " + s
	}
	return ""
}

// durationPart is a part of a duration, for example 30 min.
type durationPart struct {
	n       int
	unit    string
	seconds int
}

// durationParts reads an ISO 8601 duration, for example P1DT2H30M. Minutes beyond an
// hour become hours, as pages show them; parts of zero are left out.
func durationParts(s string) (out []durationPart) {
	rest, ok := strings.CutPrefix(strings.ToUpper(strings.TrimSpace(s)), "P")
	if !ok || len(rest) > 40 {
		return nil
	}
	days, clock, _ := strings.Cut(rest, "T")
	seconds := 0
	for _, part := range []struct {
		s     string
		units map[byte]int
	}{{days, map[byte]int{'D': 86400, 'W': 7 * 86400}}, {clock, map[byte]int{'H': 3600, 'M': 60, 'S': 1}}} {
		for from := 0; from < len(part.s); {
			at := from
			for at < len(part.s) && (part.s[at] >= '0' && part.s[at] <= '9' || part.s[at] == '.' || part.s[at] == ',') {
				at++
			}
			n, err := strconv.ParseFloat(strings.Replace(part.s[from:at], ",", ".", 1), 64)
			if err != nil || n > 1e6 || at == len(part.s) || part.units[part.s[at]] == 0 && n > 0 {
				return nil // months and years have no fixed length
			}
			seconds += int(n * float64(part.units[part.s[at]]))
			from = at + 1
		}
	}
	for _, u := range []durationPart{{0, "d", 86400}, {0, "h", 3600}, {0, "min", 60}, {0, "s", 1}} {
		if u.n = seconds / u.seconds; u.n > 0 {
			out = append(out, u)
		}
		seconds %= u.seconds
	}
	return out
}

package about

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// amount is a number of hundredths.
type amount int64

const (
	hundred = 100
	tenth   = hundred / 10
)

// String writes an amount without a fraction where it has none.
func (a amount) String() string {
	if a%hundred == 0 {
		return strconv.FormatInt(int64(a)/hundred, 10)
	}
	return strconv.FormatFloat(float64(a)/hundred, 'f', 2, 64)
}

// short is String without zeros at the end of the fraction.
func (a amount) short() string { return strconv.FormatFloat(float64(a)/hundred, 'f', -1, 64) }

// parseAmount parses a number in any of the usual forms.
func parseAmount(s string) (amount, bool) {
	whole, fraction, ok := splitNumber(s)
	n, err := strconv.ParseFloat(whole+"."+fraction, 64)
	if !ok || err != nil || len(whole) > maxDigits {
		return 0, false
	}
	return amount(math.Round(n * hundred)), true
}

// Number finds the first number in a text, in any of the usual forms, and writes
// it as JSON does.
func Number(s string) (string, bool) {
	from := strings.IndexAny(s, "0123456789")
	if from < 0 {
		return "", false
	}
	to := from + countDigits(s[from:])
	for {
		size := separatorAt(s, to)
		n := countDigits(s[to+size:])
		if size == 0 || n == 0 || isSpaceAt(s, to) && n != thousand {
			break
		}
		to += size + n
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
	before := strings.TrimRightFunc(s[:from], func(r rune) bool { return r == ' ' || unicode.Is(unicode.Sc, r) })
	if sign := strings.TrimRight(before, "-−"); sign != before {
		if r, _ := utf8.DecodeLastRuneInString(sign); isNotWord(r) {
			whole = "-" + whole
		}
	}
	return whole, true
}

// thousand is how many digits a group of thousands has.
const thousand = 3

// countDigits is how many digits a text begins with.
func countDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// splitNumber parses a number in any of the usual forms: 1,299.00 and 1.299,00 and
// 1 299. The last point or comma is the decimal one where it is the only one of its
// kind, unless it is between at most three digits and exactly three: then it separates
// thousands.
func splitNumber(s string) (whole, fraction string, ok bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if s == "" || len(s) > 2*maxDigits {
		return "", "", false
	}
	if last := strings.LastIndexAny(s, ".,"); last >= 0 && strings.Count(s, s[last:last+1]) == 1 {
		after, grouped := s[last+1:], strings.ContainsAny(s[:last], ".,'’ ")
		if len(after) != thousand || grouped || last > thousand || s[0] == '0' {
			s, fraction = s[:last], after
		}
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(r)
		case separatorAt(s, i) == 0:
			return "", "", false
		}
	}
	return b.String(), fraction, countDigits(fraction) == len(fraction)
}

// durationPart is a part of a duration, for example 30 min.
type durationPart struct {
	n       int
	unit    string
	seconds int
}

// The units of a duration in seconds, in its date and in its time. Months and years have
// no fixed length.
const minute, hour, day = 60, 60 * minute, 24 * hour

var (
	dateUnits  = map[rune]float64{'W': 7 * day, 'D': day}
	clockUnits = map[rune]float64{'H': hour, 'M': minute, 'S': 1}
)

// durationParts parses an ISO 8601 duration, for example P1DT2H30M. Minutes beyond an
// hour become hours, as pages show them; parts of zero are omitted.
func durationParts(s string) (out []durationPart) {
	rest, ok := strings.CutPrefix(strings.ToUpper(strings.TrimSpace(s)), "P")
	units, total, n := dateUnits, 0.0, ""
	for _, r := range rest {
		switch {
		case r == 'T':
			units = clockUnits
		case r >= '0' && r <= '9':
			n += string(r)
		case r == '.' || r == ',':
			n += "."
		default:
			v, err := strconv.ParseFloat(n, 64)
			if err != nil || v > 0 && units[r] == 0 {
				return nil
			}
			total, n = total+v*units[r], ""
		}
	}
	if !ok || n != "" || total > maxDuration {
		return nil
	}
	seconds := int(total)
	for _, u := range []durationPart{{0, "d", day}, {0, "h", hour}, {0, "min", minute}, {0, "s", 1}} {
		if u.n = seconds / u.seconds; u.n > 0 {
			out = append(out, u)
		}
		seconds %= u.seconds
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

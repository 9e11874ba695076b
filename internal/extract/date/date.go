// Package date provides the parser for the dates that pages show and state, in their
// languages and scripts.
//
//	date.Parse("Sept. 4th, 2025 at 3:05 pm", true) // 2025-09-04T15:05:00
//	date.IsDate("Published 4 September 2025")      // true
//
// date.go parses a date, line.go reads a line that has dates, words.go has the words.
//
// # Guarantees
//
// The functions are pure. A result is in ISO 8601, has no more parts than its text,
// and is a day from 1900 to 2099 that exists.
//
// # Limits
//
// Relative dates ("3 days ago") are unsupported. Of other calendars the eras of Japan
// and Taiwan and the years of Thailand are known.
package date

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
)

const (
	maxChars  = 80   // of a date
	minBytes  = 6    // of a date
	firstYear = 1900 // before it, numbers of four digits are seldom years
	lastYear  = 2099
	thaiYears = 543 // by which the years of Thailand are ahead
	maxOffset = 14  // hours; no zone is further off
	leastUnix = 6e8 // seconds; smaller numbers of ten digits are telephone numbers
)

// Parse converts a date to ISO 8601: "2025-09-04", or with the time and the offset of the
// text, "2025-09-04T10:30:00+02:00". It returns "" for a text that is not a date.
//
// It parses ISO 8601 and its relatives, dates with the name of a month, dates of only
// numbers, 2025年9月4日, and seconds or milliseconds since 1970. monthFirst decides
// 4/9/2025.
func Parse(s string, monthFirst bool) string {
	s = strings.TrimSpace(s)
	if len(s) > maxChars && utf8.RuneCountInString(s) > maxChars {
		return ""
	}
	if s = western(s); len(s) < minBytes { // which is shorter where digits of other scripts are
		return ""
	}
	if n, ok := digits(s); ok {
		return digitDate(s, n)
	}
	const year = len("2006")
	if _, ok := digits(s[:year]); ok && isSign(s[year]) && s[year+1] != ' ' { // 2024. 5. 4. is Korean
		return yearFirst(s)
	}
	return wordyDate(s, monthFirst)
}

func isSign(c byte) bool { return c == '-' || c == '/' || c == '.' }

// digitDate parses a date of the digits of n: 20250904, 20250904103000, and seconds or
// milliseconds since 1970.
func digitDate(s string, n int) string {
	for in, out := range map[string]string{"20060102": time.DateOnly, "20060102150405": "2006-01-02T15:04:05"} {
		if t, err := time.Parse(in, s); err == nil && t.Year() >= firstYear && t.Year() <= lastYear {
			return t.Format(out)
		}
	}
	switch {
	case len(s) == len("1717374144000"):
		return fromUnix(n / 1000)
	case len(s) == len("1717374144") && n > leastUnix:
		return fromUnix(n)
	}
	return ""
}

func fromUnix(seconds int) string {
	t := time.Unix(int64(seconds), 0).UTC()
	if t.Year() < firstYear || t.Year() > lastYear {
		return ""
	}
	return t.Format(time.RFC3339)
}

// yearFirst parses 2025-09-04, 2025/9/4 or 2025.09.04, then perhaps a time, or
// 2025-09.
func yearFirst(s string) string {
	y, rest := number(s)
	m, rest := number(rest[1:])
	if len(rest) > 1 && isSign(rest[0]) {
		if d, rest := number(rest[1:]); d > 0 {
			return withClock(civil(y, m, d), rest)
		}
	}
	if month := civil(y, m, 1); rest == "" && month != "" {
		return month[:len("2006-01")]
	}
	return ""
}

// withClock adds the time of day that follows a day.
func withClock(day, rest string) string {
	if day == "" {
		return ""
	}
	c, _ := clock(strings.TrimLeft(rest, "T, \u00a0at日일"))
	return day + c
}

// parts are the parts of a date in any order.
type parts struct {
	s    string
	i    int    // the next byte
	rest string // behind the date
	time string // of day, before the date

	nums        []int // numbers of one or two digits
	month, year int   // by name; of four digits; 0: none yet
	yearFirst   bool  // the year comes before all of these
}

// wordyDate parses "Thu, 04 Sep 2025 10:30:00 GMT", "September 4th, 2025", "4.
// September 2025", "04/09/2025", "2025年9月4日".
func wordyDate(s string, monthFirst bool) string {
	p := parts{s: s}
	if !p.read() || p.year == 0 {
		return ""
	}
	day := ""
	switch {
	case p.month > 0 && len(p.nums) > 0:
		day = civil(p.year, p.month, p.nums[0])
	case p.month == 0 && len(p.nums) > 1:
		d, m := p.nums[0], p.nums[1]
		if p.yearFirst || monthFirst && strings.ContainsAny(s, "/-") && civil(p.year, d, m) != "" || civil(p.year, m, d) == "" {
			d, m = m, d
		}
		day = civil(p.year, m, d)
	}
	if full := withClock(day, p.rest); full != day || day == "" {
		return full
	}
	return day + p.time
}

// read reads words and numbers until the date is complete. It returns false for a
// number that no date has.
func (p *parts) read() bool {
	for p.i < len(p.s) {
		r, size := utf8.DecodeRuneInString(p.s[p.i:])
		switch {
		case isDigit(p.s[p.i]):
			if !p.number() {
				return false
			}
		case unicode.IsLetter(r):
			p.word()
		default:
			p.i += size
		}
		if p.year > 0 && (len(p.nums) > 0 && p.month > 0 || len(p.nums) > 1) {
			p.rest = p.s[p.i:]
			break
		}
	}
	return true
}

func (p *parts) number() bool {
	s := p.s[p.i:]
	v, tail := number(s)
	c, n := clock(s)
	switch digits := len(s) - len(tail); {
	case c != "":
		p.time = c
		p.i += n
		return true
	case digits == len("2006") && v >= firstYear && v <= lastYear && p.year == 0:
		p.year, p.yearFirst = v, len(p.nums) == 0
	case digits < 3 && len(p.nums) < 4:
		p.nums = append(p.nums, v)
	default:
		return false
	}
	p.i = len(p.s) - len(tail)
	return true
}

func (p *parts) word() {
	j := p.i
	for j < len(p.s) {
		c, w := utf8.DecodeRuneInString(p.s[j:])
		if !unicode.IsLetter(c) && !unicode.IsMark(c) && !isThaiDot(p.s, j) {
			break
		}
		j += w
	}
	if p.month == 0 {
		p.month = Month(p.s[p.i:j])
	}
	p.i = j
}

// isThaiDot reports whether a dot at i is within a short form of two letters: พ.ค.
func isThaiDot(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+1:])
	return s[i] == '.' && unicode.Is(unicode.Thai, before) && unicode.Is(unicode.Thai, after)
}

// clock parses a time of day with a colon or am or pm, and an offset, at the beginning of
// s. It returns them in ISO 8601, and how many bytes they have; "" for none.
func clock(s string) (iso string, n int) {
	h, rest := number(s)
	var parts [2]int
	colon := false
	for k := range parts {
		if len(rest) < 3 || rest[0] != ':' && rest[0] != '.' || !isDigit(rest[1]) || !isDigit(rest[2]) {
			break
		}
		colon = colon || rest[0] == ':'
		parts[k], rest = number(rest[1:])
	}
	if strings.HasPrefix(rest, ".") {
		_, rest = number(rest[1:])
	}
	half := strings.TrimLeft(rest, " \u00a0")
	isPM := dom.HasPrefixFold(half, "pm")
	if isPM || dom.HasPrefixFold(half, "am") {
		after, _ := utf8.DecodeRuneInString(half[len("am"):])
		if !unicode.IsLetter(after) {
			rest, colon = half[len("am"):], true
			if h %= 12; isPM {
				h += 12
			}
		}
	}
	if m, sec := parts[0], min(parts[1], 59); colon && len(rest) < len(s) && isDigit(s[0]) && h < 24 && m < 60 && parts[1] <= 60 {
		zone, size := offset(strings.TrimLeft(rest, " "))
		return "T" + two(h) + ":" + two(m) + ":" + two(sec) + zone, len(s) - len(rest) + size
	}
	return "", 0
}

// offset parses an offset from UTC at the beginning of s, "" where there is none.
func offset(s string) (iso string, n int) {
	for _, utc := range [...]string{"Z", "z", "GMT", "UTC"} {
		if strings.HasPrefix(s, utc) {
			return "Z", len(utc)
		}
	}
	if s == "" || s[0] != '+' && s[0] != '-' {
		return "", 0
	}
	compact := strings.Replace(s[1:min(len(s), len("+00:00"))], ":", "", 1)
	v, rest := number(compact)
	switch len(compact) - len(rest) {
	case 2:
		v *= 100
	case 4:
	default:
		return "", 0
	}
	if v/100 > maxOffset || v%100 > 59 {
		return "", 0
	}
	return s[:1] + two(v/100) + ":" + two(v%100), len("+00:00")
}

// InPath finds /2025/09/04/, 2025-09-04 or /2025/september/04/ in the path of a URL.
func InPath(path string) string {
	for i := range path {
		y, rest := number(path[i:])
		if y < firstYear || i > 0 && isDigit(path[i-1]) || rest == "" || rest[0] != '/' && rest[0] != '-' {
			continue
		}
		month, rest, _ := strings.Cut(rest[1:], rest[:1])
		m, ok := digits(month)
		if !ok {
			m = Month(month)
		}
		d, _ := number(rest)
		if day := civil(y, m, d); day != "" {
			return day
		}
	}
	return ""
}

// civil formats a day of the calendar, or returns "" for a day that does not exist.
func civil(y, m, d int) string {
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if y < firstYear || y > lastYear || int(t.Month()) != m || t.Day() != d {
		return ""
	}
	return t.Format(time.DateOnly)
}

// IsBefore reports whether a date is more than one day before another one; one day is a
// difference of time zones.
func IsBefore(date, other string) bool {
	day := func(s string) time.Time {
		t, _ := time.Parse(time.DateOnly, s[:min(len(s), len(time.DateOnly))])
		return t
	}
	a, b := day(date), day(other)
	return !a.IsZero() && !b.IsZero() && a.AddDate(0, 0, 1).Before(b)
}

// number parses the digits at the start of s, of which nine count.
func number(s string) (n int, rest string) {
	i := 0
	for ; i < len(s) && isDigit(s[i]); i++ {
		if n < 1e8 {
			n = 10*n + int(s[i]-'0')
		}
	}
	return n, s[i:]
}

// digits parses a text of only digits.
func digits(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 63)
	return int(n), err == nil
}

func two(n int) string { return strconv.Itoa(n/10) + strconv.Itoa(n%10) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// zeros are the digits zero of the scripts whose dates are known; the other nine follow each.
var zeros = [...]rune{'٠', '۰', '०', '০', '๐', '０'}

// eras are the eras whose years dates count, and the year before their first.
var eras = map[string]int{"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}

// western writes a date in ASCII digits and the Gregorian calendar.
func western(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= zeros[0] }) < 0 {
		return s
	}
	isThai := false
	s = strings.Map(func(r rune) rune {
		isThai = isThai || unicode.Is(unicode.Thai, r)
		for _, zero := range zeros {
			if r >= zero && r < zero+10 {
				return '0' + r - zero
			}
		}
		return r
	}, s)
	for era, before := range eras {
		if head, tail, ok := strings.Cut(s, era); ok {
			n, rest := number(strings.Replace(strings.TrimSpace(tail), "元", "1", 1))
			return head + strconv.Itoa(before+n) + rest
		}
	}
	for i := 0; isThai && i < len(s); i++ {
		if n, rest := number(s[i:]); n-thaiYears >= firstYear && n-thaiYears <= lastYear {
			return s[:i] + strconv.Itoa(n-thaiYears) + rest
		}
	}
	return s
}

// HasDigit reports whether a text has a digit of any script.
func HasDigit(s string) bool { return strings.ContainsFunc(s, isDigitOfAny) }

// isDigitOfAny reports whether a character is a digit of ASCII or of another script.
func isDigitOfAny(r rune) bool {
	return r >= '0' && r <= '9' || r >= utf8.RuneSelf && unicode.IsDigit(r)
}

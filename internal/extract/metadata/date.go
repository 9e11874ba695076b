package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
)

// isoDate converts a date of a page to ISO 8601: "2025-09-04", or with
// the time and the offset that the page gives, "2025-09-04T10:30:00+02:00". It
// returns "" for a text that is not a date from 1900 to 2099.
//
// It reads ISO 8601 and its relatives, dates with the name of a month in the
// larger European languages, in Arabic, Hebrew, Hindi and Thai, dates of only numbers, also
// 2025年9月4日, the calendars of gregorian, and seconds or milliseconds since 1970.
// monthFirst decides 4/9/2025.
func isoDate(s string, monthFirst bool) string {
	s = strings.TrimSpace(s)
	if len(s) > 80 && utf8.RuneCountInString(s) > 80 {
		return ""
	}
	if s = gregorian(s); len(s) < 6 { // which is shorter where digits of other scripts are
		return ""
	}
	if n, ok := allDigits(s); ok {
		return digitDate(s, n)
	}
	if _, ok := allDigits(s[:4]); ok && len(s) >= 7 && isDateSign(s[4]) && s[5] != ' ' { // 2024. 5. 4. is Korean
		return yearFirst(s)
	}
	return wordyDate(s, monthFirst)
}

func isDateSign(c byte) bool { return c == '-' || c == '/' || c == '.' }

// digitDate reads a date of n digits: 20250904, 20250904103000,
// and seconds or milliseconds since 1970.
func digitDate(s string, n int) string {
	switch {
	case len(s) == 8:
		return civil(n/10000, n/100%100, n%100)
	case len(s) == 10 && n > 6e8:
		return fromUnix(n)
	case len(s) == 13:
		return fromUnix(n / 1000)
	case len(s) == 14 && n/1e10 < 2100:
		if d := civil(n/1e10, n/1e8%100, n/1e6%100); d != "" {
			return d + clock(s[8:10]+":"+s[10:12]+":"+s[12:14])
		}
	}
	return ""
}

// yearFirst reads 2025-09-04, 2025/9/4 or 2025.09.04, then perhaps a time, or
// 2025-09.
func yearFirst(s string) string {
	y, rest := number(s)
	m, rest := number(rest[1:])
	if len(rest) > 1 && isDateSign(rest[0]) {
		var d int
		if d, rest = number(rest[1:]); d > 0 {
			if day := civil(y, m, d); day != "" {
				return day + clock(rest)
			}
			return ""
		}
	}
	if rest == "" && y >= 1900 && y < 2100 && m >= 1 && m <= 12 {
		return s[:4] + "-" + two(m)
	}
	return ""
}

// wordyDate reads "Thu, 04 Sep 2025 10:30:00 GMT", "September 4th, 2025", "4.
// September 2025", "04/09/2025", "2025年9月4日".
func wordyDate(s string, monthFirst bool) string {
	p := dateParts{s: s}
	if !p.read() || p.year == 0 {
		return ""
	}
	day := ""
	switch {
	case p.month > 0 && p.n >= 1:
		day = civil(p.year, p.month, p.nums[0])
	case p.month == 0 && p.n >= 2:
		d, m := p.nums[0], p.nums[1]
		if p.yearFirst || strings.ContainsAny(s, "/-") && monthFirst && d <= 12 || m > 12 {
			d, m = m, d
		}
		day = civil(p.year, m, d)
	}
	if day == "" {
		return ""
	}
	return day + dom.FirstNonBlank(clock(p.rest), p.time)
}

// dateParts are the parts of a date in any order.
type dateParts struct {
	s    string
	i    int    // the next byte
	rest string // behind the date
	time string // of day, before the date

	nums        [4]int // numbers of one or two digits
	n           int    // how many
	month, year int    // by name; of four digits; 0: none yet
	yearFirst   bool   // the year stands before all of these
}

// read reads words and numbers until the date is complete. It reports false
// for a number that no date has.
func (p *dateParts) read() bool {
	for p.i < len(p.s) {
		r, size := utf8.DecodeRuneInString(p.s[p.i:])
		switch {
		case r >= '0' && r <= '9':
			if !p.number() {
				return false
			}
		case unicode.IsLetter(r):
			p.word()
		default:
			p.i += size
		}
		if p.rest == "" && p.i < len(p.s) && p.year > 0 && (p.n > 0 && p.month > 0 || p.n >= 2) {
			p.rest = p.s[p.i:]
			break
		}
	}
	return true
}

func (p *dateParts) number() bool {
	v, tail := number(p.s[p.i:])
	digits := len(p.s) - p.i - len(tail)
	switch {
	case strings.HasPrefix(tail, ":") && p.year > 0:
		p.rest = p.s[p.i:]
		p.i = len(p.s)
		return true
	case p.year == 0 && digits <= 2 && timeLen(p.s[p.i:]) > 0:
		n := timeLen(p.s[p.i:])
		p.time = clock(strings.Replace(p.s[p.i:p.i+n], ".", ":", 1))
		p.i += n
		return true
	case digits == 4 && v >= 1900 && v < 2100 && p.year == 0:
		p.year, p.yearFirst = v, p.n == 0
	case digits <= 2 && p.n < len(p.nums):
		p.nums[p.n] = v
		p.n++
	default:
		return false
	}
	p.i = len(p.s) - len(tail)
	return true
}

// timeLen is how many bytes of a text are a time of day, such as 10:19, 3pm or 10.19 am.
func timeLen(s string) int {
	_, rest := number(s)
	colon := false
	for range 2 {
		if len(rest) < 3 || rest[0] != ':' && rest[0] != '.' || !isDigit(rest[1]) || !isDigit(rest[2]) {
			break
		}
		colon = colon || rest[0] == ':'
		rest = rest[3:]
	}
	half := strings.TrimLeft(rest, " \u00a0")
	if dom.HasPrefixFold(half, "am") || dom.HasPrefixFold(half, "pm") {
		if after, _ := utf8.DecodeRuneInString(half[2:]); !unicode.IsLetter(after) {
			return len(s) - len(half) + 2
		}
	}
	if !colon {
		return 0
	}
	return len(s) - len(rest)
}

func (p *dateParts) word() {
	j := p.i
	for j < len(p.s) {
		c, w := utf8.DecodeRuneInString(p.s[j:])
		if !unicode.IsLetter(c) && !unicode.IsMark(c) && !p.isThaiDot(j) {
			break
		}
		j += w
	}
	if p.month == 0 {
		p.month = monthOf(p.s[p.i:j])
	}
	p.i = j
}

// isThaiDot reports whether a dot at i is within a short form of two letters: พ.ค.
func (p *dateParts) isThaiDot(i int) bool {
	before, _ := utf8.DecodeLastRuneInString(p.s[:i])
	after, _ := utf8.DecodeRuneInString(p.s[i:][1:])
	return p.s[i] == '.' && unicode.Is(unicode.Thai, before) && unicode.Is(unicode.Thai, after)
}

// clock reads a time of day and an offset, and returns them as ISO 8601 wants
// them behind a date, or "".
func clock(s string) string {
	s = strings.TrimLeft(s, "T, \u00a0at日일")
	if len(s) < 4 || !isDigit(s[0]) {
		return ""
	}
	h, rest := number(s)
	if !strings.HasPrefix(rest, ":") {
		return ""
	}
	m, rest := number(rest[1:])
	sec := 0
	if strings.HasPrefix(rest, ":") {
		sec, rest = number(rest[1:])
	}
	if strings.HasPrefix(rest, ".") {
		_, rest = number(rest[1:])
	}
	h, rest = halfOfDay(h, strings.TrimSpace(rest))
	if h > 23 || m > 59 || sec > 60 {
		return ""
	}
	return "T" + two(h) + ":" + two(m) + ":" + two(min(sec, 59)) + offset(rest)
}

// halfOfDay reads am or pm, and returns the hour of 24.
func halfOfDay(h int, s string) (hour int, rest string) {
	switch {
	case dom.HasPrefixFold(s, "pm"):
		if h < 12 {
			h += 12
		}
	case dom.HasPrefixFold(s, "am"):
		h %= 12
	default:
		return h, s
	}
	return h, strings.TrimSpace(s[2:])
}

// offset reads an offset from UTC as ISO 8601 writes it, "" where there is
// none.
func offset(s string) string {
	if s == "Z" || s == "z" || strings.HasPrefix(s, "GMT") || strings.HasPrefix(s, "UTC") {
		return "Z"
	}
	if len(s) < 3 || s[0] != '+' && s[0] != '-' || !isDigit(s[1]) || !isDigit(s[2]) {
		return ""
	}
	hours, _ := number(s[1:3])
	minutes := 0
	if tail := strings.TrimPrefix(s[3:], ":"); len(tail) >= 2 && isDigit(tail[0]) && isDigit(tail[1]) {
		minutes, _ = number(tail[:2])
	}
	if hours > 14 || minutes > 59 { // no zone lies further off
		return ""
	}
	return s[:1] + two(hours) + ":" + two(minutes)
}

// dateInPath finds /2025/09/04/, 2025-09-04 or /2025/september/04/ in the path of an
// address.
func dateInPath(path string) string {
	if d := namedDateInPath(path); d != "" {
		return d
	}
	for i := 0; i+10 <= len(path); i++ {
		if (path[i] != '1' && path[i] != '2') || i > 0 && isDigit(path[i-1]) {
			continue
		}
		p := path[i : i+10]
		if (p[4] != '/' && p[4] != '-') || p[7] != p[4] || i+10 < len(path) && isDigit(path[i+10]) {
			continue
		}
		y, ok1 := allDigits(p[:4])
		m, ok2 := allDigits(p[5:7])
		d, ok3 := allDigits(p[8:])
		if ok1 && ok2 && ok3 {
			if date := civil(y, m, d); date != "" {
				return date
			}
		}
	}
	return ""
}

// namedDateInPath finds a year, a month in letters and a day, each a segment of a path.
func namedDateInPath(path string) string {
	year, month := "", ""
	for segment := range strings.SplitSeq(path, "/") {
		if d, ok := allDigits(segment); ok && len(segment) <= 2 && len(year) == 4 && monthOf(month) > 0 {
			if y, ok := allDigits(year); ok {
				return civil(y, monthOf(month), d)
			}
		}
		year, month = month, segment
	}
	return ""
}

// civil formats a day of the calendar, or returns "" for a day that does not
// exist.
func civil(y, m, d int) string {
	if y < 1900 || y > 2099 || m < 1 || m > 12 || d < 1 || d > daysIn(y, m) {
		return ""
	}
	return two(y/100) + two(y%100) + "-" + two(m) + "-" + two(d)
}

func daysIn(y, m int) int {
	switch m {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if y%4 == 0 && y%100 != 0 || y%400 == 0 {
			return 29
		}
		return 28
	}
	return 31
}

// fromUnix is the day and time of seconds since 1970 in UTC (H. Hinnant,
// "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
func fromUnix(sec int) string {
	z := sec/86400 + 719468
	era := z / 146097
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d := doy - (153*mp+2)/5 + 1
	m := mp + 3
	if m > 12 {
		m -= 12
	}
	y := yoe + era*400
	if m <= 2 {
		y++
	}
	day := civil(y, m, d)
	if day == "" {
		return ""
	}
	s := sec % 86400
	return day + "T" + two(s/3600) + ":" + two(s/60%60) + ":" + two(s%60) + "Z"
}

// number reads up to nine digits from the start of s.
func number(s string) (n int, rest string) {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		if i < 9 {
			n = 10*n + int(s[i]-'0')
		}
		i++
	}
	return n, s[i:]
}

func allDigits(s string) (int, bool) {
	if len(s) > 15 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, s != ""
}

func two(n int) string { return string([]byte{byte('0' + n/10%10), byte('0' + n%10)}) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

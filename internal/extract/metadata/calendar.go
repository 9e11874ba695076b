package metadata

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file writes dates of other digits and calendars as those of the Gregorian one. Each
// is known by its own signs: the name of an era, Thai letters, Persian months or digits. The
// years of a calendar without such a sign are read as they stand.

// zeros are the digits zero of the scripts whose dates are read; the other nine follow each.
var zeros = [...]rune{'٠', '۰', '०', '০', '๐', '０'}

const persianZero = '۰'

// eras are the names of the eras whose years dates count, and the year before their first.
var eras = [...]struct {
	name   string
	before int
}{{"令和", 2018}, {"平成", 1988}, {"昭和", 1925}, {"民國", 1911}, {"民国", 1911}}

// The years of the Buddhist calendar of Thailand that stand for 1900 to 2099, and how far
// it is ahead.
const (
	buddhistAhead = 543
	firstBuddhist = 1900 + buddhistAhead
	lastBuddhist  = 2099 + buddhistAhead
)

// gregorian writes a text with a date in ASCII digits and the Gregorian calendar.
func gregorian(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x600 }) {
		return s
	}
	persian := strings.ContainsFunc(s, func(r rune) bool { return r >= persianZero && r <= persianZero+9 })
	s = asciiDigits(s)
	for _, e := range eras {
		if before, after, ok := strings.Cut(s, e.name); ok {
			return before + eraYear(strings.TrimLeft(after, " "), e.before)
		}
	}
	if d := persianDay(s, persian); d != "" {
		return d
	}
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Thai, r) }) {
		return withoutBuddhistYear(s)
	}
	return s
}

// asciiDigits replaces the digits of the scripts of zeros.
func asciiDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < zeros[0] {
			return r
		}
		for _, zero := range zeros {
			if r >= zero && r <= zero+9 {
				return '0' + r - zero
			}
		}
		return r
	}, s)
}

// eraYear replaces the year of an era, with which a text begins; its first is also 元年.
func eraYear(s string, before int) string {
	if rest, ok := strings.CutPrefix(s, "元"); ok {
		return strconv.Itoa(before+1) + rest
	}
	if n, rest := number(s); n > 0 && n < 200 {
		return strconv.Itoa(before+n) + rest
	}
	return s
}

// withoutBuddhistYear replaces the first year of the Buddhist calendar.
func withoutBuddhistYear(s string) string {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			continue
		}
		n, rest := number(s[i:])
		if end := len(s) - len(rest); end-i == 4 && n >= firstBuddhist && n <= lastBuddhist {
			return s[:i] + strconv.Itoa(n-buddhistAhead) + rest
		}
		i = len(s) - len(rest) - 1
	}
	return s
}

// persianMonths are the months of the Persian calendar.
var persianMonths = [...]string{"فروردین", "اردیبهشت", "خرداد", "تیر", "مرداد", "شهریور", "مهر", "آبان", "آذر", "دی", "بهمن", "اسفند"}

// persianDay returns the day of a text with a date of the Persian calendar, whose month is
// named, or whose digits were Persian: year, month, day. It returns "" for another text.
func persianDay(s string, persianDigits bool) string {
	var nums []int
	month := 0
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if n, ok := allDigits(word); ok && len(nums) < 3 {
			nums = append(nums, n)
		} else if month == 0 {
			for i, name := range persianMonths {
				if word == name {
					month = i + 1
				}
			}
		}
	}
	isYear := func(n int) bool { return n >= 1300 && n <= 1473 }
	switch {
	case month > 0 && len(nums) >= 2 && isYear(nums[1]):
		return fromPersian(nums[1], month, nums[0])
	case month > 0 && len(nums) >= 2 && isYear(nums[0]):
		return fromPersian(nums[0], month, nums[1])
	case month == 0 && persianDigits && len(nums) == 3 && isYear(nums[0]):
		return fromPersian(nums[0], nums[1], nums[2])
	}
	return ""
}

// fromPersian converts a day of the Persian calendar, or returns "" for one that does not
// exist. Its leap years are those of the cycle of 33 years, which agrees with the calendar
// of Iran from 1244 to 1473.
func fromPersian(y, m, d int) string {
	if m < 1 || m > 12 || d < 1 || d > 31 || m > 6 && d > 30 {
		return ""
	}
	const (
		epoch       = 979     // the year from which days are counted here
		epochInDays = -135061 // its first day, in days since 1970
	)
	y -= epoch
	days := 365*y + y/33*8 + (y%33+3)/4 + d - 1
	days += 31*min(m-1, 6) + 30*max(m-7, 0)
	day, _, _ := strings.Cut(fromUnix((days+epochInDays)*86400), "T")
	return day
}

// isDigitOfAny reports whether a character is a digit of ASCII or of the scripts of zeros.
func isDigitOfAny(r rune) bool {
	return r >= '0' && r <= '9' || r >= utf8.RuneSelf && unicode.IsDigit(r)
}

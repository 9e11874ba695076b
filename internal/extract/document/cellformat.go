package document

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// This file writes the numbers of xlsx files and of charts: dates and
// percentages as a person sees them, other numbers as they are stored
// (ECMA-376, part 1, sections 18.8.30 and 18.17.4).

// cellFormat is what a number format shows of a number. The zero value is a
// plain number.
type cellFormat struct {
	day, clock, seconds bool
	elapsed             bool // hours beyond 24
	percent             bool
	least, most         int // digits after the point of a percentage
}

func (f cellFormat) isDate() bool { return f.day || f.clock }

// builtinFormat knows the formats that files do not contain; those from 27 on
// are of East Asian versions.
func builtinFormat(id string) cellFormat {
	switch id {
	case "9":
		return cellFormat{percent: true}
	case "10":
		return cellFormat{percent: true, least: 2, most: 2}
	case "14", "15", "16", "17", "27", "28", "29", "30", "31", "36", "50", "51", "52", "53", "54", "57", "58":
		return cellFormat{day: true}
	case "18", "20", "32", "33", "34", "35", "55", "56":
		return cellFormat{clock: true}
	case "19", "21", "45", "47":
		return cellFormat{clock: true, seconds: true}
	case "22":
		return cellFormat{day: true, clock: true}
	case "46":
		return cellFormat{clock: true, elapsed: true}
	}
	return cellFormat{}
}

// formatOf parses the first section of a format. An m is a month, or minutes
// where there are hours or seconds.
func formatOf(code string) cellFormat {
	code = strings.ToLower(code)
	if strings.HasPrefix(code, "general") {
		return cellFormat{}
	}
	var s formatSigns
	for code != "" && code[0] != ';' {
		next := asItIs(code)
		switch {
		case next == 0:
			return cellFormat{}
		case next == 1:
			s.sign(code[0])
		case code[0] == '[':
			if inner := code[1 : next-1]; inner != "" && strings.Trim(inner, inner[:1]) == "" && strings.Contains("hms", inner[:1]) {
				s.clock, s.elapsed = true, true
			}
		}
		code = code[next:]
	}
	s.day = s.day || s.month && !s.clock
	if s.digits || s.percent {
		return cellFormat{percent: s.percent, least: s.least, most: min(s.most, maxDecimals)}
	}
	return s.cellFormat
}

// formatSigns are the signs of a format so far.
type formatSigns struct {
	cellFormat
	month, digits, point bool
}

func (s *formatSigns) sign(c byte) {
	switch c {
	case 'y', 'd':
		s.day = true
	case 'h':
		s.clock = true
	case 's':
		s.clock, s.seconds = true, true
	case 'm':
		s.month = true
	case '%':
		s.percent = true
	case '.':
		s.point = s.digits
	case '0', '#', '?':
		s.digits = s.digits || c != '0' || !s.isDate() // ss.000 is a time
		if s.point {
			if s.most++; c == '0' {
				s.least = s.most
			}
		}
	}
}

// asItIs is how many bytes at the beginning of a format are one sign: 1, or more for what is in
// quotation marks or brackets and what is escaped; 0 where its end is missing.
func asItIs(code string) int {
	switch code[0] {
	case '"':
		if end := strings.IndexByte(code[1:], '"'); end >= 0 {
			return end + 2
		}
		return 0
	case '[':
		return strings.IndexByte(code, ']') + 1
	case '\\', '_', '*':
		return min(2, len(code))
	}
	return 1
}

// text is a stored number in the format.
func (f cellFormat) text(v string, from1904 bool) string {
	n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	switch {
	case err != nil || math.IsInf(n, 0) || math.IsNaN(n):
		return v
	case f.percent:
		return f.percentage(n)
	case f.isDate():
		if s := f.date(n, from1904); s != "" {
			return s
		}
	}
	if !strings.ContainsAny(v, ".Ee") {
		return v
	}
	return general(n)
}

// general is a number with the 15 digits that office programs count with: they
// store 0.1 as 0.10000000000000001, and 0.094 as 9.4E-2.
func general(n float64) string {
	n, _ = strconv.ParseFloat(strconv.FormatFloat(n, 'g', maxDecimals, 64), 64)
	if a := math.Abs(n); a >= hugeNumber || a < tinyNumber && a > 0 {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func (f cellFormat) percentage(n float64) string {
	n, _ = strconv.ParseFloat(strconv.FormatFloat(n*100, 'g', maxDecimals, 64), 64)
	n = math.Nextafter(n, math.Inf(int(math.Copysign(1, n)))) // halves are rounded away from zero
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(n, 'f', f.most, 64), ".")
	for len(fraction) > f.least && strings.HasSuffix(fraction, "0") {
		fraction = fraction[:len(fraction)-1]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole + "%"
}

// date is the date of a number of days, or "".
func (f cellFormat) date(n float64, from1904 bool) string {
	if n < 0 || n >= daysToYear10000 || f.day && n < 1 && !from1904 {
		return ""
	}
	const hour, minute = 3600, 60
	total := int64(math.Round(n * 24 * hour))
	if f.elapsed {
		return pad(total/hour) + ":" + pad(total/minute%minute) + ":" + pad(total%minute)
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case from1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case n < phantomDay: // the format has a 29 February 1900
		first = first.AddDate(0, 0, 1)
	}
	clock := "15:04"
	if f.seconds {
		clock = "15:04:05"
	}
	layout := time.DateOnly + " " + clock
	switch {
	case !f.clock:
		layout = time.DateOnly
	case !f.day:
		layout = clock
	}
	return first.Add(time.Duration(total) * time.Second).Format(layout)
}

func pad(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}

package document

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// This file reads the dates of xlsx files, which are numbers of days that a
// number format shows as dates: ECMA-376, part 1, sections 18.8.30 (formats)
// and 18.17.4 (dates).

// moment says what of a number a format shows.
type moment uint8

const (
	noMoment moment = 0
	aDay     moment = 1 << iota
	aTime
	seconds
	elapsed // hours beyond 24
)

// dates turns the numbers of cells into dates.
type dates struct {
	styles   []moment // by the style of a cell
	from1904 bool
}

func readDates(t, book *node) (d dates) {
	for _, pr := range book.find("workbookPr") {
		v := pr.attr("date1904")
		d.from1904 = v == "1" || v == "true"
	}
	custom := map[int]moment{}
	for _, f := range t.find("numFmt") {
		if id, err := strconv.Atoi(f.attr("numFmtId")); err == nil {
			custom[id] = momentOf(f.attr("formatCode"))
		}
	}
	for _, list := range t.find("cellXfs") {
		for _, xf := range list.find("xf") {
			id, _ := strconv.Atoi(xf.attr("numFmtId"))
			m, ok := custom[id]
			if !ok {
				m = builtinMoment(id)
			}
			d.styles = append(d.styles, m)
		}
	}
	return d
}

// builtinMoment knows the formats that files do not spell out; those from 27 on
// are of East Asian versions.
func builtinMoment(id int) moment {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return aDay
	case id == 18, id == 20, id >= 32 && id <= 35, id == 55, id == 56:
		return aTime
	case id == 19, id == 21, id == 45, id == 47:
		return aTime | seconds
	case id == 22:
		return aDay | aTime
	case id == 46:
		return aTime | seconds | elapsed
	}
	return noMoment
}

// momentOf reads a format's first section. An m is a month, or minutes where
// there are hours or seconds.
func momentOf(format string) moment {
	format = strings.ToLower(format)
	var m moment
	month := false
	for format != "" && format[0] != ';' {
		next := 1
		switch format[0] {
		case '"':
			end := strings.IndexByte(format[1:], '"')
			if end < 0 {
				return noMoment
			}
			next = end + 2
		case '\\', '_', '*':
			next = min(2, len(format))
		case '[':
			end := strings.IndexByte(format, ']')
			if end < 0 {
				return noMoment
			}
			m |= momentIn(format[1:end])
			next = end + 1
		case 'y', 'd':
			m |= aDay
		case 'h':
			m |= aTime
		case 's':
			m |= aTime | seconds
		case 'm':
			month = true
		case '#', '?':
			return noMoment
		case 'g':
			if strings.HasPrefix(format, "general") {
				return noMoment
			}
		}
		format = format[next:]
	}
	if month && m == noMoment {
		m = aDay
	}
	return m
}

// momentIn reads what stands in brackets: hours, minutes or seconds that are not
// carried over.
func momentIn(inner string) moment {
	if inner != "" && (strings.Trim(inner, "h") == "" || strings.Trim(inner, "m") == "" || strings.Trim(inner, "s") == "") {
		return aTime | elapsed
	}
	return noMoment
}

// text is the date that a number stands for in a style; the number itself where
// it is none.
func (d *dates) text(style, number string) string {
	i, err := strconv.Atoi(style)
	if err != nil || i < 0 || i >= len(d.styles) || d.styles[i] == noMoment {
		return number
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return number
	}
	if s := d.styles[i].text(v, d.from1904); s != "" {
		return s
	}
	return number
}

// text is the date that a number stands for, or "".
func (m moment) text(v float64, from1904 bool) string {
	if !(v >= 0 && v < 2958466) || m&aDay != 0 && v < 1 && !from1904 { // up to the year 9999
		return ""
	}
	total := int64(math.Round(v * 86400))
	if m&elapsed != 0 {
		return pad(total/3600) + ":" + pad(total/60%60) + ":" + pad(total%60)
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case from1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case v < 61: // the format has a 29 February 1900
		first = first.AddDate(0, 0, 1)
	}
	return first.AddDate(0, 0, int(total/86400)).Add(time.Duration(total%86400) * time.Second).Format(m.layout())
}

// layout is the layout of package time for a moment.
func (m moment) layout() string {
	clock := "15:04"
	if m&seconds != 0 {
		clock = "15:04:05"
	}
	switch {
	case m&aTime == 0:
		return "2006-01-02"
	case m&aDay == 0:
		return clock
	}
	return "2006-01-02 " + clock
}

func pad(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}

package document

import (
	"math"
	"strconv"
	"strings"
)

// This file writes numbers as their number format shows them: ECMA-376, part 1,
// section 18.8.31. Cells come as they are stored; the labels of a chart are what it shows.

// shownNumber is a stored number in a format. Of formats that are neither dates nor digits
// with words around them, it is the number with the 15 digits that programs count with.
func shownNumber(v, format string, from1904 bool) string {
	f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return v
	}
	if m := momentOf(format); m != noMoment {
		if s := m.text(f, from1904); s != "" {
			return s
		}
	}
	sections := sectionsOf(format)
	section, minus := sections[0], f < 0
	switch {
	case f < 0 && len(sections) > 1:
		section, minus = sections[1], false
	case f == 0 && len(sections) > 2:
		section = sections[2]
	}
	d, ok := readDigits(section)
	if !ok {
		return general(f)
	}
	s := d.write(math.Abs(f))
	if minus && strings.Trim(s, "0.,") != "" {
		s = "-" + s
	}
	return d.before + s + d.after
}

// general is a number without a format.
func general(f float64) string {
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64) // it is one
	if a := math.Abs(f); a >= 1e15 || a < 1e-5 && a > 0 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// sectionsOf cuts a format into those for numbers above, below and of zero; at least one.
func sectionsOf(format string) (out []string) {
	from, quoted := 0, false
	for i := 0; i < len(format); i++ {
		switch {
		case format[i] == '"':
			quoted = !quoted
		case format[i] == '\\' && !quoted:
			i++
		case format[i] == ';' && !quoted:
			out, from = append(out, format[from:i]), i+1
		}
	}
	return append(out, format[from:])
}

// digits is a format that writes a number with a fixed point.
type digits struct {
	before, after string
	whole         int // digits before the point at least
	least, most   int // digits behind it
	grouped       bool
	power         int // of ten, that the number is multiplied by
}

// readDigits reads a section. It returns false for one of another form.
func readDigits(s string) (d digits, ok bool) {
	const mostDecimals = 15
	var words strings.Builder
	point, ended := false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch c {
		case '0', '#', '?':
			if ended {
				return d, false
			}
			if !ok {
				d.before, ok = words.String(), true
				words.Reset()
			}
			switch {
			case point:
				if d.most++; c == '0' {
					d.least = d.most
				}
			case c == '0':
				d.whole++
			}
			continue
		case '.':
			if ok && !point {
				point = true
				continue
			}
		case ',':
			if ok && !ended {
				if i+1 < len(s) && strings.IndexByte("0#?", s[i+1]) >= 0 {
					d.grouped = true
				} else {
					d.power -= 3
				}
				continue
			}
		}
		ended = ok
		switch c {
		case '"':
			end := strings.IndexByte(s[i+1:], '"')
			if end < 0 {
				return d, false
			}
			words.WriteString(s[i+1 : i+1+end])
			i += end + 1
		case '\\':
			if i++; i < len(s) {
				words.WriteByte(s[i])
			}
		case '_', '*': // as wide as a letter; fills the cell with it
			i++
		case '[':
			end := strings.IndexByte(s[i:], ']')
			if end < 0 {
				return d, false
			}
			if currency, isMoney := strings.CutPrefix(s[i+1:i+end], "$"); isMoney {
				currency, _, _ = strings.Cut(currency, "-")
				words.WriteString(currency)
			}
			i += end
		case '%':
			d.power += 2
			words.WriteByte(c)
		case '/', '@', 'E', 'e', 'G', 'g':
			return d, false
		default:
			words.WriteByte(c)
		}
	}
	d.after = words.String()
	return d, ok && d.most <= mostDecimals && d.whole <= mostDecimals
}

// write writes a number that is not below zero.
func (d digits) write(f float64) string {
	f *= math.Pow10(d.power)
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	f = math.Nextafter(f, math.Inf(1)) // halves are rounded up, and 1.005 is stored as less
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(f, 'f', d.most, 64), ".")
	for len(fraction) > d.least && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	if whole == "0" && d.whole == 0 && fraction != "" {
		whole = ""
	}
	for len(whole) < d.whole {
		whole = "0" + whole
	}
	if d.grouped {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole
}

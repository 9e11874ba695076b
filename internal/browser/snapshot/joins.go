package snapshot

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file decides whether two texts that meet are one word.

// apart begins a new word if a text is drawn at a distance from the one before,
// even if the markup has no space.
func (w *writer) apart(i int) {
	x, y, width, height, _ := w.d.textBox(i)
	split := w.splits(w.d.up(i))
	if (x > w.right+1 || y >= w.bottom || y+height <= w.top || x+width < w.left) && !split {
		w.space = true
	}
	switch {
	case split, w.space || len(w.buf) == 0:
	case w.isPower(i):
		w.buf = append(w.buf, '^')
	default:
		w.space = w.isApart(i)
	}
	w.left, w.top, w.right, w.bottom = x, y, x+width, y+height
	w.before = i
}

// isPower reports whether a raised text meets a word or number that it is not a part of:
// 10 and a raised 6 are not 106, and the mark of a footnote is not the end of a word. The
// letters of 21st belong to their number.
func (w *writer) isPower(i int) bool {
	d := w.d
	up := d.up(i)
	for n := 0; n < 3 && up > 0 && d.tag(up) != "sup"; n++ {
		up = d.up(up)
	}
	if up <= 0 || d.tag(up) != "sup" || d.within(w.before, up) {
		return false
	}
	last, _ := utf8.DecodeLastRune(w.buf)
	first, _ := utf8.DecodeRuneInString(d.shownText(i))
	return unicode.IsLetter(last) && (unicode.IsLetter(first) || unicode.IsDigit(first)) || unicode.IsDigit(last) && unicode.IsDigit(first)
}

// isApart reports whether words of their own meet between the last text and this one: two
// elements that no space and no distance sets apart.
func (w *writer) isApart(i int) bool {
	d := w.d
	one, two := d.shownText(w.before), d.shownText(i)
	if one == "" || two == "" || d.up(w.before) == d.up(i) {
		return false
	}
	return d.otherNumber(w.before, i, one, two) || otherPhrase(one, two) && !d.stressed(w.before) && !d.stressed(i)
}

// otherNumber reports whether a number of its own begins or ends between two texts: 2024
// and "1 yr" in two elements are not 20241. The digits of a counter, each in an element,
// are one number, and a formula such as CO2 is one word.
func (d *doc) otherNumber(i, j int, one, two string) bool {
	last, _ := utf8.DecodeLastRuneInString(one)
	first, size := utf8.DecodeRuneInString(two)
	if unicode.IsDigit(last) && unicode.IsDigit(first) {
		return len(one) > 1 || len(two) > 1
	}
	second, _ := utf8.DecodeRuneInString(two[size:])
	long := unicode.IsDigit(second) || second == '.' || second == ','
	number := unicode.IsDigit(last) && len(one) > 1 && unicode.IsLetter(first) || unicode.IsLetter(last) && unicode.IsDigit(first) && long
	return number && !d.raised(i) && !d.raised(j)
}

// otherPhrase reports whether a phrase of its own begins between two texts, one of several
// words at least: "Sign up for our" and "Newsletter" are not "ourNewsletter". Names such
// as PayPal are one word, in whichever elements their parts are. Two words in capitals
// are two labels.
func otherPhrase(one, two string) bool {
	if !strings.Contains(one, " ") && !strings.Contains(two, " ") {
		return isLabel(one) && isLabel(two)
	}
	last, size := utf8.DecodeLastRuneInString(one)
	before, _ := utf8.DecodeLastRuneInString(one[:len(one)-size])
	first, size := utf8.DecodeRuneInString(two)
	second, _ := utf8.DecodeRuneInString(two[size:])
	word := unicode.IsLetter(last) && unicode.IsLetter(before)
	switch {
	case unicode.IsUpper(first) && unicode.IsLower(second):
		return word || unicode.IsDigit(last)
	case unicode.IsUpper(first) && unicode.IsLetter(second):
		return word && unicode.IsLower(last)
	}
	return unicode.IsDigit(first) && word && (unicode.IsLower(last) || isLabel(one[strings.LastIndexByte(one, ' ')+1:]))
}

// isLabel reports whether a text is a word in capitals, of three letters at least.
func isLabel(s string) bool {
	n := 0
	for _, r := range s {
		if !unicode.IsUpper(r) {
			return false
		}
		n++
	}
	return n > 2
}

// stressed reports whether a text is set off from those around it, as a part of a word
// can be.
func (d *doc) stressed(i int) bool {
	switch d.tag(max(d.up(i), 0)) {
	case "b", "strong", "em", "i", "u", "mark", "font":
		return true
	}
	return d.raised(i)
}

// shownText is the text of a text node or pseudo-element as it is drawn.
func (d *doc) shownText(i int) string {
	if d.pseudo[i] {
		return d.generated[i]
	}
	if d.kind(i) != textNode {
		return ""
	}
	return d.letters(i)
}

// raised reports whether a text is an index or an exponent.
func (d *doc) raised(i int) bool {
	for n := 0; n < 3 && i > 0; n++ {
		if t := d.tag(i); t == "sub" || t == "sup" {
			return true
		}
		i = d.up(i)
	}
	return false
}

// splits reports whether an element is a letter of a word of which each letter is in an element
// of its own, as pages have it that move letters, and follows the one before.
func (w *writer) splits(i int) bool {
	d := w.d
	if i <= 0 || !d.isLetter(i) || w.before == 0 || !d.isLetter(d.up(w.before)) || d.up(d.up(w.before)) != d.up(i) {
		return false
	}
	x, y, _, h, _ := d.box(i)
	return x <= w.right+d.fontSize(i)*letterGap && y < w.bottom && y+h > w.top
}

// isLetter reports whether an element is a box around one letter or digit, and nothing else.
func (d *doc) isLetter(i int) bool {
	c := int(d.first[i])
	if c == 0 || d.next[c] != 0 || d.kind(c) != textNode || d.style(i, styleDisplay) != "inline-block" {
		return false
	}
	s := d.letters(c)
	r, size := utf8.DecodeRuneInString(s)
	if size != len(s) || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return false
	}
	_, _, outer, _, _ := d.box(i)
	_, _, inner, _, ok := d.box(c)
	return ok && outer <= inner+d.fontSize(i)*letterGap // a wider box is a cell
}

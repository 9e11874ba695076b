package snapshot

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Rules of generated text, that of ::before, ::after and ::marker. A person reads it like any
// other text if it says something:
//
//   - Letters and digits do.
//   - Signs that belong to what stands beside them do: currencies, per cent, quotation marks,
//     brackets, the star of a required field, what ends a sentence, check marks.
//   - Signs of numbers do if they touch one: a minus does, the plus of an accordion does not.
//   - Arrows, bullets, lines and signs for private use are decoration.

// says reports whether the text of a pseudo-element says something.
func (d *doc) says(i int) bool {
	s := strings.TrimSpace(d.generated[i])
	switch {
	case s == "":
		return false
	case letters(s) > 0:
		return true
	}
	for _, r := range s {
		if isSaid(r) || isOfNumber(r) && d.touchesNumber(i) {
			return true
		}
	}
	return false
}

// isSaid reports whether a sign has a meaning of its own, which the text beside it needs.
func isSaid(r rune) bool {
	return unicode.Is(unicode.Sc, r) || strings.ContainsRune(`%‰°№*"'“”„‘’‚«»「」『』()[].,:;!?…✓✔☑✅✗✘☒❌★☆⚠`, r)
}

func isOfNumber(r rune) bool { return strings.ContainsRune("+-−–±≤≥<>=≈~×/#", r) }

// touchesNumber reports whether the text of a pseudo-element stands at the side of a number on
// which it belongs to it.
func (d *doc) touchesNumber(i int) bool {
	before, after := d.textAround(i)
	if d.tag(i) == "::after" {
		r, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(d.shownText(before)))
		return (unicode.IsDigit(r) || r == '%' || unicode.Is(unicode.Sc, r)) && d.gap(before, i) < d.fontSize(i)/2
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimSpace(d.shownText(after)))
	return (unicode.IsDigit(r) || r == '.' || unicode.Is(unicode.Sc, r)) && d.gap(i, after) < d.fontSize(i)/2
}

// isWorded reports whether the marker of an entry has words of its own: numbers and letters
// follow from the list.
func (d *doc) isWorded(i int) bool {
	s := strings.TrimSpace(d.generated[i])
	return letters(s) >= saidLetters || letters(s) > 2 && strings.Trim(strings.ToLower(s), "ivxlcdm.) ") != "" && !numbered(s)
}

// textAround returns the texts that stand before and after a node in the order in which they
// are drawn; 0 for none near by.
func (d *doc) textAround(i int) (before, after int) {
	const most = 50 // nodes
	is := func(j int) bool {
		return d.layout[j] > 0 && (d.kind(j) == textNode || d.pseudo[j]) && strings.TrimSpace(d.shownText(j)) != ""
	}
	from, to := i-1, i+1
	if d.tag(i) == "::after" && d.up(i) >= 0 { // what is drawn before it comes after it in the list
		from = int(d.last[d.up(i)])
		to = from + 1
	}
	for j := from; j > 0 && j > from-most && before == 0; j-- {
		if j != i && is(j) {
			before = j
		}
	}
	for j := to; j < len(d.first) && j < to+most && after == 0; j++ {
		if is(j) {
			after = j
		}
	}
	return before, after
}

// gap is how far one text ends before another one begins on the same line; far for two lines.
func (d *doc) gap(one, two int) float64 {
	x, y, w, h, ok := d.textBox(one)
	left, top, _, height, also := d.textBox(two)
	if !ok || !also || one <= 0 || two <= 0 || top >= y+h || top+height <= y || left < x {
		return far
	}
	return left - x - w
}

// spaced is the text of a pseudo-element with space at the sides on which it stands apart from
// what is beside it.
func (d *doc) spaced(i int) string {
	s := d.generated[i]
	before, after := d.textAround(i)
	if before > 0 && d.gap(before, i) > 1 {
		s = " " + s
	}
	if after > 0 && d.gap(i, after) > 1 {
		s += " "
	}
	return s
}

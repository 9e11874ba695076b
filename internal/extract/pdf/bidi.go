package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file puts lines of right-to-left writing into the order of reading. A
// page shows a line after the bidirectional algorithm (UAX #9) has reordered
// it; here that is undone, for one level of embedding: letters are taken from
// the right, and runs of Latin letters and numbers are turned back.

// direction is what a character is for the order of a line.
type direction uint8

const (
	neutral  direction = iota
	leftward           // a letter of Hebrew, Arabic and their like
	rightward
	numeral
	riding // a mark that goes with its letter
)

// element is one glyph's text on a line, as it is seen from the left.
type element struct {
	text string
	dir  direction
}

// isRTL reports whether a text holds a letter that is written to the left.
func isRTL(s string) bool {
	for _, r := range s {
		if r >= 0x590 && isRTLRune(r) {
			return true
		}
	}
	return false
}

func isRTLRune(r rune) bool {
	return r >= 0x590 && r <= 0x8ff && !unicode.IsDigit(r) && r != 0x60c && r != 0x66a && r != 0x66b && r != 0x66c ||
		r >= 0xfb1d && r <= 0xfdff && r != 0xfd3e && r != 0xfd3f || r >= 0xfe70 && r <= 0xfefc
}

func isLTR(s string) bool {
	r := firstRune(s)
	return unicode.IsDigit(r) || unicode.IsLetter(r) && !isRTLRune(r)
}

// isMark reports whether a text is a sign that stands over or under a letter.
func isMark(s string) bool {
	r := firstRune(s)
	return r >= 0x300 && (unicode.Is(unicode.Mn, r) || r >= 0xfe70 && r <= 0xfe7f || r >= 0xfc5e && r <= 0xfc63)
}

func directionOf(s string) direction {
	r := firstRune(s)
	switch {
	case isMark(s):
		return riding
	case unicode.IsDigit(r):
		return numeral
	case isRTLRune(r):
		return leftward
	case unicode.IsLetter(r):
		return rightward
	}
	return neutral
}

// elementsOf lists what words show from left to right.
func elementsOf(words []word) []element {
	var out []element
	for i, w := range words {
		if i > 0 && spaced(words[i-1], w) {
			out = append(out, element{text: " "})
		}
		if w.cells != nil {
			for _, c := range w.cells {
				if c.text != "" {
					out = append(out, element{c.text, directionOf(c.text)})
				}
			}
			continue
		}
		for at := 0; at < len(w.text); {
			_, n := utf8.DecodeRuneInString(w.text[at:])
			s := w.text[at : at+n]
			out = append(out, element{s, directionOf(s)})
			at += n
		}
	}
	return out
}

// logical is the text of elements in the order of reading, where the line runs
// to the left or, with some words that do, to the right.
func logical(line []element, toLeft bool) string {
	resolve(line)
	var b strings.Builder
	if toLeft {
		turnBack(&b, line)
		return balanced(b.String())
	}
	for len(line) > 0 {
		// A run to the left goes from its first letter to the last one before
		// a Latin letter.
		from, to, end := -1, 0, 0
		for ; end < len(line) && (line[end].dir != rightward || from < 0); end++ {
			if line[end].dir == leftward {
				if from < 0 {
					from = end
				}
				to = end + 1
			}
		}
		if from < 0 {
			from, to = len(line), len(line)
		}
		b.WriteString(textOf(line[:from]))
		var part strings.Builder
		turnBack(&part, line[from:to])
		b.WriteString(balanced(part.String()))
		line = line[to:]
	}
	return b.String()
}

func textOf(line []element) string {
	var b strings.Builder
	for _, e := range line {
		b.WriteString(e.text)
	}
	return b.String()
}

// turnBack writes a line from the right, with what runs to the right in it as
// it stands.
func turnBack(b *strings.Builder, line []element) {
	for end := len(line); end > 0; {
		if line[end-1].dir == leftward {
			end--
			b.WriteString(line[end].text)
			continue
		}
		from := end
		for from > 0 && line[from-1].dir != leftward {
			from--
		}
		between(b, line[from:end])
		end = from
	}
}

// between writes what stands between letters that run to the left. From the
// first to the last Latin letter or number it runs to the right, if there is a
// letter; a bracket at an edge belongs to it where its other half does. Numbers
// alone are read one after the other from the right.
func between(b *strings.Builder, part []element) {
	first, last, letters := -1, -1, false
	for i, e := range part {
		if e.dir == rightward || e.dir == numeral {
			if first < 0 {
				first = i
			}
			last = i
			letters = letters || e.dir == rightward
		}
	}
	if letters {
		if first > 0 && strings.ContainsAny(part[first-1].text, "\\@#$/~") {
			first--
		}
		closes := func(from, to int) bool {
			return from >= 0 && to <= len(part) && unpaired(textOf(part[from:to])) < unpaired(textOf(part[first:last+1]))
		}
		if pair := part[last+1 : min(last+3, len(part))]; len(pair) == 2 && strings.Contains(brackets, textOf(pair)) {
			last += 2 // f()
		} else if closes(first, last+2) {
			last++
		} else if closes(first-1, last+1) {
			first--
		}
	}
	for end := len(part); end > 0; {
		from := end - 1
		switch {
		case letters && from == last:
			from = first
		case part[from].dir == numeral:
			for from > 0 && part[from-1].dir == numeral {
				from--
			}
		}
		b.WriteString(textOf(part[from:end]))
		end = from
	}
}

// resolve gives marks the direction of their letter, and signs that belong to
// a number its direction: the rules W1, W4 and W5.
func resolve(line []element) {
	arabic := false
	for i := range line {
		arabic = arabic || line[i].dir == leftward && firstRune(line[i].text) >= 0x600
		if line[i].dir == riding {
			line[i].dir = directionOfMark(line, i)
		}
	}
	is := func(i int) bool { return i >= 0 && i < len(line) && line[i].dir == numeral }
	for i := range line {
		if line[i].dir == neutral && ofNumber(line[i].text, is(i-1), is(i+1), arabic) {
			line[i].dir = numeral
		}
	}
}

// directionOfMark is the direction of the letter that a mark stands on: behind it, or
// else before it.
func directionOfMark(line []element, i int) direction {
	dir := neutral
	for j := i + 1; j < len(line) && j < i+4; j++ {
		if !isMark(line[j].text) {
			dir = line[j].dir
			break
		}
	}
	if dir != leftward && i > 0 {
		return line[i-1].dir
	}
	return dir
}

// ofNumber reports whether a sign belongs to the numbers before or after it. In
// Arabic, only separators do.
func ofNumber(sign string, before, after, arabic bool) bool {
	switch {
	case before && after && strings.ContainsAny(sign, ".,:/\u066b\u066c\u00a0"):
		return true
	case arabic:
		return false
	case before && after && strings.ContainsAny(sign, "+-\u2212"):
		return true
	}
	return (before || after) && strings.ContainsAny(sign, "%$\u20ac\u00a3\u20aa\u00b0#")
}

const brackets = "()[]{}<>«»‹›"

// mirrored turns brackets around.
var mirrored = strings.NewReplacer("(", ")", ")", "(", "[", "]", "]", "[", "{", "}", "}", "{", "<", ">", ">", "<", "«", "»", "»", "«", "‹", "›", "›", "‹")

// balanced mirrors brackets where they stand the wrong way around: some fonts tell
// how a bracket looks, others what it means, and in writing to the left that is not
// the same.
func balanced(s string) string {
	if turned := mirrored.Replace(s); unpaired(turned) < unpaired(s) {
		return turned
	}
	return s
}

// unpaired counts the brackets of a text that have no other half.
func unpaired(s string) (n int) {
	var open []rune
	for _, r := range s {
		i := strings.IndexRune(brackets, r)
		switch {
		case i < 0:
		case strings.ContainsRune("([{<«‹", r):
			open = append(open, r)
		case len(open) > 0 && mirrored.Replace(string(open[len(open)-1])) == string(r):
			open = open[:len(open)-1]
		default:
			n++
		}
	}
	return n + len(open)
}

// toLeft reports whether a line runs to the left. On a page that mostly does,
// a third of its letters is enough.
func toLeft(words []word, sheet bool) bool {
	left, right := lettersOf(words)
	return left > 0 && (left >= right || sheet && left*3 >= right)
}

// lettersOf counts the letters of words that run to the left and the right.
func lettersOf(words []word) (left, right int) {
	for i := range words {
		if !words[i].rtl {
			if isLTR(words[i].text) && !unicode.IsDigit(firstRune(words[i].text)) {
				right += len(words[i].text)
			}
			continue
		}
		for _, c := range words[i].cells {
			switch directionOf(c.text) {
			case leftward:
				left++
			case rightward:
				right++
			}
		}
	}
	return left, right
}

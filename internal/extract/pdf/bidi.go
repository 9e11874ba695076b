package pdf

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
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
	for i := len(line) - 1; i >= 0; i-- { // a mark goes with the letter behind it
		switch {
		case line[i].dir != riding:
		case i+1 < len(line) && line[i+1].dir == leftward:
			line[i].dir = leftward
		case i > 0:
			line[i].dir = line[i-1].dir
		}
	}
	if toLeft {
		return balanced(turnBack(line))
	}
	var b strings.Builder
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
		b.WriteString(balanced(turnBack(line[from:to])))
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

// endsParagraph reports whether the algorithm ends a paragraph at r: a line goes on.
func endsParagraph(r rune) bool { p, _ := bidi.LookupRune(r); return p.Class() == bidi.B }

// turnBack is a line that runs to the left in the order of reading: the algorithm undoes
// itself.
func turnBack(line []element) string {
	const first = 'א' // says that the line runs to the left
	runes := make([]rune, len(line)+1)
	runes[0] = first
	for i := range line {
		switch r := firstRune(line[i].text); {
		case line[i].dir == leftward && isMark(line[i].text):
			runes[i+1] = first
		case endsParagraph(r):
			runes[i+1] = ' '
		default:
			runes[i+1] = r
		}
	}
	keepBrackets(line, runes[1:])
	var p bidi.Paragraph
	_, _ = p.SetString(string(runes)) // it has no errors to give
	order, err := p.Order()
	if err != nil {
		return textOf(line)
	}
	var b strings.Builder
	end := len(line)
	for i := order.NumRuns() - 1; i >= 0; i-- {
		run := order.Run(i)
		part := line[max(end-utf8.RuneCountInString(run.String()), 0):end]
		if end -= len(part); run.Direction() == bidi.RightToLeft {
			part = slices.Clone(part)
			slices.Reverse(part)
		}
		b.WriteString(textOf(part))
	}
	return b.String()
}

// keepBrackets has a Latin word keep its brackets, as in f(): they count as letters.
func keepBrackets(line []element, runes []rune) {
	for from := 0; from < len(line); {
		to, latin := from, false
		for ; to < len(line) && line[to].text != " " && line[to].dir != leftward; to++ {
			latin = latin || line[to].dir == rightward
		}
		for i := from; latin && i < to && unpaired(textOf(line[from:to])) == 0; i++ {
			if strings.Contains(brackets, line[i].text) {
				runes[i] = 'a'
			}
		}
		from = to + 1
	}
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

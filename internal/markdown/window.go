package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Tokens estimates the tokens of s, as [text.Tokens] does.
func Tokens(s string) int { return text.Tokens(s) }

// Quarters returns what Tokens counts for one character, in quarters of a token.
func Quarters(r rune) int { return text.Quarters(r, utf8.RuneLen(r)) }

// Window returns the part of s that begins at character start and has at most
// maxChars characters (code points), the character at which the next part begins,
// and whether anything was cut off. The parts of successive windows add up to s.
//
// Window cuts after white space or between CJK characters, but not within a fenced
// block, a table row or a link: those begin the next part. When one of these is
// longer than a whole window, Window cuts it all the same: a fenced block between
// lines, the others at a word. A part does not end in a heading, unless the heading
// fills the window. With maxChars 0 or less, the part is the whole rest. With a
// start beyond the end, the part is empty.
func Window(s string, start, maxChars int) (part string, next int, cut bool) {
	from, start := skipRunes(s, 0, max(start, 0))
	if maxChars <= 0 {
		return s[from:], start + utf8.RuneCountInString(s[from:]), false
	}
	end, n := skipRunes(s, from, maxChars)
	if end == len(s) {
		return s[from:], start + n, false
	}
	at := beforeHeading(s, from, cutBefore(s, from, end))
	return s[from:at], start + utf8.RuneCountInString(s[from:at]), true
}

// skipRunes returns the offset n runes after from, or the end, and how many
// runes that are.
func skipRunes(s string, from, n int) (at, count int) {
	at = from
	for at < len(s) && count < n {
		if s[at] < utf8.RuneSelf {
			at++
		} else {
			_, size := utf8.DecodeRuneInString(s[at:])
			at += size
		}
		count++
	}
	return at, count
}

// beforeHeading moves a cut within a heading, or directly behind one, to the
// beginning of the heading's line.
func beforeHeading(s string, from, at int) int {
	for range 4 { // consecutive headings; each needs a scan of the text before it
		before := strings.TrimRight(s[from:at], " \n")
		line := from + strings.LastIndexByte(before, '\n') + 1
		marks := strings.TrimLeft(s[line:at], "#")
		n := at - line - len(marks)
		if n == 0 || n > 6 || marks != "" && marks[0] != ' ' || line == from || openFence(s, line) >= 0 {
			break
		}
		at = line
	}
	return at
}

// cutBefore returns the best offset for a cut at or before end, after from.
func cutBefore(s string, from, end int) int {
	line := strings.LastIndexByte(s[:end], '\n') + 1
	if fence := openFence(s, end); fence >= 0 {
		if fence > from {
			return fence
		}
		if line > from {
			return line // longer than the window: between lines
		}
		return wordBefore(s, from, end)
	}
	if isRow(s[line:]) {
		if line > from {
			return line
		}
		return wordBefore(s, from, end)
	}
	at := wordBefore(s, from, end)
	if link := linkAround(s[line:], at-line); link >= 0 && line+link > from {
		at = line + link
	}
	return at
}

// openFence returns the offset of the line that opens the fenced block which
// is open at end, or -1. A block that opens or closes in the line of end is
// open in all of that line.
func openFence(s string, end int) int {
	open, char, length := -1, byte(0), 0
	for at := 0; at < end; {
		stop := strings.IndexByte(s[at:], '\n')
		if stop < 0 {
			stop = len(s)
		} else {
			stop += at
		}
		c, n, bare := fence(s[at:stop])
		switch {
		case n == 0:
		case open < 0:
			open, char, length = at, c, n
		case c == char && n >= length && bare:
			if stop >= end && at < end {
				// The closing line itself: cut behind it or before the block.
				if stop == end {
					return -1
				}
				return open
			}
			open = -1
		}
		at = stop + 1
	}
	return open
}

// fence parses a line as a fence, after the markers of quotations and lists. bare
// reports whether nothing follows the fence, as is required of a closing fence.
func fence(line string) (c byte, n int, bare bool) {
	line = strings.TrimLeft(line, " >")
	for line != "" && (line[0] == '-' || line[0] == '*' || line[0] >= '0' && line[0] <= '9') {
		// The marker of an item, in which a block may open.
		rest := strings.TrimLeft(line, "0123456789.)-*")
		if rest == "" || rest[0] != ' ' {
			return 0, 0, false
		}
		line = strings.TrimLeft(rest, " >")
	}
	if line == "" || line[0] != '`' && line[0] != '~' {
		return 0, 0, false
	}
	rest := strings.TrimLeft(line, line[:1])
	if n = len(line) - len(rest); n < 3 || line[0] == '`' && strings.IndexByte(rest, '`') >= 0 {
		return 0, 0, false
	}
	return line[0], n, strings.TrimSpace(rest) == ""
}

// isRow reports whether a line is a table row.
func isRow(line string) bool {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '>' || line[i] == '-' || line[i] == '*') {
		i++
	}
	return i < len(line) && line[i] == '|'
}

// wordBefore returns the last offset at or before end that does not split a word, or
// end if none exists.
func wordBefore(s string, from, end int) int {
	for at := end; at > from; {
		r, size := utf8.DecodeLastRuneInString(s[:at])
		if r == ' ' || r == '\n' || r == '\t' {
			return at
		}
		if text.IsWide(r) && at > from {
			return at
		}
		at -= size
	}
	return end
}

// linkAround returns the offset of the link or image that at lies within, or
// -1. Links are [text](destination) on one line; escaped brackets are text.
func linkAround(line string, at int) int {
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	var open [8]int
	depth := 0
	for i := 0; i < len(line) && (i < at || depth > 0); i++ {
		switch line[i] {
		case '\\':
			i++
		case '`':
			// A code span: brackets in it are text.
			n := 1
			for i+n < len(line) && line[i+n] == '`' {
				n++
			}
			close := closingRun(line[i+n:], n)
			if close >= 0 {
				i += n + close + n - 1
			} else {
				i += n - 1
			}
		case '[':
			if depth < len(open) {
				open[depth] = i
			}
			depth++
		case ']':
			if depth == 0 {
				continue
			}
			depth--
			if i+1 >= len(line) || line[i+1] != '(' || depth >= len(open) {
				continue
			}
			end := destinationEnd(line, i+2)
			if end < 0 {
				return -1 // not closed: the search for links ends here, to stay linear
			}
			from := open[depth]
			if from > 0 && line[from-1] == '!' {
				from--
			}
			if from < at && at < end {
				// An image within a link: the link is around both.
				if depth > 0 && depth <= len(open) {
					if o := linkAround(line, from); o >= 0 {
						return o
					}
				}
				return from
			}
			i = end - 1
		}
	}
	return -1
}

func closingRun(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		j := i
		for j < len(s) && s[j] == '`' {
			j++
		}
		if j-i == n {
			return i
		}
		i = j
	}
	return -1
}

// destinationEnd returns the offset behind the closing parenthesis of a link.
func destinationEnd(line string, i int) int {
	depth := 1
	quoted := false
	for ; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			quoted = !quoted
		case '(':
			if !quoted {
				depth++
			}
		case ')':
			if !quoted {
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	return -1
}

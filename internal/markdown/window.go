package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// quarters are in a token, of which a character is one at least.
const quarters = 4

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
	for at = from; at < len(s) && count < n; count++ {
		if s[at] < utf8.RuneSelf {
			at++
			continue
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at, count
}

// beforeHeading moves a cut within a heading, or directly behind one, to the
// beginning of the heading's line.
func beforeHeading(s string, from, at int) int {
	for range maxHeadings {
		before := strings.TrimRight(s[from:at], " \n")
		line := from + strings.LastIndexByte(before, '\n') + 1
		marks := strings.TrimLeft(s[line:at], "#")
		n := at - line - len(marks)
		if n == 0 || n > maxLevel || marks != "" && marks[0] != ' ' || line == from || openFence(s, line) >= 0 {
			break
		}
		at = line
	}
	return at
}

// cutBefore returns the best offset for a cut at or before end, after from.
func cutBefore(s string, from, end int) int {
	line := strings.LastIndexByte(s[:end], '\n') + 1
	keep := -1 // the offset before which the cut should be
	if fence := openFence(s, end); fence >= 0 {
		if keep = fence; fence <= from {
			keep = line // longer than the window: between lines
		}
	} else if strings.HasPrefix(strings.TrimLeft(s[line:], " >-*"), "|") {
		keep = line // a row
	}
	if keep > from {
		return keep
	}
	at := wordBefore(s, from, end)
	if keep >= 0 {
		return at
	}
	if link := linkAround(s[line:], at-line); link >= 0 && line+link > from {
		at = line + link
	}
	return at
}

// openFence returns the offset of the line that opens the fenced block which
// is open at end, or -1. A block is open in all of its first and its last line.
func openFence(s string, end int) int {
	open, length := -1, ""
	for at := 0; at < end; {
		stop := len(s)
		if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
			stop = at + i
		}
		run, bare := fence(s[at:stop])
		switch {
		case run == "":
		case open < 0:
			open, length = at, run
		case bare && strings.HasPrefix(run, length):
			if stop > end {
				return open
			}
			open = -1
		}
		at = stop + 1
	}
	return open
}

// fence returns the fence that a line has after the markers of quotations and lists, and
// whether nothing follows it, as is required of a closing one.
func fence(line string) (run string, bare bool) {
	line = strings.TrimLeft(line, " >")
	for line != "" && (line[0] == '-' || line[0] == '*' || line[0] >= '0' && line[0] <= '9') {
		// The marker of an item, in which a block may open.
		rest := strings.TrimLeft(line, "0123456789.)-*")
		if rest == "" || rest[0] != ' ' {
			return "", false
		}
		line = strings.TrimLeft(rest, " >")
	}
	if line == "" || line[0] != '`' && line[0] != '~' {
		return "", false
	}
	rest := strings.TrimLeft(line, line[:1])
	run = line[:len(line)-len(rest)]
	if len(run) < minFence || line[0] == '`' && strings.IndexByte(rest, '`') >= 0 {
		return "", false
	}
	return run, strings.TrimSpace(rest) == ""
}

// wordBefore returns the last offset at or before end that does not split a word, or
// end if none exists.
func wordBefore(s string, from, end int) int {
	for at := end; at > from; {
		r, size := utf8.DecodeLastRuneInString(s[:at])
		if r == ' ' || r == '\n' || r == '\t' || text.IsWide(r) {
			return at
		}
		at -= size
	}
	return end
}

// linkAround returns the offset of the link or image that at is in, or -1. A link is
// [text](destination) on one line; escaped brackets and those of code are text.
func linkAround(line string, at int) int {
	line, _, _ = strings.Cut(line, "\n")
	var open []int // brackets
	found := -1
	for i := 0; i < len(line) && (i < at || len(open) > 0); i++ {
		switch line[i] {
		case '\\':
			i++
		case '`':
			rest := strings.TrimLeft(line[i:], "`")
			run := line[i : len(line)-len(rest)]
			i += len(run) - 1
			if end := strings.Index(rest, run); end >= 0 {
				i += end + len(run)
			}
		case '[':
			open = append(open, i)
		case ']':
			if len(open) == 0 {
				continue
			}
			from := open[len(open)-1]
			open = open[:len(open)-1]
			if i+1 >= len(line) || line[i+1] != '(' {
				continue
			}
			end := destinationEnd(line, i+2)
			if end < 0 {
				return found // not closed: the search for links ends here, to stay linear
			}
			if from > 0 && line[from-1] == '!' {
				from--
			}
			if from < at && at < end {
				found = from // a link around an image comes later
			}
			i = end - 1
		}
	}
	return found
}

// destinationEnd returns the offset behind the closing parenthesis of a link.
func destinationEnd(line string, i int) int {
	depth, quoted := 1, false
	for ; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '(' && !quoted:
			depth++
		case c == ')' && !quoted:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// Fit makes windows smaller until one has no more than so many tokens, and says
// what it was limited to; 0 tokens mean no limit.
func Fit(window func(limit int) (string, int, bool), limit, tokens int) (part string, next int, cut bool, limited int) {
	if tokens > 0 && (limit == 0 || quarters*tokens < limit) {
		limit = quarters * tokens // characters are never more than bytes
	}
	part, next, cut = window(limit)
	for tokens > 0 && limit > 1 && text.Tokens(part) > tokens {
		limit = max(limit*tokens/text.Tokens(part), 1)
		part, next, cut = window(limit)
	}
	return part, next, cut, limit
}

package reader

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// window is the part of the content that begins at start and has at most limit
// characters; 0 means no limit. A list of lines is cut between lines.
func (c *content) window(limit int) (part string, next int, cut bool) {
	if c.lines && limit > 0 {
		return lineWindow(c.whole, c.start, c.head, limit)
	}
	return markdown.Window(c.whole, c.start, limit)
}

// lineWindow is a window of whole lines: one is added as long as all of them
// together, line ends included, have no more characters than the limit. The head of the
// list, of so many bytes, is left out where no line has room beside it. The first line is
// given whole where the limit is smaller than it: half a URL is of no use, and reading on
// has to end.
func lineWindow(whole string, start, head, limit int) (part string, next int, cut bool) {
	rest, _, _ := markdown.Window(whole, start, 0)
	end := lastLine(rest, limit)
	if start == 0 && head > 0 && end <= head+1 {
		rest = strings.TrimLeft(whole[head:], "\n")
		start, end = utf8.RuneCountInString(whole[:len(whole)-len(rest)]), lastLine(rest, limit)
	}
	if end == 0 {
		first, _, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n")
		end = strings.Index(rest, first) + len(first)
	}
	return rest[:end], start + utf8.RuneCountInString(rest[:end]), end < len(rest)
}

// lastLine is the offset behind the last line of s that ends within limit
// characters; 0 where none does.
func lastLine(s string, limit int) int {
	end, n := 0, 0
	for i := range s {
		if s[i] == '\n' && i > 0 {
			end = i
		}
		if n++; n > limit {
			return end
		}
	}
	return len(s)
}

// windowOf describes the part from start to end. The parts of a whole add up to
// its tokens but for rounding.
func (c *content) windowOf(start, end, limit int) *result.Window {
	size := c.size()
	from, to := size.offset(start), size.offset(end)
	first, last := text.Tokens(c.whole[:from]), size.tokens
	if from > 0 || to < len(c.whole) {
		last = min(first+text.Tokens(c.whole[from:to]), last)
	}
	w := &result.Window{Start: start, End: end, Length: size.chars, Limit: limit,
		FirstToken: min(first+1, last), LastToken: last, SectionCount: c.count}
	if c.count == 0 {
		return w
	}
	for i, x := range c.sections {
		// A section is its heading and what stands before the next one.
		stop := w.Length
		if i+1 < len(c.sections) {
			stop = c.sections[i+1].Start
		}
		if x.Start >= end || stop <= start {
			continue
		}
		place := i
		if c.places != nil {
			place = c.places[i]
		}
		w.Sections = append(w.Sections, place+1)
	}
	w.Sections = slices.Compact(w.Sections)
	return w
}

// offset is the offset of a character, or the length of the text.
func (m measured) offset(char int) int {
	switch {
	case char >= m.chars:
		return len(m.text)
	case m.ascii:
		return min(char, len(m.text))
	}
	n := 0
	for i := range m.text {
		if n == char {
			return i
		}
		n++
	}
	return len(m.text)
}

// trimSlack is how much of the content behind a window stays: where a window is cut depends on
// the rest of its last line.
const trimSlack = 64 << 10

// trim drops what no window of at most so many characters and tokens shows, so that the other
// pages of a call have the memory. The sizes stay those of the whole.
func (c *content) trim(limit, tokens int) {
	if limit <= 0 {
		return
	}
	size := c.size()
	defer func() { c.sized = measured{c.whole, size.chars, size.tokens, size.ascii} }()
	if c.passages != nil {
		c.passages = c.passages.Shortened(limit, tokens)
		c.whole = c.passages.Markdown()
		return
	}
	to := size.offset(c.start + limit)
	if to+2*trimSlack >= len(c.whole) {
		return
	}
	for to += trimSlack; !utf8.RuneStart(c.whole[to]); to++ {
	}
	c.whole, c.canonical = strings.Clone(c.whole[:to]), false
	n, _ := slices.BinarySearchFunc(c.sections, c.start+limit, func(s markdown.Section, at int) int { return cmp.Compare(s.Start, at) })
	if n+1 < len(c.sections) { // the next one ends the last one
		c.sections = slices.Clone(c.sections[:n+1])
	}
}

// cutNotice is what follows content that was cut: the line of the second design where the caller
// has set the length, and a sentence otherwise. It is empty for passages, which have marks of gaps.
func (a *Answer) cutNotice() string {
	w := a.Metadata.Window
	switch {
	case !a.Truncated || w == nil || a.content.passages != nil:
		return ""
	case a.bounded:
		return "\n\n<error>Content truncated. The output has been limited to " + strconv.Itoa(w.Limit) + " characters</error>"
	}
	return "\n\n" + w.GoesOn()
}

package passage

import (
	"html"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Normalizing makes two texts comparable that say the same. A model quotes with
// other white space, other quotation marks, and ligatures taken apart; it resolves
// entities and omits marks. Normalized text is never shown: each of its bytes has
// an offset in the source.
//
// Markdown's marks are removed: addresses of links, fences, bullets, marks of
// headings, references to notes, pictures. Stars, underscores, backticks,
// backslashes and square brackets are removed everywhere, because the text does not
// show which of them are marks. Numbers of lists are words and stay. White space of
// any length becomes one space, and so do bars. Case stays unless lower is set.

// normalized is a text in the form that is compared.
type normalized struct {
	text string
	at   []int32 // for each byte of text, and its end: the offset in the source
	code []span  // the lines of blocks of code, in the source
}

// A span is a part of a text, in bytes.
type span struct{ from, to int }

type normalizer struct {
	s     string
	lower bool
	b     []byte
	at    []int32
	gap   int // offset of white space that waits for a word, or -1
	brace int // open brackets, whose closing may be followed by an address
	// unclosed says that a bracket of this line does not end: looking for the
	// end of each of the next ones would be quadratic.
	unclosed bool
}

// normalize normalizes a text. With blocks, marks at the beginnings of lines are read as
// marks of blocks, as in Markdown that package markdown writes.
func normalize(s string, lower, blocks bool) normalized {
	return new(normalizer).read(s, lower, blocks)
}

// read normalizes a text. It uses the memory of the last one that it has read.
func (f *normalizer) read(s string, lower, blocks bool) normalized {
	*f = normalizer{s: s, lower: lower, gap: -1, b: slices.Grow(f.b[:0], len(s)), at: slices.Grow(f.at[:0], len(s)+1)}
	var code []span
	fence := "" // the marks that close the block of code that is open
	for i := 0; i < len(s); {
		end := strings.IndexByte(s[i:], '\n')
		if end < 0 {
			end = len(s)
		} else {
			end += i
		}
		line := s[i:end]
		from := i
		if blocks {
			from += blockMarks(line, fence != "")
		}
		run := ""
		if blocks {
			run = fenceRun(s[from:end])
		}
		switch {
		case fence == "" && run != "":
			fence = run
		case fence != "" && strings.HasPrefix(run, fence):
			fence = ""
		case blocks && isDelimiterRow(line):
		default:
			f.line(from, end)
			if fence != "" {
				code = append(code, span{from, end})
			}
		}
		f.space(end)
		f.brace, f.unclosed = 0, false
		i = end + 1
	}
	f.at = append(f.at, int32(len(s)))
	return normalized{string(f.b), f.at, code}
}

// blockMarks is the length of what stands before the words of a line. In code
// that is the indentation alone.
func blockMarks(line string, code bool) int {
	i := 0
	for i < len(line) {
		n := 0
		switch c := line[i]; {
		case c == ' ' || c == '\t' || c == '>':
			n = 1
		case code:
		case c == '#':
			return i + headingLevel(line[i:])
		case c == '[' && strings.HasPrefix(line[i:], "[^"):
			return i + noteMark(line[i:])
		case strings.IndexByte("-*+:", c) >= 0 && strings.HasPrefix(line[i+1:], " "):
			n = 2
			if rest := line[i+2:]; c != ':' && len(rest) > 3 && rest[0] == '[' && rest[2] == ']' && strings.IndexByte(" xX", rest[1]) >= 0 {
				n = 5 // a task
			}
		}
		if n == 0 {
			return i
		}
		i += n
	}
	return i
}

// noteMark is the length of the mark of a note at the beginning of s, 0 for none.
func noteMark(s string) int {
	if n := strings.Index(s, "]: "); n > 0 {
		return n + 2
	}
	return 0
}

// fenceRun returns the backticks or tildes that make a line a fence, or "".
func fenceRun(line string) string {
	n := 0
	for n < len(line) && line[n] == line[0] {
		n++
	}
	if n < 3 || line[0] != '`' && line[0] != '~' || line[0] == '`' && strings.IndexByte(line[n:], '`') >= 0 {
		return ""
	}
	return line[:n]
}

// isDelimiterRow reports whether a line is the row of dashes below the head of
// a table, or a head of empty cells.
func isDelimiterRow(line string) bool {
	return strings.Contains(line, "|") && strings.Trim(line, " |:->") == ""
}

func (f *normalizer) line(i, end int) {
	s := f.s[:end]
	for i < end {
		c := s[i]
		switch {
		case f.gap < 0 && !f.lower && isPlain(c):
			f.b, f.at = append(f.b, c), append(f.at, int32(i))
			i++
		case c == '[' && strings.HasPrefix(s[i:], "[^"):
			if n := strings.IndexByte(s[i:min(i+40, end)], ']'); n > 0 {
				i += n + 1
			} else {
				i++
			}
		case c == '[' && strings.HasPrefix(s[i:], "[image: "):
			i = f.closing(s, i, '[', ']')
		case c == '!' && strings.HasPrefix(s[i:], "!["):
			i = f.address(s, f.closing(s, i+1, '[', ']'))
		case c == '[':
			f.brace++
			i++
		case c == ']':
			i++
			if f.brace > 0 {
				f.brace--
				i = f.address(s, i)
			}
		case c == '<':
			i += f.tag(s[i:], i)
		case c == '&':
			i += f.entity(s[i:], i)
		case c == '~' && strings.HasPrefix(s[i:], "~~"):
			i += 2
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			f.rune(r, i)
			i += n
		}
	}
}

// isPlain reports whether a character is a letter or digit of ASCII, which stays as it is.
func isPlain(c byte) bool { return c-'0' <= 9 || c|0x20-'a' <= 'z'-'a' }

// tag handles "<" and returns how much of s it took.
func (f *normalizer) tag(s string, at int) int {
	for _, t := range [...]string{"<sub>", "</sub>", "<sup>", "</sup>", "<br>"} {
		if strings.HasPrefix(s, t) {
			if t == "<br>" {
				f.space(at)
			}
			return len(t)
		}
	}
	f.rune('<', at)
	return 1
}

// entity handles "&" and returns how much of s it took.
func (f *normalizer) entity(s string, at int) int {
	const most = 32
	if n := strings.IndexByte(s[:min(len(s), most)], ';'); n > 1 {
		if text := html.UnescapeString(s[:n+1]); text != s[:n+1] {
			for _, r := range text {
				f.rune(r, at)
			}
			return n + 1
		}
	}
	f.rune('&', at)
	return 1
}

// closing returns the offset behind what closes the bracket at i, or behind
// that bracket where nothing does.
func (f *normalizer) closing(s string, i int, open, shut byte) int {
	depth := 0
	for j := i; j < len(s) && !f.unclosed; j++ {
		switch s[j] {
		case '\\':
			j++
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	f.unclosed = true
	return i + 1
}

// address returns the offset behind an address in parentheses at i.
func (f *normalizer) address(s string, i int) int {
	if f.unclosed || i >= len(s) || s[i] != '(' {
		return i
	}
	if end := f.closing(s, i, '(', ')'); !f.unclosed {
		return end
	}
	return i
}

// space notes white space at an offset.
func (f *normalizer) space(at int) {
	if f.gap < 0 {
		f.gap = at
	}
}

// ligatures are characters that stand for several.
var ligatures = map[rune]string{'…': "...", 'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl", 'ﬅ': "st", 'ﬆ': "st"}

// rune writes a character of the text.
func (f *normalizer) rune(r rune, at int) {
	class := text.ClassOf(r)
	if class == text.Space || r == '|' {
		f.space(at)
		return
	}
	if class.Invisible() {
		return
	}
	to := ligatures[r]
	switch {
	case strings.ContainsRune("\\*_`[]", r):
		return // marks, or text that looks like them
	case r < utf8.RuneSelf:
	case strings.ContainsRune("‘’‚‛′‹›", r):
		r = '\''
	case strings.ContainsRune("“”„‟«»″", r):
		r = '"'
	case strings.ContainsRune("‐‑‒–—―−", r):
		r = '-'
	}
	if f.lower {
		r = unicode.ToLower(r)
	}
	if f.gap >= 0 {
		if len(f.b) > 0 {
			f.b, f.at = append(f.b, ' '), append(f.at, int32(f.gap))
		}
		f.gap = -1
	}
	if to == "" {
		f.b = utf8.AppendRune(f.b, r)
	} else {
		f.b = append(f.b, to...)
	}
	for len(f.at) < len(f.b) {
		f.at = append(f.at, int32(at))
	}
}

// find returns the offset of a normalized quote at or after from, or -1. With whole,
// the quote must begin and end at the borders of words: a part of a longer word or
// number does not count.
func (f normalized) find(quote string, from int, whole bool) int {
	for quote != "" && from < len(f.text) {
		i := strings.Index(f.text[from:], quote)
		if i < 0 {
			return -1
		}
		i += from
		if !whole || f.standsAlone(i, i+len(quote)) {
			return i
		}
		from = i + 1
	}
	return -1
}

// Sought is a text that is looked for in whatever form a page has it; "" is none.
type Sought string

// Seek returns what to look for.
func Seek(text string) Sought { return Sought(normalize(text, true, false).text) }

// In returns where Markdown that package markdown wrote has the text, in bytes. The case does
// not matter.
func (s Sought) In(md string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		f := normalize(md, true, true)
		for i := f.find(string(s), 0, false); i >= 0; i = f.find(string(s), i+len(s), false) {
			if !yield(int(f.at[i]), int(f.at[i+len(s)])) {
				return
			}
		}
	}
}

// standsAlone reports whether the text from i to j begins and ends where words
// and numbers do.
func (f normalized) standsAlone(i, j int) bool {
	around := func(at int) (a, b, c, d rune) { // … a b | c d …
		b, n := utf8.DecodeLastRuneInString(f.text[:at])
		a, _ = utf8.DecodeLastRuneInString(f.text[:at-n])
		c, n = utf8.DecodeRuneInString(f.text[at:])
		d, _ = utf8.DecodeRuneInString(f.text[at+n:])
		return a, b, c, d
	}
	a, b, c, d := around(i)
	sign := b == '-' && !text.IsSpacedWord(a) && unicode.IsDigit(c)
	if i > 0 && (splits(a, b, c, d) || sign) {
		return false
	}
	a, b, c, d = around(j)
	percent := unicode.IsDigit(b) && c == '%'
	return j == len(f.text) || !splits(a, b, c, d) && !percent
}

// splits reports whether a cut between b and c goes through a word or a number:
// 1,500 and 4.2 are not quoted by 500 and 4.
func splits(a, b, c, d rune) bool {
	mark := func(r rune) bool { return r == '.' || r == ',' || r == '\'' }
	digit := unicode.IsDigit
	return text.IsSpacedWord(b) && text.IsSpacedWord(c) || digit(a) && mark(b) && digit(c) || digit(b) && mark(c) && digit(d)
}

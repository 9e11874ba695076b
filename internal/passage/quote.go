package passage

import (
	"cmp"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/result"
)

// Verify looks a quote up. It is verified when the page has all of its words,
// in their order and case, with their punctuation and nothing between them, and
// when it begins and ends where words and numbers do. White space, marks of
// Markdown, entities, ligatures, the forms of quotation marks and dashes, soft
// hyphens and what is invisible do not count, nor do quotation marks and
// ellipses around it. What is spliced from two places is not a quote.
func (s *Stored) Verify(quote string) result.Quote {
	q := result.Quote{Text: quote}
	for _, blocks := range [...]bool{false, true} {
		// As the text of a block, and as one with the block's marks.
		want := normalize(quote, false, blocks).text
		for _, want := range [...]string{want, strings.Trim(strings.Trim(want, `"' `), ". ")} {
			if !strings.ContainsFunc(want, isSaying) {
				continue
			}
			if i := s.normalized.find(want, 0, true); i >= 0 {
				s.locate(&q, i, i+len(want))
				return q
			}
		}
	}
	return q
}

// isSaying reports whether a character can be what a quote is about.
func isSaying(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// locate fills in where the normalized text from i to j stands.
func (s *Stored) locate(q *result.Quote, i, j int) {
	from := int(s.normalized.at[i])
	to := int(s.normalized.at[j-1])
	if s.md[to] == '&' && s.normalized.text[j-1] != '&' {
		to += strings.IndexByte(s.md[to:], ';') // the rest of an entity
	}
	_, n := utf8.DecodeRuneInString(s.md[to:])
	q.Verified, q.URL, q.Version = true, s.url, s.version
	q.Start = utf8.RuneCountInString(s.md[:from])
	q.End = q.Start + utf8.RuneCountInString(s.md[from:to+n])
	if in := markdown.SectionAt(s.sections, q.Start); in != nil {
		q.Section = in.ID
	}
	q.Link = s.url + "#:~:text=" + textFragment(s.visible(i, j))
}

// visible is the normalized text from i to j with the characters of the page, as
// its lines.
func (s *Stored) visible(i, j int) []string {
	code := s.codeIn(int(s.normalized.at[i]), int(s.normalized.at[j-1]))
	var lines []string
	begin := 0 // behind the character before
	if i > 0 {
		begin = min(int(s.normalized.at[i-1])+1, int(s.normalized.at[i]))
	}
	b := []byte(s.shownWithin(begin, int(s.normalized.at[i]), code))
	last := -1 // the offset in the source
	for ; i < j; i++ {
		at := int(s.normalized.at[i])
		if at == last {
			continue
		}
		if last >= 0 {
			b = append(b, s.shownWithin(last+1, at, code)...)
		}
		last = at
		switch {
		case s.normalized.text[i] != ' ':
			r, n := utf8.DecodeRuneInString(s.md[at:])
			if end := strings.IndexByte(s.md[at:min(len(s.md), at+32)], ';'); r == '&' && s.normalized.text[i] != '&' && end > 0 && !holds(code, at) {
				b = append(b, html.UnescapeString(s.md[at:at+end+1])...)
				continue
			}
			b = append(b, s.md[at:at+n]...)
		case !strings.ContainsAny(s.md[at:s.normalized.at[i+1]], "\n|"):
			b = append(b, ' ')
		default: // another block, or another cell
			lines = append(lines, string(b))
			b = b[:0]
		}
	}
	end := max(last+1, min(int(s.normalized.at[j]), lineEnd(s.md, last+1)))
	return append(lines, string(append(b, strings.TrimRight(s.shownWithin(last+1, end, code), " ")...)))
}

// Normalizing takes characters for marks that the page shows: in code, after a
// backslash, and underscores, which package markdown never writes as marks. The next
// functions bring them back.

// codeIn returns the code in the lines of a part of the source: blocks and spans.
func (s *Stored) codeIn(from, to int) []span {
	blocks := s.normalized.code
	k, _ := slices.BinarySearchFunc(blocks, from, func(s span, from int) int { return cmp.Compare(s.to, from) })
	var out []span
	for ; k < len(blocks) && blocks[k].from <= to; k++ {
		out = append(out, blocks[k])
	}
	if len(out) > 0 {
		return out // a passage does not begin before a block of code and end in it
	}
	from = strings.LastIndexByte(s.md[:from], '\n') + 1
	for from <= to {
		end := lineEnd(s.md, from)
		out = appendSpans(out, s.md, from, end)
		from = end + 1
	}
	return out
}

// appendSpans appends the code spans of a line, without their backticks.
func appendSpans(out []span, md string, from, end int) []span {
	for i := from; i < end; {
		switch md[i] {
		case '\\':
			i += 2
			continue
		case '`':
		default:
			i++
			continue
		}
		run := len(md[i:end]) - len(strings.TrimLeft(md[i:end], "`"))
		open := i + run
		i = open
		for k := open; k < end; {
			if md[k] != '`' {
				k++
				continue
			}
			n := len(md[k:end]) - len(strings.TrimLeft(md[k:end], "`"))
			if n == run {
				out = append(out, span{open, k})
				i = k + n
				break
			}
			k += n
		}
	}
	return out
}

func holds(code []span, at int) bool {
	return slices.ContainsFunc(code, func(s span) bool { return s.from <= at && at < s.to })
}

// shownWithin returns what the page shows of a part of the source that normalizing
// left out.
func (s *Stored) shownWithin(from, to int, code []span) string {
	if i := strings.LastIndexByte(s.md[from:to], '\n'); i >= 0 {
		from += i + 1 // what stands before it is marks of blocks
	}
	var b []byte
	for k := from; k < to; k++ {
		c := s.md[k]
		switch {
		case (c == ' ' || c == '\t') && len(b) > 0 && b[len(b)-1] != ' ':
			b = append(b, ' ')
		case holds(code, k):
			if isGraphic(c) {
				b = append(b, c)
			}
		case c == '\\' && k+1 < to && isGraphic(s.md[k+1]):
			k++
			b = append(b, s.md[k])
		case c == '_':
			b = append(b, c)
		case c == ']' && k+1 < to && s.md[k+1] == '(':
			return string(b) // an address
		}
	}
	return string(b)
}

// isGraphic reports whether a byte is a character of ASCII that a person sees.
func isGraphic(c byte) bool { return '!' <= c && c <= '~' }

// textFragment writes the text directive for a quote: all of a short one, the
// first and the last words of one that is long or spans blocks.
func textFragment(lines []string) string {
	const short, words = 100, 5
	first, last := strings.Fields(lines[0]), strings.Fields(lines[len(lines)-1])
	if len(lines) == 1 && (len(lines[0]) <= short || len(first) < 2*words) {
		return escapeDirective(lines[0])
	}
	return escapeDirective(strings.Join(first[:min(words, len(first))], " ")) + "," +
		escapeDirective(strings.Join(last[max(0, len(last)-words):], " "))
}

// escapeDirective percent-encodes what is not a letter or digit of ASCII: the
// directive has meanings of its own for commas, dashes and ampersands.
func escapeDirective(s string) string {
	return strings.NewReplacer("+", "%20", "-", "%2D").Replace(url.QueryEscape(s))
}

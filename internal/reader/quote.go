package reader

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/result"
)

// Quote is a quotation and the place where it was found.
type Quote = result.Quote

// Evidence is a version of a page in which quotes are looked up. It is safe
// for concurrent use.
type Evidence struct {
	url, version, md string
	sections         []markdown.Section
	normalized       normalized
}

// NewEvidence takes a version as [markdown.RenderOutline] writes it.
func NewEvidence(url, version, md string, sections []markdown.Section) *Evidence {
	url, _, _ = strings.Cut(url, "#")
	return &Evidence{url: url, version: version, md: md, sections: sections, normalized: normalizeMarkdown(md, false)}
}

// Verify looks a quote up. It is verified when the page has all of its words,
// in their order and case, with their punctuation and nothing between them, and
// when it begins and ends where words and numbers do. White space, marks of
// Markdown, entities, ligatures, the forms of quotation marks and dashes, soft
// hyphens and what is invisible do not count, nor do quotation marks and
// ellipses around it. What is spliced from two places is not a quote.
func (e *Evidence) Verify(quote string) Quote {
	q := Quote{Text: quote}
	for _, blocks := range [...]bool{false, true} {
		// As the text of a block, and as one with the block's marks.
		want := normalizeQuote(quote, false, blocks)
		for _, want := range [...]string{want, strings.Trim(strings.Trim(want, `"' `), ". ")} {
			if !strings.ContainsFunc(want, isSaying) {
				continue
			}
			if i := e.normalized.find(want, 0, true); i >= 0 {
				e.locate(&q, i, i+len(want))
				return q
			}
		}
	}
	return q
}

// isSaying reports whether a character can be what a quote is about.
func isSaying(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// locate fills in where the normalized text from i to j stands.
func (e *Evidence) locate(q *Quote, i, j int) {
	from := int(e.normalized.at[i])
	to := int(e.normalized.at[j-1])
	if e.md[to] == '&' && e.normalized.text[j-1] != '&' {
		to += strings.IndexByte(e.md[to:], ';') // the rest of an entity
	}
	_, n := utf8.DecodeRuneInString(e.md[to:])
	q.Verified, q.URL, q.Version = true, e.url, e.version
	q.Start = utf8.RuneCountInString(e.md[:from])
	q.End = q.Start + utf8.RuneCountInString(e.md[from:to+n])
	if s := sectionAt(e.sections, q.Start); s != nil {
		q.Section = s.ID
	}
	q.Link = e.url + "#:~:text=" + textFragment(e.visible(i, j))
}

// visible is the normalized text from i to j with the characters of the page, as
// its lines.
func (e *Evidence) visible(i, j int) []string {
	var lines []string
	var b strings.Builder
	last := int32(-1)
	for ; i < j; i++ {
		at := e.normalized.at[i]
		if at == last {
			continue
		}
		if last >= 0 {
			b.WriteString(dropped(e.md[last+1 : at]))
		}
		last = at
		switch {
		case e.normalized.text[i] != ' ':
			r, n := utf8.DecodeRuneInString(e.md[at:])
			if end := strings.IndexByte(e.md[at:min(len(e.md), int(at)+32)], ';'); r == '&' && e.normalized.text[i] != '&' && end > 0 {
				b.WriteString(html.UnescapeString(e.md[at : int(at)+end+1]))
				continue
			}
			b.WriteString(e.md[at : int(at)+n])
		case !strings.ContainsAny(e.md[at:e.normalized.at[i+1]], "\n|"):
			b.WriteByte(' ')
		default: // another block, or another cell
			lines = append(lines, b.String())
			b.Reset()
		}
	}
	return append(lines, b.String())
}

// dropped are the characters between two of the normalized text that stand on the
// page, although normalizing takes them for marks: the underscores of names.
func dropped(between string) string {
	if strings.IndexByte(between, '_') < 0 || strings.IndexByte(between, ']') >= 0 || strings.IndexByte(between, '\n') >= 0 {
		return "" // the address of a link, or the end of a block
	}
	return strings.Repeat("_", strings.Count(between, "_"))
}

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
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '~' {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return b.String()
}

package reader

import (
	"strings"
	"unicode/utf8"
)

// The quotations of an answer: what a model puts between quotation marks, and
// whether it stands in the source.

const (
	// leastQuote is from how many words on marks stand around a quotation: fewer
	// are a name or a word that is spoken of.
	leastQuote = 3
	mostQuote  = 2000 // bytes
	mostQuotes = 200
)

// Quotations are the passages of a text that stand between double quotation
// marks, in their order.
func Quotations(text string) []string {
	var out []string
	for i := 0; i < len(text) && len(out) < mostQuotes; {
		r, n := utf8.DecodeRuneInString(text[i:])
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		i += n
		shut := ""
		switch r {
		case '"':
			if isWord(before) {
				continue // inches, or a mark that closes
			}
			shut = `"`
		case '“':
			shut = "”"
		case '„':
			shut = "“”"
		case '«':
			shut = "»"
		default:
			continue
		}
		end := strings.IndexAny(text[i:min(len(text), i+mostQuote)], shut)
		if end < 0 {
			continue
		}
		if q := text[i : i+end]; len(strings.Fields(q)) >= leastQuote && !strings.Contains(q, "\n\n") {
			out = append(out, q)
			_, n = utf8.DecodeRuneInString(text[i+end:])
			i += end + n
		} else if r == '"' {
			i += end + 1 // its other mark opens nothing
		}
	}
	return out
}

// Quotable is Markdown in which quotations are looked up.
type Quotable struct{ text folded }

// NewQuotable reads Markdown as package markdown writes it.
func NewQuotable(md string) Quotable { return Quotable{foldMarkdown(md, false)} }

// Holds reports whether a quotation stands there word for word, white space and
// marks aside. A full stop or a comma at its end may belong to the sentence
// around it and counts for nothing.
func (s Quotable) Holds(quote string) bool {
	_, _, ok := locate(s.text, quote)
	return ok
}

// locate returns the offsets of a quotation in the source of a folded text.
func locate(f folded, quote string) (from, to int, ok bool) {
	for _, q := range []string{quote, strings.TrimRight(strings.TrimSpace(quote), ".,;:!?…")} {
		want := foldQuote(q, false, false)
		if i := f.find(want, 0, true); i >= 0 && want != "" {
			from, to = f.source(i, i+len(want))
			return from, to, true
		}
	}
	return 0, 0, false
}

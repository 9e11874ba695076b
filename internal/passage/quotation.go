package passage

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
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

// Quotations are the passages of an answer that stand between double quotation
// marks, in their order.
func Quotations(answer string) []string {
	var out []string
	for i := 0; i < len(answer) && len(out) < mostQuotes; {
		r, n := utf8.DecodeRuneInString(answer[i:])
		before, _ := utf8.DecodeLastRuneInString(answer[:i])
		i += n
		shut := ""
		switch r {
		case '"':
			if text.IsSpacedWord(before) {
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
		end := strings.IndexAny(answer[i:min(len(answer), i+mostQuote)], shut)
		if end < 0 {
			continue
		}
		if q := answer[i : i+end]; len(strings.Fields(q)) >= leastQuote && !strings.Contains(q, "\n\n") {
			out = append(out, q)
			_, n = utf8.DecodeRuneInString(answer[i+end:])
			i += end + n
		} else if r == '"' {
			i += end + 1 // its other mark opens nothing
		}
	}
	return out
}

// MarkQuotes says of the quotations in a text that were not verified that they
// were not, behind their closing marks. The quotes stand in the order of
// [Quotations].
func MarkQuotes(text string, quotes []result.Quote) string {
	var b strings.Builder
	for _, q := range quotes {
		i := strings.Index(text, q.Text)
		if i < 0 {
			continue
		}
		i += len(q.Text)
		_, n := utf8.DecodeRuneInString(text[i:]) // the closing mark
		b.WriteString(text[:i+n])
		if !q.Verified {
			b.WriteString(" (unverified)")
		}
		text = text[i+n:]
	}
	b.WriteString(text)
	return b.String()
}

// JSONTexts are the texts in a JSON value that are long enough to be quotations,
// in their order.
func JSONTexts(text string) []string {
	var out []string
	d := json.NewDecoder(strings.NewReader(text))
	var open []bool // for each level: is it an object
	key := false    // the next text is a name
	for len(out) < mostQuotes {
		t, err := d.Token()
		if err != nil {
			return out
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				open = append(open, t == '{')
			} else {
				open = open[:len(open)-1]
			}
			key = len(open) > 0 && open[len(open)-1]
			continue
		case string:
			if !key && len(strings.Fields(t)) >= leastQuote && len(t) <= mostQuote {
				out = append(out, t)
			}
		}
		key = len(open) > 0 && open[len(open)-1] && !key
	}
	return out
}

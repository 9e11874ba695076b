package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file finds the evidence for the values of an answer with a schema. A value is
// quoted where a page has it word for word; of several places, the one counts whose
// line has most words of the field's name. What is not in the text can be in the page's
// data. The model is not asked for evidence: what it says proves nothing.

const (
	// mostFields bounds the values that have evidence.
	mostFields = 500
	// plainValue is the number of characters from which on a value is evidence by
	// itself. A shorter one, as 3 or XL, is on most pages: its line has to have a word
	// of the field's name.
	plainValue = 3
)

// fill reads the value out of the reply of the model, which has a second try.
func (r *run) fill(ctx context.Context, q llm.Request, reply *llm.Reply) error {
	value, problem := r.form.Fit(text.Clean(reply.Text, text.Verbatim, nil))
	if problem != "" && llm.EstimateTokens(q.Size())+2*leastTokens < r.left() {
		q.Messages = append(q.Messages, llm.Message{FromModel: true, Text: reply.Text},
			llm.Message{Text: q.Messages[0].Text + "\n\nYour last answer cannot be used: " + problem + ". Answer again, with the JSON value alone."})
		again, err := r.ask(ctx, q)
		if err != nil {
			return err
		}
		value, problem = r.form.Fit(text.Clean(again.Text, text.Verbatim, nil))
	}
	if problem != "" {
		return tool.NewError(tool.ModelError, "the model's answer does not fit the schema: "+problem, "ask for fewer values at a time, or choose another model in WEB_MODEL")
	}
	r.text = string(value)
	return nil
}

// prove makes a value the answer and finds the evidence for what is in it.
func (r *run) prove(value string) {
	a := r.answer
	a.Data = json.RawMessage(value)
	d := json.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return // cannot happen: the value was validated
	}
	a.Evidence = []result.Evidence{}
	r.proveValue("", "", v)
	a.Statements = len(a.Evidence)
	for _, e := range a.Evidence {
		if e.Confidence == result.Unverified {
			a.Unverified++
		}
	}
}

// proveValue finds the evidence for the leaves of a value at a JSON pointer; name has the
// words of the members above it.
func (r *run) proveValue(at, name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			r.proveValue(at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), nameWords(key), v[key])
		}
	case []any:
		for i, x := range v {
			r.proveValue(at+"/"+strconv.Itoa(i), name, x)
		}
	case nil:
	default:
		if len(r.answer.Evidence) < mostFields {
			r.answer.Evidence = append(r.answer.Evidence, r.proveLeaf(at, name, v))
		}
	}
}

// nameWords separates the words of a member's name: unitPrice, unit_price.
func nameWords(key string) string {
	var b strings.Builder
	for i, c := range key {
		if i > 0 && c >= 'A' && c <= 'Z' {
			b.WriteByte(' ')
		}
		if c == '_' || c == '-' {
			c = ' '
		}
		b.WriteRune(c)
	}
	return b.String()
}

func (r *run) proveLeaf(at, name string, v any) result.Evidence {
	e := result.Evidence{Field: at, Confidence: result.Unverified}
	for _, form := range forms(v) {
		if f, ok := r.quoteFor(form, name); ok {
			e.Confidence, e.Citation = result.Quoted, r.cite(f)
			return e
		}
	}
	said := forms(v)
	if b, ok := v.(bool); ok {
		said = []string{strconv.FormatBool(b)}
	}
	for _, form := range said {
		for _, s := range r.sources {
			for _, data := range s.data {
				if q := passage.NewStored(s.URL, s.Version, data, nil).Verify(form); q.Verified && (len(form) >= plainValue || strings.Contains(strings.ToLower(data), strings.ToLower(name))) {
					e.Confidence = result.FromData
					return e
				}
			}
		}
	}
	return e
}

// forms are the ways in which a page writes a value; none for a boolean, which only the
// data of a page can have.
func forms(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case json.Number:
		return numberForms(string(v))
	}
	return nil
}

// numberForms are 1234.5, 1234.50, 1,234.50 and 1.234,50.
func numberForms(n string) []string {
	f, err := strconv.ParseFloat(n, 64)
	if err != nil {
		return nil
	}
	out := []string{n}
	for _, decimals := range []int{-1, 2} {
		plain := strconv.FormatFloat(f, 'f', decimals, 64)
		whole, rest, _ := strings.Cut(plain, ".")
		out = append(out, plain)
		for _, marks := range []struct{ thousand, point string }{{",", "."}, {".", ","}, {" ", ","}, {"'", "."}, {"", ","}} {
			s := grouped(whole, marks.thousand)
			if rest != "" {
				s += marks.point + rest
			}
			out = append(out, s)
		}
	}
	return slices.Compact(out)
}

func grouped(digits, mark string) string {
	var b bytes.Buffer
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteString(mark)
		}
		b.WriteRune(c)
	}
	return b.String()
}

// quoteFor finds a value in the pages and returns the line that has it.
func (r *run) quoteFor(value, name string) (best found, ok bool) {
	want := sayingOf(name).words
	most := -1
	for _, s := range r.sources {
		for _, e := range r.evidence(s) {
			q := e.Verify(value)
			if !q.Verified {
				continue
			}
			f, shared := found{s, q, e.exact}, 0
			for _, line := range e.Lines(value) {
				n := 0
				for w := range sayingOf(line).words {
					if want[w] {
						n++
					}
				}
				if whole := e.Verify(line); whole.Verified && len(line) <= mostQuote && (n > shared || f.quote.Text == q.Text) {
					f.quote, shared = whole, n
				}
			}
			if utf8.RuneCountInString(value) < plainValue && shared == 0 {
				continue
			}
			if shared > most {
				best, most, ok = f, shared, true
			}
		}
	}
	return best, ok
}

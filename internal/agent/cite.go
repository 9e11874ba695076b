package agent

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/terms"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// This file checks the text of an answer. It cuts the text into statements: parts of a
// sentence that end in a citation of the model, or sentences without one. A statement
// needs a quotation, the first of these that is on a page:
//
//  1. the exact words in the citation: It was lit in 1881 [1 "first lit on 31 August 1881"].
//  2. a quotation in the statement: It was "first lit on 31 August 1881" [1].
//  3. the statement itself, word for word.
//  4. a sentence of a page that has all of the statement's words but the commonest,
//     and a negation exactly where the statement has one.
//
// A number in the statement has to be in its quotation, and at least one other word.
// Where nothing is found, the statement is marked. The citations of the model name
// pages; those of the checked text are the numbers of quotations.

const (
	// unverified marks a statement without a quotation.
	unverified = " (unverified)"
	// silence begins a statement that needs no quotation; the system prompt asks for it.
	silence = "The pages do not"
	// leastStatement is the number of words from which on a part of a sentence, without
	// a citation, is a statement. Shorter ones are headings and phrases.
	leastStatement = 3
	// mostCitations bounds the citations of an answer, mostQuote one of them in bytes.
	mostCitations, mostQuote = 1000, 600
	// searched is the number of passages of a page in which support is looked for.
	searched = 3
)

// cited is one citation of the model: [1], [1, 2] or [1 "words"].
type cited struct {
	from, to int // in the text
	pages    []int
	words    string
}

// citation parses a citation at the beginning of s; ok is false if none is there.
func citation(s string) (c cited, ok bool) {
	if s[0] != '[' {
		return c, false
	}
	i := 1
	for {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' && i-start < 4 {
			i++
		}
		n, err := strconv.Atoi(s[start:i])
		if err != nil || n == 0 {
			return c, false
		}
		c.pages = append(c.pages, n)
		for i < len(s) && (s[i] == ' ' || s[i] == ',' || s[i] == ':' || s[i] == ';') {
			i++
		}
		switch {
		case i == len(s):
			return c, false
		case s[i] == ']':
			c.to = i + 1
			return c, !strings.HasPrefix(s[c.to:], "(") // a Markdown link
		case s[i] >= '0' && s[i] <= '9':
			continue
		}
		open, n := utf8.DecodeRuneInString(s[i:])
		shut := map[rune]string{'"': "\"]", '“': "”]", '„': "“]", '«': "»]", '\'': "']"}[open]
		if shut == "" {
			return c, false
		}
		i += n
		line := s[i:]
		if end := strings.Index(line, "\n\n"); end >= 0 {
			line = line[:end]
		}
		end := strings.Index(line, shut)
		if end < 0 || end > mostQuote*2 {
			return c, false
		}
		c.words, c.to = line[:end], i+end+len(shut)
		return c, true
	}
}

// statement is a part of the answer that needs support.
type statement struct {
	from, to int     // of its text, without citations
	cites    []cited // behind it
}

// statements cuts an answer. Blocks of code are left out.
func statements(s string) (out []statement) {
	fenced := false
	for at := 0; at < len(s); {
		end := len(s)
		if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
			end = at + i
		}
		line := s[at:end]
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		} else if !fenced {
			out = appendStatements(out, s, at, end)
		}
		at = end + 1
	}
	return out
}

// appendStatements appends the statements of a line.
func appendStatements(out []statement, s string, from, end int) []statement {
	start := from
	for i := from; i < end; {
		if c, ok := citation(s[i:end]); ok {
			c.from, c.to = i, i+c.to
			if bare := strings.TrimFunc(s[start:i], notSaying); bare == "" && len(out) > 0 && out[len(out)-1].from >= from {
				last := &out[len(out)-1] // a further citation of the same words
				last.cites = append(last.cites, c)
			} else {
				out = append(out, statement{start, i, []cited{c}})
			}
			i, start = c.to, c.to
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if skip := quotedLength(s[i-n:end], r, before(s, i-n)); skip > 0 {
			i += skip - n
			_, n = utf8.DecodeLastRuneInString(s[:i])
			if ending := strings.TrimRight(s[:i-n], " "); !strings.HasSuffix(ending, ".") {
				continue // a quotation ends the sentence only where its text does
			}
			r = '.'
		}
		if ends(r, s[i:end]) {
			if next := strings.TrimLeft(s[i:end], " "); next != "" {
				if _, ok := citation(next); ok {
					continue // its citation stands behind the full stop
				}
			}
			if strings.TrimFunc(s[start:i], notSaying) != "" {
				out = append(out, statement{start, i, nil})
			}
			start = i
		}
	}
	if strings.TrimFunc(s[start:end], notSaying) != "" {
		out = append(out, statement{start, end, nil})
	}
	return out
}

func before(s string, i int) rune {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return r
}

// quotedLength is the length of the quotation at the beginning of s, which does not end
// a sentence in its middle; 0 if none is there.
func quotedLength(s string, open, before rune) int {
	shut := map[rune]string{'"': `"`, '“': "”", '«': "»"}[open]
	if shut == "" || open == '"' && text.IsSpacedWord(before) {
		return 0
	}
	n := utf8.RuneLen(open)
	if i := strings.Index(s[n:], shut); i >= 0 {
		return n + i + len(shut)
	}
	return 0
}

// ends reports whether a character ends a sentence, given what follows it.
func ends(r rune, rest string) bool {
	switch r {
	case '。', '！', '？':
		return true
	case '.', '!', '?':
	default:
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0] != ' ' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	return !unicode.IsLower(next) // "e.g. in", "approx. two"
}

func notSaying(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// check marks what is not supported in a text and numbers the quotations of the rest.
func (r *run) check(s string) string {
	a := r.answer
	var b strings.Builder
	at := 0
	for _, one := range statements(s) {
		words := s[one.from:one.to]
		numbers, quoted := r.support(words, one.cites)
		b.WriteString(s[at:one.from])
		body, tail := r.known(words), ""
		if at = one.to; len(one.cites) == 0 {
			body, tail = cutMark(body)
		} else {
			at = one.cites[len(one.cites)-1].to
		}
		a.Statements++
		switch {
		case len(numbers) > 0:
			if body += " "; len(one.cites) > 0 {
				body = strings.TrimRight(body, " ") + spaces(words)
			}
			for _, n := range numbers {
				body += "[" + strconv.Itoa(n) + "]"
			}
		case quoted: // the false quotation is marked already
			a.Unverified++
			body = strings.TrimRight(body, " ")
		case len(one.cites) > 0 || needsSupport(words):
			a.Unverified++
			body = strings.TrimRight(body, " ") + unverified
		default:
			a.Statements--
		}
		b.WriteString(body + tail)
	}
	b.WriteString(s[at:])
	return b.String()
}

// spaces are those at the end of a text.
func spaces(s string) string { return s[len(strings.TrimRight(s, " ")):] }

// cutMark splits a statement before the marks that end it.
func cutMark(s string) (body, tail string) {
	body = strings.TrimRightFunc(s, func(r rune) bool { return strings.ContainsRune(".!?。！？|*_ ", r) })
	return body, s[len(body):]
}

// needsSupport reports whether a sentence without a citation is a statement.
func needsSupport(s string) bool {
	s = strings.TrimSpace(s)
	plain := strings.TrimLeft(s, "-*•>#|0123456789.) ")
	switch {
	case strings.HasPrefix(s, "#"), strings.HasSuffix(s, ":"), strings.HasSuffix(s, ":**"), strings.HasSuffix(s, "?"), strings.HasPrefix(plain, silence):
		return false
	}
	return len(strings.Fields(plain)) >= leastStatement
}

// support finds the quotations for a statement and returns their numbers. quoted reports
// that the statement has a quotation that is on no page.
func (r *run) support(words string, cites []cited) (numbers []int, quoted bool) {
	var pages []int
	for _, c := range cites {
		pages = append(pages, c.pages...)
	}
	var quotes []found
	for _, c := range cites {
		if c.words != "" {
			if q, ok := r.find(c.words, c.pages); ok {
				quotes = append(quotes, q)
			}
		}
	}
	for _, saying := range passage.Quotations(words) {
		q, ok := r.find(saying, pages)
		if !ok {
			quoted = true
			continue
		}
		quotes = append(quotes, q)
	}
	if quoted || !r.fits(words, quotes) {
		quotes = nil
	}
	if len(quotes) == 0 && !quoted {
		plain := strings.TrimLeft(strings.TrimSpace(words), "-*•>#|),;: ")
		q, ok := found{}, false
		if len(strings.Fields(plain)) >= leastStatement {
			q, ok = r.find(plain, pages)
		}
		if !ok {
			q, ok = r.covered(plain, pages)
		}
		if ok {
			quotes = append(quotes, q)
		}
	}
	for _, q := range quotes {
		if n := r.cite(q); n > 0 && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	return numbers, quoted
}

// found is a quotation and its page.
type found struct {
	source *source
	quote  result.Quote
	exact  bool // its offsets are those of the version
}

// pageText is a text of a page in which quotations are looked up: exact reports that it
// is the Markdown of a version.
type pageText struct {
	*passage.Stored
	exact bool
}

// evidence returns the texts of a page: the version that was read, if it is stored, and
// what the model was given.
func (r *run) evidence(s *source) []pageText {
	if s.texts == nil {
		if v := r.a.o.Version; v != nil && s.Version != "" {
			if md, ok := v(r.ctx, s.Version); ok {
				s.texts = append(s.texts, pageText{passage.NewStored(s.URL, s.Version, md, nil), true})
			}
		}
		for _, shown := range s.shown {
			s.texts = append(s.texts, pageText{passage.NewStored(s.URL, s.Version, shown, nil), false})
		}
	}
	return s.texts
}

// find looks words up, first in the pages with these numbers.
func (r *run) find(words string, pages []int) (found, bool) {
	for _, s := range r.ordered(pages) {
		for _, e := range r.evidence(s) {
			if q := e.Verify(words); q.Verified {
				return found{s, q, e.exact}, true
			}
		}
	}
	return found{}, false
}

// ordered returns the pages that were read, those with these numbers first.
func (r *run) ordered(pages []int) []*source {
	out := slices.Clone(r.sources)
	slices.SortStableFunc(out, func(a, b *source) int {
		in := func(s *source) int {
			if slices.Contains(pages, s.N) {
				return 0
			}
			return 1
		}
		return in(a) - in(b)
	})
	return out
}

// covered looks for a sentence that has all words of a statement.
func (r *run) covered(words string, pages []int) (found, bool) {
	want := sayingOf(words)
	if len(want.words) < 2 && len(pages) == 0 || len(want.words) == 0 {
		return found{}, false
	}
	for _, s := range r.ordered(pages) {
		if len(pages) > 0 && !slices.Contains(pages, s.N) {
			break
		}
		for _, e := range r.evidence(s) {
			for _, p := range e.Excerpts(words, searched) {
				if q := e.Verify(shortest(p.Text, want)); q.Verified {
					return found{s, q, e.exact}, true
				}
			}
		}
	}
	return found{}, false
}

// shortest returns the sentence of a passage that has the words, or else the passage,
// if it has them and is short.
func shortest(passage string, want saying) string {
	for _, one := range statements(passage) {
		if s := strings.TrimSpace(passage[one.from:one.to]); sayingOf(s).has(want) {
			return s
		}
	}
	if len(passage) <= mostQuote && sayingOf(passage).has(want) {
		return passage
	}
	return ""
}

// saying is what a sentence says, for comparison.
type saying struct {
	words   map[string]bool // stems without the commonest words
	negated bool
}

func sayingOf(s string) saying {
	out := saying{words: map[string]bool{}}
	last := ""
	terms.Scan(s, func(w []byte) {
		word := string(w)
		switch word {
		case "not", "no", "never", "none", "nor", "neither", "without", "cannot":
			out.negated = true
			return
		case "t":
			out.negated = out.negated || strings.HasSuffix(last, "n")
		}
		if last = word; !terms.IsStopWord(word) {
			out.words[string(terms.Stem(w))] = true
		}
	})
	return out
}

// has reports whether a sentence says all of another one, as far as words tell.
func (s saying) has(other saying) bool {
	if s.negated != other.negated {
		return false
	}
	for w := range other.words {
		if !s.words[w] {
			return false
		}
	}
	return true
}

// fits reports whether quotations can support a statement: they have its numbers, but
// for those of the question, and one of its words.
func (r *run) fits(words string, quotes []found) bool {
	has := saying{words: map[string]bool{}}
	for _, q := range quotes {
		for w := range sayingOf(q.quote.Text).words {
			has.words[w] = true
		}
	}
	asked := sayingOf(r.answer.Question).words
	shared := false
	for w := range sayingOf(words).words {
		if has.words[w] {
			shared = true
		} else if unicode.IsDigit(rune(w[0])) && !asked[w] {
			return false
		}
	}
	return shared
}

// cite gives a quotation its number; 0 where there are too many.
func (r *run) cite(f found) int {
	c := result.Citation{URL: f.source.URL, Title: f.source.Title, Version: f.source.Version, Quote: f.quote.Text, Link: f.quote.Link}
	if f.exact {
		c.Start, c.End = f.quote.Start, f.quote.End
	}
	for _, other := range r.answer.Citations {
		if other.URL == c.URL && other.Quote == c.Quote {
			return other.N
		}
	}
	if len(r.answer.Citations) == mostCitations {
		return 0
	}
	c.N = len(r.answer.Citations) + 1
	r.answer.Citations = append(r.answer.Citations, c)
	return c.N
}

// known marks the false quotations and the URLs of pages that were not read in a
// statement.
func (r *run) known(s string) string {
	var quotes []result.Quote
	for _, q := range passage.Quotations(s) {
		_, ok := r.find(q, nil)
		quotes = append(quotes, result.Quote{Text: q, Verified: ok})
	}
	s = passage.MarkQuotes(s, quotes)
	var b strings.Builder
	for i := 0; i < len(s); {
		length := urlLength(s[i:])
		if length == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		raw := s[i : i+length]
		b.WriteString(raw)
		i += length
		at, _ := address(raw)
		if slices.ContainsFunc(r.sources, func(s *source) bool { return s.address == at }) {
			continue
		}
		if i < len(s) && (s[i] == ')' || s[i] == '>') {
			b.WriteByte(s[i])
			i++
		}
		b.WriteString(" (not read)")
	}
	return b.String()
}

// urlLength returns the length of the URL at the beginning of a text, 0 when none
// exists.
func urlLength(s string) int {
	if !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
		return 0
	}
	end := strings.IndexAny(s, " \t\n<>\"'`)]")
	if end < 0 {
		end = len(s)
	}
	return len(strings.TrimRight(s[:end], ".,;:!?*_"))
}

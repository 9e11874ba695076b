// Package pixels provides pages that hide a sentence by a trick of CSS, HTML or
// MathML, or that only look as if they did, and runs them through the extractor.
//
//	results, err := pixels.Run()
//	for _, r := range results {
//		if !r.Right() {
//			fmt.Println(r.ID, r.Got)
//		}
//	}
//
// What is right was decided by pixels: `make pixels` draws each page twice in
// Chromium, with other hidden words of the same length. Equal pictures mean that
// nobody sees the words. To add a trick, add a line to testdata/more.jsonl and run
// `make pixels`; the program carries cases.jsonl, a page or two of each kind, for
// `doctor --security`.
//
// # Guarantees
//
// The package is pure: no browser, no network.
//
// # Limits
//
// The cases are one page each with one trick. A mark counts as hidden: see [Marked].
package pixels

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/packed"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// cases are those of cases.jsonl; the test of package packed writes them with -update.
//
//go:embed cases.jsonl.gz
var cases string

// Expect says what becomes of the sentence of a case.
type Expect string

// The expectations.
const (
	Drop Expect = "drop" // nobody sees it: it is absent, or marked
	Keep Expect = "keep" // it is painted: it is there
	Any  Expect = "any"  // painted so faintly or so small that both are right
)

// Case is a page with a sentence that may be hidden.
type Case struct {
	ID     string
	Expect Expect
	// Page is the document; Canary is a word of the sentence that stands nowhere else.
	Page, Canary string
	// Judged says that a browser has judged the page, see [extract.Options].
	Judged bool
}

// Got is what the extractor made of the sentence.
type Got string

// The outcomes.
const (
	Absent   Got = "absent"
	Marked   Got = "marked"
	Unmarked Got = "unmarked"
)

// Result is a case and what became of it.
type Result struct {
	Case
	Got Got
	// Unknown reports whether the mark says that the visibility could not be computed.
	Unknown bool
}

// Right reports whether the outcome is the expected one.
func (r Result) Right() bool {
	switch r.Expect {
	case Drop:
		return r.Got != Unmarked
	case Keep:
		return r.Got != Absent
	}
	return true
}

// Sentence is the text that the pages hide; Canary is its first word.
const (
	Canary   = "Zanzibar"
	Sentence = Canary + ", says the keeper of the lamp, is to be read aloud to everybody who asks for the road to the harbour."
)

// paragraph is what everybody sees; a page has eight of them, so that what is hidden
// is less than half of the page.
const paragraph = "<p>The ferry leaves the north quay at six and comes back at nine, and in the fog it waits until the lamp on the pier is lit, which the keeper does by hand on every evening of the winter months.</p>"

// Cases returns the cases that the program carries, in the order of the file.
func Cases() ([]Case, error) {
	lines, err := packed.Text(cases)
	if err != nil {
		return nil, err
	}
	return Parse(lines, Sentence)
}

// Parse returns the cases of a file like cases.jsonl, with a sentence in them. With that of
// [Mirror] they hide other words of the same letters, which take the same room.
func Parse(lines []byte, sentence string) ([]Case, error) {
	canary, _, _ := strings.Cut(sentence, ",")
	var all []Case
	for i, line := range bytes.Split(lines, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var c struct {
			ID         string
			Expect     Expect
			Head, HTML string
			Body       string
		}
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fmt.Errorf("pages that hide text, line %d: %w", i+1, err)
		}
		body := strings.ReplaceAll(c.HTML, "{}", sentence)
		all = append(all, Case{ID: c.ID, Expect: c.Expect, Canary: canary, Page: "<!doctype html><html><head><meta charset=utf-8><title>Ferries</title>" + strings.ReplaceAll(c.Head, "{}", sentence) +
			"</head><body" + c.Body + "><article><h1>Ferries</h1>" + strings.Repeat(paragraph, 4) + body + strings.Repeat(paragraph, 4) + "</article></body></html>"})
	}
	return all, nil
}

// Mirror reverses the letters of each word.
func Mirror(s string) string {
	b := []byte(s)
	for i := 0; i < len(b); {
		j := i
		for j < len(b) && (b[j]|0x20 >= 'a' && b[j]|0x20 <= 'z' || b[j] >= '0' && b[j] <= '9') {
			j++
		}
		for l, r := i, j-1; l < r; l, r = l+1, r-1 {
			b[l], b[r] = b[r], b[l]
		}
		i = j + 1
	}
	return string(b)
}

// Run reads all cases with the extractor.
func Run() ([]Result, error) {
	all, err := Cases()
	if err != nil {
		return nil, err
	}
	out := make([]Result, len(all))
	for i, c := range all {
		out[i] = Read(c)
	}
	return out, nil
}

// Read reads one case with the extractor.
func Read(c Case) Result {
	p, err := extract.HTML([]byte(c.Page), extract.Options{URL: "https://example.com/", Whole: true, Judged: c.Judged})
	if err != nil {
		return Result{Case: c, Got: Absent}
	}
	r := Result{Case: c}
	r.Got, r.Unknown = Judge(markdown.Blocks(p.Blocks, markdown.Options{}), c.Canary)
	return r
}

// Judge looks for a word in Markdown: each block that holds it has to carry a mark,
// in itself or as the block before it. unknown reports whether one of the marks says
// that the visibility could not be computed.
func Judge(text, canary string) (got Got, unknown bool) {
	got = Absent
	before := ""
	for block := range strings.SplitSeq(text, "\n\n") {
		if strings.Contains(block, canary) {
			mark := ""
			for _, m := range [...]page.Mark{page.Collapsed, page.NotShown, page.VisibilityUnknown} {
				if strings.Contains(block, m.String()) || strings.HasSuffix(before, m.String()) {
					mark = m.String()
				}
			}
			if mark == "" {
				return Unmarked, false
			}
			got, unknown = Marked, unknown || mark == page.VisibilityUnknown.String()
		}
		before = block
	}
	return got, unknown
}

// Command recall measures whether the passages for a query, within a budget of
// tokens, contain the answer, on real pages:
//
//	go run ./recall --tables DIR     questions about tables, answered by a row
//	go run ./recall --sentences DIR  sentences with a blank, by page type
//	go run ./recall --questions DIR  questions of our own, by page type
//
// The folder of --tables has the questions of WikiTableQuestions (P. Pasupat and
// P. Liang, 2015, CC BY-SA 4.0) in items.jsonl
// ({"id","page","query","answers","context"}) and the pages in html/PAGE.html.gz.
// A question counts as answered when one line of the passages contains the
// answer and at least half of the other cells of its row.
//
// The folder of --sentences has the layout of the WCXB benchmark (M. Foley, 2026,
// CC BY 4.0). For each page, up to three sentences of the ground truth that
// extraction finds become queries without their longest word. A query counts as
// answered when the passages contain all words of the sentence in order. "found"
// is the share of the sentences that extraction finds.
//
// The questions of --questions are in questions.jsonl: {"page","query","marks"}, on
// pages of the same folder. Each was written beside its page, and its marks are what a
// person has to see to answer it: the amount and its name, the step and its code. A
// question counts as answered when the passages contain the words of all marks; a page
// that says something twice has a mark with both texts, separated by "||". It also
// prints the share of blocks that are marks of gaps, and how many headings have nothing
// below them.
//
// All print the mean processor time of selecting passages in a page that is
// already extracted.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Budgets are in tokens; the last one is enough for a whole page.
var (
	longBudgets  = [...]int{1000, 2000, 4000, 1_000_000}
	shortBudgets = [...]int{300, 600, defaultTokens, 1_000_000}
)

// defaultTokens is what a query has that names no length; there the passages end where they
// very likely hold the answer.
const defaultTokens = 1500

// ownQuestions are the questions of --questions.
//
//go:embed questions.jsonl
var ownQuestions []byte

func main() {
	log.SetFlags(0)
	tables := flag.String("tables", "", "folder with questions about tables")
	sentences := flag.String("sentences", "", "folder with the WCXB development split")
	own := flag.String("questions", "", "folder with the WCXB development split, for questions of our own")
	worst := flag.Bool("misses", false, "list the queries that are not answered within the smallest budget")
	flag.Parse()
	if *tables == "" && *sentences == "" && *own == "" {
		log.Fatal("nothing to measure: name a folder with --tables, --sentences or --questions")
	}
	var err error
	if *tables != "" {
		err = measureTables(*tables, *worst)
	}
	if *sentences != "" {
		err = errors.Join(err, measureSentences(*sentences, *worst))
	}
	if *own != "" {
		err = errors.Join(err, measureQuestions(*own, *worst))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// tally counts the answered queries for each budget.
type tally struct {
	budgets   [4]int // zero means longBudgets
	asked, of int    // of: sentences in the ground truth
	found     [4]int
	tokens    int
	spent     time.Duration
	sizes     []int // tokens of the passages within the third budget

	// Of the passages within the smallest budget: blocks, gaps among them, headings
	// without a text of their own.
	blocks, gaps, bare int
}

func (t *tally) String() string {
	var b strings.Builder
	n := float64(max(t.asked, 1))
	for i := range t.found {
		fmt.Fprintf(&b, "  %.3f", float64(t.found[i])/n)
	}
	fmt.Fprintf(&b, "  %6d  %8.0f  %6.2f", t.asked, float64(t.tokens)/n, t.spent.Seconds()*1000/n)
	if t.of > 0 {
		fmt.Fprintf(&b, "  %.3f", float64(t.asked)/float64(t.of))
	}
	return b.String()
}

const columns = "     1k     2k     4k  whole   asked    tokens      ms"

// ask selects passages for a query within each budget.
func (t *tally) ask(whole, main *page.Page, query string, holds func(text string) bool) (first bool) {
	t.asked++
	start := time.Now()
	p := passage.Of(whole, main, query)
	if t.budgets[0] == 0 {
		t.budgets = longBudgets
	}
	texts := make([]string, len(t.budgets))
	for i, b := range t.budgets {
		if t.budgets == shortBudgets && b == defaultTokens {
			texts[i] = passage.Of(whole, main, query).Brief().Choose(4*b, b).Text
			continue
		}
		texts[i] = p.Choose(4*b, b).Text
		if i == 0 {
			t.spent += time.Since(start)
		}
	}
	for i, chosen := range texts {
		if text.Tokens(chosen) > t.budgets[i] || utf8.RuneCountInString(chosen) > 4*t.budgets[i] {
			log.Fatalf("%q: more than %d tokens", query, t.budgets[i])
		}
		if holds(chosen) {
			t.found[i]++
			first = first || i == 0
		}
	}
	t.tokens += text.Tokens(texts[len(texts)-1])
	t.sizes = append(t.sizes, text.Tokens(texts[2]))
	t.shape(texts[0])
	return first
}

// shape counts blocks, gaps and bare headings of passages.
func (t *tally) shape(text string) {
	level := 0 // of the heading that is the last block
	for block := range strings.SplitSeq(text, "\n\n") {
		t.blocks++
		n := len(block) - len(strings.TrimLeft(block, "#"))
		switch {
		case block == "[…]":
			t.gaps++
			continue // what follows may still be below the heading
		case n == 0:
			level = 0
			continue
		case level > 0 && n <= level:
			t.bare++
		}
		level = n
	}
	if level > 0 {
		t.bare++
	}
}

// add adds what another tally has.
func (t *tally) add(u *tally) {
	t.asked, t.tokens, t.spent = t.asked+u.asked, t.tokens+u.tokens, t.spent+u.spent
	t.sizes = append(t.sizes, u.sizes...)
	t.blocks, t.gaps, t.bare = t.blocks+u.blocks, t.gaps+u.gaps, t.bare+u.bare
	for i := range t.found {
		t.found[i] += u.found[i]
	}
}

// read decompresses and extracts a page.
func read(file, url string) (whole, main *page.Page, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, nil, err
	}
	body, err := io.ReadAll(z)
	if err != nil {
		return nil, nil, err
	}
	o := extract.Options{URL: url}
	if main, err = extract.HTML(body, o); err != nil {
		return nil, nil, err
	}
	return passage.Whole(main, body, "text/html", o), main, nil
}

type question struct {
	ID, Page, Query  string
	Answers, Context []string
}

func measureTables(dir string, misses bool) error {
	f, err := os.Open(filepath.Join(dir, "items.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	byPage := map[string][]question{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return err
		}
		byPage[q.Page] = append(byPage[q.Page], q)
	}
	if err := lines.Err(); err != nil {
		return err
	}
	var all tally
	for _, name := range slices.Sorted(maps.Keys(byPage)) {
		whole, main, err := read(filepath.Join(dir, "html", name+".html.gz"), "https://en.wikipedia.org/wiki/Page")
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, q := range byPage[name] {
			if !all.ask(whole, main, q.Query, q.answeredBy) && misses {
				fmt.Printf("  %s %s: %s\n", q.ID, q.Page, q.Query)
			}
		}
	}
	fmt.Printf("rows of tables%s\n%14s%s\n", columns, "", &all)
	return nil
}

// answeredBy reports whether a line contains the answer and half of its row.
func (q question) answeredBy(text string) bool {
	if len(q.Answers) == 0 {
		return false
	}
	answer := words(q.Answers[0])
	for line := range strings.SplitSeq(text, "\n") {
		line = words(line)
		if !strings.Contains(line, answer) {
			continue
		}
		n := 0
		for _, c := range q.Context {
			if strings.Contains(line, words(c)) {
				n++
			}
		}
		if 2*n >= len(q.Context) {
			return true
		}
	}
	return false
}

// truth is a page of WCXB.
type truth struct {
	URL   string
	Truth struct {
		Content string `json:"main_content"`
	} `json:"ground_truth"`
	Internal struct {
		PageType struct{ Primary string } `json:"page_type"`
	} `json:"_internal"`
}

// kind is the page type.
func (t *truth) kind() string {
	switch kind := t.Internal.PageType.Primary; kind {
	case "":
		return "article"
	case "category":
		return "collection"
	default:
		return kind
	}
}

func measureQuestions(dir string, misses bool) error {
	types := map[string]*tally{}
	all := tally{budgets: shortBudgets}
	name, kind := "", ""
	var whole, main *page.Page
	for line := range bytes.Lines(ownQuestions) {
		var q struct {
			Page, Query string
			Marks       []string
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return fmt.Errorf("questions.jsonl: %w", err)
		}
		if q.Page != name {
			raw, err := os.ReadFile(filepath.Join(dir, "ground-truth", q.Page+".json"))
			if err != nil {
				return err
			}
			var truth truth
			if err := json.Unmarshal(raw, &truth); err != nil {
				return fmt.Errorf("%s: %w", q.Page, err)
			}
			if whole, main, err = read(filepath.Join(dir, "html", q.Page+".html.gz"), truth.URL); err != nil {
				return fmt.Errorf("%s: %w", q.Page, err)
			}
			name, kind = q.Page, truth.kind()
		}
		if types[kind] == nil {
			types[kind] = &tally{budgets: shortBudgets}
		}
		holds := func(text string) bool {
			text = words(text)
			for _, m := range q.Marks {
				said := func(m string) bool { return strings.Contains(text, words(m)) }
				if !slices.ContainsFunc(strings.Split(m, " || "), said) {
					return false
				}
			}
			return true
		}
		if !types[kind].ask(whole, main, q.Query, holds) && misses {
			fmt.Printf("  %s %s: %s\n", q.Page, kind, q.Query)
		}
	}
	fmt.Printf("questions         300    600   1500  whole   asked    tokens      ms   gaps  bare headings\n")
	for _, kind := range slices.Sorted(maps.Keys(types)) {
		t := types[kind]
		fmt.Printf("%-14s%s  %.3f  %d\n", kind, t, float64(t.gaps)/float64(t.blocks), t.bare)
		all.add(t)
	}
	fmt.Printf("%-14s%s  %.3f  %d\n", "all", &all, float64(all.gaps)/float64(all.blocks), all.bare)
	slices.Sort(all.sizes)
	fmt.Printf("median tokens at the default: %d\n", all.sizes[len(all.sizes)/2])
	return nil
}

func measureSentences(dir string, misses bool) error {
	files, err := filepath.Glob(filepath.Join(dir, "ground-truth", "*.json"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no pages in %s: %v", dir, err)
	}
	types := map[string]*tally{}
	var all tally
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var truth truth
		if err := json.Unmarshal(raw, &truth); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		id := strings.TrimSuffix(filepath.Base(file), ".json")
		whole, main, err := read(filepath.Join(dir, "html", id+".html.gz"), truth.URL)
		if err != nil {
			continue // the page has a content verdict without success, and no content
		}
		kind := truth.kind()
		if types[kind] == nil {
			types[kind] = &tally{}
		}
		text := words(markdown.Render(main, markdown.Options{Words: true}))
		for _, s := range pick(truth.Truth.Content) {
			types[kind].of++
			all.of++
			if !strings.Contains(text, words(s)) {
				continue
			}
			query, full := blank(s), words(s)
			holds := func(text string) bool { return strings.Contains(words(text), full) }
			if first := types[kind].ask(whole, main, query, holds); !first && misses {
				fmt.Printf("  %s %s: %s\n", id, kind, query)
			}
		}
	}
	fmt.Printf("sentences     %s   found\n", columns)
	for _, kind := range slices.Sorted(maps.Keys(types)) {
		t := types[kind]
		fmt.Printf("%-14s%s\n", kind, t)
		all.add(t)
	}
	fmt.Printf("%-14s%s\n", "all", &all)
	return nil
}

// pick returns up to three sentences of 8 to 40 words: from the beginning, the
// middle and the end.
func pick(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		for len(line) > 0 {
			end := len(line)
			for i := 0; i+1 < len(line); i++ {
				if strings.IndexByte(".!?", line[i]) >= 0 && line[i+1] == ' ' {
					end = i + 1
					break
				}
			}
			s := strings.TrimSpace(line[:end])
			if n := len(strings.Fields(s)); n >= 8 && n <= 40 {
				all = append(all, s)
			}
			line = line[end:]
		}
	}
	if len(all) <= 3 {
		return all
	}
	return []string{all[len(all)/6], all[len(all)/2], all[5*len(all)/6]}
}

// blank returns a sentence without its longest word.
func blank(s string) string {
	f := strings.Fields(s)
	longest := 0
	for i := range f {
		if len(f[i]) > len(f[longest]) {
			longest = i
		}
	}
	f[longest] = "____"
	return strings.Join(f, " ")
}

// words returns the words of a text in lower case, with a space around each.
func words(s string) string {
	f := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
	return " " + strings.Join(f, " ") + " "
}

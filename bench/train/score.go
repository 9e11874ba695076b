package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/bench/internal/corpus"
	"github.com/spyhop-dev/spyhop/bench/internal/train"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// result is what the model of the other folds makes of a page.
type result struct {
	corpus.Quality
	prediction prediction
	found      segmentCounts
	language   string
}

// prediction is a line of a file that the scorers of the sets read.
type prediction struct {
	ID      string `json:"id"`
	Format  string `json:"format"`
	Text    string `json:"text"`
	Verdict string `json:"verdict"`
}

// score prints the cross-validated scores of all sets, and writes what was extracted to a
// folder, if one is named. perfect takes the labels for the probabilities: the scores are
// then the upper bound for a model.
func score(pages []*corpus.Page, out, predictions string, perfect bool) {
	unseen, err := corpus.OutOfFold(out, perfect)
	check(err)
	results := make([]result, len(pages))
	corpus.Parallel(len(pages), func(i int) { results[i] = read(pages[i], unseen[pages[i].ID]) })
	if predictions != "" {
		write(pages, results, predictions)
	}
	fmt.Printf("%-14s %5s  %6s  %9s  %6s  %6s\n", "set", "pages", "F1", "precision", "recall", "loss")
	kinds := []string{"all", "article", "documentation", "service", "forum", "collection", "listing", "product"}
	scores := map[string]float64{}
	for _, kind := range kinds {
		scores[kind] = summary(kind, pages, results, func(p *corpus.Page) bool { return p.Set == "wcxb" && (kind == "all" || p.Kind == kind) })
	}
	sets := []string{}
	for _, p := range pages {
		if !p.Truth.Partial() && p.Set != "wcxb" && !slices.Contains(sets, p.Set) {
			sets = append(sets, p.Set)
		}
	}
	for _, set := range sets {
		summary(set, pages, results, func(p *corpus.Page) bool { return p.Set == set })
	}
	data, err := json.Marshal(scores)
	check(err)
	check(os.WriteFile(filepath.Join(out, "scores.json"), data, 0o644)) // for the chart
	printSegments(pages, results)
}

// read extracts a page with these probabilities.
func read(p *corpus.Page, u corpus.Unseen) result {
	r := result{prediction: prediction{ID: p.ID, Format: "markdown"}}
	out, err := (&train.Sample{URL: p.URL}).Read(p.Body(), u.Types, u.Prob)
	if out != nil {
		r.prediction.Verdict = string(out.Verdict)
	}
	if err != nil {
		out = new(page.Page) // no content
	}
	text := markdown.PlainText(out)
	if p.Truth.Partial() {
		r.prediction.Format, r.prediction.Text = "text", text
		r.language, _, _ = strings.Cut(out.Meta.Language, "-")
		text = collapseSpaces(text)
		for _, t := range p.Truth.With {
			r.found[1][number(strings.Contains(text, collapseSpaces(t)))]++
		}
		for _, t := range p.Truth.Without {
			r.found[0][number(strings.Contains(text, collapseSpaces(t)))]++
		}
		return r
	}
	r.prediction.Text = markdown.Render(out, markdown.Options{Images: p.Truth.HTML != nil}) // the scorers of text count the alternative text
	truth, err := p.Truth.Words()
	check(err)
	r.Quality = corpus.Compare(text, truth)
	return r
}

// write writes a file of predictions for each set.
func write(pages []*corpus.Page, results []result, dir string) {
	check(os.MkdirAll(dir, 0o755))
	files := map[string]*os.File{}
	for i, p := range pages {
		if files[p.Set] == nil {
			f, err := os.Create(filepath.Join(dir, p.Set+".jsonl"))
			check(err)
			files[p.Set] = f
		}
		e := json.NewEncoder(files[p.Set])
		e.SetEscapeHTML(false)
		check(e.Encode(results[i].prediction))
	}
	for _, f := range files {
		check(f.Close())
	}
}

// summary prints the means of some pages, and returns their F1. Loss is the share of pages
// that keep less than 90 % of the true words.
func summary(name string, pages []*corpus.Page, results []result, in func(p *corpus.Page) bool) float64 {
	var n, loss float64
	var sum corpus.Quality
	for i, p := range pages {
		if !in(p) {
			continue
		}
		q := results[i].Quality
		n++
		sum = corpus.Quality{F1: sum.F1 + q.F1, Precision: sum.Precision + q.Precision, Recall: sum.Recall + q.Recall}
		loss += float64(number(q.Recall < corpus.Kept))
	}
	n = max(n, 1)
	fmt.Printf("%-14s %5.0f  %.4f  %9.4f  %.4f  %.4f\n", name, n, sum.F1/n, sum.Precision/n, sum.Recall/n, loss/n)
	return sum.F1 / n
}

// printSegments prints how many segments were found.
func printSegments(pages []*corpus.Page, results []result) {
	const least = 10 // pages of a language that is printed
	var sum, fields segmentCounts
	byLanguage := map[string]*segmentCounts{}
	documents := map[string]int{}
	for i := range results {
		r := &results[i]
		switch pages[i].Set {
		case "fields":
			fields.add(&r.found)
		case "segments":
			sum.add(&r.found)
			if r.language == "" {
				continue
			}
			if byLanguage[r.language] == nil {
				byLanguage[r.language] = &segmentCounts{}
			}
			byLanguage[r.language].add(&r.found)
			documents[r.language]++
		}
	}
	fmt.Printf("fields         %s\n", fields.figures())
	fmt.Printf("segments       %s\n", sum.figures())
	for _, l := range slices.Sorted(maps.Keys(byLanguage)) {
		if documents[l] >= least {
			fmt.Printf("  %s %3d pages  %s\n", l, documents[l], byLanguage[l].figures())
		}
	}
}

// segmentCounts counts missing and present segments, separately for unwanted and
// wanted ones.
type segmentCounts [2][2]int

func (c *segmentCounts) add(o *segmentCounts) {
	for w := range c {
		for f := range c[w] {
			c[w][f] += o[w][f]
		}
	}
}

func (c *segmentCounts) figures() string {
	tp := float64(c[1][1])
	precision, recall := tp/max(tp+float64(c[0][1]), 1), tp/max(tp+float64(c[1][0]), 1)
	return fmt.Sprintf("F1 %.4f  precision %.4f  recall %.4f", 2*precision*recall/max(precision+recall, 1e-9), precision, recall)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func collapseSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks/train"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// kept is the share of true words that a page without loss keeps.
const kept = .9

// result is what the model of the other folds makes of a page.
type result struct {
	quality
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
func score(pages []*trainPage, out, predictions string, perfect bool) {
	prob := outOfFold(pages, out, perfect)
	types, err := os.ReadFile(filepath.Join(out, "types.txt"))
	check(err)
	typeOf := strings.Fields(string(types))
	results := make([]result, len(pages))
	parallel(len(pages), func(i int) { results[i] = read(pages[i], typeOf[i], prob[i]) })
	if predictions != "" {
		write(pages, results, predictions)
	}
	fmt.Printf("%-14s %5s  %6s  %9s  %6s  %6s\n", "set", "pages", "F1", "precision", "recall", "loss")
	kinds := []string{"all", "article", "documentation", "service", "forum", "collection", "listing", "product"}
	scores := map[string]float64{}
	for _, kind := range kinds {
		scores[kind] = summary(kind, pages, results, func(p *trainPage) bool { return p.set == "wcxb" && (kind == "all" || p.kind == kind) })
	}
	sets := []string{}
	for _, p := range pages {
		if !p.truth.Partial() && p.set != "wcxb" && !slices.Contains(sets, p.set) {
			sets = append(sets, p.set)
		}
	}
	for _, set := range sets {
		summary(set, pages, results, func(p *trainPage) bool { return p.set == set })
	}
	data, err := json.Marshal(scores)
	check(err)
	check(os.WriteFile(filepath.Join(out, "scores.json"), data, 0o644)) // for the chart
	printSegments(pages, results)
}

// outOfFold reads the probabilities, or the labels, of the blocks by page.
func outOfFold(pages []*trainPage, out string, labels bool) [][]float32 {
	raw, err := os.ReadFile(filepath.Join(out, "oof.f32"))
	check(err)
	f, err := os.Open(filepath.Join(out, "blocks.tsv"))
	check(err)
	defer f.Close()
	prob := make([][]float32, len(pages))
	at := 0
	for s := bufio.NewScanner(f); s.Scan(); at += 4 {
		var i, fold int
		var label float32
		_, err := fmt.Sscan(s.Text(), &i, &fold, &label)
		check(err)
		p := math.Float32frombits(binary.LittleEndian.Uint32(raw[at:]))
		if labels && label == label {
			p = label
		}
		prob[i] = append(prob[i], p)
	}
	return prob
}

// read extracts a page with these probabilities.
func read(p *trainPage, kind string, prob []float32) result {
	r := result{prediction: prediction{ID: p.id, Format: "markdown"}}
	out, err := (&train.Sample{URL: p.url}).Read(p.body(), kind, prob)
	if out != nil {
		r.prediction.Verdict = string(out.Verdict)
	}
	if err != nil {
		out = new(page.Page) // no content
	}
	text := markdown.PlainText(out)
	if p.truth.Partial() {
		r.prediction.Format, r.prediction.Text = "text", text
		r.language, _, _ = strings.Cut(out.Meta.Language, "-")
		text = collapseSpaces(text)
		for _, t := range p.truth.With {
			r.found[1][number(strings.Contains(text, collapseSpaces(t)))]++
		}
		for _, t := range p.truth.Without {
			r.found[0][number(strings.Contains(text, collapseSpaces(t)))]++
		}
		return r
	}
	r.prediction.Text = markdown.Render(out, markdown.Options{})
	truth, err := p.truth.Words()
	check(err)
	r.quality = compare(text, truth)
	return r
}

// write writes a file of predictions for each set.
func write(pages []*trainPage, results []result, dir string) {
	check(os.MkdirAll(dir, 0o755))
	files := map[string]*os.File{}
	for i, p := range pages {
		if files[p.set] == nil {
			f, err := os.Create(filepath.Join(dir, p.set+".jsonl"))
			check(err)
			files[p.set] = f
		}
		e := json.NewEncoder(files[p.set])
		e.SetEscapeHTML(false)
		check(e.Encode(results[i].prediction))
	}
	for _, f := range files {
		check(f.Close())
	}
}

// summary prints the means of some pages, and returns their F1. Loss is the share of pages
// that keep less than 90 % of the true words.
func summary(name string, pages []*trainPage, results []result, in func(p *trainPage) bool) float64 {
	var n, loss float64
	var sum quality
	for i, p := range pages {
		if !in(p) {
			continue
		}
		q := results[i].quality
		n++
		sum = quality{sum.f1 + q.f1, sum.precision + q.precision, sum.recall + q.recall}
		loss += float64(number(q.recall < kept))
	}
	n = max(n, 1)
	fmt.Printf("%-14s %5.0f  %.4f  %9.4f  %.4f  %.4f\n", name, n, sum.f1/n, sum.precision/n, sum.recall/n, loss/n)
	return sum.f1 / n
}

// printSegments prints how many segments were found.
func printSegments(pages []*trainPage, results []result) {
	const least = 10 // pages of a language that is printed
	var sum, fields segmentCounts
	byLanguage := map[string]*segmentCounts{}
	documents := map[string]int{}
	for i := range results {
		r := &results[i]
		switch pages[i].set {
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

// quality has what the words of a text share with those of the truth, as multisets.
type quality struct{ f1, precision, recall float64 }

func compare(text, truth string) quality {
	count := map[string]int{}
	got, want, common := 0, 0, 0
	for _, w := range wordsOf(text) {
		count[w]++
		got++
	}
	for _, w := range wordsOf(truth) {
		want++
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	if got == 0 && want == 0 {
		return quality{1, 1, 1}
	}
	q := quality{recall: 1} // without a truth nothing is lost
	if c := float64(common); want > 0 {
		q = quality{2 * c / float64(got+want), c / max(float64(got), 1), c / float64(want)}
	}
	return q
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_')
	})
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// kinds is the order of page types in every table.
var kinds = []string{"all", "article", "documentation", "service", "forum", "collection", "listing", "product"}

// kept is the share of the true words that a page without loss keeps.
const kept = .9

// tally collects the scores of one tool over one group of pages.
type tally struct {
	pages           int
	p, r, f1        float64
	lossy           int // pages that keep less than kept of their true words
	with, without   float64
	nWith, nWithout int
}

func (t *tally) add(s score, text string, page sample) {
	t.pages++
	t.p += s.p
	t.r += s.r
	t.f1 += s.f1
	if s.r < kept && len(words(page.content)) > 0 {
		t.lossy++
	}
	low := lower(text)
	if v, ok := snippetRate(low, page.with); ok {
		t.with += v
		t.nWith++
	}
	if v, ok := snippetRate(low, page.without); ok {
		t.without += v
		t.nWithout++
	}
}

// means are the figures of a tally, as means over pages.
func (t tally) means() figures {
	return figures{
		Pages: t.pages, F1: mean(t.f1, t.pages), Precision: mean(t.p, t.pages), Recall: mean(t.r, t.pages), Loss: mean(float64(t.lossy), t.pages),
		With: mean(t.with, t.nWith), Without: mean(t.without, t.nWithout),
	}
}

func mean(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

type figures struct {
	Pages     int     `json:"pages"`
	F1        float64 `json:"f1"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Loss      float64 `json:"loss"`
	With      float64 `json:"with"`
	Without   float64 `json:"without"`
}

// result has all figures of one tool in one run.
type result struct {
	Tool     string                 `json:"tool"`
	Scores   map[string]figures     `json:"scores,omitempty"` // by page type, and "all"
	CPU      float64                `json:"cpu_ms"`           // mean of a page
	Ratio    float64                `json:"cpu_ratio"`        // to only html.Parse
	Failed   int                    `json:"failed"`
	Meta     map[string]metaFigures `json:"metadata,omitempty"`
	Segments *segmentFigures        `json:"segments,omitempty"`

	groups map[string]*tally
	cpu    time.Duration
	rows   []pageRow
}

type pageRow struct {
	id, kind string
	score    score
}

func newResult(name string) *result {
	return &result{Tool: name, groups: make(map[string]*tally)}
}

func (r *result) add(page sample, text string, err error) {
	if err != nil {
		r.Failed++
	}
	s := wordF1(text, page.content)
	for _, kind := range [...]string{"all", page.kind} {
		if r.groups[kind] == nil {
			r.groups[kind] = new(tally)
		}
		r.groups[kind].add(s, text, page)
	}
	r.rows = append(r.rows, pageRow{page.id, page.kind, s})
}

func (r *result) close(pages int, floor time.Duration) {
	r.Scores = make(map[string]figures)
	for kind, t := range r.groups {
		r.Scores[kind] = t.means()
	}
	r.CPU = float64(r.cpu) / float64(time.Millisecond) / float64(max(pages, 1))
	if floor > 0 {
		r.Ratio = float64(r.cpu) / float64(floor)
	}
}

// printTable prints one line for each tool: F1 by page type, loss, snippets, CPU.
func printTable(w io.Writer, results []*result) {
	fmt.Fprintf(w, "%-36s", "word F1")
	shown := kinds[:0:0]
	for _, k := range kinds {
		if results[0].groups[k] != nil {
			shown = append(shown, k)
			fmt.Fprintf(w, " %7.7s", k)
		}
	}
	fmt.Fprintf(w, " %6s %6s %7s %8s %7s %6s\n", "loss", "with", "without", "CPU ms", "ratio", "failed")
	for _, r := range results {
		fmt.Fprintf(w, "%-36s", r.Tool)
		for _, k := range shown {
			if r.Tool == floorName {
				fmt.Fprintf(w, " %7s", "")
				continue
			}
			fmt.Fprintf(w, " %7.4f", r.Scores[k].F1)
		}
		if r.Tool == floorName {
			fmt.Fprintf(w, " %6s %6s %7s", "", "", "")
		} else {
			fmt.Fprintf(w, " %6.3f %6.3f %7.3f", r.Scores["all"].Loss, r.Scores["all"].With, r.Scores["all"].Without)
		}
		fmt.Fprintf(w, " %8.2f %6.2fx %6d\n", r.CPU, r.Ratio, r.Failed)
	}
	fmt.Fprintf(w, "%-36s", "pages")
	for _, k := range shown {
		fmt.Fprintf(w, " %7d", results[0].Scores[k].Pages)
	}
	fmt.Fprintln(w)
}

// printWorst prints the n pages with the lowest F1.
func printWorst(w io.Writer, r *result, n int) {
	rows := slices.Clone(r.rows)
	slices.SortStableFunc(rows, func(a, b pageRow) int { return cmp.Compare(a.score.f1, b.score.f1) })
	for _, row := range rows[:min(n, len(rows))] {
		fmt.Fprintf(w, "  F1 %.3f  P %.3f  R %.3f  %s  %s\n", row.score.f1, row.score.p, row.score.r, row.id, row.kind)
	}
}

// goldenText is the golden file with Spyhop's scores.
func goldenText(r *result) string {
	var b strings.Builder
	b.WriteString("# Word F1 on the development split of WCXB, and loss: the share of pages that keep less\n" +
		"# than 90 % of their true words. The model that ships was trained on these pages. Written by: make quality UPDATE=1\n")
	fmt.Fprintf(&b, "%-14s %5s %6s %6s\n", "page type", "pages", "F1", "loss")
	for _, k := range kinds {
		if f, ok := r.Scores[k]; ok {
			fmt.Fprintf(&b, "%-14s %5d %6.4f %6.4f\n", k, f.Pages, f.F1, f.Loss)
		}
	}
	return b.String()
}

// compareGolden prints how the scores differ from the committed ones.
func compareGolden(w io.Writer, file string, r *result, update bool) error {
	want, err := os.ReadFile(file)
	if err != nil && !update {
		return fmt.Errorf("%w: write it with --update", err)
	}
	got := goldenText(r)
	if got == string(want) {
		fmt.Fprintf(w, "%s: the same\n", file)
		return nil
	}
	old := goldenScores(string(want))
	fmt.Fprintf(w, "%s: differs\n", file)
	for _, k := range kinds {
		if f, ok := r.Scores[k]; ok {
			fmt.Fprintf(w, "  %-14s %.4f -> %.4f  (%+.4f)\n", k, old[k], f.F1, f.F1-old[k])
		}
	}
	if !update {
		return nil
	}
	if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: written\n", file)
	return nil
}

func goldenScores(text string) map[string]float64 {
	out := make(map[string]float64)
	for line := range strings.Lines(text) {
		var kind string
		var pages int
		var f1 float64
		if n, _ := fmt.Sscanf(line, "%s %d %f", &kind, &pages, &f1); n == 3 {
			out[kind] = f1
		}
	}
	return out
}

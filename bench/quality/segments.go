package main

import (
	"fmt"
	"io"
	"strings"
)

// segmentFigures are the scores of a tool on wanted and unwanted segments.
type segmentFigures struct {
	Documents int     `json:"documents"`
	F1        float64 `json:"f1"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Accuracy  float64 `json:"accuracy"`
}

// segmentCount counts segments over all documents.
type segmentCount struct{ documents, tp, fp, fn, tn int }

// add counts the segments of one document that its text contains, with white
// space normalized.
func (c *segmentCount) add(text string, with, without []string) {
	c.documents++
	text = collapseSpaces(text)
	for _, s := range with {
		if strings.Contains(text, collapseSpaces(s)) {
			c.tp++
		} else {
			c.fn++
		}
	}
	for _, s := range without {
		if strings.Contains(text, collapseSpaces(s)) {
			c.fp++
		} else {
			c.tn++
		}
	}
}

func (c segmentCount) figures() *segmentFigures {
	f := &segmentFigures{
		Documents: c.documents,
		Precision: mean(float64(c.tp), c.tp+c.fp),
		Recall:    mean(float64(c.tp), c.tp+c.fn),
		Accuracy:  mean(float64(c.tp+c.tn), c.tp+c.tn+c.fp+c.fn),
	}
	if f.Precision+f.Recall > 0 {
		f.F1 = 2 * f.Precision * f.Recall / (f.Precision + f.Recall)
	}
	return f
}

// scoreSegments runs the tools over the segments corpus.
func scoreSegments(dir string, tools []tool) ([]*result, error) {
	pages, err := loadSegments(dir)
	if err != nil {
		return nil, err
	}
	counts := make([]segmentCount, len(tools))
	for _, p := range pages {
		body, err := readBytes(p.sample())
		if err != nil {
			return nil, err
		}
		for i, t := range tools {
			text := ""
			if give, err := t.one(loaded{p.sample(), body}); err == nil && give != nil {
				text = give()
			}
			counts[i].add(text, p.With, p.Without)
		}
	}
	var out []*result
	for i, t := range tools {
		r := newResult(t.name)
		r.Segments = counts[i].figures()
		out = append(out, r)
	}
	return out, nil
}

func printSegments(w io.Writer, results []*result) {
	fmt.Fprintf(w, "%-36s %9s %7s %9s %7s %8s\n", "segments", "documents", "F1", "precision", "recall", "accuracy")
	for _, r := range results {
		f := r.Segments
		fmt.Fprintf(w, "%-36s %9d %7.4f %9.4f %7.4f %8.4f\n", r.Tool, f.Documents, f.F1, f.Precision, f.Recall, f.Accuracy)
	}
}

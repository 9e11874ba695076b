package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// explainedText has for each block whether it was kept, its score, its words, where it
// stands, how it begins, and why. The units of the page have a line before their blocks.
func explainedText(blocks []result.Judgement) string {
	var out strings.Builder
	unit := ""
	for _, b := range blocks {
		if b.Unit != unit {
			if unit = b.Unit; unit != "" {
				fmt.Fprintf(&out, "= %s\n", unit)
			}
		}
		mark := '-'
		if b.Kept {
			mark = '+'
		}
		fmt.Fprintf(&out, "%c %.3f %4d words  %s\n    %s\n    %s\n", mark, b.Score, b.Words, b.Path, text.Cut(b.Text, 100), b.Why)
	}
	return out.String()
}

//go:embed explain.html
var explainedHTML string

// explainedPage shows an explainedView. The text of the page stands in it only as text.
var explainedPage = template.Must(template.New("explain").Funcs(template.FuncMap{
	"step":    func(score float64) int { return min(max(int(math.Round(score*10)), 0), 10) },
	"percent": func(score float64) int { return int(math.Round(score * 100)) },
}).Parse(explainedHTML))

type explainedView struct {
	File string
	*result.Explanation
}

// Shades are the opacities of the colours, by tenths of the score.
func (explainedView) Shades() []string {
	return []string{"0", ".03", ".06", ".09", ".12", ".15", ".19", ".23", ".27", ".31", ".35"}
}

package main

import (
	"fmt"
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

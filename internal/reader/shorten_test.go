package reader

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// wide is the Markdown of a page of so many blocks of all kinds, whose words are few enough
// that many of them match a query.
func wide(r *rand.Rand, blocks int) string {
	words := strings.Fields("ferry quay lamp keeper horn fog dues boat metre stone coast lighthouse entrance signal oil winter harbour pilot rope tide")
	text := func(n int) string {
		var out []string
		for range n {
			out = append(out, words[r.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	var b strings.Builder
	for i := range blocks {
		switch r.IntN(9) {
		case 0:
			fmt.Fprintf(&b, "%s %s %d\n\n", strings.Repeat("#", 1+r.IntN(4)), text(2), i)
		case 1:
			for range 1 + r.IntN(4) {
				fmt.Fprintf(&b, "- %s %d\n", text(3), i)
			}
			b.WriteString("\n")
		case 2:
			b.WriteString("| " + text(1) + " | " + text(1) + " |\n| --- | --- |\n")
			for k := range 1 + r.IntN(20) {
				fmt.Fprintf(&b, "| %s | %d |\n", text(2), i+k)
			}
			b.WriteString("\n")
		case 3:
			b.WriteString("```go\n")
			for range 1 + r.IntN(60) {
				fmt.Fprintf(&b, "%s(%d)\n", text(1), i)
			}
			b.WriteString("```\n\n")
		case 4:
			b.WriteString(text(2) + ":\n\n")
		default:
			fmt.Fprintf(&b, "The %s of %d.\n\n", text(1+r.IntN(30)), i)
		}
	}
	return b.String()
}

// TestShorten: of the passages of a large page that are kept for a budget, the same are chosen
// within it and within smaller ones, but for few; and they are what stands on the page.
func TestShorten(t *testing.T) {
	for seed := range uint64(4) {
		md := wide(rand.New(rand.NewPCG(seed, 1)), 6000)
		for _, query := range []string{"lighthouse keeper", "how much are the dues for a boat?", "horn", "xylophone", "stone quay 2931 rope", "entrance(17)"} {
			whole, short := PassagesOf(md, query), PassagesOf(md, query)
			short.shorten(6000, 0)
			if len(short.units) > 2500 || len(short.md) > 60_000 {
				t.Errorf("%d, %s: %d units and %d bytes are kept", seed, query, len(short.units), len(short.md))
			}
			lines := map[string]bool{}
			for line := range strings.Lines(md) {
				lines[strings.TrimSpace(line)] = true
			}
			for _, budget := range []int{50, 500, 1500, 3000, 6000} {
				a, b := whole.Choose(budget, 0), short.Choose(budget, 0)
				if !b.Gaps || a.Count > 0 && b.Count == 0 {
					t.Errorf("%d, %s, %d: %+v", seed, query, budget, b)
				}
				if budget < 500 {
					continue // too little for most units: the whole page has more short ones
				}
				if strings.Count(b.Text, "```")%2 != 0 {
					t.Errorf("%d, %s, %d: a block of code does not end in %q", seed, query, budget, b.Text)
				}
				ours, theirs := strings.Split(b.Text, "\n"), strings.Split(a.Text, "\n")
				other := 0
				for _, line := range ours {
					if !slices.Contains(theirs, line) {
						other++
					}
					if line = strings.TrimSpace(line); !lines[line] && line != gap && line != "| "+gap+" |" {
						t.Errorf("%d, %s, %d: %q is not on the page", seed, query, budget, line)
					}
				}
				if other*10 > len(ours) || len(b.Text) < len(a.Text)*9/10 {
					t.Errorf("%d, %s, %d: %d lines of %d are others, %d bytes of %d", seed, query, budget, other, len(ours), len(b.Text), len(a.Text))
				}
			}
		}
	}
}

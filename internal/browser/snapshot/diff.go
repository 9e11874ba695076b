package snapshot

import (
	"fmt"
	"strings"
)

// diffCells bounds the table of the comparison; larger middles are compared as
// sets of lines.
const diffCells = 4_000_000

// Diff says what is new on a page and what has gone, in the page's order,
// within a number of tokens by estimate; "" when nothing changed.
func Diff(before, after *Page, most int) string {
	a, b := texts(before), texts(after)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 && len(b) == 0 {
		return ""
	}
	var changes []string
	if len(a)*len(b) <= diffCells {
		changes = compare(a, b)
	} else {
		changes = compareSets(a, b)
	}
	var out strings.Builder
	tokens, left := 0, 0
	for _, c := range changes {
		n := Estimate(c) + 1
		if most >= 0 && tokens+n > most-30 {
			left++
			continue
		}
		tokens += n
		out.WriteString(c)
		out.WriteByte('\n')
	}
	if left > 0 {
		fmt.Fprintf(&out, "… %d more changed lines: browser_snapshot shows the page\n", left)
	}
	return out.String()
}

func texts(p *Page) []string {
	out := make([]string, len(p.Lines))
	for i := range p.Lines {
		out[i] = p.Lines[i].Text
	}
	return out
}

// compare is the longest common subsequence.
func compare(a, b []string) []string {
	w := len(b) + 1
	table := make([]int32, (len(a)+1)*w)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*w+j] = table[(i+1)*w+j+1] + 1
			} else {
				table[i*w+j] = max(table[(i+1)*w+j], table[i*w+j+1])
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i++
			j++
		case j >= len(b) || i < len(a) && table[(i+1)*w+j] >= table[i*w+j+1]:
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	return out
}

func compareSets(a, b []string) []string {
	count := make(map[string]int, len(a))
	for _, l := range a {
		count[l]++
	}
	var out []string
	for _, l := range b {
		if count[l] > 0 {
			count[l]--
			continue
		}
		out = append(out, "+ "+l)
	}
	for _, l := range a {
		if count[l] > 0 {
			count[l]--
			out = append(out, "- "+l)
		}
	}
	return out
}

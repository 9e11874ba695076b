package pdf

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// This file finds running headers and footers: lines at the top or bottom of
// pages that come again on others, but for their numbers.

// edge is a line near an edge of its page.
type edge struct {
	sheet int
	line  *line
	key   string
}

// dropRunning marks what repeats at the edges of the sheets.
func dropRunning(sheets []*sheet) {
	var edges []edge
	count := map[string]int{}
	for i, s := range sheets {
		for _, r := range s.regions {
			for k := range r.lines {
				r.lines[k].running = r.numbers
			}
		}
		seen := map[string]bool{}
		for _, l := range edgeLines(s) {
			key := edgeKey(s, l)
			edges = append(edges, edge{i, l, key})
			if !seen[key] {
				seen[key] = true
				count[key]++
			}
		}
	}
	for _, e := range edges {
		need := runningFrom
		if len(sheets) == 2 && !onlyNumber(e.line.text) {
			need = 2
		}
		if count[e.key] >= need {
			e.line.running = true
		}
	}
}

// edgeLines are the outermost upright lines of a sheet.
func edgeLines(s *sheet) []*line {
	var top, bottom []*line
	for r := range s.regions {
		for i := range s.regions[r].lines {
			l := &s.regions[r].lines[i]
			switch {
			case s.regions[r].turned || s.regions[r].numbers || l.table != nil || l.chars > maxRunning:
			case l.base < edgePart*s.height:
				top = append(top, l)
			case l.base > (1-edgePart)*s.height:
				bottom = append(bottom, l)
			}
		}
	}
	slices.SortStableFunc(top, func(a, b *line) int { return cmp.Compare(a.base, b.base) })
	slices.SortStableFunc(bottom, func(a, b *line) int { return cmp.Compare(b.base, a.base) })
	return append(top[:min(len(top), runningDepth)], bottom[:min(len(bottom), runningDepth)]...)
}

// edgeKey is the text of a line without its numbers, and at which edge it is.
func edgeKey(s *sheet, l *line) string {
	if isRoman(l.text) {
		return fmt.Sprint(l.base < s.height/2)
	}
	other := func(r rune) bool { return r == ' ' || r >= '0' && r <= '9' }
	return fmt.Sprint(l.base < s.height/2, strings.FieldsFunc(l.text, other))
}

func onlyNumber(s string) bool { return isRoman(s) || strings.Trim(s, "0123456789-–— .") == "" }

func isRoman(s string) bool { return s != "" && len(s) <= minChars && strings.Trim(s, "ivxlc") == "" }

// takeLineNumbers takes the numbers out of words that count the lines at a margin, one
// by one or in fives, as in manuscripts: nothing else is beyond the text.
func takeLineNumbers(words []word) (numbers, rest []word) {
	isNumber := func(w *word) bool { return len(w.text) <= maxMarker+1 && strings.Trim(w.text, "0123456789") == "" }
	left, right := math.Inf(1), math.Inf(-1)
	for i := range words {
		if w := &words[i]; !isNumber(w) {
			left, right = min(left, w.x0), max(right, w.x1)
		}
	}
	for _, outside := range []func(w *word) bool{func(w *word) bool { return w.x1 < left }, func(w *word) bool { return w.x0 > right }} {
		numbers, rest = nil, nil
		for i := range words {
			if w := &words[i]; isNumber(w) && outside(w) {
				numbers = append(numbers, *w)
			} else {
				rest = append(rest, *w)
			}
		}
		slices.SortStableFunc(numbers, func(a, b word) int { return cmp.Compare(a.base, b.base) })
		steps := map[int]int{}
		for i := 1; i < len(numbers); i++ {
			a, _ := strconv.Atoi(numbers[i-1].text)
			b, _ := strconv.Atoi(numbers[i].text)
			steps[b-a]++
		}
		if n := len(numbers); n >= numberedFrom && max(steps[1], steps[numberedBy]) >= n-n/nearlyAll-1 {
			return numbers, rest
		}
	}
	return nil, words
}

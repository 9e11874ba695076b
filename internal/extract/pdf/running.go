package pdf

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// This file finds running headers and footers: lines at the top or bottom of
// pages that come again on others, but for their numbers.

const (
	runningDepth = 3   // lines from the top and the bottom that are looked at
	runningFrom  = 3   // pages that have to show it
	numberedFrom = 10  // lines that numbers at a margin count
	edgePart     = .14 // of the page's height, from either edge
)

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
		if s.regions[r].turned || s.regions[r].numbers {
			continue
		}
		for i := range s.regions[r].lines {
			l := &s.regions[r].lines[i]
			switch {
			case l.table != nil || l.chars > 160:
			case l.base < edgePart*s.height:
				top = outermost(top, l, -1)
			case l.base > (1-edgePart)*s.height:
				bottom = outermost(bottom, l, 1)
			}
		}
	}
	return append(top, bottom...)
}

// outermost keeps the few lines that are nearest to an edge.
func outermost(list []*line, l *line, way float64) []*line {
	at := len(list)
	for at > 0 && way*(l.base-list[at-1].base) > 0 {
		at--
	}
	list = append(list[:at:at], append([]*line{l}, list[at:]...)...)
	return list[:min(len(list), runningDepth)]
}

// edgeKey is a line with its numbers taken for equal, and about where it
// stands.
func edgeKey(s *sheet, l *line) string {
	var b strings.Builder
	digits := false
	text := l.text
	if isRoman(text) {
		text = "0"
	}
	for _, r := range text {
		if r >= '0' && r <= '9' {
			if !digits {
				b.WriteByte('#')
			}
			digits = true
			continue
		}
		digits = false
		if r != ' ' {
			b.WriteRune(r)
		}
	}
	if l.base < s.height/2 {
		b.WriteString("\x00top")
	}
	return b.String()
}

func onlyNumber(s string) bool { return isRoman(s) || strings.Trim(s, "0123456789-–— .") == "" }

func isRoman(s string) bool { return s != "" && len(s) <= 8 && strings.Trim(s, "ivxlc") == "" }

// takeLineNumbers takes the numbers out of words that count the lines at a
// margin, as manuscripts have them: aligned, one more each or five more, smaller
// than the text and with nothing beyond them.
func takeLineNumbers(words []word) (numbers, rest []word) {
	left, right, size, letters := math.Inf(1), math.Inf(-1), 0.0, 0
	columns := map[int][]int{} // by either edge, the right ones negative
	for i := range words {
		w := &words[i]
		if len(w.text) > 5 || strings.Trim(w.text, "0123456789") != "" {
			left, right = min(left, w.x0), max(right, w.x1)
			size, letters = size+w.size*float64(len(w.text)), letters+len(w.text)
			continue
		}
		columns[int(math.Round(w.x0))] = append(columns[int(math.Round(w.x0))], i)
		columns[-int(math.Round(w.x1))] = append(columns[-int(math.Round(w.x1))], i)
	}
	taken := map[int]bool{}
	for _, list := range columns {
		if len(list) < numberedFrom {
			continue
		}
		slices.SortFunc(list, func(a, b int) int { return cmp.Compare(words[a].base, words[b].base) })
		steps := map[int]int{}
		outside := 0
		for i, at := range list {
			w := &words[at]
			if (w.x1 < left || w.x0 > right) && w.size*float64(letters) < .95*size {
				outside++
			}
			if i > 0 {
				a, _ := strconv.Atoi(words[list[i-1]].text)
				b, _ := strconv.Atoi(w.text)
				steps[b-a]++
			}
		}
		if n := len(list) * 9 / 10; outside >= n && max(steps[1], steps[5]) >= n-1 {
			for _, at := range list {
				taken[at] = true
			}
		}
	}
	if len(taken) == 0 {
		return nil, words
	}
	for i, w := range words {
		if taken[i] {
			numbers = append(numbers, w)
		} else {
			rest = append(rest, w)
		}
	}
	return numbers, rest
}

package snapshot

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Diff says what is new on a page and what has gone, in the page's order,
// within a number of tokens by estimate; "" when nothing changed.
func Diff(before, after *Page, most int) string {
	a, b := texts(before), texts(after)
	if before.unseen && !after.unseen {
		// The dialog has gone, and no earlier snapshot showed what was behind it.
		a = a[:0]
		for i := range before.Lines {
			if !before.Lines[i].behind {
				a = append(a, before.Lines[i].Text)
			}
		}
	}
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
	changes = shorten(placeMoved(changes, b))
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
		out.WriteString("… " + text.Count(left, "more changed line") + ": browser_snapshot shows the page\n")
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

// placeMoved says behind which line one with a control stands that has moved. lines are those
// of the page as it is now.
func placeMoved(changes, lines []string) []string {
	gone := make(map[string]bool)
	for _, c := range changes {
		if c[0] == '-' {
			gone[c[2:]] = true
		}
	}
	var out []string
	moved := 0
	for _, c := range changes {
		out = append(out, c)
		if at := slices.Index(lines, c[2:]); c[0] == '+' && gone[c[2:]] && at > 0 && moved < mostMoved && strings.Contains(c, "](") {
			moved++
			out = append(out, "(moved: it follows "+text.CutBytes(lines[at-1], nameBytes)+")")
		}
	}
	return out
}

// shorten leaves out what stayed the same of long lines that changed in part,
// as one does that holds a whole form.
func shorten(changes []string) []string {
	var out []string
	for i := 0; i < len(changes); i++ {
		was := changes[i]
		if i+1 == len(changes) || len(was) < longChange || was[0] != '-' || changes[i+1][0] != '+' {
			out = append(out, was)
			continue
		}
		short, ok := changedParts(was[2:], changes[i+1][2:])
		if !ok {
			out = append(out, was)
			continue
		}
		out = append(out, "+ "+short)
		i++
	}
	return out
}

// changedParts is a line with … for its parts that another one has as well; not
// ok when they have little in common, or when all of it is the same.
func changedParts(was, is string) (string, bool) {
	count := make(map[string]int)
	for _, p := range parts(was) {
		count[p]++
	}
	var b strings.Builder
	same, gap := 0, false
	refs := make(map[string]bool)
	for _, p := range parts(is) {
		_, ref, _ := strings.Cut(strings.TrimSpace(p), "](")
		refs[ref] = true
		if count[p] > 0 {
			count[p]--
			same += len(p)
			gap = true
			continue
		}
		if gap {
			b.WriteString("… ")
		}
		gap = false
		b.WriteString(p)
	}
	if gap {
		b.WriteString("…")
	}
	gone := false
	for p, n := range count {
		// The old and the new line must have the same control, in another state.
		_, ref, control := strings.Cut(strings.TrimSpace(p), "](")
		gone = gone || n > 0 && (!control || !refs[ref])
	}
	return strings.TrimSpace(b.String()), same*2 > len(is) && same < len(is) && !gone
}

// parts cuts a line after each control, and before it.
func parts(line string) []string {
	var out []string
	for line != "" {
		n := strings.Index(line, "](")
		open := strings.IndexByte(line, '[')
		if n < 0 || open < 0 || open > n {
			return append(out, line)
		}
		if open > 0 {
			out = append(out, line[:open])
			line = line[open:]
			n -= open
		}
		end := strings.IndexByte(line[n:], ')')
		if end < 0 {
			return append(out, line)
		}
		end += n + 1
		if end < len(line) && line[end] == ' ' {
			end++
		}
		out = append(out, line[:end])
		line = line[end:]
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

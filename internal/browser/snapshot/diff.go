package snapshot

import (
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Diff says what is new on a page and what has gone, in the page's order,
// within an estimated number of tokens; "" when nothing changed. If that does not fit, it is
// the page as it is now, if that fits, for example when a search has left two entries of a long
// list. Otherwise it leaves out what has gone first: nothing can be done with that.
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
	changes := shorten(placeMoved(compare(a, b), b))
	var out strings.Builder
	tokens, left := 0, 0
	shown := make([]bool, len(changes))
	for _, gone := range []bool{false, true} {
		for i, c := range changes {
			n := Estimate(c) + 1
			switch {
			case (c[0] == '-') != gone:
			case most >= 0 && tokens+n > most-30:
				left++
			default:
				tokens += n
				shown[i] = true
			}
		}
	}
	if left > 0 && after.Tokens() <= most {
		return "most of the page changed, which is now:\n" + after.Text()
	}
	for i, c := range changes {
		if shown[i] {
			out.WriteString(c + "\n")
		}
	}
	if left > 0 {
		out.WriteString("… " + text.Count(left, "more changed line") + ": browser_snapshot shows the page\n")
	}
	return out.String()
}

// compare returns the lines that only one of two pages has, in order, with "- " or "+ " before them.
func compare(a, b []string) (changes []string) {
	document := func(lines []string) (all []byte) {
		for _, l := range lines {
			all = append(append(all, l...), '\n')
		}
		return all
	}
	hunk := false
	for line := range strings.Lines(string(diff.Diff("", document(a), "", document(b)))) {
		switch {
		case strings.HasPrefix(line, "@@ "):
			hunk = true
		case hunk && line[0] != ' ':
			changes = append(changes, line[:1]+" "+strings.TrimSuffix(line[1:], "\n"))
		}
	}
	return changes
}

func texts(p *Page) []string {
	out := make([]string, len(p.Lines))
	for i := range p.Lines {
		out[i] = p.Lines[i].Text
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

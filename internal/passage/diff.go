package passage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/terms"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// Difference is what has changed between two versions, in the order of the new
// one.
type Difference struct {
	Changes []result.Change
	Count   result.Changes // without the version
}

// Text lists the changes; those of one kind below one heading stand together.
func (d *Difference) Text() string {
	var b strings.Builder
	last := ""
	for _, c := range d.Changes {
		kind, what := "Added", c.New
		switch {
		case c.New == "":
			kind, what = "Removed", c.Old
		case c.Old != "":
			kind, what = "Changed", "Old: "+c.Old+"\n\nNew: "+c.New
		}
		where := " before the first section"
		if c.Section != "" {
			where = " in section " + c.Section
		}
		if head := kind + where + ":"; head != last {
			b.WriteString("\n\n" + head)
			last = head
		}
		b.WriteString("\n\n" + what)
	}
	return b.String()
}

// Compare finds what differs between two texts by their blocks: the
// paragraphs, items, rows and blocks of code. Blocks that each text has once
// hold the others in place (the anchors of patience diff, B. Cohen); what
// differs between two of them was changed where it is alike, else removed and
// added. Time is linear but for the sorting of the anchors. the error
// of stop, which may be nil, ends the comparison.
func Compare(before, after string, stop func() error) (Difference, error) {
	a, b := units(before, true), units(after, true)
	x, y := texts(before, a), texts(after, b)
	d := differ{x: x, y: y, heads: headings(after, b), stop: stop}
	last := [2]int{}
	for _, k := range append(anchors(x, y), [2]int{len(x), len(y)}) {
		d.between(last[0], k[0], last[1], k[1])
		last = [2]int{k[0] + 1, k[1] + 1}
	}
	return d.out, d.err
}

func texts(md string, units []unit) []string {
	out := make([]string, len(units))
	for i, u := range units {
		out[i] = md[u.from:u.to]
	}
	return out
}

// maxSection bounds the heading that a change names, in characters.
const maxSection = 80

// headings returns for each unit the text of the heading above it.
func headings(md string, units []unit) []string {
	out := make([]string, len(units)+1)
	last := ""
	for i, u := range units {
		out[i] = last
		if u.kind == headingUnit {
			last = text.Cut(text.Line(strings.TrimLeft(md[u.from:u.to], "# ")), maxSection)
		}
	}
	out[len(units)] = last
	return out
}

// anchors are pairs of equal blocks, each once in its text, that rise in both.
func anchors(x, y []string) [][2]int {
	type place struct{ inX, inY, at int }
	seen := make(map[string]place, len(x))
	for i, s := range x {
		p := seen[s]
		seen[s] = place{p.inX + 1, 0, i}
	}
	for _, s := range y {
		if p, ok := seen[s]; ok {
			p.inY++
			seen[s] = p
		}
	}
	// The longest rising sequence: tails[n] ends the best one of n+1 pairs.
	var pairs [][2]int
	var back, tails []int
	for j, s := range y {
		if p := seen[s]; p.inX != 1 || p.inY != 1 {
			continue
		} else {
			pairs = append(pairs, [2]int{p.at, j})
		}
		k := len(pairs) - 1
		n, _ := slices.BinarySearchFunc(tails, pairs[k][0], func(t, at int) int { return cmp.Compare(pairs[t][0], at) })
		if n == len(tails) {
			tails = append(tails, k)
		} else {
			tails[n] = k
		}
		back = append(back, -1)
		if n > 0 {
			back[k] = tails[n-1]
		}
	}
	var out [][2]int
	if len(tails) > 0 {
		for k := tails[len(tails)-1]; k >= 0; k = back[k] {
			out = append(out, pairs[k])
		}
	}
	slices.Reverse(out)
	return out
}

type differ struct {
	x, y  []string
	heads []string
	out   Difference
	stop  func() error // nil: nobody asks
	err   error        // of stop
}

// stopped asks whether to stop.
func (d *differ) stopped() bool {
	if d.err == nil && d.stop != nil {
		d.err = d.stop()
	}
	return d.err != nil
}

// between compares blocks between two anchors.
func (d *differ) between(x0, x1, y0, y1 int) {
	for x0 < x1 && y0 < y1 && d.x[x0] == d.y[y0] {
		x0, y0 = x0+1, y0+1
	}
	for x0 < x1 && y0 < y1 && d.x[x1-1] == d.y[y1-1] {
		x1, y1 = x1-1, y1-1
	}
	const reach = 3 // how far the old form of a block is looked for
	for j := y0; j < y1 && !d.stopped(); j++ {
		k := slices.IndexFunc(d.x[x0:min(x1, x0+reach)], func(old string) bool { return old == d.y[j] || alike(old, d.y[j]) })
		if k < 0 {
			d.add("", d.y[j], j)
			continue
		}
		k += x0
		for ; x0 < k; x0++ {
			d.add(d.x[x0], "", j)
		}
		if d.x[k] != d.y[j] {
			d.add(d.x[k], d.y[j], j)
		}
		x0 = k + 1
	}
	for ; x0 < x1; x0++ {
		d.add(d.x[x0], "", y1)
	}
}

func (d *differ) add(old, new string, at int) {
	switch {
	case old == "":
		d.out.Count.Added++
	case new == "":
		d.out.Count.Removed++
	default:
		d.out.Count.Changed++
	}
	d.out.Changes = append(d.out.Changes, result.Change{Old: old, New: new, Section: d.heads[at]})
}

// alike reports whether two blocks share at least half of their first words.
func alike(a, b string) bool {
	const most = 2000
	words := map[string]int{}
	n, m, same := 0, 0, 0
	terms.Scan(a[:min(len(a), most)], func(w []byte) { words[string(w)]++; n++ })
	terms.Scan(b[:min(len(b), most)], func(w []byte) {
		m++
		if words[string(w)] > 0 {
			words[string(w)]--
			same++
		}
	})
	return same > 0 && 2*same >= max(n, m)
}

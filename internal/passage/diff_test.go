package passage

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// FuzzCompare: a text is equal to itself, and what was added to it is found.
func FuzzCompare(f *testing.F) {
	f.Add("# a\n\nb\n\n- c\n- d", "# a\n\nb b\n\n- d\n- c")
	f.Add("| a | b |\n| --- | --- |\n| c | d |", "```\na\n```")
	f.Add("a\n\na\n\na", "a\n\na")
	f.Fuzz(func(t *testing.T, before, after string) {
		before, after = text.WithoutControls(before), text.WithoutControls(after)
		if d, _ := Compare(before, before, nil); len(d.Changes) > 0 {
			t.Fatalf("a text differs from itself: %q", d.Changes)
		}
		old := texts(before, units(before, true))
		var news []string
		d, _ := Compare(before, after, nil)
		for _, c := range d.Changes {
			if c.Old != "" && !slices.Contains(old, c.Old) {
				t.Fatalf("%q was not there", c.Old)
			}
			news = append(news, c.New)
		}
		for _, s := range texts(after, units(after, true)) {
			if !slices.Contains(old, s) && !slices.Contains(news, s) {
				t.Fatalf("%q is missing among the changes", s)
			}
		}
	})
}

// Whatever is edited, the changes lead from the old blocks to the new ones.
func TestCompare(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		old := make([]string, rnd.IntN(12))
		for i := range old {
			old[i] = fmt.Sprintf("Block %d of %d", rnd.IntN(9), rnd.IntN(3))
		}
		edited := append([]string{}, old...)
		for range rnd.IntN(4) {
			at := rnd.IntN(len(edited) + 1)
			if rnd.IntN(2) == 0 || at == len(edited) {
				edited = append(edited[:at:at], append([]string{fmt.Sprintf("New %d", rnd.IntN(5))}, edited[at:]...)...)
			} else {
				edited = append(edited[:at:at], edited[at+1:]...)
			}
		}
		d, _ := Compare(strings.Join(old, "\n\n"), strings.Join(edited, "\n\n"), nil)
		count := map[string]int{}
		for _, s := range old {
			count[s]++
		}
		for _, c := range d.Changes {
			count[c.Old]--
			count[c.New]++
		}
		delete(count, "")
		for _, s := range edited {
			count[s]--
		}
		for s, n := range count {
			if n != 0 {
				t.Fatalf("%q to %q: %+v leaves %q %d times", old, edited, d.Changes, s, n)
			}
		}
		if most := max(len(old), len(edited)); len(d.Changes) > 2*most {
			t.Fatalf("%d changes", len(d.Changes))
		}
	}
	// Long texts without a common block.
	long := func(word string) string { return strings.Repeat(word+" and more of it\n\n", 20_000) }
	if d, _ := Compare(long("one"), long("two"), nil); d.Count.Changed != 20_000 {
		t.Errorf("%s", d.Count)
	}
}

// A comparison ends soon after it is told to.
func TestCompareStops(t *testing.T) {
	asked, over := 0, errors.New("over")
	stop := func() error {
		if asked++; asked > 2 {
			return over
		}
		return nil
	}
	d, err := Compare(strings.Repeat("one and more of it\n\n", 2000), strings.Repeat("two and more of it\n\n", 2000), stop)
	if !errors.Is(err, over) || asked != 3 || d.Count.Changed > 3 {
		t.Errorf("%v after %d questions and %s", err, asked, d.Count)
	}
}

package dom

import "strings"

// Finder finds which of some texts stand in another text, in one pass over it: where there
// are many texts, most of the time would go into asking for each of them. It is read-only
// and safe for concurrent use.
type Finder struct {
	begins [1 << 10]bool // by the first two bytes of the texts
	texts  [1 << 10][]numbered
}

type numbered struct {
	text   string
	number int
}

// NewFinder makes a finder of texts, which have two bytes or more.
func NewFinder(texts ...string) *Finder {
	f := &Finder{}
	for i, t := range texts {
		at := firstTwo(t)
		f.begins[at], f.texts[at] = true, append(f.texts[at], numbered{t, i})
	}
	return f
}

func firstTwo(s string) int { return int(s[0]&0x1f)<<5 | int(s[1]&0x1f) }

// Each calls found with the number of each text that stands in s, as often as it stands
// there, until found returns false.
func (f *Finder) Each(s string, found func(number int) bool) {
	for ; len(s) >= 2; s = s[1:] {
		at := firstTwo(s)
		if !f.begins[at] {
			continue
		}
		for _, t := range f.texts[at] {
			if strings.HasPrefix(s, t.text) && !found(t.number) {
				return
			}
		}
	}
}

// In reports whether any of the texts stands in s.
func (f *Finder) In(s string) bool {
	in := false
	f.Each(s, func(int) bool { in = true; return false })
	return in
}

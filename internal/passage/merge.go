package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Passages are chosen from the main content as it is read without a query, with names
// above posts and records in one piece, and from what extraction left out, in page order.
// Both are renderings of one page: mergeAside aligns them at the units that stand once in
// each.

// aside is a range of a merged text that the main content does not have, in bytes.
type aside struct{ from, to int }

// mergeAside writes what only whole has into main, after the unit of main that it
// follows in whole. It returns the text and where the additions stand.
func mergeAside(main, whole string) (string, []aside) {
	mu, wu := units(main, false), units(whole, false)
	added := onlyIn(main, mu, whole, wu)
	var b strings.Builder
	var out []aside
	b.Grow(len(main) + len(whole)/2)
	at := 0 // in main
	pending := added[0]
	flush := func() {
		for _, r := range pending {
			if b.Len() > 0 {
				b.WriteString("\n\n")
			}
			out = append(out, aside{b.Len(), b.Len() + r.to - r.from})
			b.WriteString(whole[r.from:r.to])
		}
		pending = pending[:0]
	}
	flush()
	for i, u := range mu {
		if i == 0 && b.Len() > 0 {
			b.WriteString("\n\n")
			at = u.from
		}
		b.WriteString(main[at:u.to])
		at = u.to
		pending = append(pending, added[i+1]...)
		if len(pending) > 0 && (i+1 == len(mu) || isBreak(main, u, mu[i+1])) {
			flush()
			if i+1 < len(mu) {
				b.WriteString("\n\n")
				at = mu[i+1].from
			}
		}
	}
	b.WriteString(main[at:])
	return b.String(), out
}

// onlyIn finds the runs of units of whole that main does not have, by the number of the
// unit of main that they follow; the first unit of main has the number 1.
func onlyIn(main string, mu []unit, whole string, wu []unit) [][]aside {
	const several = -1
	// place is the number of the unit of main with a key, times how often whole has it.
	type standing struct{ place, times int32 }
	known := make(map[uint64]*standing, len(mu)+len(wu))
	all := make([]standing, 0, len(mu)+len(wu)+1) // does not grow
	of := func(key uint64) *standing {
		k := known[key]
		if k == nil {
			all = append(all, standing{})
			k = &all[len(all)-1]
			known[key] = k
		}
		return k
	}
	wordless := of(0)
	for i, u := range mu {
		k := of(wordsKey(main[u.from:u.to]))
		if k.place != 0 {
			k.place = several
		} else {
			k.place = int32(i) + 1
		}
	}
	found := make([]*standing, len(wu))
	for i, u := range wu {
		found[i] = of(wordsKey(whole[u.from:u.to]))
		found[i].times++
	}
	added := make([][]aside, len(mu)+1)
	at, last := 0, -2 // last: the number of the last unit that was added
	for i := 0; i < len(wu); {
		end := i + 1
		for end < len(wu) && onePiece(wu[end-1], wu[end]) {
			end++
		}
		missing := 0 // units of this piece that main does not have
		for k := i; k < end; k++ {
			switch s := found[k]; {
			case s.place == 0 && s != wordless && !isPicture(whole, wu[k]):
				missing++
			case int(s.place) > at && s.times == 1:
				at = int(s.place)
			}
		}
		if 10*missing > end-i { // a row or two may well be written in another way
			r := &added[at]
			if last == i-1 && len(*r) > 0 {
				(*r)[len(*r)-1].to = wu[end-1].to
			} else {
				*r = append(*r, aside{wu[i].from, wu[end-1].to})
			}
			last = end - 1
		}
		i = end
	}
	return added
}

// onePiece reports whether two units that follow each other are of one table or of one
// block of code, which is added as a whole or not at all.
func onePiece(u, next unit) bool {
	return u.table >= 0 && u.table == next.table || u.fence != "" && next.fence != "" && next.from <= u.to+1
}

// isBreak reports whether something may be added between two units of main: not within
// a table, a block of code, a paragraph, a quotation or an item of a list.
func isBreak(md string, u, next unit) bool {
	return strings.Contains(md[u.to:next.from], "\n") && !onePiece(u, next) && !strings.ContainsRune(" >", rune(md[next.from]))
}

// isPicture reports whether a unit is pictures and nothing else. Main has those of the
// page that say something.
func isPicture(md string, u unit) bool {
	s := strings.TrimLeft(md[u.from:u.to], " >-")
	return strings.HasPrefix(s, "[image") && strings.IndexByte(s, ']') == len(s)-1
}

// wordsKey hashes the words of a text (FNV-1a), 0 for none: the same text may be an item in
// one rendering and a paragraph in the other.
func wordsKey(s string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		case 'A' <= r && r <= 'Z':
			r |= 0x20
		case r < utf8.RuneSelf, !unicode.IsLetter(r) && !unicode.IsNumber(r):
			continue
		default:
			r = unicode.ToLower(r)
		}
		h = (h ^ uint64(r)) * prime
	}
	if h == offset {
		return 0
	}
	return h
}

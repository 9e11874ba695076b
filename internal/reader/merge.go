package reader

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
	mu, wu := units(main), units(whole)
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
		k := of(unitKey(main, u))
		if k.place != 0 {
			k.place = several
		} else {
			k.place = int32(i) + 1
		}
	}
	found := make([]*standing, len(wu))
	for i, u := range wu {
		found[i] = of(unitKey(whole, u))
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

// unitKey hashes the words of a unit (FNV-1a), 0 for none: the same text may be an item in
// one rendering and a paragraph in the other.
func unitKey(md string, u unit) uint64 { return wordsKey(md[u.from:u.to]) }

// wordsKey is unitKey for a text.
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

// joinItems makes one unit of an item of a list and the blocks in it, where they are
// short together: the name, the price and the place of a record answer as one. So does
// a short list below a text that ends in a colon.
func joinItems(md string, all []unit, aside func(u unit) bool) []unit {
	out := all[:0]
	for i := 0; i < len(all); {
		u := all[i]
		end := i + 1
		if u.kind == itemUnit && !aside(u) {
			if n := len(out); n > 0 && strings.HasSuffix(md[:out[n-1].to], ":") {
				end = blocksEnd(md, all, i, 1, aside)
			}
			if end == i+1 {
				end = blocksEnd(md, all, i, itemIndent(md[u.from:u.to]), aside)
			}
		}
		u.to = all[end-1].to
		out = append(out, u)
		i = end
	}
	return out
}

// joinCards makes one unit of a short card that begins with something else than its
// heading: a rule stands before such cards, and the first one stands below the heading of
// all. What comes before the heading would be read as the end of another card.
func joinCards(md string, all []unit, aside func(u unit) bool) []unit {
	out := all[:0]
	joined := false // the last text was a card
	for i := 0; i < len(all); {
		end := i + 1
		if n := len(out); n > 0 && all[i].kind != headingUnit && (isCardRule(md, out[n-1]) || out[n-1].kind == headingUnit) {
			end = cardEnd(md, all, i, joined, aside)
			joined = end > i+1
		}
		u := all[i]
		if end > i+1 {
			u = unit{from: u.from, to: all[end-1].to, kind: itemUnit, table: -1}
		}
		out = append(out, u)
		i = end
	}
	return out
}

// cardEnd is behind the card that unit i begins, which is i+1 where it does not begin one.
// A rule stands behind it, or it is the last one and follows another card.
func cardEnd(md string, all []unit, i int, follows bool, aside func(u unit) bool) int {
	level := 0 // of its heading
	end := i
	for ; end < len(all) && !isCardRule(md, all[end]); end++ {
		u := all[end]
		if u.to-all[i].from > longItem || u.table >= 0 || u.kind == codeUnit || aside(u) {
			return i + 1
		}
		if u.kind == headingUnit {
			if level > 0 && (u.level < level || all[end-1].kind != headingUnit) {
				break // what follows is not of this card
			}
			level = max(level, u.level)
		}
	}
	if level == 0 || !follows && (end == len(all) || !isCardRule(md, all[end])) {
		return i + 1
	}
	return end
}

// isCardRule reports whether a unit is a rule outside of lists.
func isCardRule(md string, u unit) bool {
	return u.kind == paragraphUnit && isRule(md[u.from:u.to])
}

// blocksEnd is behind the units that item i is one unit with: paragraphs that are indented
// by inner, and items; with an inner of 1 the items of the same list too.
func blocksEnd(md string, all []unit, i, inner int, aside func(u unit) bool) int {
	within := func(u unit) bool { return indent(md[u.from:]) >= inner || inner == 1 && u.kind == itemUnit }
	end := i + 1
	for end < len(all) && within(all[end]) && (all[end].kind == paragraphUnit || all[end].kind == itemUnit) && !aside(all[end]) {
		if end++; all[end-1].to-all[i].from > longItem {
			return i + 1 // too long
		}
	}
	if all[end-1].to-all[i].from > longItem || end < len(all) && within(all[end]) {
		return i + 1 // too long, or not all of it is text
	}
	return end
}

// longItem is how many bytes an item has at most that is one unit with its blocks.
const longItem = 400

// indent is how many spaces a text begins with.
func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// itemIndent is the indentation of the blocks of the item that a text begins with.
func itemIndent(s string) int {
	n := indent(s)
	return n + max(itemMark(s[n:]), 1)
}

package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Passages are chosen from the main content as it is read without a query, with names
// above posts and records in one piece, and behind it from what extraction left out.

// withAside writes what only whole has behind main, and returns where that begins.
func withAside(main, whole string) (string, int) {
	known := map[uint64]bool{0: true}
	for _, u := range units(main, false) {
		known[wordsKey(main[u.from:u.to])] = true
	}
	var b strings.Builder
	b.WriteString(main)
	from := len(main)
	all := units(whole, false)
	for i := 0; i < len(all); {
		end, missing := i, 0 // of this piece, and units of it that main does not have
		for ; end == i || end < len(all) && onePiece(all[end-1], all[end]); end++ {
			if !known[wordsKey(whole[all[end].from:all[end].to])] && !isPicture(whole, all[end]) {
				missing++
			}
		}
		if 10*missing > end-i { // a row or two may well be written in another way
			if b.Len() > 0 {
				b.WriteString("\n\n")
			}
			b.WriteString(whole[all[i].from:all[end-1].to])
		}
		i = end
	}
	return b.String(), from
}

// onePiece reports whether two units that follow each other are of one table or of one
// block of code, which is added as a whole or not at all.
func onePiece(u, next unit) bool {
	return u.table >= 0 && u.table == next.table || u.fence != "" && next.fence != "" && next.from <= u.to+1
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

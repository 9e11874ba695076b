package pdf

import (
	"bytes"
	"encoding/binary"
)

// This file reads of embedded font programs what their dictionaries leave out.

// type1Encoding reads the encoding in the clear part of a Type 1 font, which
// is PostScript: dup 65 /A put. nil where it is the standard one.
func type1Encoding(b []byte) map[int]string {
	from := bytes.Index(b, []byte("/Encoding"))
	if from < 0 {
		return nil
	}
	b = b[from:]
	if end := bytes.Index(b, []byte("eexec")); end > 0 {
		b = b[:end]
	}
	out := map[int]string{}
	l := lexer{b: b[:min(len(b), 64<<10)]}
	l.next() // the name Encoding
	var last [2]token
	for {
		t := l.next()
		if t.kind == tokEnd || t.kind == tokWord && (string(t.text) == "def" || string(t.text) == "readonly") && len(out) > 0 {
			return out
		}
		if t.kind == tokWord && string(t.text) == "StandardEncoding" {
			return nil
		}
		if t.kind == tokWord && string(t.text) == "put" && last[0].kind == tokNumber && last[1].kind == tokName {
			if c := int(last[0].num); c >= 0 && c < 256 {
				out[c] = string(last[1].text)
			}
		}
		last[0], last[1] = last[1], t
	}
}

// glyphRunes reads the cmap table of a TrueType or OpenType font backwards:
// the character of each glyph. symbol says that the table is (3,0), whose
// codes are those of the strings.
func glyphRunes(b []byte) (runes map[uint32]rune, symbol bool) {
	u16 := func(at int) int {
		if at < 0 || at+2 > len(b) {
			return 0
		}
		return int(binary.BigEndian.Uint16(b[at:]))
	}
	u32 := func(at int) int {
		if at < 0 || at+4 > len(b) {
			return 0
		}
		return int(binary.BigEndian.Uint32(b[at:]))
	}
	table := 0
	for i := range min(u16(4), 64) {
		if at := 12 + 16*i; at+16 <= len(b) && string(b[at:at+4]) == "cmap" {
			table = u32(at + 8)
		}
	}
	if table == 0 || table >= len(b) {
		return nil, false
	}
	best, at := -1, 0
	for i := range min(u16(table+2), 32) {
		e := table + 4 + 8*i
		rank := -1
		switch platform, enc := u16(e), u16(e+2); {
		case platform == 3 && enc == 10:
			rank = 4
		case platform == 3 && enc == 1:
			rank = 3
		case platform == 0:
			rank = 2
		case platform == 3 && enc == 0:
			rank = 1
		}
		if rank > best {
			best, at = rank, table+u32(e+4)
			symbol = rank == 1
		}
	}
	if best < 0 {
		return nil, false
	}
	runes = map[uint32]rune{}
	put := func(glyph int, r int) {
		if glyph > 0 && glyph <= 0xffff && r > 0 && r <= 0x10ffff {
			if old, ok := runes[uint32(glyph)]; !ok || rune(r) < old {
				runes[uint32(glyph)] = rune(r)
			}
		}
	}
	switch u16(at) {
	case 4:
		n := u16(at+6) / 2
		for i := range n {
			end, start := u16(at+14+2*i), u16(at+16+2*n+2*i)
			delta, offset := u16(at+16+4*n+2*i), u16(at+16+6*n+2*i)
			for c := start; c <= end && c < 0xffff && len(runes) < 1<<16; c++ {
				g := c
				if offset != 0 {
					if g = u16(at + 16 + 6*n + 2*i + offset + 2*(c-start)); g == 0 {
						continue
					}
				}
				put((g+delta)&0xffff, c)
			}
			if i > 1<<14 {
				break
			}
		}
	case 12:
		left := 1 << 18
		for i := range min(u32(at+12), 1<<16) {
			e := at + 16 + 12*i
			start, end, g := u32(e), u32(e+4), u32(e+8)
			for c := start; c <= end && c <= 0x10ffff && left > 0; c++ {
				put(g+c-start, c)
				left--
			}
			if e > len(b) {
				break
			}
		}
	}
	return runes, symbol
}

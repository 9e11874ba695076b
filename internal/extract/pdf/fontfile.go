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
	f := sfnt(b)
	at, symbol := f.cmap()
	if at < 0 {
		return nil, false
	}
	g := glyphMap{}
	switch f.u16(at) {
	case 4:
		f.segments(at, g)
	case 12:
		f.groups(at, g)
	}
	return g, symbol
}

// glyphMap has the lowest character of each glyph.
type glyphMap map[uint32]rune

func (g glyphMap) put(glyph int, r int) {
	if glyph > 0 && glyph <= 0xffff && r > 0 && r <= 0x10ffff {
		if old, ok := g[uint32(glyph)]; !ok || rune(r) < old {
			g[uint32(glyph)] = rune(r)
		}
	}
}

// sfnt is a TrueType or OpenType font. What lies beyond its end reads as 0.
type sfnt []byte

func (f sfnt) u16(at int) int {
	if at < 0 || at+2 > len(f) {
		return 0
	}
	return int(binary.BigEndian.Uint16(f[at:]))
}

func (f sfnt) u32(at int) int {
	if at < 0 || at+4 > len(f) {
		return 0
	}
	return int(binary.BigEndian.Uint32(f[at:]))
}

// cmap returns where the best subtable of the cmap begins, or -1.
func (f sfnt) cmap() (at int, symbol bool) {
	table := 0
	for i := range min(f.u16(4), 64) {
		if e := 12 + 16*i; e+16 <= len(f) && string(f[e:e+4]) == "cmap" {
			table = f.u32(e + 8)
		}
	}
	if table == 0 || table >= len(f) {
		return -1, false
	}
	best, at := -1, -1
	for i := range min(f.u16(table+2), 32) {
		e := table + 4 + 8*i
		if rank := rankOfEncoding(f.u16(e), f.u16(e+2)); rank > best {
			best, at = rank, table+f.u32(e+4)
		}
	}
	return at, best == symbolRank
}

const symbolRank = 1

// rankOfEncoding says how much of Unicode the encoding of a subtable covers; -1
// for one that is not read.
func rankOfEncoding(platform, encoding int) int {
	switch {
	case platform == 3 && encoding == 10:
		return 4
	case platform == 3 && encoding == 1:
		return 3
	case platform == 0:
		return 2
	case platform == 3 && encoding == 0:
		return symbolRank
	}
	return -1
}

// segments reads a subtable of format 4.
func (f sfnt) segments(at int, g glyphMap) {
	n := f.u16(at+6) / 2
	for i := range n {
		end, start := f.u16(at+14+2*i), f.u16(at+16+2*n+2*i)
		delta, offset := f.u16(at+16+4*n+2*i), f.u16(at+16+6*n+2*i)
		for c := start; c <= end && c < 0xffff && len(g) < 1<<16; c++ {
			glyph := c
			if offset != 0 {
				if glyph = f.u16(at + 16 + 6*n + 2*i + offset + 2*(c-start)); glyph == 0 {
					continue
				}
			}
			g.put((glyph+delta)&0xffff, c)
		}
		if i > 1<<14 {
			break
		}
	}
}

// groups reads a subtable of format 12.
func (f sfnt) groups(at int, g glyphMap) {
	left := 1 << 18
	for i := range min(f.u32(at+12), 1<<16) {
		e := at + 16 + 12*i
		start, end, glyph := f.u32(e), f.u32(e+4), f.u32(e+8)
		for c := start; c <= end && c <= 0x10ffff && left > 0; c++ {
			g.put(glyph+c-start, c)
			left--
		}
		if e > len(f) {
			break
		}
	}
}

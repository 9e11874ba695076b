package pdf

// This file reads the encoding of a font in Adobe's Compact Font Format (Technical Note 5176):
// which text each code of it shows. What lies beyond the end of the file reads as 0.

type compactFont struct {
	b        []byte
	standard []string // texts of the standard encoding, in the order of its codes
	strings  [][]byte // names of the file's own
}

// compactEncoding is the text of each code; nil where the font has the standard encoding or
// numbers its glyphs by itself.
func compactEncoding(b []byte) map[int]string {
	f := compactFont{b: b, standard: []string{""}}
	for _, s := range baseEncoding("StandardEncoding") {
		if s != "" {
			f.standard = append(f.standard, s)
		}
	}
	at := f.u8(2)
	_, at = f.index(at) // names
	dicts, at := f.index(at)
	f.strings, _ = f.index(at)
	if len(dicts) == 0 {
		return nil
	}
	charset, encoding, ok := topDict(dicts[0])
	if !ok || encoding <= 1 { // the standard and the expert encoding
		return nil
	}
	texts := f.glyphs(charset)
	out := map[int]string{}
	format, n := f.u8(encoding), f.u8(encoding+1)
	at = encoding + 2
	glyph := 1
	for range n {
		code, more := f.u8(at), 0
		if at++; format&0x7f == 1 {
			more = f.u8(at)
			at++
		}
		for k := 0; k <= more; k++ {
			if glyph < len(texts) && code+k < 256 {
				out[code+k] = texts[glyph]
			}
			glyph++
		}
	}
	return out
}

// number reads so many bytes. What is beyond the end reads as 0.
func (f compactFont) number(at, size int) (v int) {
	for i := range size {
		if v <<= 8; at+i >= 0 && at+i < len(f.b) {
			v |= int(f.b[at+i])
		}
	}
	return v
}

func (f compactFont) u8(at int) int  { return f.number(at, 1) }
func (f compactFont) u16(at int) int { return f.number(at, 2) }

// index reads a list of objects and returns where it ends.
func (f compactFont) index(at int) (list [][]byte, end int) {
	n, size := f.u16(at), f.u8(at+2)
	if n == 0 {
		return nil, at + 2
	}
	offset := func(i int) int { return f.number(at+3+i*size, size) }
	data := at + 2 + (n+1)*size
	for i := range n {
		from, to := data+offset(i), data+offset(i+1)
		if size < 1 || size > 4 || from < 0 || to < from || to > len(f.b) {
			return list, len(f.b)
		}
		list = append(list, f.b[from:to])
	}
	return list, data + offset(n)
}

// topDict finds the offsets of the charset and the encoding. ok is false for a font whose
// glyphs have numbers instead of names.
func topDict(b []byte) (charset, encoding int, ok bool) {
	last := 0
	for i := 0; i < len(b); i++ {
		at := func(k int) int {
			if i+k < len(b) {
				return int(b[i+k])
			}
			return 0
		}
		switch c := int(b[i]); {
		case c == 12:
			if at(1) == 30 { // ROS
				return 0, 0, false
			}
			i++
		case c == 15:
			charset = last
		case c == 16:
			encoding = last
		case c == 28:
			last = at(1)<<8 | at(2)
			i += 2
		case c == 29:
			last = at(1)<<24 | at(2)<<16 | at(3)<<8 | at(4)
			i += 4
		case c == 30: // a fraction
			for i++; i < len(b) && b[i]&0xf != 0xf; i++ {
			}
		case c >= 32 && c <= 246:
			last = c - 139
		case c >= 247 && c <= 250:
			last = (c-247)*256 + at(1) + 108
			i++
		case c >= 251 && c <= 254:
			last = -(c-251)*256 - at(1) - 108
			i++
		}
	}
	return charset, encoding, true
}

// glyphs are the texts of the glyphs that an encoding can name.
func (f compactFont) glyphs(charset int) []string {
	const most = 1 << 9 // an encoding has 256 codes
	out := []string{""} // .notdef
	if charset <= 2 {   // ISOAdobe and the expert sets
		for sid := 1; charset == 0 && sid <= lastISOAdobe; sid++ {
			out = append(out, f.text(sid))
		}
		return out
	}
	format := f.u8(charset)
	for at := charset + 1; len(out) < most && at < len(f.b); {
		sid, left := f.u16(at), 0
		switch at += 2; format {
		case 1:
			left = f.u8(at)
			at++
		case 2:
			left = f.u16(at)
			at += 2
		}
		for k := 0; k <= left && len(out) < most; k++ {
			out = append(out, f.text(sid+k))
		}
	}
	return out
}

const (
	standardStrings = 391 // beyond them are those of the file
	lastISOAdobe    = 228
)

// isoAdobe are the characters of the strings behind those of the standard encoding.
var isoAdobe = []rune("¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž")

// text is the text of a glyph by the number of its name.
func (f compactFont) text(sid int) string {
	switch {
	case sid >= standardStrings && sid-standardStrings < len(f.strings):
		return glyphText(string(f.strings[sid-standardStrings]))
	case sid >= 0 && sid < len(f.standard):
		return f.standard[sid]
	case sid >= len(f.standard) && sid <= lastISOAdobe:
		return string(isoAdobe[sid-len(f.standard)])
	}
	return ""
}

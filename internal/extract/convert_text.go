package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// maxCombining bounds the combining characters on one base character; living
// languages need four.
const maxCombining = 12

// textNode adds a text node: white space folded across nodes as HTML does,
// invisible characters gone, unprocessed TeX as formulas.
func (c *converter) textNode(s string) {
	if c.code == 0 && (strings.IndexByte(s, '\\') >= 0 || strings.Contains(s, "$$")) {
		c.textWithTeX(s)
		return
	}
	c.text(s)
}

func (c *converter) text(s string) {
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			if b <= ' ' || b == 0x7f {
				if isSpace(b) {
					c.space = true
				} else {
					c.note(page.NoteInvisible, 1)
				}
				i++
				continue
			}
			j := i + 1
			for j < len(s) && s[j] > ' ' && s[j] < 0x7f {
				j++
			}
			c.begin(true)
			c.buf = append(c.buf, s[i:j]...)
			i = j
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch kindOfRune(r) {
		case runeSpace:
			c.space = true
		case runePlain:
			c.begin(true)
			c.buf = utf8.AppendRune(c.buf, r)
		default:
			if c.space || !keepsInvisible(c.buf, r, s[i+size:]) {
				c.note(page.NoteInvisible, 1)
				break
			}
			c.begin(true)
			c.buf = utf8.AppendRune(c.buf, r)
		}
		i += size
	}
}

type runeKind uint8

const (
	runePlain  runeKind = iota
	runeSpace           // folds with white space
	runeUnsure          // stays only where it has a meaning
)

// kindOfRune sorts the runes beyond ASCII. The letters of most pages leave by
// the first line.
func kindOfRune(r rune) runeKind {
	if r >= 0xa1 && r < 0x300 && r != 0xad || r >= 0x3041 && r < 0xd800 && r != 0x3164 {
		return runePlain
	}
	switch {
	case r < 0xa0, r == 0xad: // C1, soft hyphen
		return runeUnsure
	case r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a, r == 0x2028, r == 0x2029, r == 0x202f, r == 0x205f, r == 0x3000:
		return runeSpace
	case r < 0x370, // combining marks
		r >= 0x483 && r <= 0x489,
		r == 0x61c,
		r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r >= 0x180b && r <= 0x180f,
		r >= 0x1ab0 && r <= 0x1aff, r >= 0x1dc0 && r <= 0x1dff,
		r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0x20d0 && r <= 0x20ff,
		r == 0x3164,
		r >= 0xfdd0 && r <= 0xfdef, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfe20 && r <= 0xfe2f, r == 0xfeff, r == 0xffa0,
		r >= 0xfff0 && r <= 0xfffb, r == 0xfffe, r == 0xffff,
		r >= 0x1d173 && r <= 0x1d17a,
		r >= 0xe0000 && r <= 0xe0fff,
		r > 0xffff && r&0xfffe == 0xfffe:
		return runeUnsure
	}
	return runePlain
}

// keepsInvisible decides on a rune that is mostly invisible, after the text
// before and before the rest.
func keepsInvisible(before []byte, r rune, rest string) bool {
	prev, _ := utf8.DecodeLastRune(before)
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == 0x200c || r == 0x200d:
		// Joiners shape Arabic and Indic text, and make emoji sequences.
		if r == 0x200d && (isEmoji(prev) || prev == 0xfe0f) && isEmoji(next) {
			return true
		}
		return joins(prev) && joins(next)
	case r == 0xfe0e || r == 0xfe0f:
		return isEmoji(prev) || prev >= '0' && prev <= '9' && next == 0x20e3 || prev == '#' && next == 0x20e3 || prev == '*' && next == 0x20e3
	case r >= 0xfe00 && r <= 0xfe0d, r >= 0xe0100 && r <= 0xe01ef:
		return unicode.Is(unicode.Han, prev)
	case r >= 0x180b && r <= 0x180d || r == 0x180f:
		return unicode.Is(unicode.Mongolian, prev)
	case r >= 0xe0020 && r <= 0xe007f:
		// The flags of England, Scotland and Wales; anything else is hidden text.
		return prev == 0x1f3f4 || prev >= 0xe0061 && prev <= 0xe007a && flagTags(before)
	case unicode.Is(unicode.M, r):
		n := 0
		for len(before) > 0 && n <= maxCombining {
			p, size := utf8.DecodeLastRune(before)
			if !unicode.Is(unicode.M, p) {
				break
			}
			n++
			before = before[:len(before)-size]
		}
		return n < maxCombining && len(before) > 0 && prev != utf8.RuneError
	}
	return false
}

// flagTags reports whether text ends in a black flag and at most six tags.
func flagTags(b []byte) bool {
	for n := 0; n < 7 && len(b) > 0; n++ {
		r, size := utf8.DecodeLastRune(b)
		if r == 0x1f3f4 {
			return true
		}
		if r < 0xe0061 || r > 0xe007a {
			return false
		}
		b = b[:len(b)-size]
	}
	return false
}

func isEmoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xa9 || r == 0xae || r == 0x203c || r == 0x2049 ||
		r == 0x2122 || r == 0x2139 || r == 0x3030 || r == 0x303d || r == 0x3297 || r == 0x3299
}

// joins reports whether r belongs to a script in which joiners have a meaning.
func joins(r rune) bool {
	return r >= 0x600 && r <= 0x7ff || r >= 0x840 && r <= 0x8ff || r >= 0x900 && r <= 0xdff || r >= 0xe00 && r <= 0x109f ||
		r >= 0x1700 && r <= 0x18af || r >= 0x1900 && r <= 0x1aaf || r >= 0x1b00 && r <= 0x1bff || r >= 0xa840 && r <= 0xabff ||
		r >= 0xfb50 && r <= 0xfdcf || r >= 0xfe70 && r <= 0xfefc || r >= 0x11000 && r <= 0x11fff
}

// clean folds an attribute's text as [converter.text] folds a node's.
func (c *converter) clean(s string) string {
	if s == "" {
		return ""
	}
	if len(s) > 4096 {
		s = strings.ToValidUTF8(s[:4096], "")
	}
	plain := true
	for i := 0; i < len(s); i++ {
		if b := s[i]; b < ' ' || b >= 0x7f || b == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	t := converter{o: convertOptions{notes: c.o.notes}}
	t.frames = append(t.frames, frame{})
	t.text(s)
	return string(t.buf)
}

// appendCode appends s to b without what code cannot hold: control and invisible characters.
// White space stays as it is, but for carriage returns and odd spaces.
func (c *converter) appendCode(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		ch := s[i]
		if ch < utf8.RuneSelf {
			switch {
			case ch >= ' ' && ch != 0x7f || ch == '\n' || ch == '\t':
				b = append(b, ch)
			case ch == '\r':
				if i+1 >= len(s) || s[i+1] != '\n' {
					b = append(b, '\n')
				}
			default:
				c.note(page.NoteInvisible, 1)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch kindOfRune(r) {
		case runePlain:
			b = utf8.AppendRune(b, r)
		case runeSpace:
			if r == 0x2028 || r == 0x2029 {
				b = append(b, '\n')
			} else if r == 0x3000 {
				b = utf8.AppendRune(b, r)
			} else {
				b = append(b, ' ')
			}
		default:
			if keepsInvisible(b, r, s[i+size:]) {
				b = utf8.AppendRune(b, r)
			} else {
				c.note(page.NoteInvisible, 1)
			}
		}
		i += size
	}
	return b
}

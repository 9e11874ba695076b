package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks bounds the combining marks on one base character. Living languages
// need four.
const maxMarks = 12

// Keeps reports whether r, which is a [Mark] or invisible, has a visible effect
// where it stands and therefore stays. before is the cleaned text before r, of
// which only the end matters; rest is the text after r.
//
// These stay: ZWJ and ZWNJ between letters of a script in which they shape
// letters; ZWJ between emoji (UTS #51, section 2.2); the grapheme joiner between
// two marks, as Hebrew has it; the vowel separator before a Mongolian a or e;
// VS15 and VS16 after an emoji or in a keycap; other variation selectors after a
// Han character (UTS #37) or a Mongolian one; the tags of the flags of
// England, Scotland and Wales (UTS #51, annex C); and marks on a base character.
func Keeps(before []byte, r rune, rest string) bool {
	switch ClassOf(r) {
	case Mark:
		return stacks(before)
	case Joiner:
		return keepsJoiner(before, r, rest)
	case Variation:
		return keepsVariation(before, r, rest)
	case Tag:
		return inFlag(before, r, rest)
	}
	return false
}

func keepsJoiner(before []byte, r rune, rest string) bool {
	prev, _ := utf8.DecodeLastRune(before)
	next, _ := utf8.DecodeRuneInString(rest)
	switch r {
	case graphemeJoiner:
		return isMark(prev) && prev != graphemeJoiner && isMark(next) && ClassOf(next) <= Mark && stacks(before)
	case vowelSeparator:
		return unicode.Is(unicode.Mongolian, prev) && unicode.IsLetter(prev) && (next == mongolianA || next == mongolianA+1)
	case zwj:
		if (isEmoji(prev) || prev == vs16) && isEmoji(next) {
			return true
		}
	}
	return joins(prev) && joins(next)
}

// The characters that have rules of their own.
const (
	graphemeJoiner = 0x34f
	mongolianA     = 0x1820
	vowelSeparator = 0x180e
	zwj            = 0x200d
	keycap         = 0x20e3
	vs15, vs16     = 0xfe0e, 0xfe0f
	blackFlag      = "\U0001f3f4"
)

func keepsVariation(before []byte, r rune, rest string) bool {
	prev, _ := utf8.DecodeLastRune(before)
	switch {
	case r == vs15 || r == vs16:
		if isEmoji(prev) {
			return true
		}
		next, _ := utf8.DecodeRuneInString(rest)
		return next == keycap && (prev >= '0' && prev <= '9' || prev == '#' || prev == '*')
	case r < 0xfe00: // free variation selectors
		return unicode.Is(unicode.Mongolian, prev) && unicode.IsLetter(prev)
	}
	return unicode.Is(unicode.Han, prev)
}

// stacks reports whether the text ends in a base character with room for one
// more mark.
func stacks(before []byte) bool {
	last, _ := utf8.DecodeLastRune(before)
	if len(before) == 0 || last == utf8.RuneError {
		return false
	}
	for n := 0; len(before) > 0; n++ {
		p, size := utf8.DecodeLastRune(before)
		if !isMark(p) {
			return true
		}
		if n+1 >= maxMarks {
			return false
		}
		before = before[:len(before)-size]
	}
	return true
}

// isMark reports whether r is a combining mark, or will be one: the blocks for
// marks of any script have unassigned places.
func isMark(r rune) bool { return unicode.Is(unicode.M, r) || ClassOf(r) == Mark }

// flags are the tags behind the black flag, with the cancel tag: gbeng, gbsct
// and gbwls. Emoji 15.0 has no others.
var flags = [...]string{
	"\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
	"\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	"\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
}

// inFlag reports whether a tag is part of a whole flag.
func inFlag(before []byte, r rune, rest string) bool {
	const size = 4 // bytes of each tag, and of the flag
	for _, f := range flags {
		for at := 0; at < len(f); at += size {
			from := len(before) - at - len(blackFlag)
			if f[at:at+size] == string(r) && from >= 0 && string(before[from:from+len(blackFlag)]) == blackFlag &&
				string(before[from+len(blackFlag):]) == f[:at] && strings.HasPrefix(rest, f[at+size:]) {
				return true
			}
		}
	}
	return false
}

// isEmoji covers the blocks of emoji and a little more: the property Emoji is
// not in package unicode, and a selector after an arrow that is not an emoji
// does no harm.
func isEmoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xa9 || r == 0xae || r == 0x203c || r == 0x2049 ||
		r == 0x2122 || r == 0x2139 || r == 0x3030 || r == 0x303d || r == 0x3297 || r == 0x3299
}

// joins reports whether r belongs to a script in which joiners shape letters:
// Arabic and its kin, the Indic scripts and Mongolian. The joiners and
// selectors themselves do not count.
func joins(r rune) bool {
	if r < 0x600 || ClassOf(r) != Plain {
		return false
	}
	return r <= 0x7ff || r >= 0x840 && r <= 0xdff || r >= 0xe00 && r <= 0x109f ||
		r >= 0x1700 && r <= 0x18af || r >= 0x1900 && r <= 0x1aaf || r >= 0x1b00 && r <= 0x1bff || r >= 0xa840 && r <= 0xabff ||
		r >= 0xfb50 && r <= 0xfdcf || r >= 0xfe70 && r <= 0xfefc || r >= 0x11000 && r <= 0x11fff
}

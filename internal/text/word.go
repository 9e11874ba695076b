package text

import (
	"unicode"
	"unicode/utf8"
)

// IsWord reports whether r is part of a word: a letter, a digit, a mark or the
// underscore, as \w does (UTS #18, annex C).
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// IsSpacedWord reports whether r is part of a word of a script that puts spaces
// between words. A character of a script without spaces is a word of its own.
func IsSpacedWord(r rune) bool {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// IsCJK reports whether r is a Han character, Kana or a Hangul syllable: a
// character that counts for a word of other scripts.
func IsCJK(r rune) bool {
	return r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r >= 0x20000 && r <= 0x3ffff
}

// IsWide reports whether r is as wide as a Han character: CJK with its
// punctuation, radicals and fullwidth forms (roughly East_Asian_Width W and F,
// UAX #11). Models spend about one token on each, and a text can be cut beside
// each.
func IsWide(r rune) bool {
	return r >= 0x2e80 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r >= 0xf900 && r <= 0xfaff || r >= 0xff00 && r <= 0xffef || r >= 0x20000 && r <= 0x3ffff
}

// Tokens estimates the tokens of s: a quarter of its bytes, and one for each
// wide character, rounded up.
func Tokens(s string) int { return (QuartersOf(s) + 3) / 4 }

// QuartersOf is the sum of [Quarters] over the characters of s.
func QuartersOf[T string | []byte](s T) int {
	quarters := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			quarters++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		quarters += Quarters(r, size)
		i += size
	}
	return quarters
}

// Quarters is what [Tokens] counts for one character of size bytes, in quarters
// of a token.
func Quarters(r rune, size int) int {
	if IsWide(r) {
		return 4
	}
	return size
}

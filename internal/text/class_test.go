package text

import (
	"testing"
	"unicode"
)

// ignorable derives Default_Ignorable_Code_Point as DerivedCoreProperties.txt
// does.
func ignorable(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Cf, unicode.Variation_Selector) &&
		!unicode.Is(unicode.White_Space, r) && !annotation(r) && !hieroglyphic(r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

func annotation(r rune) bool   { return r >= 0xfff9 && r <= 0xfffb }
func hieroglyphic(r rune) bool { return r >= 0x13430 && r <= 0x13440 }

// TestClassOf compares the table with the Unicode character database, for each
// code point.
func TestClassOf(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		got := ClassOf(r)
		var ok bool
		switch {
		case unicode.Is(unicode.White_Space, r):
			ok = got == Space
		case unicode.Is(unicode.Cc, r):
			ok = got == Control
		case unicode.In(r, unicode.Noncharacter_Code_Point, unicode.Cs):
			ok = got == Noncharacter
		case annotation(r):
			ok = got == Annotation
		case unicode.Is(unicode.Variation_Selector, r):
			ok = got == Variation
		case unicode.Is(unicode.Bidi_Control, r):
			ok = got == Bidi
		case unicode.Is(unicode.Join_Control, r):
			ok = got == Joiner
		case ignorable(r):
			ok = got.Invisible()
		case got == Mark:
			// The blocks for marks of any script; they have unassigned places.
			ok = unicode.In(r, unicode.M, unicode.Cn)
		default:
			ok = got == Plain
		}
		if !ok {
			t.Errorf("U+%04X is %s", r, got)
		}
	}
	for _, r := range []rune{-1, unicode.MaxRune + 1} {
		if got := ClassOf(r); got != Noncharacter {
			t.Errorf("%d is %s, want noncharacter", r, got)
		}
	}
}

func TestTableAscends(t *testing.T) {
	last := rune(-1)
	for _, s := range table {
		if s.lo <= last || s.hi < s.lo {
			t.Errorf("%04X-%04X stands behind %04X", s.lo, s.hi, last)
		}
		last = s.hi
	}
}

// TestClassNames has one character of each class, and some on the border.
func TestClassNames(t *testing.T) {
	for r, want := range map[rune]string{
		'a': "plain", 0xa0: "space", 0x301: "mark", 0x1b: "control", 0x202e: "bidi", 0x200d: "joiner", 0xfe0f: "variation selector",
		0xe0041: "tag", 0x3164: "filler", 0xad: "format", 0x2063: "format", 0xfffa: "annotation", 0xfffe: "noncharacter", 0x1fffe: "noncharacter",
		0xe000: "plain", 0x10ffff: "noncharacter", 0x600: "plain", 0x3000: "space", 0xfffd: "plain", 0x1160: "filler", 0x2800: "plain",
	} {
		if got := ClassOf(r).String(); got != want {
			t.Errorf("U+%04X is %s, want %s", r, got, want)
		}
	}
}

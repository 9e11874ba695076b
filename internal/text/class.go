package text

// Class says how a character is treated.
type Class uint8

// The classes. Those from Control on are invisible.
const (
	// Plain characters are drawn, and stay.
	Plain Class = iota
	// Space is white space: the property White_Space of UAX #44.
	Space
	// Mark is a combining mark for the letters of any script. It stays on a
	// base character, up to a limit: stacks of marks cover other text.
	Mark

	// Control is a C0 or C1 control that is not white space.
	Control
	// Bidi changes the order in which text is shown: UAX #9, section 2.
	Bidi
	// Joiner is ZWNJ, ZWJ, the combining grapheme joiner or the Mongolian vowel
	// separator: Unicode Standard, sections 23.2 and 13.5.
	Joiner
	// Variation is a variation selector: Unicode Standard, section 23.4.
	Variation
	// Tag is a tag character: Unicode Standard, section 23.9. Tags repeat ASCII
	// invisibly, and language models read them.
	Tag
	// Filler is a letter or a vowel that is drawn as nothing, for example
	// U+3164.
	Filler
	// Format is every other default ignorable character, for example the soft
	// hyphen, U+200B, U+FEFF and the invisible operators.
	Format
	// Annotation is an interlinear annotation character: Unicode Standard,
	// section 23.8.
	Annotation
	// Noncharacter is a code point that is never assigned, or a surrogate.
	Noncharacter

	classes
)

var classNames = [classes]string{"plain", "space", "mark", "control", "bidi", "joiner", "variation selector", "tag", "filler", "format", "annotation", "noncharacter"}

// String returns the name of the class in lower case.
func (c Class) String() string { return classNames[c] }

// Invisible reports whether the characters of the class are not drawn.
func (c Class) Invisible() bool { return c >= Control }

// span is a row of the table: the characters from lo to hi.
type span struct {
	lo, hi rune
	class  Class
}

// table has every character that is not Plain, in ascending order. The last
// two characters of each plane from plane 1 on are noncharacters too, see
// ClassOf.
var table = [...]span{
	{0x0000, 0x0008, Control},
	{0x0009, 0x000d, Space},
	{0x000e, 0x001f, Control},
	{0x0020, 0x0020, Space},
	{0x007f, 0x0084, Control},
	{0x0085, 0x0085, Space}, // next line
	{0x0086, 0x009f, Control},
	{0x00a0, 0x00a0, Space},
	{0x00ad, 0x00ad, Format}, // soft hyphen
	{0x0300, 0x034e, Mark},   // Combining Diacritical Marks
	{0x034f, 0x034f, Joiner}, // combining grapheme joiner
	{0x0350, 0x036f, Mark},
	{0x0483, 0x0489, Mark}, // Cyrillic, among them enclosing marks
	{0x061c, 0x061c, Bidi}, // Arabic letter mark
	{0x115f, 0x1160, Filler},
	{0x1680, 0x1680, Space},
	{0x17b4, 0x17b5, Filler}, // Khmer inherent vowels
	{0x180b, 0x180d, Variation},
	{0x180e, 0x180e, Joiner}, // Mongolian vowel separator
	{0x180f, 0x180f, Variation},
	{0x1ab0, 0x1aff, Mark}, // Combining Diacritical Marks Extended
	{0x1dc0, 0x1dff, Mark}, // Combining Diacritical Marks Supplement
	{0x2000, 0x200a, Space},
	{0x200b, 0x200b, Format}, // zero width space
	{0x200c, 0x200d, Joiner},
	{0x200e, 0x200f, Bidi},
	{0x2028, 0x2029, Space}, // line and paragraph separators
	{0x202a, 0x202e, Bidi},  // embeddings and overrides
	{0x202f, 0x202f, Space},
	{0x205f, 0x205f, Space},
	{0x2060, 0x2065, Format}, // word joiner, invisible operators, one reserved
	{0x2066, 0x2069, Bidi},   // isolates
	{0x206a, 0x206f, Format}, // deprecated format characters
	{0x20d0, 0x20ff, Mark},   // Combining Diacritical Marks for Symbols
	{0x3000, 0x3000, Space},
	{0x3164, 0x3164, Filler}, // Hangul filler
	{0xd800, 0xdfff, Noncharacter},
	{0xfdd0, 0xfdef, Noncharacter},
	{0xfe00, 0xfe0f, Variation},
	{0xfe20, 0xfe2f, Mark},   // Combining Half Marks
	{0xfeff, 0xfeff, Format}, // zero width no-break space, byte order mark
	{0xffa0, 0xffa0, Filler}, // halfwidth Hangul filler
	{0xfff0, 0xfff8, Format}, // reserved
	{0xfff9, 0xfffb, Annotation},
	{0xfffe, 0xffff, Noncharacter},
	{0x1bca0, 0x1bca3, Format}, // shorthand format controls
	{0x1d173, 0x1d17a, Format}, // musical beams, slurs and phrases
	{0xe0000, 0xe00ff, Tag},    // tags, and what is reserved beside them
	{0xe0100, 0xe01ef, Variation},
	{0xe01f0, 0xe0fff, Format}, // reserved
}

// ClassOf returns the class of a character. What is not a character is a
// Noncharacter.
func ClassOf(r rune) Class {
	// The characters of most texts need no search.
	switch {
	case r > ' ' && r < 0x7f, r > 0xa0 && r < 0x300 && r != 0xad, r > 0x3000 && r < 0xd800 && r != 0x3164, r > 0x36f && r < 0x483,
		r > 0x61c && r < 0x115f, r > 0x200f && r < 0x2028, r > 0x206f && r < 0x20d0, r > 0x20ff && r < 0x3000, r > 0xfeff && r < 0xffa0:
		return Plain
	case r == ' ' || r == 0xa0:
		return Space
	case r > 0xffff:
		if r&0xfffe == 0xfffe || r > 0x10ffff {
			return Noncharacter
		}
		if r > 0x1d17a && r < 0xe0000 || r > 0xe0fff {
			return Plain
		}
	case r < 0:
		return Noncharacter
	}
	lo, hi := 0, len(table)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if table[mid].hi < r {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(table) && table[lo].lo <= r {
		return table[lo].class
	}
	return Plain
}

package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	england  = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
	scotland = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
	wales    = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
	texas    = "\U0001f3f4\U000e0075\U000e0073\U000e0074\U000e0078\U000e007f"
	tags     = "\U000e0048\U000e0049" // HI
)

// kept is text whose invisible characters have a visible effect.
var kept = []struct{ name, s string }{
	{"zwnj in Persian", "می\u200cخواهم"},
	{"zwj in Sinhala", "ක්\u200dෂ"},
	{"zwj in Devanagari", "क्\u200dष"},
	{"zwnj in Devanagari", "क्\u200cष"},
	{"zwnj in Bengali", "র\u200dয"},
	{"family", "👨\u200d👩\u200d👧\u200d👦"},
	{"rainbow flag", "🏳\ufe0f\u200d🌈"},
	{"presentation", "❤\ufe0f ☎\ufe0e"},
	{"keycaps", "1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3"},
	{"the three flags", england + scotland + " " + wales},
	{"Mongolian selector and vowel separator", "ᠠ\u180bᠪ ᠬ\u180eᠠ ᠠ\u180fᠨ"},
	{"ideographic variation", "葛\U000e0100 葛\ufe00"},
	{"Hebrew with marks", "שָׁלוֹם לָ\u034fֽ"},
	{"Vietnamese, decomposed", "e\u0302\u0301"},
	{"Thai", "ผู้ใหญ่"},
	{"private use", "\ue000 \U000f0001"},
	{"Arabic number sign", "\u0600١٢"},
	{"replacement", "a\ufffdb"},
}

// dropped is text from which characters go.
var dropped = []struct {
	name, s, want string
	removed       int
}{
	{"tags", "a" + tags + "b", "ab", 2},
	{"tags behind a black flag", "\U0001f3f4" + tags + "b", "\U0001f3f4b", 2},
	{"no other region", texas, "\U0001f3f4", 5},
	{"a flag without its end", scotland[:len(scotland)-4] + "x", "\U0001f3f4x", 5},
	{"behind a flag", scotland + tags, scotland, 2},
	{"a flag twice", scotland + scotland[4:], scotland, 6},
	{"a second selector", "❤\ufe0f\ufe0f", "❤\ufe0f", 1},
	{"selector without a base", "a\ufe0f\ufe00\U000e0100", "a", 3},
	{"selectors behind an emoji", "😀\U000e0138\U000e0139", "😀", 2},
	{"fillers", "a\u115f\u1160\u3164\uffa0b", "ab", 4},
	{"zero width", "a\u200b\u2060\ufeffb", "ab", 3},
	{"soft hyphen", "a\u00adb", "ab", 1},
	{"bidi", "a\u202eb\u202c\u2066\u2069\u200e\u200f\u061c", "ab", 7},
	{"controls", "a\x00\x1b[31m\u009b\x7f", "a[31m", 4},
	{"annotation", "a\ufff9b\ufffac\ufffb", "abc", 3},
	{"invisible operators", "a\u2061\u2062\u2063\u2064b", "ab", 4},
	{"noncharacters", "a\ufdd0\ufffe\U0001ffff", "a", 3},
	{"Khmer vowels", "ក\u17b4\u17b5", "ក", 2},
	{"shorthand", "a\U0001bca0\U0001d173", "a", 2},
	{"zwj in Latin", "a\u200db\u200cc", "abc", 2},
	{"zwj twice", "क्\u200d\u200dष", "क्\u200dष", 1},
	{"grapheme joiners", "a\u034f\u034fb", "ab", 2},
	{"vowel separator in Latin", "a\u180eb", "ab", 1},
	{"marks upon marks", "a" + strings.Repeat("\u0301", 40), "a" + strings.Repeat("\u0301", 12), 28},
	{"a mark on nothing", "\u0301a", "a", 1},
}

func TestClean(t *testing.T) {
	for _, c := range kept {
		for _, l := range []layout{OneLine, Verbatim} {
			var n Removed
			if got := Clean(c.s, l, &n); got != c.s || n.Total() != 0 {
				t.Errorf("%s, layout %d: %+q, want %+q (%d removed)", c.name, l, got, c.s, n.Total())
			}
		}
	}
	for _, c := range dropped {
		for _, l := range []layout{OneLine, Verbatim} {
			var n Removed
			got := Clean(c.s, l, &n)
			if got != c.want || n.Total() != c.removed {
				t.Errorf("%s, layout %d: %+q with %d removed, want %+q with %d", c.name, l, got, n.Total(), c.want, c.removed)
			}
			if again := Clean(got, l, nil); again != got {
				t.Errorf("%s, layout %d: a second time %+q", c.name, l, again)
			}
		}
	}
}

func TestCleanSpace(t *testing.T) {
	for _, c := range []struct{ name, s, line, verbatim string }{
		{"nothing", "", "", ""},
		{"plain", "a b", "a b", "a b"},
		{"ends", " a ", "a", " a "},
		{"runs", "a  b\t\tc", "a b c", "a  b\t\tc"},
		{"line ends", "a\r\nb\rc\nd", "a b c d", "a\nb\nc\nd"},
		{"breaks", "a\u2028b\u2029c\u0085d\fe\vf", "a b c d e f", "a\nb\nc\nd\ne\nf"},
		{"odd spaces", "a\u00a0b\u2003c\u3000d", "a b c d", "a b c\u3000d"},
		{"all spaces", " \n\u00a0", "", " \n "},
		{"byte order mark", "\ufeffa", "a", "a"},
		{"not UTF-8", "a\xffb", "a\ufffdb", "a\ufffdb"},
		{"a mark after a space", "a \u0301b", "a b", "a \u0301b"},
		{"letters", "é  日本", "é 日本", "é  日本"},
	} {
		var n Removed
		if got := Clean(c.s, OneLine, nil); got != c.line {
			t.Errorf("%s: one line %+q, want %+q", c.name, got, c.line)
		}
		if got := Clean(c.s, Verbatim, &n); got != c.verbatim || n.Total() > 0 {
			t.Errorf("%s: verbatim %+q, want %+q", c.name, got, c.verbatim)
		}
		if got := string(AppendVerbatim([]byte("<"), c.s, nil)); got != "<"+strings.TrimPrefix(c.verbatim, "\ufeff") && !strings.HasPrefix(c.s, "\ufeff") {
			t.Errorf("%s: appended %+q, want %+q", c.name, got, "<"+c.verbatim)
		}
	}
}

func TestRemovedByClass(t *testing.T) {
	var n Removed
	Clean("a\u202e"+tags+"\u3164\u200bb\x1b", OneLine, &n)
	want := Removed{Bidi: 1, Tag: 2, Filler: 1, Format: 1, Control: 1}
	if n != want {
		t.Errorf("%v, want %v", n, want)
	}
}

func TestWithoutControls(t *testing.T) {
	const s = "\ufeffa\x1b\tb\r\nc\rd\u009b\xff" + tags + "\u200b"
	if got, want := WithoutControls(s), "a\tb\nc\nd\ufffd"+tags+"\u200b"; got != want {
		t.Errorf("%+q, want %+q", got, want)
	}
}

func FuzzClean(f *testing.F) {
	for _, c := range kept {
		f.Add(c.s)
	}
	for _, c := range dropped {
		f.Add(c.s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, l := range []layout{OneLine, Verbatim} {
			var n Removed
			got := Clean(s, l, &n)
			if !utf8.ValidString(got) || Clean(got, l, nil) != got {
				t.Fatalf("%+q becomes %+q", s, got)
			}
			for i, r := range got {
				if c := ClassOf(r); c.Invisible() && !Keeps([]byte(got[:i]), r, got[i+utf8.RuneLen(r):]) {
					t.Fatalf("%+q keeps U+%04X", s, r)
				}
			}
		}
	})
}

func BenchmarkClean(b *testing.B) {
	for _, c := range []struct{ name, s string }{
		{"ASCII", strings.Repeat("The quick brown fox jumps over the lazy dog. ", 100)},
		{"Latin", strings.Repeat("Le cœur déçu mais l’âme plutôt naïve – Louÿs. ", 100)},
		{"Japanese", strings.Repeat("いろはにほへと ちりぬるを。我が世誰ぞ常ならむ、", 60)},
		{"Persian", strings.Repeat("می\u200cخواهم این کتاب را بخوانم. ", 100)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.s)))
			for b.Loop() {
				Clean(c.s, Verbatim, nil)
			}
		})
	}
}

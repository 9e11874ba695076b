package pdf

import (
	_ "embed" // glyphs.txt
	"strconv"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// This file knows what the names of glyphs mean, after Adobe's glyph list and
// its rules for names that are not in it, and the encodings that a font can
// name: ISO 32000-1, annex D.

// glyphNames are the names that do not follow from a rule: single letters and
// letters with an accent do.
//
//go:embed glyphs.txt
var glyphNames string

// accents are the ends of names of letters with an accent.
const accents = "acute:301 breve:306 caron:30c cedilla:327 circumflex:302 commaaccent:326 dieresis:308 dotaccent:307 " +
	"dotbelow:323 grave:300 hookabove:309 hungarumlaut:30b macron:304 ogonek:328 ring:30a tilde:303 tonos:301 dieresistonos:344"

// nameTables are glyphNames and accents.
var nameTables = sync.OnceValue(func() (t [2]map[string]rune) {
	for i, s := range []string{glyphNames, accents} {
		t[i] = map[string]rune{}
		for _, f := range strings.Fields(s) {
			n, hex, _ := strings.Cut(f, ":")
			r, _ := strconv.ParseUint(hex, 16, 32)
			t[i][n] = rune(r)
		}
	}
	return t
})

// glyphText is the text that a glyph's name stands for, or "".
func glyphText(name string) string {
	name, _, _ = strings.Cut(name, ".") // a variant: "a.sc"
	if name == "" || len(name) > 64 {
		return ""
	}
	if strings.Contains(name, "_") { // a ligature: "f_f_i"
		var b strings.Builder
		for part := range strings.SplitSeq(name, "_") {
			b.WriteString(oneGlyph(part))
		}
		return b.String()
	}
	return oneGlyph(name)
}

func oneGlyph(name string) string {
	if len(name) < 2 {
		if name != "" && (name[0]|0x20 < 'a' || name[0]|0x20 > 'z') {
			return ""
		}
		return name
	}
	if r, ok := nameTables()[0][name]; ok {
		return string(r)
	}
	if strings.HasPrefix(name, "uni") && len(name) >= 7 {
		return codeUnits(name[3:])
	}
	if name[0] == 'u' && len(name) >= 5 && len(name) <= 7 {
		if n, err := strconv.ParseUint(name[1:], 16, 32); err == nil && n <= 0x10ffff {
			return string(rune(n))
		}
	}
	if text, ok := accentedGlyph(name); ok {
		return text
	}
	if small, ok := strings.CutSuffix(name, "small"); ok { // small capitals of old Type 1 fonts
		return strings.ToUpper(oneGlyph(strings.ToLower(small)))
	}
	if digit, ok := strings.CutSuffix(name, "oldstyle"); ok {
		return oneGlyph(digit)
	}
	return ""
}

// codeUnits reads UTF-16 code units of four hexadecimal digits each; "" if one is
// malformed.
func codeUnits(hex string) string {
	var b strings.Builder
	for ; len(hex) >= 4; hex = hex[4:] {
		n, err := strconv.ParseUint(hex[:4], 16, 16)
		if err != nil {
			return ""
		}
		b.WriteRune(rune(n))
	}
	return b.String()
}

// accentedGlyph reads a name that ends in an accent: the base is a letter or a Greek
// letter's name. It returns false for other names.
func accentedGlyph(name string) (string, bool) {
	for i := 1; i < len(name); i++ {
		mark, ok := nameTables()[1][name[i:]]
		if !ok {
			continue
		}
		base := oneGlyph(name[:i])
		if base == "" {
			return "", true
		}
		return norm.NFC.String(base + string(mark)), true
	}
	return "", false
}

// standardHigh is the upper half of StandardEncoding from 0xA1.
const standardHigh = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ\x00–†‡·\x00¶•‚„”»…‰\x00¿\x00`´ˆ˜¯˘˙¨\x00˚¸\x00˝˛ˇ—\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00Æ\x00ª\x00\x00\x00\x00ŁØŒº\x00\x00\x00\x00\x00æ\x00\x00\x00ı\x00\x00łøœß"

// baseEncoding is what the codes of a simple font mean by the name of an
// encoding; unknown names mean StandardEncoding.
func baseEncoding(name string) *[256]string {
	var t [256]string
	switch name {
	case "WinAnsiEncoding":
		for c := range t {
			t[c] = string(charmap.Windows1252.DecodeByte(byte(c)))
		}
		t[0xa0], t[0xad] = " ", "-"
	case "MacRomanEncoding":
		for c := range t {
			t[c] = string(charmap.Macintosh.DecodeByte(byte(c)))
		}
		t[0xca] = " "
	case "Symbol":
		for c := range t {
			t[c] = text.Symbol(rune(c))
		}
	case "ZapfDingbats": // Unicode took the block over, but for what it had
		t[' '] = " "
		for c := 0x21; c < 0xff; c++ {
			t[c] = string(rune(0x2700 + c - 0x20))
			if c >= 0xa1 {
				t[c] = string(rune(0x2761 + c - 0xa1))
			}
		}
		for c, r := range map[int]rune{0x25: 0x260e, 0x2a: 0x261b, 0x2b: 0x261e, 0x48: 0x2605, 0x6c: 0x25cf, 0x6e: 0x25a0,
			0x73: 0x25b2, 0x74: 0x25bc, 0x75: 0x25c6, 0x77: 0x25d7, 0xa8: 0x2663, 0xa9: 0x2666, 0xaa: 0x2665, 0xab: 0x2660,
			0xd5: 0x2192, 0xd6: 0x2194, 0xd7: 0x2195} {
			t[c] = string(r)
		}
		for c := 0xac; c <= 0xb5; c++ {
			t[c] = string(rune(0x2460 + c - 0xac))
		}
	default:
		for c := 0x20; c < 0x7f; c++ {
			t[c] = string(rune(c))
		}
		t[0x27], t[0x60] = "\u2019", "\u2018"
		fill(&t, 0xa1, standardHigh)
	}
	for c := range 0x20 {
		t[c] = ""
	}
	t[0x7f] = ""
	return &t
}

func fill(t *[256]string, from int, s string) {
	for _, r := range s {
		if r != 0 {
			t[from] = string(r)
		}
		from++
	}
}

package fetch

import (
	"bytes"
	"cmp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const (
	// prescanBytes is how far a declaration in a document is looked for. The
	// HTML standard asks for 1024 bytes and lets a parser that comes upon one
	// later begin again; this stands for both.
	prescanBytes = 4 << 10
	// trialBytes is how much is decoded to judge an encoding.
	trialBytes = 64 << 10
)

// toUTF8 converts text to valid UTF-8 without byte order mark and NUL and
// returns the WHATWG name of the encoding that it found. contentType is the
// charset of the header, or ""; markup says that the document may declare one
// itself. A truncated text loses a last character that is not whole.
func toUTF8(body []byte, header string, markup, truncated bool) ([]byte, string) {
	name, skip := findCharset(body, header, markup, truncated)
	body = body[skip:]
	if name == "utf-8" {
		return cleanUTF8(body, truncated), name
	}
	e, _ := lookup(name)
	return cleanUTF8(decodeAll(e, body, !truncated), false), name
}

// findCharset decides the encoding and how many bytes its mark takes.
func findCharset(body []byte, header string, markup, truncated bool) (name string, skip int) {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return "utf-8", 3
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return "utf-16be", 2
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16le", 2
	}
	if name := utf16Pattern(body); name != "" {
		return name, 0
	}
	declared := []string{header}
	if markup {
		declared = append(declared, declaredInside(body[:min(len(body), prescanBytes)]))
	}
	trial := body[:min(len(body), trialBytes)]
	count := countUTF8(body, truncated)
	doubted := ""
	for _, label := range declared {
		e, name := lookup(label)
		if e == nil {
			continue
		}
		if strings.HasPrefix(name, "utf-16") {
			// The checks above find UTF-16 by its spaces and markup. Text without
			// them is UTF-16 only if it is not UTF-8.
			if count.bad > count.good {
				return name, 0
			}
			continue
		}
		if believable(name, e, trial, count) {
			return name, 0
		}
		if doubted == "" {
			doubted = name
		}
	}
	switch {
	case count.bad == 0:
		return "utf-8", 0
	case doubted == "utf-8" || doubted == "" && count.good > 20*count.bad:
		// It is broken UTF-8, if nothing else is plainly there.
		if name, sure := detect(body); name != "" && sure && count.good <= count.bad {
			return name, 0
		}
		return "utf-8", 0
	}
	if name, _ := detect(body); name != "" {
		return name, 0
	}
	return cmp.Or(doubted, "windows-1252"), 0
}

// lookup returns an encoding by any label that the Encoding standard knows,
// and its name; nil for others, for UTF-7, and for those that the standard
// replaces by nothing.
func lookup(label string) (encoding.Encoding, string) {
	label = strings.ToLower(strings.Trim(label, "\t\n\f\r "))
	switch label {
	case "", "replacement":
		return nil, ""
	case "utf8", "utf-8", "unicode-1-1-utf-8":
		return unicode.UTF8, "utf-8"
	}
	e, err := htmlindex.Get(label)
	if err != nil || e == nil {
		return nil, ""
	}
	name, err := htmlindex.Name(e)
	switch {
	case err != nil || name == "replacement":
		return nil, ""
	case name == "x-user-defined": // HTML standard, prescan, step 14
		return charmap.Windows1252, "windows-1252"
	case name == "gbk": // Encoding standard, section 10.1.1: its decoder is that of gb18030
		return simplifiedchinese.GB18030, name
	}
	return e, name
}

// utf8Count counts what is beyond ASCII.
type utf8Count struct{ good, bad int }

func countUTF8(b []byte, cut bool) (c utf8Count) {
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			b = b[1:]
			continue
		}
		r, size := utf8.DecodeRune(b)
		switch {
		case r != utf8.RuneError || size > 1:
			c.good++
		case cut && !utf8.FullRune(b):
			return c
		default:
			c.bad++
		}
		b = b[size:]
	}
	return c
}

// believable says whether a declared encoding fits. It takes much to disprove
// one: most of what is not ASCII has to be wrong in it, or to be UTF-8 that
// eight characters in a row cannot be by chance.
func believable(name string, e encoding.Encoding, trial []byte, count utf8Count) bool {
	if name == "utf-8" {
		return count.bad <= count.good
	}
	if count.bad == 0 && count.good >= 8 {
		return false
	}
	high, bad := 0, 0
	for _, r := range string(decodeAll(e, trial, false)) {
		switch {
		case r == utf8.RuneError:
			bad++
		case r >= utf8.RuneSelf:
			high++
		}
	}
	return bad <= high
}

// decodeAll decodes b; without atEOF it leaves off what is not whole at the
// end. It cannot fail: what does not decode is U+FFFD.
func decodeAll(e encoding.Encoding, b []byte, atEOF bool) []byte {
	if c, ok := e.(*charmap.Charmap); ok {
		return decodeBytes(c, b)
	}
	d := e.NewDecoder()
	dst := make([]byte, len(b)+len(b)/4+64)
	n := 0
	for {
		written, read, err := d.Transformer.Transform(dst[n:], b, atEOF)
		n += written
		b = b[read:]
		switch {
		case err == transform.ErrShortDst:
			grown := make([]byte, len(dst)*2)
			copy(grown, dst[:n])
			dst = grown
		case err != nil && err != transform.ErrShortSrc && len(b) > 0:
			// No decoder of the standard fails, but a new one could.
			n += copy(dst[n:], "\uFFFD")
			b = b[1:]
			dst = append(dst, make([]byte, 64)...)
		default:
			return dst[:n]
		}
	}
}

// cleanUTF8 makes UTF-8 valid: runs of bytes that are none become one U+FFFD,
// and so does each NUL.
func cleanUTF8(b []byte, cut bool) []byte {
	if cut {
		b = wholeRunes(b)
	}
	if !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	if bytes.IndexByte(b, 0) >= 0 {
		b = bytes.ReplaceAll(b, []byte{0}, []byte("\uFFFD"))
	}
	return b
}

// wholeRunes drops a character that was cut in two.
func wholeRunes(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if b[i] >= utf8.RuneSelf && !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// utf16Pattern finds UTF-16 without a byte order mark: nearly all of the zero
// bytes stand on one side, and there are many. Markup, spaces and digits see
// to that in any language. It returns "utf-16le", "utf-16be" or "".
func utf16Pattern(b []byte) string {
	b = b[:min(len(b), 1024)&^1]
	if len(b) < 4 {
		return ""
	}
	var zero [2]int
	for i, c := range b {
		if c == 0 {
			zero[i&1]++
		}
	}
	units := len(b) / 2
	switch {
	case zero[1]*10 >= units && zero[0]*20 <= zero[1] && plausible(b, 0):
		return "utf-16le"
	case zero[0]*10 >= units && zero[1]*20 <= zero[0] && plausible(b, 1):
		return "utf-16be"
	}
	return ""
}

// plausible says that the units with a zero byte are text: tables of small
// numbers have zeros on one side too.
func plausible(b []byte, low int) bool {
	n, text := 0, 0
	for i := 0; i < len(b); i += 2 {
		if b[i+1-low] == 0 {
			n++
			if c := b[i+low]; c >= ' ' && c != 0x7f || c >= '\t' && c <= '\r' {
				text++
			}
		}
	}
	return text*20 >= n*19
}

// decodeBytes decodes an encoding in which each byte is a character. A byte of
// 0x80 to 0x9F without a character is the control character of that number, as
// in the indexes of the Encoding standard.
func decodeBytes(c *charmap.Charmap, b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/4)
	for _, k := range b {
		r := c.DecodeByte(k)
		if r == utf8.RuneError && k >= 0x80 && k <= 0x9f {
			r = rune(k)
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

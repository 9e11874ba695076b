package text

import (
	"fmt"
	"unicode/utf8"
)

// VisibleJSON is a JSON text whose strings have \u in place of each character that steers a
// terminal or that nobody sees, also where JSON allows it as it is: U+007F to U+009F, and
// what [Keeps] does not keep. The values are the same. Bytes that are not UTF-8 become
// U+FFFD. It is for logs and for answers that a person may see on a terminal.
func VisibleJSON(b []byte) []byte {
	i := 0
	for i < len(b) && b[i] < 0x7f {
		i++
	}
	if i == len(b) {
		return b
	}
	const ahead = 32 // bytes that Keeps looks at
	out := append(make([]byte, 0, len(b)+len(b)/8), b[:i]...)
	for i < len(b) {
		r, size := utf8.DecodeRune(b[i:])
		i += size
		switch c := ClassOf(r); {
		case r == 0x85, c.Invisible() && (r >= 0x7f) && !Keeps(out, r, string(b[i:min(i+ahead, len(b))])):
			if r > 0xffff {
				r -= 0x10000
				out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file is the one writer for foreign strings: what comes from a page, a
// server, a file or a model's arguments and stands outside of the fence, in a
// fact, an error, a hint, a notice, the name of a resource or a line on the
// terminal. Each function gives a string that is safe there: one line, bounded,
// without characters that a person cannot see. internal/archtest has a test that
// each foreign string passes through one of them.
//
// Longer text of a page belongs inside the fence (tool.Fence), after [Clean].

// The bounds of the writer.
const (
	// MaxQuoted is the number of characters within the quotation marks of
	// [Quoted].
	MaxQuoted = 120
	// MaxURL is the number of bytes of [URL] and of [Cause].
	MaxURL = 300
	// maxName is the number of bytes of a [Name] without quotation marks.
	maxName = 64
	// maxPath is the number of bytes of a [Path].
	maxPath = 4096
)

// Quoted is a foreign string in quotation marks: one cleaned line of at most
// [MaxQuoted] characters. The marks, backslashes and what Go does not print are
// escaped, as by strconv.Quote, so that the string cannot end its quotation.
func Quoted(s string) string {
	// A longer prefix than the bound needs: cleaning takes characters away.
	const most = 64 * MaxQuoted
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + ellipsis
	}
	return strconv.Quote(Cut(Line(s), MaxQuoted))
}

// Name is a short foreign name, for example of a ref, a tab or a host, as it is
// when it has at most 64 bytes of ASCII letters, digits and the characters
// ".-_@%,:"; else as [Quoted] has it.
func Name(s string) string {
	if s == "" || len(s) > maxName {
		return Quoted(s)
	}
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(".-_@%,:", c) >= 0:
		default:
			return Quoted(s)
		}
	}
	return s
}

// URL is an address as it stands outside of the fence: one word without
// invisible characters, percent-encoded ones included, cut at [MaxURL] bytes. A
// changed address leads elsewhere: [IsWholeURL] reports whether it is one.
func URL(s string) string {
	if len(s) > 4*MaxURL { // the encoding of a character has at most 12 bytes, and most stay
		s = s[:4*MaxURL]
		return CutBytes(VisibleURL(s)+ellipsis, MaxURL)
	}
	return CutBytes(VisibleURL(s), MaxURL)
}

// IsWholeURL reports whether [URL] shows an address as it is.
func IsWholeURL(s string) bool { return URL(s) == s }

// Cause is the text of an error as a part of a message: one cleaned line of at
// most [MaxURL] bytes. It is for errors of the system and of Go's packages; what
// a server wrote is [Quoted] where its error is made.
func Cause(err error) string {
	if err == nil {
		return ""
	}
	s := err.Error()
	if len(s) > 64*MaxURL {
		s = strings.ToValidUTF8(s[:64*MaxURL], "") + ellipsis
	}
	return CutBytes(Line(s), MaxURL)
}

// Path is the path of a file on this machine, or a command of a person: one
// cleaned line. It is for messages to people; Quoted is for names that a page or
// a model chose.
func Path(s string) string { return CutBytes(Line(s), maxPath) }

// removedMark stands in an address where characters were removed: U+FFFD,
// percent-encoded. Without it, what stood around them could make a new character.
const removedMark = "%EF%BF%BD"

// VisibleURL is s with [removedMark] for each run of invisible characters, as they
// are or percent-encoded, and %20 for white space. What scripts need stays, for
// example U+200C in a Persian path (see [Keeps]). The rest of the address keeps its
// spelling.
func VisibleURL(s string) string {
	if isPlainURL(s) {
		return s
	}
	out := make([]byte, 0, len(s))     // what is written
	decoded := make([]byte, 0, len(s)) // the same without percent-encoding, for Keeps
	mark := func(m string, r rune) {
		if !strings.HasSuffix(string(out[max(0, len(out)-len(m)):]), m) {
			out, decoded = append(out, m...), utf8.AppendRune(decoded, r)
		}
	}
	for i := 0; i < len(s); {
		r, size := decodeURL(s[i:])
		encoded := s[i] == '%'
		switch c := ClassOf(r); {
		case encoded && (c == Space || c == Control):
			// It does nothing while it is encoded.
			out, decoded = append(out, s[i:i+size]...), append(decoded, ' ')
		case c == Space:
			mark("%20", ' ')
		case c == Plain, Keeps(decoded, r, unescaped(s[i+size:])):
			if decoded = utf8.AppendRune(decoded, r); encoded {
				out = append(out, s[i:i+size]...)
			} else {
				out = utf8.AppendRune(out, r) // a byte that is not UTF-8 is U+FFFD
			}
		default:
			mark(removedMark, utf8.RuneError)
		}
		i += size
	}
	return string(out)
}

// isPlainURL reports whether s is ASCII that can be seen and has no encoded
// character outside of ASCII.
func isPlainURL(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '%' && i+1 < len(s) && (s[i+1] == 'e' || s[i+1] == 'E' || s[i+1] == 'f' || s[i+1] == 'F' || '8' <= s[i+1] && s[i+1] <= 'd') {
			return false
		}
	}
	return true
}

// decodeURL returns the first character of an address and how many bytes it has
// there: as UTF-8, or percent-encoded. Bytes that are not UTF-8 are U+FFFD.
func decodeURL(s string) (r rune, size int) {
	if s[0] != '%' {
		return utf8.DecodeRuneInString(s)
	}
	var raw [utf8.UTFMax]byte
	n := 0
	for n < len(raw) && 3*n+2 < len(s) && s[3*n] == '%' {
		hi, lo := unhex(s[3*n+1]), unhex(s[3*n+2])
		if hi < 0 || lo < 0 {
			break
		}
		raw[n] = byte(hi<<4 | lo)
		n++
	}
	if n == 0 {
		return '%', 1
	}
	r, width := utf8.DecodeRune(raw[:n])
	return r, 3 * width
}

// unescaped is the beginning of an address without percent-encoding, as far as
// [Keeps] looks ahead.
func unescaped(s string) string {
	const ahead = 8 // characters: a flag of a region has six tags behind it
	var out []byte
	for n := 0; n < ahead && s != ""; n++ {
		r, size := decodeURL(s)
		out, s = utf8.AppendRune(out, r), s[size:]
	}
	return string(out)
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

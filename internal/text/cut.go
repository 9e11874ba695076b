package text

import (
	"strings"
	"unicode/utf8"
)

// ellipsis is one character, of three bytes.
const ellipsis = "…"

// Cut returns s if it has at most n characters; else the beginning of s and an
// ellipsis, n characters at most together. The cut falls at a word if one ends
// in the second half, and never between a character and its marks. n of 0 or
// less gives "".
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	count, room := 0, 0 // room is the offset of the n-th character
	for i := range s {
		if count == n-1 {
			room = i
		}
		if count++; count > n {
			return cutAt(s, room)
		}
	}
	return s
}

// CutBytes is [Cut] with n in bytes. The ellipsis takes three of them.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if n < len(ellipsis) {
		return ""
	}
	at := n - len(ellipsis)
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return cutAt(s, at)
}

// cutAt cuts s at or before an offset.
func cutAt(s string, at int) string {
	at = wordBefore(s, wholeBefore(s, at))
	return strings.TrimRight(s[:at], " \t\n,;:") + ellipsis
}

// wholeBefore moves an offset to the beginning of the base character if marks,
// selectors or joiners follow it.
func wholeBefore(s string, at int) int {
	for steps := 0; at > 0 && at < len(s) && steps < 2*maxMarks; steps++ {
		next, _ := utf8.DecodeRuneInString(s[at:])
		prev, size := utf8.DecodeLastRuneInString(s[:at])
		if c := ClassOf(next); prev != zwj && !c.Invisible() && !isMark(next) {
			break
		}
		at -= size
	}
	return at
}

// wordBefore moves an offset that splits a word to the end of the word before,
// if that leaves at least half.
func wordBefore(s string, at int) int {
	if at == len(s) || s[at] == ' ' || s[at] == '\n' {
		return at
	}
	if i := strings.LastIndexAny(s[:at], " \n"); i > at/2 {
		return i
	}
	return at
}

package tool

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strings"
)

// The marks of Fence: "<untrusted text 482913>" and "</482913>", on lines of their
// own. Both together are 12 tokens of o200k.
const (
	fenceOpen  = "<untrusted text "
	fenceClose = "</"
	fenceEnd   = ">"
)

// Fence puts text from the web between two lines that mark it as untrusted:
// "<untrusted text N>" before it and "</N>" behind it, where N is a random number
// of at least six digits. The text cannot forge its closing line: N is chosen
// after the text is known, so that the text does not contain it.
func Fence(text string) string {
	n := boundary(text)
	return fenceOpen + n + fenceEnd + "\n" + text + "\n" + fenceClose + n + fenceEnd
}

// boundary returns random digits that the text does not contain: six, or more
// where the text holds many numbers.
func boundary(text string) string {
	for digits := 6; ; digits++ {
		for range 8 {
			if n := randomDigits(digits); !strings.Contains(text, n) {
				return n
			}
		}
	}
}

// randomDigits returns a random number with leading zeros, of at most 18 digits.
func randomDigits(digits int) string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	span := uint64(1)
	for range min(digits, 18) {
		span *= 10
	}
	return fmt.Sprintf("%0*d", min(digits, 18), binary.BigEndian.Uint64(b[:])%span)
}

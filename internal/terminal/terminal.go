// Package terminal provides what a terminal needs: its width, lines that fit into it,
// Markdown as a person reads it, and a pager.
//
//	w, h, ok := terminal.Size(os.Stdout)
//	text := terminal.Markdown(markdown, terminal.Style{Width: w, Colour: true})
//	err := terminal.Page(ctx, text, os.Stdout, env)
//
// # Guarantees
//
// Markdown and Wrap write no control characters except their own colours and line
// ends, whatever they are given.
//
// # Limits
//
// A width counts characters, and two for wide ones of East Asia; combining marks count
// as none. Markdown is what Spyhop's own serializer writes, line by line, and not all of
// CommonMark. The pager is the program that the user names.
package terminal

import (
	"os"
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Least and most columns that text is wrapped to: below, lines would have one word;
// above, they are hard to read.
const (
	leastWidth = 20
	mostWidth  = 100
)

// Size returns the columns and lines of the terminal that f is; ok is false if it is
// none, or does not say.
func Size(f *os.File) (columns, lines int, ok bool) {
	columns, lines, err := size(f)
	return columns, lines, err == nil && columns > 0 && lines > 0
}

// Columns is the number of columns that s takes.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r), text.ClassOf(r).Invisible():
		return 0
	case r >= 0x1100 && r <= 0x115e, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// Wrap breaks a line at spaces so that it fits into width columns; the second line and
// those after it begin with indent, or with two spaces if indent takes half of the line.
// A word that is longer than a line is not broken, since it may be an address. Spaces at
// which a line is broken are left out. A width below 1 breaks nothing.
func Wrap(s string, width int, indent string) string {
	if width < 1 || Columns(s) <= width {
		return s
	}
	width = max(width, leastWidth)
	if Columns(indent) > width/2 {
		indent = "  "
	}
	var b strings.Builder
	at := 0
	for s != "" {
		word := strings.TrimLeft(s, " ")
		spaces := s[:len(s)-len(word)]
		end := strings.IndexByte(word, ' ')
		if end < 0 {
			end = len(word)
		}
		word, s = word[:end], word[end:]
		n := Columns(visible(word))
		if word == "" {
			break
		}
		if at > Columns(indent) && at+len(spaces)+n > width {
			spaces, at = "\n"+indent, Columns(indent)
			at += n
		} else {
			at += len(spaces) + n
		}
		b.WriteString(spaces + word)
	}
	return b.String()
}

// visible is s without colours.
func visible(s string) string {
	var b strings.Builder
	for s != "" {
		before, rest, ok := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !ok {
			break
		}
		_, s, _ = strings.Cut(rest, "m")
	}
	return b.String()
}

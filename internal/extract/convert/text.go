package convert

import (
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// textNode adds a text node: white space folded across nodes as HTML does,
// invisible characters gone, unprocessed TeX as formulas.
func (c *converter) textNode(s string) {
	if c.code == 0 && strings.ContainsAny(s, `\\$`) {
		c.textWithTeX(s)
		return
	}
	c.text(s)
}

func (c *converter) text(s string) {
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			if b <= ' ' || b == 0x7f {
				if b == ' ' || b == '\n' || text.ClassOf(rune(b)) == text.Space {
					c.space = true
				} else {
					c.omit(page.HiddenCharacters, 1)
				}
				i++
				continue
			}
			j := i + 1
			for j < len(s) && s[j] > ' ' && s[j] < 0x7f {
				j++
			}
			c.begin(true)
			c.buf = append(c.buf, s[i:j]...)
			i = j
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch class := text.ClassOf(r); {
		case class == text.Space:
			c.space = true
		case class != text.Plain && (c.space || !text.Keeps(c.buf, r, s[i+size:])):
			c.omit(page.HiddenCharacters, 1)
		default:
			c.begin(true)
			c.buf = utf8.AppendRune(c.buf, r)
		}
		i += size
	}
}

// clean folds an attribute's text as [converter.text] folds a node's.
func (c *converter) clean(s string) string {
	if len(s) > maxClean {
		s = strings.ToValidUTF8(s[:maxClean], "")
	}
	t := converter{o: Options{Omissions: c.o.Omissions}}
	t.frames = append(t.frames, frame{})
	t.text(s)
	return string(t.buf)
}

// appendCode appends s to b without what code cannot hold: control and invisible characters.
// White space stays as it is, but for carriage returns and odd spaces.
func (c *converter) appendCode(b []byte, s string) []byte {
	var removed text.Removed
	b = text.AppendVerbatim(b, s, &removed)
	if n := removed.Total(); n > 0 {
		c.omit(page.HiddenCharacters, n)
	}
	return b
}

package toolset

import (
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/tool"
)

// answerBytes is how long the whole text of an answer may be, in bytes; 0 means
// that its caller sets no bound.
func answerBytes(c tool.Call) int {
	switch {
	case c.AnswerChars <= 0:
		return 0
	case c.AnswerBytes > 0:
		return c.AnswerBytes
	}
	return c.AnswerChars + tool.AnswerFrame
}

// bounded writes an answer around a content, which is cut where the answer would
// be longer than its caller can use. next says how to read the rest.
func bounded(c tool.Call, content, next string, write func(content string) string) string {
	text, most := write(content), answerBytes(c)
	// A character has up to four bytes: a cut by characters may not be enough.
	for chars := c.AnswerChars; most > 0 && len(text) > most && chars > 0; chars = chars*3/4 - 1 {
		part, _, cut := markdown.Window(content, 0, chars)
		if !cut {
			continue
		}
		text = write(part) + fmt.Sprintf("\n<error>Content truncated. The output has been limited to %d characters</error>\n%s", chars, next)
	}
	return text
}

package crawl

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

func TestChunks(t *testing.T) {
	md := "Intro text.\n\n# One\n\nFirst paragraph of one.\n\nSecond paragraph of one.\n\n## Deep `code`\n\n```\n# no heading\n\ncode\n```\n\n# Two\n\n- a\n- b\n"
	var got []string
	for _, c := range Chunks(md, 100) {
		got = append(got, fmt.Sprintf("%s: %q", strings.Join(c.Headings, " > "), c.Text))
	}
	want := []string{
		`: "Intro text."`,
		`One: "# One\n\nFirst paragraph of one.\n\nSecond paragraph of one."`,
		"One > Deep `code`: \"## Deep `code`\\n\\n```\\n# no heading\\n\\ncode\\n```\"",
		`Two: "# Two\n\n- a\n- b"`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestChunksKeepAll: whatever the text and the limit, every word is in a chunk, none has more
// tokens than the limit, and offsets are right.
func TestChunksKeepAll(t *testing.T) {
	texts := map[string]string{
		"paragraphs": strings.Repeat("Some words of a paragraph that goes on for a line.\n\n", 50),
		"one line":   strings.Repeat("words without an end ", 400),
		"no spaces":  strings.Repeat("x", 5000),
		"Chinese":    strings.Repeat("漢字と仮名", 300),
		"broken":     "# \n\n```\nnever closed\n\n# x\n" + strings.Repeat("code line\n", 200),
		"invalid":    strings.Repeat("\xff\xfe", 300),
		"empty":      "\n\n\n",
		"headings":   strings.Repeat("# H\n## I\n### J\ntext\n", 40),
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for name, md := range texts {
		for _, tokens := range []int{1, 20, 400} {
			var all strings.Builder
			at := 0
			for _, c := range Chunks(md, tokens) {
				if c.Start < at || c.End > len(md) || md[c.Start:c.End] != c.Text {
					t.Fatalf("%s, %d: chunk %d to %d behind %d", name, tokens, c.Start, c.End, at)
				}
				at = c.End
				if c.Tokens > tokens && utf8.RuneCountInString(c.Text) > 1 && text.Tokens(c.Text) > tokens {
					t.Errorf("%s: %d tokens, want %d: %.60q", name, c.Tokens, tokens, c.Text)
				}
				all.WriteString(c.Text)
			}
			if squeeze(all.String()) != squeeze(md) {
				t.Errorf("%s, %d: text was lost", name, tokens)
			}
		}
	}
}

package crawl

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Chunk is a part of a page's Markdown, for an index.
type Chunk struct {
	// Headings are the headings that the chunk is below, the highest first.
	Headings []string `json:"headings"`
	// Start and End are the bytes of the Markdown that Text is.
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Tokens int    `json:"tokens"`
	Text   string `json:"text"`
}

// Chunks cuts Markdown into parts of at most so many tokens: at headings, else between
// blocks, and only within a block that is longer than that, between its lines or words. All
// of the text but blank lines between parts is in one of them.
func Chunks(md string, tokens int) (out []Chunk) {
	tokens = max(tokens, 1)
	var path []string
	var levels []int
	start, cost := 0, 0
	add := func(end int) {
		body := strings.TrimRight(md[start:end], "\n")
		if trimmed := strings.TrimLeft(body, "\n"); trimmed != "" {
			from := start + len(body) - len(trimmed)
			out = append(out, Chunk{Headings: append([]string{}, path...), Start: from, End: from + len(trimmed), Tokens: text.Tokens(trimmed), Text: trimmed})
		}
		start, cost = end, 0
	}
	for _, b := range blocksOf(md) {
		block := md[b.start:b.end]
		if b.level > 0 {
			add(b.start)
			for len(levels) > 0 && levels[len(levels)-1] >= b.level {
				levels, path = levels[:len(levels)-1], path[:len(path)-1]
			}
			levels, path = append(levels, b.level), append(slices.Clip(path), headingText(block))
		}
		n := text.Tokens(block)
		if cost > 0 && cost+n > tokens {
			add(b.start)
		}
		for n > tokens { // one block is too long
			cut := b.start + cutOf(md[b.start:b.end], tokens)
			add(cut)
			b.start = cut
			n = text.Tokens(md[b.start:b.end])
		}
		cost += n
	}
	add(len(md))
	return out
}

// mdBlock is a block of Markdown lines: a paragraph, list, table or code block. level is
// that of a heading, else 0.
type mdBlock struct{ start, end, level int }

// blocksOf cuts Markdown at blank lines and headings outside of code blocks.
func blocksOf(md string) (out []mdBlock) {
	at, fence := 0, ""
	begun := -1
	end := func() {
		if begun >= 0 {
			out = append(out, mdBlock{begun, at, 0})
		}
		begun = -1
	}
	for line := range strings.Lines(md) {
		mark := strings.TrimLeft(line, " ")
		level := len(mark) - len(strings.TrimLeft(mark, "#"))
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~"):
			fence = mark[:3]
			if begun < 0 {
				begun = at
			}
		case strings.TrimSpace(line) == "":
			end()
		case level > 0 && level <= 6 && strings.HasPrefix(mark[level:], " "):
			end()
			out = append(out, mdBlock{at, at + len(line), level})
		case begun < 0:
			begun = at
		}
		at += len(line)
	}
	end()
	return out
}

func headingText(line string) string {
	return text.Cut(text.Line(strings.Trim(strings.TrimSpace(line), "# ")), text.MaxQuoted)
}

// cutOf is where a text is cut that has more than so many tokens: behind a line, a sentence
// or a word, in this order; at least one byte.
func cutOf(s string, tokens int) int {
	// No token has more than four bytes on average: a longer piece has too many.
	most := min(len(s), 4*tokens)
	for most > 1 && text.Tokens(s[:most]) > tokens {
		most = most * 3 / 4
	}
	for most < len(s) && most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	_, first := utf8.DecodeRuneInString(s)
	piece := s[:max(most, first)]
	for _, mark := range []string{"\n", ". ", " "} {
		if i := strings.LastIndex(piece, mark); i >= len(piece)/2 {
			return i + len(mark)
		}
	}
	return len(piece)
}

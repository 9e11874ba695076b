package crawl

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/passage"
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
// paragraphs, items, rows and sentences, and only within what is longer at words. All
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
	starts, heads := passage.Pieces(md)
	for i, at := range starts {
		end := len(md)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		if heads[i] > 0 {
			add(at)
			for len(levels) > 0 && levels[len(levels)-1] >= heads[i] {
				levels, path = levels[:len(levels)-1], path[:len(path)-1]
			}
			heading, _, _ := strings.Cut(md[at:end], "\n")
			levels, path = append(levels, heads[i]), append(slices.Clip(path), headingText(heading))
		}
		n := text.Tokens(md[at:end])
		if cost > 0 && cost+n > tokens {
			add(at)
		}
		for ; n > tokens; n = text.Tokens(md[at:end]) { // one piece is too long
			at += cutOf(md[at:end], tokens)
			add(at)
		}
		cost += n
	}
	add(len(md))
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

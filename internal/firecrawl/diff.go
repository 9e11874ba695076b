package firecrawl

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff is what changed between two versions of a page: as a unified diff, and as its
// lines in the form of the npm package parse-diff, which Firecrawl uses.
type Diff struct {
	Text string   `json:"text"`
	JSON diffTree `json:"json"`
}

// diffTree has one file, without a name.
type diffTree struct {
	Files []diffFile `json:"files"`
}

// diffFile are the chunks of a page. From and To are null.
type diffFile struct {
	From      *string     `json:"from"`
	To        *string     `json:"to"`
	Additions int         `json:"additions"`
	Deletions int         `json:"deletions"`
	Chunks    []diffChunk `json:"chunks"`
}

// diffChunk are lines that follow each other. Content is its head, "@@ -1,3 +1,4 @@".
type diffChunk struct {
	Content string     `json:"content"`
	Changes []diffLine `json:"changes"`
}

// diffLine is a line with its mark: " ", "-" or "+". Type is normal, del or add.
type diffLine struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

// NewDiff compares two texts by their lines, in time n log n.
func NewDiff(before, after string) *Diff {
	text := string(diff.Diff("a", []byte(before+"\n"), "b", []byte(after+"\n")))
	if at := strings.Index(text, "\n@@"); at >= 0 {
		text = text[at+1:] // the names of the texts say nothing
	}
	return ParseDiff(text)
}

// ParseDiff reads a unified diff. Lines before the first head of a chunk are a chunk
// without one.
func ParseDiff(text string) *Diff {
	file := diffFile{Chunks: []diffChunk{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		last := len(file.Chunks) - 1
		switch {
		case strings.HasPrefix(line, "@@"):
			file.Chunks = append(file.Chunks, diffChunk{Content: line, Changes: []diffLine{}})
			continue
		case line == "":
			continue
		case last < 0:
			file.Chunks, last = append(file.Chunks, diffChunk{Changes: []diffLine{}}), 0
		}
		kind := "normal"
		switch line[0] {
		case '-':
			kind = "del"
			file.Deletions++
		case '+':
			kind = "add"
			file.Additions++
		}
		file.Chunks[last].Changes = append(file.Chunks[last].Changes, diffLine{kind, line})
	}
	return &Diff{Text: text, JSON: diffTree{[]diffFile{file}}}
}

package reader

import (
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// A fragment begins the content at the section that bears it, or at the block,
// as the first one of a PDF's page does.
func TestFragmentStart(t *testing.T) {
	paragraph := func(id, text string) page.Block {
		return page.Block{Kind: page.Paragraph, ID: id, Inlines: []page.Inline{{Kind: page.Text, Text: text}}}
	}
	blocks := []page.Block{
		{Kind: page.Heading, Level: 1, ID: "page=1", Inlines: []page.Inline{{Kind: page.Text, Text: "Tides"}}},
		paragraph("", "The é of it."),
		paragraph("page=2", "Second page."),
		{Kind: page.Code, ID: "page=3", Text: "third page"},
	}
	for anchor, want := range map[string]string{
		"":         "# Tides",
		"page=1":   "# Tides",
		"tides":    "# Tides",
		"page=2":   "Second page.",
		"page%3D2": "Second page.",
		"page=3":   "```\nthird page",
		"page=4":   "# Tides",
	} {
		var a Answer
		a.render(&page.Page{URL: "https://example.com/a.pdf#" + anchor, Blocks: blocks}, compiled{})
		if got := string([]rune(a.content.whole)[a.content.start:]); len(got) < len(want) || got[:len(want)] != want {
			t.Errorf("#%s begins at %q, want %q", anchor, got, want)
		}
		if (len(a.noted) > 0) != (a.content.start > 0) {
			t.Errorf("#%s: %q", anchor, a.noted)
		}
	}
}

package markdown

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// What stands deep in lists and quotations does not become many times as long, and is whole.
func TestPrefixesAreBounded(t *testing.T) {
	const lines = 600_000
	code := page.Block{Kind: page.Code, Text: strings.Repeat("a\n", lines)}
	rows := page.Block{Kind: page.TableBlock, Table: &page.Table{HeaderRows: 1}}
	for range lines / 4 {
		rows.Table.Rows = append(rows.Table.Rows, []page.Cell{cellOf("a", 1, 1), cellOf("a", 1, 1)})
	}
	broken := page.Block{Kind: page.Paragraph}
	for range lines {
		broken.Inlines = append(broken.Inlines, page.Inline{Kind: page.Text, Text: "a"}, page.Inline{Kind: page.Break})
	}
	after := page.Block{Kind: page.List, Children: []page.Block{{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Text, Text: "after"}}}}}}}
	for name, inner := range map[string]page.Block{"code": code, "rows": rows, "breaks": broken} {
		deep := []page.Block{inner, after}
		for i := range 30 {
			if i%2 == 0 {
				deep = []page.Block{{Kind: page.Quote, Children: deep}}
			} else {
				deep = []page.Block{{Kind: page.List, Ordered: true, Start: 999_999_999, Children: []page.Block{{Kind: page.Item, Children: deep}}}}
			}
		}
		md := Blocks(deep, Options{})
		if most := maxPadding + 8*lines; len(md) > most {
			t.Errorf("%s: %d bytes", name, len(md))
		}
		if n := strings.Count(md, "a"); n < lines/2 {
			t.Errorf("%s: %d letters", name, n)
		}
		if !strings.HasSuffix(md, "\n- after") {
			t.Errorf("%s ends in %q", name, md[len(md)-200:])
		}
	}
}

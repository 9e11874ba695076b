package convert

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/wcxb"
	"golang.org/x/net/html"
)

// BenchmarkConvert measures the steps on whole pages: the parser, the blocks,
// the Markdown. Bytes are those of the HTML.
func BenchmarkConvert(b *testing.B) {
	pages := wcxb.Pages(b, 10)
	size := 0
	var docs []*html.Node
	for _, p := range pages {
		doc, err := html.Parse(bytes.NewReader(p.HTML))
		if err != nil {
			continue
		}
		size += len(p.HTML)
		docs = append(docs, doc)
	}
	o := Options{}
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range pages {
				html.Parse(bytes.NewReader(p.HTML))
			}
		}
	})
	b.Run("blocks", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, d := range docs {
				Blocks(d, nil, o)
			}
		}
	})
	blocks := make([][]page.Block, len(docs))
	for i, d := range docs {
		blocks[i] = Blocks(d, nil, o)
	}
	b.Run("markdown", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, bl := range blocks {
				markdown.Blocks(bl, markdown.Options{})
			}
		}
	})
}

// BenchmarkConvertHostile measures shapes that were quadratic once, or are the
// worst of their kind. Time per byte has to be that of ordinary pages, near
// enough.
func BenchmarkConvertHostile(b *testing.B) {
	for _, c := range []struct{ name, html string }{
		{"asterisks", strings.Repeat("*", 1<<20)},
		{"unclosed-tex", strings.Repeat(`\( \[ $$ `, 1<<17)},
		{"wide-row", "<table><tr>" + strings.Repeat("<td rowspan=60000>a", 40_000) + strings.Repeat("<tr><td>b", 20_000)},
		{"code-spans", strings.Repeat("<code>`a</code>", 60_000)},
		{"bold-in-bold", "<b>" + strings.Repeat("<b>a</b>c", 60_000)},
		{"marks-around-paragraphs", strings.Repeat("<em>", 400) + strings.Repeat("<p>x", 40_000)},
		{"lines-in-lists", strings.Repeat("<ul><li>", 60) + "<pre>" + strings.Repeat("\n", 1<<20)},
	} {
		b.Run(c.name, func(b *testing.B) {
			doc, err := html.Parse(strings.NewReader(c.html))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(c.html)))
			for b.Loop() {
				markdown.Blocks(Blocks(doc, nil, Options{}), markdown.Options{})
			}
		})
	}
}

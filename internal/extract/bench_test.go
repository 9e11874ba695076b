package extract

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/wcxb"
)

// benchPages are some pages of WCXB's development split.
func benchPages(b *testing.B) [][]byte {
	var out [][]byte
	for _, p := range wcxb.Pages(b, 30) {
		out = append(out, p.HTML)
	}
	return out
}

func BenchmarkParse(b *testing.B) {
	pages := benchPages(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pages {
			dom.Parse(p, &page.Page{}, nil)
		}
	}
}

func BenchmarkAnalyse(b *testing.B) {
	pages := benchPages(b)
	b.ReportAllocs()
	m, err := blocks.Load()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, p := range pages {
			d, _ := dom.Parse(p, &page.Page{}, nil)
			m.Segment(d, &page.Page{}, nil).Release()
		}
	}
}

func BenchmarkLabel(b *testing.B) {
	pages := benchPages(b)
	b.ReportAllocs()
	m, err := blocks.Load()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, p := range pages {
			d, _ := dom.Parse(p, &page.Page{}, nil)
			seg := m.Segment(d, &page.Page{}, nil)
			seg.Label()
			seg.Release()
		}
	}
}

func BenchmarkHTML(b *testing.B) {
	pages := benchPages(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pages {
			HTML(p, Options{URL: "https://example.com/a/b"})
		}
	}
}

// BenchmarkSize shows how the cost grows with the page: linearly, up to the
// limits on tags and blocks.
func BenchmarkSize(b *testing.B) {
	for _, size := range []int{10 << 10, 100 << 10, 1 << 20, 10 << 20} {
		body := generatedPage(size)
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				HTML(body, Options{URL: "https://example.com/a/b"})
			}
		})
	}
}

// generatedPage is an article of about size bytes, a third of them markup, with
// navigation, headings, links, lists, a table and a script in each part.
func generatedPage(size int) []byte {
	var out bytes.Buffer
	out.WriteString(`<!DOCTYPE html><html lang="en"><head><title>The long article</title><style>.note{color:#333}.more{display:none}</style></head><body><nav class="menu">`)
	for i := range 20 {
		fmt.Fprintf(&out, `<a href="/section/%d">Section %d</a> `, i, i)
	}
	out.WriteString(`</nav><main class="article-body"><h1>The long article</h1>`)
	for i := 0; out.Len() < size; i++ {
		fmt.Fprintf(&out, `<section id="s%d"><h2>Part %d</h2><p class="note">The ferry left the quay at dawn on day %d and followed the coast, and <a href="/day/%d">nobody on deck</a> spoke before the fog came in from the open sea, as it does <em>there</em> in spring.</p><ul><li>wind from the west</li><li>sea state %d</li></ul><script>var x%d = {"a": [1, 2, 3], "b": "text that nobody reads"};</script><table><tr><td>day</td><td>%d</td></tr></table></section>`, i, i, i, i, i%9, i, i)
	}
	out.WriteString(`</main><footer>All rights reserved</footer></body></html>`)
	return out.Bytes()
}

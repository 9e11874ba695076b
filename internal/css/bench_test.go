package css

import (
	"bytes"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/wcxb"
	"golang.org/x/net/html"
)

// The benchmarks run over the sheets and trees of pages of the WCXB
// development split, which SPYHOP_WCXB names.
func benchPages(b *testing.B) (docs []*html.Node, sheets [][]string) {
	for _, p := range wcxb.Pages(b, 30) {
		doc, err := html.Parse(bytes.NewReader(p.HTML))
		if err != nil {
			continue
		}
		var all []string
		for n := range doc.Descendants() {
			if n.Data == "style" && n.FirstChild != nil {
				all = append(all, n.FirstChild.Data)
			}
		}
		docs, sheets = append(docs, doc), append(sheets, all)
	}
	return docs, sheets
}

func BenchmarkAdd(b *testing.B) {
	_, sheets := benchPages(b)
	size := 0
	for _, page := range sheets {
		for _, s := range page {
			size += len(s)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, page := range sheets {
			var s Sheets
			for _, src := range page {
				s.Add(src, Source{})
			}
		}
	}
}

func BenchmarkView(b *testing.B) {
	docs, sheets := benchPages(b)
	b.ReportAllocs()
	for b.Loop() {
		for i, doc := range docs {
			var s Sheets
			s.Unread = true // as on most pages
			for _, src := range sheets[i] {
				s.Add(src, Source{})
			}
			walkView(s.View(), doc)
		}
	}
}

func walkView(v *View, n *html.Node) {
	if n.Type == html.ElementNode {
		v.Push(n)
		defer v.Pop()
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walkView(v, c)
	}
}

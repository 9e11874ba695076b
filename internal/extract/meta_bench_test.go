package extract

import (
	"bytes"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/about"
	"golang.org/x/net/html"
)

// BenchmarkMeta reads the metadata of parsed pages; BenchmarkParse is what it
// is compared with: it takes less than a tenth of that.
func BenchmarkMeta(b *testing.B) {
	var docs []*html.Node
	for _, p := range benchPages(b) {
		doc, err := html.Parse(bytes.NewReader(p))
		if err != nil {
			continue
		}
		docs = append(docs, doc)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, doc := range docs {
			about.Read(doc, "https://example.com/a/b")
		}
	}
}

package extract

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// The benchmarks run over pages of the WCXB development split when
// SPYHOP_WCXB names it, else over the package's own test pages.
func benchPages(b *testing.B) [][]byte {
	dir := os.Getenv("SPYHOP_WCXB")
	if dir == "" {
		b.Skip("SPYHOP_WCXB is not set")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "html", "*.gz"))
	var out [][]byte
	for i := 0; i < len(files); i += 30 {
		f, err := os.Open(files[i])
		if err != nil {
			b.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			b.Fatal(err)
		}
		p, err := io.ReadAll(z)
		if err != nil {
			b.Fatal(err)
		}
		f.Close()
		out = append(out, p)
	}
	return out
}

func BenchmarkParse(b *testing.B) {
	pages := benchPages(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pages {
			parseHTML(p, &page.Page{})
		}
	}
}

func BenchmarkAnalyse(b *testing.B) {
	pages := benchPages(b)
	b.ReportAllocs()
	m, err := loadModel()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, p := range pages {
			d, _ := parseHTML(p, &page.Page{})
			l := m.newLayout()
			l.analyse(d, "https://example.com/", &page.Page{})
			m.release(l)
		}
	}
}

func BenchmarkLabel(b *testing.B) {
	pages := benchPages(b)
	b.ReportAllocs()
	m, err := loadModel()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, p := range pages {
			d, _ := parseHTML(p, &page.Page{})
			l := m.newLayout()
			m.label(l, l.analyse(d, "https://example.com/", &page.Page{}))
			m.release(l)
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

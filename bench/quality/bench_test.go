package main

import (
	"os"
	"testing"
)

// benchPages are a few pages of each type of the corpus that SPYHOP_WCXB
// names.
func benchPages(b *testing.B) ([]sample, [][]byte) {
	b.Helper()
	dir := os.Getenv("SPYHOP_WCXB")
	if dir == "" {
		b.Skip("SPYHOP_WCXB is not set: it names the folder of the WCXB development split")
	}
	all, err := loadWCXB(dir, "")
	if err != nil {
		b.Fatal(err)
	}
	var pages []sample
	var bodies [][]byte
	for i := 0; i < len(all); i += 50 {
		body, err := readPage(all[i].file)
		if err != nil {
			b.Fatal(err)
		}
		pages, bodies = append(pages, all[i]), append(bodies, body)
	}
	return pages, bodies
}

// BenchmarkPages compares the tools on every fiftieth page; one operation reads
// all of these pages.
func BenchmarkPages(b *testing.B) {
	pages, bodies := benchPages(b)
	size := 0
	for _, body := range bodies {
		size += len(body)
	}
	for _, t := range append([]tool{floor, engine}, peers...) {
		b.Run(t.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for i, body := range bodies {
					_, _ = t.run(body, pages[i].address)
				}
			}
		})
	}
}

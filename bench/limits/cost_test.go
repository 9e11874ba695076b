package main

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/bench/internal/shapes"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// TestCostIsLinear shows for each shape that four times the bytes take about
// four times the memory, and not more than a document may take. (make limits
// measures the time, which no test asserts.)
func TestCostIsLinear(t *testing.T) {
	const small = 12 << 10
	for _, s := range shapes.All() {
		t.Run(s.MediaType+"/"+s.Name, func(t *testing.T) {
			for _, whole := range []bool{false, true} {
				if whole && !strings.Contains(s.MediaType, "html") && !strings.HasSuffix(s.MediaType, "json") {
					continue // it is the same
				}
				measure := func(size int) uint64 {
					body := s.Make(size)
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					_, _ = extract.Document(body, s.MediaType, extract.Options{URL: "https://example.com/", Whole: whole})
					runtime.ReadMemStats(&after)
					return after.TotalAlloc - before.TotalAlloc
				}
				one, four := measure(small), measure(4*small)
				if most := 6*one + 16<<20; four > most {
					t.Errorf("whole %v: %d KB of memory for %d KB, %d KB for four times as much", whole, one>>10, small>>10, four>>10)
				}
			}
		})
	}
}

// TestMarkdownBeyondBoundsKeepsText shows that markup which a bound leaves
// literal loses no text: each letter a is still there.
func TestMarkdownBeyondBoundsKeepsText(t *testing.T) {
	met := 0
	for _, s := range shapes.All() {
		if s.MediaType != "text/markdown" || strings.Contains(s.Name, "tag") || strings.Contains(s.Name, "defini") || strings.Contains(s.Name, "note") ||
			strings.Contains(s.Name, "HTML") || strings.Contains(s.Name, "repeated") || strings.Contains(s.Name, "declarations") ||
			strings.Contains(s.Name, "instructions") || strings.Contains(s.Name, "picture") || !s.Hostile || s.Name == "entities" {
			continue
		}
		body := s.Make(100 << 10)
		p, err := extract.Document(body, s.MediaType, extract.Options{URL: "https://example.com/"})
		if err != nil {
			continue // nothing but markup
		}
		got := strings.Count(markdown.PlainText(p), "a")
		if want := bytes.Count(body, []byte("a")); got < want && p.Omitted(page.OmittedNodes) == 0 {
			t.Errorf("%s: %d of %d letters are left", s.Name, got, want)
		}
		met += p.Omitted(page.OmittedNesting)
	}
	if met == 0 {
		t.Error("no bound was met")
	}
}

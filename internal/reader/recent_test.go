package reader

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
)

func article(words string) []byte {
	return []byte("<html><head><title>Tides</title></head><body><article><h1>Tides</h1>" +
		strings.Repeat("<p>"+words+" rises and falls twice a day, and the people of the harbour live by the table that says when.</p>", 3) + "</article></body></html>")
}

// TestRecent: the same page is made once; another body, type or purpose makes
// another; what one caller adds no other sees.
func TestRecent(t *testing.T) {
	r := newRecent()
	read := func(body []byte, mediaType string, o extract.Options) *page.Page {
		p, err := r.document(body, mediaType, o)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	sea := article("The sea")
	o := extract.Options{URL: "https://example.com/"}
	first := read(sea, "text/html", o)
	first.Note(page.NoteTruncated, 1)
	first.Verdict = page.Partial
	second := read(sea, "text/html", o)
	if &first.Blocks[0] != &second.Blocks[0] {
		t.Error("the page was made twice")
	}
	if second.Count(page.NoteTruncated) != 0 || second.Verdict != page.Complete {
		t.Errorf("notes of another call: %+v, %s", second.Notes, second.Verdict)
	}
	for name, other := range map[string]*page.Page{
		"another body":    read(article("The ice"), "text/html", o),
		"another type":    read(sea, "text/plain", o),
		"another purpose": read(sea, "text/html", extract.Options{URL: o.URL, Whole: true}),
		"another address": read(sea, "text/html", extract.Options{URL: "https://example.org/"}),
	} {
		if &other.Blocks[0] == &first.Blocks[0] {
			t.Errorf("%s: the same page", name)
		}
	}
	if n := r.pages.Len(); n != 5 {
		t.Errorf("%d pages are remembered, want 5", n)
	}
	read(append(sea, make([]byte, maxRecentBytes)...), "text/plain", o)
	if _, err := r.document([]byte("<html></html>"), "text/html", o); err == nil {
		t.Error("an empty page is one")
	}
	if n := r.pages.Len(); n != 5 {
		t.Errorf("a large page or a failure is remembered: %d", n)
	}
	for i := range 2 * maxRecent {
		read(article(fmt.Sprint(i)), "text/html", o)
	}
	if n := r.pages.Len(); n != maxRecent {
		t.Errorf("%d pages are remembered, want %d", n, maxRecent)
	}
}

// TestRecentAtOnce: the race detector sees no caller change what is shared.
func TestRecentAtOnce(t *testing.T) {
	r := serve(t, "text/html", string(article("The sea")), nil)
	u := mustURL(t, "https://example.com/a#tides")
	var wg sync.WaitGroup
	for _, q := range []Request{{}, {Mode: Text}, {Mode: HTML}, {Mode: Links}, {Mode: Outline}, {Images: true}, {Mode: JSON}, {StartIndex: 10}} {
		wg.Go(func() {
			q.URL = u
			for range 3 {
				if _, err := r.Read(t.Context(), q); err != nil {
					t.Errorf("%+v: %v", q, err)
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkReadAgain is the next window of a page that was just read.
func BenchmarkReadAgain(b *testing.B) {
	body := []byte("<html><head><title>Tides</title></head><body><article><h1>Tides</h1>")
	for i := range 70 {
		body = fmt.Appendf(body, "<p>On day %d the sea rises and falls twice, and the people of the harbour live by the table that says when it does so, hour %d.</p>", i, i*i)
	}
	r := newRecent()
	for b.Loop() {
		if _, err := r.document(body, "text/html", extract.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

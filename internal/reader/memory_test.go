package reader

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/page"
)

func tides(words string) []byte {
	return []byte("<html><head><title>Tides</title></head><body><article><h1>Tides</h1>" +
		strings.Repeat("<p>"+words+" rises and falls twice a day, and the people of the harbour live by the table that says when.</p>", 3) + "</article></body></html>")
}

// TestMemory: the same page is made once; other bytes, another type, address or
// purpose make another; large pages and failures are not kept.
func TestMemory(t *testing.T) {
	r := New(Options{})
	read := func(body []byte, media, address string, q Request, truncated bool) *page.Page {
		t.Helper()
		res := &fetch.Response{URL: mustURL(t, address), MediaType: media, Body: body, Truncated: truncated, FetchedAt: time.Unix(0, 0)}
		c, err := r.compile(q)
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.page(c, res, sha256.Sum256(body))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const here = "https://example.com/"
	sea := tides("The sea")
	first := read(sea, "text/html", here, Request{}, false)
	if read(sea, "text/html", here, Request{Mode: Outline, StartIndex: 9}, false) != first {
		t.Error("the page was made twice")
	}
	for name, other := range map[string]*page.Page{
		"other bytes":     read(tides("The ice"), "text/html", here, Request{}, false),
		"another type":    read(sea, "text/plain", here, Request{}, false),
		"another address": read(sea, "text/html", "https://example.org/", Request{}, false),
		"the whole body":  read(sea, "text/html", here, Request{Whole: true}, false),
		"a selector":      read(sea, "text/html", here, Request{Selector: "article"}, false),
		"comments":        read(sea, "text/html", here, Request{Comments: "always"}, false),
		"a cut body":      read(sea, "text/html", here, Request{}, true),
	} {
		if other == first {
			t.Errorf("%s: the same page", name)
		}
	}
	if first.Verdict != page.Complete || first.Count(page.NoteTruncated) != 0 {
		t.Errorf("%s, %+v", first.Verdict, first.Notes)
	}
	kept := r.memory.pages.Len()
	read(append(sea, make([]byte, maxKeptBytes)...), "text/plain", here, Request{}, false)
	empty := []byte("<html></html>")
	if _, err := r.page(compiled{}, &fetch.Response{URL: mustURL(t, here), MediaType: "text/html", Body: empty}, sha256.Sum256(empty)); err == nil {
		t.Error("an empty page is one")
	}
	if n := r.memory.pages.Len(); n != kept || n != 8 {
		t.Errorf("%d pages are kept, want 8", n)
	}
	for i := range 2 * keptPages {
		read(tides(fmt.Sprint(i)), "text/html", here, Request{}, false)
	}
	if n := r.memory.pages.Len(); n != keptPages {
		t.Errorf("%d pages are kept, want %d", n, keptPages)
	}
}

// TestMemoryIsShared: the race detector sees no call change a page that others
// read.
func TestMemoryIsShared(t *testing.T) {
	r := serve(t, "text/html", string(tides("The sea")), nil)
	u := mustURL(t, "https://example.com/a#tides")
	var wg sync.WaitGroup
	for _, q := range []Request{{}, {Mode: Text}, {Mode: HTML}, {Mode: Links}, {Mode: Outline}, {Images: true}, {Mode: JSON},
		{StartIndex: 10}, {Sections: []string{"tides"}}, {MustContain: "the harbour"}} {
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

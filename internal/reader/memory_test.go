package reader

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/markdown"
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
		s := r.pageOf(t.Context(), c, res, time.Now())
		if s.err != nil {
			t.Fatal(s.err)
		}
		return s.page
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
	if first.Verdict != page.Complete || first.Omitted(page.OmittedRest) != 0 {
		t.Errorf("%s, %+v", first.Verdict, first.Omissions)
	}
	kept := r.memory.pages.lru.Len()
	read(append(sea, make([]byte, maxKeptBytes)...), "text/plain", here, Request{}, false)
	read([]byte("<ul>"+strings.Repeat("<li>a", maxKeptParts/2)), "text/html", here, Request{}, false)
	empty := []byte("<html></html>")
	if s := r.pageOf(t.Context(), compiled{}, &fetch.Response{URL: mustURL(t, here), MediaType: "text/html", Body: empty}, time.Now()); s.err == nil {
		t.Error("an empty page is one")
	}
	if n := r.memory.pages.lru.Len(); n != kept || n != 8 {
		t.Errorf("%d pages are kept, want 8", n)
	}
	for i := range 2 * keptPages {
		read(tides(fmt.Sprint(i)), "text/html", here, Request{}, false)
	}
	if n := r.memory.pages.lru.Len(); n != keptPages {
		t.Errorf("%d pages are kept, want %d", n, keptPages)
	}
}

// TestMarkdownKeepsNoPage: the Markdown of a page does not keep the page in memory.
func TestMarkdownKeepsNoPage(t *testing.T) {
	var m memory
	p := &page.Page{Blocks: []page.Block{{Kind: page.Paragraph, Inlines: []page.Inline{{Text: "six"}}}}}
	gone := make(chan bool)
	runtime.AddCleanup(p, func(c chan bool) { close(c) }, gone)
	m.markdown(p, markdown.Options{})
	runtime.KeepAlive(p)
	for range 100 {
		runtime.GC()
		select {
		case <-gone:
			return
		default:
			runtime.Gosched()
		}
	}
	t.Error("the page is still there")
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

// A herd that reads one page parses it once, and nobody waits for a turn twice.
func TestHerd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var admitted atomic.Int32
		r := New(Options{Admit: func(_ context.Context, _ int, work func()) error {
			admitted.Add(1)
			time.Sleep(time.Second) // its turn comes
			work()
			return nil
		}})
		body := append(tides("The sea"), make([]byte, maxKeptBytes)...) // too large for the memory
		var herd sync.WaitGroup
		pages := make([]*page.Page, 30)
		for i := range pages {
			herd.Go(func() {
				c, err := r.compile(Request{})
				if err != nil {
					t.Error(err)
					return
				}
				ctx, cancel := t.Context(), func() {}
				if i%3 == 1 {
					ctx, cancel = context.WithTimeout(ctx, 10*time.Millisecond) // it leaves before
				}
				defer cancel()
				res := &fetch.Response{URL: mustURL(t, "https://example.com/"), MediaType: "text/plain", Body: body, FetchedAt: time.Unix(0, 0)}
				s := r.pageOf(ctx, c, res, time.Now())
				if pages[i] = s.page; (s.err != nil) != (i%3 == 1) {
					t.Errorf("%d: %v", i, s.err)
				}
			})
		}
		herd.Wait()
		if admitted.Load() != 1 || pages[0] == nil || pages[0] != pages[29] {
			t.Errorf("parsed %d times, %p and %p", admitted.Load(), pages[0], pages[29])
		}
	})
}

// TestMarkdownMemory: the Markdown of a page is made once for each form of it, and its
// size is that of the text.
func TestMarkdownMemory(t *testing.T) {
	var m memory
	image := page.Inline{Kind: page.ImageInline, Text: "boat", URL: "https://example.com/boat.png"}
	p := &page.Page{Blocks: []page.Block{{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Text, Text: "潮 rises "}, image}}}}
	plain := m.markdown(p, markdown.Options{})
	if want := measure(markdown.Render(p, markdown.Options{})); plain.measured != want || plain.chars >= len(plain.text) {
		t.Errorf("%+v instead of %+v", plain.measured, want)
	}
	if with := m.markdown(p, markdown.Options{Images: true}); with.text == plain.text || !strings.Contains(with.text, "boat.png") {
		t.Errorf("with pictures: %q", with.text)
	}
	p.Blocks = nil // which nobody may do to a page that is kept: it shows where the text comes from
	if again := m.markdown(p, markdown.Options{}); again.text != plain.text {
		t.Errorf("made again: %q", again.text)
	}
	if other := m.markdown(&page.Page{}, markdown.Options{}); other.text != "" {
		t.Errorf("another page has %q", other.text)
	}
	for _, n := range []int{0, 1, 3, plain.chars, plain.chars + 5} {
		want := len(string([]rune(plain.text)[:min(n, plain.chars)]))
		if got := plain.offset(n); got != want {
			t.Errorf("character %d is at %d, not %d", n, got, want)
		}
	}
}

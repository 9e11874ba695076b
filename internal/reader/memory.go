package reader

import (
	"sync"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// To make a page of bytes costs more than all else that a cached answer needs.
// Who reads a long page reads it in windows, each of which is a call: the pages
// of the last calls are kept, by their bytes and by what was asked of them, and with
// them their Markdown.

const (
	// keptPages are how many.
	keptPages = 16
	// maxKeptBytes bounds the bytes that a kept page was made of; the page is
	// mostly a tenth of them.
	maxKeptBytes = 1 << 20
)

// memory holds pages, which nobody may change. The zero value is empty.
type memory struct {
	mu        sync.Mutex
	pages     *lru.Map[pageKey, *page.Page]
	markdowns *lru.Map[markdownKey, rendering]
}

// markdownKey is all that the Markdown of a page depends on. A page that is kept does
// not change, so its address stands for it.
type markdownKey struct {
	page    *page.Page
	options markdown.Options
}

// rendering is the Markdown of a page, with its sections and its size.
type rendering struct {
	measured
	sections []markdown.Section
}

// measured is a text with its size.
type measured struct {
	text          string
	chars, tokens int
}

func measure(s string) measured {
	return measured{s, utf8.RuneCountInString(s), markdown.Tokens(s)}
}

// pageKey is all that a page depends on.
type pageKey struct {
	sum             [32]byte // of the bytes
	url, media      string
	whole           bool
	comments        extract.Comments
	selector        string
	bare, truncated bool
}

func (m *memory) get(k pageKey) *page.Page {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pages == nil {
		return nil
	}
	p, _ := m.pages.Get(k)
	return p
}

func (m *memory) put(k pageKey, p *page.Page) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pages == nil {
		m.pages = lru.New[pageKey, *page.Page](keptPages)
	}
	m.pages.Put(k, p)
}

// markdown returns the Markdown of a page, which nobody may change. A nil memory
// keeps nothing.
func (m *memory) markdown(p *page.Page, o markdown.Options) rendering {
	k := markdownKey{p, o}
	if m != nil {
		m.mu.Lock()
		if m.markdowns == nil {
			m.markdowns = lru.New[markdownKey, rendering](keptPages)
		}
		r, ok := m.markdowns.Get(k)
		m.mu.Unlock()
		if ok {
			return r
		}
	}
	whole, sections := markdown.RenderOutline(p, o)
	r := rendering{measure(whole), sections}
	if m != nil && len(whole) <= maxKeptBytes {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.markdowns.Put(k, r)
	}
	return r
}

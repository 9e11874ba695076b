package reader

import (
	"sync"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// To make a page of bytes costs more than all else that a cached answer needs.
// Who reads a long page reads it in windows, each of which is a call: the pages
// of the last calls are kept, by their bytes and by what was asked of them.

const (
	// keptPages are how many.
	keptPages = 16
	// maxKeptBytes bounds the bytes that a kept page was made of; the page is
	// mostly a tenth of them.
	maxKeptBytes = 1 << 20
)

// memory holds pages, which nobody may change. The zero value is empty.
type memory struct {
	mu    sync.Mutex
	pages *lru.Map[pageKey, *page.Page]
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

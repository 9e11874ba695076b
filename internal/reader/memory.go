package reader

import (
	"sync"
	"unicode/utf8"
	"weak"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// To make a page of bytes costs more than all else that a cached answer needs.
// Who reads a long page reads it in windows, each of which is a call: the pages
// of the last calls are kept, by their bytes and by what was asked of them, and with
// them their Markdown.

const (
	// keptPages are how many.
	keptPages = 16
	// maxKeptBytes bounds the bytes that a kept page was made of; the page is
	// mostly a tenth of them. maxKeptParts bounds its blocks and inlines: a page of
	// list items of a letter is sixty times its bytes.
	maxKeptBytes, maxKeptParts = 1 << 20, 30_000
)

// kept is a map with a bound, safe for concurrent use. The zero value is empty.
type kept[K comparable, V any] struct {
	mu  sync.Mutex
	lru *lru.Map[K, V]
}

func (m *kept[K, V]) get(k K) (v V, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lru == nil {
		return v, false
	}
	return m.lru.Get(k)
}

// put keeps a value in a map of at most so many.
func (m *kept[K, V]) put(k K, v V, most int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lru == nil {
		m.lru = lru.New[K, V](most)
	}
	m.lru.Put(k, v)
}

// memory holds pages, which nobody may change. The zero value is empty.
type memory struct {
	pages     kept[pageKey, *page.Page]
	markdowns kept[markdownKey, rendering]
}

// pageKey is all that a page depends on.
type pageKey struct {
	sum             [32]byte // of the bytes
	url, media      string
	whole           bool
	comments        extract.Comments
	selector        string
	exclude         string
	bare, truncated bool
	judged          bool   // by a browser
	charset         string // that the body was sent in
}

// markdownKey is all that the Markdown of a page depends on. A page that is kept does
// not change, so its address stands for it. The key keeps no page, whose Markdown may be
// much smaller.
type markdownKey struct {
	page    weak.Pointer[page.Page]
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
	ascii         bool
}

func measure(s string) measured {
	chars := utf8.RuneCountInString(s)
	return measured{s, chars, text.Tokens(s), chars == len(s)}
}

// put keeps a page, unless it has very many parts.
func (m *memory) put(k pageKey, p *page.Page) {
	if left := maxKeptParts; fitsParts(p.Blocks, &left) {
		m.pages.put(k, p, keptPages)
	}
}

// fitsParts reports whether blocks have at most so many parts, which it takes from left.
func fitsParts(blocks []page.Block, left *int) bool {
	*left -= len(blocks)
	for i := range blocks {
		b := &blocks[i]
		if *left < 0 || !fitsInlines(b.Inlines, left) || !fitsParts(b.Children, left) {
			return false
		}
		if b.Table == nil {
			continue
		}
		for _, row := range b.Table.Rows {
			for c := range row {
				if !fitsParts(row[c].Blocks, left) {
					return false
				}
			}
		}
	}
	return *left >= 0
}

func fitsInlines(in []page.Inline, left *int) bool {
	*left -= len(in)
	for i := range in {
		if *left < 0 || !fitsInlines(in[i].Children, left) {
			return false
		}
	}
	return *left >= 0
}

// markdown returns the Markdown of a page, which nobody may change. A nil memory
// keeps nothing.
func (m *memory) markdown(p *page.Page, o markdown.Options) rendering {
	k := markdownKey{weak.Make(p), o}
	if m != nil {
		if r, ok := m.markdowns.get(k); ok {
			return r
		}
	}
	whole, sections := markdown.RenderOutline(p, o)
	r := rendering{measure(whole), sections}
	if m != nil && len(whole) <= maxKeptBytes {
		m.markdowns.put(k, r, keptPages)
	}
	return r
}

package reader

import (
	"sync"
	"unicode/utf8"
	"weak"

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
	// mostly a tenth of them. maxKeptParts bounds its blocks and inlines: a page of
	// list items of a letter is sixty times its bytes.
	maxKeptBytes, maxKeptParts = 1 << 20, 30_000
)

// memory holds pages, which nobody may change. The zero value is empty.
type memory struct {
	mu        sync.Mutex
	pages     *lru.Map[pageKey, *page.Page]
	markdowns *lru.Map[markdownKey, rendering]
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
	return measured{s, chars, markdown.Tokens(s), chars == len(s)}
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

func (m *memory) get(k pageKey) *page.Page {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pages == nil {
		return nil
	}
	p, _ := m.pages.Get(k)
	return p
}

// put keeps a page, unless it has very many parts.
func (m *memory) put(k pageKey, p *page.Page) {
	if left := maxKeptParts; !fitsParts(p.Blocks, &left) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pages == nil {
		m.pages = lru.New[pageKey, *page.Page](keptPages)
	}
	m.pages.Put(k, p)
}

// fitsParts reports whether blocks have at most so many parts, which it takes from left.
func fitsParts(blocks []page.Block, left *int) bool {
	if *left -= len(blocks); *left < 0 {
		return false
	}
	for i := range blocks {
		b := &blocks[i]
		if !fitsInlines(b.Inlines, left) || !fitsParts(b.Children, left) {
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
	return true
}

func fitsInlines(in []page.Inline, left *int) bool {
	if *left -= len(in); *left < 0 {
		return false
	}
	for i := range in {
		if !fitsInlines(in[i].Children, left) {
			return false
		}
	}
	return true
}

// markdown returns the Markdown of a page, which nobody may change. A nil memory
// keeps nothing.
func (m *memory) markdown(p *page.Page, o markdown.Options) rendering {
	k := markdownKey{weak.Make(p), o}
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

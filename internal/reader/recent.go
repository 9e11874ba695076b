package reader

import (
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// Models read a page more than once: its outline, then a section, then window
// after window. Bytes come from the cache, and making a page of them is most of
// what is left to do; the last pages are therefore remembered by what they were
// made from. Large ones are not, so that the memory stays small.
const (
	maxRecent      = 32
	maxRecentBytes = 256 << 10
)

// recent remembers pages. It is safe for concurrent use.
type recent struct {
	mu    sync.Mutex
	pages *lru.Map[source, *page.Page]
}

// source is all that extract.Document makes a page from.
type source struct {
	body      [sha256.Size]byte
	mediaType string
	options   extract.Options
}

func newRecent() *recent { return &recent{pages: lru.New[source, *page.Page](maxRecent)} }

// document is extract.Document. Blocks and links of the page are shared and must
// not be changed; the rest is the caller's.
func (r *recent) document(body []byte, mediaType string, o extract.Options) (*page.Page, error) {
	if len(body) > maxRecentBytes {
		return extract.Document(body, mediaType, o)
	}
	key := source{sha256.Sum256(body), mediaType, o}
	r.mu.Lock()
	p, ok := r.pages.Get(key)
	r.mu.Unlock()
	if !ok {
		var err error
		if p, err = extract.Document(body, mediaType, o); err != nil {
			return p, err
		}
		r.mu.Lock()
		r.pages.Put(key, p)
		r.mu.Unlock()
	}
	own := *p
	own.Notes = slices.Clone(p.Notes)
	return &own, nil
}

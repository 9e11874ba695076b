package serve

import (
	"sync"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/lru"
)

// firecrawlState is what the paths of Firecrawl keep in memory. The zero value is ready.
type firecrawlState struct {
	made     kept[*firecrawl.Document] // documents of jobs
	repeats  repeats                   // of idempotency keys
	scrapes  kept[scrapedBefore]       // that a session can go on with, by their ids
	sessions owned[*browserSession]    // of browsers
}

// kept are the 1,000 values that were used last, by a key. It is safe for concurrent use; the
// zero value is ready.
type kept[T any] struct {
	mu  sync.Mutex
	all *lru.Map[string, T]
}

func (k *kept[T]) get(key string) (v T, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all != nil {
		v, ok = k.all.Get(key)
	}
	return v, ok
}

func (k *kept[T]) put(key string, v T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil {
		k.all = lru.New[string, T](1000)
	}
	k.all.Put(key, v)
}

// scrapedBefore is a request that was answered.
type scrapedBefore struct {
	owner, url string
	q          scrapeRequest
}

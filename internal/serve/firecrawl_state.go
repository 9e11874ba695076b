package serve

import (
	"crypto/rand"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/lru"
)

// firecrawlState is what the paths of Firecrawl keep in memory. The zero value is ready.
type firecrawlState struct {
	made     made            // documents of jobs
	repeats  repeats         // of idempotency keys
	scrapes  scrapes         // that a session can go on with
	sessions browserSessions // of browsers
}

// mostScrapes is how many scrapes are remembered.
const mostScrapes = 1000

// scrapes are requests by their ids. They are safe for concurrent use.
type scrapes struct {
	mu  sync.Mutex
	all *lru.Map[string, scrapedBefore]
}

// scrapedBefore is a request that was answered.
type scrapedBefore struct {
	owner, url string
	q          scrapeRequest
}

// add remembers a request, and returns its id.
func (s *scrapes) add(one scrapedBefore) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = lru.New[string, scrapedBefore](mostScrapes)
	}
	id := rand.Text()
	s.all.Put(id, one)
	return id
}

// find returns the request of an owner with an id.
func (s *scrapes) find(owner, id string) (one scrapedBefore, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all != nil {
		one, ok = s.all.Get(id)
	}
	return one, ok && one.owner == owner
}

package crawl

import (
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/lru"
)

// maxJars bounds the sites of a run whose cookies are kept in memory; a batch can have
// thousands of sites.
const maxJars = 256

// jar returns the cookies that a site has set in this run.
func (r *run) jar(site string) *fetch.Jar {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.jars == nil {
		r.jars = lru.New[string, *fetch.Jar](maxJars)
	}
	j, ok := r.jars.Get(site)
	if !ok {
		j = fetch.NewJar()
		r.jars.Put(site, j)
	}
	return j
}

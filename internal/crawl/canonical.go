package crawl

import (
	"context"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A page that names another address of its site as the canonical one (RFC 6596) counts as
// that page, if the texts of both are nearly the same. What a page says about itself can be
// wrong, for example where every page names the home page. Therefore the named page is read
// first, and the page that names it waits in the queue. Then both texts are compared: nearly
// the same text is left out as a near-duplicate, another text is a page of its own.
//
// A page waits once. A page does not wait for a page that waits for it. On a site where
// waiting was mostly in vain, no page waits any more: a page that waited in vain was
// requested twice. All this is remembered in memory only. After a restart, or in another
// process, a page that waits is requested again, and the same comparison decides.
const (
	maxCanonical = 100_000 // pages that wait, and addresses that are named; a run remembers no more
	maxRounds    = 50      // times againTime that a page waits while the named one is read
	maxVain      = 8       // more pages of a site that waited in vain than others
)

// canonicals is what a run knows about pages that name others.
type canonicals struct {
	waits map[string]waiting // by the address of the task
	// named has the addresses that pages name: true for one that was read or cannot be read.
	named map[string]bool
	vain  map[string]int // for each site: pages that waited in vain, less the others
}

// waiting is a page that was read and waits for the one that it names.
type waiting struct {
	to      string
	version string
	hash    uint64
	match   float64
	rounds  int // times that it was leased while the named page was not over
}

func newCanonicals() canonicals {
	return canonicals{waits: map[string]waiting{}, named: map[string]bool{}, vain: map[string]int{}}
}

// leads reports whether one address leads to another by what pages name.
func (c *canonicals) leads(from, to string) bool {
	for range len(c.waits) + 1 {
		if from == to {
			return true
		}
		w, ok := c.waits[from]
		if !ok {
			return false
		}
		from = w.to
	}
	return true
}

// ended notes that a page was read or cannot be read.
func (r *run) ended(url string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.canonical.named[url]; ok {
		r.canonical.named[url] = true
	}
}

// canonicalOf is the page that a page names in its place. It is zero where the page names
// itself, a page that the job does not read, or one that was read or could not be read.
func (r *run) canonicalOf(ctx context.Context, turn frontier.Turn, u weburl.URL, final string, p *page.Page, robots fetch.Robots) weburl.URL {
	to, err := weburl.Parse(p.Meta.Canonical)
	if r.o.Batch || err != nil {
		return weburl.URL{}
	}
	to, _ = to.WithoutUserinfo().WithoutFragment().Clean()
	name := to.String()
	if name == u.String() || name == final || !r.inScope(to) || r.Web.Site(to) != turn.Site || isTrap(to) || to.Origin() == u.Origin() && robots.Refuses(to) {
		return weburl.URL{}
	}
	over, known := r.isOver(name)
	if !known {
		_, err := r.Frontier.Find(ctx, r.job.ID, name)
		over = frontier.CodeOf(err) != frontier.NotFound // another error is met again by the commit
		r.named(name, over)
	}
	if over {
		return weburl.URL{}
	}
	return to
}

// isOver reports whether a named page was read or cannot be read.
func (r *run) isOver(name string) (over, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	over, known = r.canonical.named[name]
	return over, known
}

func (r *run) named(name string, over bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.canonical.named) < maxCanonical {
		r.canonical.named[name] = over
	}
}

// postpone has a page wait for the one that it names, whose link it returns; false: it
// does not wait. The caller holds mu.
func (r *run) postpone(turn frontier.Turn, task frontier.Task, to weburl.URL, title string, w waiting) (frontier.Link, bool) {
	c := &r.canonical
	if to.IsZero() || task.Tries > 0 || len(c.waits) >= maxCanonical || c.vain[turn.Site] >= maxVain {
		return frontier.Link{}, false
	}
	w.to = to.String()
	if c.leads(w.to, task.URL) {
		return frontier.Link{}, false
	}
	c.waits[task.URL] = w
	if r.focus != nil {
		r.focus.Know(to, title)
	}
	link := r.link(to, title, task.Depth)
	if link.Priority <= task.Priority {
		link.Priority = task.Priority + 1
	}
	delete(r.ranked, w.to) // its place is before this page, whatever its score becomes
	return link, true
}

// stillWaits reports whether a page waits for another one that is read at the same time.
func (r *run) stillWaits(url string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &r.canonical
	w, ok := c.waits[url]
	if over, known := c.named[w.to]; !ok || over || !known || w.rounds >= maxRounds {
		return false
	}
	w.rounds++
	c.waits[url] = w
	return true
}

// waitEnded reports whether a page has waited and turned out to be nearly another one.
func (r *run) waitEnded(site, url string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &r.canonical
	w, ok := c.waits[url]
	if !ok {
		return false
	}
	if r.similar.find(w.version, w.hash) == "" {
		c.vain[site]++
		return false
	}
	delete(c.waits, url)
	c.vain[site]--
	return true
}

package crawl

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A page that names another URL of its site as the canonical one (RFC 6596) counts as
// that page, if the texts of both are nearly the same. What a page says about itself can be
// wrong, for example where every page names the home page. Therefore the named page is read
// first, and the page that names it is queued again. Then both texts are compared: nearly
// the same text is left out as a near-duplicate, another text is a page of its own.
//
// A page waits once, and not for a page that waits. On a site where waiting was mostly in
// vain, no page waits any more: a page that waited in vain is requested twice. This is
// remembered in memory only: after a restart, a page that waits is requested again.
const (
	maxCanonical = 100_000 // pages that wait; a run remembers no more
	maxVain      = 16      // pages of a site that wait or waited in vain, less the others
)

// waiting is a page that was read and waits for the one that it names.
type waiting struct {
	version string
	hash    uint64
	match   float64
}

// canonicalOf is the page that a page names in its place. It is zero where the page names
// itself, a page that the job does not read, or one that was read.
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
	if _, err := r.Frontier.Find(ctx, r.job.ID, name); frontier.CodeOf(err) != frontier.NotFound { // another error is met again by the commit
		return weburl.URL{}
	}
	return to
}

// postpone has a page wait for the one that it names, whose link it returns, for the time
// that a few pages take; false: it does not wait. The caller holds mu.
func (r *run) postpone(turn frontier.Turn, task frontier.Task, to weburl.URL, title string, w waiting, o *frontier.Outcome) bool {
	if _, waits := r.postponed[to.String()]; waits || to.IsZero() || task.Tries > 0 || len(r.postponed) >= maxCanonical || r.vain[turn.Site] >= maxVain {
		return false
	}
	r.postponed[task.URL] = w
	r.vain[turn.Site]++ // until the contrary is known
	if r.focus != nil {
		r.focus.Know(to, title)
	}
	link := r.link(to, title, task.Depth)
	link.Priority = max(link.Priority, task.Priority+1)
	delete(r.ranked, to.String()) // its place is before this page, whatever its score becomes
	o.End, o.Due, o.Final, o.Links = frontier.Later, time.Now().Add(againTime+3*r.took/time.Duration(max(r.turns, 1))), "", append(o.Links, link)
	return true
}

// waitEnded reports whether a page has waited and turned out to be nearly another one.
func (r *run) waitEnded(site, url string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, ok := r.postponed[url]
	if !ok {
		return false
	}
	if r.similar.find(w.version, w.hash) == "" {
		return false
	}
	delete(r.postponed, url)
	r.vain[site] -= 2
	return true
}

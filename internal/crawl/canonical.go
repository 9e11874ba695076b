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
// first, and the page that names it is queued again, once: the cache has it by then. Nearly
// the same text is then left out as a near-duplicate, another text is a page of its own.

// canonicalOf is the page that a page names in its place. It is zero where the page names
// itself, a page that the job does not read, or one that was read, and where it has waited.
func (r *run) canonicalOf(ctx context.Context, turn frontier.Turn, task frontier.Task, u weburl.URL, final string, p *page.Page, robots fetch.Robots) weburl.URL {
	to, err := weburl.Parse(p.Meta.Canonical)
	if r.o.Batch || task.Tries > 0 || err != nil {
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

// postpone has a page wait for the one that it names, for the time that a few pages take.
func (r *run) postpone(task frontier.Task, to weburl.URL, title string, o *frontier.Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.focus != nil {
		r.focus.Know(to, title)
	}
	link := r.link(to, title, task.Depth)
	link.Priority = max(link.Priority, task.Priority+1)
	delete(r.ranked, to.String()) // its place is before this page, whatever its score becomes
	o.Reason = ""
	o.End, o.Due, o.Final, o.Links = frontier.Later, time.Now().Add(againTime+3*r.took/time.Duration(max(r.turns, 1))), "", []frontier.Link{link}
}

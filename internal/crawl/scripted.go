package crawl

import (
	"context"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Sites whose menus are made by scripts. A page with scripts and with few links is read in a
// browser too: if that shows further links of the job, the pages of its template are all read
// so, for their links; if not, none is. A link to a fragment that is a route, "#/a", is a page
// of its own, which only the browser can read.
const (
	fewLinks  = 2  // of the job, on a page that may have more of them by scripts
	maxProbes = 20 // templates that are tried in a run
)

// Reasons for what only scripts would lead to.
const (
	reasonScripts = "scripts"         // pages whose links were not looked for in a browser
	reasonRoutes  = "fragment_routes" // routes, where no browser may be used
)

// scripted is what a run knows of templates.
type scripted struct {
	by     map[uint64]bool // whether scripts make links; templates that were tried
	probes int
}

// isRoute reports whether an address is a view of a page that scripts make.
func isRoute(u weburl.URL) bool { return page.IsRoute(u.Fragment()) }

// withoutFragment is an address as the queue has it: only a route keeps its fragment.
func withoutFragment(u weburl.URL) weburl.URL {
	if isRoute(u) {
		return u.WithoutUserinfo()
	}
	return u.WithoutUserinfo().WithoutFragment()
}

// own is the links of a page that belong to the job, itself left out.
func (r *run) own(u weburl.URL, p *page.Page) map[string]bool {
	own := map[string]bool{}
	self := u.WithoutFragment().String()
	for _, list := range [][]page.Link{p.Found(), p.Routes} {
		for _, l := range list {
			if to, err := weburl.Parse(l.URL); err == nil {
				to, _ = withoutFragment(to).Clean()
				if name := to.String(); name != self && r.inScope(to) {
					own[name] = true
				}
			}
		}
	}
	return own
}

// runScripts adds the links that the scripts of a page make, where that is likely. It returns
// the reason to count where they were not run.
func (r *run) runScripts(ctx context.Context, q ReadRequest, a *reader.Answer, p *page.Page) string {
	if r.o.Batch || !p.Scripts || a.Metadata.Rendered || isRoute(q.URL) {
		return ""
	}
	own := r.own(q.URL, p)
	template := templateOf(q.URL)
	r.mu.Lock()
	makes, tried := r.scripted.by[template]
	full := r.scripted.probes >= maxProbes
	r.mu.Unlock()
	switch {
	case tried && !makes, !tried && len(own) > fewLinks:
		return ""
	case q.Render == reader.RenderNever || full && !tried:
		return reasonScripts
	}
	q.Render, q.Since, q.Links = reader.RenderAlways, false, true
	_, rendered, err := r.Web.Read(ctx, q)
	if err != nil || rendered == nil {
		return reasonScripts
	}
	further := false
	for name := range r.own(q.URL, rendered) {
		further = further || !own[name]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !tried {
		r.scripted.by[template] = further
		r.scripted.probes++
	}
	p.Links, p.Routes = append(p.Links[:len(p.Links):len(p.Links)], rendered.Found()...), rendered.Routes
	return ""
}

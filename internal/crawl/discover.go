package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/meaning"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/sitemap"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Discovery finds the addresses of a site in what the site says of itself. A
// sitemap is foreign text: it suggests addresses and authorizes none.

// Web is how a crawl reaches the network: through the egress policy, the cache and
// the pace of everything else. The first four functions are required. All are safe for
// concurrent use.
type Web struct {
	// Fetch gets a file. Its error is a *tool.Error, with a *fetch.Error as its cause
	// where the site answered.
	Fetch func(context.Context, fetch.Request) (*fetch.Response, error)
	// Robots gets the robots.txt of an origin. Its error is a *tool.Error.
	Robots func(context.Context, weburl.URL) (fetch.Robots, error)
	// Page reads a page for a map; redirects are followed. Its error is a *tool.Error.
	Page func(context.Context, ReadRequest) (*page.Page, error)
	// Judge is the policy's decision about an address: nil, or a *tool.Error.
	Judge func(weburl.URL) error
	// Read reads a page for a crawl; a redirect to another host is not followed. Site
	// names what the pace of an address is bound to. Maps need neither.
	Read func(context.Context, ReadRequest) (*reader.Answer, *page.Page, error)
	Site func(weburl.URL) string
	// Embed gives texts their vectors, by which crawls with a query rank pages beside their
	// words; nil: by words alone.
	Embed func(context.Context, []string) ([]meaning.Vector, error)
	// Search is a search of the web; nil: there is none. Its error is a *tool.Error.
	Search func(ctx context.Context, query string) ([]result.Hit, error)
	// Defect is told of a defect of this program that a page of a crawl has met; nil: nothing is.
	Defect func(ctx context.Context, address string, err error)
}

// ReadRequest is one page of a crawl or a map.
type ReadRequest struct {
	URL    weburl.URL
	Render string // as in reader.Request
	// Revalidate asks the site whether a cached page is still current.
	Revalidate bool
	// Selector is a CSS selector: only what it selects is the content; "": all.
	Selector string
	// Since compares the page with the version that the caller has fetched last.
	Since bool
	// Links wants the links of the page only: no version of it is kept.
	Links bool
	// Login names a saved login, or a state; "": none.
	Login string
	// Jar contains the cookies that the site has set in this crawl; nil: none yet.
	Jar *fetch.Jar
}

// Sources of addresses, as they are named in requests and answers.
const (
	sourceSitemap = "sitemap" // named by robots.txt, or at a usual place
	sourceFeed    = "feed"
	sourceLLMs    = "llms.txt"
	sourceLinks   = "links" // of the start page
)

// Sources lists them in the order in which their addresses stand in a map.
func Sources() []string { return []string{sourceSitemap, sourceFeed, sourceLLMs, sourceLinks} }

const (
	// maxMapped is how many addresses a map holds at most.
	maxMapped = 100_000
	// maxFiles is how many files are requested for one map; maxDepth is how deep
	// sitemap indexes may be nested: the protocol allows one level, sites have two.
	maxFiles, maxDepth = 200, 3
	// maxFileBytes is how much of a file is read, compressed and decompressed. Fifty
	// thousand addresses of ordinary length have 8 MB.
	maxFileBytes = 16 << 20
)

// usualPlaces are where sitemaps are when robots.txt does not say.
var usualPlaces = []string{"/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap.txt", "/sitemap.xml.gz"}

// MapRequest is what a map is made of.
type MapRequest struct {
	Scope Scope
	// Sources limits where addresses are looked for; empty: everywhere.
	Sources []string
	// Since keeps addresses that changed at that time or later; those without a date
	// are left out and counted. Zero: all.
	Since time.Time
	// Revalidate asks the site whether cached files are still current.
	Revalidate bool
	// Within returns the scope once the start page was read, or with nil if it could not be;
	// nil: Scope stays as it is.
	Within func(start *page.Page) Scope
}

// Map finds the addresses of a site. The error is a *tool.Error: the start could
// not be reached at all, or no source names an address; beside an error, the map is
// nil or says what was left out. What could not be read beside others stands in the map.
func (w Web) Map(ctx context.Context, q MapRequest) (*result.SiteMap, error) {
	d := &discovery{web: w, ctx: ctx, q: q, host: q.Scope.Start.Host(), known: map[string]int{}, asked: map[string]bool{}, hosts: map[string]bool{}, m: &result.SiteMap{
		URL: q.Scope.Start.WithoutUserinfo().String(), BySource: map[string]int{}}}
	if err := w.Judge(q.Scope.Start); err != nil {
		return nil, tool.AsError(err)
	}
	robots, err := w.robots(ctx, q.Scope.Start)
	if err != nil {
		return nil, tool.AsError(err)
	}
	d.robots = robots
	if robots.Status != 0 {
		d.note(fmt.Sprintf("robots.txt could not be read (HTTP %d), which refuses every page to a crawl.", robots.Status))
	}
	start, startErr := d.startPage()
	if start != nil {
		d.moved(start.URL)
	}
	if q.Within != nil {
		d.q.Scope = q.Within(start)
	}
	if d.wants(sourceSitemap) {
		d.sitemaps()
	}
	if d.wants(sourceFeed) && start != nil {
		for _, f := range start.Meta.Feeds {
			if u, err := weburl.Parse(f); err == nil {
				d.file(u, sourceFeed, 0, true)
			}
		}
	}
	if d.wants(sourceLLMs) {
		d.at("/llms.txt", sourceLLMs)
	}
	if d.wants(sourceLinks) && start != nil {
		d.links(start)
	}
	return d.finish(startErr)
}

// moved notes where the start has redirected to.
func (d *discovery) moved(end string) {
	to, err := weburl.Parse(end)
	if err != nil {
		return
	}
	if plain := to.WithoutUserinfo().WithoutFragment().String(); plain != d.q.Scope.Start.WithoutUserinfo().WithoutFragment().String() {
		d.m.RedirectsTo, d.host = plain, to.Host()
	}
}

// fileTime is how long robots.txt, or a file of a map, may take: a crawl has no limit of its own.
const fileTime = 30 * time.Second

// robots returns the robots.txt of a URL's origin. The error names the file where it does not
// come: it is not the page that fails.
func (w Web) robots(ctx context.Context, u weburl.URL) (fetch.Robots, error) {
	ctx, done := deadline.With(ctx, fileTime)
	defer done()
	robots, err := w.Robots(ctx, u)
	if e := tool.AsError(err); err != nil && e.Type == tool.Timeout {
		named := *e
		named.Message = "robots.txt of " + text.Name(u.Host()) + " did not answer within " + fileTime.String()
		return robots, &named
	}
	return robots, err
}

// discovery is one map that is being made.
type discovery struct {
	web    Web
	ctx    context.Context
	q      MapRequest
	robots fetch.Robots
	asked  map[string]bool // files

	known map[string]int  // addresses as sameAs has them: their place in m.Links; -1: left out
	host  string          // of the start, after redirects
	hosts map[string]bool // the policy's decision, by origin
	m     *result.SiteMap
}

func (d *discovery) wants(source string) bool {
	return len(d.q.Sources) == 0 || slices.Contains(d.q.Sources, source)
}

func (d *discovery) note(s string) { d.m.Notices = append(d.m.Notices, s) }

// startPage reads the page that was given, for its links and its feeds.
func (d *discovery) startPage() (*page.Page, error) {
	if !d.wants(sourceLinks) && !d.wants(sourceFeed) {
		return nil, nil
	}
	return d.web.Page(d.ctx, ReadRequest{URL: d.q.Scope.Start, Revalidate: d.q.Revalidate})
}

// sitemaps reads the sitemaps that robots.txt names, or those at usual places.
func (d *discovery) sitemaps() {
	named := false
	for _, s := range d.robots.Sitemaps {
		u, err := d.q.Scope.Start.Resolve(s)
		if err != nil {
			d.failed(text.Cut(text.Line(s), 120), "it is not a URL")
			continue
		}
		named = true
		d.file(u.WithoutUserinfo(), sourceSitemap, 0, true)
	}
	if named {
		return
	}
	for _, p := range usualPlaces {
		if d.at(p, sourceSitemap) || d.over() {
			return
		}
	}
}

// at reads a file at a usual place, if it is there.
func (d *discovery) at(path, source string) bool {
	u, err := d.q.Scope.Start.WithoutUserinfo().Resolve(path)
	return err == nil && d.file(u, source, 0, false)
}

func (d *discovery) over() bool { return d.ended() != nil }

// ended is the error of the context, from the deadline on.
func (d *discovery) ended() error { return deadline.Err(d.ctx) }

// file reads a file and what it names, and reports whether it is one. A file that
// somebody named and that cannot be read is said; one that was only looked for is
// not.
func (d *discovery) file(u weburl.URL, source string, depth int, named bool) bool {
	name := u.String()
	if d.asked[name] {
		return false
	}
	if len(d.asked) >= maxFiles {
		d.m.Truncated = true
		d.failed(name, fmt.Sprintf("%d files were read before it", maxFiles))
		return false
	}
	if d.over() {
		d.m.Truncated = true
		d.failed(name, "the time of the call was over")
		return false
	}
	d.asked[name] = true
	f, err := d.parse(u)
	var e *sitemap.Error
	switch {
	case errors.Is(err, sitemap.ErrEmpty):
		d.files(name, f, source, 0)
		return true
	case err != nil:
		if errors.As(err, &e) && !named {
			return false // a page that says "not found" with status 200
		}
		var refused *fetch.Error
		if !named && errors.As(err, &refused) && refused.Code == fetch.HTTPError && refused.Status < 500 {
			return false
		}
		d.failed(name, why(err))
		return false
	}
	if f.Kind != sitemap.Index {
		d.files(name, f, source, d.add(f.Links, source))
		return true
	}
	d.files(name, f, source, 0)
	if depth == maxDepth {
		d.m.Truncated = true
		d.failed(name, fmt.Sprintf("sitemap indexes are nested more than %d deep", maxDepth))
		return true
	}
	for _, l := range f.Links {
		if !d.q.Since.IsZero() && !l.Modified.IsZero() && l.Modified.Before(d.q.Since) {
			continue // all of it is older
		}
		if len(d.m.Links) >= maxMapped {
			break
		}
		d.file(l.URL, source, depth+1, true)
	}
	return true
}

// parse requests and reads one file.
func (d *discovery) parse(u weburl.URL) (sitemap.File, error) {
	q := fetch.Request{URL: u, Redirects: fetch.Follow, MaxBytes: maxFileBytes, Opaque: true, // a file of many addresses is compressed
		Header: http.Header{"Accept": {"application/xml, text/xml, application/rss+xml, application/atom+xml, application/feed+json, text/plain, */*;q=0.5"}}}
	if d.q.Revalidate {
		q.MaxAge = new(time.Duration)
	}
	ctx, done := deadline.With(d.ctx, fileTime)
	defer done()
	res, err := d.web.Fetch(ctx, q)
	if err != nil {
		return sitemap.File{}, err
	}
	body, cut, err := sitemap.Decompress(res.Body, maxFileBytes)
	if err != nil {
		return sitemap.File{}, err
	}
	f, err := sitemap.Parse(body, res.URL, 0, d.ended)
	switch {
	case res.Truncated:
		f.Incomplete = res.TruncatedWhy
	case cut != "":
		f.Incomplete = cut
	}
	return f, err
}

// files records a file that was read.
func (d *discovery) files(name string, f sitemap.File, source string, added int) {
	d.m.Files = append(d.m.Files, result.MapFile{URL: name, Kind: f.Kind.String(), Named: len(f.Links), Added: added, Incomplete: f.Incomplete, Unusable: f.Unusable})
	if f.Incomplete != "" {
		d.m.Truncated = true
	}
}

// failed records a file that could not be read.
func (d *discovery) failed(name, why string) {
	d.m.Files = append(d.m.Files, result.MapFile{URL: name, Error: why})
}

// why is an error in a few words of our own.
func why(err error) string {
	var e *fetch.Error
	if errors.As(err, &e) && e.Code == fetch.HTTPError {
		return fmt.Sprintf("HTTP %d", e.Status)
	}
	var s *sitemap.Error
	if errors.As(err, &s) {
		return s.Error()
	}
	t := tool.AsError(err)
	return text.Cut(text.Line(t.Message), 200)
}

// add takes the links of a file that are in scope and returns how many are new.
func (d *discovery) add(links []sitemap.Link, source string) (added int) {
	for i, l := range links {
		if i%1024 == 0 && d.over() {
			d.m.Truncated = true
			break
		}
		if d.one(l.URL, l.Title, l.Modified, source) {
			added++
		}
	}
	return added
}

// links takes the links of the start page.
func (d *discovery) links(p *page.Page) {
	for i, l := range p.Found() {
		if i%1024 == 1023 && d.over() {
			d.m.Truncated = true
			break
		}
		if u, err := weburl.Parse(l.URL); err == nil {
			d.one(u, l.Text, time.Time{}, sourceLinks)
		}
	}
}

// one takes an address; what another source says of it completes what is known.
func (d *discovery) one(u weburl.URL, title string, modified time.Time, source string) bool {
	u, _ = u.WithoutUserinfo().WithoutFragment().Clean()
	name, key := u.String(), sameAs(u)
	if i, known := d.known[key]; known {
		if i >= 0 {
			l := &d.m.Links[i]
			if old, err := weburl.Parse(l.URL); err == nil && old.Host() != d.host && u.Host() == d.host {
				l.URL = name
			}
			l.Title = cmp.Or(l.Title, title)
			if l.Modified.IsZero() {
				l.Modified = modified
			}
			if !slices.Contains(l.Sources, source) {
				l.Sources = append(l.Sources, source)
				d.m.BySource[source]++
			}
		}
		return false
	}
	d.known[key] = -1
	switch {
	case !d.q.Scope.onSite(u):
		d.m.OffSite++
		return false
	case !d.q.Scope.holds(u):
		d.m.OutOfScope++
		return false
	case !d.allowed(u):
		d.m.Refused++
		return false
	case !d.q.Since.IsZero() && modified.IsZero():
		d.m.Undated++
		delete(d.known, key) // another source may have its date
		return false
	case !d.q.Since.IsZero() && modified.Before(d.q.Since):
		return false
	case len(d.m.Links) >= maxMapped:
		d.m.Truncated = true
		return false
	}
	l := result.MapLink{URL: name, Title: title, Modified: modified, Sources: []string{source}}
	if d.sameOrigin(u) && d.robots.Refuses(u) {
		l.Disallowed = true
		d.m.Disallowed++
	}
	d.known[key] = len(d.m.Links)
	d.m.Links = append(d.m.Links, l)
	d.m.BySource[source]++
	return true
}

// sameAs is what addresses have in common that differ in the scheme and in "www." only: one
// page, which counts once.
func sameAs(u weburl.URL) string {
	_, s, _ := strings.Cut(u.String(), "://")
	return strings.TrimPrefix(s, "www.")
}

// sameOrigin reports whether the robots.txt at hand is that of an address.
func (d *discovery) sameOrigin(u weburl.URL) bool { return u.Origin() == d.q.Scope.Start.Origin() }

// allowed asks the policy once for each origin.
func (d *discovery) allowed(u weburl.URL) bool {
	origin := u.Origin()
	ok, known := d.hosts[origin]
	if !known {
		ok = d.web.Judge(u) == nil
		d.hosts[origin] = ok
	}
	return ok
}

// finish completes the map, or says why the map is empty: an empty success would be
// taken for a site without pages.
func (d *discovery) finish(startErr error) (*result.SiteMap, error) {
	m := d.m
	m.Total = len(m.Links)
	for _, l := range m.Links {
		if l.Modified.After(m.Newest) {
			m.Newest = l.Modified
		}
	}
	m.Success = m.Total > 0
	if startErr != nil && m.Success {
		d.note("The start page could not be read: " + text.Cut(text.Line(tool.AsError(startErr).Message), 200) + ".")
	}
	if m.Success {
		if d.wants(sourceSitemap) && m.BySource[sourceSitemap] == 0 {
			d.note(d.withoutSitemap())
		}
		return m, nil
	}
	switch {
	case d.over():
		return nil, tool.AsError(deadline.Err(d.ctx))
	case m.OutOfScope > 0:
		return m, tool.NewError(tool.NoContent, fmt.Sprintf("none of the %d URLs of the site passes include and exclude", m.OutOfScope), "leave include and exclude out, or write them as paths, for example /docs/*")
	case m.Refused > 0:
		return nil, tool.NewError(tool.Blocked, fmt.Sprintf("the policy refuses all of the %d URLs that were found", m.Refused), "")
	case m.Undated > 0:
		return nil, tool.NewError(tool.NoContent, fmt.Sprintf("none of the %d URLs has a date, so that none is known to have changed since then", m.Undated), "leave since out")
	case !d.q.Since.IsZero() && len(d.known) > 0:
		return nil, tool.NewError(tool.NoContent, "no URL changed since then", "give an earlier date, or leave since out")
	case startErr != nil:
		return nil, tool.AsError(startErr)
	}
	if !d.wants(sourceSitemap) {
		return nil, tool.NewError(tool.NoContent, "no URL of this site was found in "+text.Name(strings.Join(d.q.Sources, ",")), "leave sources out: the site may have a sitemap or links")
	}
	hint := "read the page itself with web_fetch"
	switch {
	case m.OffSite > 0 && m.RedirectsTo != "":
		hint = "the start redirects to " + text.URL(m.RedirectsTo) + ": map that"
	case m.OffSite > 0:
		hint = "subdomains=true adds URLs of the same domain: " + text.Count(m.OffSite, "URL") + " of other hosts turned up"
	}
	reason := d.withoutSitemap()
	return nil, tool.NewError(tool.NoContent, "no URL of this site was found: "+strings.ToLower(reason[:1])+strings.TrimSuffix(reason[1:], "."), hint)
}

// withoutSitemap says what is known instead of a sitemap.
func (d *discovery) withoutSitemap() string {
	for _, f := range d.m.Files {
		if f.Error != "" {
			return "The site's sitemap could not be read: " + text.Quoted(f.Error) + "."
		}
	}
	if d.m.BySource[sourceLinks] > 0 && len(d.m.BySource) == 1 {
		return "The site has no sitemap; these are the links of the page."
	}
	return "The site has no sitemap."
}

// ParseSince reads a date as people and models write it: 2026-01-31, with or
// without a time, or a duration before now, for example "36h" or "7d". Empty is the
// zero time. The error is a *tool.Error.
func ParseSince(s string, now time.Time) (time.Time, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return time.Time{}, nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04"} {
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n <= 36500 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, tool.NewError(tool.InvalidInput, "since is "+text.Quoted(s)+", which is not a date", "write it as 2026-01-31, or as a time before now, for example 7d")
}

// IsSource reports whether a source has that name.
func IsSource(name string) bool { return slices.Contains(Sources(), name) }

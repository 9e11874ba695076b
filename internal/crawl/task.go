package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/recall"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// task reads one address. An outcome without End means that the run ended first:
// the address stays queued. The page is for people who watch.
func (r *run) task(ctx context.Context, turn frontier.Turn, task frontier.Task, requested *bool) (o frontier.Outcome, latest result.CrawlPage) {
	o.URL = task.URL
	skip := func(reason string) (frontier.Outcome, result.CrawlPage) {
		o.End, o.Reason = frontier.Skipped, reason
		r.list(task.URL, reason)
		return o, result.CrawlPage{}
	}
	u, err := weburl.Parse(task.URL)
	if err != nil {
		return skip("invalid_url")
	}
	if err := r.Web.Judge(u); err != nil {
		if r.o.Batch {
			return r.failed(ctx, turn, task, err)
		}
		return skip(reasonPolicy)
	}
	r.mu.Lock()
	endless := r.endless(u)
	r.mu.Unlock()
	if endless && !r.isStart(u) {
		return skip(reasonEndless)
	}
	robots, err := r.robots(ctx, u)
	if err != nil {
		return r.failed(ctx, turn, task, err)
	}
	if reason, later := r.allowed(ctx, turn, u, robots); reason != "" {
		if later && task.Tries+1 < maxTries {
			o.End, o.Reason, o.Due = frontier.Later, reasonRetry, time.Now().Add(retryAfter<<task.Tries)
			r.trouble(unreadable(u, robots.Status))
			return o, result.CrawlPage{}
		}
		if later {
			o.Reason = reasonNoFile
			return r.record(ctx, task, tool.NewError(tool.Blocked, unreadable(u, robots.Status), ""), o)
		}
		return skip(reason)
	}
	asking := fetch.WithCrawlDelay(recall.WithJob(ctx, turn.Job), max(turn.Pace, r.o.Delay, min(robots.CrawlDelay, maxDelay)))
	*requested = true
	ask := ReadRequest{URL: u, Render: r.o.Render, Revalidate: r.revalidates(), Since: r.o.Changes, Selector: r.o.Selector, Login: r.o.Login, Jar: r.jar(turn.Site)}
	if isRoute(u) {
		ask.Render = reader.RenderAlways
	}
	a, p, err := r.Web.Read(asking, ask)
	if err != nil {
		return r.failed(ctx, turn, task, err)
	}
	*requested = !a.Metadata.Cached || a.Metadata.Rendered
	if a.RedirectURL != "" {
		to, err := weburl.Parse(a.RedirectURL)
		if err != nil || !r.inScope(to) {
			r.moved(u, to)
			return skip(reasonOffSite)
		}
		o.Links = []frontier.Link{r.redirected(to.WithoutUserinfo().WithoutFragment(), task.Depth)}
		return skip("redirect")
	}
	o.Reason = r.runScripts(asking, ask, a, p)
	final, err := weburl.Parse(a.FinalURL)
	if err == nil {
		final, _ = final.WithoutUserinfo().WithoutFragment().Clean()
		switch {
		case final.String() == u.WithoutFragment().String(): // a route is one of the page
		case !r.o.Batch && !r.onSite(final):
			r.moved(u, final)
			return skip(reasonOffSite)
		case !r.o.Batch && !r.inScope(final) && !r.isStart(u):
			return skip(reasonOutside)
		case final.Origin() == u.Origin() && robots.Refuses(final):
			return skip(reasonRobots)
		default:
			o.Final = final.String()
		}
	}
	m := meta{CrawlPage: result.CrawlPage{URL: a.FinalURL, Title: a.Title, PageType: a.PageType, Verdict: a.Verdict, VerdictReason: reader.VerdictReason(p), Status: a.Metadata.Status,
		Language: a.Language, Published: a.Published, Version: a.Metadata.Version, Depth: task.Depth, Rendered: a.Metadata.Rendered,
		Signals: robots.Signals, FetchedAt: now()}}
	m.URL = task.URL
	if o.Final != "" {
		m.URL, m.RequestedURL = o.Final, task.URL
	}
	if canonical := r.canonicalOf(ctx, turn, task, u, m.URL, p, robots); !canonical.IsZero() {
		r.postpone(task, canonical, a.Title, &o)
		return o, latest
	}
	body, ok := a.Version()
	if !ok {
		body = markdown.Render(p, markdown.Options{})
	}
	if r.o.Selector != "" {
		m.Version = fmt.Sprintf("%012x", hashWord([]byte(body))&(1<<48-1))
	}
	m.Tokens = text.Tokens(body)
	m.SimHash = simHash(p)
	m.Change = r.compare(ctx, m.URL, m.Version)
	if since := a.Metadata.Since; since != nil {
		m.Previous, m.PreviousSeen = since.Version, since.Seen
	}
	r.learn(ctx, task, u, p, &m, &o)
	latest = r.keep(task, u, p, body, &m, &o)
	return o, latest
}

// redirected is the link to where an address leads.
func (r *run) redirected(to weburl.URL, depth int) frontier.Link {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.link(to, "", depth)
}

// learn ranks what a page links to.
func (r *run) learn(ctx context.Context, task frontier.Task, u weburl.URL, p *page.Page, m *meta, o *frontier.Outcome) {
	if r.focus == nil {
		return
	}
	r.mu.Lock()
	m.Match = r.focus.Read(u, p, func(to weburl.URL) bool { return r.inScope(to) && r.leftOut(to, task.Depth+1) == "" })
	if o.Final != "" {
		r.focus.restore(o.Final, m.Title)
	}
	r.matches = append(r.matches, m.Match)
	r.mu.Unlock()
	r.embed(ctx, embedPage)
}

// keep makes the outcome of a page that was read: its record, or why it has none.
func (r *run) keep(task frontier.Task, u weburl.URL, p *page.Page, body string, m *meta, o *frontier.Outcome) result.CrawlPage {
	r.mu.Lock()
	defer r.mu.Unlock()
	o.Links = r.links(p, task.Depth)
	if other := r.similar.find(m.Version, m.SimHash); other != "" && !r.o.Batch && !r.o.Duplicates && other != m.URL {
		o.End, o.Reason = frontier.Skipped, reasonNear
		r.another(templateOf(u))
		return result.CrawlPage{}
	}
	if t := templateOf(u); r.alike[t] < maxDuplicateRun {
		delete(r.alike, t)
	}
	r.similar.add(m.URL, m.Version, m.SimHash)
	o.End, o.Meta = frontier.Read, encode(m)
	if len(body) > frontier.MaxBody {
		body = body[:frontier.MaxBody]
	}
	o.Body = []byte(body)
	return m.CrawlPage
}

// allowed says why a page may not be asked for; "" when it may. later: it may be
// tried again.
func (r *run) allowed(ctx context.Context, turn frontier.Turn, u weburl.URL, robots fetch.Robots) (reason string, later bool) {
	switch {
	case robots.Status != 0:
		return reasonNoFile, true
	case robots.Refuses(u):
		return reasonRobots, false
	}
	if allowed, said := robots.Signals["ai-input"]; said && !allowed && !r.o.IgnoreSignals {
		r.say(notice{Code: noticeSignal, Host: u.Host()})
		return reasonSignal, false
	}
	if robots.CrawlDelay > 0 && r.delays(turn.Site) {
		if robots.CrawlDelay > maxDelay {
			r.say(notice{Code: noticeDelay, Host: u.Host(), For: robots.CrawlDelay})
		}
		// The turn that is under way holds one page, so the delay applies after it.
		if err := r.Frontier.Delay(ctx, turn.Site, min(robots.CrawlDelay, maxDelay)); err != nil {
			r.fail(ctx, err)
		}
	}
	return "", false
}

// delays reports, once for each site, that its Crawl-delay has to be stored.
func (r *run) delays(site string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.delayed[site] {
		return false
	}
	r.delayed[site] = true
	return true
}

// failed is the outcome of an address that could not be read.
func (r *run) failed(ctx context.Context, turn frontier.Turn, task frontier.Task, err error) (frontier.Outcome, result.CrawlPage) {
	e := tool.AsError(err)
	u, _ := weburl.Parse(task.URL)
	o := frontier.Outcome{URL: task.URL, Reason: reasonOf(e)}
	if ctx.Err() != nil || e.Type == tool.Cancelled {
		return frontier.Outcome{}, result.CrawlPage{}
	}
	status := e.Status
	pause := retryAfter << task.Tries
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable || e.RetryAfter > 0 {
		pause = pauseOf(e.RetryAfter, task.Tries)
		if err := r.Frontier.Block(context.WithoutCancel(ctx), turn.Site, time.Now().Add(pause)); err != nil {
			r.fail(ctx, err)
		}
		if turn.AtOnce > 1 { // it may be that one request at a time is answered
			o.Again = true
			if err := r.Frontier.Narrow(context.WithoutCancel(ctx), turn.Site, turn.AtOnce/4, time.Now().Add(narrowTime)); err != nil {
				r.fail(ctx, err)
			}
		}
	}
	var asked *fetch.Error
	unknown := errors.As(err, &asked) && asked.NoSuchHost()
	if e.Retryable && !unknown && task.Tries+1 < maxTries && !r.unreachable(ctx, u, e) {
		r.trouble(e.Message)
		o.End, o.Due = frontier.Later, time.Now().Add(pause)
		return o, result.CrawlPage{}
	}
	switch {
	case e.Type == tool.Blocked && r.o.Batch && o.Reason == reasonPolicy:
		o.Reason = string(e.Type) // each address was asked for, and has a record that says why not
	case e.Type == tool.Blocked:
		r.list(task.URL, o.Reason)
		o.End = frontier.Skipped
		return o, result.CrawlPage{}
	}
	return r.record(ctx, task, e, o)
}

// narrowTime is for how long a site that has refused several requests at a time gets fewer.
const narrowTime = time.Hour

// pauseOf is how long a site that asks for a pause gets no request: as long as it asks, and
// where it does not say, or asks again for the same page, retryAfter and more.
func pauseOf(asked time.Duration, tries int) time.Duration {
	switch {
	case asked <= 0:
		asked = retryAfter << tries
	case tries > 0:
		asked = max(asked, retryAfter<<(tries-1))
	}
	return min(max(asked, time.Second), maxBlock)
}

// record makes the outcome of a page that cannot be read: a record that says why.
func (r *run) record(ctx context.Context, task frontier.Task, e *tool.Error, o frontier.Outcome) (frontier.Outcome, result.CrawlPage) {
	why := text.Line(e.Message)
	if _, rest, ok := strings.Cut(why, task.URL+": "); ok { // "Failed to connect to URL: 'connection refused'"
		why = strings.Trim(rest, "'")
	}
	m := meta{CrawlPage: result.CrawlPage{URL: task.URL, Status: e.Status, Depth: task.Depth, FetchedAt: now(), ErrorType: string(e.Type), Error: text.CutBytes(why, maxPageError)}}
	if e.Status == http.StatusNotFound || e.Status == http.StatusGone {
		if r.compare(ctx, task.URL, "") == "changed" {
			m.Change = "gone"
		}
	}
	o.End, o.Meta = frontier.Failed, encode(m)
	return o, m.CrawlPage
}

// robots is Web.robots; a start that has failed for the map a moment ago fails at once.
func (r *run) robots(ctx context.Context, u weburl.URL) (fetch.Robots, error) {
	r.mu.Lock()
	err, failed := r.unread[u.Origin()]
	delete(r.unread, u.Origin())
	r.mu.Unlock()
	if failed {
		return fetch.Robots{}, err
	}
	return r.Web.robots(ctx, u)
}

// unreadable says that robots.txt fails, which refuses everything (RFC 9309 section 2.3.1.4).
func unreadable(u weburl.URL, status int) string {
	return fmt.Sprintf("robots.txt of %s answers HTTP %d, which refuses every page to a crawl", text.Name(u.Host()), status)
}

// unreachable reports whether an error says that a start cannot be reached at all, before
// anything else of the site is known. The site is not tried again, and a crawl that has no
// other start ends.
func (r *run) unreachable(ctx context.Context, u weburl.URL, e *tool.Error) bool {
	if r.o.Batch || !r.isStart(u) || e.Status != 0 || e.Type != tool.ConnectionError && e.Type != tool.Timeout && e.Type != tool.TLSError {
		return false
	}
	s, err := r.Frontier.Stats(ctx, r.job.ID)
	if err != nil || s.Read > 0 || s.Known > int64(len(r.scopes)) {
		return false
	}
	if len(r.scopes) == 1 {
		r.because(stopUnreachable)
	}
	return true
}

// trouble notes why a page is tried again, for those who watch.
func (r *run) trouble(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.why = text.CutBytes(text.Line(why), maxPageError)
}

// moved notes that a start leads to another site.
func (r *run) moved(from, to weburl.URL) {
	if r.isStart(from) && !to.IsZero() && !r.onSite(to) {
		r.say(notice{Code: noticeMoved, Host: to.Host()})
	}
}

// reasonOf is one word for an error.
func reasonOf(e *tool.Error) string {
	var f *fetch.Error
	switch {
	case e.Type == tool.HTTPError && e.Status > 0:
		return "http_" + strconv.Itoa(e.Status)
	case e.Type == tool.Blocked && errors.As(e, &f) && f.Rule == reasonRobots:
		return reasonRobots
	case e.Type == tool.Blocked:
		return reasonPolicy
	}
	return string(e.Type)
}

// compare says what became of a page since the earlier job.
func (r *run) compare(ctx context.Context, url, version string) string {
	if r.o.Since == "" {
		return ""
	}
	rec, err := r.Frontier.Find(ctx, r.o.Since, url)
	if err != nil {
		if frontier.CodeOf(err) == frontier.NotFound && version != "" {
			return "added"
		}
		return ""
	}
	old, ok := metaOf(rec)
	switch {
	case !ok || old.Error != "" && version != "":
		return "added"
	case old.Version == version:
		return "unchanged"
	}
	return "changed"
}

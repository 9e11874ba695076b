package crawl

import (
	"context"
	"slices"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// turnEnd is a turn whose page was read, to be committed.
type turnEnd struct {
	frontier.Commit
	ranks  []frontier.Rank
	latest []result.CrawlPage
	broken bool // a defect: nothing is committed, and the turn is lost
}

// mostCommitted bounds the turns of one commit.
const mostCommitted = 64

// turn reads the pages of one turn.
func (r *run) turn(ctx context.Context, turn frontier.Turn) (end turnEnd) {
	var defect error
	defer func() {
		if defect != nil {
			r.fail(ctx, defect)
			end = turnEnd{Commit: frontier.Commit{Turn: turn}, broken: true}
		}
	}()
	defer tool.Recovered("a turn of a crawl", &defect) // here it would end the process
	end.Turn = turn
	end.Idle = true
	ctx = fetch.WithTurn(ctx)
	for _, task := range turn.Tasks {
		begun := time.Now()
		requested := false
		o, latest, to := r.page(ctx, turn, task, &requested)
		r.spent(time.Since(begun))
		if requested && o.End == frontier.Read && !latest.Rendered {
			r.felt(ctx, turn, time.Since(begun))
		}
		end.Idle = end.Idle && !requested
		if o.End != 0 {
			end.Outcomes = append(end.Outcomes, o)
		}
		end.ranks = append(end.ranks, to...)
		if latest.URL != "" {
			end.latest = append(end.latest, latest)
		}
	}
	return end
}

// commit stores what turns have read, as many at a time as have ended meanwhile, and reports
// how many have.
func (r *run) commit(ctx context.Context, ends <-chan turnEnd, ended chan<- int) {
	for e := range ends {
		batch := []turnEnd{e}
		for more := true; more && len(batch) < mostCommitted; {
			select {
			case e, more = <-ends:
				if more {
					batch = append(batch, e)
				}
			default:
				more = false
			}
		}
		stored := r.store(ctx, batch)
		ended <- len(batch)
		if stored && r.opts.Progress != nil {
			r.report(ctx, batch)
		}
	}
}

// store commits turns; false: the run ends.
func (r *run) store(ctx context.Context, batch []turnEnd) (ok bool) {
	var defect error
	defer func() {
		if defect != nil {
			r.fail(ctx, defect)
			ok = false
		}
	}()
	defer tool.Recovered("a commit of a crawl", &defect)
	// What was read just before the end of the call is not thrown away.
	save, done := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer done()
	var commits []frontier.Commit
	var ranks []frontier.Rank
	for _, e := range batch {
		if !e.broken {
			commits, ranks = append(commits, e.Commit), append(ranks, e.ranks...)
		}
		r.mu.Lock()
		delete(r.held, e.Turn.Token)
		r.mu.Unlock()
	}
	if len(commits) == 0 {
		return false
	}
	if _, err := r.Frontier.Commit(save, commits); err != nil {
		r.fail(ctx, err)
		return false
	}
	r.checkFailures(save, commits)
	if len(ranks) > 0 {
		if err := r.Frontier.Rank(save, r.job.ID, ranks); err != nil {
			r.fail(ctx, err)
		}
	}
	return true
}

// speed is how long the pages of a site take.
type speed struct {
	recent, best time.Duration // recent is a moving average, best the shortest one
	n            int           // pages since the latest decision
}

// A site is slow when its pages take slowFactor times as long as at their best, and as
// slowFloor: below that, this machine may be what is slow. Then it gets half as many requests
// at a time for slowTime.
const (
	slowFactor = 4
	slowFloor  = 100 * time.Millisecond
	slowAfter  = 8
	slowTime   = 30 * time.Second
)

// felt notes how long a page took.
func (r *run) felt(ctx context.Context, turn frontier.Turn, took time.Duration) {
	if r.isSlow(turn, took) {
		if err := r.Frontier.Narrow(context.WithoutCancel(ctx), turn.Site, turn.AtOnce/2, time.Now().Add(slowTime)); err != nil {
			r.fail(ctx, err)
		}
	}
}

func (r *run) isSlow(turn frontier.Turn, took time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.speeds[turn.Site]
	if s == nil {
		s = &speed{recent: took, best: took}
		r.speeds[turn.Site] = s
	}
	s.recent += (took - s.recent) / 5
	s.best = min(s.best, s.recent)
	if s.n++; s.n < slowAfter || turn.AtOnce < 2 || s.recent <= slowFactor*max(s.best, slowFloor) {
		return false
	}
	s.n, s.recent = 0, s.best
	return true
}

// slowPage is from which time on people are told that the pages of a crawl take long.
const slowPage = 2 * time.Second

// spent notes how long a page took.
func (r *run) spent(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turns++
	r.took += d
}

// slow is how long a page took on average, if that is long; else 0.
func (r *run) slow() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.turns < 2 || r.took < time.Duration(r.turns)*slowPage {
		return 0
	}
	return r.took / time.Duration(r.turns)
}

// page reads one URL, as task does. requested says whether the site got a request. It also
// returns the priorities that follow for others. A defect of this program that the page meets
// is an error of the page.
func (r *run) page(ctx context.Context, turn frontier.Turn, task frontier.Task, requested *bool) (o frontier.Outcome, latest result.CrawlPage, ranks []frontier.Rank) {
	var defect error
	defer func() {
		if defect != nil {
			o, latest = r.failed(ctx, turn, task, defect)
			ranks = nil
			if r.Web.Defect != nil {
				r.Web.Defect(ctx, task.URL, defect)
			}
		}
	}()
	defer tool.Recovered("a page of a crawl", &defect)
	o, latest = r.task(ctx, turn, task, requested)
	if o.End != 0 && o.End != frontier.Later {
		r.focusEnded(task.URL)
	}
	return o, latest, r.rank()
}

// another notes a near-duplicate. A site that makes templates without end has as many of them
// as it likes: a run ends when it has met several for each page that it may read. The caller
// holds mu.
func (r *run) another(template uint64) {
	const perPage, atFirst = 4, 50
	if len(r.alike) < maxSimilar {
		r.alike[template]++
	}
	if r.duplicates++; r.duplicates > atFirst+perPage*r.job.Limits.Pages && r.stop == "" {
		r.stop = stopSaturated
	}
}

// endless reports whether the pages of a URL's template were near-duplicates several times in
// a row: then its other pages are not read. The caller holds mu.
func (r *run) endless(u weburl.URL) bool {
	return len(r.alike) > 0 && r.alike[templateOf(u)] >= maxDuplicateRun
}

// focusEnded takes a page that was read or will not be, so that the crawl does not wait
// for it.
func (r *run) focusEnded(url string) {
	if r.focus == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.focus.restore(url, "")
}

// report tells people of the pages of turns.
func (r *run) report(ctx context.Context, batch []turnEnd) {
	var s frontier.Stats
	var err error
	for _, e := range batch {
		for _, latest := range e.latest {
			if s.Known == 0 {
				if s, err = r.Frontier.Stats(context.WithoutCancel(ctx), r.job.ID); err != nil {
					return
				}
			}
			r.tell(s, latest, time.Time{})
		}
	}
}

// waiting tells people, once, that no site may be asked for long.
func (r *run) waiting(s frontier.Stats) {
	if s.Next.Equal(r.waits) {
		return
	}
	r.waits = s.Next
	if r.opts.Progress != nil {
		r.tell(s, result.CrawlPage{}, s.Next)
	}
}

func (r *run) tell(s frontier.Stats, latest result.CrawlPage, waits time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opts.Progress(Progress{Read: s.Read, Failed: s.Failed, Left: s.Queued, Sites: s.Sites, Over: s.Known - s.Queued, Known: s.Known, Latest: latest, Waits: waits, Max: r.job.Limits.Pages,
		Scope: scopeOf(r.scopes), Why: r.why})
}

// checkFailures ends a run in which too many pages have failed.
func (r *run) checkFailures(ctx context.Context, commits []frontier.Commit) {
	failed := func(o frontier.Outcome) bool { return o.End == frontier.Failed }
	if r.o.Batch || !slices.ContainsFunc(commits, func(c frontier.Commit) bool { return slices.ContainsFunc(c.Outcomes, failed) }) {
		return
	}
	if s, err := r.Frontier.Stats(ctx, r.job.ID); err == nil && s.Failed-r.failures >= maxFailures(r.job.Limits.Pages) {
		r.because(stopTooManyFailures)
	}
}

// rank returns the priorities of queued addresses that follow from what was read, and ends
// a crawl with a query that has its answer.
func (r *run) rank() []frontier.Rank {
	if r.focus == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	to := r.focus.changed(r.ranked)
	r.judge()
	return to
}

// The thresholds of judge: a page answers with goodMatch; enough of them cover the
// query. After idlePages without a page better than half of the best, and with
// nothing promising left, the crawl is saturated.
const (
	goodMatch   = .7
	enoughPages = 5
	idlePages   = 12
	promising   = .6
)

// judge ends a crawl with a query when further pages promise little. The caller
// holds mu.
func (r *run) judge() {
	good, best, idle := 0, 0., 0
	for _, m := range r.matches {
		if m >= goodMatch {
			good++
		}
		if m > best/2 && m > 0 {
			idle = 0
		} else {
			idle++
		}
		best = max(best, m)
	}
	if r.stop != "" || good < enoughPages && idle < idlePages {
		return
	}
	if r.focus.best() >= promising {
		return
	}
	if r.stop = stopSaturated; good >= enoughPages {
		r.stop = stopCovered
	}
}

// inScope reports whether an address belongs to the job.
func (r *run) inScope(u weburl.URL) bool {
	return slices.ContainsFunc(r.scopes, func(s Scope) bool { return s.holds(u) })
}

// onSite is inScope without paths and globs.
func (r *run) onSite(u weburl.URL) bool {
	return slices.ContainsFunc(r.scopes, func(s Scope) bool { return s.onSite(u) })
}

// outside reports whether only the path of the start keeps the job from a URL.
func (r *run) outside(u weburl.URL) bool {
	return slices.ContainsFunc(r.scopes, func(s Scope) bool {
		s.Below = ""
		return s.holds(u)
	})
}

// reads reports whether the run reads an address that it has found.
func (r *run) reads(url string, modified time.Time) bool {
	return r.opts.known == nil || r.opts.known.reads(url, modified, time.Now())
}

// revalidates reports whether the run is about what has changed: then a cached answer is
// not enough, and the site is asked whether it is still current.
func (r *run) revalidates() bool { return r.o.Since != "" || r.o.Changes || r.opts.known != nil }

// isStart reports whether an address is one that the job was given; include and
// exclude do not apply to it.
func (r *run) isStart(u weburl.URL) bool {
	return slices.ContainsFunc(r.scopes, func(s Scope) bool { return s.Start.WithoutUserinfo().WithoutFragment().String() == u.String() })
}

// leftOut says why the job does not follow a link: "" where it does. The caller holds
// mu.
func (r *run) leftOut(u weburl.URL, depth int) string {
	switch {
	case isTrap(u):
		return reasonTrap
	case r.endless(u):
		return reasonEndless
	case depth > r.o.MaxDepth:
		return reasonDepth
	}
	return ""
}

// withoutReading adds an address that the frontier only counts, under a reason.
func (r *run) withoutReading(links []frontier.Link, u weburl.URL, reason string) []frontier.Link {
	name := u.String()
	h := hashWord([]byte(name))
	if len(name) > frontier.MaxURL || r.omitted[h] { // the frontier takes none of that length, and counts each time
		return links
	}
	if len(r.omitted) < maxSimilar {
		r.omitted[h] = true
	}
	return append(links, frontier.Link{URL: name, Site: r.Web.Site(u), LeftOut: reason})
}

// links are the links of a page that the job follows, and those that it leaves out.
func (r *run) links(p *page.Page, depth int) (out []frontier.Link) {
	if r.o.Batch || r.o.Map == MapOnly {
		return nil
	}
	seen := map[string]bool{}
	for _, l := range append(p.Found(), p.Routes...) {
		u, err := weburl.Parse(l.URL)
		if err != nil {
			continue
		}
		u, _ = withoutFragment(r.o.plain(u)).Clean()
		name := u.String()
		if seen[name] || !r.reads(name, time.Time{}) {
			continue
		}
		seen[name] = true
		if !r.inScope(u) {
			if r.outside(u) {
				out = r.withoutReading(out, u, reasonOutside)
			}
			continue
		}
		reason := r.leftOut(u, depth+1)
		if isRoute(u) && r.o.Render == reader.RenderNever {
			reason = reasonRoutes
		}
		if reason != "" {
			out = r.withoutReading(out, u, reason)
			continue
		}
		link := r.link(u, l.Text, depth+1)
		out = append(out, link)
		if r.focus != nil {
			if p, ok := r.ranked[name]; !ok || link.Priority > p {
				r.ranked[name] = link.Priority
			}
		}
	}
	return out
}

package crawl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Crawler runs jobs. It is safe for concurrent use.
type Crawler struct {
	Web      Web
	Frontier *frontier.Frontier
	// Worker names this process in the frontier.
	Worker string
	// AtOnce is how many requests a site gets at a time where a job does not say; 0: 2.
	AtOnce int
}

// Progress is how far a job is.
type Progress struct {
	Read, Failed, Left, Sites int64
	// Over counts the URLs that need no request any more, Known all.
	Over, Known int64
	// Latest is a page that was just read or failed; none where the job waits.
	Latest result.CrawlPage
	// Scope is as in result.Crawl. Why says why the latest page is tried again; "" for
	// none.
	Scope []string
	Why   string
	// Waits is when the next page may be asked for, where all sites ask to wait for long or
	// are tried again after an error.
	Waits time.Time
	Max   int // the job's limit of pages
}

// RunOptions say how a job is run.
type RunOptions struct {
	// Sites is how many turns of sites this run has at a time, at least as many as one site
	// may have; 0: 8.
	Sites int
	// Progress is called after each page and when a long wait begins, from one goroutine
	// at a time; nil: not.
	Progress func(Progress)
	// Waits ends the run when the next page could come only after so long; 0: never.
	Waits time.Duration
	// Keep leaves the job Running where the run ends because of ctx or Waits: another
	// run goes on. A job that is not Running is then not run.
	Keep bool

	known *watch // of a round of a monitor; nil: none
}

const (
	// TurnTime is for how long a run has a turn of a site, or the map, when it does not renew
	// it: one that was killed is waited for that long. It renews them every beatTime.
	TurnTime    = 10 * time.Second
	beatTime    = 2500 * time.Millisecond
	maxTries    = 3
	retryAfter  = 30 * time.Second
	maxBlock    = time.Hour
	maxDelay    = 30 * time.Second
	saveTime    = 10 * time.Second // for what has to be written after the deadline
	mapShare    = 3                // a map has a third of the time
	reportBatch = 1000
	// againTime is how often a run looks whether another job has given a turn back, and
	// patience how long it looks before it believes that the sites ask to wait.
	againTime = 200 * time.Millisecond
	patience  = 10 * time.Second
	// minWait is between two looks at the frontier while other processes read the job's pages.
	minWait = 50 * time.Millisecond
)

// Reasons that are counted.
const (
	reasonRobots  = "robots"
	reasonNoFile  = "robots_unreadable"
	reasonRetry   = "robots_retried" // it was not readable, and the page is still queued
	reasonSignal  = "ai_input_no"
	reasonPolicy  = "policy"
	reasonNear    = "near_duplicate"
	reasonOffSite = "off_site"
	reasonOutside = "outside_path" // of the site, and not below the path of a start
	reasonTrap    = "trap_address"
	reasonEndless = "trap" // of a template whose pages are near-duplicates
	reasonDepth   = "max_depth"
)

// run is one run of a job.
type run struct {
	*Crawler
	job     frontier.Job
	o       Options
	p       progress
	scopes  []Scope
	focus   *Focus // nil without a query
	similar *similar
	cursor  int64 // of the latest record that similar knows
	opts    RunOptions
	waits   time.Time // the latest Progress.Waits

	mu       sync.Mutex // guards the following, p, focus and similar
	held     map[frontier.Token]frontier.Turn
	maps     bool             // this run has the map
	matches  []float64        // of the pages that were read, in order
	ranked   map[string]int32 // the priorities that the frontier has
	delayed  map[string]bool  // sites whose Crawl-delay is set
	speeds   map[string]*speed
	scripted scripted
	omitted  map[uint64]bool              // URLs that were counted as not followed
	jars     *lru.Map[string, *fetch.Jar] // by site; nil at first
	turns    int64                        // with a page
	// duplicates are the pages that were read and left out as nearly another one, alike those
	// in a row of each template.
	duplicates int
	alike      map[uint64]int
	took       time.Duration // all of them
	stop       string        // why the run ends
	why        string        // the latest failure that is tried again
	// unread are errors of the robots.txt of starts, by origin, that were met by the map.
	unread   map[string]error
	failures int64 // of the job before this run
	err      error
}

// Run runs a job until it has a reason to stop, or ctx ends; a job that was stopped
// goes on. It returns the job as it is stored. Only errors of the frontier are
// errors, as *tool.Error; what happens to pages is recorded.
func (c *Crawler) Run(ctx context.Context, id string, opts RunOptions) (j frontier.Job, err error) {
	defer tool.Recovered("a crawl", &err)
	if j, err = c.Frontier.Job(ctx, "", id); err != nil {
		return j, Error(err)
	}
	r := &run{Crawler: c, job: j, similar: newSimilar(), opts: opts, held: map[frontier.Token]frontier.Turn{}, ranked: map[string]int32{}, delayed: map[string]bool{}, speeds: map[string]*speed{}, scripted: scripted{by: map[uint64]bool{}}, omitted: map[uint64]bool{}, alike: map[uint64]int{}, unread: map[string]error{}}
	r.opts.Sites = max(cmp.Or(max(opts.Sites, 0), 8), j.Limits.AtOnce)
	if r.o, r.p, err = optionsOf(j); err != nil {
		return j, err
	}
	if r.o.Sites > 0 {
		r.opts.Sites = min(r.opts.Sites, r.o.Sites)
	}
	for _, raw := range r.o.URLs {
		if u, err := weburl.Parse(raw); err == nil {
			s, err := r.o.scope(u)
			if err != nil {
				return j, err
			}
			r.scopes = append(r.scopes, s)
		}
	}
	if NewQuery(r.o.Query).Len() > 0 {
		r.focus = NewFocus(r.o.Query)
		if r.Web.Embed != nil {
			r.focus.near = &nearness{query: r.o.Query}
		}
	}
	if opts.Keep && j.State != frontier.Running {
		return j, nil
	}
	if mine, err := r.begin(ctx); err != nil || !mine {
		if err != nil {
			return j, Error(err)
		}
		return r.job, nil
	}
	ended := make(chan struct{})
	var beating sync.WaitGroup
	defer beating.Wait()
	defer close(ended)
	beating.Go(func() { r.beat(context.WithoutCancel(ctx), id, ended) })
	r.below(r.p.Below)
	if s, err := c.Frontier.Stats(ctx, id); err == nil {
		r.failures = s.Failed
	}
	if err := r.restore(ctx); err != nil && ctx.Err() == nil {
		return j, Error(err)
	}
	if !r.o.Batch && !r.p.Mapped {
		r.discover(ctx, mapShare)
	}
	r.loop(ctx)
	if r.stop == stopFinished && !r.o.Batch && !r.p.Mapped && r.err == nil {
		// The map was not read in time. It may name more pages, and has the rest of it.
		r.stop = ""
		r.p.forget(noticeLateMap)
		r.discover(ctx, 1)
		r.loop(ctx)
	}
	if (r.stop == stopTimeLimit || r.stop == StopAsked) && !opts.Keep && r.waits.After(time.Now()) {
		r.say(notice{Code: noticeWait, Time: r.waits})
	}
	if took := r.slow(); r.stop == stopTimeLimit && took > 0 {
		r.say(notice{Code: noticeSlow, For: took})
	}
	// What was learned is stored although the time of the call is over.
	save, done := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer done()
	if r.err != nil && frontier.CodeOf(r.err) != frontier.Ended {
		return r.job, Error(r.err)
	}
	state := frontier.Done
	switch {
	case r.stop != stopTimeLimit && r.stop != StopAsked:
	case opts.Keep:
		state, r.stop = frontier.Running, ""
	default:
		state = frontier.Stopped
	}
	if err := r.end(save, state, r.stop); err != nil {
		return r.job, Error(err)
	}
	return r.job, nil
}

// update changes the stored job; change returns false to leave it as it is.
func (r *run) update(ctx context.Context, change func(j *frontier.Job, p *progress) bool) error {
	j, err := Change(ctx, r.Frontier, r.job.ID, func(j *frontier.Job) {
		_, p, err := optionsOf(*j)
		if err != nil {
			return // Run has read it before
		}
		if change(j, &p) {
			j.Progress = encode(p)
		}
	})
	if err == nil {
		r.job = j
	}
	return err
}

// Change reads a job, changes it and stores it, as often as it takes. The error is
// that of the frontier.
func Change(ctx context.Context, f *frontier.Frontier, id string, change func(*frontier.Job)) (frontier.Job, error) {
	for {
		j, err := f.Job(ctx, "", id)
		if err != nil {
			return j, err
		}
		change(&j)
		if j, err = f.Update(ctx, j); err == nil || frontier.CodeOf(err) != frontier.Changed {
			return j, err
		}
	}
}

// begin makes the job run, and says whether this run reads now: of several workers,
// one maps the sites first. The others come back later.
func (r *run) begin(ctx context.Context) (mine bool, err error) {
	err = r.update(ctx, func(j *frontier.Job, p *progress) bool {
		mine = true
		maps := !r.o.Batch && !p.Mapped
		if r.opts.Keep {
			if j.State != frontier.Running || maps && p.Mapper != r.Worker && p.MappedBy.After(time.Now()) {
				mine = false
				return false
			}
			if !maps {
				r.p = *p
				return false
			}
		}
		p.forget(noticeWait) // these are of the run before
		p.forget(noticeLateMap)
		p.forget(noticeSlow)
		if maps {
			p.Mapper, p.MappedBy, r.maps = r.Worker, now().Add(TurnTime), true
		}
		j.State, j.Reason = frontier.Running, ""
		r.p = *p
		return true
	})
	return mine, err
}

// beat renews the turns of the run, and its right to the map, until the run ends. A failure
// is not one of the run: others may take what was not renewed, and nothing is stored twice.
func (r *run) beat(ctx context.Context, id string, ended <-chan struct{}) {
	var defect error // nothing of the run depends on it
	defer tool.Recovered("the renewal of turns", &defect)
	tick := time.NewTicker(beatTime)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
		}
		var keep []frontier.Commit
		r.mu.Lock()
		for _, turn := range r.held {
			keep = append(keep, frontier.Commit{Turn: turn, Keep: TurnTime})
		}
		maps := r.maps
		r.mu.Unlock()
		call, done := context.WithTimeout(ctx, TurnTime)
		if len(keep) > 0 {
			r.Frontier.Commit(call, keep)
		}
		if maps {
			Change(call, r.Frontier, id, func(j *frontier.Job) {
				if _, p, err := optionsOf(*j); err == nil && p.Mapper == r.Worker {
					p.MappedBy = now().Add(TurnTime)
					j.Progress = encode(p)
				}
			})
		}
		done()
	}
}

// end stores why the run ends. A job that another call has stopped or ended
// meanwhile keeps that reason.
func (r *run) end(ctx context.Context, state frontier.State, reason string) error {
	return r.update(ctx, func(j *frontier.Job, p *progress) bool {
		p.Mapped = p.Mapped || r.p.Mapped
		if len(p.Below) == 0 {
			p.Below = r.p.Below
		}
		if p.Mapper == r.Worker {
			p.Mapper, p.MappedBy = "", time.Time{}
		}
		r.mu.Lock()
		r.maps = false
		r.mu.Unlock()
		for _, n := range r.p.Notices {
			p.say(n)
		}
		for _, u := range r.p.Robots {
			p.refuse(u)
		}
		if j.State == frontier.Running && state != frontier.Running {
			j.State, j.Reason = state, reason
		}
		return true
	})
}

// restore learns from what the job has read and queued before.
func (r *run) restore(ctx context.Context) error {
	err := r.recorded(ctx, func(url string, m *meta) {
		r.similar.add(url, m.Version, m.SimHash)
		if r.focus != nil {
			r.focus.restore(url, m.Title)
			r.matches = append(r.matches, m.Match)
		}
	})
	if err != nil || r.focus == nil {
		return err
	}
	for after := ""; ; {
		tasks, next, err := r.Frontier.Queued(ctx, r.job.ID, after, reportBatch)
		if err != nil {
			return err
		}
		for _, t := range tasks {
			var n note
			json.Unmarshal(t.Note, &n) // one that cannot be read is empty
			if u, err := weburl.Parse(t.URL); err == nil {
				r.focus.Know(u, n.Title)
				r.ranked[t.URL] = t.Priority
			}
		}
		if after = next; after == "" {
			return nil
		}
	}
}

// recorded calls each for the records that are new since the last time.
func (r *run) recorded(ctx context.Context, each func(url string, m *meta)) error {
	for {
		list, err := r.Frontier.Records(ctx, frontier.RecordQuery{Job: r.job.ID, After: r.cursor, N: reportBatch})
		if err != nil || len(list) == 0 {
			return err
		}
		for _, rec := range list {
			r.cursor = rec.Cursor
			if m, ok := metaOf(rec); ok {
				each(rec.URL, &m)
			}
		}
		if len(list) < reportBatch {
			return nil
		}
	}
}

// compareWithOthers learns what other processes have recorded for the job, so that their
// pages have near-duplicates here too. Pages that others read at the same time are missed.
func (r *run) compareWithOthers(ctx context.Context) error {
	return r.recorded(ctx, func(url string, m *meta) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.similar.find(m.Version, m.SimHash) == "" { // not one of this process
			r.similar.add(url, m.Version, m.SimHash)
		}
	})
}

// discover queues the addresses of the site's map, which has one part of so many of the
// time.
func (r *run) discover(ctx context.Context, share int) {
	late := false
	for i := range r.scopes {
		bounded, stop := deadline.Share(ctx, share*len(r.scopes))
		robots, unread := r.Web.robots(bounded, r.scopes[i].Start)
		if unread != nil && ctx.Err() == nil && !deadline.Over(bounded) { // so the map cannot be read either
			r.unread[r.scopes[i].Start.Origin()] = unread
			stop()
			continue
		}
		m, err := r.Web.Map(fetch.WithCrawlDelay(bounded, min(robots.CrawlDelay, maxDelay)), MapRequest{Scope: r.scopes[i], Sources: r.o.mapSources(), Revalidate: r.revalidates(),
			Within: func(start *page.Page) Scope { return r.settle(i, start) }})
		late = late || deadline.Over(bounded)
		stop()
		if err != nil {
			if m != nil && m.OutOfScope > 0 {
				r.say(notice{Code: noticeScope})
			}
			continue // its start page is queued, and says what is wrong
		}
		// A robots.txt that cannot be read now may allow pages when it can.
		unknown := unread == nil && robots.Status != 0
		var links []frontier.Link
		for _, l := range m.Links {
			u, err := weburl.Parse(l.URL)
			if u = r.o.plain(u); err != nil || l.Disallowed && !unknown || !r.reads(u.String(), l.Modified) {
				continue
			}
			if reason := r.leftOut(u, 1); reason != "" {
				links = r.withoutReading(links, u, reason)
				continue
			}
			if r.focus != nil {
				r.focus.Know(u, l.Title)
			}
			links = append(links, r.link(u, l.Title, 1))
		}
		r.embed(ctx, embedAtFirst)
		for i := range links {
			if r.focus != nil { // all of them are known by now
				if u, err := weburl.Parse(links[i].URL); err == nil {
					links[i].Priority = priorityOf(r.focus.scoreOf(u))
				}
			}
		}
		if r.err = r.add(ctx, r.job.ID, links); r.err != nil {
			return
		}
		for _, l := range links {
			if l.LeftOut == "" {
				r.ranked[l.URL] = l.Priority
			}
		}
		if m.Truncated && !late {
			r.say(notice{Code: noticeLargeMap})
		}
	}
	r.settled()
	if late { // the next run reads it again, with what is cached by then
		r.say(notice{Code: noticeLateMap})
		return
	}
	if ctx.Err() == nil {
		r.p.Mapped = true
		if err := r.end(ctx, frontier.Running, ""); err != nil {
			r.err = err
		}
	}
}

// link is an address as the frontier takes it.
func (r *run) link(u weburl.URL, title string, depth int) frontier.Link {
	l := frontier.Link{URL: u.String(), Site: r.Web.Site(u), Depth: depth, Priority: -int32(depth), Template: templateOf(u)}
	if r.focus != nil {
		l.Priority = priorityOf(r.focus.scoreOf(u))
		const most = 200
		if len(title) > most {
			title = strings.ToValidUTF8(title[:most], "")
		}
		if title != "" {
			l.Note = encode(note{title})
		}
	}
	return l
}

// lease leases turns. The end of the call does not interrupt it: a turn that was leased and
// that nobody knows of would hold a place at its site for TurnTime.
func (r *run) lease(ctx context.Context, q frontier.LeaseRequest) ([]frontier.Turn, error) {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer done()
	turns, err := r.Frontier.Lease(ctx, q)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, turn := range turns {
		r.held[turn.Token] = turn
	}
	return turns, err
}

// loop takes turns and reads their pages until the run ends.
func (r *run) loop(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var running, storing sync.WaitGroup
	ends, ended := make(chan turnEnd, r.opts.Sites), make(chan int, r.opts.Sites)
	storing.Go(func() { r.commit(ctx, ends, ended) })
	defer func() {
		running.Wait()
		close(ends)
		storing.Wait()
	}()
	busy, idle := 0, time.Now()
	for {
		for busy > 0 { // those that have ended
			select {
			case n := <-ended:
				busy -= n
				continue
			default:
			}
			break
		}
		if r.over(ctx) {
			break
		}
		var turns []frontier.Turn
		if free := r.opts.Sites - busy; free > 0 {
			var err error
			turns, err = r.lease(ctx, frontier.LeaseRequest{Job: r.job.ID, Worker: r.Worker, Sites: free, PerSite: 1, TTL: TurnTime})
			if err != nil {
				r.fail(ctx, err)
				break
			}
		}
		if len(turns) > 0 && !r.o.Batch {
			if err := r.compareWithOthers(ctx); err != nil {
				r.fail(ctx, err)
				for _, turn := range turns { // given back
					ends <- turnEnd{Commit: frontier.Commit{Turn: turn, Idle: true}}
				}
				break
			}
		}
		for _, turn := range turns {
			busy++
			running.Go(func() {
				ends <- r.turn(ctx, turn)
			})
		}
		if len(turns) > 0 || busy > 0 {
			idle = time.Now()
		}
		if len(turns) > 0 {
			continue
		}
		wait := time.Duration(-1)
		if busy < r.opts.Sites {
			s, err := r.Frontier.Stats(ctx, r.job.ID)
			if err != nil {
				r.fail(ctx, err)
				break
			}
			switch {
			case s.Queued == 0 && busy == 0:
				r.finish(s, stopFinished)
			case s.Next.IsZero() && busy == 0:
				r.finish(s, stopPageLimit)
			case s.Next.IsZero():
			default:
				// A turn that another job has may end long before its time does.
				left := time.Until(s.Next)
				if wait = max(min(left, againTime), time.Millisecond); s.Leased > 0 && busy == 0 { // others read
					wait = max(wait, minWait)
				}
				if r.opts.Waits > 0 && left > r.opts.Waits && busy == 0 && time.Since(idle) >= min(r.opts.Waits, patience) {
					r.because(stopTimeLimit)
				}
				if s.Leased == 0 && left >= patience {
					r.waiting(s)
				}
			}
		}
		if r.over(ctx) {
			break
		}
		r.wait(ctx, wait, ended, &busy)
	}
	cancel()
}

// wait returns when a turn has ended, after d (where it is not negative), or when
// ctx ends.
func (r *run) wait(ctx context.Context, d time.Duration, ended <-chan int, busy *int) {
	var timer <-chan time.Time
	if d >= 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		timer = t.C
	}
	select {
	case n := <-ended:
		*busy -= n
	case <-timer:
	case <-ctx.Done():
	}
}

// finish ends the run because nothing more can be read.
func (r *run) finish(s frontier.Stats, why string) {
	if s.Read == 0 && why == stopFinished {
		switch {
		case s.Reasons[reasonRobots]+s.Reasons[reasonNoFile]+s.Reasons[reasonSignal] > 0:
			why = stopBlockedByRobots
		case s.Reasons[reasonPolicy]+s.Reasons[string(tool.Blocked)] > 0:
			why = stopBlockedByPolicy
		case s.Failed > 0 && s.Reasons[string(tool.ConnectionError)]+s.Reasons[string(tool.Timeout)]+s.Reasons[string(tool.TLSError)] == s.Failed:
			why = stopUnreachable
		}
	}
	r.because(why)
}

// because ends the run for a reason; the first one counts.
func (r *run) because(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop == "" {
		r.stop = why
	}
}

// fail ends the run because of the frontier.
func (r *run) fail(ctx context.Context, err error) {
	switch frontier.CodeOf(err) {
	case frontier.NotRunning:
		r.because(StopAsked)
	case frontier.Ended:
		if !r.over(ctx) {
			r.because(stopTimeLimit)
		}
	default:
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.err == nil {
			r.err = err
		}
	}
}

// over reports whether the run ends.
func (r *run) over(ctx context.Context) bool {
	if ctx.Err() != nil || deadline.Over(ctx) {
		why := stopTimeLimit
		if errors.Is(context.Cause(ctx), context.Canceled) && !deadline.Over(ctx) {
			why = StopAsked
		}
		r.because(why)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop != "" || r.err != nil
}

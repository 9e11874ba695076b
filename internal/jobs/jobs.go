// Package jobs provides crawls, batches and monitors that run in the background of a server.
//
//	r := jobs.New(jobs.Options{Crawler: open, As: as})
//	go r.Run(ctx) // until ctx ends
//	j, err := r.Start(ctx, owner, crawl.Call{Options: crawl.Options{URLs: []string{start}}})
//
// # Model
//
// A job waits or runs while its Due is set in the frontier. Whoever runs it has moved
// Due into the future, and moves it on as long as it works. When that ends without a
// word (kill -9, a machine that is gone), Due passes, and the next process takes the job
// up where it was. So several servers on one frontier share the jobs.
//
// # Guarantees
//
// Each owner has a bounded number of jobs, and of places to run them: one owner's jobs
// leave places to others. Run ends soon after its context, and leaves every job so that
// the next process goes on with it at once. A Runner is safe for concurrent use.
//
// # Limits
//
// For a moment after a stall, two processes can run one job. The frontier lets only one
// of them have a site's turn, so that no page is recorded twice.
package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Options are what a Runner is made from. Crawler and As are required.
type Options struct {
	// Crawler opens what runs jobs. The error is a *tool.Error.
	Crawler func() (*crawl.Crawler, error)
	// Used reports whether there can be jobs from before: a frontier that nobody has
	// used is not opened. Nil: yes.
	Used func() bool
	// As is a context of calls that are for an owner.
	As func(ctx context.Context, owner string) context.Context
	// Most is how many jobs run at a time, of which one owner has at most three
	// quarters; 0: 16.
	Most int
	// Keep is for how long a job is kept after its end; 0: 30 days.
	Keep time.Duration
	// Claim is after how long a job is taken over whose process says nothing; 0: 12 s.
	Claim time.Duration
	// OnError gets what nobody waits for; nil: nothing does.
	OnError func(error)
	// OnRound is called when the round of a monitor begins and ends, from several goroutines;
	// nil: not.
	OnRound func(result.Round)

	// What webhooks need; without a RoundTripper they are refused. Judge is the policy's
	// decision about an address, and the address that is asked in its place. Audited
	// runs a call of the audit log and returns its error.
	RoundTripper http.RoundTripper
	Judge        func(weburl.URL) (weburl.URL, error)
	Audited      func(ctx context.Context, name string, run func(context.Context) error) error
	Key          func() ([]byte, error) // of this installation, of 32 bytes at least
	UserAgent    string
}

// What one owner may have.
const (
	maxOpen   = 100  // jobs that run or wait
	maxStored = 1000 // jobs
	maxPages  = 100_000
	maxBatch  = 10_000
)

const (
	defaultMost  = 16
	defaultKeep  = 30 * 24 * time.Hour
	defaultClaim = 12 * time.Second
	lookEvery    = time.Second
	sweepEvery   = time.Hour
	// longWait is when a job whose sites ask to wait gives its place to another.
	longWait = 20 * time.Second
	// again is when a job is tried again after an error of the frontier.
	again = 15 * time.Second
	// mostTold is how many jobs that have ended are told of at a time.
	mostTold = 32
	// listed bounds the jobs that are looked at at a time.
	listed = 10_000
)

// Runner runs jobs. Make one with [New].
type Runner struct {
	o     Options
	wake  chan struct{}
	every time.Duration // lookEvery; tests of long waits look less often

	starting sync.Mutex // one owner's jobs are counted and stored in one step

	mu      sync.Mutex
	most    int // Options.Most
	running map[string]*place
	swept   time.Time
}

// place is a job that runs here, or whose webhook is told of its end.
type place struct {
	owner string
	ended bool
	stop  context.CancelCauseFunc
}

// New returns a Runner; it does nothing before [Runner.Run].
func New(o Options) *Runner {
	o.Keep = cmp.Or(max(o.Keep, 0), defaultKeep)
	o.Claim = cmp.Or(max(o.Claim, 0), defaultClaim)
	if o.Used == nil {
		o.Used = func() bool { return true }
	}
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
	return &Runner{o: o, most: most(o.Most), every: lookEvery, wake: make(chan struct{}, 1), running: map[string]*place{}}
}

// Running is how many jobs run here.
func (r *Runner) Running() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, p := range r.running {
		if !p.ended {
			n++
		}
	}
	return n
}

// ended says that a job which has ended is only told of: others get its place.
func (r *Runner) ended(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.running[id]; p != nil {
		p.ended = true
	}
	r.look()
}

// most is Options.Most, or its default.
func most(n int) int { return cmp.Or(max(n, 0), defaultMost) }

// Most is how many jobs may run here.
func (r *Runner) Most() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.most
}

// SetMost changes [Options.Most]. Jobs that run go on.
func (r *Runner) SetMost(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.most = most(n)
	r.look()
}

// Start stores a job, or takes one up again, and has it run. The error is a
// *tool.Error: Busy with HTTP status 429 where the owner has too many.
func (r *Runner) Start(ctx context.Context, owner string, q crawl.Call) (frontier.Job, error) {
	c, err := r.o.Crawler()
	if err != nil {
		return frontier.Job{}, err
	}
	q.MaxPages = min(q.MaxPages, maxPages)
	if len(q.URLs) > maxBatch {
		return frontier.Job{}, tool.NewError(tool.TooLarge, fmt.Sprintf("a job takes at most %d URLs", maxBatch), "use several jobs")
	}
	if q.Webhook != nil {
		if q.Webhook, err = r.webhook(q.Webhook); err != nil {
			return frontier.Job{}, err
		}
	}
	r.starting.Lock()
	defer r.starting.Unlock()
	if err := r.room(ctx, c, owner, q.Job == ""); err != nil {
		return frontier.Job{}, err
	}
	q.Background = true
	j, err := c.Prepare(ctx, owner, q)
	if err != nil {
		return j, err
	}
	j, err = crawl.Change(ctx, c.Frontier, j.ID, func(j *frontier.Job) {
		if j.State == frontier.Running && !j.Due.IsZero() {
			return // it runs, or waits
		}
		j.State, j.Reason, j.Due = frontier.Running, "", time.Now()
		crawl.SetHook(j, func(h *crawl.HookState) { h.Ended = false })
	})
	if err != nil {
		return j, crawl.Error(err)
	}
	r.look()
	return j, nil
}

// webhook checks a webhook.
func (r *Runner) webhook(h *crawl.Webhook) (*crawl.Webhook, error) {
	if r.o.RoundTripper == nil {
		return nil, tool.NewError(tool.InvalidInput, "webhooks are not sent here", "follow the job in place of that")
	}
	if _, err := r.secret("", ""); err != nil {
		return nil, &tool.Error{Type: tool.InvalidInput, Message: "webhooks cannot be signed: the key cannot be read", Hint: "WEB_SESSION_KEY names the file of the key", Cause: err}
	}
	url, err := checkWebhook(h.URL, func(u weburl.URL) error { _, err := r.o.Judge(u); return err })
	if err == nil {
		err = checkFirecrawl(h.Firecrawl)
	}
	return &crawl.Webhook{URL: url, Pages: h.Pages, Firecrawl: h.Firecrawl}, err
}

// Secret returns what the receiver of a job's webhook checks signatures with; "" when
// the job has none.
func (r *Runner) Secret(j frontier.Job) string {
	h, _ := crawl.Hook(j)
	if h == nil {
		return ""
	}
	s, err := r.signingSecret(j.Owner, h.URL)
	if err != nil {
		return "" // Start has refused it
	}
	return s
}

// maxMonitors is how many monitors one owner may have.
const maxMonitors = 100

// Watch stores a monitor and has it run, or with an id changes one. The error is a *tool.Error: Busy with HTTP
// status 429 where the owner has too many.
func (r *Runner) Watch(ctx context.Context, owner, id string, o crawl.Options) (frontier.Job, error) {
	c, err := r.o.Crawler()
	if err != nil {
		return frontier.Job{}, err
	}
	if o.Webhook != nil {
		if o.Webhook, err = r.webhook(o.Webhook); err != nil {
			return frontier.Job{}, err
		}
	}
	r.starting.Lock()
	defer r.starting.Unlock()
	all, err := c.Monitors(ctx, owner)
	if err != nil {
		return frontier.Job{}, err
	}
	if id == "" && len(all) >= maxMonitors {
		e := tool.NewError(tool.Busy, fmt.Sprintf("this caller has %d monitors already", len(all)), "remove one that is not needed any more")
		e.Status = http.StatusTooManyRequests
		return frontier.Job{}, e
	}
	j, err := c.CreateMonitor(ctx, owner, id, o)
	if err == nil {
		r.look()
	}
	return j, err
}

// room checks that an owner may have one more job.
func (r *Runner) room(ctx context.Context, c *crawl.Crawler, owner string, another bool) error {
	jobs, err := c.Frontier.Jobs(ctx, frontier.JobQuery{Owner: owner, N: listed})
	if err != nil {
		return crawl.Error(err)
	}
	open, stored := 0, 0
	for _, j := range jobs {
		if !isJob(j) {
			continue
		}
		stored++
		if j.State == frontier.Running && !j.Due.IsZero() {
			open++
		}
	}
	var e *tool.Error
	switch {
	case open >= maxOpen:
		e = tool.NewError(tool.Busy, fmt.Sprintf("%d jobs of this caller run or wait already", open), "wait for one to end, or stop one")
		e.RetryAfter = again
	case another && stored >= maxStored:
		e = tool.NewError(tool.Busy, fmt.Sprintf("%d jobs of this caller are stored already", stored), "delete those that are not needed any more, with their pages")
	default:
		return nil
	}
	e.Status = http.StatusTooManyRequests
	return e
}

func isJob(j frontier.Job) bool { return j.Kind == crawl.KindCrawl || j.Kind == crawl.KindBatch }

// Stop ends the run of a job here, if there is one. The job itself is stopped in the
// frontier before.
func (r *Runner) Stop(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.running[id]; p != nil && !p.ended {
		p.stop(context.Canceled)
	}
}

// look has Run look for jobs now.
func (r *Runner) look() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// errEnding is why runs end that the next process goes on with.
var errEnding = errors.New("the process ends")

// Run runs the jobs of all owners until ctx ends, those that a former process left
// included. It is called once.
func (r *Runner) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	base, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(errEnding)
	timer := time.NewTicker(r.every)
	defer timer.Stop()
	used, said := false, ""
	for {
		if used = used || r.o.Used(); used {
			err := r.take(base, &all)
			if err != nil && ctx.Err() == nil && err.Error() != said {
				r.o.OnError(err)
			}
			if said = ""; err != nil {
				said = err.Error()
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
			used = true
		case <-timer.C:
		}
	}
}

// take runs jobs that are due, as far as there are places.
func (r *Runner) take(ctx context.Context, all *sync.WaitGroup) error {
	c, err := r.o.Crawler()
	if err != nil {
		return err
	}
	if now := time.Now(); now.Sub(r.swept) >= min(sweepEvery, r.o.Keep) {
		r.swept = now
		if err := r.sweep(ctx, c, now); err != nil {
			return err
		}
	}
	due, err := c.Frontier.Jobs(ctx, frontier.JobQuery{DueBy: time.Now(), N: listed})
	if err != nil {
		return err
	}
	slices.Reverse(due) // the oldest first
	for len(due) > 0 {
		i := r.next(due)
		if i < 0 {
			return nil
		}
		j := due[i]
		due = slices.Delete(due, i, i+1)
		j.Due = time.Now().Add(r.o.Claim)
		j, err := c.Frontier.Update(ctx, j)
		switch frontier.CodeOf(err) {
		case frontier.Changed, frontier.NotFound:
			continue // another process was faster, or its owner
		}
		if err != nil {
			return err
		}
		runs, stop := context.WithCancelCause(r.o.As(ctx, j.Owner))
		r.mu.Lock()
		r.running[j.ID] = &place{j.Owner, j.State != frontier.Running, stop}
		r.mu.Unlock()
		all.Go(func() {
			r.run(runs, c, j)
			stop(nil)
			r.mu.Lock()
			delete(r.running, j.ID)
			r.mu.Unlock()
			r.look()
		})
	}
	return nil
}

// next chooses the job that gets the next place: the oldest one of the owner who has
// the fewest places. -1: none.
func (r *Runner) next(due []frontier.Job) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	type share struct{ runs, told int }
	var all share
	of := map[string]share{}
	for _, p := range r.running {
		has := of[p.owner]
		if p.ended {
			has.told++
			all.told++
		} else {
			has.runs++
			all.runs++
		}
		of[p.owner] = has
	}
	best, fewest := -1, max(r.most*3/4, 1)
	for i, j := range due {
		switch has := of[j.Owner]; {
		case !isJob(j) && j.Kind != crawl.KindMonitor || r.running[j.ID] != nil:
		case j.State != frontier.Running:
			if all.told < mostTold && has.told < mostTold*3/4 {
				return i
			}
		case all.runs < r.most && has.runs < fewest:
			best, fewest = i, has.runs
		}
	}
	return best
}

// run runs a job and says what comes of it.
func (r *Runner) run(ctx context.Context, c *crawl.Crawler, j frontier.Job) {
	if j.Kind == crawl.KindMonitor {
		r.round(ctx, c, j.ID)
		return
	}
	id := j.ID
	leave := r.hold(ctx, c, id)
	ran := make(chan struct{})
	var telling sync.WaitGroup
	if h, _ := crawl.Hook(j); h != nil {
		burst := 1
		if h.Firecrawl != nil { // a message has one page
			burst = hookPages
		}
		telling.Go(func() { r.tellWhile(ctx, c, id, burst, ran) })
	}
	j, err := c.Run(ctx, id, crawl.RunOptions{Keep: true, Waits: longWait})
	close(ran)
	telling.Wait()
	if err == nil && j.State != frontier.Running {
		r.ended(id)
		if err := r.tellRest(ctx, c, id); err != nil && ctx.Err() == nil && frontier.CodeOf(err) != frontier.NotFound {
			r.o.OnError(fmt.Errorf("the webhook of job %s: %w", id, err))
		}
	}
	leave()
	save, done := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer done()
	switch {
	case err == nil:
		err = r.release(save, c, id, context.Cause(ctx) == errEnding)
	case frontier.CodeOf(err) == frontier.NotFound: // dropped
	case tool.AsError(err).Type == tool.ParseError:
		// Another version of the program has written it: no try makes it readable.
		_, err = crawl.Change(save, c.Frontier, id, func(j *frontier.Job) { j.State, j.Reason, j.Due = frontier.Stopped, crawl.StopAsked, time.Time{} })
	default:
		r.o.OnError(fmt.Errorf("job %s: %w", id, err))
		_, err = crawl.Change(save, c.Frontier, id, func(j *frontier.Job) { j.Due = time.Now().Add(again) })
	}
	if err != nil && frontier.CodeOf(err) != frontier.NotFound {
		r.o.OnError(fmt.Errorf("job %s: %w", id, err)) // its claim ends by itself
	}
}

// round runs a round of a monitor, and tells its webhook.
func (r *Runner) round(ctx context.Context, c *crawl.Crawler, id string) {
	leave := r.hold(ctx, c, id)
	j, err := c.Frontier.Job(ctx, "", id)
	next := time.Time{}
	if err == nil {
		next = crawl.NextRound(j)
		if !next.After(time.Now()) {
			r.tellRound(ctx, c, j, nil, nil)
			next, err = c.Round(ctx, id, crawl.RunOptions{Waits: longWait})
			r.tellRound(ctx, c, j, &next, err)
		}
	}
	if err == nil {
		err = r.tellRest(ctx, c, id)
	}
	leave()
	save, done := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer done()
	ending := context.Cause(ctx) == errEnding
	if err != nil && ctx.Err() == nil && frontier.CodeOf(err) != frontier.NotFound {
		r.o.OnError(fmt.Errorf("monitor %s: %w", id, err))
		next = time.Now().Add(again)
	}
	_, err = crawl.Change(save, c.Frontier, id, func(j *frontier.Job) {
		now := time.Now()
		crawl.SetNextRound(j, next)
		if j.State != frontier.Running { // it is paused
			j.Due = time.Time{}
			return
		}
		if j.Due = next; ending || next.Before(now) {
			j.Due = now
		}
		if h, at := crawl.Hook(*j); h != nil && !at.GaveUp && at.Due.After(now) && at.Due.Before(j.Due) {
			j.Due = at.Due
		}
		if !ending && j.Due.Before(now.Add(lookEvery)) {
			j.Due = now.Add(lookEvery)
		}
	})
	if err != nil && frontier.CodeOf(err) != frontier.NotFound {
		r.o.OnError(fmt.Errorf("monitor %s: %w", id, err))
	}
}

// tellRound says that a round begins, or has ended (next is set): what it has found.
func (r *Runner) tellRound(ctx context.Context, c *crawl.Crawler, before frontier.Job, next *time.Time, failed error) {
	if r.o.OnRound == nil {
		return
	}
	save, done := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer done()
	was, err := c.MonitorStatus(before)
	if err != nil {
		return
	}
	round := result.Round{Monitor: *was}
	if next != nil {
		j, err := c.Frontier.Job(save, "", before.ID)
		if err != nil {
			return
		}
		state, err := c.MonitorStatus(j)
		if err != nil {
			return
		}
		round.Monitor, round.Ended, round.Monitor.Next = *state, !state.Running, *next
		if failed != nil {
			round.Error = tool.AsError(failed).Message
		}
		if list, err := c.Changes(save, j, was.Changes, time.Time{}, maxToldChanges); err == nil {
			round.Changes = list.Changes
		}
	}
	r.o.OnRound(round)
}

// maxToldChanges bounds the changes of a round that are told.
const maxToldChanges = 100

const saveTime = 10 * time.Second

// hold keeps the claim of a job until leave is called, and ends the run when another
// process has stopped the job.
func (r *Runner) hold(ctx context.Context, c *crawl.Crawler, id string) (leave func()) {
	over := make(chan struct{})
	var holding sync.WaitGroup
	holding.Go(func() {
		timer := time.NewTicker(r.o.Claim / 4)
		defer timer.Stop()
		for {
			select {
			case <-over:
				return
			case <-timer.C:
			}
			j, err := crawl.Change(ctx, c.Frontier, id, func(j *frontier.Job) { j.Due = time.Now().Add(r.o.Claim) })
			if err == nil && j.State == frontier.Stopped || frontier.CodeOf(err) == frontier.NotFound {
				r.Stop(id)
			}
		}
	})
	return func() {
		close(over)
		holding.Wait()
	}
}

// release says when a job has to be looked at again: at once where this process ends,
// when a site may be asked where all of them ask to wait, else never.
func (r *Runner) release(ctx context.Context, c *crawl.Crawler, id string, ending bool) error {
	s, err := c.Frontier.Stats(ctx, id)
	if err != nil {
		return err
	}
	_, err = crawl.Change(ctx, c.Frontier, id, func(j *frontier.Job) {
		switch now := time.Now(); {
		case j.State != frontier.Running:
			j.Due = time.Time{}
			if h, at := crawl.Hook(*j); h != nil && !at.Ended && !at.GaveUp {
				j.Due = now
				if at.Due.After(now) {
					j.Due = at.Due
				}
			}
		case ending:
			j.Due = now
		default:
			j.Due = now.Add(lookEvery)
			if s.Next.After(j.Due) {
				j.Due = s.Next
			}
			if s.Next.Sub(now) <= crawl.TurnTime { // perhaps another job's turn, which can end at any time
				j.Due = now.Add(min(j.Due.Sub(now), longWait))
			}
		}
	})
	return err
}

// sweep drops jobs of servers that ended long ago.
func (r *Runner) sweep(ctx context.Context, c *crawl.Crawler, now time.Time) error {
	jobs, err := c.Frontier.Jobs(ctx, frontier.JobQuery{N: 10 * listed})
	if err != nil {
		return err
	}
	part := map[string]bool{}
	for _, j := range jobs {
		if j.Kind == crawl.KindMonitor {
			for _, id := range crawl.Parts(j) {
				part[id] = true
			}
		}
	}
	for _, j := range jobs {
		old := now.Sub(j.Updated)
		// What a process that was killed has left of a monitor.
		lost := (j.Kind == crawl.KindRound || j.Kind == crawl.KindWatch) && !part[j.ID] && old > sweepEvery
		over := isJob(j) && j.State != frontier.Running && j.Due.IsZero() && old > r.o.Keep && crawl.InBackground(j)
		if !lost && !over {
			continue
		}
		if err := c.Frontier.Drop(ctx, j.ID); err != nil {
			return err
		}
	}
	return nil
}

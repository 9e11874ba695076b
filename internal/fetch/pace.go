package fetch

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file limits the requests to one site: how many at a time, and how many
// per second.
//
// A site is a registrable domain, because one operator runs the names below it:
// links to a1.example.com, a2.example.com and so on must not cause a thousand
// connections. For an address or a single label, the site includes the port,
// because one machine has many services.

const (
	// defaultHostConcurrency is the number of requests to a site at a time.
	defaultHostConcurrency = 4
	// DefaultHostRate is the number of requests to a site per second.
	DefaultHostRate = 5
	// burstSeconds is how many seconds' worth of requests may start at once
	// after a rest.
	burstSeconds = 2
	// maxSites bounds the sites that are remembered.
	maxSites = 4096
)

// errBusy: the turn would come after the deadline of the call, because of its own earlier
// requests or those of others.
var errBusy = errors.New("the pace of requests to this site leaves no turn before the deadline")

type pace struct {
	concurrency int           // 0: no limit
	interval    time.Duration // between two requests, 0: no limit
	burst       time.Duration // how far requests may run ahead of the interval

	mu    sync.Mutex
	sites *lru.Map[string, *siteState]
	rests *lru.Map[string, rest] // by host and port
}

// rest is a pause that a host asked for with Retry-After. It counts for all of the
// host's addresses: each of them would get the same answer, and make the pause longer.
type rest struct {
	until  time.Time
	asked  time.Time // when the pause would end that the host asked for
	status int
}

// resting returns the pause that a host asked for and that is not over.
func (p *pace) resting(host string) (r rest, left time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, ok := p.rests.Get(host)
	if !ok {
		return r, 0
	}
	if left = time.Until(r.until); left <= 0 {
		p.rests.Delete(host)
	}
	return r, left
}

// rest notes that a host asked for a pause, of which most is kept at most.
func (p *pace) rest(host string, status int, asked, most time.Duration) {
	if most <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.rests.Put(host, rest{now.Add(min(asked, most)), now.Add(asked), status})
}

type siteState struct {
	turns   chan struct{} // one element for each request under way
	waiting int           // requests that have no turn yet
	// earned is when the requests so far would have ended at a steady rate
	// (the theoretical arrival time of the generic cell rate algorithm).
	earned time.Time
	// crawled is when the latest request with a Crawl-delay starts.
	crawled time.Time
}

type delayKey struct{}

// WithCrawlDelay returns a context for the calls of a crawl: the request of each one starts
// so long after that of the call before which had such a context and went to the same
// site; this wait does not count in the time of the call. Redirects follow at once, and
// answers of a cache do not wait. Zero or less changes nothing.
func WithCrawlDelay(ctx context.Context, d time.Duration) context.Context {
	if d <= 0 {
		return ctx
	}
	return context.WithValue(ctx, delayKey{}, d)
}

func crawlDelay(ctx context.Context) time.Duration {
	d, _ := ctx.Value(delayKey{}).(time.Duration)
	return d
}

type turnKey struct{}

// WithTurn returns a context for the requests of a caller that counts for itself how many a
// site gets at a time, for example over all workers of a crawl: HostConcurrency does not hold
// for them, and the rate of the site does.
func WithTurn(ctx context.Context) context.Context {
	return context.WithValue(ctx, turnKey{}, true)
}

// apart waits for the Crawl-delay of ctx. The error is that of ctx.
func (p *pace) apart(ctx context.Context, site string) error {
	d := crawlDelay(ctx)
	if d == 0 {
		return nil
	}
	for {
		p.mu.Lock()
		s := p.site(site)
		left := time.Until(s.crawled.Add(d))
		if left <= 0 {
			s.crawled = time.Now()
			p.mu.Unlock()
			return nil
		}
		p.mu.Unlock()
		if err := deadline.Sleep(ctx, left); err != nil {
			return err
		}
	}
}

// site is the state of a site. The caller holds mu.
func (p *pace) site(name string) *siteState {
	s, ok := p.sites.Get(name)
	if !ok {
		s = &siteState{}
		if p.concurrency > 0 {
			s.turns = make(chan struct{}, p.concurrency)
		}
		p.sites.Put(name, s)
	}
	return s
}

func newPace(o Options) *pace {
	p := &pace{sites: lru.New[string, *siteState](maxSites), rests: lru.New[string, rest](maxSites)}
	if o.HostConcurrency >= 0 {
		p.concurrency = o.HostConcurrency
		if p.concurrency == 0 {
			p.concurrency = defaultHostConcurrency
		}
	}
	if o.HostRate >= 0 {
		rate := o.HostRate
		if rate == 0 {
			rate = DefaultHostRate
		}
		p.interval = time.Duration(float64(time.Second) / rate)
		p.burst = max(burstSeconds*time.Second, time.Duration(p.concurrency)*p.interval) - p.interval
	}
	return p
}

// Site names the site of an address: what a pace is bound to.
func Site(u weburl.URL) string {
	if _, isAddr := u.Addr(); isAddr || !strings.Contains(u.Host(), ".") {
		return u.HostPort()
	}
	return u.RegistrableDomain()
}

// enter waits for a turn, which lasts until leave is called. The error is that
// of ctx, or errBusy at once when the turn could not come before ctx's
// deadline.
func (p *pace) enter(ctx context.Context, site string) (leave func(), err error) {
	if err := deadline.Err(ctx); err != nil {
		return nil, err
	}
	late := func(at time.Time) bool {
		end, bounded := ctx.Deadline() // a call that joins can move it
		return bounded && at.After(end)
	}

	p.mu.Lock()
	s := p.site(site)
	// Requests that wait already come first, as fast as the rate allows.
	if late(p.start(s, s.waiting)) {
		p.mu.Unlock()
		return nil, errBusy
	}
	s.waiting++
	p.mu.Unlock()

	leave = func() {}
	if s.turns != nil && ctx.Value(turnKey{}) == nil {
		select {
		case s.turns <- struct{}{}:
			leave = func() { <-s.turns }
		case <-ctx.Done():
			p.mu.Lock()
			s.waiting--
			p.mu.Unlock()
			return nil, ctx.Err()
		}
	}

	p.mu.Lock()
	s.waiting--
	at := p.start(s, 0)
	if late(at) {
		p.mu.Unlock()
		leave()
		return nil, errBusy
	}
	if now := time.Now(); s.earned.Before(now) {
		s.earned = now
	}
	s.earned = s.earned.Add(p.interval)
	p.mu.Unlock()
	if err := deadline.Sleep(ctx, time.Until(at)); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// start returns when a request may start, after so many others.
func (p *pace) start(s *siteState, others int) time.Time {
	now := time.Now()
	if p.interval == 0 {
		return now
	}
	if at := s.earned.Add(time.Duration(others)*p.interval - p.burst); at.After(now) {
		return at
	}
	return now
}

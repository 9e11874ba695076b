// Package admission provides the gate before processor work: how many pages are
// parsed at a time, in how much memory, and whose turn is next.
//
//	gate := admission.New(admission.Options{Slots: 64, Memory: 1 << 30})
//	err := gate.Do(ctx, "research", cost, parse) // *Busy, or that of the context
//
// # The rule
//
// Work takes a place and the bytes that it is expected to need while it runs, not
// while its call waits for a site or a slow client. Small work takes no place: a
// small page needs about a millisecond, less than any wait.
//
// Principals wait in queues of their own, in the order of arrival. The next place
// goes to the principal that has had the fewest bytes in proportion to its weight
// (start-time fair queuing, Goyal et al. 1996), so one with a thousand waiting calls
// is served as often as one with a single call. A queue that is full is [Busy].
//
// A principal that others make calls beside leaves a processor free, with small calls
// ([Gate.Turn]) as with large work, which it does at a lower priority: with one flood of
// pages of 5 MB on two processors, others' cached pages took 187 ms at p99 without this,
// and 5 with it.
//
// Another bound is for memory: a call has one place for the bodies that it holds until
// its result is written ([Call], [Gate.Hold]).
//
// # Guarantees
//
// The work at a time never exceeds the slots and the memory, small work aside. Work
// that needs more memory than there is runs alone. No principal starves: its first
// call is served after at most one call of each other one. A Gate is safe for
// concurrent use.
//
// # Limits
//
// Memory is an estimate that the caller makes before the work. Nothing is
// interrupted: work that has a place ends by its own deadline.
package admission

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// The defaults of Options.
const (
	DefaultSlots = 64
	defaultQueue = 512
	defaultShort = 1 << 20
)

const (
	besideTime  = time.Second           // a principal counts as making calls for so long after one
	turnTime    = 20 * time.Millisecond // a turn lasts so long at most: work that hangs does not stop other calls
	manyCallers = 1024                  // so many are known before idle ones are forgotten
)

// Options are the limits of a Gate. The zero value of each field is its default.
type Options struct {
	// Slots is how much work is done at a time; 0 means DefaultSlots. From four slots on,
	// one principal has at most three quarters: work that does not end for a long time
	// leaves room for others.
	Slots int
	// Processors is how many there are; 0 means Slots. A principal beside whom others make
	// calls has one slot less than that, but at least one.
	Processors int
	// Memory is how many bytes the work at a time may need together; 0 means no
	// limit.
	Memory int64
	// Queue is how many calls of one principal wait; 0 means 512.
	Queue int
	// Short is the cost in bytes up to which work does not wait; 0 means
	// 1 MiB, less means that everything waits.
	Short int64
	// Weight is a principal's share of the work in proportion to others'; nil, and a
	// weight below 1, mean 1.
	Weight func(principal string) int
	// Observe is called with how long work waited that was admitted; nil: nothing
	// is. Calls are concurrent.
	Observe func(waited time.Duration)
}

// Gate admits work. Make one with [New].
type Gate struct {
	o          Options
	turnsAwait atomic.Int64 // calls that wait for a turn

	mu      sync.Mutex
	callers map[string]*caller
	latest  [2]*caller // that made calls last
	clock   float64    // virtual time: the start of the last work that was admitted
	used    int
	memory  int64
	mean    time.Duration // of recent work
	stats   Stats
}

// caller is what the gate knows of a principal.
type caller struct {
	name    string
	seen    time.Time // of its last call
	start   float64   // the virtual time at which its next work begins
	used    int
	waiting []*waiter     // in the order of arrival
	turns   chan struct{} // an element for each turn that is taken
}

type waiter struct {
	cost  int64
	ready chan struct{} // closed when it is admitted
	since time.Time
}

// New returns a Gate.
func New(o Options) *Gate {
	o.Slots, o.Queue, o.Short = cmp.Or(max(o.Slots, 0), DefaultSlots), cmp.Or(max(o.Queue, 0), defaultQueue), cmp.Or(o.Short, defaultShort)
	o.Processors = cmp.Or(max(o.Processors, 0), o.Slots)
	return &Gate{o: o, callers: map[string]*caller{}, latest: [2]*caller{{}, {}}}
}

// caller returns that of a principal. The lock is held.
func (g *Gate) caller(principal string) *caller {
	c := g.callers[principal]
	if c == nil {
		for name, old := range g.callers {
			if len(g.callers) >= manyCallers && old.used+len(old.waiting) == 0 && old.start <= g.clock && time.Since(old.seen) > besideTime {
				delete(g.callers, name)
			}
		}
		c = &caller{name: principal, turns: make(chan struct{}, max(g.o.Processors-1, 1))}
		g.callers[principal] = c
	}
	return c
}

// Seen notes that a principal makes a call, whether or not it will need a place.
func (g *Gate) Seen(principal string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.caller(principal)
	if c.seen = time.Now(); c != g.latest[0] {
		g.latest = [2]*caller{c, g.latest[0]}
	}
}

// beside reports whether others than c make calls. The lock is held.
func (g *Gate) beside(c *caller) bool {
	return slices.ContainsFunc(g.latest[:], func(other *caller) bool { return other != c && time.Since(other.seen) < besideTime })
}

// Busy is the error for a principal whose queue is full.
type Busy struct {
	// Waiting is how many calls of the principal wait.
	Waiting int
	// RetryAfter is when the queue will probably have room; at least a second.
	RetryAfter time.Duration
}

func (e *Busy) Error() string {
	return fmt.Sprintf("%d calls of this caller are waiting already", e.Waiting)
}

// Waited is the error of work whose context has ended before it had a place. It wraps the
// error of the context.
type Waited struct{ cause error }

func (e *Waited) Error() string { return e.cause.Error() + ", while it waited for its turn" }
func (e *Waited) Unwrap() error { return e.cause }

// Enter waits until work of a principal that needs about so many bytes may begin.
// The caller calls done once when the work has ended. The error is a *Busy or a *Waited.
func (g *Gate) Enter(ctx context.Context, principal string, cost int64) (done func(), err error) {
	g.mu.Lock()
	if cost <= g.o.Short {
		g.stats.Short++
		g.mu.Unlock()
		if t, ok := ctx.Value(turnKey{}).(*turn); ok && t.gate == g {
			return t.take(ctx), nil
		}
		return func() {}, nil
	}
	g.mu.Unlock()
	Pause(ctx)
	g.mu.Lock()
	if g.o.Memory > 0 {
		cost = min(cost, g.o.Memory) // it runs alone
	}
	c := g.caller(principal)
	if n := len(c.waiting); n >= g.o.Queue {
		g.stats.Rejected++
		after := time.Duration(math.Ceil(float64(n)/float64(g.o.Slots)*g.mean.Seconds())) * time.Second
		g.mu.Unlock()
		return nil, &Busy{Waiting: n, RetryAfter: min(max(after, time.Second), time.Minute)}
	} else if n == 0 {
		c.start = max(c.start, g.clock)
	}
	w := &waiter{cost: cost, ready: make(chan struct{}), since: time.Now()}
	c.waiting = append(c.waiting, w)
	g.admit()
	g.mu.Unlock()
	select {
	case <-w.ready:
		began := time.Now()
		if g.o.Observe != nil {
			g.o.Observe(began.Sub(w.since))
		}
		return sync.OnceFunc(func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			took := time.Since(began)
			g.mean += (took - cmp.Or(g.mean, took)) / 8
			g.free(c, cost)
		}), nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(c.waiting, w); i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
		g.stats.Abandoned++
		g.admit() // it could have been the one that all waited behind
	} else { // it was admitted in the meantime
		g.free(c, cost)
	}
	return nil, &Waited{context.Cause(ctx)}
}

// admit begins what there is room for. The lock is held.
func (g *Gate) admit() {
	for g.used < g.o.Slots {
		var next *caller
		for _, c := range g.callers {
			if len(c.waiting) == 0 || c.used >= g.share(c) {
				continue
			}
			if next == nil || c.start < next.start || c.start == next.start && c.waiting[0].since.Before(next.waiting[0].since) {
				next = c
			}
		}
		if next == nil {
			return
		}
		w := next.waiting[0]
		if g.o.Memory > 0 && g.memory+w.cost > g.o.Memory {
			return // smaller work behind it waits too, or large work would starve
		}
		weight := 1
		if g.o.Weight != nil {
			weight = max(g.o.Weight(next.name), 1)
		}
		g.used, g.memory, g.clock = g.used+1, g.memory+w.cost, next.start
		next.used++
		next.start += float64(w.cost) / float64(weight)
		next.waiting = slices.Delete(next.waiting, 0, 1)
		g.stats.Admitted++
		close(w.ready)
	}
}

// share is how many slots a principal has at most. The lock is held.
func (g *Gate) share(c *caller) int {
	most := (g.o.Slots*3 + 3) / 4
	if g.beside(c) {
		most = min(most, g.o.Processors-1)
	}
	return max(most, 1)
}

// free gives a place back. The lock is held.
func (g *Gate) free(c *caller, cost int64) {
	g.used, g.memory = g.used-1, g.memory-cost
	c.used--
	g.admit()
}

// shared reports whether several principals make calls.
func (g *Gate) shared() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return time.Since(g.latest[1].seen) < besideTime
}

// SetSlots changes how much work is done at a time; 0 means DefaultSlots. Work that
// has a place keeps it.
func (g *Gate) SetSlots(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.o.Slots = cmp.Or(max(n, 0), DefaultSlots)
	g.admit()
}

// Do waits as Enter does, does the work, and gives the place back. Beside others, work
// that has a place has a lower priority, where the system has priorities of threads. A
// panic of the work is one of Do.
func (g *Gate) Do(ctx context.Context, principal string, cost int64, work func()) error {
	done, err := g.Enter(ctx, principal, cost)
	if err != nil {
		return err
	}
	defer done()
	if cost > g.o.Short && g.shared() {
		low(work)
	} else {
		work()
	}
	return nil
}

// low does work on a thread of its own, whose priority is lower. The thread ends with the
// work, because only privileged programs can raise a priority again. Go starts no other
// thread from one that a goroutine keeps for itself, so none inherits the priority.
func low(work func()) {
	var failure any
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() { failure = recover() }() // raised again in the caller: here it would end the process
		runtime.LockOSThread()
		lowerPriority()
		work()
	}()
	<-ended
	if failure != nil {
		panic(failure)
	}
}

// Stats are the state of a Gate and what it has counted since it was made.
type Stats struct {
	Slots, Used     int   // places, and those in use
	Memory, InUse   int64 // bytes, 0 for no limit, and those in use
	Waiting         int   // calls of all principals
	Principals      int   // with waiting calls
	Full            bool  // the queue of a principal is
	Admitted, Short int64 // work that had a place, and work that needed none
	Rejected        int64 // with Busy
	Abandoned       int64 // by contexts that ended
}

// Stats returns the state of the Gate.
func (g *Gate) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.stats
	s.Slots, s.Used, s.Memory, s.InUse, s.Waiting = g.o.Slots, g.used, g.o.Memory, g.memory, int(g.turnsAwait.Load())
	for _, c := range g.callers {
		if n := len(c.waiting); n > 0 {
			s.Principals, s.Waiting, s.Full = s.Principals+1, s.Waiting+n, s.Full || n >= g.o.Queue
		}
	}
	return s
}

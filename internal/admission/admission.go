// Package admission provides the gate before processor work: how many pages are
// parsed at a time, in how much memory, and whose turn is next.
//
//	gate := admission.New(admission.Options{Slots: 64, Memory: 1 << 30})
//	done, err := gate.Enter(ctx, "research", cost)
//	if err != nil {
//		return err // *Busy, or that of the context
//	}
//	defer done()
//
// A call holds a place only while it works. Waiting for a slow site, for its pace or
// for a client that does not read needs none, so that a caller who waits a lot takes
// nothing from others. The bytes of large pages stay in memory for longer: a second
// Gate bounds these, from which a call has a place until it ends ([Call], [Gate.Hold]).
//
// # Model
//
// Principals wait in queues of their own. The next place goes to the principal that
// has had the least work in proportion to its weight (start-time fair queuing, Goyal
// et al. 1996), where work is the bytes that it asked for: a principal with a
// thousand waiting calls is served as often as one with a single call. Within a
// principal, the order is that of arrival.
//
// A principal who works beside others leaves a processor free for them: calls that do
// not pass the gate, for example for cached pages, would wait for a processor at each of
// their steps (p99 187 ms instead of 5, with one flood of pages of 5 MB on two processors).
// Alone, it may use them all.
//
// Short work never waits for a place: a small page takes about a millisecond, and making it
// wait behind large ones would cost its caller a hundred times that. Hundreds of them at a time are
// another matter: beside others, a principal's calls have turns ([Gate.Turn]).
//
// # Guarantees
//
// The work at a time never exceeds the slots and the memory, short work aside. Work
// that needs more memory than there is runs alone. No principal starves: whatever
// others ask for, its first call is served after at most one call of each of them. A
// queue is bounded: a call that finds its own queue full fails at once with [Busy].
// A Gate is safe for concurrent use and starts no goroutine.
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
	"sync"
	"sync/atomic"
	"time"
)

// The defaults of Options.
const (
	DefaultSlots = 64
	DefaultQueue = 512
	DefaultShort = 1 << 20
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
	// Queue is how many calls of one principal wait; 0 means DefaultQueue.
	Queue int
	// Short is the cost in bytes up to which work does not wait; 0 means
	// DefaultShort, less means that everything waits.
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
	o Options

	aside  atomic.Int64 // places of DoAside
	mu     sync.Mutex
	used   int
	memory int64
	holds  map[string]int    // slots by principal; 0 is not there
	queues map[string]*queue // of principals that wait
	lines  map[string]*line  // of principals whose calls have turns
	// clock is the virtual time: the start tag of the last work that was admitted.
	clock float64
	// finished are the finish tags of principals that have nothing waiting, as long
	// as they are ahead of the clock.
	finished map[string]float64
	// latest are the two principals that made calls last.
	latest [2]seen
	// mean is the mean duration of recent work, for Busy.RetryAfter.
	mean  time.Duration
	stats Stats
}

// seen is when a principal made a call.
type seen struct {
	name string
	at   time.Time
}

// besideTime is how long a principal counts as making calls after one.
const besideTime = time.Second

// queue is what waits of one principal.
type queue struct {
	name    string
	waiting []*waiter // in the order of arrival
	start   float64   // the start tag of the first one
}

type waiter struct {
	cost  int64
	ready chan struct{} // closed when it is admitted
	since time.Time
}

// New returns a Gate.
func New(o Options) *Gate {
	o.Slots, o.Queue, o.Short = cmp.Or(max(o.Slots, 0), DefaultSlots), cmp.Or(max(o.Queue, 0), DefaultQueue), cmp.Or(o.Short, DefaultShort)
	o.Processors = cmp.Or(max(o.Processors, 0), o.Slots)
	return &Gate{o: o, queues: map[string]*queue{}, holds: map[string]int{}, lines: map[string]*line{}, finished: map[string]float64{}}
}

// Seen notes that a principal makes a call, whether or not it will need a place.
func (g *Gate) Seen(principal string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.latest[0].name != principal {
		g.latest[1] = g.latest[0]
	}
	g.latest[0] = seen{principal, time.Now()}
}

// Load returns how many places are in use, without those of [Gate.DoAside], and whether
// several principals make calls: two of them did so within the last second.
func (g *Gate) Load() (used int, shared bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	earlier := g.latest[1].at
	return max(g.used-int(g.aside.Load()), 0), !earlier.IsZero() && time.Since(earlier) < besideTime
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

// Enter waits until work of a principal that needs about so many bytes may begin.
// The caller calls done once when the work has ended. The error is a *Busy, or that
// of the context, which ended first.
func (g *Gate) Enter(ctx context.Context, principal string, cost int64) (done func(), err error) {
	if cost <= g.o.Short {
		g.mu.Lock()
		g.stats.Short++
		g.mu.Unlock()
		if t, ok := ctx.Value(turnKey{}).(*turn); ok && t.gate == g {
			return t.take(ctx), nil
		}
		return func() {}, nil
	}
	Pause(ctx)
	if g.o.Memory > 0 {
		cost = min(cost, g.o.Memory) // it runs alone
	}
	g.mu.Lock()
	q := g.queues[principal]
	if q != nil && len(q.waiting) >= g.o.Queue {
		g.stats.Rejected++
		e := &Busy{Waiting: len(q.waiting), RetryAfter: g.drain(len(q.waiting))}
		g.mu.Unlock()
		return nil, e
	}
	w := &waiter{cost: cost, ready: make(chan struct{}), since: time.Now()}
	if q == nil {
		q = &queue{name: principal, start: max(g.clock, g.finished[principal])}
		g.queues[principal] = q
		delete(g.finished, principal)
	}
	q.waiting = append(q.waiting, w)
	g.admit()
	g.mu.Unlock()
	select {
	case <-w.ready:
		began := time.Now()
		if g.o.Observe != nil {
			g.o.Observe(began.Sub(w.since))
		}
		return sync.OnceFunc(func() { g.leave(principal, w.cost, time.Since(began)) }), nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-w.ready: // it was admitted in the meantime
		g.free(principal, w.cost)
	default:
		g.remove(principal, w)
	}
	return nil, &Waited{context.Cause(ctx)}
}

// Waited is the error of work whose context has ended before it had a place. It wraps the
// error of the context.
type Waited struct{ cause error }

func (e *Waited) Error() string { return e.cause.Error() + ", while it waited for its turn" }

func (e *Waited) Unwrap() error { return e.cause }

// admit begins what there is room for. The lock is held.
func (g *Gate) admit() {
	for g.used < g.o.Slots && len(g.queues) > 0 {
		var next *queue
		for _, q := range g.queues {
			if g.holds[q.name] >= g.share(q.name) {
				continue
			}
			if next == nil || q.start < next.start || q.start == next.start && q.waiting[0].since.Before(next.waiting[0].since) {
				next = q
			}
		}
		if next == nil {
			return
		}
		w := next.waiting[0]
		if g.o.Memory > 0 && g.memory+w.cost > g.o.Memory {
			return // smaller work behind it waits too, or large work would starve
		}
		g.used++
		g.holds[next.name]++
		g.memory += w.cost
		g.clock = next.start
		g.stats.Admitted++
		g.pop(next, 0)
		next.start += float64(w.cost) / g.weight(next.name)
		if len(next.waiting) == 0 {
			g.forget(next)
		}
		close(w.ready)
	}
	if len(g.queues) == 0 && g.used == 0 {
		// Nothing waits and nothing works: nobody is ahead of anybody.
		g.clock = 0
		clear(g.finished)
	}
}

// SetSlots changes how much work is done at a time; 0 means DefaultSlots. Work that
// has a place keeps it.
func (g *Gate) SetSlots(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.o.Slots = cmp.Or(max(n, 0), DefaultSlots)
	g.admit()
}

// share is how many slots a principal has at most.
func (g *Gate) share(principal string) int {
	most := (g.o.Slots*3 + 3) / 4
	if g.beside(principal) {
		most = min(most, g.o.Processors-1)
	}
	return max(most, 1)
}

// beside reports whether others make calls. The lock is held.
func (g *Gate) beside(principal string) bool {
	for _, other := range g.latest {
		if other.name != principal && !other.at.IsZero() && time.Since(other.at) < besideTime {
			return true
		}
	}
	return false
}

func (g *Gate) weight(principal string) float64 {
	if g.o.Weight == nil {
		return 1
	}
	return float64(max(g.o.Weight(principal), 1))
}

// forget removes an empty queue and keeps how far its principal is ahead.
func (g *Gate) forget(q *queue) {
	delete(g.queues, q.name)
	const most = 4096
	for name, tag := range g.finished {
		if tag <= g.clock || len(g.finished) >= most {
			delete(g.finished, name)
		}
	}
	g.finished[q.name] = q.start
}

func (g *Gate) pop(q *queue, i int) {
	copy(q.waiting[i:], q.waiting[i+1:])
	q.waiting[len(q.waiting)-1] = nil
	q.waiting = q.waiting[:len(q.waiting)-1]
}

// remove takes a waiter out that has gone away.
func (g *Gate) remove(principal string, w *waiter) {
	q := g.queues[principal]
	for i, other := range q.waiting {
		if other == w {
			g.pop(q, i)
			break
		}
	}
	if len(q.waiting) == 0 {
		g.forget(q)
	}
	g.stats.Abandoned++
	g.admit() // it could have been the one that all waited behind
}

// leave ends work.
func (g *Gate) leave(principal string, cost int64, took time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.mean == 0 {
		g.mean = took
	}
	g.mean += (took - g.mean) / 8
	g.free(principal, cost)
}

// free gives a place back. The lock is held.
func (g *Gate) free(principal string, cost int64) {
	g.used--
	if g.holds[principal]--; g.holds[principal] == 0 {
		delete(g.holds, principal)
	}
	g.memory -= cost
	g.admit()
}

// drain estimates how long so many calls take.
func (g *Gate) drain(waiting int) time.Duration {
	d := time.Duration(math.Ceil((float64(waiting) / float64(g.o.Slots) * g.mean.Seconds()))) * time.Second
	return min(max(d, time.Second), time.Minute)
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
	s.Slots, s.Used, s.Memory, s.InUse, s.Principals = g.o.Slots, g.used, g.o.Memory, g.memory, len(g.queues)
	for _, q := range g.queues {
		s.Waiting += len(q.waiting)
		s.Full = s.Full || len(q.waiting) >= g.o.Queue
	}
	for _, l := range g.lines {
		s.Waiting += len(l.waiting)
	}
	return s
}

// Package inflight provides groups of equal work: what several calls ask for at the
// same time is done once, and all of them get the result.
//
//	var pages inflight.Group[string, *Page]
//	page, shared, err := pages.Do(ctx, url, func(ctx context.Context) (*Page, error) {
//		return get(ctx, url)
//	})
//
// # Guarantees
//
// Each call that waits has its own context: when it ends, that call leaves, and the
// others do not notice; when the last one leaves, the work is cancelled. The work
// therefore has as much time as the call that has the most: one with more time does
// not fail because the first one had less. A panic of the work is raised again in the
// calls. A Group is safe for concurrent use.
//
// # Limits
//
// The result is the same value for all calls; none of them may change it.
package inflight

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
)

// Group combines equal work. The zero value is ready for use; it must not be copied.
type Group[K comparable, V any] struct {
	mu  sync.Mutex
	all map[K]*work[V]
}

// Len is how much work is under way.
func (g *Group[K, V]) Len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.all)
}

// work is under way, with the calls that wait for it.
type work[V any] struct {
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when what follows is set
	res    V
	err    error
	panic  any

	mu      sync.Mutex // held after Group.mu, and after that of work that waits for this one
	waiting []*waiter
}

// waiter is a call that waits.
type waiter struct{ ctx context.Context }

// sharedContext is the context of work. It ends when no call
// waits any more. Its deadline is the latest of the calls that wait: a call that
// joins can move it.
type sharedContext[V any] struct {
	context.Context
	work *work[V]
}

// Deadline implements context.Context.
func (c sharedContext[V]) Deadline() (latest time.Time, bounded bool) {
	c.work.mu.Lock()
	defer c.work.mu.Unlock()
	for _, w := range c.work.waiting {
		end, ok := w.ctx.Deadline()
		if !ok {
			return time.Time{}, false
		}
		if end.After(latest) {
			latest = end
		}
	}
	return latest, !latest.IsZero()
}

// Do returns the result of run for a key. It starts run unless another call has
// started it already, which shared reports. The error is that of run or, where
// ctx ends and other calls wait on, the reason why ctx has ended. Nothing is run
// for a context that has ended before.
//
// run is called in its own goroutine, with a context that has the values of ctx;
// it has to return when that context ends. Where no other call waits, Do returns
// after run.
func (g *Group[K, V]) Do(ctx context.Context, key K, run func(context.Context) (V, error)) (res V, shared bool, err error) {
	if err := deadline.Err(ctx); err != nil {
		return res, false, err
	}
	w := &waiter{ctx}
	g.mu.Lock()
	r, shared := g.all[key]
	if shared {
		r.join(w)
	} else {
		r = g.start(w, key, run)
	}
	g.mu.Unlock()

	select {
	case <-r.done:
	case <-ctx.Done():
		if !g.leave(key, r, w) {
			return res, shared, deadline.Err(ctx)
		}
		<-r.done // it was cancelled, returns at once, and has more to tell
	}
	if r.panic != nil {
		panic(r.panic)
	}
	return r.res, shared, r.err
}

func (r *work[V]) join(w *waiter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, w)
}

// start begins work. g.mu is held.
func (g *Group[K, V]) start(w *waiter, key K, run func(context.Context) (V, error)) *work[V] {
	own, cancel := context.WithCancelCause(context.WithoutCancel(w.ctx))
	r := &work[V]{cancel: cancel, done: make(chan struct{}), waiting: []*waiter{w}}
	if g.all == nil {
		g.all = make(map[K]*work[V])
	}
	g.all[key] = r
	go func() {
		defer func() {
			r.panic = recover() // raised again in the calls that wait: here it would end the process
			cancel(nil)
			g.forget(key, r)
			close(r.done)
		}()
		r.res, r.err = run(sharedContext[V]{own, r})
	}()
	return r
}

// leave removes a call from those that wait. It reports whether the work ends
// with it, because no call waits that has time left: then the request is
// cancelled, and no call joins it any more.
func (g *Group[K, V]) leave(key K, r *work[V], w *waiter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = slices.DeleteFunc(r.waiting, func(other *waiter) bool { return other == w })
	why := deadline.Err(w.ctx)
	for _, other := range r.waiting {
		err := deadline.Err(other.ctx)
		if err == nil {
			return false
		}
		if errors.Is(err, context.DeadlineExceeded) {
			why = err
		}
	}
	if g.all[key] == r {
		delete(g.all, key)
	}
	r.cancel(why)
	return true
}

func (g *Group[K, V]) forget(key K, r *work[V]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all[key] == r {
		delete(g.all, key)
	}
}

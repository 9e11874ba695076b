package admission

import (
	"context"
	"sync"
	"time"
)

// A call for a small or a cached page takes a millisecond. A caller with hundreds of them at
// a time keeps others waiting as much as one with large pages, because Go runs goroutines in the
// order in which they can run. So while several principals make calls, each leaves a processor
// free, and its further calls wait for their turn. Beside 300 connections of one caller, on two
// processors, others' cached pages took 6 ms at p50 where it used both, and take 1 ms.

type turnKey struct{}

// turn is that of a call.
type turn struct {
	gate  *Gate
	turns chan struct{} // those of the principal
	mu    sync.Mutex
	timer *time.Timer // ends it; nil: the call has none
}

// Turn waits until a call of a principal may work, if others make calls too. It works until
// end is called or [Pause] is. Short work that it asks this gate for later waits for a
// turn of its own.
func (g *Gate) Turn(ctx context.Context, principal string) (of context.Context, end func()) {
	g.mu.Lock()
	c := g.caller(principal)
	beside := g.beside(c)
	g.mu.Unlock()
	if !beside {
		return ctx, func() {}
	}
	t := &turn{gate: g, turns: c.turns}
	return context.WithValue(ctx, turnKey{}, t), t.take(ctx)
}

// Pause ends the turn of a call that is going to wait for something, such as a site.
func Pause(ctx context.Context) {
	if t, ok := ctx.Value(turnKey{}).(*turn); ok {
		t.end()
	}
}

// take waits until the call has its turn or ctx ends. end does nothing if the call had one before.
func (t *turn) take(ctx context.Context) (end func()) {
	t.mu.Lock()
	has := t.timer != nil
	t.mu.Unlock()
	if has {
		return func() {}
	}
	t.gate.turnsAwait.Add(1)
	defer t.gate.turnsAwait.Add(-1)
	select {
	case t.turns <- struct{}{}:
	case <-ctx.Done():
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil { // another goroutine of the call was first
		<-t.turns
		return func() {}
	}
	t.timer = time.AfterFunc(turnTime, t.end)
	return t.end
}

// end ends the turn, if the call has one.
func (t *turn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
		<-t.turns
	}
}

package admission

import (
	"context"
	"slices"
	"time"
)

// A call for a small or a cached page takes a millisecond. A caller with hundreds of them at
// a time keeps others waiting as much as one with large pages, because Go runs goroutines in the
// order in which they can run. So while several principals make calls, each has as many
// calls at work as there are processors, and its further calls wait for their turn.
//
// turnTime is how long a turn lasts at most: work that hangs does not stop other calls.
const turnTime = 20 * time.Millisecond

// line is what one principal has at work, and the calls that wait for their turn.
type line struct {
	taken   int
	waiting []chan struct{} // each is closed when its turn has come
}

type turnKey struct{}

// turn is that of a call.
type turn struct {
	gate      *Gate
	principal string
	timer     *time.Timer // ends it; nil: the call has none. Guarded by gate.mu
}

// Turn waits until a call of a principal may work, if others make calls too. It works until
// end is called or [Pause] is. Short work that it asks this gate for later waits for a
// turn of its own.
func (g *Gate) Turn(ctx context.Context, principal string) (of context.Context, end func()) {
	g.mu.Lock()
	beside := g.beside(principal)
	g.mu.Unlock()
	if !beside {
		return ctx, func() {}
	}
	t := &turn{gate: g, principal: principal}
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
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.timer != nil {
		return func() {}
	}
	l := g.lines[t.principal]
	if l == nil {
		l = &line{}
		g.lines[t.principal] = l
	}
	if l.taken < g.o.Processors {
		l.taken++
	} else {
		ready := make(chan struct{})
		l.waiting = append(l.waiting, ready)
		g.mu.Unlock()
		select {
		case <-ready:
		case <-ctx.Done():
		}
		g.mu.Lock()
		if i := slices.Index(l.waiting, ready); i >= 0 {
			l.waiting = slices.Delete(l.waiting, i, i+1)
			return func() {}
		}
	}
	if t.timer != nil { // another goroutine of the call was first
		g.next(t.principal)
		return func() {}
	}
	t.timer = time.AfterFunc(turnTime, t.end)
	return t.end
}

// end ends the turn, if the call has one.
func (t *turn) end() {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
		t.gate.next(t.principal)
	}
}

// next gives a turn that has ended to the call that waits for the longest time. The lock
// is held.
func (g *Gate) next(principal string) {
	l := g.lines[principal]
	if len(l.waiting) > 0 {
		close(l.waiting[0])
		l.waiting = l.waiting[1:]
		return
	}
	if l.taken--; l.taken == 0 {
		delete(g.lines, principal)
	}
}

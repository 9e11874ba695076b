package admission

import (
	"context"
	"runtime"
)

// Do waits as Enter does, does the work, and gives the place back. While several
// principals make calls, work that has a place is done with a lower priority than calls
// that need none, where the system has priorities of threads: without, a call for a
// cached page waits for a processor behind large pages at each of its steps. A panic of
// the work is one of Do.
func (g *Gate) Do(ctx context.Context, principal string, cost int64, work func()) error {
	done, err := g.Enter(ctx, principal, cost)
	if err != nil {
		return err
	}
	defer done()
	if _, shared := g.Load(); cost > g.o.Short && shared {
		low(work)
	} else {
		work()
	}
	return nil
}

// DoAside is Do for work that needs little memory beside its input. [Gate.Load] does not count
// it.
func (g *Gate) DoAside(ctx context.Context, principal string, cost int64, work func()) error {
	return g.Do(ctx, principal, cost, func() {
		if cost > g.o.Short {
			g.aside.Add(1)
			defer g.aside.Add(-1)
		}
		work()
	})
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

package admission

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// call makes a call of a principal that works for so long, in a goroutine. It returns when
// that has ended, and how long it waited.
func call(ctx context.Context, g *Gate, who string, works time.Duration) (waited chan time.Duration) {
	waited = make(chan time.Duration, 1)
	begin := time.Now()
	go func() {
		_, end := g.Turn(ctx, who)
		defer end()
		waited <- time.Since(begin)
		time.Sleep(works)
	}()
	return waited
}

// idle fails unless no turn is taken and no call waits.
func idle(t *testing.T, g *Gate) {
	t.Helper()
	synctest.Wait()
	for name, c := range g.callers {
		if len(c.turns) != 0 || g.Stats().Waiting != 0 {
			t.Errorf("turns of %s are left", name)
		}
	}
}

// twoCallers returns a gate of three processors to which both a and b have just made calls.
func twoCallers() *Gate {
	g := New(Options{Slots: 4, Processors: 3})
	g.Seen("a")
	g.Seen("b")
	return g
}

// Beside others, a principal leaves a processor free with its calls; its further ones
// wait in the order of arrival, and those of another principal do not wait for them.
func TestTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const ms = time.Millisecond
		g := twoCallers()
		var all []chan time.Duration
		for range 8 {
			all = append(all, call(t.Context(), g, "a", ms))
			synctest.Wait()
		}
		if n := g.Stats().Waiting; n != 6 {
			t.Errorf("%d calls wait, want 6", n)
		}
		if waited := <-call(t.Context(), g, "b", 0); waited != 0 {
			t.Errorf("the other caller waited %v", waited)
		}
		for i, c := range all {
			if waited, want := <-c, time.Duration(i/2)*ms; waited != want {
				t.Errorf("call %d waited %v, want %v", i, waited, want)
			}
		}
		time.Sleep(ms)
		idle(t, g)
		time.Sleep(2 * besideTime) // then a is alone
		for range 8 {
			if waited := <-call(t.Context(), g, "a", ms); waited != 0 {
				t.Errorf("alone, a call waited %v", waited)
			}
		}
		time.Sleep(ms)
		idle(t, g)
	})
}

// A call that waits for something, hangs or leaves takes no turn from others.
func TestTurnEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(ctx context.Context, end func())
		want time.Duration
	}{
		{"it ends", func(_ context.Context, end func()) { end(); end() }, 0},
		{"it waits", func(ctx context.Context, _ func()) { Pause(ctx); Pause(ctx) }, 0},
		{"it waits for a place", func(ctx context.Context, _ func()) {
			g := New(Options{Slots: 1})
			_, _ = g.Enter(ctx, "a", 1<<30)
		}, 0},
		{"it hangs", func(context.Context, func()) {}, turnTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := twoCallers()
				for range 2 {
					ctx, end := g.Turn(t.Context(), "a")
					c.then(ctx, end)
				}
				if waited := <-call(t.Context(), g, "a", 0); waited != c.want {
					t.Errorf("the next call waited %v, want %v", waited, c.want)
				}
				time.Sleep(2 * turnTime)
				idle(t, g)
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		g := twoCallers()
		for range 2 {
			_, end := g.Turn(t.Context(), "a")
			defer end()
		}
		ctx, leave := context.WithCancel(t.Context())
		leaves := call(ctx, g, "a", 0)
		stays := call(t.Context(), g, "a", 0)
		synctest.Wait()
		leave()
		if <-leaves; g.Stats().Waiting != 1 {
			t.Errorf("%d calls wait, want 1", g.Stats().Waiting)
		}
		<-stays
		time.Sleep(turnTime)
		idle(t, g)
	})
}

// Short work belongs to the turn of its call. After the call has waited, it needs one of
// its own.
func TestTurnOfShortWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := twoCallers()
		ctx, end := g.Turn(t.Context(), "a")
		_, other := g.Turn(t.Context(), "a")
		begin := time.Now()
		work := func() {
			if err := g.Do(ctx, "a", 1, func() {}); err != nil {
				t.Error(err)
			}
		}
		if work(); time.Since(begin) != 0 {
			t.Errorf("with a turn, work waited %v", time.Since(begin))
		}
		Pause(ctx)
		<-call(t.Context(), g, "a", 5*time.Millisecond)
		if work(); time.Since(begin) != 5*time.Millisecond {
			t.Errorf("after a wait, work waited %v, want 5 ms", time.Since(begin))
		}
		end()
		other()
		if work(); time.Since(begin) != 5*time.Millisecond {
			t.Errorf("work waited %v", time.Since(begin))
		}
		idle(t, g)
	})
}

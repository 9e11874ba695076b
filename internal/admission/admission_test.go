package admission_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
)

const mb = 1 << 20

// Virtual time: work takes as long as it says, and nothing else takes any.

// work enters, works and leaves, and returns how long it waited.
func work(t *testing.T, g *admission.Gate, who string, cost int64, takes time.Duration) time.Duration {
	start := time.Now()
	done, err := g.Enter(t.Context(), who, cost)
	if err != nil {
		t.Errorf("%s: %v", who, err)
		return 0
	}
	waited := time.Since(start)
	time.Sleep(takes)
	done()
	return waited
}

// One caller floods; the one call of another waits for at most one work's time.
func TestFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := admission.New(admission.Options{Slots: 2})
		var all sync.WaitGroup
		for range 200 {
			all.Go(func() { work(t, g, "flood", 5*mb, time.Second) })
		}
		synctest.Wait()
		if s := g.Stats(); s.Used != 2 || s.Waiting != 198 {
			t.Errorf("%+v", s)
		}
		for range 5 {
			if waited := work(t, g, "other", 5*mb, time.Second); waited > time.Second {
				t.Errorf("the other caller waited %v", waited)
			}
		}
		all.Wait()
		if s := g.Stats(); s.Used != 0 || s.Waiting != 0 || s.InUse != 0 || s.Principals != 0 || s.Admitted != 205 {
			t.Errorf("%+v", s)
		}
	})
}

// Short work never waits, not even behind its own caller's flood.
func TestShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := admission.New(admission.Options{Slots: 1})
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() { work(t, g, "one", 5*mb, time.Second) })
		}
		synctest.Wait()
		if waited := work(t, g, "one", 100<<10, 0); waited != 0 {
			t.Errorf("short work waited %v", waited)
		}
		all.Wait()
	})
}

// A principal alone uses all processors; beside others it leaves one free for their calls,
// which need no place.
func TestBeside(t *testing.T) {
	for _, c := range []struct {
		name       string
		processors int
		others     []string
		used       int
	}{
		{"alone", 4, nil, 6},
		{"its own calls", 4, []string{"flood", "flood"}, 6},
		{"beside another", 4, []string{"other", "flood", "flood"}, 3},
		{"beside others", 4, []string{"other", "third"}, 3},
		{"one processor", 1, []string{"other"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := admission.New(admission.Options{Slots: 8, Processors: c.processors})
				for _, name := range c.others {
					g.Seen(name)
				}
				var all sync.WaitGroup
				for range 20 {
					all.Go(func() { work(t, g, "flood", 5*mb, 10*time.Second) })
				}
				synctest.Wait()
				if s := g.Stats(); s.Used != c.used {
					t.Errorf("%d places are in use, want %d", s.Used, c.used)
				}
				time.Sleep(11 * time.Second) // nobody else makes calls any more
				if used := g.Stats().Used; used != 6 {
					t.Errorf("%d places are in use afterwards, want 6", used)
				}
				all.Wait()
			})
		})
	}
}

// Work of one principal that does not end leaves room for others.
func TestShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := admission.New(admission.Options{Slots: 4})
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { work(t, g, "stuck", 5*mb, time.Hour) })
		}
		synctest.Wait()
		if s := g.Stats(); s.Used != 3 || s.Waiting != 7 {
			t.Errorf("%+v", s)
		}
		for range 5 {
			if waited := work(t, g, "other", 5*mb, time.Second); waited != 0 {
				t.Errorf("the other caller waited %v", waited)
			}
		}
		all.Wait()
		if s := g.Stats(); s.Used != 0 || s.InUse != 0 || s.Waiting != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// Work is shared by weight, counted in bytes.
func TestWeights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := admission.New(admission.Options{Slots: 1, Weight: func(who string) int { return map[string]int{"three": 3}[who] }})
		ctx, stop := context.WithTimeout(t.Context(), 1000*time.Second)
		defer stop()
		done := map[string]float64{}
		var mu sync.Mutex
		var all sync.WaitGroup
		for who, cost := range map[string]int64{"three": 2 * mb, "one": 2 * mb, "large": 8 * mb} {
			for range 500 {
				all.Go(func() {
					leave, err := g.Enter(ctx, who, cost)
					if err != nil {
						return
					}
					time.Sleep(time.Duration(cost/mb) * time.Second)
					leave()
					mu.Lock()
					done[who] += float64(cost / mb)
					mu.Unlock()
				})
			}
		}
		all.Wait()
		// Of 1,000 seconds of work: 600, 200 and 200.
		for who, want := range map[string]float64{"three": 600, "one": 200, "large": 200} {
			if done[who] < want*.95 || done[who] > want*1.05 {
				t.Errorf("%s had %v of the work, want %v", who, done[who], want)
			}
		}
		if s := g.Stats(); s.Waiting != 0 || s.Used != 0 || s.Principals != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// The memory of the work at a time is bounded, and work that needs more than all of
// it runs alone.
func TestMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := admission.New(admission.Options{Slots: 64, Memory: 100 * mb, Queue: 1000})
		var all sync.WaitGroup
		for i := range 300 {
			all.Go(func() {
				cost := int64(1+i%40) * 10 * mb // up to four times the memory
				done, err := g.Enter(t.Context(), fmt.Sprint("p", i%7), cost)
				if err != nil {
					t.Error(err)
					return
				}
				if s := g.Stats(); s.InUse > 100*mb || cost >= 100*mb && s.Used != 1 {
					t.Errorf("%d MB beside others: %+v", cost/mb, s)
				}
				time.Sleep(time.Second)
				done()
				done() // a second time does nothing
			})
		}
		all.Wait()
		if s := g.Stats(); s.InUse != 0 || s.Used != 0 || s.Admitted != 300 {
			t.Errorf("%+v", s)
		}
	})
}

// A full queue is an answer at once, with a time to try again; others still enter.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := admission.New(admission.Options{Slots: 1, Queue: 3})
		var all sync.WaitGroup
		all.Go(func() { work(t, g, "first", 2*mb, 4*time.Second) })
		synctest.Wait()
		for range 3 {
			all.Go(func() { work(t, g, "one", 2*mb, 4*time.Second) })
		}
		synctest.Wait()
		_, err := g.Enter(t.Context(), "one", 2*mb)
		var busy *admission.Busy
		if !errors.As(err, &busy) || busy.Waiting != 3 || busy.RetryAfter < time.Second {
			t.Errorf("%v", err)
		}
		all.Go(func() { work(t, g, "two", 2*mb, time.Second) })
		all.Wait()
		if s := g.Stats(); s.Rejected != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// Callers that go away leave nothing behind, whenever they go.
func TestGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := admission.New(admission.Options{Slots: 3, Memory: 50 * mb, Queue: 10_000})
		r := rand.New(rand.NewPCG(1, 2))
		var all sync.WaitGroup
		for i := range 2000 {
			patience := time.Duration(r.IntN(300)) * time.Second
			cost, takes, who := int64(2+r.IntN(60))*mb, time.Duration(r.IntN(5))*time.Second, fmt.Sprint(r.IntN(20))
			all.Go(func() {
				time.Sleep(time.Duration(i%100) * time.Millisecond)
				ctx, stop := context.WithTimeout(t.Context(), patience)
				defer stop()
				done, err := g.Enter(ctx, who, cost)
				if err != nil {
					if !errors.Is(err, context.DeadlineExceeded) {
						t.Error(err)
					}
					return
				}
				time.Sleep(takes)
				done()
			})
		}
		all.Wait()
		s := g.Stats()
		if s.Used != 0 || s.InUse != 0 || s.Waiting != 0 || s.Principals != 0 || s.Admitted+s.Abandoned < 2000 {
			t.Errorf("%+v", s)
		}
	})
}

// A principal that was idle has no credit for it, and one that worked while nobody
// waited no debt.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := admission.New(admission.Options{Slots: 1})
		for range 100 {
			work(t, g, "early", 2*mb, time.Second)
		}
		var all sync.WaitGroup
		waits := map[string]time.Duration{}
		var mu sync.Mutex
		for range 20 {
			for _, who := range []string{"early", "late"} {
				all.Go(func() {
					w := work(t, g, who, 2*mb, time.Second)
					mu.Lock()
					waits[who] += w
					mu.Unlock()
				})
			}
		}
		all.Wait()
		if d := waits["early"] - waits["late"]; d.Abs() > 40*time.Second {
			t.Errorf("early waited %v, late %v", waits["early"], waits["late"])
		}
	})
}

func BenchmarkEnter(b *testing.B) {
	g := admission.New(admission.Options{})
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			done, err := g.Enter(context.Background(), "one", 5*mb)
			if err != nil {
				b.Fatal(err)
			}
			done()
		}
	})
}

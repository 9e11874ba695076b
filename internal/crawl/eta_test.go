package crawl

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestMeter simulates six kinds of crawls. After a tenth of the time, an estimate is right
// within 30 % (and a second), or there is none; where the rate is steady, there is one.
func TestMeter(t *testing.T) {
	const pages = 1000
	type state struct {
		i, read, known int
	}
	steady := func(*state) time.Duration { return 100 * time.Millisecond }
	for _, c := range []struct {
		name   string
		known  int
		max    int
		before int // pages that an earlier run has read
		step   func(*state) time.Duration
		shown  float64 // the part of the time in which there has to be an estimate
	}{
		{"steady", pages, 10_000, 0, steady, .8},
		{"page limit", 5000, pages, 0, steady, .8},
		{"slow start", pages, 10_000, 0, func(s *state) time.Duration {
			if s.i < 20 {
				return time.Second
			}
			return 100 * time.Millisecond
		}, .4},
		{"many failures", pages, 10_000, 0, func(s *state) time.Duration {
			if s.i%8 > 0 {
				s.read-- // it has failed, at once
				return 10 * time.Millisecond
			}
			return 200 * time.Millisecond
		}, .7},
		{"growing", 1, 10_000, 0, func(s *state) time.Duration {
			if s.known < pages {
				s.known += 2
			}
			return 100 * time.Millisecond
		}, .2},
		{"rate limited", pages, 10_000, 0, func(s *state) time.Duration {
			if s.i%30 == 29 {
				return 5 * time.Second
			}
			return 50 * time.Millisecond
		}, .3},
		{"resumed", pages, 10_000, 600, steady, .7},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			type shown struct{ at, left time.Duration }
			var all []shown
			var m Meter
			at := time.Duration(0)
			begun := time.Unix(1_800_000_000, 0)
			s := state{i: c.before, read: c.before, known: max(c.known, 1)}
			estimates, steps := 0, 0
			for s.i < s.known && s.read < c.max {
				s.read++
				d := c.step(&s)
				at += time.Duration(float64(d) * (.7 + .6*random.Float64()))
				s.i++
				m.Add(begun.Add(at), Progress{Read: int64(s.read), Over: int64(s.i), Known: int64(s.known), Left: int64(s.known - s.i), Max: c.max})
				steps++
				if left, ok := m.Left(); ok {
					estimates++
					all = append(all, shown{at, left})
				}
			}
			if got := float64(estimates) / float64(steps); got < c.shown {
				t.Errorf("an estimate at %.2f of the steps, want %.2f", got, c.shown)
			}
			wrong := 0
			for _, x := range all {
				truth := at - x.at
				if x.at >= at/10 && (x.left > truth*13/10+time.Second || x.left < truth*7/10-time.Second) {
					if wrong++; wrong == 1 {
						t.Errorf("after %v of %v the estimate was %v, the truth %v", x.at, at, x.left, truth)
					}
				}
			}
			if wrong > 0 {
				t.Errorf("%d of %d estimates are wrong", wrong, len(all))
			}
		})
	}
}

package principal

import (
	"fmt"
	"sync"
	"time"
)

// Meter counts the calls of principals against their quotas. It is safe for
// concurrent use; the zero value is ready. It has an entry for each principal that
// has called.
type Meter struct {
	mu sync.Mutex
	of map[string]*count
}

type count struct {
	running int
	// free is when the rate's whole allowance is available again (GCRA): a call
	// moves it by one interval, and may move it at most a minute ahead.
	free time.Time
}

// Exceeded is the error of a call beyond a quota.
type Exceeded struct {
	// Reason has the quota, for example "4 calls at a time".
	Reason string
	// After is when a call can succeed; for calls at a time it is a guess.
	After time.Duration
}

// Error implements error.
func (e *Exceeded) Error() string { return "the quota is " + e.Reason }

// Begin counts a call of a principal that begins now. The call ends with end, which
// may be called more than once. The error is an *Exceeded; then end is nil.
func (m *Meter) Begin(name string, q Quota, now time.Time) (end func(), err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.of[name]
	if c == nil {
		if m.of == nil {
			m.of = make(map[string]*count)
		}
		c = new(count)
		m.of[name] = c
	}
	if q.MaxCalls > 0 && c.running >= q.MaxCalls {
		return nil, &Exceeded{fmt.Sprintf("%d calls at a time", q.MaxCalls), time.Second}
	}
	if q.CallsPerMinute > 0 {
		interval := time.Minute / time.Duration(q.CallsPerMinute)
		free := c.free
		if free.Before(now) {
			free = now
		}
		free = free.Add(interval)
		if wait := free.Sub(now) - time.Minute; wait > 0 {
			return nil, &Exceeded{fmt.Sprintf("%d calls a minute", q.CallsPerMinute), wait}
		}
		c.free = free
	}
	c.running++
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		c.running--
	}), nil
}

// Running is the number of calls of a principal that run.
func (m *Meter) Running(name string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.of[name]; c != nil {
		return c.running
	}
	return 0
}

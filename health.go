package spyhop

import (
	"cmp"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/result"
)

// Health returns the state of the queue before pages are parsed, of the store, of
// the browser and of jobs. It waits for none of them and starts nothing.
func (s *Client) Health() result.Health {
	q := s.gate.Stats()
	h := result.Health{Queue: result.QueueHealth{Slots: q.Slots, Working: q.Used, Waiting: q.Waiting, Full: q.Full, Memory: q.Memory, InUse: q.InUse,
		Admitted: uint64(q.Admitted), Rejected: uint64(q.Rejected), Waits: s.waits.copy()}}
	if s.room != nil {
		r := s.room.Stats()
		h.Queue.Waiting += r.Waiting
		h.Queue.Rejected += uint64(r.Rejected)
		h.Queue.Full = h.Queue.Full || r.Full
	}
	if s.store != nil {
		st := s.store.Health()
		h.Store = result.StoreHealth{Trouble: string(st.Trouble), Dropped: uint64(st.Dropped), Errors: make(map[string]uint64)}
		for code, n := range st.Errors {
			h.Store.Errors[string(code)] = n
		}
		if s.pages != s.store {
			pages := s.pages.Health()
			h.Store.Trouble = cmp.Or(h.Store.Trouble, string(pages.Trouble))
			h.Store.Dropped += uint64(pages.Dropped)
			for code, n := range pages.Errors {
				h.Store.Errors[string(code)] += n
			}
		}
	}
	f, _ := s.browser.Facts() // its trouble says that none is installed
	h.Browser = result.BrowserHealth{Running: f.Running, Trouble: f.Trouble, Contexts: f.Contexts, Tabs: f.Tabs, Calls: f.Calls, Memory: s.browser.Memory()}
	h.Jobs = result.JobsHealth{Running: s.jobs.Running(), Most: s.jobs.Most()}
	return h
}

// waits counts how long pages waited for their turn.
type waits struct {
	mu        sync.Mutex
	histogram result.Histogram
}

func (w *waits) observe(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.histogram.Observe(d)
}

func (w *waits) copy() result.Histogram {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.histogram
}

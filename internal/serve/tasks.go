package serve

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/tool"
)

// Tasks are questions and extracts that run in the background of a server. Unlike crawls
// they are not stored: a server that ends ends them, and after an hour they are
// forgotten.

const (
	// mostTasks bounds the tasks that are kept, mostOwned those of one principal.
	mostTasks, mostOwned = 200, 50
	// taskKept is how long a task is kept after its end, taskTime how long one may run.
	taskKept, taskTime = time.Hour, 30 * time.Minute
	// mostRows bounds the rows of a task, and mostRowBytes their length together.
	mostRows, mostRowBytes = 10_000, 32 << 20
)

// tasks are those of a server. The zero value is ready.
type tasks struct {
	mu  sync.Mutex
	all []*task
}

// task is one of them. mu guards what changes.
type task struct {
	id, kind, owner string
	cancel          context.CancelFunc

	mu           sync.Mutex
	began, ended time.Time // ended is zero while it runs
	cancelled    bool
	rows         []any
	bytes        int
	value        any    // what it came to, beside rows
	atEnd        func() // with mu held; nil: nothing

	// Of Firecrawl: the options, the thread and the turn in it, and what it came to, as text too.
	asked  tool.Arguments
	thread string
	turn   int
	said   string
	answer map[string]any
	err    *tool.Error
}

// begin starts a task for the caller of a request. do gets a context that lasts until the
// task ends.
func (s *Server) begin(r *http.Request, kind string, do func(ctx context.Context, t *task) error) (*task, *tool.Error) {
	owner := principalOf(r)
	ctx, end, e := s.quotas.begin(context.WithoutCancel(r.Context()))
	if e != nil {
		return nil, e
	}
	ctx, cancel := context.WithTimeout(ctx, taskTime)
	t := &task{id: rand.Text(), kind: kind, owner: owner, cancel: cancel, began: time.Now()}
	if e := s.tasks.add(t); e != nil {
		cancel()
		end()
		return nil, e
	}
	s.running.Go(func() {
		defer end()
		defer cancel()
		err := func() (err error) {
			defer tool.Recovered("a task", &err)
			return do(ctx, t)
		}()
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.ended = time.Now(); err != nil && !t.cancelled {
			t.err = ended(ctx, err)
		}
		if t.atEnd != nil {
			t.atEnd()
		}
	})
	return t, nil
}

// add keeps a task and forgets old ones.
func (s *tasks) add(t *task) *tool.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = slices.DeleteFunc(s.all, func(t *task) bool { return t.old() })
	own := 0
	for _, other := range s.all {
		if other.owner == t.owner {
			own++
		}
	}
	if own >= mostOwned || len(s.all) >= mostTasks {
		e := tool.NewError(tool.Busy, fmt.Sprintf("%d tasks are kept already", own), "delete one, or try again later")
		e.RetryAfter = time.Minute
		return e
	}
	s.all = append(s.all, t)
	return nil
}

func (t *task) old() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.ended.IsZero() && time.Since(t.ended) > taskKept
}

// find returns a task of the caller.
func (s *tasks) find(r *http.Request, kind string) (*task, *tool.Error) {
	id, owner := r.PathValue("id"), principalOf(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.all, func(t *task) bool { return t.id == id && t.kind == kind && t.owner == owner && !t.old() })
	if i < 0 {
		return nil, tool.NewError(tool.InvalidInput, "there is no "+kind+" "+quoted(id), "they are forgotten an hour after their end, and when the server ends")
	}
	return s.all[i], nil
}

// of are the tasks of an owner and a kind, the latest first.
func (s *tasks) of(owner, kind string) (out []*task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range slices.Backward(s.all) {
		if t.owner == owner && t.kind == kind && !t.old() {
			out = append(out, t)
		}
	}
	return out
}

// stop ends a task; what it has come to stays.
func (t *task) stop() {
	t.mu.Lock()
	t.cancelled = t.cancelled || t.ended.IsZero()
	t.mu.Unlock()
	t.cancel()
}

// stop ends all tasks.
func (s *tasks) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.all {
		t.stop()
	}
}

// state is running, completed, failed or cancelled.
func (t *task) state() string {
	switch {
	case t.cancelled:
		return "cancelled"
	case t.ended.IsZero():
		return "running"
	case t.err != nil:
		return "failed"
	}
	return "completed"
}

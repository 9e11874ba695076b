package serve

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/tool"
)

// Tasks are questions and extracts that run in the background of a server. Unlike crawls
// they are not stored: a server that ends ends them, and after an hour they are
// forgotten.

const (
	// mostOwned bounds the tasks of one principal that are kept.
	mostOwned = 50
	// taskKept is how long a task is kept after its end, taskTime how long one may run.
	taskKept, taskTime = time.Hour, 30 * time.Minute
	// mostRows bounds the rows of a task, and mostRowBytes their length together.
	mostRows, mostRowBytes = 10_000, 32 << 20
)

// tasks are those of a server.
type tasks struct{ owned[*task] }

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
	if e := s.tasks.add(t, mostOwned, "tasks"); e != nil {
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

func (t *task) of() string { return t.owner }

func (t *task) old() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.ended.IsZero() && time.Since(t.ended) > taskKept
}

// find returns a task of the caller.
func (s *tasks) find(r *http.Request, kind string) (*task, *tool.Error) {
	id, owner := r.PathValue("id"), principalOf(r)
	all := s.those(owner, func(t *task) bool { return t.id == id && t.kind == kind })
	if len(all) == 0 {
		return nil, tool.NewError(tool.InvalidInput, "there is no "+kind+" "+quoted(id), "they are forgotten an hour after their end, and when the server ends")
	}
	return all[0], nil
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

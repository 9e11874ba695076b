package fetch

import (
	"sync"
	"time"
)

// watch calls a function when nobody has stopped or restarted it in time. The
// function runs in a goroutine of its own and has to be short.
type watch struct {
	after time.Duration
	mu    sync.Mutex
	timer *time.Timer // nil before start
	ended bool
	fire  func()
}

func newWatch(after time.Duration, fire func()) *watch {
	return &watch{after: after, fire: fire}
}

// start begins to wait, or begins again.
func (w *watch) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.ended:
	case w.timer == nil:
		w.timer = time.AfterFunc(w.after, w.fire)
	default:
		w.timer.Reset(w.after)
	}
}

// stop ends it for good.
func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	if w.timer != nil {
		w.timer.Stop()
	}
}

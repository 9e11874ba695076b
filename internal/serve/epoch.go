package serve

import (
	"context"
	"sync"
)

// epoch is the time in which one set of tokens counts. Streams that last end with it, and
// their clients open them again with a token that counts. It is safe for concurrent use;
// the zero value is ready.
type epoch struct {
	mu      sync.Mutex
	streams map[*context.CancelFunc]bool
}

// within returns a context that ends with the epoch. The caller must call end.
func (e *epoch) within(ctx context.Context) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	key := &cancel
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.streams == nil {
		e.streams = map[*context.CancelFunc]bool{}
	}
	e.streams[key] = true
	return ctx, func() {
		cancel()
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.streams, key)
	}
}

// next ends the epoch and begins the next one.
func (e *epoch) next() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for cancel := range e.streams {
		(*cancel)()
	}
	clear(e.streams)
}

package admission

import (
	"context"
	"sync"
)

// Call returns a context for a call that holds what it reads: the place that
// [Gate.Hold] gets it is kept until end is called. Where much of what it has read goes
// on to live in the call around it, as an answer does that is not written yet, the
// place goes over to that one. The second end does nothing.
func Call(ctx context.Context) (of context.Context, end func(goesOn bool)) {
	around, _ := ctx.Value(heldKey{}).(*held)
	h := &held{around: around}
	return context.WithValue(ctx, heldKey{}, h), h.end
}

// Hold is Enter for bytes that stay in memory until the call is over, which is the
// one that [Call] began; then done does nothing. A call has one place, that of the
// first bytes: one that waited for more of them while it has some could wait for
// calls that wait for it. Without a Call, or after its end, Hold is Enter.
func (g *Gate) Hold(ctx context.Context, principal string, cost int64) (done func(), err error) {
	h, _ := ctx.Value(heldKey{}).(*held)
	if h == nil || cost <= g.o.Short {
		return g.Enter(ctx, principal, cost)
	}
	if !h.first() {
		return func() {}, nil
	}
	done, err = g.Enter(ctx, principal, cost)
	if err != nil {
		return nil, err
	}
	return h.keep(done), nil
}

type heldKey struct{}

// held is what a call holds.
type held struct {
	around *held // nil: it is the outermost call

	mu    sync.Mutex
	asked bool
	over  bool
	done  []func() // of its place, and of those that came over
}

// first reports whether nothing was asked for yet.
func (h *held) first() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	was := h.asked
	h.asked = true
	return !was || h.over
}

// keep takes a place until the end; where that has come, done stays the caller's.
func (h *held) keep(done func()) func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return done
	}
	h.done = append(h.done, done)
	return func() {}
}

func (h *held) end(goesOn bool) {
	h.mu.Lock()
	places := h.done
	h.over, h.done = true, nil
	h.mu.Unlock()
	for _, done := range places {
		if goesOn && h.around != nil {
			done = h.around.keep(done)
		}
		done()
	}
}

package admission

import (
	"context"
	"errors"
	"sync/atomic"
)

// The large pages of one call are made one after another, each from its bytes to the content
// of its answer and the words of its stored version: four at a time would take four times the
// memory of one, and no more processors are free for them than the gate gives to one caller.
// Small pages do not wait.

// LargePage is the size of a body, in bytes, from which its page waits for its turn.
const LargePage = 1 << 20

type (
	turnsKey struct{}
	ownKey   struct{}
)

// ownTurn is the place of one page of a call; nil has no others beside it.
type ownTurn struct {
	turns chan struct{} // holds an element while a large page is made
	uses  atomic.Int32  // of the place, where it has one
}

// end ends a use of the place.
func (t *ownTurn) end() {
	if t.uses.Add(-1) == 0 {
		<-t.turns
	}
}

// WithTurns returns the context of a call for several pages.
func WithTurns(ctx context.Context) context.Context {
	return context.WithValue(ctx, turnsKey{}, make(chan struct{}, 1))
}

// OwnTurn returns the context of one page of the call of ctx. over ends its turn, which goes
// on until the version of the page is prepared.
func OwnTurn(ctx context.Context) (own context.Context, over func()) {
	turns, _ := ctx.Value(turnsKey{}).(chan struct{})
	if turns == nil {
		return ctx, func() {}
	}
	t := &ownTurn{turns: turns}
	return context.WithValue(ctx, ownKey{}, t), func() {
		if t.uses.Load() > 0 {
			t.end()
		}
	}
}

// KeepTurn keeps the turn of a page until prepared is called.
func KeepTurn(ctx context.Context) (prepared func()) {
	t, _ := ctx.Value(ownKey{}).(*ownTurn)
	if t == nil || t.uses.Load() == 0 {
		return func() {}
	}
	t.uses.Add(1)
	return t.end
}

// ErrTurn: the call has ended before a page had its turn.
var ErrTurn = errors.New("the page had no turn")

// WaitTurn waits until a page of so many bytes may be made. The error is ErrTurn.
func WaitTurn(ctx context.Context, bytes int) error {
	t, _ := ctx.Value(ownKey{}).(*ownTurn)
	if t == nil || t.uses.Load() > 0 || bytes < LargePage {
		return nil
	}
	select {
	case t.turns <- struct{}{}:
		t.uses.Store(1)
		return nil
	case <-ctx.Done():
		return ErrTurn
	}
}

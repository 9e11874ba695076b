package inflight_test

import (
	"context"
	"errors"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/inflight"
)

// Work that needs no time must not win against the end of the call that asks.
func TestNothingRunsAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var g inflight.Group[int, int]
	for i := range 100 {
		_, _, err := g.Do(ctx, i, func(context.Context) (int, error) {
			t.Error("it ran")
			return 1, nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%v, want context.Canceled", err)
		}
	}
}

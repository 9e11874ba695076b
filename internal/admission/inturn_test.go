package admission

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestOwnTurn: the next large page of a call is made when the call is done with one.
func TestOwnTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := WithTurns(t.Context())
		first, over := OwnTurn(call)
		next, overNext := OwnTurn(call)
		defer overNext()
		if WaitTurn(first, LargePage-1) != nil || WaitTurn(first, LargePage) != nil || WaitTurn(first, LargePage) != nil {
			t.Fatal("no turn")
		}
		begin := time.Now()
		time.AfterFunc(time.Second, over)
		if err := WaitTurn(next, LargePage); err != nil || time.Since(begin) != time.Second {
			t.Errorf("the next one begins after %v: %v", time.Since(begin), err)
		}
	})
}

// TestTurnIsNotLost: whatever becomes of pages of a call, the next one has its turn.
func TestTurnIsNotLost(t *testing.T) {
	for name, page := range map[string]func(context.Context, func()){
		"fails": func(ctx context.Context, over func()) {
			_ = WaitTurn(ctx, LargePage)
			over()
		},
		"panics": func(ctx context.Context, over func()) {
			defer func() { _ = recover() }()
			defer over()
			_ = WaitTurn(ctx, LargePage)
			panic("a defect")
		},
		"is over before": func(ctx context.Context, over func()) {
			ctx, stop := context.WithCancel(ctx)
			stop()
			_ = WaitTurn(ctx, LargePage)
			over()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				call := WithTurns(t.Context())
				for range 3 {
					page(OwnTurn(call))
				}
				next, over := OwnTurn(call)
				defer over()
				ctx, stop := context.WithTimeout(next, time.Second)
				defer stop()
				if err := WaitTurn(ctx, LargePage); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

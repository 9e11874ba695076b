package admission

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestOwnTurn: what is prepared of a page begins when the call is done with it, and the next
// large page when that is prepared.
func TestOwnTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := WithTurns(t.Context())
		first, over := OwnTurn(call)
		if begin, prepared := KeepTurn(first); begin != nil {
			t.Error("a small page has a turn")
		} else {
			prepared()
		}
		if err := WaitTurn(first, LargePage); err != nil {
			t.Fatal(err)
		}
		begin, prepared := KeepTurn(first)
		next, overNext := OwnTurn(call)
		waits := func() bool {
			ctx, stop := context.WithTimeout(next, time.Second)
			defer stop()
			return WaitTurn(ctx, LargePage) == ErrTurn
		}
		select {
		case <-begin:
			t.Error("it is prepared while the call uses the page")
		default:
		}
		over()
		<-begin
		if !waits() {
			t.Error("the next page is made while the first one is prepared")
		}
		if prepared(); waits() {
			t.Error("the next page waits although the first one is prepared")
		}
		overNext()
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
		"is not stored": func(ctx context.Context, over func()) {
			_ = WaitTurn(ctx, LargePage)
			_, prepared := KeepTurn(ctx)
			prepared()
			over()
		},
		"is stored twice": func(ctx context.Context, over func()) {
			_ = WaitTurn(ctx, LargePage)
			_, first := KeepTurn(ctx)
			begin, second := KeepTurn(ctx)
			first()
			over()
			<-begin
			second()
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

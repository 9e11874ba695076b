package deadline

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The limit of a call is the shortest of those that hold, and messages name it.
func TestWith(t *testing.T) {
	plain := func(d time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
		return func(ctx context.Context) (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, d) }
	}
	with := func(d time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
		return func(ctx context.Context) (context.Context, context.CancelFunc) { return With(ctx, d) }
	}
	share := func(n int) func(context.Context) (context.Context, context.CancelFunc) {
		return func(ctx context.Context) (context.Context, context.CancelFunc) { return Share(ctx, n) }
	}
	for name, c := range map[string]struct {
		contexts []func(context.Context) (context.Context, context.CancelFunc) // one a second, outer ones first
		ends     time.Duration                                                 // after the first
		limit    time.Duration
		own      bool
		text     string
	}{
		"alone":                    {contexts: fs(with(30 * time.Second)), ends: 30 * time.Second, limit: 30 * time.Second, own: true, text: "timed out after 30 seconds"},
		"the same again":           {fs(with(30*time.Second), with(30*time.Second)), 30 * time.Second, 30 * time.Second, true, "timed out after 30 seconds"},
		"a longer one within":      {fs(with(5*time.Second), with(30*time.Second)), 5 * time.Second, 5 * time.Second, true, "timed out after 5 seconds"},
		"a shorter one within":     {fs(with(30*time.Second), with(5*time.Second)), 6 * time.Second, 5 * time.Second, true, "timed out after 5 seconds"},
		"the caller has less":      {fs(plain(3*time.Second), with(30*time.Second)), 3 * time.Second, 2 * time.Second, false, "timed out after 2 seconds"},
		"the caller has more":      {fs(plain(time.Minute), with(30*time.Second)), 31 * time.Second, 30 * time.Second, true, "timed out after 30 seconds"},
		"less, but not of a call":  {fs(with(30*time.Second), plain(3*time.Second), with(30*time.Second)), 4 * time.Second, 2 * time.Second, false, "timed out after 2 seconds"},
		"a share":                  {fs(with(31*time.Second), share(3)), 11 * time.Second, 10 * time.Second, true, "timed out after 10 seconds"},
		"a call within a share":    {fs(with(31*time.Second), share(3), with(30*time.Second)), 11 * time.Second, 10 * time.Second, true, "timed out after 10 seconds"},
		"the whole as a share":     {fs(with(30*time.Second), share(1)), 30 * time.Second, 30 * time.Second, true, "timed out after 30 seconds"},
		"a share of somebody's":    {fs(plain(3*time.Second), share(2)), 2 * time.Second, time.Second, false, "timed out after 1 second"},
		"parts of seconds":         {fs(with(50 * time.Millisecond)), 50 * time.Millisecond, 50 * time.Millisecond, true, "timed out after 0.05 seconds"},
		"a plain one has no limit": {fs(plain(time.Second)), time.Second, 0, false, "timed out"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				ctx := t.Context()
				for i, next := range c.contexts {
					if i > 0 {
						time.Sleep(time.Second)
					}
					var stop context.CancelFunc
					ctx, stop = next(ctx)
					defer stop()
				}
				if Err(ctx) != nil || Over(ctx) {
					t.Errorf("over before it began: %v", Err(ctx))
				}
				if end, _ := ctx.Deadline(); end.Sub(begun) != c.ends || Limit(ctx) != c.limit || Own(ctx) != c.own {
					t.Errorf("ends after %v, limit %v, own %v", end.Sub(begun), Limit(ctx), Own(ctx))
				}
				<-ctx.Done()
				err := Err(ctx)
				if err.Error() != c.text || !errors.Is(err, context.DeadlineExceeded) || !Over(ctx) {
					t.Errorf("%v", err)
				}
				if e := (*Exceeded)(nil); !errors.As(err, &e) || !e.Timeout() || e.TimeLimit() != c.limit {
					t.Errorf("%#v", err)
				}
			})
		})
	}
}

func fs(all ...func(context.Context) (context.Context, context.CancelFunc)) []func(context.Context) (context.Context, context.CancelFunc) {
	return all
}

// A call that was cancelled did not run out of time, whatever comes later.
func TestCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := With(t.Context(), time.Second)
		stop()
		time.Sleep(time.Minute)
		if err := Err(ctx); err != context.Canceled || Over(ctx) {
			t.Errorf("%v", err)
		}
		// What ends a context on behalf of a deadline can say so.
		shared, end := context.WithCancelCause(t.Context())
		end(&Exceeded{3 * time.Second})
		if err := Err(shared); !Over(shared) || err.Error() != "timed out after 3 seconds" {
			t.Errorf("%v", err)
		}
		part, stop := Share(t.Context(), 3)
		defer stop()
		if _, ok := part.Deadline(); ok || Limit(part) != 0 {
			t.Error("a share of no limit is one")
		}
	})
}

func TestText(t *testing.T) {
	for d, want := range map[time.Duration]string{
		30 * time.Second: "30 seconds", time.Second: "1 second", 50 * time.Millisecond: "0.05 seconds", 29_964 * time.Microsecond: "0.03 seconds",
		29_999_812 * time.Microsecond: "30 seconds", 12_345 * time.Millisecond: "12.35 seconds", 3 * time.Hour: "10800 seconds", 1660 * time.Millisecond: "1.66 seconds", 999_900 * time.Microsecond: "1 second",
	} {
		if got := Text(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// Calls that wait for their turn have time left where those before them take all of theirs.
func TestEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := With(t.Context(), 9*time.Second)
		defer stop()
		begun, ended := time.Now(), make([]time.Duration, 3)
		Each(ctx, len(ended), 1, func(ctx context.Context, i int) {
			<-ctx.Done()
			ended[i] = time.Since(begun)
		})
		if want := []time.Duration{3 * time.Second, 6 * time.Second, 9 * time.Second}; !slices.Equal(ended, want) {
			t.Errorf("ended after %v, want %v", ended, want)
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		value string
		want  time.Duration
	}{
		{"", 0}, {"0", 0}, {"120", 2 * time.Minute}, {" 120 ", 2 * time.Minute}, {"-5", 0}, {"1.5", 1500 * time.Millisecond}, {"NaN", 0}, {"soon", 0},
		{"999999999", 24 * time.Hour}, {"99999999999999999999999999", 24 * time.Hour}, {strings.Repeat("9", 400), 24 * time.Hour},
		{"Sat, 21 Nov 2026 12:01:00 GMT", time.Minute},
		{"Saturday, 21-Nov-26 12:01:00 GMT", time.Minute},
		{"Sat, 21 Nov 2020 12:01:00 GMT", 0},
		{"Sat, 21 Nov 9999 12:01:00 GMT", 24 * time.Hour},
	} {
		if got := RetryAfter(c.value, now); got != c.want {
			t.Errorf("%q: %v, want %v", c.value, got, c.want)
		}
	}
}

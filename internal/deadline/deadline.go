// Package deadline provides the one time limit of a call.
//
//	ctx, stop := deadline.With(ctx, 30*time.Second) // when the call arrives
//	defer stop()
//	…
//	part, stop := deadline.Share(ctx, 3) // a step that has an alternative
//	defer stop()
//	…
//	return deadline.Err(ctx) // "timed out after 30 seconds"
//
// The limit starts when the call arrives. All that happens within the call
// gets its context, and waits as long as that one lasts: no step has a fixed
// limit. A step that has an alternative, for example one of several
// addresses to read, gets a share of the time that is left.
package deadline

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// key is the context key of a limit.
type key struct{}

// limit is what a context's deadline came from.
type limit struct {
	end  time.Time
	time time.Duration // from the start of the call, or of its share, to end
	own  bool          // the caller of With chose it; no outer context is shorter
}

// With returns a context that ends after d, or with ctx where that is earlier.
// The result remembers the shorter of both as its [Limit]. A call within a
// call therefore keeps the limit of the outer call, unless its own is shorter.
func With(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return From(ctx, time.Now(), d)
}

// From is With for a call that arrived at start.
func From(ctx context.Context, start time.Time, d time.Duration) (context.Context, context.CancelFunc) {
	l := limit{end: start.Add(d), time: d, own: true}
	if end, ok := ctx.Deadline(); ok && !l.end.Before(end) {
		if outer, ok := of(ctx); ok && !end.Before(outer.end) {
			return context.WithCancel(ctx)
		}
		l = limit{end: end, time: end.Sub(start)}
		return context.WithCancel(context.WithValue(ctx, key{}, l))
	}
	return context.WithDeadline(context.WithValue(ctx, key{}, l), l.end)
}

// Share returns a context that ends after one n-th of the time that is left.
// Where ctx has no deadline, the result has none.
func Share(ctx context.Context, n int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok || n <= 1 {
		return context.WithCancel(ctx)
	}
	part := time.Until(end) / time.Duration(n)
	outer, known := of(ctx)
	l := limit{end: time.Now().Add(part), time: part, own: known && outer.own}
	return context.WithDeadline(context.WithValue(ctx, key{}, l), l.end)
}

// Each calls f for each number below n, so many of them at once, and returns when all calls
// have. Each call gets a share of the time that is left: where others are slow, those that
// wait for their turn have time too.
func Each(ctx context.Context, n, atOnce int, f func(ctx context.Context, i int)) {
	room := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for i := range n {
		room <- struct{}{}
		rounds := (n - i + atOnce - 1) / atOnce
		running.Go(func() {
			defer func() { <-room }()
			ctx, stop := Share(ctx, rounds)
			defer stop()
			f(ctx, i)
		})
	}
	running.Wait()
}

func of(ctx context.Context) (limit, bool) {
	l, ok := ctx.Value(key{}).(limit)
	return l, ok
}

// Limit returns the time that a call, or its share, was given: from its start
// to the deadline of ctx. It is 0 where neither With nor Share made ctx.
func Limit(ctx context.Context) time.Duration {
	l, _ := of(ctx)
	return l.time
}

// Own reports whether the limit is the one that was given to With, and no outer
// context ends earlier: a larger one would give the call more time.
func Own(ctx context.Context) bool {
	l, _ := of(ctx)
	return l.own
}

// Over reports whether ctx has no time left. It is exact at the deadline itself,
// where ctx.Err can still be nil for a moment. It is false for a context that
// was cancelled before.
func Over(ctx context.Context) bool {
	_, over := Err(ctx).(*Exceeded)
	return over
}

// Err returns why ctx has ended: an [*Exceeded] after its deadline, also where
// that is the cause of its cancellation; else the error of ctx, which is nil
// before the deadline.
func Err(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		if end, ok := ctx.Deadline(); !ok || time.Now().Before(end) {
			return nil
		}
		return &Exceeded{Limit(ctx)}
	}
	if e := (*Exceeded)(nil); errors.As(context.Cause(ctx), &e) {
		return e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Exceeded{Limit(ctx)}
	}
	return err
}

// Exceeded is the error of a call that had no time left. It is
// context.DeadlineExceeded for errors.Is.
type Exceeded struct {
	// Limit is the time that the call had; 0 when it is not known.
	Limit time.Duration
}

// Error returns "timed out after 30 seconds".
func (e *Exceeded) Error() string {
	if e.Limit <= 0 {
		return "timed out"
	}
	return "timed out after " + Text(e.Limit)
}

// Is reports whether target is context.DeadlineExceeded.
func (e *Exceeded) Is(target error) bool { return target == context.DeadlineExceeded }

// Timeout is true: the method is that of net.Error.
func (e *Exceeded) Timeout() bool { return true }

// TimeLimit returns Limit, for packages that do not import this one.
func (e *Exceeded) TimeLimit() time.Duration { return e.Limit }

// Sleep returns after d, or with the error of ctx before.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// maxRetryAfter is the longest wait that [RetryAfter] returns.
const maxRetryAfter = 24 * time.Hour

// RetryAfter reads a Retry-After header (RFC 9110 section 10.2.3): a date, or seconds, of
// which some servers send a fraction. 0 means none, now, or the past.
func RetryAfter(value string, now time.Time) time.Duration {
	value = strings.Trim(value, " \t")
	if n, err := strconv.ParseFloat(value, 64); n > 0 && (err == nil || errors.Is(err, strconv.ErrRange)) {
		return time.Duration(min(n, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	for _, form := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", time.RFC850, time.ANSIC} { // RFC 9110 section 5.6.7
		if at, err := time.Parse(form, value); err == nil {
			return min(max(at.Sub(now), 0), maxRetryAfter)
		}
	}
	return 0
}

// Text writes a duration for a message: "30 seconds", "1 second",
// "0.25 seconds".
func Text(d time.Duration) string {
	n := Seconds(d)
	if n == "1" {
		return "1 second"
	}
	return n + " seconds"
}

// Seconds writes a duration as a number of seconds, to the hundredth, and one
// below a second to the thousandth.
func Seconds(d time.Duration) string {
	if d < time.Second {
		d = d.Round(time.Millisecond)
	} else {
		d = d.Round(10 * time.Millisecond)
	}
	return strconv.FormatFloat(float64(d)/float64(time.Second), 'f', -1, 64) // d.Seconds() adds two roundings: 1.6600000000000001
}

// Reader is r until stop returns an error, which it then returns. It is for pure packages,
// whose callers give them the context of the call as such a function. nil never stops.
func Reader(r io.Reader, stop func() error) io.Reader {
	if stop == nil {
		return r
	}
	return stoppable{r, stop}
}

type stoppable struct {
	io.Reader
	stop func() error
}

func (r stoppable) Read(b []byte) (int, error) {
	if err := r.stop(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}

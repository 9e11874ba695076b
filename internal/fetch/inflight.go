package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
)

// Equal requests in flight are one. Each call that waits has its own context:
// when it ends, that call leaves, and the others do not notice; when the last
// one leaves, the request is cancelled. The request therefore has as much time
// as the call that has the most: one with more time does not fail because the
// first one had less.

// requestKey is a hash of everything that decides about the response.
type requestKey [sha256.Size]byte

func (r *Request) key() requestKey {
	h := sha256.New()
	write := func(parts ...string) {
		for _, s := range parts {
			var n [8]byte
			binary.BigEndian.PutUint64(n[:], uint64(len(s)))
			h.Write(n[:])
			h.Write([]byte(s))
		}
	}
	var numbers [12]byte
	binary.BigEndian.PutUint64(numbers[:], uint64(r.MaxBytes))
	numbers[8] = byte(r.Redirects)
	if r.Robots {
		numbers[9] = 1
	}
	numbers[9] |= byte(r.origin) << 1
	numbers[10], numbers[11] = byte(r.maxRedirects), byte(r.maxRedirects>>8)
	write(r.URL.String(), string(numbers[:]))
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		write(name)
		write(r.Header[name]...)
		write("") // separates values from the next name
	}
	if a := r.Auth; a != nil {
		write("auth", a.Username, a.Password, a.Bearer)
		for _, c := range a.Cookies {
			write(c.Name, c.Value, c.Domain)
		}
		if a.Login != nil {
			write("login", a.Login.Fingerprint())
		}
	}
	return requestKey(h.Sum(nil))
}

type inflight struct {
	mu  sync.Mutex
	all map[requestKey]*inflightRequest
}

// inflightRequest is a request on its way, with the calls that wait for it.
type inflightRequest struct {
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when what follows is set
	res    *Response
	err    error
	panic  any

	mu      sync.Mutex // held after inflight.mu, and after that of a request that waits for this one
	waiting []*waiter
}

// waiter is a call that waits for a request in flight.
type waiter struct{ ctx context.Context }

// inflightContext is the context of a request in flight. It ends when no call
// waits any more. Its deadline is the latest of the calls that wait: a call that
// joins can move it.
type inflightContext struct {
	context.Context
	request *inflightRequest
}

func (c inflightContext) Deadline() (latest time.Time, bounded bool) {
	c.request.mu.Lock()
	defer c.request.mu.Unlock()
	for _, w := range c.request.waiting {
		end, ok := w.ctx.Deadline()
		if !ok {
			return time.Time{}, false
		}
		if end.After(latest) {
			latest = end
		}
	}
	return latest, !latest.IsZero()
}

// undated is a context that hides its deadline. A dialer sets a timer by the
// deadline that it sees when it begins, and would miss a later one; the end of
// the context is enough for it.
type undated struct{ context.Context }

func (undated) Deadline() (time.Time, bool) { return time.Time{}, false }

// do returns the result of run for a key. It starts run unless another call has
// started it already, which shared reports. The error is that of run or, where
// ctx ends and other calls wait on, the reason why ctx has ended.
//
// run is called in its own goroutine, with a context that has the values of ctx;
// it has to return when that context ends. Where no other call waits, do returns
// after run.
func (f *inflight) do(ctx context.Context, key requestKey, run func(context.Context) (*Response, error)) (res *Response, shared bool, err error) {
	w := &waiter{ctx}
	f.mu.Lock()
	r, shared := f.all[key]
	if shared {
		r.join(w)
	} else {
		r = f.start(w, key, run)
	}
	f.mu.Unlock()

	select {
	case <-r.done:
	case <-ctx.Done():
		if !f.leave(key, r, w) {
			return nil, shared, deadline.Err(ctx)
		}
		<-r.done // it was cancelled, returns at once, and has more to tell
	}
	if r.panic != nil {
		panic(r.panic)
	}
	return r.res, shared, r.err
}

func (r *inflightRequest) join(w *waiter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, w)
}

// start begins a request. f.mu is held.
func (f *inflight) start(w *waiter, key requestKey, run func(context.Context) (*Response, error)) *inflightRequest {
	own, cancel := context.WithCancelCause(context.WithoutCancel(w.ctx))
	r := &inflightRequest{cancel: cancel, done: make(chan struct{}), waiting: []*waiter{w}}
	if f.all == nil {
		f.all = make(map[requestKey]*inflightRequest)
	}
	f.all[key] = r
	go func() {
		defer func() {
			r.panic = recover() // raised again in the calls that wait: here it would end the process
			cancel(nil)
			f.forget(key, r)
			close(r.done)
		}()
		r.res, r.err = run(inflightContext{own, r})
	}()
	return r
}

// leave removes a call from those that wait. It reports whether the request ends
// with it, because no call waits that has time left: then the request is
// cancelled, and no call joins it any more.
func (f *inflight) leave(key requestKey, r *inflightRequest, w *waiter) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = slices.DeleteFunc(r.waiting, func(other *waiter) bool { return other == w })
	why := deadline.Err(w.ctx)
	for _, other := range r.waiting {
		err := deadline.Err(other.ctx)
		if err == nil {
			return false
		}
		if errors.Is(err, context.DeadlineExceeded) {
			why = err
		}
	}
	if f.all[key] == r {
		delete(f.all, key)
	}
	r.cancel(why)
	return true
}

func (f *inflight) forget(key requestKey, r *inflightRequest) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all[key] == r {
		delete(f.all, key)
	}
}

// joined gets a request, together with the equal ones in flight.
func (c *Client) joined(ctx context.Context, req Request) (*Response, error) {
	res, shared, err := c.inflight.do(ctx, req.key(), func(own context.Context) (*Response, error) {
		g := &call{client: c, req: req, ctx: own, started: time.Now()}
		return g.run()
	})
	var e *Error
	if err != nil && !errors.As(err, &e) {
		err = left(req.URL.WithoutUserinfo(), err)
	}
	if res != nil {
		mine := *res
		mine.Shared = shared
		res = &mine
	}
	return res, err
}

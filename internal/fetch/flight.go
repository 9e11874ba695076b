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
)

// Equal requests in flight are one. Each call that waits has its own context:
// when it ends, that call leaves, and the others do not notice; when the last
// one leaves, the request is cancelled.

// requestKey stands for everything that decides what comes back.
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
		write("") // so that a value is no name
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

type flights struct {
	mu  sync.Mutex
	all map[requestKey]*flight
}

// flight is a request on its way and who waits for it.
type flight struct {
	waiting int // guarded by flights.mu
	cancel  context.CancelFunc
	done    chan struct{} // closed when what follows is set
	res     *Response
	err     error
	late    bool // it ended because its own time was over
	panic   any
}

// do returns the outcome of run for a key, which it starts when nobody has.
// shared says that another call had started it; late, that it ended because
// the time of that other call was over, and means nothing else.
//
// run is called in a goroutine of its own, with a context that has the values
// and the deadline of ctx; it has to end by itself when timed ends, which
// derives from ctx. do does not return before it when nobody else waits.
func (f *flights) do(ctx, timed context.Context, key requestKey, run func(context.Context) (*Response, bool, error)) (res *Response, shared, late bool, err error) {
	f.mu.Lock()
	fl, shared := f.all[key]
	quit := ctx
	if shared {
		fl.waiting++
		quit = timed
	} else {
		fl = f.start(ctx, key, run)
	}
	f.mu.Unlock()

	select {
	case <-fl.done:
	case <-quit.Done():
		// The one who started it has the same deadline as the flight, which
		// has more to say about it.
		if !shared && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			<-fl.done
			break
		}
		last := f.leave(key, fl)
		if last {
			<-fl.done // it was cancelled, which it heeds at once
		}
		if shared || !last {
			return nil, shared, false, quit.Err()
		}
	}
	if fl.panic != nil {
		panic(fl.panic)
	}
	return fl.res, shared, shared && fl.late, fl.err
}

// start begins a flight. f.mu is held.
func (f *flights) start(ctx context.Context, key requestKey, run func(context.Context) (*Response, bool, error)) *flight {
	own, cancel := context.WithoutCancel(ctx), context.CancelFunc(nil)
	if deadline, ok := ctx.Deadline(); ok {
		own, cancel = context.WithDeadline(own, deadline)
	} else {
		own, cancel = context.WithCancel(own)
	}
	fl := &flight{waiting: 1, cancel: cancel, done: make(chan struct{})}
	if f.all == nil {
		f.all = make(map[requestKey]*flight)
	}
	f.all[key] = fl
	go func() {
		defer func() {
			fl.panic = recover() // for who waits: here it would end the process
			cancel()
			f.forget(key, fl)
			close(fl.done)
		}()
		fl.res, fl.late, fl.err = run(own)
	}()
	return fl
}

// leave takes one off those who wait, and reports whether it was the last:
// then the flight is cancelled, and nobody joins it any more.
func (f *flights) leave(key requestKey, fl *flight) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl.waiting--; fl.waiting > 0 {
		return false
	}
	if f.all[key] == fl {
		delete(f.all, key)
	}
	fl.cancel()
	return true
}

func (f *flights) forget(key requestKey, fl *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all[key] == fl {
		delete(f.all, key)
	}
}

// joined gets a request, together with the equal ones in flight.
func (c *Client) joined(ctx context.Context, req Request, end time.Time) (*Response, error) {
	key := req.key()
	timed, stop := context.WithDeadlineCause(ctx, end, timeIsOver(req.Timeout))
	defer stop()
	for {
		res, shared, late, err := c.flights.do(ctx, timed, key, func(own context.Context) (*Response, bool, error) {
			g := c.newCall(own, req, end)
			defer g.stop()
			res, err := g.run()
			return res, g.ctx.Err() != nil, err
		})
		if late && timed.Err() == nil {
			continue // the time of the call that had started it was over, ours is not
		}
		var e *Error
		if err != nil && !errors.As(err, &e) {
			g := &call{client: c, req: req, parent: ctx}
			err = g.failed(timed, req.URL.WithoutUserinfo(), err)
		}
		if res != nil {
			mine := *res
			mine.Shared = shared
			res = &mine
		}
		return res, err
	}
}

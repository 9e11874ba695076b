// Package worker provides a pool of child processes that compute a reply from a
// request, for work that has to be killable: a document that was made to hang a
// parser ends with its process.
//
//	func main() {
//		worker.Serve("documents/1", serve) // does not return in a worker
//		pool := worker.New(worker.Options{Service: "documents/1"})
//		defer pool.Close()
//		reply, err := pool.Do(ctx, request)
//	}
//
// A worker is the same program, started again: [Serve] recognises it. It has no
// environment, no network, and no file but its two pipes. The package knows
// nothing about documents: requests and replies are bytes.
//
// # Guarantees
//
// A worker gives up its rights before it reads a request: on Linux by limits,
// Landlock and seccomp, as far as the kernel has them, partly before exec
// (confine_linux.go). It is
// killed at the deadline of the context, and on Linux when the request has taken
// more processor time or memory than the options allow; [Pool.Do] returns once
// it has ended. It never serves two requests at once, and a request that ends a
// worker costs no other one. Replies are bounded; whoever reads one must treat it
// as bytes from outside. Nothing is started before the first request, and
// workers without work end.
//
// # Limits
//
// Other systems than Linux have the deadline and the collector's memory limit
// only. What a worker reads is not hidden from its other requests: it is
// replaced after a number of them.
package worker

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Options configure a Pool. The zero value of each field is its default.
type Options struct {
	// Service is the name that the program gives to [Serve].
	Service string
	// Program is the file that is started; empty: this program. It calls Serve
	// first in its main function.
	Program string
	// Size is how many workers there are at most; 0 means one for each
	// processor, at least 2 and at most 4.
	Size int
	// CPU is the processor time that one request may take; 0 means 5 s.
	CPU time.Duration
	// Memory is what a worker may hold, in bytes; 0 means 192 MiB.
	Memory int64
	// MaxReply bounds a reply, in bytes; 0 means 64 MiB.
	MaxReply int
	// Requests is how many requests a worker serves; 0 means 100.
	Requests int
	// Idle is how long a worker waits for work; 0 means a minute.
	Idle time.Duration
}

func (o Options) withDefaults() Options {
	o.Size = cmp.Or(max(o.Size, 0), min(max(runtime.NumCPU(), 2), 4))
	o.CPU = cmp.Or(max(o.CPU, 0), 5*time.Second)
	o.Memory = cmp.Or(max(o.Memory, 0), 192<<20)
	o.MaxReply = cmp.Or(max(o.MaxReply, 0), 64<<20)
	o.Requests = cmp.Or(max(o.Requests, 0), 100)
	o.Idle = cmp.Or(max(o.Idle, 0), time.Minute)
	return o
}

// Code is the closed set of reasons for which a worker gave no reply.
type Code uint8

const (
	// CPU: the request took more processor time than a request may.
	CPU Code = iota + 1
	// Memory: the request took more memory than a worker may.
	Memory
	// Ended: the worker ended by itself, or something else ended it.
	Ended
	// Unavailable: no worker could be started, or it is of another version.
	Unavailable
)

// Error says why a worker gave no reply. Limit is in nanoseconds for CPU and in
// bytes for Memory.
type Error struct {
	Code  Code
	Limit int64
	Cause error // may be nil
}

func (e *Error) Error() string {
	var s string
	switch e.Code {
	case CPU:
		return fmt.Sprintf("the request took more than %v of processor time", time.Duration(e.Limit))
	case Memory:
		return fmt.Sprintf("the request took more than %d MB of memory", e.Limit>>20)
	case Ended:
		s = "the worker process ended before it replied"
	default:
		s = "the worker process cannot be started"
	}
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Cause }

// Pool is a number of workers, which are started as they are needed. It is safe
// for concurrent use.
type Pool struct {
	o     Options
	slots chan struct{} // one for each request that is served

	mu     sync.Mutex
	idle   []*process // the last one is the warmest
	closed bool
	ending sync.WaitGroup // processes that have not ended
}

// New returns a pool. It starts nothing.
func New(o Options) *Pool {
	o = o.withDefaults()
	return &Pool{o: o, slots: make(chan struct{}, o.Size)}
}

// Do gives a request, in parts, to a worker and returns its reply. It waits
// while all workers are busy. The error is the context's cause where that has
// ended, else an [*Error].
func (p *Pool) Do(ctx context.Context, request ...[]byte) ([]byte, error) {
	return p.do(ctx, frameAsk, request...)
}

// Probe has a worker try what it may not do, and returns what it could do all
// the same, and which kinds of confinement took effect in it.
func (p *Pool) Probe(ctx context.Context) (could, held []string, err error) {
	reply, err := p.do(ctx, frameProbe)
	if err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		held = p.idle[n-1].held
	}
	return lines(string(reply)), held, nil
}

// enter waits for a place among the requests that are served. Close waits for leave.
func (p *Pool) enter(ctx context.Context) (leave func(), err error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err = context.Cause(ctx); err == nil && p.closed {
		err = &Error{Code: Unavailable, Cause: errClosed}
	}
	if err != nil {
		<-p.slots
		return nil, err
	}
	p.ending.Add(1)
	return func() { p.ending.Done(); <-p.slots }, nil
}

func (p *Pool) do(ctx context.Context, kind byte, request ...[]byte) ([]byte, error) {
	leave, err := p.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	for {
		w, err := p.take(ctx)
		if err != nil {
			return nil, err
		}
		warm := w.served > 0
		reply, err := w.ask(ctx, kind, request...)
		if err != nil || w.served >= p.o.Requests || !p.keep(w) {
			w.end()
		}
		if warm && w.deaf {
			continue // it had ended before, which was not known yet
		}
		return reply, err
	}
}

// take returns a worker that lives.
func (p *Pool) take(ctx context.Context) (*process, error) {
	for {
		p.mu.Lock()
		if p.closed {
			p.mu.Unlock()
			return nil, &Error{Code: Unavailable, Cause: errClosed}
		}
		n := len(p.idle)
		if n == 0 {
			p.ending.Add(1)
			p.mu.Unlock()
			return p.start(ctx)
		}
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		w.timer.Stop()
		p.mu.Unlock()
		if !w.ended() {
			return w, nil
		}
	}
}

// keep puts a worker back; it reports whether there is a place for it.
func (p *Pool) keep(w *process) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || w.ended() {
		return false
	}
	w.timer = time.AfterFunc(p.o.Idle, func() { p.retire(w) })
	p.idle = append(p.idle, w)
	return true
}

// retire ends a worker that has had no work, unless it has some again.
func (p *Pool) retire(w *process) {
	p.mu.Lock()
	i := slices.Index(p.idle, w)
	if i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
	}
	p.mu.Unlock()
	if i >= 0 {
		w.end()
	}
}

// Close ends the workers and waits for them; requests that are served end with
// their worker.
func (p *Pool) Close() error {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, w := range idle {
		w.timer.Stop()
		w.end()
	}
	p.ending.Wait()
	return nil
}

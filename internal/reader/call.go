package reader

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file has what is around a call: its deadline, its place in memory, and its turn
// where work takes processor time.

// panicked is what a panic is reported of.
const panicked = "the reader"

// largeResult is the length from which a result takes as much room as its page.
const largeResult = 256 << 10

// call checks a request and runs f with it, within the deadline of the request. What is
// fetched meanwhile keeps its place in memory until the end; large says that the result
// takes as much. The error is a *tool.Error.
func (r *Reader) call(ctx context.Context, request Request, f func(context.Context, compiled) (large bool, err error)) (err error) {
	ctx, stop := deadline.With(ctx, cmp.Or(max(request.Timeout, 0), r.o.Timeout))
	defer stop()
	defer tool.Recovered(panicked, &err)
	q, err := r.compile(request)
	if err != nil {
		return err
	}
	ctx, end := admission.Call(ctx)
	large := false
	defer func() { end(large) }()
	large, err = f(ctx, q)
	return q.late(ctx, err)
}

// graceTime is how long after its deadline a call may still make a page of the
// bytes that have arrived until then. A call ends a second after its deadline: the rest is
// for the stage that is under way, which takes its time on a busy machine.
const graceTime = 500 * time.Millisecond

// inTime runs f with a context that ends graceTime after the deadline of ctx, or with ctx
// where that is cancelled.
func inTime(ctx context.Context, f func(in context.Context) error) error {
	in, cancel := ctx, context.CancelFunc(func() {})
	if at, ok := ctx.Deadline(); ok {
		in, cancel = context.WithDeadline(context.WithoutCancel(ctx), at.Add(graceTime))
		defer context.AfterFunc(ctx, func() {
			if !deadline.Over(ctx) {
				cancel()
			}
		})()
	}
	defer cancel()
	err := f(in)
	if err != nil && in.Err() != nil && ctx.Err() != nil {
		return overdue(ctx, err)
	}
	return err
}

// work is inTime for what takes bytes apart: f runs when its turn has come. It must not
// be called within itself.
func (r *Reader) work(ctx context.Context, bytes int, f func(context.Context) error) error {
	return inTime(ctx, func(in context.Context) error {
		return r.admitted(in, bytes, func() error { return f(in) })
	})
}

// admitted runs f when its turn has come: what takes bytes apart takes processor time.
func (r *Reader) admitted(ctx context.Context, bytes int, f func() error) (err error) {
	if r.o.Admit == nil {
		return f()
	}
	if e := r.o.Admit(ctx, bytes, func() { err = f() }); e != nil {
		return e
	}
	return err
}

// overdue is the error of a call that has no time left, given what its work ended with.
func overdue(ctx context.Context, err error) error {
	over := deadline.Err(ctx)
	var waited *admission.Waited
	e := tool.AsError(over)
	switch {
	case e == nil || e.Type != tool.Timeout:
		return over
	case errors.As(err, &waited):
		e.Message += " while the page waited for its turn behind other large pages"
		e.Hint = "try again when this server has less to do, or ask for fewer pages at a time"
	default:
		return over
	}
	return e
}

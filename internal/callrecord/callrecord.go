// Package callrecord provides the events of the audit log: what each call of a
// tool or a method did, address by address, and each decision of the egress
// policy.
//
//	r := callrecord.New(log)
//	get := callrecord.Get(client.Get) // for use within a call
//	err := r.Run(ctx, "fetch", tool.Options{Caller: "library", Given: true}, func(ctx context.Context) error {
//		_, err := get(ctx, fetch.Request{URL: u})
//		return err
//	})
//
// The context of a call has its call record. [Get], [Visited] and [Cache] add an
// event to it for each address that the call requests. The event of a call's only
// address also has the time and the error of the call, so it is passed to the log when
// the call ends. As soon as there is a second address, events are passed to the log as
// they are added: a crawl may last for days. A call that requested no address
// is one event. A call within another call adds to the record of the outer call.
//
// # Guarantees
//
// A Recorder and a call record are safe for concurrent use. A call record holds at most
// one event. Outside of a call, Get, Visited and Cache record nothing.
//
// # Limits
//
// This package does not mask secrets; the log does.
package callrecord

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/tool"
)

// Recorder writes calls and decisions into an audit log.
type Recorder struct{ log *audit.Log }

// New returns a Recorder for a log.
func New(log *audit.Log) *Recorder { return &Recorder{log} }

// record is the call record of one call.
type record struct {
	given bool // a person gave the addresses
	write func(audit.Event)

	mu      sync.Mutex
	n       int         // addresses
	pending audit.Event // the event of the only address so far
	ended   bool
}

type recordKey struct{}

// notGivenKey marks a call within a call whose URLs no person gave.
type notGivenKey struct{}

// recordOf returns the record of the call that a context belongs to, or nil.
func recordOf(ctx context.Context) *record {
	r, _ := ctx.Value(recordKey{}).(*record)
	return r
}

// add adds the event of an address. Its owner is that of ctx: a worker reads pages for
// several owners within one call.
func (r *record) add(ctx context.Context, e audit.Event) {
	e.Owner = principal.Of(ctx).Name
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	switch {
	case r.ended: // by something that the call did not wait for
	case r.n == 1:
		r.pending = e
		return
	case r.n == 2:
		r.write(r.pending)
	}
	r.write(e)
}

// end writes what is left when the call ends.
func (r *record) end(start time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended = true; r.n > 1 {
		return
	}
	r.pending.Milliseconds = milliseconds(start)
	fail(&r.pending, err)
	r.write(r.pending)
}

// Given reports whether a person gave the addresses of the call that ctx
// belongs to.
func Given(ctx context.Context) bool {
	r := recordOf(ctx)
	_, inner := ctx.Value(notGivenKey{}).(bool)
	return r != nil && r.given && !inner
}

// Run runs an operation and records it under a name. A call within another call is
// recorded as part of the outer call. The error is that of run.
func (r *Recorder) Run(ctx context.Context, name string, o tool.Options, run func(context.Context) error) error {
	if recordOf(ctx) != nil {
		if !o.Given { // a model wrote its URLs, whoever made the outer call
			ctx = context.WithValue(ctx, notGivenKey{}, true)
		}
		return run(ctx)
	}
	by, _ := principal.SurfaceOf(ctx)
	call := &record{given: o.Given, pending: audit.Event{Owner: principal.Of(ctx).Name}, write: func(e audit.Event) {
		e.Kind, e.Tool, e.Caller, e.RequestID, e.User = audit.Call, name, o.Caller, o.RequestID, by.User
		r.log.Record(e)
	}}
	start := time.Now()
	err := run(context.WithValue(ctx, recordKey{}, call))
	call.end(start, err)
	return err
}

// Around records the calls of a catalog's tools. It is a [tool.Around].
func (r *Recorder) Around(ctx context.Context, name string, o tool.Options, next func(context.Context) (tool.Result, error)) (res tool.Result, err error) {
	err = r.Run(ctx, name, o, func(ctx context.Context) error {
		res, err = next(ctx)
		return err
	})
	return res, err
}

// Decision records what the policy decided about a request.
func (r *Recorder) Decision(d egress.Decision) {
	e := audit.Event{Kind: audit.Decision, URL: d.URL, Decision: audit.Block, Rule: string(d.Rule), Detail: d.Reason}
	if d.Allowed {
		e.Decision = audit.Allow
	}
	if d.Addr.IsValid() {
		e.Address = d.Addr.String()
	}
	r.log.Record(e)
}

// fail writes an operation's error into its event.
func fail(e *audit.Event, err error) {
	te := tool.AsError(err)
	if te == nil {
		return
	}
	e.Error = string(te.Type)
	if e.Detail == "" {
		e.Detail = te.Message
	}
	if te.Type == tool.Internal && te.Cause != nil {
		e.Detail += ": " + te.Cause.Error() // the caller's message leaves out the cause
	}
}

// refusal returns the refusal of the policy that an error wraps, or nil.
func refusal(err error) *egress.Error {
	var e *egress.Error
	errors.As(err, &e)
	return e
}

func milliseconds(start time.Time) float64 { return float64(time.Since(start).Microseconds()) / 1000 }

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
// event to it for each address that the call requests; Run completes the events
// and passes them to the log when the call ends. A call that requested no address
// is one event. A call within another call adds to the record of the outer call.
//
// # Guarantees
//
// A Recorder and a call record are safe for concurrent use. Outside of a call,
// Get, Visited and Cache record nothing.
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

	mu     sync.Mutex
	events []audit.Event // one for each address
}

type recordKey struct{}

// recordOf returns the record of the call that a context belongs to, or nil.
func recordOf(ctx context.Context) *record {
	r, _ := ctx.Value(recordKey{}).(*record)
	return r
}

func (r *record) add(e audit.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// Given reports whether a person gave the addresses of the call that ctx
// belongs to.
func Given(ctx context.Context) bool {
	r := recordOf(ctx)
	return r != nil && r.given
}

// Run runs an operation and records it under a name. A call within another call is
// recorded as part of the outer call. The error is that of run.
func (r *Recorder) Run(ctx context.Context, name string, o tool.Options, run func(context.Context) error) error {
	if recordOf(ctx) != nil {
		return run(ctx)
	}
	call := &record{given: o.Given}
	start := time.Now()
	err := run(context.WithValue(ctx, recordKey{}, call))
	call.mu.Lock()
	defer call.mu.Unlock()
	if len(call.events) == 0 {
		call.events = []audit.Event{{}}
	}
	if len(call.events) == 1 {
		call.events[0].Milliseconds = milliseconds(start)
		fail(&call.events[0], err)
	}
	for _, e := range call.events {
		e.Kind, e.Tool, e.Caller, e.Owner, e.RequestID, e.TraceID = audit.Call, name, o.Caller, principal.Of(ctx).Name, o.RequestID, o.TraceID
		r.log.Record(e)
	}
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

package spyhop

import (
	"context"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// AuditLog has the events of a Client: one for each call, for each address that
// a call asks for when it asks for several, and for each decision of the policy.
// Its methods are safe for concurrent use.
type AuditLog struct{ log *audit.Log }

// Audit returns the log of the Client's calls and decisions.
func (s *Client) Audit() *AuditLog { return &AuditLog{s.audit} }

// Subscribe returns a channel of the events from now on, and a function that ends
// the subscription and closes the channel; it may be called more than once. The
// channel has room for buffer events, at least one. Events for which there is no
// room are dropped and counted in result.Metrics.FeedDropped.
func (l *AuditLog) Subscribe(buffer int) (events <-chan result.Event, end func()) {
	return l.log.Subscribe(buffer)
}

// Metrics returns the counters so far. The result belongs to the caller.
func (l *AuditLog) Metrics() result.Metrics { return l.log.Metrics() }

// operation runs a method of the Client as one call of the audit log. The error
// is an *Error or nil.
func (s *Client) operation(ctx context.Context, name string, run func(context.Context) error) error {
	o := tool.Options{Caller: s.caller, Given: true}
	if by, ok := principal.SurfaceOf(ctx); ok {
		o.Caller, o.RequestID = by.Name, by.RequestID
	}
	return s.hints.explain(s.record.Run(s.owned(ctx), name, o, func(ctx context.Context) error {
		if err := tool.AsError(run(ctx)); err != nil {
			return err
		}
		return nil
	}))
}

// operate is operation for a method that returns a value.
func operate[T any](ctx context.Context, s *Client, name string, run func(context.Context) (T, error)) (out T, err error) {
	err = s.operation(ctx, name, func(ctx context.Context) (err error) {
		out, err = run(ctx)
		return err
	})
	return out, err
}

// owned returns the context of a method of the Client: it is for Config.Owner,
// unless the context already has a caller.
func (s *Client) owned(ctx context.Context) context.Context {
	if s.owner == "" || principal.Of(ctx) != (principal.Caller{Name: principal.Local}) {
		return ctx
	}
	return principal.With(ctx, principal.Caller{Name: s.owner})
}

// around stands around every call of a tool, whichever surface makes it.
func (s *Client) around(ctx context.Context, name string, o tool.Options, next func(context.Context) (tool.Result, error)) (tool.Result, error) {
	who := principal.Of(ctx).Principal()
	s.gate.Seen(who)
	ctx, end := s.gate.Turn(ctx, who)
	defer end()
	r, err := s.record.Around(ctx, name, o, func(ctx context.Context) (tool.Result, error) {
		return s.budget.Call(ctx, name, o.Session, next)
	})
	return s.secrets.MaskResult(r, s.hints.explain(err))
}

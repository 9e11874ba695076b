package callrecord

import (
	"context"
	"errors"
	"time"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/budget"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file creates the event for one address that a call requests.

// GetFunc fetches an address; [fetch.Client.Get] and [fetch.Cache.Get] are such
// functions.
type GetFunc = func(context.Context, fetch.Request) (*fetch.Response, error)

// Get wraps get so that each fetched address is recorded in the call of its
// context. It also sets Request.Given.
func Get(get GetFunc) GetFunc {
	return func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
		call := recordOf(ctx)
		q.Given = Given(ctx)
		if err := budget.Page(ctx); err != nil {
			return nil, err
		}
		start := time.Now()
		res, err := get(ctx, q)
		if res != nil {
			budget.Bytes(ctx, res.WireBytes)
		}
		if call == nil {
			return res, err
		}
		e := audit.Event{URL: q.URL.String(), Decision: audit.Allow, Milliseconds: milliseconds(start)}
		var failure *fetch.Error
		if errors.As(err, &failure) {
			describeFailure(&e, failure)
		}
		if res != nil {
			e.FinalURL, e.Status, e.Bytes = res.URL.String(), res.Status, res.WireBytes
			switch {
			case res.Cached:
				e.Cache = "hit"
			case res.Shared:
				e.Cache = "shared"
			}
		}
		call.add(ctx, e)
		return res, err
	}
}

// describeFailure writes into an event why an address could not be read.
func describeFailure(e *audit.Event, failure *fetch.Error) {
	e.FinalURL, e.Status = failure.URL, failure.Status
	if failure.Remembered {
		e.Cache = "negative"
	}
	if failure.Response != nil {
		e.Bytes = failure.Response.WireBytes
	}
	switch failure.Code {
	case fetch.Blocked:
		e.Decision, e.Rule = audit.Block, failure.Rule
	case fetch.InvalidURL, fetch.InvalidInput:
		e.Decision = "" // the policy did not decide about this address
	}
	e.Error, e.Detail = string(failure.Code), failure.Error()
	if failure.Cause != nil && failure.Code != fetch.Blocked {
		e.Detail += ": " + failure.Cause.Error()
	}
	if r := refusal(failure); r != nil && r.Decision.Addr.IsValid() {
		e.Address = r.Decision.Addr.String()
	}
}

// Reopened records a stored page that a call shows again; err is why it must not.
func Reopened(ctx context.Context, address string, err error) {
	call := recordOf(ctx)
	if call == nil {
		return
	}
	e := audit.Event{URL: address, FinalURL: address, Decision: audit.Allow, Cache: "version"}
	var failure *fetch.Error
	if errors.As(err, &failure) {
		describeFailure(&e, failure)
	}
	call.add(ctx, e)
}

// Defect records an address that a call could not finish because of a defect of this
// program.
func Defect(ctx context.Context, address string, err error) {
	call := recordOf(ctx)
	if call == nil {
		return
	}
	e := audit.Event{URL: address}
	fail(&e, err)
	call.add(ctx, e)
}

// Visited records an address that the browser opened; it is a value for
// [browser.Options].Visited.
func Visited(ctx context.Context, asked string, p *browser.Page, err error) {
	_ = budget.Page(ctx) // it was opened: the next call is refused
	call := recordOf(ctx)
	if call == nil {
		return
	}
	e := audit.Event{URL: asked, Decision: audit.Allow}
	if u, err := weburl.ParseLenient(asked); err == nil {
		e.URL = u.WithoutUserinfo().String()
	}
	if p != nil {
		e.FinalURL, e.Status = p.URL, p.Status
	}
	if te := tool.AsError(err); te != nil {
		e.Error, e.Detail = string(te.Type), te.Message
		if te.Type == tool.Blocked {
			e.Decision = audit.Block
		}
		if r := refusal(err); r != nil {
			e.Rule = string(r.Decision.Rule)
		}
	}
	call.add(ctx, e)
}

// Cache is the cache of pages that the browser has rendered. It records each hit
// as an event, as if the browser had opened the address.
type Cache struct{ *fetch.Cache }

// Lookup returns the stored response for a request; ok is false if none exists.
func (c Cache) Lookup(ctx context.Context, q fetch.Request) (*fetch.Response, bool) {
	q.Given = Given(ctx)
	start := time.Now()
	res, ok := c.Cache.Lookup(ctx, q)
	if call := recordOf(ctx); ok && call != nil {
		call.add(ctx, audit.Event{URL: q.URL.String(), FinalURL: res.URL.String(), Status: res.Status,
			Decision: audit.Allow, Cache: "hit", Milliseconds: milliseconds(start)})
	}
	return res, ok
}

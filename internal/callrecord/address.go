package callrecord

import (
	"context"
	"errors"
	"time"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file makes the event of one address that a call asks for.

// GetFunc gets an address, as [fetch.Client.Get] and [fetch.Cache.Get] do.
type GetFunc = func(context.Context, fetch.Request) (*fetch.Response, error)

// Get returns get with a record of each address. It also fills in
// Request.Given.
func Get(get GetFunc) GetFunc {
	return func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
		call := recordOf(ctx)
		q.Given = Given(ctx)
		start := time.Now()
		res, err := get(ctx, q)
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
		call.add(e)
		return res, err
	}
}

// describeFailure writes why an address could not be read.
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
		e.Decision = "" // the policy was not asked
	}
	e.Error, e.Detail = string(failure.Code), failure.Error()
	if failure.Cause != nil && failure.Code != fetch.Blocked {
		e.Detail += ": " + failure.Cause.Error()
	}
	if r := refusal(failure); r != nil && r.Decision.Addr.IsValid() {
		e.Address = r.Decision.Addr.String()
	}
}

// Visited records what the browser was asked to open; it is what
// [browser.Options].Visited calls.
func Visited(ctx context.Context, asked string, p *browser.Page, err error) {
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
	call.add(e)
}

// Cache is the cache of pages that the browser has rendered, with a record of
// each hit; a hit is an event like a visit.
type Cache struct{ *fetch.Cache }

// Lookup returns what the cache keeps for a request.
func (c Cache) Lookup(ctx context.Context, q fetch.Request) (*fetch.Response, bool) {
	q.Given = Given(ctx)
	start := time.Now()
	res, ok := c.Cache.Lookup(ctx, q)
	if call := recordOf(ctx); ok && call != nil {
		call.add(audit.Event{URL: q.URL.String(), FinalURL: res.URL.String(), Status: res.Status,
			Decision: audit.Allow, Cache: "hit", Milliseconds: milliseconds(start)})
	}
	return res, ok
}

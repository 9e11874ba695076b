package spyhop

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file connects what the parts observe with the audit log: a call of a
// tool or of a method is one event, or one for each address when it asked for
// several.

// AuditEvent is what the audit log says about a call or a verdict; secrets in
// it are masked.
type AuditEvent = audit.Event

// AuditLog takes the events of a Client: a feed of them, and counters.
type AuditLog = audit.Log

// Audit returns the log of the Client's calls and verdicts.
func (s *Client) Audit() *AuditLog { return s.audit }

// trail is what happens within one call. It goes with the call's context.
type trail struct {
	given bool // a person gave the addresses

	mu      sync.Mutex
	fetched []audit.Event
}

type trailKey struct{}

// observed runs an operation and records it. A call within a call belongs to
// the outer one.
func (s *Client) observed(ctx context.Context, tool string, o CallOptions, run func(context.Context) error) error {
	if _, within := ctx.Value(trailKey{}).(*trail); within {
		return run(ctx)
	}
	t := &trail{given: o.Given}
	start := time.Now()
	err := run(context.WithValue(ctx, trailKey{}, t))
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.fetched) == 0 {
		t.fetched = []audit.Event{{}}
	}
	if len(t.fetched) == 1 {
		t.fetched[0].Milliseconds = milliseconds(start)
		failed(&t.fetched[0], err)
	}
	for _, e := range t.fetched {
		e.Kind, e.Tool, e.Caller = audit.Call, tool, o.Caller
		s.audit.Record(e)
	}
	return err
}

// around observes the calls of tools, whoever makes them.
func (s *Client) around(ctx context.Context, name string, o tool.Options, next func(context.Context) (tool.Result, error)) (r tool.Result, err error) {
	err = s.observed(ctx, name, o, func(ctx context.Context) error {
		r, err = next(ctx)
		return err
	})
	return r, err
}

// get is the reader's way to an address.
func (s *Client) get(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
	t, _ := ctx.Value(trailKey{}).(*trail)
	q.Given = t != nil && t.given
	start := time.Now()
	res, err := s.load(ctx, q)
	if t == nil {
		return res, err
	}
	e := audit.Event{URL: q.URL.String(), Decision: audit.Allow, Milliseconds: milliseconds(start)}
	var fe *fetch.Error
	if errors.As(err, &fe) {
		e.FinalURL, e.Status = fe.URL, fe.Status
		if fe.Remembered {
			e.Cache = "negative"
		}
		if fe.Response != nil {
			e.Bytes = fe.Response.WireBytes
		}
		switch fe.Code {
		case fetch.Blocked:
			e.Decision, e.Rule = audit.Block, fe.Rule
		case fetch.InvalidURL, fetch.InvalidInput:
			e.Decision = "" // nothing was judged
		}
		e.Error, e.Detail = string(fe.Code), fe.Error()
		if fe.Cause != nil && fe.Code != fetch.Blocked {
			e.Detail += ": " + fe.Cause.Error()
		}
		var refusal *egress.Error
		if errors.As(err, &refusal) && refusal.Decision.Addr.IsValid() {
			e.Address = refusal.Decision.Addr.String()
		}
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
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fetched = append(t.fetched, e)
	return res, err
}

// visited keeps what the browser was asked to open, for the event of the call.
func visited(ctx context.Context, asked string, p *browser.Page, err error) {
	t, _ := ctx.Value(trailKey{}).(*trail)
	if t == nil {
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
		var refusal *egress.Error
		if te.Type == tool.Blocked {
			e.Decision = audit.Block
		}
		if errors.As(err, &refusal) {
			e.Rule = string(refusal.Decision.Rule)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fetched = append(t.fetched, e)
}

// render is the reader's way to a page that needs its scripts.
func (s *Client) render(ctx context.Context, u weburl.URL, login string) (*reader.Rendered, error) {
	t, _ := ctx.Value(trailKey{}).(*trail)
	n := browser.Navigation{URL: u.String(), Given: t != nil && t.given}
	var err error
	if login != "" {
		if n.State, err = s.sessions.LoginState(login); err != nil {
			return nil, err
		}
	}
	c, err := s.browser.Render(ctx, n)
	if err != nil {
		return nil, err
	}
	at, err := weburl.Parse(c.URL)
	if err != nil {
		return nil, tool.NewError(tool.BrowserError, "the page has ended at an address that is none", "read it with render=never")
	}
	return &reader.Rendered{URL: at, Status: c.Status, HTML: []byte(c.HTML), NoStore: c.NoStore}, nil
}

// renderedCache is the reader's cache of pages that the browser has read. A hit
// is an event like a visit.
type renderedCache struct{ *Client }

func (c renderedCache) Kept(ctx context.Context, q fetch.Request) (*fetch.Response, bool) {
	t, _ := ctx.Value(trailKey{}).(*trail)
	q.Given = t != nil && t.given
	start := time.Now()
	res, ok := c.cache.Kept(ctx, q)
	if ok && t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.fetched = append(t.fetched, audit.Event{URL: q.URL.String(), FinalURL: res.URL.String(), Status: res.Status,
			Decision: audit.Allow, Cache: "hit", Milliseconds: milliseconds(start)})
	}
	return res, ok
}

func (c renderedCache) Keep(ctx context.Context, q fetch.Request, res *fetch.Response) {
	c.cache.Keep(ctx, q, res)
}

// failed writes an operation's error into its event.
func failed(e *audit.Event, err error) {
	te := tool.AsError(err)
	if te == nil {
		return
	}
	e.Error = string(te.Type)
	if e.Detail == "" {
		e.Detail = te.Message
	}
	if te.Type == tool.Internal && te.Cause != nil {
		e.Detail += ": " + te.Cause.Error() // why, which the user was not told
	}
}

// verdict records what the policy said about a request.
func verdict(log *audit.Log) func(egress.Decision) {
	return func(d egress.Decision) {
		e := audit.Event{Kind: audit.Decision, URL: d.URL, Decision: audit.Block, Rule: string(d.Rule), Detail: d.Reason}
		if d.Allowed {
			e.Decision = audit.Allow
		}
		if d.Addr.IsValid() {
			e.Address = d.Addr.String()
		}
		log.Record(e)
	}
}

// openAudit makes the log of a configuration.
func (c Config) openAudit() (*audit.Log, error) {
	o := audit.Options{Secrets: c.Secrets}
	if c.AuditLog != "" {
		file, err := audit.OpenFile(c.AuditLog, audit.FileOptions{})
		if err != nil {
			return nil, invalid("AuditLog", c.AuditLog, fmt.Errorf("the file cannot be written: %w", err))
		}
		o.File = file
	}
	return audit.New(o), nil
}

func milliseconds(start time.Time) float64 { return float64(time.Since(start).Microseconds()) / 1000 }

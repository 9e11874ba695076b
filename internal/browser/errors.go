package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file makes the errors of operations: what happened, and the next step.

var (
	errCrashed = errors.New("the page crashed")
	errHung    = errors.New("the page hangs")
	// errFrameGone is the error of a command for a frame whose page is still there.
	errFrameGone = errors.New("the page has removed the frame meanwhile")
)

// failure makes the error of an operation, and ends a page or browser that does not
// answer.
func (b *Browser) failure(ctx context.Context, t *tab, err error) error {
	if t != nil && (errors.Is(err, errDetached) || refused(err)) {
		if why := t.now().gone; why != nil {
			err = why
		} else if !refused(err) {
			err = errFrameGone
		}
	}
	var te *tool.Error
	switch {
	case errors.As(err, &te):
		return te
	case errors.Is(ctx.Err(), context.Canceled):
		return tool.AsError(context.Canceled)
	case errors.Is(err, errLost) && !b.options.Attach.IsZero():
		return b.gone(err)
	case errors.Is(err, errLost):
		return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err,
			Message: "the browser has ended unexpectedly", Hint: "call navigate_to_url again: it starts another browser"}
	case errors.Is(err, errCrashed), errors.Is(err, errDetached), errors.Is(err, errHung):
		return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err,
			Message: text.Cause(err) + tabName(t), Hint: t.instead()}
	case errors.Is(err, errAsks):
		return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err, Message: text.Cause(err) + tabName(t), Hint: "browser_snapshot shows the question; answer with browser_dialog"}
	case errors.Is(err, errFrameGone):
		return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err, Message: text.Cause(err) + tabName(t), Hint: "browser_snapshot shows the page without it"}
	case errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded):
		return b.late(ctx, t, err)
	}
	return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err, Message: "the browser refused: " + text.Cause(err)}
}

func tabName(t *tab) string {
	if t == nil || t.id == "" {
		return ""
	}
	return " (tab " + t.id + ")"
}

// late handles an operation that did not end in time: a page that still answers
// stays, and a page that hangs is ended.
func (b *Browser) late(ctx context.Context, t *tab, err error) error {
	within := "in time"
	if deadline.Over(ctx) {
		within = "within " + deadline.Text(deadline.Limit(ctx))
	}
	e := &tool.Error{Type: tool.Timeout, Retryable: true, Cause: err, Message: "the browser did not answer " + within, Hint: "try again"}
	b.mu.Lock()
	running := b.engine
	b.mu.Unlock()
	if running != nil && running.alive() && !running.answers() {
		running.abandon()
		return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err, Message: "the browser did not answer " + within + ", nor when it was asked for its version, and was ended",
			Hint: "call navigate_to_url again: it starts another browser; its cookies and pages are gone"}
	}
	if t == nil {
		return e
	}
	e.Message = "the page did not answer " + within + tabName(t)
	if t.revive() {
		return e
	}
	t.engine.hung.Store(true)
	e.Cause = errHung
	e.Message = "the page hangs and was closed" + tabName(t)
	e.Hint = t.instead()
	return e
}

// instead is the hint of an error of a tab that is gone: another tab that is left has
// become the current one, where navigate_to_url would take the place of its page. That one
// is asked for a sign of life: a window shares the process of the page that opened it.
func (t *tab) instead() string {
	for t != nil && t.home != nil {
		now := t.home.now()
		if now == nil {
			break
		}
		_ = now.unasked(now.engine.ctx, func(ctx context.Context) error {
			now.answers(ctx)
			return nil
		})
		if !now.isGone() {
			return "the current tab is now " + now.id + ": browser_snapshot shows it"
		}
	}
	return "call navigate_to_url again: it opens a new tab"
}

// wentOn is the error of an operation that ended because another document came.
func (t *tab) wentOn(err error) error {
	return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err, Message: "the page went to " + text.URL(t.now().url) + " meanwhile" + tabName(t), Hint: "browser_snapshot shows what is there now"}
}

// refusal makes the error of an address that may not be opened.
func refusal(where string, err error) *tool.Error {
	e := tool.NewError(tool.Blocked, "Failed to fetch "+where+": "+text.Cause(err), "")
	var p interface {
		BlockedByPolicy() (rule, reason, hint string)
	}
	if errors.As(err, &p) {
		_, reason, hint := p.BlockedByPolicy()
		e.Message, e.Hint = "Failed to fetch "+where+": blocked by policy: "+reason, hint
	}
	e.Cause = err
	return e
}

// quoted lists names for a message.
func quoted(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	shown := make([]string, len(names))
	for i, n := range names {
		shown[i] = text.Name(n)
	}
	return strings.Join(shown, ", ")
}

func invalidRef(what string) *tool.Error {
	return tool.NewError(tool.InvalidInput, what, "take a new browser_snapshot, and use a ref from it")
}

// ErrNothingOpen is the cause of the errors of operations that have no page to
// work on.
var ErrNothingOpen = errors.New("no page is open")

// nothingOpen is the error of an operation for which no page is open. With an empty
// hint, the hint says how to open one.
func nothingOpen(message, hint string) *tool.Error {
	if hint == "" {
		hint = "open a page first: navigate_to_url with a url"
	}
	return &tool.Error{Type: tool.InvalidInput, Message: message, Hint: hint, Cause: ErrNothingOpen}
}

// busyAgain is when a caller that finds no room may try again.
const busyAgain = 5 * time.Second

// busyError is the error of an operation that the browser has no room for.
func busyError() error {
	return &tool.Error{Type: tool.Busy, Retryable: true, RetryAfter: busyAgain,
		Message: fmt.Sprintf("the browser is busy; try again in %d s", int(busyAgain.Seconds())), Hint: "all of its places are in use; close_browser gives up yours"}
}

// staleRef is the error for a ref that names nothing on the page, see
// [tab.explainStale].
func staleRef(ref string) error {
	e := invalidRef("ref " + text.Name(ref) + " is not on this page: it is stale, or was never there")
	e.Cause = staleError{ref}
	return e
}

// staleError is the cause of the error of a ref that names nothing on the page.
type staleError struct{ ref string }

func (e staleError) Error() string { return "stale ref" }

func isStale(err error) bool { return errors.As(err, new(staleError)) }

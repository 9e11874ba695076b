package browser

import (
	"context"
	"errors"
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// The errors of operations that a page or the browser did not answer.

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
	broken := func(message, hint string) error {
		return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err, Message: message, Hint: hint}
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
		return broken("the browser has ended unexpectedly", "call navigate_to_url again: it starts another browser")
	case errors.Is(err, errCrashed), errors.Is(err, errDetached), errors.Is(err, errHung):
		return broken(text.Cause(err)+tabName(t), t.instead())
	case errors.Is(err, errAsks):
		return broken(text.Cause(err)+tabName(t), "browser_snapshot shows the question; answer with browser_dialog")
	case errors.Is(err, errFrameGone):
		return broken(text.Cause(err)+tabName(t), "browser_snapshot shows the page without it")
	case errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded):
		return b.late(ctx, t, err)
	}
	return broken("the browser refused: "+text.Cause(err), "")
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

// gone is the error of an attached browser that has ended.
func (b *Browser) gone(err error) error {
	return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err, Message: fmt.Sprintf("the browser at %s has ended, or has closed the connection", text.URL(b.options.Attach.String())),
		Hint: "start it again with remote debugging, then call navigate_to_url"}
}

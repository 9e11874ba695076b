package browser

import (
	"errors"
	"fmt"
	"strings"

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

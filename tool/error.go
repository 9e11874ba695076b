package tool

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// ErrorType is the kind of an error. The set is closed.
type ErrorType string

// The types of errors.
const (
	InvalidURL         ErrorType = "InvalidURL"
	InvalidInput       ErrorType = "InvalidInput"
	Blocked            ErrorType = "Blocked" // by Spyhop's policy, not by the site
	HTTPError          ErrorType = "HTTPError"
	Timeout            ErrorType = "Timeout"
	ConnectionError    ErrorType = "ConnectionError"
	TLSError           ErrorType = "TLSError"
	TooLarge           ErrorType = "TooLarge"
	UnsupportedContent ErrorType = "UnsupportedContent"
	ParseError         ErrorType = "ParseError"
	NoContent          ErrorType = "NoContent"
	SearchError        ErrorType = "SearchError"
	BrowserError       ErrorType = "BrowserError"
	BrowserMissing     ErrorType = "BrowserMissing"
	ModelError         ErrorType = "ModelError"
	Cancelled          ErrorType = "Cancelled"
	// Busy means that a limit refuses the call now: a quota of the caller, a
	// queue or the browser is full.
	Busy ErrorType = "Busy"
	// Internal is a bug in Spyhop: a handler panicked, or returned an error that
	// is not an *Error.
	Internal ErrorType = "InternalError"
)

// The exit statuses of the command.
const (
	ExitDone           = 0
	ExitOther          = 1
	ExitUsage          = 2
	ExitBlocked        = 3
	ExitHTTP           = 4
	ExitNetwork        = 5 // or a time-out
	ExitNothing        = 6 // nothing to read
	ExitBrowserMissing = 7
	ExitCancelled      = 130 // 128 + SIGINT
)

// A row is how the surfaces show a type of error.
type row struct {
	of         ErrorType
	exit, http int
	retry      retryRule
	meaning    string
}

type retryRule uint8

const (
	never retryRule = iota
	always
	byStatus // HTTP 408, 425, 429 and 5xx
	byCause  // the handler sets Error.Retryable
)

// table is SPEC section 5 as data: exit status, HTTP status, whether a retry can help, and
// what the type means. Nothing changes it.
var table = [...]row{
	{InvalidInput, ExitUsage, 400, never, "an argument is missing, unknown or wrong"},
	{InvalidURL, ExitUsage, 400, never, "not a URL, or not one that can be fetched"},
	{Blocked, ExitBlocked, 403, never, "refused by the policy of this server"},
	{TooLarge, ExitNothing, 413, never, "larger than the limit"},
	{UnsupportedContent, ExitNothing, 415, never, "a format that cannot be read"},
	{NoContent, ExitNothing, 422, never, "the page has no readable content: it needs scripts or a login, asks for a captcha, or is empty"},
	{ParseError, ExitNothing, 422, never, "the response could not be parsed"},
	{Cancelled, ExitCancelled, 499, never, "the caller closed the connection"},
	{Internal, ExitOther, 500, never, "an error in this server"},
	{HTTPError, ExitHTTP, 502, byStatus, "the site responded with an error status"},
	{ConnectionError, ExitNetwork, 502, always, "the site could not be reached"},
	{TLSError, ExitNetwork, 502, never, "no secure connection to the site"},
	{SearchError, ExitOther, 502, byCause, "the search provider failed"},
	{ModelError, ExitOther, 502, byStatus, "the language model failed"},
	{BrowserMissing, ExitBrowserMissing, 503, never, "there is no browser on the server"},
	{BrowserError, ExitOther, 503, always, "the browser failed"},
	{Busy, ExitOther, 503, always, "the server has no room for the call now, or a quota is used up"},
	{Timeout, ExitNetwork, 504, always, "the time limit of the call passed"},
}

// row returns that of a type, or of Internal for what is none.
func (t ErrorType) row() (r row, ok bool) {
	for _, r := range table {
		if r.of == t {
			return r, true
		}
	}
	r, _ = Internal.row()
	return r, false
}

// ErrorTypes returns every type, ordered by HTTP status.
func ErrorTypes() (all []ErrorType) {
	for _, r := range table {
		all = append(all, r.of)
	}
	return all
}

// Meaning is the type in a few words, for tables.
func (t ErrorType) Meaning() string { r, _ := t.row(); return r.meaning }

// Valid reports whether t is one of the types of this package.
func (t ErrorType) Valid() bool { _, ok := t.row(); return ok }

// ExitCode is the exit status of the command for this type.
func (t ErrorType) ExitCode() int { r, _ := t.row(); return r.exit }

// HTTPStatus is the status of an HTTP response with this type of error. 499 is
// not registered; nginx uses it for a client that closed the connection.
func (t ErrorType) HTTPStatus() int { r, _ := t.row(); return r.http }

// RetryPossible reports whether a retry can help. Status is the HTTP status of
// the error, or 0.
func (t ErrorType) RetryPossible(status int) bool {
	r, _ := t.row()
	switch r.retry {
	case always:
		return true
	case byStatus:
		return status == 408 || status == 425 || status == 429 || status >= 500 && status <= 599
	}
	return false
}

// Error is the one error value of every surface. Its JSON form is
// {"error":true,"error_type":…,"error_message":…,"retry_possible":…,"hint":…,"upstream_status":…}.
type Error struct {
	Type ErrorType
	// Message says what happened and has the value that caused it.
	Message string
	// Retryable reports whether the same call can succeed later.
	Retryable bool
	// Hint is the next step for the reader; may be empty.
	Hint string
	// Status is the HTTP status of the response, or 0; for Busy 429 when a quota of
	// the caller is the reason. In the JSON form it is upstream_status, if it is that of
	// a site or a service.
	Status int
	// RetryAfter is how long the site asked to wait before the next try; 0 when it
	// did not say. Not in the JSON form.
	RetryAfter time.Duration
	// Cause is for errors.Is and errors.As; surfaces do not show it.
	Cause error
}

// NewError returns an Error whose Retryable is that of its type.
func NewError(t ErrorType, message, hint string) *Error {
	return &Error{Type: t, Message: message, Hint: hint, Retryable: t.RetryPossible(0)}
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Text is the error as a person or a model reads it: the message, then the
// hint on its own line.
func (e *Error) Text() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "\n" + e.Hint
}

// HTTPStatus is the status of an HTTP response with this error: that of its type, 429
// for a quota, 404 for something that does not exist, 409 for something that has ended.
func (e *Error) HTTPStatus() int {
	if e.Type == Busy && e.Status == 429 || e.Type == InvalidInput && (e.Status == 404 || e.Status == 409) {
		return e.Status
	}
	return e.Type.HTTPStatus()
}

// ExitCode is the exit status of the command.
// A search that reached no provider has the status of a network error.
func (e *Error) ExitCode() int {
	if e.Type == SearchError && e.Retryable && e.Status == 0 {
		return ExitNetwork
	}
	return e.Type.ExitCode()
}

// errorJSON is the form of SPEC section 5.
type errorJSON struct {
	Error     bool      `json:"error"`
	Type      ErrorType `json:"error_type"`
	Message   string    `json:"error_message"`
	Retryable bool      `json:"retry_possible"`
	Hint      string    `json:"hint,omitempty"`
	Upstream  int       `json:"upstream_status,omitempty"`
}

// UpstreamStatus is the HTTP status that a site or a service answered with; 0 where none
// did, or the error is not about that.
func (e *Error) UpstreamStatus() int {
	if e == nil {
		return 0
	}
	switch e.Type {
	case HTTPError, NoContent, UnsupportedContent, ParseError, TooLarge, SearchError, ModelError, BrowserError:
		return e.Status
	}
	return 0
}

// MarshalJSON writes the form of every surface.
func (e *Error) MarshalJSON() ([]byte, error) {
	if e == nil {
		return []byte("null"), nil
	}
	return encode(errorJSON{true, e.Type, e.Message, e.Retryable, e.Hint, e.UpstreamStatus()})
}

// UnmarshalJSON reads what MarshalJSON writes. It fails on an unknown type.
func (e *Error) UnmarshalJSON(data []byte) error {
	var j errorJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	if !j.Type.Valid() {
		return fmt.Errorf("error_type %q is unknown", j.Type)
	}
	*e = Error{Type: j.Type, Message: j.Message, Retryable: j.Retryable, Hint: j.Hint, Status: j.Upstream}
	return nil
}

// AsError converts err to an *Error. An *Error in err's chain is returned
// unchanged; the errors of a context become Cancelled or Timeout. Every other
// error becomes Internal: its message has an id that the audit log has too, and
// not the text of err, which may hold secrets. Nil stays nil.
func AsError(err error) *Error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e) && e != nil:
		return e
	case errors.Is(err, context.Canceled):
		return &Error{Type: Cancelled, Message: "the call was cancelled", Cause: err}
	case errors.Is(err, context.DeadlineExceeded):
		e = &Error{Type: Timeout, Message: "the call ran out of time", Retryable: true, Hint: "try again", Cause: err}
		var timed interface{ TimeLimit() time.Duration }
		if errors.As(err, &timed) && timed.TimeLimit() > 0 {
			e.Message = "the call " + shorten(err.Error())
		}
		return e
	}
	id := rand.Text()[:10]
	return &Error{Type: Internal, Message: "internal error " + id,
		Hint: "this is a bug in spyhop; please report it with the call that caused it", Cause: fmt.Errorf("%s: %w", id, err)}
}

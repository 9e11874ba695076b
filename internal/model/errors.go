package model

import (
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Code is what went wrong. The set is closed.
type Code string

// The codes.
const (
	BadKey      Code = "bad_key"      // 401, 403
	RateLimited Code = "rate_limited" // 429
	Overloaded  Code = "overloaded"   // 5xx
	TooLong     Code = "too_long"     // the conversation is more than the model reads
	BadRequest  Code = "bad_request"  // any other status of 4xx: no such model, no tools
	Refused     Code = "refused"      // the model or a filter will not answer
	Garbage     Code = "garbage"      // not of the wire's form
	Endless     Code = "endless"      // more than was asked for
	Network     Code = "network"      // no connection, or one that broke
	Silent      Code = "silent"       // nothing came for too long
	Blocked     Code = "blocked"      // by the policy
)

// Error is why a model did not answer. Callers get it as the cause of a
// *tool.Error.
type Error struct {
	Code     Code
	Provider string
	// Status is the HTTP status, or 0.
	Status int
	// Cause is what the endpoint or the network said: one cleaned line.
	Cause      string
	RetryAfter time.Duration
}

// Error implements error.
func (e *Error) Error() string {
	s := e.Provider + ": " + e.what()
	if e.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Cause != "" {
		s += ": " + e.Cause
	}
	return s
}

func (e *Error) what() string {
	switch e.Code {
	case BadKey:
		return "the key is not accepted"
	case RateLimited:
		return "too many requests"
	case Overloaded:
		return "the service has a problem"
	case TooLong:
		return "the conversation is longer than the model reads"
	case BadRequest:
		return "the request is not accepted"
	case Refused:
		return "the model refuses to answer"
	case Garbage:
		return "the answer is not of the form of this interface"
	case Endless:
		return "the answer does not end"
	case Silent:
		return "nothing comes any more"
	case Blocked:
		return "the policy refuses the endpoint"
	}
	return "the endpoint cannot be reached"
}

// toolError is the error that surfaces show.
func (c *Client) toolError(e *Error) *tool.Error {
	e.Provider = c.provider.name
	e.Cause = c.mask(e.Cause)
	out := &tool.Error{Type: tool.ModelError, Message: "the model cannot be asked: " + e.Error(), Status: e.Status, RetryAfter: e.RetryAfter, Cause: e}
	switch e.Code {
	case BadKey:
		out.Hint = "set the endpoint's key"
		if c.provider.key != "" {
			out.Hint = "set " + c.provider.key + " to a valid key"
		}
	case RateLimited:
		out.Retryable, out.Hint = true, "try again later"
		if e.RetryAfter > 0 {
			out.Hint = fmt.Sprintf("the endpoint asks to wait %.0f seconds", e.RetryAfter.Seconds())
		}
	case Overloaded, Network, Silent:
		out.Retryable, out.Hint = true, "try again"
		if e.Code == Network {
			out.Hint = "see that the endpoint runs, or set WEB_MODEL_URL to where it does"
		}
	case TooLong:
		out.Hint = "ask about less, or choose a model with a larger window in WEB_MODEL"
	case BadRequest, Garbage, Endless:
		out.Hint = "see that WEB_MODEL and WEB_MODEL_URL name a model that this endpoint serves"
	case Refused:
		out.Hint = "ask in another way, or choose another model"
	case Blocked:
		out.Type = tool.Blocked
	}
	return out
}

// mask takes the key out of a text and makes it one short line.
func (c *Client) mask(s string) string {
	const shortest = 8 // what is shorter is no key, and could be a word
	if len(c.o.Key) >= shortest {
		s = strings.ReplaceAll(s, c.o.Key, "[key]")
	}
	return strings.TrimRight(text.CutBytes(text.Line(s), 200), ". ")
}

// problem is an Error without the provider, which toolError adds.
func problem(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Cause: fmt.Sprintf(format, args...)}
}

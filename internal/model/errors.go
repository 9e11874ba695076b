package model

import (
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Code is the reason for which a model gave no reply. The set is closed.
type Code string

// The codes.
const (
	BadKey      Code = "bad_key"      // 401, 403
	NoKey       Code = "no_key"       // the provider wants a key, and none is set
	RateLimited Code = "rate_limited" // 429
	Overloaded  Code = "overloaded"   // 5xx
	TooLong     Code = "too_long"     // the conversation exceeds the model's context window
	BadRequest  Code = "bad_request"  // another 4xx: for example, unknown model, no support for tools
	Refused     Code = "refused"      // the model or a content filter refuses to answer
	Garbage     Code = "garbage"      // the reply does not match the wire format
	Endless     Code = "endless"      // the reply exceeds the limits
	Network     Code = "network"      // no connection
	Cut         Code = "cut"          // the reply ended before it was complete
	Silent      Code = "silent"       // the endpoint sent nothing for too long
	Blocked     Code = "blocked"      // the egress policy refuses the endpoint
)

// Error says why a model gave no reply. Callers get it as the cause of a
// *tool.Error.
type Error struct {
	Code     Code
	Provider string
	// Status is the HTTP status, or 0.
	Status int
	// Cause is the message of the endpoint or the network, in one cleaned line; ""
	// if none exists.
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
	case NoKey:
		return "it needs an API key"
	case RateLimited:
		return "too many requests"
	case Overloaded:
		return "the service has a problem"
	case TooLong:
		return "the conversation exceeds the model's context window"
	case BadRequest:
		return "the request is not accepted"
	case Refused:
		return "the model refuses to answer"
	case Garbage:
		return "the answer does not match the API"
	case Endless:
		return "the answer does not end"
	case Cut:
		return "the endpoint's answer ends before it is complete"
	case Silent:
		return "the endpoint has stopped sending"
	case Blocked:
		return "the policy refuses the endpoint"
	}
	return "the endpoint cannot be reached"
}

// toolError converts an error to that of the library, the command and the tools.
func (c *Client) toolError(e *Error) *tool.Error {
	e.Provider = c.provider.name
	e.Cause = c.mask(e.Cause)
	out := &tool.Error{Type: tool.ModelError, Message: "the model cannot be asked: " + e.Error(), Status: e.Status, RetryAfter: e.RetryAfter, Cause: e}
	switch e.Code {
	case BadKey:
		out.Hint = "set the endpoint's API key"
		if c.provider.key != "" {
			out.Hint = "set " + c.provider.key + " to a valid key"
		}
	case NoKey:
		out.Hint = "set " + c.provider.key + " to your key, or choose a model on this machine: WEB_MODEL=ollama/NAME"
	case RateLimited:
		out.Retryable, out.Hint = true, "try again later"
		if e.RetryAfter > 0 {
			out.Hint = fmt.Sprintf("the endpoint asks to wait %.0f seconds", e.RetryAfter.Seconds())
		}
	case Overloaded, Network, Cut, Silent:
		out.Retryable, out.Hint = true, "try again"
		switch e.Code {
		case Network:
			out.Hint = "check that the endpoint at " + c.origin + " is running, or set WEB_MODEL_URL to another address"
		case Cut:
			out.Hint = "try again; if it happens again, check what answers as the endpoint at " + c.origin
		}
	case TooLong:
		out.Hint = "ask about less text, or choose a model with a larger context window in WEB_MODEL"
	case BadRequest, Garbage, Endless:
		out.Hint = "check that WEB_MODEL names a model that the endpoint in WEB_MODEL_URL serves"
	case Refused:
		out.Hint = "rephrase the question, or choose another model"
	case Blocked:
		out.Type = tool.Blocked
	}
	return out
}

// mask replaces the key in a text, and returns the text as one short line.
func (c *Client) mask(s string) string {
	const shortest = 8 // a shorter text is not a key, and could be a word
	if len(c.o.Key) >= shortest {
		s = strings.ReplaceAll(s, c.o.Key, "[key]")
	}
	return strings.TrimRight(text.CutBytes(text.Line(s), 200), ". ")
}

// problem returns an Error without a provider, which toolError adds.
func problem(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Cause: fmt.Sprintf(format, args...)}
}

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
	Blocked     Code = "blocked"      // the egress policy refuses the endpoint
)

const checkModel = "check that WEB_MODEL names a model that the endpoint in WEB_MODEL_URL serves"

// codes says for each code what happened and what to do next. KEY in a hint is the
// setting with the provider's key, ORIGIN the endpoint's.
var codes = map[Code]struct {
	what, hint string
	retryable  bool
}{
	BadKey:      {"the key is not accepted", "set KEY to a valid key", false},
	NoKey:       {"it needs an API key", "set KEY to your key, or choose a model on this machine: WEB_MODEL=ollama/NAME", false},
	RateLimited: {"too many requests", "try again later", true},
	Overloaded:  {"the service has a problem", "try again", true},
	TooLong:     {"the conversation exceeds the model's context window", "ask about less text, or choose a model with a larger context window in WEB_MODEL", false},
	BadRequest:  {"the request is not accepted", checkModel, false},
	Refused:     {"the model refuses to answer", "rephrase the question, or choose another model", false},
	Garbage:     {"the answer does not match the API", checkModel, false},
	Endless:     {"the answer does not end", checkModel, false},
	Network:     {"the endpoint cannot be reached", "check that the endpoint at ORIGIN is running, or set WEB_MODEL_URL to another URL", true},
	Cut:         {"the endpoint's answer ends before it is complete", "try again; if it happens again, check what answers as the endpoint at ORIGIN", true},
	Blocked:     {"the policy refuses the endpoint", "", false},
}

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
	s := e.Provider + ": " + codes[e.Code].what
	if e.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Cause != "" {
		s += ": " + e.Cause
	}
	return s
}

// toolError converts an error to that of the library, the command and the tools.
func (c *Client) toolError(e *Error) *tool.Error {
	e.Provider = c.provider.name
	e.Cause = c.mask(e.Cause)
	code := codes[e.Code]
	key := c.provider.key
	if key == "" {
		key = "the endpoint's API key"
	}
	out := &tool.Error{Type: tool.ModelError, Message: "the model cannot be asked: " + e.Error(), Retryable: code.retryable,
		Hint: strings.NewReplacer("KEY", key, "ORIGIN", c.origin).Replace(code.hint), Status: e.Status, RetryAfter: e.RetryAfter, Cause: e}
	if e.Code == RateLimited && e.RetryAfter > 0 {
		out.Hint = fmt.Sprintf("the endpoint asks to wait %.0f seconds", e.RetryAfter.Seconds())
	}
	if e.Code == Blocked {
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

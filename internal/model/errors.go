package model

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// reason says why a model gave no reply.
type reason string

// The reasons.
const (
	badKey      reason = "bad_key"      // 401, 403
	noKey       reason = "no_key"       // the provider wants a key, and none is set
	rateLimited reason = "rate_limited" // 429
	overloaded  reason = "overloaded"   // 5xx
	tooLong     reason = "too_long"     // the conversation exceeds the model's context window
	badRequest  reason = "bad_request"  // another 4xx: for example, unknown model, no support for tools
	refused     reason = "refused"      // the model or a content filter refuses to answer
	garbage     reason = "garbage"      // the reply does not match the wire format
	endless     reason = "endless"      // the reply exceeds the limits
	network     reason = "network"      // no connection
	cut         reason = "cut"          // the reply ended before it was complete
	blocked     reason = "blocked"      // the egress policy refuses the endpoint
)

const checkModel = "check that WEB_MODEL names a model that the endpoint in WEB_MODEL_URL serves"

// codes says for each reason what happened and what to do next. KEY in a hint is the
// setting with the provider's key, ORIGIN the endpoint's.
var codes = map[reason]struct {
	what, hint string
	retryable  bool
}{
	badKey:      {"the key is not accepted", "set KEY to a valid key", false},
	noKey:       {"it needs an API key", "set KEY to your key, or choose a model on this machine: WEB_MODEL=ollama/NAME", false},
	rateLimited: {"too many requests", "try again later", true},
	overloaded:  {"the service has a problem", "try again", true},
	tooLong:     {"the conversation exceeds the model's context window", "ask about less text, or choose a model with a larger context window in WEB_MODEL", false},
	badRequest:  {"the request is not accepted", checkModel, false},
	refused:     {"the model refuses to answer", "rephrase the question, or choose another model", false},
	garbage:     {"the answer does not match the API", checkModel, false},
	endless:     {"the answer does not end", checkModel, false},
	network:     {"the endpoint cannot be reached", "check that the endpoint at ORIGIN is running, or set WEB_MODEL_URL to another URL", true},
	cut:         {"the endpoint's answer ends before it is complete", "try again; if it happens again, check what answers as the endpoint at ORIGIN", true},
	blocked:     {"the policy refuses the endpoint", "", false},
}

// replyError says why a model gave no reply. Callers get it as the cause of a
// *tool.Error.
type replyError struct {
	Code     reason
	Provider string
	// Status is the HTTP status, or 0.
	Status int
	// Cause is the message of the endpoint or the network, in one cleaned line; ""
	// if none exists.
	Cause      string
	RetryAfter time.Duration
}

// IsTooLong reports whether a conversation exceeds the model's context window.
func IsTooLong(err error) bool {
	var e *replyError
	return errors.As(err, &e) && e.Code == tooLong
}

// Error implements error.
func (e *replyError) Error() string {
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
func (c *Client) toolError(e *replyError) *tool.Error {
	e.Provider = c.provider.name
	e.Cause = c.mask(e.Cause)
	row := codes[e.Code]
	key := c.provider.key
	if key == "" {
		key = "the endpoint's API key"
	}
	out := &tool.Error{Type: tool.ModelError, Message: "the model cannot be asked: " + e.Error(), Retryable: row.retryable,
		Hint: strings.NewReplacer("KEY", key, "ORIGIN", c.origin).Replace(row.hint), Status: e.Status, RetryAfter: e.RetryAfter, Cause: e}
	if e.Code == rateLimited && e.RetryAfter > 0 {
		out.Hint = fmt.Sprintf("the endpoint asks to wait %.0f seconds", e.RetryAfter.Seconds())
	}
	if e.Code == blocked {
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
func problem(code reason, format string, args ...any) *replyError {
	return &replyError{Code: code, Cause: fmt.Sprintf(format, args...)}
}

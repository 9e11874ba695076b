package search

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

// Code is the reason for which a provider gave no answer. The set is closed.
type Code string

// The codes.
const (
	// codeBadKey: the key is missing, wrong or not allowed to search.
	codeBadKey Code = "bad_key"
	// RateLimited: too many requests; the same query can succeed later.
	RateLimited Code = "rate_limited"
	// codeChallenge: the service sent a CAPTCHA or another page for bots.
	codeChallenge Code = "challenge"
	// Network: no connection, no answer in time, or a server error.
	Network Code = "network"
	// Garbage: the answer does not match the service's schema.
	Garbage Code = "garbage"
	// codeQuota: the account's quota is used up.
	codeQuota Code = "quota"
	// codeUnsupported: the service does not accept this query.
	codeUnsupported Code = "unsupported"
	// codeBlocked: the egress policy refuses the request.
	codeBlocked Code = "blocked"

	// nothing is an error status by which a service says that there are no
	// results. Providers turn it into an empty answer.
	nothing Code = "nothing"
)

// meanings has the words for each code in messages, and the next step. A provider's key
// takes the place of %s.
var meanings = map[Code]struct{ words, next string }{
	codeBadKey:  {"no valid API key", "check %s, or name another provider"},
	RateLimited: {"too many requests", "wait a minute, or name another provider"},
	codeChallenge: {"the service sent a bot check instead of results",
		"a retry does not help; configure a provider with an API key, or SEARXNG_URL"},
	Network:         {"no answer", "try again, or name another provider"},
	Garbage:         {"the answer could not be parsed", "name another provider"},
	codeQuota:       {"the account's quota is used up", "raise the account's limit, or name another provider"},
	codeUnsupported: {"the query was not accepted", "make the query simpler, or name another provider"},
	codeBlocked:     {"blocked by policy", "the operator's settings decide what may be reached"},
}

// Error says why a provider gave no answer. It contains no key and no error of
// the transport, because the URL in such an error can contain a key.
type Error struct {
	Provider string
	Code     Code
	// Status is the HTTP status, or 0.
	Status int
	// RetryAfter is how long the service asks to wait, at most 24 hours; 0 when
	// it does not say.
	RetryAfter time.Duration
	// Cause is the message of the service or of the network, in one line of at
	// most 200 characters, or "".
	Cause string
	// Hint is the next step; "" means the hint of the code.
	Hint string
}

// Error returns "provider: what happened (HTTP status): cause".
func (e *Error) Error() string {
	text := e.Provider + ": " + meanings[e.Code].words
	if e.Status != 0 {
		text += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Cause != "" {
		text += ": " + e.Cause
	}
	return text
}

// Retryable reports whether the same query can succeed later.
func (e *Error) Retryable() bool { return e.Code == RateLimited || e.Code == Network }

// hint returns the next step.
func (e *Error) hint() string {
	switch {
	case e.Hint != "":
		return e.Hint
	case e.RetryAfter > 0:
		return fmt.Sprintf("try again after %.0f seconds, or name another provider", e.RetryAfter.Seconds())
	}
	return strings.ReplaceAll(meanings[e.Code].next, "%s", KeyName(e.Provider))
}

// KeyName returns the name of the setting that holds a provider's API key:
// "BRAVE_API_KEY" for "brave".
func KeyName(provider string) string { return strings.ToUpper(provider) + "_API_KEY" }

// quoted is what a service says, or nothing.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return text.Quoted(s)
}

// problem returns an Error whose Provider is filled in later.
func problem(c Code, format string, args ...any) *Error {
	return &Error{Code: c, Cause: fmt.Sprintf(format, args...)}
}

// toolError converts err to the error of the library, the command and the
// tools. ctx is the caller's context.
func toolError(ctx context.Context, err error) *tool.Error {
	var te *tool.Error
	if errors.As(err, &te) {
		return te
	}
	var se *Error
	if ctxErr := deadline.Err(ctx); ctxErr != nil || !errors.As(err, &se) {
		if ctxErr != nil {
			err = ctxErr
		}
		return tool.AsError(err)
	}
	e := &tool.Error{Type: tool.SearchError, Message: "search failed with " + se.Error(),
		Retryable: se.Retryable(), Hint: se.hint(), Status: se.Status, RetryAfter: se.RetryAfter, Cause: se}
	if se.Code == codeBlocked {
		e.Type = tool.Blocked
	}
	return e
}

package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/ocr"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/worker"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file maps the errors of the engines to the one that surfaces show.

// FetchError is the error for an address that could not be fetched. It keeps err as
// the cause, which only the audit log shows.
func FetchError(u string, err error) *tool.Error {
	var te *tool.Error
	if errors.As(err, &te) {
		return te
	}
	shown := text.URL(u)
	var fe *fetch.Error
	if !errors.As(err, &fe) {
		return tool.AsError(err)
	}
	e := &tool.Error{Type: tool.ErrorType(fe.Code), Status: fe.Status, Retryable: fe.Retryable(), Hint: fe.Hint, RetryAfter: fe.RetryAfter, Cause: fe}
	switch fe.Code {
	case fetch.ConnectionError, fetch.TLSError, fetch.Timeout:
		e.Message = "Failed to connect to " + shown + ": '" + fe.Error() + "'"
		switch fe.Code { // the next step after a time-out depends on the call: late has it
		case fetch.ConnectionError:
			e.Hint = cmp.Or(e.Hint, "check the URL, or try again later")
		case fetch.TLSError:
			e.Hint = cmp.Or(e.Hint, "check the URL, or look for the same content on another site")
		}
		return e
	case fetch.TooManyRedirects:
		e.Type = tool.HTTPError
	case fetch.HTTPError:
		if fe.RetryAfter > 0 && e.Hint == "" {
			e.Hint = fmt.Sprintf("the site asks to wait %.0f seconds before the next try", fe.RetryAfter.Seconds())
		}
		e.Hint = cmp.Or(e.Hint, statusHint(fe.Status))
	}
	e.Message = "Failed to fetch " + shown + ": " + fe.Error()
	return e
}

// statusHint is the next step after an HTTP status of an error.
func statusHint(status int) string {
	switch {
	case status == http.StatusNotFound, status == http.StatusGone:
		return "check the URL, or search for the page"
	case status == http.StatusUnauthorized:
		return verdictHint(page.LoginWall)
	case status == http.StatusForbidden, status == http.StatusUnavailableForLegalReasons:
		return verdictHint(page.RefusedBySite)
	case status == http.StatusTooManyRequests:
		return verdictHint(page.RateLimited)
	case status >= 500:
		return "try again later"
	}
	return "check the URL"
}

// maxTimeout is the longest that a call can be given.
const maxTimeout = 120 * time.Second

// late completes the error of a call. A call that ran out of time names the
// time that it had, and says that more helps where the caller can allow more.
func (q *Request) late(ctx context.Context, err error) error {
	var e *tool.Error
	if err != nil && !errors.As(err, &e) && deadline.Over(ctx) {
		err = deadline.Err(ctx)
	}
	if e = tool.AsError(err); e == nil || e.Type != tool.Timeout {
		return err
	}
	own := *e
	if own.Hint == "" {
		own.Hint = "try again"
	}
	// A site that cannot be asked in time is a time-out before the time is over.
	var fe *fetch.Error
	foreseen := errors.As(e, &fe) && fe.Hint != ""
	if q.Asked && deadline.Own(ctx) && deadline.Limit(ctx) < maxTimeout && (deadline.Over(ctx) || foreseen) {
		own.Hint += fmt.Sprintf(", or allow more time, at most %s", deadline.Text(maxTimeout))
	}
	return &own
}

func extractError(u string, err error) *tool.Error {
	var ee *extract.Error
	var we *worker.Error
	if errors.As(err, &we) {
		return workerError(text.URL(u), we)
	}
	if !errors.As(err, &ee) {
		return tool.AsError(err)
	}
	e := &tool.Error{Type: tool.ParseError, Message: "Failed to fetch " + text.URL(u) + ": " + text.Cause(ee), Cause: ee}
	switch ee.Code {
	case extract.Unsupported:
		e.Type, e.Hint = tool.UnsupportedContent, "look for the same content as a page or as text"
	case extract.TooLarge:
		e.Type, e.Hint = tool.TooLarge, "look for a shorter part of it, or for a page about it"
	case extract.NoContent:
		e.Type, e.Hint = tool.NoContent, verdictHint(ee.Verdict)
		if ee.MediaType == "application/pdf" {
			e.Hint = "look for the same document as a page or with text"
			if errors.Is(err, ocr.ErrNotInstalled) {
				e.Hint = "install tesseract, or " + e.Hint
			}
		}
		// As HTTP 429 would be.
		e.Retryable = ee.Verdict == page.RateLimited
	case extract.BadSelector, extract.NoMatch:
		e.Type, e.Hint = tool.NoContent, "mode=outline shows what is there; leave selector out to read all"
		if ee.Code == extract.BadSelector {
			e.Type = tool.InvalidInput
		}
	}
	return e
}

// workerError is the error for a document that the process that read it gave no
// page of.
func workerError(u string, we *worker.Error) *tool.Error {
	e := &tool.Error{Type: tool.TooLarge, Cause: we, Hint: "look for the same content as a page, or for a part of it"}
	switch we.Code {
	case worker.CPU:
		e.Message = fmt.Sprintf("reading the document was ended: it took more than %s of processor time", deadline.Text(time.Duration(we.Limit)))
	case worker.Memory:
		e.Message = fmt.Sprintf("reading the document was ended: it took more than %d MB of memory", we.Limit>>20)
	case worker.Ended:
		e.Type, e.Message = tool.ParseError, "the process that read the document ended before it was done"
		e.Hint = "try once more; if it ends again, the document is broken or hostile: look for the same content as a page"
	default:
		e.Type, e.Message, e.Hint = tool.Internal, "the process that reads documents cannot be started", "run spyhop doctor --security, which says why"
	}
	e.Message = "Failed to fetch " + u + ": " + e.Message
	return e
}

// verdictHint is what to do where a page holds no content.
func verdictHint(v page.Verdict) string {
	return cmp.Or(map[page.Verdict]string{
		page.Challenge:     "asking again does not help; look for the same content on another site, or open the page in a browser",
		page.LoginWall:     "the page needs an account: look for a public page with the same content, or have a person sign in with spyhop login, and then give login=SITE",
		page.RateLimited:   "wait a minute before the next request to this site",
		page.RefusedBySite: "asking again does not help; look for the same content on another site",
		page.Dead:          "if the page was moved or removed, check the URL or search for the page; if the site is out of order, try again later",
		page.EmptyShell:    "the content is loaded by scripts; mode=links or mode=raw shows what the server sent",
	}[v], "the page shows no text; mode=links lists its links, mode=raw shows what the server sent")
}

// Reason is the cause of an error in a few words, without the address: what
// the site, the network or the policy said.
func Reason(e *tool.Error) string {
	var fe *fetch.Error
	var ee *extract.Error
	switch {
	case errors.As(e, &ee) && ee.Code == extract.Unsupported:
		return ee.MediaType
	case errors.As(e, &fe):
		return fe.Error()
	}
	return e.Message
}

// IsTooManyRedirects reports whether a call ended in a circle or a long chain
// of redirects.
func IsTooManyRedirects(e *tool.Error) bool {
	var fe *fetch.Error
	return errors.As(e, &fe) && fe.Code == fetch.TooManyRedirects
}

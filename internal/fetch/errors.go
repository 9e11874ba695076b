package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Code says what kind of failure it was. The set is closed, and the values are
// the error types that users see.
type Code string

const (
	// InvalidURL: the URL of the request, or of a redirect, is not valid.
	InvalidURL Code = "InvalidURL"
	// InvalidInput: the request's headers or credentials cannot be sent.
	InvalidInput Code = "InvalidInput"
	// Blocked: the policy refuses the address or one that it redirects to.
	Blocked Code = "Blocked"
	// HTTPError: the server answered with status 400 or above.
	HTTPError Code = "HTTPError"
	// Timeout: nothing readable came in time.
	Timeout Code = "Timeout"
	// ConnectionError: the server could not be reached, or does not speak HTTP.
	ConnectionError Code = "ConnectionError"
	// TLSError: the TLS handshake failed, or the certificate is not valid.
	TLSError Code = "TLSError"
	// TooLarge: a document or a header beyond its limit.
	TooLarge Code = "TooLarge"
	// UnsupportedContent: a content encoding that is not known.
	UnsupportedContent Code = "UnsupportedContent"
	// ParseError: a content encoding that could not be decoded.
	ParseError Code = "ParseError"
	// TooManyRedirects: a circle, or more redirects than allowed.
	TooManyRedirects Code = "TooManyRedirects"
	// Cancelled: the caller's context was cancelled.
	Cancelled Code = "Cancelled"
)

const (
	hintPlainHTTP   = "the site may only speak http: allow it with WEB_HTTP=allow"
	hintNoScheme    = "the site may only speak http: write http:// before the host, and allow it with WEB_HTTP=allow"
	hintNoTLS       = "the server may only speak http there: write http:// instead of https://"
	hintAuthority   = "if a private authority has signed its certificate, name the file with that authority's certificate in SSL_CERT_FILE"
	causeMalformed  = "the server does not answer in HTTP"
	causeConnecting = "timed out connecting"
	causeNoHost     = "no such host"
)

// Error is why a call failed.
type Error struct {
	Code Code
	// URL is the hop that failed.
	URL string
	// Status is the HTTP status, for HTTPError; else 0.
	Status int
	// RetryAfter is how long the server asks to wait, at most 24 hours; 0 when
	// it does not ask. For HTTPError.
	RetryAfter time.Duration
	// Rule names the rule of the policy, for Blocked, when it is known.
	Rule string
	// Hint is the next step, for the model or a person; may be empty.
	Hint string
	// Remembered says that the site was not asked: the same request had failed
	// shortly before.
	Remembered bool
	// Response is the response that came before the failure, or nil. An HTTPError
	// has one unless it is remembered, with at most 256 KiB of body. A document
	// that broke off has one too.
	Response *Response
	// Cause is what the network or the policy said; may be nil. It may hold
	// addresses and is for audit logs, not for models.
	Cause error

	cause string // what Error returns, except for HTTPError
}

// Error returns a short cause without the URL, such as "connection refused" or
// "HTTP 404 Not Found". It contains no address except that of the request.
func (e *Error) Error() string {
	switch {
	case e.Code == HTTPError:
		return strings.TrimSpace("HTTP " + strconv.Itoa(e.Status) + " " + http.StatusText(e.Status))
	case e.cause != "":
		return e.cause
	}
	return "the request failed"
}

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }

// NoSuchHost reports that the host has no address, so that a new request finds none
// either.
func (e *Error) NoSuchHost() bool { return e.cause == causeNoHost }

// Retryable says whether the same call may succeed later.
func (e *Error) Retryable() bool {
	switch e.Code {
	case Timeout, ConnectionError:
		return true
	case HTTPError:
		return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooEarly ||
			e.Status == http.StatusTooManyRequests || e.Status >= 500 && e.Status <= 599
	}
	return false
}

func httpError(res *Response) *Error {
	e := &Error{
		Code:       HTTPError,
		URL:        res.URL.String(),
		Status:     res.Status,
		RetryAfter: deadline.RetryAfter(res.Header.Get("Retry-After"), res.FetchedAt),
		Response:   res,
	}
	if e.RetryAfter > 0 {
		e.Hint = fmt.Sprintf("the site asks to wait %.0f seconds before the next try", e.RetryAfter.Seconds())
	}
	return e
}

// blocker is a refusal of the policy, wherever it comes from.
type blocker interface {
	error
	BlockedByPolicy() (rule, reason, hint string)
}

// Refused makes an Error of what Judge returned about an address.
func Refused(u string, err error) *Error {
	e := &Error{Code: Blocked, URL: u, Cause: err, cause: "the policy refuses this address"}
	var b blocker
	if errors.As(err, &b) {
		e.Rule, e.cause, e.Hint = b.BlockedByPolicy()
	} else if msg := text.Cause(err); msg != "" {
		e.cause = msg // Judge sees only the URL
	}
	return e
}

// interruption is why this package ended a request that had time left.
type interruption struct {
	Code  Code
	words string
}

func (i *interruption) Error() string { return i.words }

// failed makes an Error of the error of a wait, a round trip or a read of the
// body. ctx is the context that it had; when says what the call was doing, for
// the message of a call that ran out of time.
func (g *call) failed(ctx context.Context, u weburl.URL, when string, err error) *Error {
	e := &Error{URL: u.String(), Cause: err}
	var b blocker
	if errors.As(err, &b) {
		return Refused(e.URL, err)
	}
	// Our own limits, by way of the context or of the transport.
	why := context.Cause(ctx)
	var i *interruption
	switch late := (*deadline.Exceeded)(nil); {
	case errors.As(why, &late), why == nil && errors.As(err, &late):
		e.Code, e.cause = Timeout, late.Error()+" "+when
	case errors.As(why, &i), errors.As(err, &i):
		e.Code, e.cause = i.Code, i.words
	case why != nil:
		e.Code, e.cause = Cancelled, "the call was cancelled"
	default:
		e.Code, e.cause = classify(err)
		e.Hint = tlsHint(err)
	}
	return e
}

// tlsHint is the next step after a failed TLS handshake; "" where none is known.
func tlsHint(err error) string {
	var unknown x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &unknown):
		return hintAuthority
	case errors.As(err, &record):
		return hintNoTLS
	}
	return ""
}

// left makes an Error of the reason why a call has left a request that goes on
// for other calls.
func left(u weburl.URL, why error) *Error {
	if late := (*deadline.Exceeded)(nil); errors.As(why, &late) {
		return &Error{Code: Timeout, URL: u.String(), Cause: why, cause: late.Error()}
	}
	return &Error{Code: Cancelled, URL: u.String(), Cause: why, cause: "the call was cancelled"}
}

// classify maps an error of the network to a code and a message. The error's own
// text contains addresses and is not used.
func classify(err error) (Code, string) {
	if code, words := classifyTLS(err); code != "" {
		return code, words
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		switch {
		case dns.IsNotFound:
			return ConnectionError, causeNoHost
		case dns.IsTimeout:
			return Timeout, "timed out looking up the host"
		}
		return ConnectionError, "the host could not be looked up"
	}
	var timeout net.Error
	isTimeout := errors.As(err, &timeout) && timeout.Timeout()
	var op *net.OpError
	switch {
	case isTimeout && errors.As(err, &op) && op.Op == "dial", errors.Is(err, syscall.ETIMEDOUT):
		return Timeout, causeConnecting
	case isTimeout, errors.Is(err, context.DeadlineExceeded):
		return Timeout, "timed out"
	case errors.Is(err, syscall.ECONNREFUSED):
		return ConnectionError, "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNABORTED):
		return ConnectionError, "connection reset"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return ConnectionError, "host unreachable"
	}
	return classifyProtocol(err)
}

// classifyProtocol is classify for violations of HTTP. net/http has no types for
// most of them, so that the text of the error decides.
func classifyProtocol(err error) (Code, string) {
	text := err.Error()
	switch {
	case strings.Contains(text, "server response headers exceeded"), strings.Contains(text, "response header list larger"):
		return TooLarge, "the response headers are too long"
	case strings.Contains(text, "interim responses"):
		return ConnectionError, "the server sends interim answers without end"
	case strings.Contains(text, "malformed"), strings.Contains(text, "bad Content-Length"),
		strings.Contains(text, "multiple Content-Length"), strings.Contains(text, "transfer encoding"),
		strings.Contains(text, "transfer-encoding"), strings.Contains(text, "chunk"),
		strings.Contains(text, "invalid"):
		return ConnectionError, causeMalformed
	case strings.Contains(text, "http2"), strings.Contains(text, "stream error"):
		return ConnectionError, "HTTP/2 protocol error"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		strings.Contains(text, "server closed"):
		return ConnectionError, "the server closed the connection"
	}
	return ConnectionError, "the connection failed"
}

// classifyTLS is classify for TLS; it returns "" for other errors.
func classifyTLS(err error) (Code, string) {
	var (
		host    x509.HostnameError
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		verify  *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		alert   tls.AlertError
	)
	switch {
	case errors.As(err, &host):
		return TLSError, "TLS certificate is not valid for the host"
	case errors.As(err, &unknown):
		return TLSError, "TLS certificate is not signed by a known authority"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return TLSError, "TLS certificate has expired or is not valid yet"
	case errors.As(err, &invalid), errors.As(err, &verify):
		return TLSError, "TLS certificate is not valid"
	case errors.As(err, &record):
		return TLSError, "the server does not speak TLS"
	case errors.As(err, &alert):
		return TLSError, "TLS handshake failed"
	}
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") || strings.Contains(err.Error(), "tls: ") {
		return TLSError, "TLS handshake failed"
	}
	return "", ""
}

// explain returns e with a hint where the policy has upgraded the hop to https
// and plain http could have worked: it was not tried. reached is how far the
// request came.
func (h hop) explain(e *Error, reached stage) *Error {
	if !h.upgraded {
		return e
	}
	var dns *net.DNSError
	var record tls.RecordHeaderError
	switch {
	case errors.As(e.Cause, &dns), reached == stageLookup:
		return e // http needs the same name
	case h.assumed && e.Code == TLSError && !errors.As(e.Cause, &record):
		return e // the server speaks TLS
	case e.Code == TLSError, e.cause == causeConnecting,
		e.Code == Timeout && (reached == stageConnect || reached == stageHandshake):
		e.Code = ConnectionError
	case e.Code != ConnectionError:
		return e
	}
	if e.Hint = hintPlainHTTP; h.assumed {
		e.Hint = hintNoScheme
	}
	return e
}

package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	maxRetries = 3
	// unasked is the wait before a retry when the server has sent no Retry-After.
	unasked = time.Second
	// maxErrorBody bounds the body of an error, maxBody that of a reply, in bytes.
	maxErrorBody = 64 << 10
	maxBody      = 8 << 20
)

// Ask sends a conversation and returns the model's reply. The error is a
// *tool.Error: InvalidInput for the request, ModelError, Timeout, Cancelled, or
// Blocked by the policy.
func (c *Client) Ask(ctx context.Context, q llm.Request) (*llm.Reply, error) {
	if len(q.Messages) == 0 || q.Schema != nil && len(q.Tools) > 0 {
		return nil, tool.NewError(tool.InvalidInput, "a request to a model needs a message, and can have tools or a schema, not both", "")
	}
	if MissingKey(c.o.Model, c.o.URL, c.o.Key) != "" {
		return nil, c.toolError(problem(noKey, ""))
	}
	ctx, cancel := deadline.With(ctx, c.o.Timeout)
	defer cancel()
	path, header, body := c.provider.wire.request(c, &q)
	data, err := json.Marshal(body)
	if err != nil {
		return nil, tool.NewError(tool.InvalidInput, "the request cannot be encoded as JSON", "")
	}
	for try := 0; ; try++ {
		r, err := c.once(ctx, &q, path, header, data)
		if err == nil {
			return r, nil
		}
		if err := deadline.Err(ctx); err != nil {
			return nil, tool.AsError(err)
		}
		var e *replyError
		if !errors.As(err, &e) {
			e = problem(network, "")
		}
		wait, ok := again(e, try)
		if deadline, _ := ctx.Deadline(); !ok || time.Until(deadline) <= wait {
			return nil, c.toolError(e)
		}
		if err := c.wait(ctx, wait); err != nil {
			return nil, tool.AsError(deadline.Err(ctx))
		}
	}
}

// again returns the wait before a retry, and whether there is one. try counts from
// 0.
func again(e *replyError, try int) (time.Duration, bool) {
	switch e.Status {
	case 429, 503, 529:
		if e.RetryAfter > 0 {
			return e.RetryAfter, try < maxRetries
		}
		return unasked, try == 0
	case 500, 502, 504:
		return unasked, try == 0
	}
	return 0, false
}

// once sends the request and reads the reply. The error is a *replyError, or that of
// the context.
func (c *Client) once(ctx context.Context, q *llm.Request, path string, header []string, body []byte) (*llm.Reply, error) {
	data, err := c.post(ctx, path, header, body, maxBody)
	if err != nil {
		return nil, err
	}
	return read(c.provider.wire, data, q)
}

// post sends a request and returns the body of the response, of at most most bytes.
func (c *Client) post(ctx context.Context, path string, header []string, body []byte, most int64) ([]byte, error) {
	req, err := c.http(ctx, path, header, body)
	if err != nil {
		return nil, problem(badRequest, "its URL is not valid")
	}
	res, err := c.o.RoundTripper.RoundTrip(req)
	if err != nil {
		return nil, networkError(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, refusal(res)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, most+1))
	if err != nil {
		err = networkError(ctx, err)
		var e *replyError
		if errors.As(err, &e) && e.Code == network {
			e.Code = cut // it was reached
		}
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, problem(endless, "more than %d bytes", most)
	}
	return data, nil
}

// http returns the request for package net/http.
func (c *Client) http(ctx context.Context, path string, header []string, body []byte) (*http.Request, error) {
	u, err := weburl.Parse(c.base + path)
	if err != nil {
		return nil, err
	}
	req := (&http.Request{Method: http.MethodPost, URL: u.NetURL(), Header: make(http.Header), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)),
		GetBody: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }}).WithContext(ctx)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", "identity")
	if c.o.UserAgent != "" {
		req.Header.Set("User-Agent", c.o.UserAgent)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i+1] != "" {
			req.Header.Set(header[i], header[i+1])
		}
	}
	return req, nil
}

// networkError converts an error of the transport. It does not quote the
// transport's message, which can contain internal details.
func networkError(ctx context.Context, err error) error {
	var refusedBy interface {
		BlockedByPolicy() (rule, reason, hint string)
	}
	switch {
	case errors.As(err, &refusedBy):
		rule, reason, _ := refusedBy.BlockedByPolicy()
		return problem(blocked, "%s (%s)", reason, rule)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return problem(network, "")
}

// refusal parses an answer whose status is not 2xx.
func refusal(res *http.Response) *replyError {
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	var m struct{ Error, Message, Detail json.RawMessage }
	// Gemini returns a list with one error.
	if b := bytes.TrimSpace(body); len(b) > 0 && b[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(b, &list) == nil && len(list) > 0 {
			body = list[0]
		}
	}
	cause, kind := "", ""
	if json.Unmarshal(body, &m) == nil {
		for _, raw := range []json.RawMessage{m.Error, m.Message, m.Detail} {
			if cause == "" {
				cause, kind = said(raw)
			}
		}
	}
	e := &replyError{Code: codeOf(res.StatusCode, kind, cause), Status: res.StatusCode, Cause: text.Quoted(cause), RetryAfter: retryAfter(res.Header, m.Error)}
	if e.Code == badKey {
		e.Cause = "" // some services repeat parts of the key
	}
	return e
}

// codeOf returns the code for a status, or for the type and message of an error.
func codeOf(status int, kind, cause string) reason {
	long := strings.ToLower(cause)
	switch {
	case status == 413, strings.Contains(long, "context length"), strings.Contains(long, "context_length"),
		strings.Contains(long, "context window"), strings.Contains(long, "context size"), strings.Contains(long, "prompt is too long"),
		strings.Contains(long, "input token count"):
		return tooLong
	case status == 401, status == 403, kind == "authentication_error", kind == "permission_error":
		return badKey
	case status == 429, kind == "rate_limit_error", kind == "RESOURCE_EXHAUSTED":
		return rateLimited
	case status >= 500, status == 408, kind == "overloaded_error", kind == "api_error", kind == "server_error", kind == "UNAVAILABLE", kind == "INTERNAL":
		return overloaded
	case status == 400 && strings.Contains(long, "api key not valid"):
		return badKey // Gemini
	case status/100 == 3:
		return garbage
	}
	return badRequest
}

// maxRetryAfter bounds the wait that a server can ask for.
const maxRetryAfter = time.Hour

// retryAfter parses Retry-After (RFC 9110 section 10.2.3), OpenAI's variant in
// milliseconds, and Gemini's RetryInfo, or 0.
func retryAfter(h http.Header, failure json.RawMessage) time.Duration {
	var wait time.Duration
	var g struct {
		Details []struct {
			RetryDelay string `json:"retryDelay"`
		}
	}
	if n, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && n > 0 && n < 1e9 {
		wait = time.Duration(n * float64(time.Millisecond))
	} else if v := h.Get("Retry-After"); v != "" {
		wait = deadline.RetryAfter(v, time.Now())
	} else if json.Unmarshal(failure, &g) == nil {
		for _, d := range g.Details {
			if n, err := time.ParseDuration(d.RetryDelay); err == nil {
				wait = n
			}
		}
	}
	return min(max(wait, 0), maxRetryAfter)
}

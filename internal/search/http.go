package search

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

const (
	maxBody   = 2 << 20
	maxCause  = 200
	mostPages = 10
)

// features is a set of the parts of a query that a service can filter by.
type features uint8

const (
	sites features = 1 << iota
	ranges
	dates
	country
	language
)

// definition describes a service over HTTP, as data and three functions.
type definition struct {
	// perPage is the maximum of results per request, 0 when it is not known;
	// pages is the maximum of requests per search, 0 means 1.
	perPage, pages int
	// maxText is the maximum length of the query in characters; 0 means that no
	// limit is known.
	maxText int
	takes   features
	// topics are those of Topics that the service has beside web.
	topics []string
	// markup: titles and snippets are HTML.
	markup bool
	// request makes the request for a page, counted from 0.
	request func(a account, t *Terms, page int) request
	// read parses the body of an answer with a 2xx status. An error that is not
	// an *Error means that the body does not match the service's schema.
	read func(t *Terms, r *response) ([]Result, error)
	// refuse parses an answer with another status. When refuse is nil or returns
	// nil, the status decides.
	refuse func(r *response) *Error
	// lite is a simpler endpoint of the service, asked when the service fails
	// with Challenge, Garbage or Network; nil means none.
	lite *definition
}

// account holds what a request needs in addition to the query.
type account struct {
	key  string
	base string // origin and path of SearXNG
	now  time.Time
}

// request describes an HTTP request. A form or a JSON body makes it a POST,
// otherwise it is a GET.
type request struct {
	url   string
	query url.Values
	// header holds names and values alternately.
	header []string
	json   any
	form   url.Values
}

// response is a complete answer.
type response struct {
	status int
	header http.Header
	body   []byte
}

// service is a Provider that speaks HTTP.
type service struct {
	definition
	name      string
	keyed     bool // the service needs an API key
	account   account
	transport http.RoundTripper
	userAgent string
}

// Name implements Provider.
func (s *service) Name() string { return s.name }

// Search implements Provider.
func (s *service) Search(ctx context.Context, t Terms) ([]Result, error) {
	results, err := s.pagesOf(ctx, &s.definition, &t)
	var e *Error
	if s.lite != nil && errors.As(err, &e) && (e.Code == codeChallenge || e.Code == Garbage || e.Code == Network) && ctx.Err() == nil {
		if more, liteErr := s.pagesOf(ctx, s.lite, &t); liteErr == nil {
			return more, nil
		}
	}
	return results, err
}

// pagesOf requests pages until there are enough results. When a page after the
// first fails, the results so far are the answer.
func (s *service) pagesOf(ctx context.Context, d *definition, t *Terms) ([]Result, error) {
	if n := len([]rune(t.Text)); d.maxText > 0 && n > d.maxText {
		return nil, s.mine(problem(codeUnsupported, "the query has %d characters, at most %d are allowed", n, d.maxText))
	}
	var out []Result
	for page := range min(max(d.pages, 1), mostPages) {
		results, err := s.once(ctx, d, t, page)
		if err != nil {
			if page > 0 {
				break
			}
			return nil, err
		}
		out = append(out, results...)
		if len(out) >= t.MaxResults || len(results) == 0 || d.perPage > 0 && len(results) < d.perPage/2 {
			break
		}
	}
	return out, nil
}

func (s *service) once(ctx context.Context, d *definition, t *Terms, page int) ([]Result, error) {
	r, err := s.send(ctx, d.request(s.account, t, page))
	if err != nil {
		return nil, err
	}
	if r.status/100 != 2 {
		var e *Error
		if d.refuse != nil {
			e = d.refuse(r)
		}
		if e == nil {
			e = byStatus(r, s.keyed)
		}
		if e.Code == nothing {
			return nil, nil
		}
		e.Status = r.status
		if e.RetryAfter == 0 {
			e.RetryAfter = deadline.RetryAfter(r.header.Get("Retry-After"), s.account.now)
		}
		return nil, s.mine(e)
	}
	results, err := d.read(t, r)
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = problem(Garbage, "%s", shape(r))
		}
		return nil, s.mine(e)
	}
	for i := range results {
		r, key := &results[i], s.account.key
		r.Title, r.URL, r.Snippet, r.Published = mask(r.Title, key), mask(r.URL, key), mask(r.Snippet, key), mask(r.Published, key)
	}
	return results, nil
}

// minKey is the length, in bytes, from which a key is masked. The keys of these
// services are longer; a shorter text could be an ordinary word.
const minKey = 8

// mine adds the provider to an error and masks the key in its cause, because
// some services repeat the key.
func (s *service) mine(e *Error) *Error {
	e.Provider = s.name
	e.Cause = text.CutBytes(mask(e.Cause, s.account.key), maxCause)
	return e
}

// mask replaces a key in a text, verbatim or query-escaped, by "[key]".
func mask(text, key string) string {
	if len(key) < minKey {
		return text
	}
	return strings.NewReplacer(key, "[key]", url.QueryEscape(key), "[key]").Replace(text)
}

// send sends one request and reads the whole answer. The error is an *Error.
func (s *service) send(ctx context.Context, q request) (*response, error) {
	req, err := q.http(ctx)
	if err != nil {
		return nil, s.mine(problem(codeUnsupported, "the request cannot be encoded"))
	}
	if s.userAgent != "" {
		req.Header.Set("User-Agent", s.userAgent)
	}
	if host, ok := ctx.Value(hostKey{}).(*string); ok {
		*host = req.URL.Host
	}
	res, err := s.transport.RoundTrip(req)
	if err != nil {
		return nil, s.mine(networkError(ctx, err))
	}
	defer res.Body.Close()
	out := &response{status: res.StatusCode, header: res.Header}
	var body io.Reader = res.Body
	if strings.EqualFold(res.Header.Get("Content-Encoding"), "gzip") {
		z, err := gzip.NewReader(io.LimitReader(body, maxBody+1))
		if err != nil {
			return nil, s.mine(problem(Garbage, "the body is declared as gzip and is not gzip"))
		}
		body = z
	}
	out.body, err = io.ReadAll(io.LimitReader(body, maxBody+1))
	switch {
	case len(out.body) > maxBody:
		return nil, s.mine(problem(Garbage, "the body is longer than 2 MiB"))
	case err != nil:
		return nil, s.mine(networkError(ctx, err))
	case res.StatusCode/100 == 3:
		return nil, s.mine(&Error{Code: Garbage, Status: res.StatusCode, Cause: "a redirect, which is not followed"})
	}
	return out, nil
}

// http returns the request for package net/http.
func (q request) http(ctx context.Context) (*http.Request, error) {
	raw := q.url
	if len(q.query) > 0 {
		raw += "?" + q.query.Encode()
	}
	u, err := weburl.Parse(raw)
	if err != nil {
		return nil, err
	}
	req := (&http.Request{Method: http.MethodGet, URL: u.NetURL(), Header: make(http.Header), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", "gzip")
	var body []byte
	switch {
	case q.json != nil:
		if body, err = json.Marshal(q.json); err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/json")
	case q.form != nil:
		body = []byte(q.form.Encode())
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if body != nil {
		req.Method = http.MethodPost
		req.ContentLength = int64(len(body))
		req.Body = io.NopCloser(bytes.NewReader(body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	for i := 0; i+1 < len(q.header); i += 2 {
		req.Header.Set(q.header[i], q.header[i+1])
	}
	return req, nil
}

// networkError converts an error of the transport. Only a refusal by the policy
// is quoted: other messages can contain the URL, and with it the key.
func networkError(ctx context.Context, err error) *Error {
	var refusal interface {
		BlockedByPolicy() (rule, reason, hint string)
	}
	switch {
	case errors.As(err, &refusal):
		rule, reason, hint := refusal.BlockedByPolicy()
		return &Error{Code: codeBlocked, Cause: reason + " (" + rule + ")", Hint: hint}
	case deadline.Over(ctx):
		return problem(Network, "it %s", text.Cause(deadline.Err(ctx)))
	case errors.Is(err, context.DeadlineExceeded):
		return problem(Network, "it took too long")
	}
	return problem(Network, "the connection failed")
}

// byStatus returns the error for an HTTP status when the service's definition
// has no special case for it. keyed reports whether the service needs a key.
func byStatus(r *response, keyed bool) *Error {
	code := Garbage
	switch {
	case r.status == 401, r.status == 403 && keyed:
		code = codeBadKey
		if !keyed {
			code = codeUnsupported
		}
	case r.status == 402:
		code = codeQuota
	case r.status == 403:
		code = codeChallenge
	case r.status == 429:
		code = RateLimited
	case r.status == 408, r.status >= 500:
		code = Network
	case r.status/100 == 4:
		code = codeUnsupported
	}
	return &Error{Code: code, Cause: quoted(says(r.body))}
}

// says returns the error message in a JSON body, or "".
func says(body []byte) string {
	var any struct {
		Error, Detail, Message, Reason json.RawMessage
		Description                    json.RawMessage `json:"readableMessage"`
	}
	if json.Unmarshal(body, &any) != nil {
		return ""
	}
	for _, raw := range []json.RawMessage{any.Error, any.Detail, any.Message, any.Reason, any.Description} {
		var text string
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return text
		}
		var inner struct{ Error, Message, Detail, Msg string }
		if json.Unmarshal(raw, &inner) == nil {
			for _, text := range []string{inner.Error, inner.Message, inner.Detail, inner.Msg} {
				if text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// shape describes a body that could not be parsed: its length and media type.
func shape(r *response) string {
	kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	if kind == "" {
		kind = "no type"
	}
	return strconv.Itoa(len(r.body)) + " bytes of " + text.Name(strings.TrimSpace(kind))
}

// decode parses a JSON body.
func decode[T any](r *response) (T, error) {
	var v T
	err := json.Unmarshal(r.body, &v)
	return v, err
}

// errShape means that a body does not match the service's schema.
var errShape = errors.New("the body does not match the service's schema")

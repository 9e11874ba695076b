package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/warc"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// call is one request and its hops.
type call struct {
	client *Client
	req    Request
	ctx    context.Context // it ends when no caller has time left

	noStore bool // a hop said no-store

	origin string       // of the first URL, as judged: only this origin gets credentials
	hops   []weburl.URL // requested so far, without fragment
	jar    *Jar         // nil: cookies of servers are not sent back
	sent   []string     // the cookies of jar that each hop got
	waited bool         // the call has waited for Retry-After once
	// strayed says that a redirect has left the origin, and left that it has left the
	// site of Auth.Login: who redirects back has chosen the address, so the call's
	// credentials are not used any more.
	strayed, left bool
}

// run is the hop loop.
func (g *call) run() (*Response, error) {
	asked := g.req.URL
	for {
		h, err := g.judge(asked)
		if err != nil {
			return nil, err
		}
		if err := g.enter(h); err != nil {
			return nil, err
		}
		res, next, err := g.send(h)
		if err != nil {
			return nil, err
		}
		if next.IsZero() {
			if next = g.refreshed(h, res); next.IsZero() {
				return res, nil
			}
		}
		if err := g.judgeNext(h.url, next); err != nil {
			return nil, err
		}
		if g.req.Redirects != Follow && !weburl.SameHost(h.url, next) {
			// A target that the policy refuses is not reported.
			if _, err := g.judge(next); err != nil {
				return nil, err
			}
			res.Redirect, res.Body = next, nil
			return res, nil
		}
		asked = next
	}
}

// hop is one judged URL.
type hop struct {
	url      weburl.URL // to be requested
	upgraded bool       // the caller has not asked for https: the policy has made it of http,
	assumed  bool       // or the URL was written without a scheme
}

// judge asks the policy about a URL.
func (g *call) judge(asked weburl.URL) (hop, error) {
	u, err := g.client.options.Judge(asked)
	if err != nil {
		return hop{}, Refused(asked.WithoutUserinfo().String(), err)
	}
	upgraded := u.Scheme() == "https" && (asked.Scheme() == "http" || asked.SchemeAssumed())
	return hop{url: u, upgraded: upgraded, assumed: asked.SchemeAssumed()}, nil
}

// send does one hop. If the server sends Retry-After (RFC 9110 section 10.2.3)
// and the call has the time, send waits and does it once more.
func (g *call) send(h hop) (*Response, weburl.URL, error) {
	if g.req.Robots {
		if err := g.askRobots(h.url); err != nil {
			return nil, weburl.URL{}, err
		}
	}
	res, next, err := g.inTurn(h)
	pause := g.worthWaiting(err)
	if pause == 0 {
		return res, next, err
	}
	g.waited = true
	if werr := deadline.Sleep(g.ctx, pause); werr != nil {
		return nil, weburl.URL{}, g.failed(g.ctx, h.url, "while waiting as the site had asked", werr)
	}
	return g.inTurn(h)
}

// worthWaiting returns how long to wait before the second try; 0 means no second
// try.
func (g *call) worthWaiting(err error) time.Duration {
	var e *Error
	if g.waited || !errors.As(err, &e) || e.Remembered || !asksForPause(e) {
		return 0
	}
	if end, ok := g.ctx.Deadline(); ok && time.Until(end) < e.RetryAfter+pauseMargin {
		return 0
	}
	return e.RetryAfter
}

// inTurn waits for this request's turn at the site and sends it.
func (g *call) inTurn(h hop) (*Response, weburl.URL, error) {
	if err := g.rested(h); err != nil {
		return nil, weburl.URL{}, err
	}
	if len(g.hops) <= 1 {
		if err := g.client.pace.apart(g.ctx, Site(h.url)); err != nil {
			return nil, weburl.URL{}, g.failed(g.ctx, h.url, "while waiting for the Crawl-delay of the site", err)
		}
	}
	leave, err := g.client.pace.enter(g.ctx, Site(h.url))
	if err == errBusy {
		return nil, weburl.URL{}, &Error{Code: Timeout, URL: h.url.String(), cause: text.Cause(err),
			Hint: "ask this site for fewer pages at a time"}
	}
	if err != nil {
		return nil, weburl.URL{}, g.failed(g.ctx, h.url, "while waiting for its turn at the site", err)
	}
	defer leave()
	res, next, err := g.exchange(h)
	var e *Error
	if errors.As(err, &e) && asksForPause(e) {
		g.client.pace.rest(h.url.HostPort(), e.Status, e.RetryAfter, g.client.failures.ttl)
	}
	return res, next, err
}

// rested waits until a pause that the host asked for is over, or fails at once when the
// call has not so much time. A call that wants a fresh answer asks in spite of it.
func (g *call) rested(h hop) error {
	if g.req.Fresh {
		return nil
	}
	r, left := g.client.pace.resting(h.url.HostPort())
	if left <= 0 {
		return nil
	}
	if end, ok := g.ctx.Deadline(); ok && time.Until(end) < left+pauseMargin {
		asked := time.Until(r.asked)
		return &Error{Code: HTTPError, URL: h.url.String(), Status: r.status, RetryAfter: asked, Remembered: true,
			Hint: fmt.Sprintf("the host has asked to wait %.0f seconds before the next request: wait, or look for another source", max(asked.Seconds(), 1))}
	}
	if err := deadline.Sleep(g.ctx, left); err != nil {
		return g.failed(g.ctx, h.url, "while waiting as the site had asked", err)
	}
	return nil
}

// asksForPause reports whether an answer is about the server's load, and not about the
// address (RFC 6585 section 4, RFC 9110 section 15.6.4).
func asksForPause(e *Error) bool {
	return e.RetryAfter > 0 && (e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable)
}

// pauseMargin is the time that an answer needs after a pause.
const pauseMargin = time.Second

// exchange sends one request and reads the answer. The URL that it returns is
// where a redirect leads; then the response has no body.
func (g *call) exchange(h hop) (*Response, weburl.URL, error) {
	ctx, cancel := context.WithCancelCause(undated{g.ctx})
	defer cancel(nil) // releases whatever of the answer was not read
	conns := &connections{cancel: cancel}
	defer conns.watch(ctx)()
	resp, err := g.client.options.RoundTripper.RoundTrip(g.newRequest(conns.trace(ctx), h.url))
	for conns.dropped(err) {
		resp, err = g.client.options.RoundTripper.RoundTrip(g.newRequest(conns.trace(ctx), h.url))
	}
	if err != nil {
		reached := conns.reached()
		e := g.failed(ctx, h.url, reached.String(), err)
		if e.Code != Cancelled {
			conns.drop()
		}
		return nil, weburl.URL{}, h.explain(e, reached)
	}
	defer resp.Body.Close()
	res := &Response{
		URL:           h.url,
		Hops:          g.hops,
		Status:        resp.StatusCode,
		Header:        resp.Header,
		DeclaredType:  declaredType(resp.Header.Get("Content-Type")),
		DeclaredBytes: resp.ContentLength,
		FetchedAt:     time.Now(),
	}
	g.jar.set(h.url, resp.Header)
	g.noStore = g.noStore || hasDirective(resp.Header, "no-store")
	res.noStore = g.noStore
	g.client.observe(Event{Kind: eventHeaders, URL: h.url.WithoutFragment().String(), Status: res.Status, Length: res.DeclaredBytes})
	if res.Status < 200 {
		return nil, weburl.URL{}, &Error{Code: ConnectionError, URL: h.url.String(), cause: causeMalformed}
	}

	next, err := location(h.url, resp)
	if err != nil {
		return nil, weburl.URL{}, err
	}
	if !next.IsZero() {
		res.MediaType = cmp.Or(res.DeclaredType, typeOctets)
		g.discardShort(resp, cancel)
		return res, next, nil
	}

	if res.Status >= 400 {
		defer g.spare(errorShare, cancel)()
	}
	err = g.read(ctx, resp, res)
	cancelled := errors.Is(context.Cause(g.ctx), context.Canceled)
	if (err != nil || res.Truncated) && !cancelled {
		conns.drop() // the server may go on without end
	}
	if res.Status >= 400 && !cancelled {
		// The page that comes with an error is only a help: it does not matter
		// that it could not be read.
		return nil, weburl.URL{}, httpError(res)
	}
	if err != nil {
		return nil, weburl.URL{}, err
	}
	return res, weburl.URL{}, nil
}

// newRequest makes the HTTP request of a hop.
func (g *call) newRequest(ctx context.Context, u weburl.URL) *http.Request {
	header := baseHeader(g.client.options.UserAgent)
	g.strayed = g.strayed || u.Origin() != g.origin
	switch {
	case !g.strayed:
		for name, values := range g.req.Header {
			header[name] = values
		}
		g.req.Auth.apply(header, g.req.URL.Host())
	case weburl.SameHost(u, g.hops[0]):
		// The caller reads the same types and languages from example.com and
		// www.example.com, and these headers do not identify the caller.
		for _, name := range []string{"Accept", "Accept-Language"} {
			if values := g.req.Header[name]; len(values) > 0 {
				header[name] = values
			}
		}
	}
	if a := g.req.Auth; a != nil && a.Login != nil {
		g.left = g.left || !a.Login.Covers(u)
		if !g.left {
			a.Login.apply(header, u, time.Now())
		}
	}
	given := header["Cookie"]
	if line := g.jar.line(u, given); line != "" {
		header["Cookie"] = []string{line}
		if len(given) == 0 {
			ctx = warc.WithServerCookies(ctx)
		}
	}
	req := &http.Request{
		Method: http.MethodGet,
		URL:    u.NetURL(),
		Proto:  "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header,
	}
	return req.WithContext(ctx)
}

// The part of the remaining time, one n-th of it, that a body gets which the call
// does not need.
const (
	redirectShare = 20 // that of a redirect, which saves a new connection
	errorShare    = 3  // the page that comes with an HTTP error
)

// spare ends an exchange that takes more than one n-th of the remaining time.
// The caller calls stop.
func (g *call) spare(n int, cancel context.CancelCauseFunc) (stop func() bool) {
	end, _ := g.ctx.Deadline()
	return time.AfterFunc(time.Until(end)/time.Duration(n), func() { cancel(errSpared) }).Stop
}

var errSpared = &interruption{Code: Timeout, words: "the body that comes with it takes too long"}

// discardShort reads a short body of a redirect to its end, so that the
// connection can be used again; others are cut off by closing.
func (g *call) discardShort(resp *http.Response, cancel context.CancelCauseFunc) {
	const short = 2 << 10
	if resp.ContentLength < 0 || resp.ContentLength > short {
		return
	}
	defer g.spare(redirectShare, cancel)()
	_, _ = io.CopyN(io.Discard, resp.Body, short)
}

package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Rules of routes. A route changes what becomes of the requests of a tab whose URLs have a
// pattern: they are blocked, answered with a body of the caller's, or sent with headers. The
// route that was added last decides. A mock sends nothing; a request that is sent goes through
// the policy as any other.

// check returns the error of a route that cannot be.
func (r Route) check() error {
	bad := func(what, hint string) error { return tool.NewError(tool.InvalidInput, what, hint) }
	left := r.Pattern
	for _, s := range []string{"https", "http", "wss", "ws"} {
		left = strings.TrimPrefix(left, s)
	}
	switch {
	case len(r.Pattern) > maxURL:
		return bad("the pattern is too long", "give a part of the URL, with * for the rest")
	case strings.Trim(left, "*?:/.") == "" && (r.Action != "clear" || r.Pattern != ""):
		return bad("the pattern "+text.Quoted(r.Pattern)+" matches every request", "name the host or the path, for example *api.example.com/boats*")
	case r.Status != 0 && (r.Status < 200 || r.Status > 599):
		return bad(fmt.Sprintf("a response with the status %d is not possible", r.Status), "it is between 200 and 599")
	case len(r.Body) > maxMock:
		return bad(fmt.Sprintf("the body has %d bytes, at most %d", len(r.Body), maxMock), "")
	case len(r.Headers) > maxRouteHeaders:
		return bad(fmt.Sprintf("%d headers are too many, at most %d", len(r.Headers), maxRouteHeaders), "")
	case r.Action == "headers" && len(r.Headers) == 0:
		return bad("there are no headers to set", "give headers")
	}
	for name, value := range r.Headers {
		if !isHeader(name) || strings.ContainsAny(value, "\r\n\x00") {
			return bad("the header "+text.Quoted(name)+" cannot be set", "Host, Cookie, Authorization and headers of the connection are not set by a route")
		}
	}
	switch r.Action {
	case "block", "mock", "headers", "clear":
		return nil
	}
	return bad("action "+text.Quoted(r.Action)+" is unknown", "it is block, mock, headers or clear")
}

// isHeader reports whether a route may set a header: what the browser or the policy decides
// about stays theirs.
func isHeader(name string) bool {
	lower := strings.ToLower(name)
	switch lower {
	case "", "host", "cookie", "cookie2", "set-cookie", "authorization", "connection", "upgrade", "te", "trailer", "transfer-encoding", "content-length", "keep-alive", "origin":
		return false
	}
	return !strings.HasPrefix(lower, "proxy-") && !strings.HasPrefix(lower, "sec-") && strings.Trim(lower, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// Route adds a route to a tab, or ends routes. It returns those that there are.
func (b *Browser) Route(ctx context.Context, at Place, r Route) (routes []Route, where Place, err error) {
	if err := r.check(); err != nil {
		return nil, at, err
	}
	where, err = b.beside(ctx, at, needsContext, func(ctx context.Context, _ *browserContext, t *tab) error {
		t.mu.Lock()
		all := slices.DeleteFunc(slices.Clone(t.routes), func(o Route) bool { return o.Pattern == r.Pattern || r.Action == "clear" && r.Pattern == "" })
		t.mu.Unlock()
		if r.Action != "clear" {
			if len(all) == maxRoutes {
				return tool.NewError(tool.InvalidInput, fmt.Sprintf("the tab has %d routes, which is the most", maxRoutes), "end one with action=clear")
			}
			all = append(all, r)
		}
		t.update(func() { t.routes = all })
		routes = all
		for _, s := range t.sessions() {
			method, params := t.intercepts()
			if err := s.Call(ctx, method, params, nil); err != nil && !refused(err) {
				return err
			}
		}
		return nil
	})
	return routes, where, err
}

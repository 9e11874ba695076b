package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/tool"
)

// What stands before every answer. A browser on this machine can reach a server
// on loopback, and so can every page in it:
//
//   - by a name of the page's own that it binds to 127.0.0.1 (DNS rebinding);
//     the Host header then has that name;
//   - by sending a request across origins, which it cannot read the answer of,
//     but which is sent; Origin or Sec-Fetch-Site then tell of it.

// guarded puts the checks before next.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.running.Add(1)
		defer s.running.Done()
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		if s.leaving.Err() != nil || r.ContentLength != 0 {
			w.Header().Set("Connection", "close")
		}
		if r.ContentLength != 0 {
			// A refusal closes the connection: net/http would wait for the body before it
			// answers, and again before it closes, without a limit of time.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusalTime))
		}
		refused := &s.quotas.refused
		if !hostAllowed(r) {
			refused.origin.Add(1)
			refuse(w, r, http.StatusForbidden, tool.NewError(tool.Blocked, "the Host header "+quoted(r.Host)+" is not this server",
				"use localhost or 127.0.0.1; a proxy in front has to set Host to one of these"))
			return
		}
		if s.isMetadata(r) {
			s.metadata(w, r)
			return
		}
		if !originAllowed(r) {
			refused.origin.Add(1)
			s.turnAway(w, r, http.StatusForbidden, tool.NewError(tool.Blocked, "requests from pages of other sites are refused",
				"call from a program, or type the address into the browser"))
			return
		}
		protocolToken(r)
		caller, ok, err := s.caller(r)
		if !ok {
			refused.token.Add(1)
			s.refuseToken(w, r, err)
			return
		}
		if seen, ok := r.Context().Value(callerKey{}).(*principal.Caller); ok {
			*seen = caller
		}
		if r.URL.Path == healthPath { // has no body, and takes nothing from others
			next.ServeHTTP(w, r)
			return
		}
		leave, ok := s.requests.take(caller.Name, s.connections.share())
		if !ok {
			refused.requests.Add(1)
			e := tool.NewError(tool.Busy, "too many requests of this caller are open", "read the answers that wait, or send it again in 1 s")
			w.Header().Set("Retry-After", "1")
			s.turnAway(w, r, http.StatusServiceUnavailable, e)
			return
		}
		defer leave()
		// What the answer takes of the memory for pages is held until it is written.
		ctx, written := admission.Call(principal.With(r.Context(), caller))
		defer written(false)
		r = r.WithContext(ctx)
		release, status, e := s.readBody(w, r)
		if e != nil {
			if status == http.StatusServiceUnavailable {
				w.Header().Set("Retry-After", "1")
			}
			refuse(w, r, status, e)
			return
		}
		if s.leaving.Err() == nil {
			w.Header().Del("Connection")
		}
		if release != nil {
			defer release()
			r = r.WithContext(context.WithValue(r.Context(), bodyKey{}, release))
		}
		next.ServeHTTP(w, r)
	})
}

// hostAllowed refuses names on connections to loopback. Beyond loopback a token
// is asked for, which no page knows.
func hostAllowed(r *http.Request) bool {
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		if a, err := netip.ParseAddrPort(local.String()); err == nil && !a.Addr().IsLoopback() {
			return true
		}
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && a.IsLoopback()
}

// originAllowed refuses what a browser sends for a page of another origin.
// Programs send neither header.
func originAllowed(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none": // none: typed or bookmarked
	default:
		return false
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		// Old browsers send neither header with a GET for a picture or a frame.
		referer := r.Header.Get("Referer")
		if referer == "" || r.Header.Get("Sec-Fetch-Site") != "" {
			return true
		}
		origins = []string{referer}
		if i := strings.Index(referer, "://"); i >= 0 {
			if end := strings.IndexAny(referer[i+3:], "/?#"); end >= 0 {
				origins[0] = referer[:i+3+end]
			}
		}
	}
	scheme, host, ok := strings.Cut(origins[0], "://")
	return len(origins) == 1 && ok && (scheme == "http" || scheme == "https") && strings.EqualFold(host, r.Host)
}

// bodyKey is the key of the func() that gives back the slot of a large body.
type bodyKey struct{}

// bodyRead gives back the slot of the request's body, where it has one: its call
// runs, and the calls at a time are bounded by themselves. Over MCP a slot is held
// until the answer: the SDK does not tell a handler which request it answers.
func bodyRead(ctx context.Context) {
	if release, ok := ctx.Value(bodyKey{}).(func()); ok {
		release()
	}
}

// readBody reads the whole body within its bounds in size and time and puts it
// back, so that no handler waits for a slow client. Of large bodies few are in
// memory at a time: release gives back the slot of this one; it is nil for a small
// one and with an error.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (release func(), status int, e *tool.Error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, 0, nil
	}
	// Not every ResponseWriter has deadlines; those of Serve do. net/http takes
	// this one away when the body has come.
	deadline := func() { _ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.bodyTimeout)) }
	deadline()
	body := http.MaxBytesReader(w, r.Body, bodyBound(r))
	data, err := io.ReadAll(io.LimitReader(body, smallBodyBytes))
	if err == nil && len(data) == smallBodyBytes {
		var e *tool.Error
		if release, status, e = s.slot(r.Context()); e != nil {
			return nil, status, e
		}
		deadline() // the wait was ours
		var rest []byte
		rest, err = io.ReadAll(body)
		data = append(data, rest...)
	}
	if err != nil {
		if release != nil {
			release()
		}
		if errors.As(err, new(*http.MaxBytesError)) {
			return nil, http.StatusRequestEntityTooLarge, tool.NewError(tool.TooLarge, fmt.Sprintf("the body is longer than %d MiB", bodyBound(r)>>20), "send less")
		}
		return nil, http.StatusBadRequest, tool.NewError(tool.InvalidInput, "the body did not come whole", "send it again")
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	return release, 0, nil
}

// slot waits for the right to have a large body in memory, as long as a client
// may take to send one.
func (s *Server) slot(ctx context.Context) (release func(), status int, e *tool.Error) {
	waiting, stop := context.WithTimeout(ctx, s.bodyTimeout)
	defer stop()
	release, err := s.large.Enter(waiting, principal.Of(ctx).Name, 1)
	switch {
	case err == nil:
		return release, 0, nil
	case ctx.Err() != nil:
		e := tool.AsError(ctx.Err())
		return nil, e.Type.HTTPStatus(), e
	}
	s.quotas.refused.bodies.Add(1)
	return nil, http.StatusServiceUnavailable, tool.NewError(tool.Timeout, "the server reads too many large bodies now", "send it again, or a body of less than 16 KiB")
}

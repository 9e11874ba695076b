package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Each request has an id. The answer has it in X-Request-Id, the audit log and the
// access log in request_id. It is at the same time the id of this server's span in
// traceparent (W3C Trace Context, level 1): a client that sends the header finds its
// trace id in both logs, and gets the header back with this span. Without the header,
// a trace begins here. Nothing is exported.

const (
	requestHeader = "X-Request-Id"
	traceHeader   = "Traceparent"
)

// requestID identifies a request.
type requestID struct {
	trace string // 32 hexadecimal digits
	id    string // 16
	flags string // 2
}

// newRequestID continues the trace that a request names, or begins one.
func newRequestID(h http.Header) requestID {
	var random [24]byte
	_, _ = rand.Read(random[:]) // it never fails
	r := requestID{trace: hex.EncodeToString(random[:16]), id: hex.EncodeToString(random[16:]), flags: "00"}
	if values := h.Values(traceHeader); len(values) == 1 {
		if trace, flags, ok := parseTrace(values[0]); ok {
			r.trace, r.flags = trace, flags
		}
	}
	return r
}

func (r requestID) String() string { return "00-" + r.trace + "-" + r.id + "-" + r.flags }

// parseTrace reads a traceparent header. Later versions may have more fields after
// the four of version 00; ff is not a version.
func parseTrace(s string) (trace, flags string, ok bool) {
	const length = 2 + 1 + 32 + 1 + 16 + 1 + 2
	if len(s) < length || len(s) > length && (s[:2] == "00" || s[length] != '-') {
		return "", "", false
	}
	f := strings.SplitN(s[:length], "-", 5)
	if len(f) != 4 || !isHex(f[0], 2) || f[0] == "ff" || !isHex(f[1], 32) || !isHex(f[2], 16) || !isHex(f[3], 2) ||
		strings.Trim(f[1], "0") == "" || strings.Trim(f[2], "0") == "" {
		return "", "", false
	}
	return f[1], f[3], true
}

func isHex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

// label gives a request its id. The headers of the request carry it on, because a
// session of MCP does not have the context of its requests.
func label(w http.ResponseWriter, r *http.Request) requestID {
	id := newRequestID(r.Header)
	r.Header.Set(requestHeader, id.id)
	r.Header.Set(traceHeader, id.String())
	w.Header().Set(requestHeader, id.id)
	w.Header().Set(traceHeader, id.String())
	return id
}

// labelOf returns the id that label gave to the request of these headers; on stdio,
// which has none, it is empty.
func labelOf(h http.Header) (request, trace string) {
	if trace, _, ok := parseTrace(h.Get(traceHeader)); ok {
		return h.Get(requestHeader), trace
	}
	return "", ""
}

// surfaced says in the audit log through which surface, and by which request, a call
// came in.
func surfaced(ctx context.Context, w http.ResponseWriter, surface string) context.Context {
	request, trace := labelOf(w.Header())
	return principal.WithSurface(ctx, principal.Surface{Name: surface, RequestID: request, TraceID: trace})
}

// onSurface says in the options of a call what surfaced has put into its context.
func onSurface(ctx context.Context, o tool.Options) tool.Options {
	if by, ok := principal.SurfaceOf(ctx); ok {
		o.Caller, o.RequestID, o.TraceID = by.Name, by.RequestID, by.TraceID
	}
	return o
}

// logged writes a line for each request to the access log. The query is left out,
// because it can have secrets.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := label(w, r)
		if s.o.AccessLog == nil {
			next.ServeHTTP(w, r)
			return
		}
		start, c := time.Now(), &counted{ResponseWriter: w}
		seen := new(principal.Caller)
		next.ServeHTTP(c, r.WithContext(context.WithValue(r.Context(), callerKey{}, seen)))
		s.o.AccessLog.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "request",
			slog.String("method", text.Name(r.Method)), slog.String("path", text.URL(r.URL.Path)), slog.Int("status", c.status), slog.Int64("bytes", c.bytes),
			slog.Float64("ms", float64(time.Since(start).Microseconds())/1000), slog.String("caller", seen.Name),
			slog.String("request_id", id.id), slog.String("trace_id", id.trace))
	})
}

// callerKey is the key of the *principal.Caller that the guard fills in.
type callerKey struct{}

// counted counts what is answered.
type counted struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (c *counted) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (c *counted) Write(p []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(p)
	c.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

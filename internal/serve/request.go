package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"time"

	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Each request has an id. The answer has it in X-Request-Id, the audit log and the access
// log in request_id.

const requestHeader = "X-Request-Id"

// label gives a request its id, of 16 hexadecimal digits. The headers of the request carry it
// on, because a session of MCP does not have the context of its requests.
func label(w http.ResponseWriter, r *http.Request) string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	id := hex.EncodeToString(random[:])
	r.Header.Set(requestHeader, id)
	w.Header().Set(requestHeader, id)
	return id
}

// surfaced says in the audit log through which surface, and by which request, a call
// came in.
func surfaced(ctx context.Context, w http.ResponseWriter, surface string) context.Context {
	return principal.WithSurface(ctx, principal.Surface{Name: surface, RequestID: w.Header().Get(requestHeader)})
}

// onSurface says in the options of a call what surfaced has put into its context.
func onSurface(ctx context.Context, o tool.Options) tool.Options {
	if by, ok := principal.SurfaceOf(ctx); ok {
		o.Caller, o.RequestID = by.Name, by.RequestID
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
			slog.String("request_id", id))
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

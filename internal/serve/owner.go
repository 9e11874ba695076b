package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/tool"
)

// Who a request is for. The guard finds the principal by the token and puts it into
// the context of the request. A session of MCP has a context of its own, so the SDK
// carries the name there; it refuses a request whose token is not that of the
// session's first request.

// identify returns the caller of a request, and whether it may call. The error says why
// an access token is refused; nil: there is none.
func (s *Server) identify(r *http.Request) (principal.Caller, bool, error) {
	tokens := s.quotas.tokens.Load()
	if tokens.Len() == 0 && s.resource == nil {
		return s.o.anybody(), true, nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	t, ok := tokens.Find(strings.TrimSpace(token))
	switch isBearer := strings.EqualFold(scheme, "Bearer"); {
	case ok && isBearer:
		return principal.Caller{Name: t.Name}, true, nil
	case isBearer && s.resource != nil:
		c, err := s.resource.caller(r.Context(), strings.TrimSpace(token))
		return c, err == nil, err
	}
	return principal.Caller{Name: principal.Anonymous}, false, nil
}

// anybody is the caller without a token.
func (o *Options) anybody() principal.Caller {
	if o.LocalOwner {
		return principal.Caller{Name: principal.Local, Guest: true}
	}
	return principal.Caller{Name: principal.Anonymous}
}

// SetTokens replaces the tokens, for example after their file has changed. Requests
// that come later need one of the new tokens, those of open sessions too. Streams end,
// and clients open them again.
func (s *Server) SetTokens(t *principal.Tokens) {
	s.quotas.tokens.Store(t)
	s.quotas.epoch.next()
}

// SetLimits changes Options.MaxConnections, MaxSessions, Grace and Delay to those of o,
// and MaxRunning to its default for them. What is open stays open; a server that ends
// already keeps its grace and its delay.
func (s *Server) SetLimits(o Options) {
	o = Options{MaxConnections: o.MaxConnections, MaxSessions: o.MaxSessions, Grace: o.Grace, Delay: o.Delay}
	o.fill()
	s.connections.setMost(o.MaxConnections)
	s.grace.Store(int64(o.Grace))
	s.delay.Store(int64(o.Delay))
	s.quotas.most.Store(int64(o.MaxRunning))
	s.mcp.limit(o.MaxConnections, o.MaxSessions)
}

// identified passes the principal of a request on to the handlers of the SDK.
func identified(next http.Handler) http.Handler {
	named := auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: principal.Of(ctx).Name}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := principal.Of(r.Context()); c.Guest || c.Name == principal.Anonymous {
			next.ServeHTTP(w, r) // its Authorization header, if any, means nothing here
			return
		}
		named.ServeHTTP(w, r)
	})
}

// owned puts the caller of a request of MCP into its context.
func (m *mcpServer) owned(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		return next(principal.With(ctx, m.caller(r)), method, r)
	}
}

// caller is who a request of MCP is for. The id of a session is as good as a
// password, and the name of a caller stands in logs: it has a hash.
func (m *mcpServer) caller(r mcp.Request) principal.Caller {
	if m.process {
		return principal.Caller{Name: principal.Local}
	}
	c := m.o.anybody()
	if x := r.GetExtra(); x != nil && x.TokenInfo != nil {
		c = principal.Caller{Name: x.TokenInfo.UserID}
	}
	if id := r.GetSession().ID(); id != "" {
		sum := sha256.Sum256([]byte(id))
		c.Session = "mcp-" + hex.EncodeToString(sum[:8])
	}
	return c
}

// ownerOf names the owner of browser contexts (tool.Options.Session): the process
// on stdio, the session, or the principal without a session.
func ownerOf(c principal.Caller) string {
	switch {
	case c.Session != "":
		return c.Session
	case c.Guest, c.Name == principal.Anonymous:
		return tool.Stateless
	case c.Name == principal.Local:
		return ""
	}
	return tool.Stateless + ":" + c.Name
}

// quotas hold the calls of each principal to its quota, and all of them to a bound.
type quotas struct {
	tokens atomic.Pointer[principal.Tokens]
	epoch  epoch // of tokens
	meter  principal.Meter
	most   atomic.Int64 // Options.MaxRunning
	// ending is ended when the calls are cut; nil: they are not.
	ending  context.Context
	running atomic.Int64
	refused refusals
}

// begin counts a call, which ends with end, and whose context ends with errEnding when
// the server cuts its calls. The request goes on, so that the call can be answered. The
// error is Busy: with HTTP status 429
// for a quota, with 503 when too many calls run. One principal has at most three
// quarters of them, so that another one always finds room.
func (q *quotas) begin(ctx context.Context) (_ context.Context, end func(), e *tool.Error) {
	name := principal.Of(ctx).Name
	most := q.most.Load()
	share := int64(shared(int(most)).each)
	if n := q.running.Add(1); n > most || int64(q.meter.Running(name)) >= share {
		q.running.Add(-1)
		q.refused.full.Add(1)
		e = tool.NewError(tool.Busy, fmt.Sprintf("%d calls run already", n-1), "call again in 1 s")
		e.RetryAfter = time.Second
		return nil, nil, e
	}
	counted, e := q.count(name)
	if e != nil {
		q.running.Add(-1)
		q.refused.quota.Add(1)
		return nil, nil, e
	}
	if q.ending == nil {
		return ctx, func() { counted(); q.running.Add(-1) }, nil
	}
	ctx, cut := context.WithCancelCause(ctx)
	stop := context.AfterFunc(q.ending, func() { cut(errEnding) })
	return ctx, func() { stop(); cut(nil); counted(); q.running.Add(-1) }, nil
}

// counted calls do as a call, between begin and its end.
func (q *quotas) counted(ctx context.Context, do func(context.Context) error) error {
	ctx, end, e := q.begin(ctx)
	if e != nil {
		return e
	}
	defer end()
	return do(ctx)
}

// count counts a call against the quota of its principal.
func (q *quotas) count(name string) (end func(), e *tool.Error) {
	end, err := q.meter.Begin(name, q.tokens.Load().Quota(name), time.Now())
	if x := new(principal.Exceeded); errors.As(err, &x) {
		e = tool.NewError(tool.Busy, fmt.Sprintf("the quota of the token %q is %s", name, x.Reason),
			fmt.Sprintf("call again in %.0f s", max(x.After.Seconds(), 1)))
		e.Status, e.RetryAfter, e.Cause = http.StatusTooManyRequests, x.After, x
	}
	return end, e
}

// sessions ends what belongs to a session when it ends.
type sessions struct {
	ended   func(context.Context, string) // Options.SessionEnded
	mu      sync.Mutex
	watched map[string]bool
	running sync.WaitGroup
}

// watch has Options.SessionEnded called when a session ends. Only sessions that
// call tools are watched: nothing else makes what belongs to a session.
func (m *mcpServer) watch(s *mcp.ServerSession, c principal.Caller) {
	w := &m.sessions
	if c.Session == "" || w.ended == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watched[c.Session] {
		return
	}
	if w.watched == nil {
		w.watched = make(map[string]bool)
	}
	w.watched[c.Session] = true
	w.running.Go(func() {
		_ = s.Wait() // why it ended is its client's to know
		w.ended(principal.With(context.Background(), c), c.Session)
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.watched, c.Session)
	})
}

package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/principal"
)

// MCP over HTTP, at one address for both kinds of clients. The headers say which kind
// a client is; a first request has none of them yet, so its body is read:
//
//   - Mcp-Protocol-Version from 2026-07-28 on, or its sign in the body: without
//     a session, each request stands for itself;
//   - a session id, or initialize: with one.
//
// In a session, the SDK lets a call go on after its request has ended, for clients that
// come back for the answer. That needs an event store, which this server does not have, so the
// call is cancelled.

const (
	versionHeader = "Mcp-Protocol-Version"
	sessionHeader = "Mcp-Session-Id"
)

// mcpHandler answers at /mcp.
type mcpHandler struct {
	server      *mcp.Server
	sessions    http.Handler
	single      http.Handler // requests without a session, answered with one object
	streamed    http.Handler // and those that want to hear of steps or changes
	maxSessions atomic.Int64
	held        held
	watching    *sessions
	maxStreams  atomic.Int64
	streams     shares // that last until their client leaves
	refused     *refusals
	epoch       *epoch

	ending context.Context // ended by drain
	end    context.CancelFunc
}

// newMCP returns what answers at /mcp.
func newMCP(o Options, q *quotas) (*mcpHandler, error) {
	server, watching, err := newMCPServer(o, q, false)
	if err != nil {
		return nil, err
	}
	h := newMCPHandler(server, o, &q.refused)
	h.epoch = &q.epoch
	h.watching = watching
	return h, nil
}

func newMCPHandler(server *mcp.Server, o Options, refused *refusals) *mcpHandler {
	get := func(*http.Request) *mcp.Server { return server }
	h := &mcpHandler{server: server, refused: refused, epoch: new(epoch)}
	h.limit(o.MaxConnections, o.MaxSessions)
	h.ending, h.end = context.WithCancel(context.Background())
	h.sessions = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{SessionTimeout: o.SessionIdle, MaxRequestBodyBytes: maxBodyBytes})
	alone := mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxBodyBytes}
	h.streamed = mcp.NewStreamableHTTPHandler(get, &alone)
	alone.JSONResponse = true // a tenth less processor time than a stream of one event
	h.single = mcp.NewStreamableHTTPHandler(get, &alone)
	return h
}

// limit bounds the sessions and the streams, which leave half of the connections to
// calls. Those that are open stay.
func (h *mcpHandler) limit(connections, sessions int) {
	h.maxSessions.Store(int64(sessions))
	h.maxStreams.Store(int64(max(connections/2, 1)))
}

// drain ends the streams that last until the client leaves. Calls go on.
func (h *mcpHandler) drain() { h.end() }

// close ends all sessions and waits for them. Nothing may be served any more.
func (h *mcpHandler) close() {
	h.end()
	var closing sync.WaitGroup
	for s := range h.server.Sessions() {
		closing.Go(func() { _ = s.Close() })
	}
	closing.Wait()
	if h.watching != nil {
		h.watching.running.Wait()
	}
}

func (h *mcpHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = &timed{ResponseWriter: w, control: http.NewResponseController(w)}
	version := r.Header.Get(versionHeader)
	switch {
	case version != "" && version < stateless && !slices.Contains(mcp.SupportedProtocolVersions(), version):
		refuseRPC(w, http.StatusBadRequest, nil, unsupported(version))
	case r.Method == http.MethodPost:
		h.post(w, r, version)
	case version >= stateless:
		h.single.ServeHTTP(w, r) // which takes only POST
	case r.Method == http.MethodGet:
		defer h.held.use(r.Header.Get(sessionHeader))()
		h.lasting(h.sessions, w, r)
	default:
		h.sessions.ServeHTTP(w, r)
	}
}

// lasting answers with a stream for what the server has to say. It lasts until the
// client leaves or the server drains. Streams leave room for calls.
func (h *mcpHandler) lasting(next http.Handler, w http.ResponseWriter, r *http.Request) {
	leave, ok := h.streams.take(principalOf(r), shared(int(h.maxStreams.Load())))
	if !ok {
		h.refused.streams.Add(1)
		w.Header().Set("Retry-After", "60")
		refuseRPC(w, http.StatusServiceUnavailable, nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError,
			Message: fmt.Sprintf("%d streams are open, too many for a further one: call without a stream, or try again later", h.streams.count())})
		return
	}
	defer leave()
	ctx, end := h.epoch.within(r.Context())
	defer end()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.ending, cancel)()
	next.ServeHTTP(w, r.WithContext(ctx))
}

func (h *mcpHandler) post(w http.ResponseWriter, r *http.Request, version string) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if err != nil {
		refuseRPC(w, http.StatusRequestEntityTooLarge, nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the body is too long, or did not come whole"})
		return
	}
	if !json.Valid(body) {
		refuseRPC(w, http.StatusBadRequest, nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the body is not JSON"})
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	session := r.Header.Get(sessionHeader)
	switch {
	case version >= stateless:
		switch {
		case r.Header.Get("Mcp-Method") == "subscriptions/listen":
			h.lasting(h.streamed, w, r)
		case bytes.Contains(body, []byte(`"progressToken"`)): // or a text that says so: no harm
			h.streamed.ServeHTTP(w, r)
		default:
			h.single.ServeHTTP(w, r)
		}
	case session != "":
		h.inSession(w, r, body)
	default:
		h.first(w, r, body)
	}
}

// first takes a request that says neither version nor session.
func (h *mcpHandler) first(w http.ResponseWriter, r *http.Request, body []byte) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Meta struct {
				Version string `json:"io.modelcontextprotocol/protocolVersion"`
			} `json:"_meta"`
		} `json:"params"`
	}
	_ = json.Unmarshal(body, &m) // a body that is not a request is refused below
	switch {
	case m.Params.Meta.Version != "" || m.Method == "server/discover":
		h.single.ServeHTTP(w, r) // says which header is missing
	case m.Method != "initialize":
		refuseRPC(w, http.StatusBadRequest, idOf(body), &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest,
			Message: "neither a session nor a version: send initialize first and then its " + sessionHeader + " header, or " + versionHeader + ": " + stateless + " or later"})
	case !h.room(principal.Of(r.Context()).Name):
		h.refused.sessions.Add(1)
		w.Header().Set("Retry-After", "60")
		refuseRPC(w, http.StatusServiceUnavailable, idOf(body), &jsonrpc.Error{Code: jsonrpc.CodeInternalError,
			Message: "there are too many sessions, and yours are not idle: end one with DELETE, or try again in a minute"})
	default:
		h.open(w, r)
	}
}

// count counts sessions; requests without one are servers' sessions too while
// they last.
func (h *mcpHandler) count() int {
	n := 0
	for s := range h.server.Sessions() {
		if s.ID() != "" {
			n++
		}
	}
	return n
}

// inSession answers a request of a session, and cancels its call when the client has
// disconnected.
func (h *mcpHandler) inSession(w http.ResponseWriter, r *http.Request, body []byte) {
	defer h.held.use(r.Header.Get(sessionHeader))()
	h.sessions.ServeHTTP(w, r)
	id := idOf(body)
	if r.Context().Err() == nil || id == nil {
		return
	}
	cancel, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": id, "reason": "the client is gone"}})
	if err != nil {
		return
	}
	ctx, end := context.WithTimeout(context.WithoutCancel(r.Context()), time.Second)
	defer end()
	again := r.Clone(ctx)
	again.Body = io.NopCloser(bytes.NewReader(cancel))
	again.ContentLength = int64(len(cancel))
	h.sessions.ServeHTTP(nowhere{}, again)
}

// nowhere discards an answer.
type nowhere struct{}

func (nowhere) Header() http.Header         { return make(http.Header) }
func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) WriteHeader(int)             {}

// timed gives each write of a stream its own time.
type timed struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Write implements http.ResponseWriter.
func (t *timed) Write(p []byte) (int, error) {
	_ = t.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	return t.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (t *timed) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// unsupported is the error for an unknown version.
func unsupported(version string) *jsonrpc.Error {
	data, _ := json.Marshal(mcp.UnsupportedProtocolVersionData{Supported: mcp.SupportedProtocolVersions(), Requested: version}) // it has only strings
	return &jsonrpc.Error{Code: mcp.CodeUnsupportedProtocolVersion, Data: data,
		Message: "protocol version " + quoted(version) + " is not supported; " + strings.Join(mcp.SupportedProtocolVersions(), ", ") + " are"}
}

// refuseRPC answers with an error of the protocol.
func refuseRPC(w http.ResponseWriter, status int, id json.RawMessage, e *jsonrpc.Error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(errorMessage(id, e))
}

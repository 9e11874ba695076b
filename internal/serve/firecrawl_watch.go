package serve

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/coder/websocket"
	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The WebSocket of a job, below the path of its state. The messages are JSON objects with
// the members type and data: "catchup" first, with the state and the pages so far;
// "document" for each further page; "done" at the end of a completed job, and "status" at
// that of another. A client has no header for its token: it gives it as a subprotocol.

// upgrades reports whether a request asks for the WebSocket of a job.
func upgrades(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, firecrawlPath) && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// protocolToken makes the subprotocol of such a request its bearer token, where it has no other.
func protocolToken(r *http.Request) {
	if token := r.Header.Get("Sec-WebSocket-Protocol"); upgrades(r) && token != "" && r.Header.Get("Authorization") == "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
}

var errWatched = errors.New("the job has ended")

// watch answers the WebSocket of a job.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, k jobKind) {
	id := r.PathValue("id")
	following, leave, e := s.follow(r.Context())
	if e != nil {
		s.fail(w, r, e)
		return
	}
	defer leave()
	if !s.countedCall(w, r, func(ctx context.Context) error { _, err := s.stateOf(ctx, k, id); return err }) {
		return
	}
	var protocols []string
	if p := r.Header.Get("Sec-WebSocket-Protocol"); p != "" {
		protocols = []string{p} // a browser closes a connection that does not name one of its own
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: protocols})
	if err != nil {
		return // it has answered
	}
	defer conn.CloseNow() //nolint:errcheck // nobody is left to be told
	ctx, stop := context.WithCancel(conn.CloseRead(following))
	defer stop()
	defer context.AfterFunc(s.leaving, stop)()
	to := watcher{s: s, k: k, id: id, base: baseURL(r), conn: conn}
	if err = to.tell(ctx); err == nil {
		err = s.o.Jobs.FollowCrawl(ctx, id, to.after, func(e result.CrawlEvent) error {
			if _, ok, _ := s.caller(r); !ok {
				return errSignedOut
			}
			if e.Page != nil && e.Cursor > to.after || e.State != nil && !unfinished(e.State) {
				return to.tell(ctx)
			}
			return nil
		})
	}
	switch {
	case errors.Is(err, errWatched):
		_ = conn.Close(websocket.StatusNormalClosure, "")
	case err != nil && ctx.Err() == nil:
		_ = to.send(ctx, "error", map[string]any{"error": tool.AsError(err).Text()})
	}
}

// watcher is a client of a job's WebSocket. It has what is before the cursor after.
type watcher struct {
	s        *Server
	k        jobKind
	id, base string
	conn     *websocket.Conn
	after    int64
	begun    bool
}

// tell sends what the client does not have yet. The error is errWatched at the end of the job.
func (t *watcher) tell(ctx context.Context) error {
	for {
		state, next, seen, err := t.s.statusPages(ctx, t.base, t.k, t.id, t.after, jobPages)
		if err != nil {
			return err
		}
		ended := state.Status != firecrawl.Scraping && next == 0
		switch {
		case !t.begun:
			if !ended {
				state.Status = firecrawl.Scraping // at another one the client closes
			}
			t.begun, err = true, t.send(ctx, "catchup", state)
		default:
			for i := 0; i < len(state.Data) && err == nil; i++ {
				err = t.send(ctx, "document", state.Data[i])
			}
			if state.Data = []firecrawl.Document{}; ended && err == nil {
				err = t.send(ctx, map[bool]string{true: "done", false: "status"}[state.Status == firecrawl.Completed], state)
			}
		}
		switch t.after = seen; {
		case err != nil:
			return err
		case ended:
			return errWatched
		case next == 0:
			return nil
		}
	}
}

// send sends a message to a client that may read slowly, though not for ever.
func (t *watcher) send(ctx context.Context, kind string, data any) error {
	message := map[string]any{"type": kind, "data": data}
	if kind == "error" {
		message = data.(map[string]any)
		message["type"] = kind
	}
	body, err := encode(message)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return t.conn.Write(ctx, websocket.MessageText, body)
}

package serve

import (
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/principal"
)

// Clients often vanish without ending their sessions, which then stay until they have
// been idle for Options.SessionIdle. When there are as many as there may be, a new one
// takes the place of the one that has been idle for longest, of the principal who has
// the most: nobody keeps others out with sessions that he does not use. A client whose
// session was ended is answered with 404 and opens another, as the protocol says.

// restTime is how long a session has to be idle before one of the same principal
// replaces it. Those of a principal who has more need not be.
const restTime = time.Minute

// held says whose the sessions are, and which are in use.
type held struct {
	mu  sync.Mutex
	all map[string]*heldSession
	// replaced counts the sessions that were ended for another one.
	replaced uint64
}

type heldSession struct {
	owner    string
	requests int       // that run, streams included
	since    time.Time // when the last one began or ended
}

func (h *held) add(id, owner string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		h.all = make(map[string]*heldSession)
	}
	h.all[id] = &heldSession{owner: owner, since: time.Now()}
}

// use marks a session as used until end is called.
func (h *held) use(id string) (end func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.all[id]
	if s == nil {
		return func() {}
	}
	s.requests++
	s.since = time.Now()
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		s.requests--
		s.since = time.Now()
	}
}

// idlest chooses the open session that one of owner may replace, and forgets those that
// have ended. "" means none.
func (h *held) idlest(open map[string]*mcp.ServerSession, owner string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	has, first := map[string]int{}, map[string]string{} // by owner; first is the idlest one
	for id, s := range h.all {
		if open[id] == nil {
			delete(h.all, id)
			continue
		}
		has[s.owner]++
		if s.requests == 0 && (first[s.owner] == "" || s.since.Before(h.all[first[s.owner]].since)) {
			first[s.owner] = id
		}
	}
	best, most := "", has[owner]
	for other, id := range first {
		if has[other] > most {
			best, most = id, has[other]
		}
	}
	if own := first[owner]; best == "" && own != "" && time.Since(h.all[own].since) >= restTime {
		best = own
	}
	if best != "" {
		delete(h.all, best)
		h.replaced++
	}
	return best
}

// count returns how many sessions were replaced so far.
func (h *held) count() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.replaced
}

// room makes room for a session of a principal, and reports whether there is some.
func (h *mcpHandler) room(owner string) bool {
	if int64(h.count()) < h.maxSessions.Load() {
		return true
	}
	open := make(map[string]*mcp.ServerSession)
	for s := range h.server.Sessions() {
		if s.ID() != "" {
			open[s.ID()] = s
		}
	}
	id := h.held.idlest(open, owner)
	if id == "" {
		return false
	}
	_ = open[id].Close() // what its client has to say comes too late
	return true
}

// open answers initialize with a session, for which there is room.
func (h *mcpHandler) open(w http.ResponseWriter, r *http.Request) {
	h.sessions.ServeHTTP(w, r)
	if id := w.Header().Get(sessionHeader); id != "" {
		h.held.add(id, principal.Of(r.Context()).Name)
	}
}

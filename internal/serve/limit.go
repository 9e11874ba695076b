package serve

import (
	"container/list"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// The server has a bounded number of connections open. When all places are taken, the
// connection that has waited for a request for the longest time is closed for a new one. If none
// waits, the new connection gets an answer (503) and is closed: a client that waits
// in the queue of the system would learn nothing. One principal has at most three
// quarters of the places in use, whatever its requests wait for: their bodies, a site, or
// a client that does not read.

const (
	// silentFor is how long a new connection may send nothing before it counts as idle.
	silentFor = time.Second
	// maxRefusals bounds the refused connections that are still open, each for at most
	// refusalTime, so that their clients can read the answer.
	maxRefusals = 64
	refusalTime = time.Second
)

// refusal is the whole answer to a connection that finds no place.
const refusal = "HTTP/1.1 503 Service Unavailable\r\n" +
	"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 39\r\nRetry-After: 1\r\nConnection: close\r\n\r\n" +
	"too many connections; try again in 1 s\n"

// share is how much of something there may be at a time: for all callers, and for each.
type share struct{ all, each int }

// shared leaves a quarter of what there may be to other callers.
func shared(all int) share { return share{max(all, 1), max(all*3/4, 1)} }

// shares counts what callers hold. It is safe for concurrent use; the zero value is ready.
type shares struct {
	mu  sync.Mutex
	all int
	of  map[string]int // by the name of the principal; 0 is not there
}

// take counts one for a principal, until release is called once. It is not ok if the
// principal, or all of them, have as many as there may be.
func (s *shares) take(name string, most share) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= most.all || s.of[name] >= most.each {
		return nil, false
	}
	if s.of == nil {
		s.of = map[string]int{}
	}
	s.all++
	s.of[name]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all--
		if s.of[name]--; s.of[name] == 0 {
			delete(s.of, name)
		}
	}, true
}

// count is how many are held.
func (s *shares) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}

// refusals count the requests that were refused before their call began, by reason.
type refusals struct {
	origin, token    atomic.Uint64 // the checks of the guard
	requests, bodies atomic.Uint64 // too many of the caller are open, too many large bodies are read
	full, quota      atomic.Uint64 // too many calls run, the quota of a token
	sessions         atomic.Uint64 // of MCP
	streams          atomic.Uint64 // of MCP, and of events of jobs
}

func (r *refusals) byReason() map[string]uint64 {
	return map[string]uint64{"origin": r.origin.Load(), "token": r.token.Load(), "requests": r.requests.Load(), "bodies": r.bodies.Load(),
		"full": r.full.Load(), "quota": r.quota.Load(), "sessions": r.sessions.Load(), "streams": r.streams.Load()}
}

// connections are the open connections of a server.
type connections struct {
	now      func() time.Time
	refusals chan struct{} // holds a value for each refused connection that is open

	mu   sync.Mutex
	most int
	open int
	// refused counts the connections that found no place.
	refused uint64
	// idle have answered a request and wait for the next one; fresh have not sent
	// anything yet. Both are in the order of time.
	idle, fresh list.List
}

func newConnections(most int) *connections {
	return &connections{now: time.Now, most: most, refusals: make(chan struct{}, maxRefusals)}
}

// limit returns a listener whose connections take the places of c.
func (c *connections) limit(l net.Listener) net.Listener { return &limited{l, c} }

type limited struct {
	net.Listener
	all *connections
}

// Accept implements net.Listener.
func (l *limited) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if p := l.all.place(conn); p != nil {
			return p, nil
		}
		l.all.refuse(conn)
	}
}

// placed is a connection that has a place.
type placed struct {
	net.Conn
	all *connections
	// These are guarded by all.mu.
	in    *list.List    // all.idle, all.fresh or nil
	entry *list.Element // in it
	since time.Time     // when it came into the list
	gone  bool
}

// place gives a connection a place, if there is one or one can be made.
func (c *connections) place(conn net.Conn) *placed {
	c.mu.Lock()
	var leaves *placed
	if c.open >= c.most {
		if leaves = c.idlest(); leaves == nil {
			c.refused++
			c.mu.Unlock()
			return nil
		}
		c.leave(leaves)
	}
	c.open++
	p := &placed{Conn: conn, all: c}
	c.move(p, &c.fresh)
	c.mu.Unlock()
	if leaves != nil {
		_ = leaves.Conn.Close() // its reader gets the error
	}
	return p
}

// share is how many connections may be in use.
func (c *connections) share() share {
	c.mu.Lock()
	defer c.mu.Unlock()
	return shared(c.most)
}

// setMost changes how many connections may be open. Those that are stay.
func (c *connections) setMost(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.most = n
}

// counts returns how many connections are open, and how many were refused so far.
func (c *connections) counts() (open int, refused uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open, c.refused
}

// idlest returns the connection that a new one may replace, or nil. The lock is held.
func (c *connections) idlest() *placed {
	var best *placed
	if first := c.idle.Front(); first != nil {
		best = first.Value.(*placed)
	}
	if first := c.fresh.Front(); first != nil {
		p := first.Value.(*placed)
		if c.now().Sub(p.since) >= silentFor && (best == nil || p.since.Before(best.since)) {
			return p
		}
	}
	return best
}

// move puts a connection at the end of a list, or in none (nil). The lock is held.
func (c *connections) move(p *placed, to *list.List) {
	if p.in != nil {
		p.in.Remove(p.entry)
	}
	p.in, p.since = to, c.now()
	if to != nil {
		p.entry = to.PushBack(p)
	}
}

// leave takes the place from a connection. The lock is held.
func (c *connections) leave(p *placed) {
	if !p.gone {
		p.gone = true
		c.move(p, nil)
		c.open--
	}
}

// state implements http.Server.ConnState.
func (c *connections) state(conn net.Conn, s http.ConnState) {
	p, ok := conn.(*placed)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case p.gone:
	case s == http.StateActive:
		c.move(p, nil)
	case s == http.StateIdle:
		c.move(p, &c.idle)
	}
}

// Close implements net.Conn.
func (p *placed) Close() error {
	defer func() {
		p.all.mu.Lock()
		defer p.all.mu.Unlock()
		p.all.leave(p)
	}()
	return p.Conn.Close()
}

// CloseWrite is for net/http, which ends what it sends before it closes a connection whose
// request it has not read to the end: otherwise the client could lose the answer.
func (p *placed) CloseWrite() error {
	if half, ok := p.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// refuse answers a connection that has no place. When a client's request is not read,
// closing the socket resets the connection, and the client may lose the answer: the
// socket stays open for a moment, if not too many do.
func (c *connections) refuse(conn net.Conn) {
	_ = conn.SetDeadline(time.Now().Add(refusalTime))
	_, err := io.WriteString(conn, refusal) // never waits: nothing was sent before
	half, ok := conn.(interface{ CloseWrite() error })
	if err == nil && ok && half.CloseWrite() == nil {
		select {
		case c.refusals <- struct{}{}:
			go func() {
				_, _ = io.CopyN(io.Discard, conn, maxHeaderBytes)
				_ = conn.Close()
				<-c.refusals
			}()
			return
		default:
		}
	}
	_ = conn.Close()
}

// restedFor is how long a server that ends waits for a request on a connection that it
// could close. A client that is in the middle of its calls sends the next one within that
// time, on any of its connections, and would lose it: a request that meets the closing of
// its connection is not answered.
const restedFor = 250 * time.Millisecond

// closeRested closes the connections that have waited for a request since a time, and for
// restedFor.
func (c *connections) closeRested(since time.Time) {
	var rested []*placed
	c.mu.Lock()
	for first := c.idle.Front(); first != nil; first = c.idle.Front() {
		p := first.Value.(*placed)
		if p.since.After(since) {
			since = p.since
		}
		if c.now().Sub(since) < restedFor {
			break
		}
		c.leave(p)
		rested = append(rested, p)
	}
	c.mu.Unlock()
	for _, p := range rested {
		_ = p.Conn.Close()
	}
}

// drained waits until no connection is open, and reports whether that came before ctx
// ended. Nothing may be accepted any more, and answers have to end their connections.
func (c *connections) drained(ctx context.Context) bool {
	const often = 50 * time.Millisecond
	timer := time.NewTicker(often)
	defer timer.Stop()
	for begin := c.now(); ; {
		c.closeRested(begin)
		if open, _ := c.counts(); open == 0 {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
		}
	}
}

// wait waits until no refused connection is open. Nothing may be accepted any more.
func (c *connections) wait() {
	for range maxRefusals {
		c.refusals <- struct{}{}
	}
	for range maxRefusals { // for a listener to come
		<-c.refusals
	}
}

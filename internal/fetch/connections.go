package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http/httptrace"
	"net/textproto"
	"sync"
	"time"
)

// stage is how far a request has come on its way to the answer's head. Stages
// are in order; a request does not go back.
type stage uint8

const (
	stageStart stage = iota
	stageLookup
	stageConnect
	stageHandshake
	stageHead
)

// String says what a request was doing that ran out of time in this stage.
func (s stage) String() string {
	switch s {
	case stageLookup:
		return "while looking up the host"
	case stageHandshake:
		return "during the TLS handshake"
	case stageHead:
		return "while waiting for the first byte"
	}
	return "while connecting"
}

// connections are the connections of one request. A hostile server can make
// package net/http open one after the other (519 in 1.5 s, measured with a
// server that answers each request with GOAWAY). Over HTTP/2, a connection
// outlives a request that was cut off: a server that floods it with PING or empty
// frames keeps it busy, and the next request would wait on it too.
type connections struct {
	cancel context.CancelCauseFunc

	mu         sync.Mutex
	taken      int // connections that the request was sent on
	handshakes int // connections that were opened for it, whether or not it was sent on them
	last       net.Conn
	reused     bool // last served another request before
	stage      stage
	interim    int // 1xx answers
}

// trace returns ctx for a request whose connections are to be watched.
func (c *connections) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { c.enter(stageLookup) },
		DNSDone: func(done httptrace.DNSDoneInfo) {
			if done.Err == nil {
				c.enter(stageConnect)
			}
		},
		ConnectStart:      func(string, string) { c.enter(stageConnect) },
		TLSHandshakeStart: func() { c.enter(stageHandshake) },
		TLSHandshakeDone:  func(tls.ConnectionState, error) { c.opened() },
		GotConn:           c.got,
		Got1xxResponse:    c.got1xx,
	})
}

// enter notes that the request has come to a stage. An attempt to connect can go
// on after another connection was taken; its stages do not count.
func (c *connections) enter(s stage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stage = max(c.stage, s)
}

// reached returns how far the request has come.
func (c *connections) reached() stage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stage
}

// got1xx bounds the interim answers.
func (c *connections) got1xx(int, textproto.MIMEHeader) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.interim++; c.interim > maxInterim {
		return &interruption{Code: ConnectionError, words: "the server sends interim answers without end"}
	}
	return nil
}

// got notes the connection that the request is sent on.
func (c *connections) got(info httptrace.GotConnInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last, c.reused, c.stage = info.Conn, info.Reused, stageHead
	c.taken++
	c.bound(c.taken)
}

// opened notes a connection before the request is sent on it: package net/http leaves
// one that has ended by then, unseen by got, and opens the next.
func (c *connections) opened() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handshakes++
	c.bound(c.handshakes)
}

// bound ends the request after too many connections.
func (c *connections) bound(n int) {
	if n > maxConnections {
		c.cancel(&interruption{Code: ConnectionError, words: "the server ends every connection"})
	}
}

// dropped reports whether the request failed because another one had dropped the
// connection: package net/http gives it to further requests until it has noticed that.
func (c *connections) dropped(err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	again := c.reused && c.taken < maxConnections && errors.Is(err, net.ErrClosed)
	c.reused = false
	return again
}

// hangTime is how long an exchange may take to end after its context.
const hangTime = 500 * time.Millisecond

// watch drops the connection of an exchange that does not end with its context: over HTTP/2,
// a server that sends and does not read blocks package net/http in a write, and with it the
// end of all requests on that connection. The caller calls stop when the exchange has ended.
func (c *connections) watch(ctx context.Context) (stop func()) {
	ended := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		select {
		case <-ended:
		case <-time.After(hangTime):
			c.drop()
		}
	})
	return func() {
		close(ended)
		forget()
	}
}

// drop closes the last connection, so that no other request uses it.
func (c *connections) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	conn := c.last
	if secure, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = secure.NetConn() // a TLS close_notify could wait for the server
	}
	if conn != nil {
		_ = conn.Close()
	}
}

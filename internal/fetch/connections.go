package fetch

import (
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync"
)

// connections are those that one request was sent on. A hostile server can
// make package net/http open one after the other (519 in 1.5 s, measured with a
// server that answers each request with GOAWAY), and over HTTP/2 a connection
// outlives the request that was cut off: flooded with PING or empty frames, it
// is busy and looks alive, and the next request waits on it too.
type connections struct {
	cancel context.CancelCauseFunc

	mu   sync.Mutex
	n    int
	last net.Conn
}

// got hears of a connection.
func (c *connections) got(info httptrace.GotConnInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = info.Conn
	if c.n++; c.n > maxConnections {
		c.cancel(&interruption{Code: ConnectionError, words: "the server ends every connection"})
	}
}

// drop closes the last connection, so that nobody uses it again.
func (c *connections) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	conn := c.last
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn() // saying goodbye could wait for the server
	}
	if conn != nil {
		_ = conn.Close()
	}
}

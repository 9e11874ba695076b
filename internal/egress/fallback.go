package egress

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// Some servers answer only over HTTP/1.1, or with header lines that package net/http does
// not take and browsers ignore. Such a request is sent once more, on a connection of its
// own that is closed afterwards.

// wantsFallback reports whether a request may succeed over the fallback transport.
func wantsFallback(req *http.Request, err error) bool {
	if err == nil || req.Body != nil {
		return false
	}
	text := err.Error() // net/http has no types for these
	return strings.Contains(text, "HTTP_1_1_REQUIRED") || strings.Contains(text, "malformed MIME header")
}

// newFallback returns a transport for HTTP/1.1 like t, which leaves out header lines that
// are none.
func newFallback(t *http.Transport) *http.Transport {
	f := t.Clone()
	f.Protocols = new(http.Protocols)
	f.Protocols.SetHTTP1(true)
	f.DisableKeepAlives = true
	f.TLSClientConfig = t.TLSClientConfig.Clone()
	f.TLSClientConfig.NextProtos = []string{"http/1.1"}
	return f
}

// headConn leaves out the header lines of the response that package net/http refuses.
type headConn struct {
	net.Conn
	ready, line []byte // what Read returns next, and what has come of a line
	interim     bool   // the head is that of a 1xx response
	first, over bool   // the status line has come, the head has ended
	read        int    // bytes of the head
}

// headed makes a dialer return connections of type headConn.
func headed(dial func(ctx context.Context, network, addr string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &headConn{Conn: c}, nil
	}
}

// NetConn is for those who close a connection without a TLS message.
func (c *headConn) NetConn() net.Conn {
	if secure, ok := c.Conn.(*tls.Conn); ok {
		return secure.NetConn()
	}
	return c.Conn
}

func (c *headConn) Read(p []byte) (int, error) {
	for len(c.ready) == 0 {
		if c.over {
			return c.Conn.Read(p)
		}
		n, err := c.Conn.Read(p)
		c.take(p[:n])
		if err != nil {
			c.ready, c.line, c.over = append(c.ready, c.line...), nil, true
			if len(c.ready) == 0 {
				return 0, err
			}
		}
	}
	n := copy(p, c.ready)
	c.ready = c.ready[n:]
	return n, nil
}

// take adds what has come of the head.
func (c *headConn) take(b []byte) {
	c.read += len(b)
	for !c.over && len(b) > 0 {
		i := bytes.IndexByte(b, '\n') + 1
		if i == 0 {
			if c.line = append(c.line, b...); c.read > maxHeaderBytes {
				c.ready, c.line, c.over = append(c.ready, c.line...), nil, true // net/http refuses it
			}
			return
		}
		c.line = append(c.line, b[:i]...)
		b = b[i:]
		switch line := bytes.TrimRight(c.line, "\r\n"); {
		case !c.first:
			c.first = true
			_, status, _ := bytes.Cut(line, []byte(" "))
			c.interim = bytes.HasPrefix(bytes.TrimSpace(status), []byte("1"))
			c.ready = append(c.ready, c.line...)
		case len(line) == 0:
			c.first, c.over = false, !c.interim
			c.ready = append(c.ready, c.line...)
		case isHeaderLine(line):
			c.ready = append(c.ready, c.line...)
		}
		c.line = c.line[:0]
	}
	c.ready = append(c.ready, b...)
}

// isHeaderLine reports whether a line has a name, or continues the line before. A value
// with control characters stays, so that package net/http refuses the response.
func isHeaderLine(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte(":"))
	return line[0] == ' ' || line[0] == '\t' || ok && httpguts.ValidHeaderFieldName(string(name))
}
